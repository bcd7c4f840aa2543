"""The commented answers file: every decision that rules may ask, with its options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from charforge.answers.file import header, scalar
from charforge.content.models import (
    Ask,
    Assign,
    Choose,
    Enter,
    Entity,
    Give,
    Grant,
    Roll,
    Scores,
    Write,
)
from charforge.content.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class _Possible:
    """A decision that may be asked: its id, its question, and when it is."""

    id: str
    ask: Ask
    only: tuple[str, ...] = ()


def template(ruleset: Ruleset, level: int) -> str:
    """Return a commented answers file with every decision and its options."""
    lines = [
        f"# {ruleset.head.name}: every decision up to level {level}, with its options.",
        "# Remove the # before an answer to give it; what is left out is asked for,",
        "# or filled by --random. Choices that belong to an option name it.",
        *header(ruleset.id, "", level, "", {}),
        "# table_rules:",
    ]
    for rule in ruleset.head.table_rules:
        ways = ", ".join(option.id for option in rule.options)
        lines.append(f"#   {rule.id}: {rule.default}    # {ways}")
    lines.append("answers:")
    grouped: dict[str, list[_Possible]] = {}
    for possible in _all(ruleset, level):
        grouped.setdefault(possible.id, []).append(possible)
    for name, several in grouped.items():
        lines.append("")
        for label, only, body in _merged(ruleset, several):
            lines.append(f"  # {label}{only}")
            lines += (f"  # {line}" for line in body)
        lines.append(f"  # {scalar(name)}: {_example(several[0].ask)}")
    return "\n".join(lines) + "\n"


def possible_ids(ruleset: Ruleset, level: int) -> frozenset[str]:
    """Return the id of every decision that may be asked up to ``level``."""
    return frozenset(possible.id for possible in _all(ruleset, level))


def _all(ruleset: Ruleset, level: int) -> Iterator[_Possible]:
    """Yield every decision that creation and the levels up to ``level`` may ask."""
    held: list[Entity] = []
    for step in ruleset.head.creation:
        if isinstance(step, Give):
            path = step.id if len(step.grants) == 1 else ""
            yield from _granted(ruleset, step.grants, step.id, (), path)
            continue
        yield _Possible(step.id, step)
        yield from _nested(ruleset, step, step.id, ())
        held += _entities(ruleset, step)
    for reached in range(2, level + 1):
        prefix = f"level.{reached}"
        for entity in held:
            kind = ruleset.kinds[entity.kind]
            part = f".{kind.path or kind.id}" if kind.unit else ""
            for ask in entity.each_level:
                yield _Possible(f"{prefix}{part}.{ask.id}", ask, (entity.name,))
        for ask in ruleset.head.advancement.asks:
            yield _Possible(f"{prefix}.{ask.id}", ask)
            yield from _nested(ruleset, ask, f"{prefix}.{ask.id}", ())


def _entities(ruleset: Ruleset, ask: Ask) -> tuple[Entity, ...]:
    among = ask.among if isinstance(ask, Choose) else None
    return ruleset.select(among.query) if among is not None and among.query is not None else ()


def _nested(ruleset: Ruleset, ask: Ask, path: str, only: tuple[str, ...]) -> Iterator[_Possible]:
    """Yield the decisions that the options of a choice bring with them."""
    if not isinstance(ask, Choose):
        return
    several = (
        ask.among is not None and ask.among.query is not None and len(ask.among.query.kind) != 1
    )
    for entity in _entities(ruleset, ask):
        kind = ruleset.kinds[entity.kind]
        part = f".{entity.slug}" if ask.many else f".{kind.path or kind.id}" if several else ""
        yield from _of_entity(ruleset, entity, path + part, (*only, entity.name))
    for option in ask.options:
        yield from _granted(ruleset, option.grants, path, (*only, option.label))


def _of_entity(
    ruleset: Ruleset, entity: Entity, path: str, only: tuple[str, ...]
) -> Iterator[_Possible]:
    for ask in entity.choices:
        yield _Possible(f"{path}.{ask.id}", ask, only)
        yield from _nested(ruleset, ask, f"{path}.{ask.id}", only)
    first = tuple(grant for grant in entity.grants if grant.level == 1)
    yield from _granted(ruleset, first, path, only)


def _granted(
    ruleset: Ruleset, grants: tuple[Grant, ...], path: str, only: tuple[str, ...], own: str = ""
) -> Iterator[_Possible]:
    for grant in grants:
        entity = ruleset.entity(grant.id)
        for possible in _of_entity(ruleset, entity, own or f"{path}.{entity.slug}", only):
            if possible.id.rsplit(".", 1)[-1] not in grant.with_:
                yield possible


def _merged(
    ruleset: Ruleset, several: list[_Possible]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield label, "only for" and description, once for all that share a description."""
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for possible in several:
        same = (possible.ask.label, tuple(_described(ruleset, possible.ask)))
        alike.setdefault(same, []).append(" > ".join(possible.only))
    for (label, body), only in alike.items():
        yield label, f" [only: {'; '.join(only)}]" if all(only) else "", body


def _described(ruleset: Ruleset, ask: Ask) -> Iterator[str]:
    """Yield what an answer may be."""
    if ask.help:
        yield f"  {ask.help}"
    if isinstance(ask, Choose):
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
    elif isinstance(ask, Enter):
        yield f"  a whole number from {ask.minimum} to {ask.maximum}"


def _options(ruleset: Ruleset, ask: Choose) -> Iterator[str]:
    yield from (option.id for option in ask.options)
    yield from (entity.id for entity in _entities(ruleset, ask))
    if ask.among is not None:
        if ask.among.values:
            yield from ruleset.group(ask.among.values)
        for term in ruleset.head.terms.get(ask.among.terms or "", ()):
            if not ask.among.only or term.id in ask.among.only:
                yield term.id
        if ask.among.faces:
            yield f"faces of {ask.among.faces}"


def _example(ask: Ask) -> str:
    if isinstance(ask, Choose):
        return "[]" if ask.many else ""
    if isinstance(ask, Roll):
        return "[]"
    if isinstance(ask, Assign):
        return "{}"
    return '""' if isinstance(ask, Write) else ""
