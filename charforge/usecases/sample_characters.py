"""Comparing characters, figures and facts of the catalog with what a sample expects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html.parser import HTMLParser
from typing import Any

from charforge.answers.random import RandomAnswers
from charforge.character.state import CHARACTER, State
from charforge.character.values import ExplainedValue
from charforge.decisions.base import Decision
from charforge.decisions.option import Answer
from charforge.errors import FormulaError, SheetError, nearest
from charforge.export import report
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, as_of_level
from charforge.replay.replay import Character, leave_open
from charforge.rules.models import Expected, ExpectedFigures, Sample, SampleBuild
from charforge.rules.ruleset import Ruleset
from charforge.sheet.audit import SIGNS, source_text
from charforge.usecases.create import build_document, leave_out_optional

OPEN = "open"  # the code of a decision that is left
NOTHING = "nothing"
WORDS = "words"  # what is asked of an entity besides its facts: words that its texts contain
BESIDE = {"b", "i", "em", "strong"}  # tags in the middle of a line of text
UNSEEN = {"style", "script", "title"}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Something that is not as a sample says; ``steps`` show how a figure came about."""

    what: str
    expected: str
    found: str
    steps: tuple[str, ...] = ()


@dataclass
class BuiltCharacter:
    """The character of a sample, made and compared with what must come of it."""

    build: SampleBuild
    ruleset: Ruleset = field(repr=False)

    @cached_property
    def plan(self) -> CharacterSpec:
        """Return what the character is to be."""
        one = self.build
        answers, rules = one.answers, one.table_rules
        return CharacterSpec(self.ruleset, one.seed, one.name, one.level, rules, answers)

    @cached_property
    def character(self) -> Character:
        """Return the character as its decisions make it."""
        chance = RandomAnswers(self.build.seed) if self.build.random else leave_open

        def answer(decision: Decision) -> Answer:
            if self.build.lowest and decision.rolls_dice and decision.level > 1:
                return decision.lowest_roll()
            if self.build.lowest and not decision.rule_violations([]):
                return []
            return chance(decision)

        return self.plan.walk(leave_out_optional(answer))

    @cached_property
    def loaded(self) -> LoadedCharacter:
        """Return the character as if it had been read from its file."""
        document = build_document(self.plan, self.character)
        return LoadedCharacter(document, self.ruleset, self.character)

    @property
    def wrong(self) -> dict[str, list[str]]:
        """Return the messages of everything that is illegal, by decision."""
        found: dict[str, list[str]] = {}
        for problem in self.loaded.problems:
            if problem.code != OPEN:
                found.setdefault(problem.decision, []).append(problem.message)
        return found

    @property
    def open(self) -> list[str]:
        """Return the decisions that are left open."""
        return [p.decision for p in self.loaded.problems if p.code == OPEN]

    def differences(self, expected: Expected) -> Iterator[Mismatch]:
        """Yield everything about the character that is not as expected."""
        yield from self._legality(expected)
        yield from figure_differences(expected, self.character)
        for level, figures in expected.levels.items():
            then = as_of_level(self.loaded, level).character
            found = figure_differences(figures, then)
            yield from (replace(one, what=f"level {level}: {one.what}") for one in found)
        yield from self._working(expected)
        yield from self._asked(expected)
        if expected.sheet or expected.not_on_sheet:
            yield from _sheet(expected, self.character)

    def _legality(self, expected: Expected) -> Iterator[Mismatch]:
        """Compare what is wrong with the character and what is left open."""
        wrong = [f"{name}: {text}" for name, texts in self.wrong.items() for text in texts]
        left = self.open
        if expected.legal is not None and expected.legal != (not wrong and not left):
            amiss = [*wrong, *(f"{name} is open" for name in left)]
            wanted = "nothing wrong and nothing open" if expected.legal else "something wrong"
            yield Mismatch("legal", wanted, "; ".join(amiss) or "all is as the rules have it")
        if expected.problems is not None:
            yield from listed("problems", expected.problems, wrong)
        if expected.refused is not None:
            yield from self._refused(expected.refused)
        if expected.open is not None:
            yield from listed("open", expected.open, left)

    def _working(self, expected: Expected) -> Iterator[Mismatch]:
        """Compare the words in the steps of values."""
        for name, words in expected.working.items():
            steps = [step.note for step in self.character.state.values().explain(name).steps]
            for word in words:
                if not any(word in note for note in steps):
                    yield Mismatch(f"working of {name}", repr(word), "; ".join(steps))

    def _asked(self, expected: Expected) -> Iterator[Mismatch]:
        """Compare which decisions were asked; each answer of the sample must be to one of them."""
        asked = {decision.id for decision in self.character.asked}
        if expected.refused is None and not self.open:
            for name in self.build.answers:
                if name not in asked:
                    near = nearest(name, asked)
                    hint = f"; {near} is asked" if near else ""
                    yield Mismatch(f"answer {name}", "asked for", f"nothing asks for it{hint}")
        for name in expected.asked:
            if name not in asked:
                yield Mismatch("asked", name, nearest(name, asked) or NOTHING)
        for name in expected.not_asked:
            if name in asked:
                yield Mismatch("asked", f"not {name}", "it is asked")

    def _refused(self, expected: Mapping[str, tuple[str, ...]]) -> Iterator[Mismatch]:
        """Compare the decisions whose answers are illegal, and parts of the reasons."""
        wrong = self.wrong
        for name, parts in expected.items():
            reasons = "; ".join(wrong.get(name, ())) or "it is allowed"
            for part in parts:
                if part not in reasons:
                    yield Mismatch(f"refused {name}", repr(part), reasons)
        for name in wrong.keys() - expected.keys():
            yield Mismatch(f"refused {name}", "allowed", "; ".join(wrong[name]))


# ------------------------------------------------------------------ figures


def figure_differences(expected: ExpectedFigures, character: Character) -> Iterator[Mismatch]:
    """Yield the figures, holdings and conditions of a character that are not as expected."""
    state = character.state
    yield from _values(expected.values, character, CHARACTER)
    for name, figure in expected.lasting.items():
        value = state.values().explain(name)
        if value.base != figure:
            yield Mismatch(
                f"lasting value {name}",
                str(figure),
                str(value.base),
                tuple(_steps(character, value)),
            )
    for named, figures in expected.units.items():
        unit = find_unit(state, named)
        if unit is None:
            known = [one.entity.id if one.entity else one.id for one in state.units]
            yield Mismatch(f"unit {named}", "there", ", ".join(known[1:]) or NOTHING)
            continue
        values = {name: figure for name, figure in figures.items() if "/" not in name}
        yield from _values(values, character, unit, f"{named}: ")
        under = {name: figure for name, figure in figures.items() if "/" in name}
        yield from _conditions(under, state, unit, f"{named}: ")
    yield from _conditions(expected.conditions, state, CHARACTER)
    held = [holding.entity.id for holding in state.holdings]
    for name in expected.holdings:
        if name not in held:
            kind = name.partition("/")[0]
            alike = sorted({one for one in held if one.partition("/")[0] == kind})
            yield Mismatch(f"holding {name}", "held", ", ".join(alike) or f"no {kind}")
    for name in expected.not_held:
        if name in held:
            yield Mismatch(f"holding {name}", "not held", "held")
    for name, number in expected.numbers.items():
        if state.number(name) != number:
            yield Mismatch(f"number of {name}", str(number), str(state.number(name)))


def find_unit(state: State, name: str) -> str | None:
    """Return the id of a unit that is named by its id or its entity."""
    if not name:
        return CHARACTER
    if state.has_unit(name):
        return name
    return next((one.id for one in state.units if one.entity and one.entity.id == name), None)


def _values(
    expected: Mapping[str, int], character: Character, unit: str, whose: str = ""
) -> Iterator[Mismatch]:
    state = character.state
    values = state.values(unit)
    known = set(values.ids())
    for name, figure in expected.items():
        if name == "level":
            level = state.level_of(state.unit(unit))
            if level != figure:
                yield Mismatch(f"{whose}level", str(figure), str(level))
        elif name not in known:
            label = state.unit(unit).type.label
            yield Mismatch(f"{whose}value {name}", str(figure), f"{label} has none")
        elif values.total(name) != figure:
            value = values.explain(name)
            steps = tuple(_steps(character, value))
            yield Mismatch(f"{whose}value {name}", str(figure), str(value.total), steps)


def _conditions(
    expected: Mapping[str, int], state: State, unit: str, whose: str = ""
) -> Iterator[Mismatch]:
    conditions = list(state.active_conditions(unit))
    for name, amount in expected.items():
        found = sum(one.amount for one in conditions if one.entity.id == name)
        if found != amount:
            under = ", ".join(f"{one.entity.id} {one.amount}" for one in conditions)
            yield Mismatch(f"{whose}condition {name}", str(amount), under or NOTHING)


def _steps(character: Character, value: ExplainedValue) -> Iterator[str]:
    """Yield the steps of a value: what each does, and where it is from."""
    for step in value.steps:
        sign = "+" if step.op == "add" and step.amount >= 0 else SIGNS[step.op]
        yield f"{sign}{step.amount} {source_text(character, step.source)}"


def listed(what: str, expected: Iterable[str], found: Iterable[str]) -> Iterator[Mismatch]:
    """Yield what is expected and not there, and what is there and not expected."""
    wanted, there = list(expected), list(found)
    more = [text for text in there if not any(part in text for part in wanted)]
    lacking = [part for part in wanted if not any(part in text for text in there)]
    for part in lacking:
        yield Mismatch(what, repr(part), "; ".join(more) or NOTHING)
    for text in () if lacking else more:
        yield Mismatch(what, "nothing else" if wanted else NOTHING, text)


# ------------------------------------------------------------------ facts of the catalog


def kind_differences(sample: Sample, ruleset: Ruleset) -> Iterator[Mismatch]:
    """Compare how many entities there are of a kind, or which (by name or id)."""
    for kind, expected in sample.kinds.items():
        there = list(ruleset.of_kind(kind))
        if isinstance(expected, int):
            if len(there) != expected:
                yield Mismatch(f"kind {kind}", str(expected), str(len(there)))
            continue
        wanted = set(expected)
        names = [{one.name, one.id, one.slug} for one in there]
        for name in sorted(wanted - set().union(*names)):
            near = nearest(name, [one.name for one in there])
            yield Mismatch(f"kind {kind}", name, near or NOTHING)
        for one, known in zip(there, names, strict=True):
            if not known & wanted:
                yield Mismatch(f"kind {kind}", "nothing else", one.name)


def entity_differences(sample: Sample, ruleset: Ruleset) -> Iterator[Mismatch]:
    """Compare facts of entities with what ``catalog show --json`` prints of them."""
    for name, facts in sample.entities.items():
        entity = ruleset.entities[name]
        there = report.entity(entity, ruleset)
        for key, expected in facts.items():
            if key == WORDS:
                texts = _texts(there)
                for words in [expected] if isinstance(expected, str) else expected:
                    if _plain(words) not in texts:
                        yield Mismatch(f"{name} words", repr(words), _closest(words, texts))
            else:
                yield from _facts(f"{name} {key}", expected, there[key])


def _facts(what: str, expected: Any, found: Any) -> Iterator[Mismatch]:
    """Compare a fact: of a list all items in order, of a map the keys that are listed.

    A map of numbers, such as a cost, is compared whole.
    """
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        if not expected and found:
            yield Mismatch(what, NOTHING, json.dumps(found, ensure_ascii=False))
        for key, part in expected.items():
            if key in found:
                yield from _facts(f"{what}.{key}", part, found[key])
            else:
                yield Mismatch(f"{what}.{key}", str(part), f"there are {', '.join(found)}")
        numbers = all(type(part) is int for part in found.values())
        for key in found.keys() - expected.keys() if numbers and expected else ():
            yield Mismatch(f"{what}.{key}", NOTHING, str(found[key]))
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for number, (part, other) in enumerate(zip(expected, found, strict=True), 1):
            yield from _facts(f"{what} {number}", part, other)
    elif not _same(expected, found):
        wanted, there = (json.dumps(one, ensure_ascii=False) for one in (expected, found))
        yield Mismatch(what, wanted, there)


def _same(expected: Any, found: Any) -> bool:
    """Whether a fact is as expected; yes and no may stand for true and false."""
    if isinstance(found, bool):
        return expected in (found, str(found).lower(), "yes" if found else "no")
    if found is None:
        return expected in (None, "", "no")
    return bool(type(expected) is type(found) and expected == found)


def _texts(facts: Mapping[str, Any]) -> str:
    """Return all words of an entity in one text."""
    parts = [facts["text"]]
    for ability in (*facts["actions"], *facts["attacks"]):
        parts += [ability.get(key) or "" for key in ("name", "trigger", "limit", "who", "text")]
    for choice in facts["choices"]:
        parts += [choice.get("label", ""), choice.get("help", "")]
        for option in choice.get("options", ()):
            parts += [option.get("label", ""), option.get("text", "")]
    return _plain(" ".join([*parts, *(str(v) for v in facts.values() if isinstance(v, str))]))


# ------------------------------------------------------------------ words on the sheet


def _sheet(expected: Expected, character: Character) -> Iterator[Mismatch]:
    from charforge.sheet.build import build  # what makes sheets is costly to import
    from charforge.sheet.html import render_html

    try:
        text = html_words(render_html(build(character)))
    except (FormulaError, SheetError) as error:
        yield Mismatch("sheet", "it can be made", str(error))
        return
    for part in expected.sheet:
        if _plain(part) not in text:
            yield Mismatch("sheet", f"the words {part!r}", _closest(_plain(part), text))
    for part in expected.not_on_sheet:
        if _plain(part) in text:
            yield Mismatch("sheet", f"not the words {part!r}", "they stand on it")


def html_words(html: str) -> str:
    """Return what can be read of a page of HTML, in lower case, with single spaces."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return _plain("".join(reader.parts))


class _Reader(HTMLParser):
    """Keeps the text between tags; those that divide it leave a space."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.unseen += tag in UNSEEN
        self.parts += () if tag in BESIDE else " "

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in UNSEEN
        self.parts += () if tag in BESIDE else " "

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.parts.append(data)


def _plain(text: str) -> str:
    """Return a text as it is compared: case, spaces and hidden hyphens do not count."""
    shown = text.replace("\N{SOFT HYPHEN}", "").replace("\N{WORD JOINER}", "")
    return re.sub(r"\s+", " ", shown).strip().casefold()


def _closest(words: str, text: str) -> str:
    """Return how much of some words a text contains, for whoever looks for the rest."""
    parts = words.split()
    for number in range(len(parts) - 1, 0, -1):
        start = " ".join(parts[:number])
        at = text.find(start)
        if at >= 0:
            return repr(text[at : at + len(words) + 10].strip())
    return "none of them"
