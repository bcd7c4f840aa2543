"""The designs in examples/templates/: each prints well for every kind of character."""

from __future__ import annotations

import logging
import re
from functools import cache, partial
from pathlib import Path

import pytest

from charforge.cli.printing.printed_sheet import ignored_styles
from charforge.packs.install import load_checked
from charforge.sheet.build import build
from charforge.sheet.fit import fit_template
from charforge.sheet.pdf import write
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.sandbox import render_template
from charforge.sheet.templates import find_template
from charforge.sheet.view import ActiveCondition, SheetView
from tests.conftest import load
from tests.samples import LONG, few
from tests.sheet.conftest import made
from tests.sheet.print_check import at_edge
from tests.sheet.print_faults import EDGE, LEAST, faults
from tests.sheet.printed import record

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DESIGNS = sorted(path.name for path in (EXAMPLES / "templates").iterdir() if path.is_dir())
LONG_NAME = "Maximiliana Ottoline von Hohenstein-Bartholdy the Unreasonably Persistent"
PAGES = {  # of a captain of level 4, somebody with a long name and level 10, and a postwoman
    "booklet": (4, 4, 4), "dossier": (2, 2, 2),
    "tarot": (1, 1, 1), "tent": (1, 1, 1), "zine": (1, 1, 1),
}  # fmt: skip

pytestmark = pytest.mark.needs("pango")


@cache
def characters() -> tuple[SheetView, ...]:
    """Return the three characters."""
    capital = load("capital")
    post = load_checked(EXAMPLES / "night-post").ruleset
    captain = made(capital, "7", 4, "Juno Vance", role="role/the-captain")
    return (build(captain), build(made(capital, "11", 10, LONG_NAME)), build(made(post, "3")))


def test_all_designs_are_listed_and_described() -> None:
    readme = (EXAMPLES / "templates" / "README.md").read_text("utf-8")
    for name in DESIGNS:
        about = find_template(str(EXAMPLES / "templates" / name)).about
        assert all((about.name, about.author, about.licence, about.papers, about.pages))
        assert f"- [{name}]({name}) – " in readme
    assert {*DESIGNS} == {*PAGES}


@pytest.mark.parametrize(
    "number",
    [
        *([pytest.param(0, id="captain", marks=pytest.mark.slow)] if LONG else []),
        pytest.param(1, id="level 10", marks=pytest.mark.slow),
        pytest.param(2, id="postwoman"),
    ],
)
@pytest.mark.parametrize("design", few(DESIGNS, 2))
def test_a_design_prints_without_faults(
    design: str, number: int, caplog: pytest.LogCaptureFixture
) -> None:
    template = find_template(str(EXAMPLES / "templates" / design))
    options = PrintOptions(paper=template.about.papers[0])
    view = characters()[number]
    assert ignored_styles(template, view, options) == ()
    sheet = fit_template(partial(render_template, template, view), options, template.about.pages)
    assert [one.message for one in caplog.records if one.levelno >= logging.WARNING] == []
    printed = record(lambda: write(sheet.document, [sheet.html]))
    assert len(printed.pages) == PAGES[design][number]
    wanted = [view.name, *(card.name for card in view.cards), *(one.line for one in view.credits)]
    found = {*faults(printed, wanted, [view.name], LEAST, EDGE), *at_edge(printed)}
    assert sorted(found) == []


@pytest.mark.parametrize("design", DESIGNS)
def test_a_design_prints_how_the_character_is_now(design: str) -> None:
    """The present numbers, the lasting one beside a changed score, and present conditions."""
    view = characters()[0]
    health, *others, grit = view.vitals
    assert (grit.max, len(view.conditions)) == (None, 5)
    vitals = (health._replace(current=17), *others, grit._replace(current=43))
    prone = ActiveCondition(view.conditions[0].id, "Prone (2 turns)")
    stung = ActiveCondition("status/stung", "Stung")
    hurt = view._replace(
        vitals=tuple(vital._replace(known=True) for vital in vitals),
        attributes=(view.attributes[0]._replace(total=1, base=9), *view.attributes[1:]),
        active_conditions=(prone, stung),
    )
    template = find_template(str(EXAMPLES / "templates" / design))
    html = render_template(template, hurt, PrintOptions(paper=template.about.papers[0]))
    text = " ".join(re.sub("<[^>]*>", " ", html.partition("<body>")[2]).split())
    assert "normally 9" in text
    assert re.search(r"\b17\b", text)
    assert re.search(r"\b43\b", text)
    if design in ("tarot", "tent"):  # these have no boxes for conditions
        assert "Now Prone (2 turns), Stung" in text
    else:
        ticked = r'class="(?:tick on|crossed)"(?:(?!class=).)*?>'
        assert len(re.findall(f"{ticked}(?:Prone \\(2 turns\\)|Stung)</span>", html)) == 2


def test_a_booklet_has_the_costs_and_ammo_of_a_vehicle() -> None:
    view = build(made(load("capital"), "3", 4, asset="vehicle/tank"))
    (tank,) = view.units
    template = find_template(str(EXAMPLES / "templates" / "booklet"))
    html = render_template(template, view, PrintOptions(paper="a5"))
    text = " ".join(re.sub("<[^>]*>", " ", html.partition("Special Vehicle")[2]).split())
    gun = next(weapon for weapon in tank.weapons if weapon.capacities)
    assert " ".join(" · ".join(gun.first_row.extras).split()) in text
    assert f"{gun.capacities[0].label} 3 boxes" in text
    costs = [chip.text for card in tank.cards for action in card.actions for chip in action.chips]
    assert len(costs) >= 2
    assert all(f" · {' '.join(cost.split())} " in text for cost in costs)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["tarot", "tent"])
def test_a_squad_has_room_on_one_card_and_one_tent(design: str) -> None:
    template = find_template(str(EXAMPLES / "templates" / design))
    view = build(made(load("squad-d20"), "cards"))
    assert len(view.cards) > 5
    assert len(view.trackers) > 5
    render = partial(render_template, template, view)
    sheet = fit_template(render, PrintOptions(), template.about.pages)
    printed = record(lambda: write(sheet.document, [sheet.html]))
    assert len(printed.pages) == 1
    labels = [one.label for one in view.trackers if one.high is not None]
    assert sorted(faults(printed, [view.name, *labels], [view.name], LEAST, EDGE)) == []
