"""Terms: the words of a game that occur in a text, each with its explanation.

Terms are values, entities, timings and the vocabularies of a ruleset. They
are found as they are printed, also in the plural.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from charforge.describe.entities import entity_paragraphs
from charforge.expressions.template import as_written
from charforge.language import N_, _, sort_key
from charforge.rules.models import Entity
from charforge.rules.ruleset import Ruleset

SHORTEST = 2  # letters of a term


class Term(NamedTuple):
    """A word of a game: its name, what kind of thing it is, and its explanation."""

    name: str
    kind: str
    text: str


@dataclass(frozen=True)
class _TermIndex:
    """All terms of a ruleset by their printed names, and the pattern that finds them."""

    sources: Mapping[str, tuple[Entity | Term, ...]]
    pattern: re.Pattern[str]


def terms_in(text: str, ruleset: Ruleset) -> list[Term]:
    """Return the terms that occur in a text, in alphabetical order."""
    index: _TermIndex = ruleset.cached("terms", lambda: _term_index(ruleset))
    found = dict.fromkeys(match[1] for match in index.pattern.finditer(text))
    terms = {
        (term.name, term.kind): term
        for name in found
        for source in index.sources[name]
        if (term := _explained(source, ruleset)).text
    }
    return sorted(terms.values(), key=lambda term: (sort_key(term.name), term.kind))


def _term_index(ruleset: Ruleset) -> _TermIndex:
    sources: dict[str, list[Entity | Term]] = {}
    for name, source in _sources(ruleset):
        if len(name) >= SHORTEST:
            sources.setdefault(name, []).append(source)
    longest_first = sorted(sources, key=len, reverse=True)
    names = "|".join(map(re.escape, longest_first))
    pattern = re.compile(rf"(?<!\w)({names})(?:s|es)?(?!\w)")
    return _TermIndex({name: tuple(found) for name, found in sources.items()}, pattern)


def _sources(ruleset: Ruleset) -> Iterator[tuple[str, Entity | Term]]:
    """Yield every printed name with what it names."""
    for value in ruleset.values.values():
        title = f"{value.label}: {value.name}" if value.name != value.label else value.label
        term = Term(title, N_("Values"), as_written(value.text))
        for name in {value.label, value.name, value.label.removesuffix("s"), value.unit}:
            yield name, term
    for timing in ruleset.head.timings:
        yield timing.label, Term(timing.label, N_("Timing"), timing.text)
    for terms in ruleset.head.terms.values():
        for known in terms:
            yield known.label, Term(known.label, N_("Words of the game"), known.text)
    for entity in ruleset.entities.values():
        if entity.alias_of is None:
            yield entity.name, entity


def _explained(source: Entity | Term, ruleset: Ruleset) -> Term:
    if isinstance(source, Term):
        return Term(source.name, _(source.kind), source.text)
    text = "\n".join(entity_paragraphs(source, ruleset))
    return Term(source.name, ruleset.kinds[source.kind].plural, text)
