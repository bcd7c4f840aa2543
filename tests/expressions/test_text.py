"""Texts of a pack with figures in braces."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from charforge.errors import FormulaError
from charforge.expressions.formula import Formula
from charforge.expressions.template import (
    MINUS,
    NO_BREAK,
    Figure,
    Span,
    as_written,
    has_unprintable,
    mark_figure,
    parse_figure,
    parse_figures,
    parse_markup,
    signed_amount,
    sole_formula,
    substitute,
    true_minus,
)


@pytest.mark.parametrize(
    ("text", "dice", "rest"),
    [
        ("KNW", (), "KNW"),
        ("3", (), "3"),
        ("1d6", ("1d6",), "0"),
        ("1d6 + KNW - 5", ("1d6",), "0 + KNW - 5"),
        ("2D8 + 1d4", ("2d8", "1d4"), "0 + 0"),
        ("max(WIS - 1, 4)", (), "max(WIS - 1, 4)"),
        (" 1d6 ", ("1d6",), "0"),
    ],
)
def test_a_figure_is_dice_and_a_formula(text: str, dice: tuple[str, ...], rest: str) -> None:
    found = parse_figure(text)
    assert (found.dice, found.formula) == (dice, Formula(rest))
    assert found.text == text.strip()


def test_a_figure_may_name_a_choice() -> None:
    assert parse_figure("$damage") == Figure((), Formula(0), "damage", "$damage")


def test_a_value_whose_name_looks_like_dice_is_no_dice() -> None:
    assert parse_figure("d6_bonus + x2d6").dice == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1w6 + 4", '"1w6" is not a roll such as 2d6; write 1d6'),
        ("1 d6 + 4", '"1 d6" is not a roll such as 2d6; write 1d6'),
        ("2d + 4", '"2d" is not a roll such as 2d6'),
        ("1d6x + 4", '"1d6x" is not a roll such as 2d6'),
        ("1d6 + 1w4", '"1w4" is not a roll such as 2d6; write 1d4'),
        ("2 damage", "it cannot be read as arithmetic"),
    ],
)
def test_what_is_nearly_dice_is_told_apart_from_a_formula(text: str, reason: str) -> None:
    with pytest.raises(FormulaError) as refused:
        parse_figure(text)
    assert (refused.value.text, refused.value.reason) == (text, reason)


@pytest.mark.parametrize(
    "text", ["", " ", "sqrt(2)", "KNW +", "a.b", "1d6d6", "100d6", "lambda: 1", "KNW; 3"]
)
def test_what_is_no_figure_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        parse_figure(text)


@pytest.mark.parametrize(
    "text",
    [
        "2d6 - 1d4",
        "KNW - 1d6",
        "-1d6",
        "2 * 1d6",
        "1d6 * 2",
        "(1d6 + KNW) / 2",
        "min(1d6, 2)",
        "half_up(1d6)",
        "1d6 > 3",
        "1d6 if KNW else 2d6",
        "not 1d6",
    ],
)
def test_dice_that_are_not_simply_added_are_refused(text: str) -> None:
    """Dice are printed beside a number with one sign: anything else would print wrong."""
    with pytest.raises(FormulaError):
        parse_figure(text)


@pytest.mark.parametrize("text", ["0d6", "1d0", "00d6"])
def test_dice_that_nobody_can_roll_are_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        parse_figure(text)


# ------------------------------------------------------------------------------- braces


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain", []),
        ("{KNW}", ["KNW"]),
        ("a {1d6} b {KNW} c", ["1d6", "KNW"]),
        ("{{KNW}}", []),
        ("{{{KNW}}}", ["KNW"]),
        ("{{ {KNW} }}", ["KNW"]),
        ("", []),
    ],
)
def test_figures_stand_in_single_braces(text: str, found: list[str]) -> None:
    assert [one.text for one in parse_figures(text)] == found


@pytest.mark.parametrize("text", ["{", "}", "a { b", "a } b", "{KNW", "KNW}", "{a {KNW}", "{{{"])
def test_a_stray_brace_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        list(parse_figures(text))
    with pytest.raises(FormulaError):
        substitute(text, lambda _figure: "")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("{{", "{"),
        ("}}", "}"),
        ("{{KNW}}", "{KNW}"),
        ("{{{KNW}}}", "{7}"),
        ("a {KNW}, b {1d6}.", "a 7, b 7."),
        ("no figure", "no figure"),
    ],
)
def test_each_figure_is_replaced_and_double_braces_become_single(text: str, printed: str) -> None:
    assert substitute(text, lambda _figure: "7") == printed


@given(first=st.integers(-99, 99), second=st.integers(-99, 99))
def test_a_negative_figure_is_subtracted_not_added(first: int, second: int) -> None:
    figures = {"a": first, "b": second}

    def printed(text: str, mark: str = "{}") -> str:
        return substitute(text, lambda f: mark.format(signed_amount((), figures[f.text])))

    whole = printed("{a} + {b} = {a}, +{b}")
    assert f"+ {MINUS}" not in whole
    sign = "+" if second >= 0 else MINUS
    assert f" {sign} {abs(second)} = " in whole
    assert "+ \x02\N{MINUS SIGN}" not in printed("2d10 + {a}", "\x02{}\x03")


@given(number=st.integers(-3, 99))
def test_the_word_after_a_figure_fits_its_number(number: int) -> None:
    for mark in ("{}", "\x02{}\x03"):
        shown = mark.format(true_minus(str(number)))
        text = substitute("{n | shot | shots} left", lambda _figure, shown=shown: shown)
        assert text == f"{shown} {'shot' if number == 1 else 'shots'} left"
    assert as_written("{n - 1 | shot | shots}") == "n - 1 shots"


@pytest.mark.parametrize("text", ["{n | shots}", "{n | a | b | c}", "{$n | shot | shots}"])
def test_a_figure_has_no_word_or_two(text: str) -> None:
    with pytest.raises(FormulaError, match="two words"):
        list(parse_figures(text))


def test_marks_are_styles_and_a_figure_is_bold() -> None:
    (block,) = parse_markup(f"**Roll** {mark_figure('3*')} *more* dice")
    assert block.spans == (
        Span("Roll", bold=True),
        Span(" "),
        Span("3*", bold=True),
        Span(" "),
        Span("more", italic=True),
        Span(" dice"),
    )


def test_what_replaces_a_figure_is_not_read_again() -> None:
    assert substitute("{KNW}", lambda _figure: "{STR}") == "{STR}"


def test_without_a_character_figures_stand_as_written() -> None:
    text = "Roll { 1d6 + KNW } of {$damage} {{sic}}"
    assert as_written(text) == "Roll 1d6 + KNW of $damage {sic}"


@given(text=st.text(alphabet="ab {}$1d6+", max_size=30))
def test_a_text_is_printed_whole_or_refused(text: str) -> None:
    try:
        printed = substitute(text, lambda found: f"<{found.text}>")
    except FormulaError:
        with pytest.raises(FormulaError):
            list(parse_figures(text))
        return
    assert printed.count("<") == len(list(parse_figures(text)))


@given(text=st.text(max_size=60))
def test_doubled_braces_print_any_text_as_it_is(text: str) -> None:
    assert as_written(text.replace("{", "{{").replace("}", "}}")) == text


# ------------------------------------------------------------------------------- signs


@pytest.mark.parametrize(
    ("dice", "amount", "printed"),
    [
        (("1d6",), 2, "1d6 + 2"),
        (("1d6",), -1, f"1d6 {MINUS} 1"),
        (("1d6",), 0, "1d6"),
        (("2d6", "1d4"), 3, "2d6 + 1d4 + 3"),
        ((), 4, "4"),
        ((), 0, "0"),
        ((), -4, f"{MINUS}4"),
    ],
)
def test_dice_and_a_number_have_one_sign_between_them(
    dice: tuple[str, ...], amount: int, printed: str
) -> None:
    assert signed_amount(dice, amount) == printed.replace(" ", NO_BREAK)


def test_a_printed_figure_never_breaks_over_a_line() -> None:
    assert " " not in signed_amount(("2d6", "1d4"), -3)
    assert "-" not in signed_amount(("2d6",), -3)


# --------------------------------------------------------------------------- printable


@pytest.mark.parametrize("text", ["", "Ada", "a\nb", "日本", "né", "\N{NO-BREAK SPACE}", "👩‍🚀"])
def test_text_that_people_type_is_printable(text: str) -> None:
    assert not has_unprintable(text)


@pytest.mark.parametrize(
    "text", ["\x00", "a\tb", "\r", "\x1b[31m", "\x7f", "\x85", "\ud800", "a\udfffb"]
)
def test_controls_and_broken_signs_are_not(text: str) -> None:
    assert has_unprintable(text)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("{nerve + 1}", "nerve + 1"),
        (" {2} ", "2"),
        ("{nerve} or more", None),
        ("{1d6 + nerve}", None),
        ("{$place}", None),
        ("{{", None),
        ("nerve", None),
        ("", None),
    ],
)
def test_a_text_may_be_one_formula_and_nothing_else(text: str, formula: str | None) -> None:
    found = sole_formula(text)
    assert (None if found is None else found.text) == formula


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Morale -1 → -2", "Morale −1 → −2"),
        ("(-3)", "(−3)"),
        ("d20-check of 2026-01-02, 3-4", "d20-check of 2026-01-02, 3-4"),
        ("auto-rifle --set x", "auto-rifle --set x"),
    ],
)
def test_numbers_below_0_have_the_true_minus(text: str, shown: str) -> None:
    assert true_minus(text) == shown
