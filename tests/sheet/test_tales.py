"""The story and the reference share a page where that saves one."""

from __future__ import annotations

from charforge.sheet import spread, tales
from charforge.sheet.build import build
from charforge.sheet.print_options import Look
from tests.sheet.conftest import Make

KEPT = 8  # words explained: more than one page of reference, less than two


def test_the_reference_begins_below_a_short_story_where_that_saves_a_page(make: Make) -> None:
    view, look = build(make(level=5, role="role/the-lancer")), Look()
    view = view._replace(reference=view.reference[:KEPT])
    told = tales.story(view, look)
    assert look.page.height / 3 < told.ends < look.page.height - spread.LEAST
    apart = len(spread.reference(view, look))
    assert apart == 2
    assert len(spread.reference(view, look, told.ends)) == apart  # one of them the story's


def test_elsewhere_it_begins_a_page(make: Make) -> None:
    view = build(make(level=5, role="role/the-lancer"))
    long = view._replace(reference=view.reference * 2)
    styled = Look(styles=frozenset({"large-print"}))
    for shown, look in ((long, Look()), (view, styled), (view, Look(fillable=True))):
        assert tales.story(shown, look).ends == 0
        assert tales.story(shown, look).lines == 1
