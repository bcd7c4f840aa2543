"""Texts of a pack: figures in braces, and a small Markdown subset, read as spans.

``{1d6 + KNW - 5}`` is dice followed by a formula; on a sheet it becomes
the character's own ``1d6 + 2``. ``{$damage}`` is the answer of the entity's
choice ``damage``. ``{left | shot | shots}`` is a figure with the word after it: ``1 shot``,
``2 shots``. ``{{`` prints a brace. A figure that cannot be resolved is an error.

Figures and players' texts arrive between control characters, which nobody else may write: a
player's text is never read as markup, whatever stars it contains.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from charforge.errors import FormulaError
from charforge.expressions.dice import parse_dice
from charforge.expressions.formula import Formula
from charforge.language import _, dice_notation

FIGURE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
DICE_FIGURE = re.compile(r"(?<![\w.])\d{1,2}d\d{1,3}(?:k[hl]?\d{1,2})?(?![\w.])", re.IGNORECASE)
# What is meant as dice: 1w6, 2d, 1 d6. No formula can have a number before a name.
NEARLY_DICE = re.compile(
    r"(?<![\w.])\d{1,2}\s*[dw](?:\s*\d{1,3}(?:[a-z]\w*)?)?(?![\w.])", re.IGNORECASE
)
JOINING = re.compile(r"[\w\"'′″%°]")  # letters, digits and signs of units
UNPRINTABLE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
NO_BREAK = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
NEGATIVE_SIGN = re.compile(
    r"(?<![\w-])-(?=\d)"
)  # a hyphen before a number, but not inside a name or date
ADDED = "+ "
OPEN, CLOSE = "\x02", "\x03"  # around a figure that a sheet prints bold
COUNTED_EXAMPLE = "{left | shot | shots}"
EN_DASH = "\N{EN DASH}"


class Figure(NamedTuple):
    """One figure: dice to roll, a formula to add, or a choice to name.

    It is ``joined`` if the text goes on beside it without a space, as in ``d{sides}``.
    ``words`` are those that follow it, for 1 and for any other number.
    """

    dice: tuple[str, ...]
    formula: Formula
    choice: str = ""
    text: str = ""
    joined: bool = False
    words: tuple[str, ...] = ()


@lru_cache(maxsize=4096)
def parse_figure(text: str) -> Figure:
    """Read the inside of a pair of braces. Raises FormulaError."""
    text, *words = map(str.strip, text.split("|"))
    if words and (len(words) != 2 or text.startswith("$")):
        raise FormulaError(
            text, _("a number takes two words: {example}").format(example=COUNTED_EXAMPLE)
        )
    if text.startswith("$"):
        return Figure((), Formula(0), text[1:], text)
    rolled = tuple(match.lower() for match in DICE_FIGURE.findall(text))
    without_dice = DICE_FIGURE.sub("0", text)
    for notation in (*rolled, *NEARLY_DICE.findall(without_dice)):
        try:
            parse_dice(notation)
        except ValueError as error:
            raise FormulaError(text, str(error)) from error
    formula = Formula(without_dice)
    if rolled:
        _check_sum(text, formula)
    return Figure(rolled, formula, "", text, words=tuple(words))


def _check_sum(text: str, formula: Formula) -> None:
    """Raise FormulaError for dice that are not simply added.

    A sheet prints dice followed by one signed number.
    """
    first, plus = DICE_FIGURE.match(text), DICE_FIGURE.split(text)[1:-1]
    sum_of = formula.tree
    while isinstance(sum_of, ast.BinOp) and isinstance(sum_of.op, ast.Add | ast.Sub):
        sum_of = sum_of.left
    if first is None or {*map(str.strip, plus)} - {"+"} or not isinstance(sum_of, ast.Constant):
        raise FormulaError(text, _("dice must come first and can only be added: 1d6 + 1d4 + 3"))


@lru_cache(maxsize=4096)
def parse_figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text. Raises FormulaError for a stray brace."""
    return tuple(filter(None, map(_figure, FIGURE.finditer(text))))


def _figure(match: re.Match[str]) -> Figure | None:
    """Return the figure of a match; None for a doubled brace, which is printed once."""
    if match[0] in ("{{", "}}"):
        return None
    if match[1] is None:
        raise FormulaError(
            match[0],
            _("a brace without its partner; write {opening} or {closing} to print one").format(
                opening="{{", closing="}}"
            ),
        )
    text, figure = match.string, parse_figure(match[1])
    beside = (text[max(match.start() - 1, 0) : match.start()], text[match.end() : match.end() + 1])
    return figure._replace(joined=True) if any(map(JOINING.match, beside)) else figure


def sole_formula(text: str) -> Formula | None:
    """Return the formula that a text is, if it is one in braces and nothing else."""
    match = FIGURE.fullmatch(text.strip())
    if match is None or match[1] is None:
        return None
    figure = parse_figure(match[1])
    return None if figure.dice or figure.choice or figure.words else figure.formula


def substitute(text: str, render: Callable[[Figure], str]) -> str:
    """Return a text with every figure replaced by the result of ``render``.

    A negative figure that the text adds is subtracted: ``13 − 5``, not
    ``13 + −5``. Raises FormulaError for a stray brace.
    """
    parts: list[str] = []
    end = 0
    for match in FIGURE.finditer(text):
        before, figure = text[end : match.start()], _figure(match)
        shown = match[0][0] if figure is None else render(figure)
        if figure is not None and figure.words:
            shown += f" {figure.words[shown.strip(OPEN + CLOSE) != '1']}"
        mark, minus, amount = shown.partition(MINUS)
        if before.endswith(ADDED) and minus and mark in ("", OPEN):
            before, shown = f"{before.removesuffix(ADDED)}{MINUS} ", f"{mark}{amount}"
        parts += before, shown
        end = match.end()
    return "".join((*parts, text[end:]))


def as_written(text: str) -> str:
    """Return a text with each figure as the pack writes it, where there is no character."""
    return substitute(text, lambda figure: figure.text)


def signed_amount(dice: tuple[str, ...], amount: int) -> str:
    """Return dice and a number with one sign: ``1d6 + 2``, ``1d6 − 1``, ``4``."""
    rolled = dice_notation(f"{NO_BREAK}+{NO_BREAK}".join(dice))
    if not rolled:
        return number_text(amount)
    if amount == 0:
        return rolled
    sign = "+" if amount > 0 else MINUS
    return f"{rolled}{NO_BREAK}{sign}{NO_BREAK}{abs(amount)}"


def true_minus(text: str) -> str:
    """Return a text with true minus signs before negative numbers."""
    return NEGATIVE_SIGN.sub(MINUS, text)


def keyboard_minus(text: str) -> str:
    """Return a text with the minus sign of a keyboard, as programs and formulas read it."""
    return text.replace(MINUS, "-")


def number_text(number: float) -> str:
    """Return a number as players read it: ``2``, ``−1``."""
    return true_minus(str(number))


def signed_number(amount: int) -> str:
    """Return a change with its sign: ``+2``, ``−1``."""
    return true_minus(f"{amount:+d}")


def has_unprintable(text: str) -> bool:
    """Return whether a text holds control characters (new lines apart) or lone surrogates."""
    return UNPRINTABLE.search(text) is not None


QUOTE, UNQUOTE = "\x04", "\x05"
TOKEN = re.compile(f"({OPEN}[^{CLOSE}]*{CLOSE}|{QUOTE}[^{UNQUOTE}]*{UNQUOTE}|\\*\\*|\\*)")
MINUS_BEFORE_NUMBER = re.compile(r"(?<![\w)\]-])-(?=\d)")
UNIT = re.compile(r"(?<=[\d\x03]) (?=(?:m|km|cm|kN|mC|HP)\b)")
SUM = re.compile(r"(?:(?<=\dd\d)|(?<=\dk\d)|(?<=kl\d)) ([+\u2212-]) (?=\d)")
MEASURE = re.compile(r"(?<=\d)(?=[a-z]+$)")  # between number and unit in ``50m``
SLASH = re.compile(r"(?<=\d) / (?=[+\u2212]?\d)")


class Span(NamedTuple):
    """A run of text in one style."""

    text: str
    bold: bool = False
    italic: bool = False


class Block(NamedTuple):
    """A paragraph, or one item of a list."""

    spans: tuple[Span, ...]
    listed: bool = False

    def __str__(self) -> str:
        text = "".join(span.text for span in self.spans)
        return f"- {text}" if self.listed else text


Prose = tuple[Block, ...]


def parse_markup(text: str) -> Prose:
    """Read a pack's markup, its figures already substituted and marked."""
    blocks = []
    for line in text.splitlines():
        line = line.strip()
        if line:
            listed = line.startswith("- ")
            blocks.append(Block(_spans(line[2:] if listed else line), listed))
    return tuple(blocks)


def player_text(text: str) -> Prose:
    """Return a player's text as paragraphs, with nothing read as markup."""
    lines = (line.strip() for line in text.splitlines())
    return tuple(Block((Span(line),)) for line in lines if line)


def mark_figure(figure: str) -> str:
    """Mark a figure, so that it is printed bold and never read as markup."""
    return f"{OPEN}{figure}{CLOSE}"


def mark_quote(words: str) -> str:
    """Mark a player's text for insertion into another text, in the style of that place.

    It is never read as markup.
    """
    return "\n".join(f"{QUOTE}{line.strip()}{UNQUOTE}" for line in words.splitlines())


def strip_markup(text: str) -> str:
    """Return a text without its markup, for places that have one style."""
    return "".join(span.text for span in _spans(text))


def plain_text(prose: Prose) -> str:
    """Return the text without styles, one line per block."""
    return "\n".join(map(str, prose))


def range_text(range: str) -> str:
    """Return a range with a space before its unit: ``50m`` as ``50 m``."""
    return MEASURE.sub(NO_BREAK, range)


def typeset(text: str) -> str:
    """Set real minus signs, and no line break between a number and its unit or the next one."""
    text = MINUS_BEFORE_NUMBER.sub(MINUS, text)
    text = SLASH.sub(f"{NO_BREAK}/{NO_BREAK}", text)
    text = SUM.sub(lambda match: f"{NO_BREAK}{match[1]}{NO_BREAK}", text)
    return UNIT.sub(NO_BREAK, text)


def _spans(line: str) -> tuple[Span, ...]:
    """Split a line at its marks; a mark without a partner is an ordinary star."""
    parts = TOKEN.split(typeset(line))
    paired = {mark: parts.count(mark) // 2 * 2 for mark in ("**", "*")}
    spans: list[Span] = []
    bold = italic = False
    for part in parts:
        if paired.get(part):
            paired[part] -= 1
            bold, italic = bold != (part == "**"), italic != (part == "*")
        elif part.startswith(OPEN):
            spans.append(Span(part[1:-1], True, italic))
        elif part.startswith(QUOTE):
            spans.append(Span(part[1:-1], bold, italic))
        elif part:
            spans.append(Span(part, bold, italic))
    return tuple(spans)
