"""The HTML sheet needs no other files, whatever the texts contain."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given as over, settings, strategies as st

from charforge.expressions.template import Block, Span
from charforge.replay.replay import Start, replay
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.fonts import embed_fonts, faces
from charforge.sheet.html import continued_html, prose_html, render_html
from charforge.sheet.pdf import for_paper
from charforge.sheet.print_options import Paper, PrintOptions
from tests.sheet.conftest import HOSTILE, Make, made

VOID = {"meta", "br"}
NAME_IN_HEBREW = "כוכב הבוקר"


class Strict(HTMLParser):
    """Fails at the first tag that is not closed where it was opened."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = [name for name, _value in attrs]
        assert len(set(names)) == len(names), f"an attribute of {tag} stands twice"
        assert not [name for name in names if name.startswith("on")]
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)


def parsed(html: str) -> Strict:
    parser = Strict()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def rules_of(html: str) -> str:
    return html[html.index("<style>") : html.index("</style>")]


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_page_is_well_formed_and_has_no_script(make: Make, level: int) -> None:
    page = parsed(render_html(build(make(level=level, asset="vehicle/aeroplane"))))
    assert "script" not in page.tags
    assert page.addresses == []
    assert page.tags.count("h1") == 1


def test_hostile_words_are_words(make: Make) -> None:
    wild = make(
        role="role/the-captain", name=HOSTILE, role__symbol=HOSTILE,
        story__background=HOSTILE, personality__goal=HOSTILE,
        strengths=[HOSTILE, "strength/sneaky", "strength/athletic"],
    )  # fmt: skip
    html = render_html(build(wild))
    page = parsed(html)
    assert "script" not in page.tags
    assert page.tags.count("style") == 2
    text = " ".join(page.text)
    assert text.count("<script>alert('x')</script> {{ 7*7 }} \"q\" & *s* {% raw %}") >= 5
    assert "49" not in rules_of(html)
    tame = render_html(build(make(role="role/the-captain")))
    assert rules_of(html) == rules_of(tame)


@over(name=st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=200))
@settings(max_examples=15)
def test_any_name_is_printed_as_it_is(capital: Ruleset, name: str) -> None:
    if not name.strip():
        return
    view = build(replay(capital, {}, Start(name.strip())))
    page = parsed(render_html(view))
    assert name.strip() in "".join(page.text)


@pytest.mark.parametrize(
    ("paper", "size"), [("a4", "size: 210.0mm 297.0mm"), ("letter", "size: 215.9mm 279.4mm")]
)
def test_the_paper_is_in_the_page(make: Make, paper: Paper, size: str) -> None:
    assert size in render_html(build(make()), PrintOptions(paper=paper))


def test_the_same_character_makes_the_same_page(make: Make) -> None:
    assert render_html(build(make(level=7))) == render_html(build(make(level=7)))


def test_what_the_rules_forbid_is_marked(capital: Ruleset) -> None:
    html = render_html(build(replay(capital, {}, Start("Nobody"))))
    assert "Not allowed by the rules as it stands" in html
    assert "Not answered yet: Role" in html


def test_a_game_without_a_sheet_of_its_own_still_prints(toy: Ruleset) -> None:
    page = parsed(render_html(build(made(toy))))
    assert "The Long Light" in "".join(page.text)


def test_a_game_without_levels_has_no_box_for_one(smithy: Ruleset) -> None:
    page = parsed(render_html(build(made(smithy))))
    text = "".join(page.text)
    assert "The Smithy" in text
    assert "level" not in text.casefold()


def test_fonts_travel_in_the_page_only_when_asked(make: Make) -> None:
    html = render_html(build(make()))
    assert "@font-face" not in html
    with_fonts = embed_fonts(html)
    assert with_fonts.count("@font-face") == len(faces(html)) == 7
    assert len(with_fonts) < len(html) + 250_000
    assert embed_fonts(html) == with_fonts
    assert parsed(with_fonts).tags.count("style") == 3


@pytest.mark.parametrize(
    ("listed", "html"),
    [
        ([], ""),
        ([False], "a"),
        ([False, False, True], "a<p>b</p><ul><li>c</li></ul>"),
        ([True, False], "<ul><li>a</li></ul><p>b</p>"),
    ],
)
def test_only_a_first_paragraph_continues_its_line(listed: list[bool], html: str) -> None:
    prose = tuple(Block((Span(chr(97 + n)),), listed=each) for n, each in enumerate(listed))
    assert continued_html(prose) == html


def test_paper_has_no_styles_for_screens_and_no_names_of_colours(make: Make) -> None:
    page = render_html(build(make(name="var(--text)")))
    paper = for_paper(page)
    assert page.count("<style") == 2
    assert paper.count("<style") == 1
    styles = paper.partition("<style>")[2].partition("</style>")[0]
    assert "#12202b" in styles
    assert "var(" not in styles
    assert "<title>var(--text)" in paper


@pytest.mark.parametrize(("name", "kept"), [("Nix", False), (NAME_IN_HEBREW, True)])
def test_paper_keeps_directions_apart_where_there_are_two(
    make: Make, name: str, kept: bool
) -> None:
    page = render_html(build(make(name=name)))
    assert "<bdi>" in page
    assert ("<bdi>" in for_paper(page)) is kept


def test_parts_of_a_page_keep_their_own_colours(make: Make) -> None:
    page = render_html(build(make())).replace("<main>", '<main class="theme">')
    assert "var(--edge)" in for_paper(page)


def test_a_space_at_the_end_of_a_part_is_behind_its_tag() -> None:
    spans = (Span("When you ", italic=True), Span("hit: ", italic=True), Span("move"), Span(" "))
    assert prose_html((Block(spans),)) == "<p><em>When you hit:</em> move </p>"
