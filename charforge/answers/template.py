"""The commented answers file: every decision that rules may ask, with its options."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.answers.file import header, scalar
from charforge.decisions.possible import Possible, entities, possible
from charforge.describe import unasked
from charforge.describe.answers import unprinted
from charforge.rules.models import Allot, Ask, Assign, Choose, Enter, MayBeOpen, Roll, Scores, Write
from charforge.rules.ruleset import Ruleset

LATER = "  for level-up --unit: what is new has level 1"


def template(ruleset: Ruleset, level: int) -> str:
    """Return a commented answers file with every decision and its options."""
    lines = [
        f"# {ruleset.head.name}: every decision up to level {level}, with its options.",
        "# Remove the # before an answer to give it; what is left out is asked for,",
        "# or filled by --random. Where not everybody is asked, [brackets] say who is.",
        *header(ruleset, "", level, "", {}),
        "# table_rules:",
    ]
    for rule in ruleset.head.table_rules:
        ways = ", ".join(option.id for option in rule.options)
        lines.append(f"#   {rule.id}: {rule.default}    # {ways}")
    lines.append("answers:")
    grouped: dict[str, list[Possible]] = {}
    for one in possible(ruleset, level):
        grouped.setdefault(one.id, []).append(one)
    for name, several in grouped.items():
        lines.append("")
        for label, asked, body in _merged(ruleset, several):
            lines.append(f"  # {label}{f' [{asked}]' if asked else ''}")
            lines += (f"  # {line}" for line in body)
        lines.append(f"  # {scalar(name)}: {_example(ruleset, several[0].ask)}")
    return "\n".join(lines) + "\n"


def _merged(
    ruleset: Ruleset, several: list[Possible]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield label, who is asked and description, once for all that share a description."""
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for one in several:
        own, when = (LATER,) if one.own else (), unasked.condition(ruleset, one.ask)
        same = (one.ask.label, when, (*_described(ruleset, one.ask), *own))
        alike.setdefault(same, []).append(" > ".join(one.only))
    for (label, when, body), only in alike.items():
        parts = (f"only: {'; '.join(only)}" if all(only) else "", when)
        yield label, ", and ".join(filter(None, parts)), body


def _described(ruleset: Ruleset, ask: Ask) -> Iterator[str]:
    """Yield what an answer may be."""
    if ask.help:
        yield f"  {ask.help}"
    if isinstance(ask, MayBeOpen) and ask.unprinted:
        yield f"  {unprinted(ask)}"
    if isinstance(ask, Choose):
        if ask.many and any(one.repeatable and one.choices for one in entities(ruleset, ask)):
            yield f"  the choices of a second one of the same have #2 in their id: {ask.id}.NAME#2"
        if ask.own_words:
            yield "  one of these, or your own words:"
        options = list(_options(ruleset, ask))
        for start in range(0, len(options), 6):
            yield "  " + ", ".join(options[start : start + 6])
    elif isinstance(ask, Roll):
        plus = f" + {ask.plus}" if ask.plus.constant != 0 else ""
        low = f", minimum {ask.minimum}" if ask.minimum is not None else ""
        yield f"  the faces of {ask.dice}{plus}{low}"
    elif isinstance(ask, Assign):
        scores = "the rolled scores" if isinstance(ask.scores, Scores) else list(ask.scores)
        yield f"  {scores}, one to each"
    elif isinstance(ask, Allot):
        yield f"  {_allotted(ask)}"
    elif isinstance(ask, Enter):
        yield f"  a whole number from {ask.minimum} to {ask.maximum}"


def _options(ruleset: Ruleset, ask: Choose) -> Iterator[str]:
    yield from (option.id for option in ask.options)
    yield from (entity.id for entity in entities(ruleset, ask))
    if ask.among is not None:
        if ask.among.values:
            yield from ruleset.group(ask.among.values)
        for term in ruleset.head.terms.get(ask.among.terms or "", ()):
            if not ask.among.only or term.id in ask.among.only:
                yield term.id
        if ask.among.faces:
            yield f"faces of {ask.among.faces}"


def _allotted(ask: Allot) -> str:
    """Say what each value may get."""
    bounds = (("from", ask.minimum), ("to", ask.maximum))
    shown = [f"{word} {bound}" for word, bound in bounds if bound is not None]
    if ask.only:
        shown = [f"one of {', '.join(map(str, ask.only))}", *shown]
    points = f"; {ask.points} points in all" if ask.points is not None else ""
    return f"a number to each, {' '.join(shown)}{points}"


def _open(ask: Ask) -> str:
    """Return the pack's example of an answer that the book leaves open."""
    if isinstance(ask, Enter) and ask.default is not None and ask.default.constant is not None:
        return str(ask.default)
    if isinstance(ask, Choose) and not ask.many:
        return ask.default or ""
    return scalar(ask.examples[0]) if isinstance(ask, Write) and ask.examples else ""


def _example(ruleset: Ruleset, ask: Ask) -> str:
    if isinstance(ask, MayBeOpen) and ask.unprinted and (example := _open(ask)):
        return example
    if isinstance(ask, Choose):
        return "[]" if ask.many else ""
    if isinstance(ask, Roll):
        return "[]"
    if isinstance(ask, Assign):
        return "{}"
    if isinstance(ask, Allot):
        number = None if ask.default is None else ask.default.constant
        names = [
            name
            for target in ask.to
            for name in (ruleset.group(target[6:]) if target.startswith("group:") else (target,))
        ]
        return scalar(dict.fromkeys(names, number or min(ask.only, default=0)))
    return '""' if isinstance(ask, Write) else ""
