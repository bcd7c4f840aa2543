"""Comparing the characters, figures and catalog entries of a sample with what it expects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html.parser import HTMLParser
from typing import Any

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.character.state import CHARACTER, State
from charforge.character.state_data import SharedUnit
from charforge.character.values import ExplainedValue
from charforge.decisions.base import Answer, Decision
from charforge.describe.formulas import note_text
from charforge.errors import FormulaError, SheetError, nearest, shorten
from charforge.export.show_json import entity_json
from charforge.limits import LARGEST_AMOUNT
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.decision_walk import Problem
from charforge.replay.loaded_character import LoadedCharacter, as_of_level
from charforge.replay.replay import Character, leave_open
from charforge.rules.loading.yaml_reader import REMOVAL, Correction
from charforge.rules.models.sample import Expected, ExpectedFigures, Sample, SampleBuild
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.values import STEP_SIGNS, source_text
from charforge.usecases.create import build_document

FOR_SAMPLE = "sample"  # the id of what its group owns
OPEN = "open"  # the code of the problem of an open decision
NOTHING_FOUND = "nothing"
TEXT_WORDS = "words"  # the key, among the facts of an entity, of words that its texts contain
INLINE_TAGS = {"b", "i", "em", "strong"}
HIDDEN_TAGS = {"style", "script", "title"}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Something that is not as a sample expects; ``steps`` show where a figure comes from.

    ``correction`` is the change of the sample after which it expects what was
    found; None if an author has to make it. ``sentence`` says it where "expected" and "found" would
    not read well.
    """

    what: str
    expected: str
    found: str
    steps: tuple[str, ...] = ()
    correction: Correction | None = None
    sentence: str = ""

    def within(self, label: str, *key_path: str | int) -> Mismatch:
        """Return the mismatch of a part of a sample as one of the whole."""
        correction = self.correction and self.correction.within(*key_path)
        sentence = self.sentence and f"{label}{self.sentence}"
        what = f"{label}{self.what}"
        return replace(self, what=what, correction=correction, sentence=sentence)


def _shared(ruleset: Ruleset, values: Mapping[str, int]) -> SharedUnit | None:
    """Return what the group of a sample owns; all its values can change, and none is below 0."""
    spec = ruleset.head.shared
    if spec is None:
        return None
    every = {one.id: values.get(one.id, 0) for one in spec.values}
    return SharedUnit(FOR_SAMPLE, spec.label, every, dict.fromkeys(every, (0, LARGEST_AMOUNT)))


@dataclass
class BuiltCharacter:
    """The character of a case, and its comparison with what the case expects."""

    build: SampleBuild
    ruleset: Ruleset = field(repr=False)

    @cached_property
    def spec(self) -> CharacterSpec:
        """The specification of the character."""
        case = self.build
        return CharacterSpec(
            self.ruleset, case.seed, case.name, case.level, case.table_rules, case.answers,
            shared=_shared(self.ruleset, case.shared),
        )  # fmt: skip

    @cached_property
    def character(self) -> Character:
        """The character; decisions without an answer are answered as the case says."""
        source = RandomAnswers(self.build.seed) if self.build.random else leave_open

        def answer(decision: Decision) -> Answer:
            if self.build.lowest and decision.rolls_dice and decision.level > 1:
                return decision.lowest_roll()
            if self.build.lowest and not decision.rule_violations([]):
                return []
            return source(decision)

        return self.spec.replay(leave_out_optional(answer))

    @cached_property
    def loaded(self) -> LoadedCharacter:
        """The character as if it had been read from its file."""
        document = build_document(self.spec, self.character)
        return LoadedCharacter(document, self.ruleset, self.character)

    @cached_property
    def illegal(self) -> dict[str, list[Problem]]:
        """Everything that is illegal, by decision; of the whole character by its code."""
        found: dict[str, list[Problem]] = {}
        for problem in self.loaded.problems:
            if problem.code != OPEN:
                found.setdefault(problem.decision or problem.code, []).append(problem)
        return found

    @cached_property
    def open(self) -> list[str]:
        """The ids of the decisions that are left open."""
        return [p.decision for p in self.loaded.problems if p.code == OPEN]

    def mismatches(self, expected: Expected) -> Iterator[Mismatch]:
        """Yield everything about the character that is not as expected."""
        yield from self._legality(expected)
        yield from figure_mismatches(expected, self.character)
        for level, figures in expected.levels.items():
            then = as_of_level(self.loaded, level).character
            for mismatch in figure_mismatches(figures, then):
                yield mismatch.within(f"level {level}: ", "levels", level)
        yield from self._step_notes(expected)
        yield from self._asked(expected)
        if expected.sheet or expected.not_on_sheet:
            yield from _sheet_mismatches(expected, self.character)

    def problem_texts(self) -> list[str]:
        """Return everything that is illegal or open, in words."""
        return [
            *map(_problem_text, self.illegal, self.illegal.values()),
            *(f"{name} is open" for name in self.open),
        ]

    def _legality(self, expected: Expected) -> Iterator[Mismatch]:
        """Compare what is illegal about the character and what is left open."""
        illegal, left = self.illegal, self.open
        if expected.legal is not None and expected.legal != (not illegal and not left):
            legality = "nothing wrong and nothing open" if expected.legal else "something wrong"
            found = "; ".join(self.problem_texts()) or "everything follows the rules"
            correction = Correction(("legal",), not expected.legal)
            yield Mismatch("legal", legality, found, correction=correction)
        if expected.problems is not None:
            yield from self._problems(expected.problems)
        if expected.open is not None:
            correction = Correction(("open",), left)
            for mismatch in list_mismatches("open", expected.open, left):
                yield replace(mismatch, correction=correction)

    def _step_notes(self, expected: Expected) -> Iterator[Mismatch]:
        """Compare the notes of the steps of values: words that they must contain."""
        for name, words in expected.working.items():
            steps = self.character.state.values().explain(name).steps
            notes = [note_text(step.note, self.character.state.ruleset) for step in steps]
            for word in words:
                if not any(word in note for note in notes):
                    yield Mismatch(f"working of {name}", repr(word), "; ".join(notes))

    def _asked(self, expected: Expected) -> Iterator[Mismatch]:
        """Compare which decisions were asked; each answer of the sample must be to one of them."""
        asked = {decision.id for decision in self.character.asked}
        if expected.problems is None and not self.open:
            for name in self.build.answers:
                if name not in asked:
                    near = nearest(name, asked)
                    hint = f"; did you mean {near}?" if near else ""
                    yield Mismatch(f"answer {name}", "asked for", f"there is no such choice{hint}")
        for name in expected.asked:
            if name not in asked:
                yield Mismatch("asked", name, nearest(name, asked) or NOTHING_FOUND)
        for name in expected.not_asked:
            if name in asked:
                yield Mismatch("asked", f"not {name}", "it is asked")

    def _problems(self, expected: Mapping[str, Sequence[str]]) -> Iterator[Mismatch]:
        """Compare the decisions with problems, and the codes of their reasons if they are named."""
        found = {
            name: [*dict.fromkeys(problem.reason or problem.code for problem in problems)]
            for name, problems in self.illegal.items()
        }
        detailed = any(expected.values())
        codes = {name: one[0] if len(one) == 1 else one for name, one in found.items()}
        correction = Correction(("problems",), codes if detailed else [*codes])
        for name, wanted in expected.items():
            if name not in found or (wanted and set(wanted) != set(found[name])):
                expected_text = f"{name} ({', '.join(wanted)})" if wanted else name
                others = [name] if name in found else [n for n in found if n not in expected]
                texts = "; ".join(_problem_text(one, self.illegal[one]) for one in others)
                yield Mismatch(
                    "problems", expected_text, texts or NOTHING_FOUND, correction=correction
                )
        for name in found if expected.keys() <= found.keys() else ():
            if name not in expected:
                nothing = "nothing else" if expected else NOTHING_FOUND
                text = _problem_text(name, self.illegal[name])
                yield Mismatch("problems", nothing, text, correction=correction)


def _problem_text(name: str, problems: Iterable[Problem]) -> str:
    """Return the problems of a decision with their codes."""
    texts = [f"{problem.message} [{problem.reason or problem.code}]" for problem in problems]
    return f"{name}: {'; '.join(texts)}"


# ------------------------------------------------------------------ figures


def figure_mismatches(expected: ExpectedFigures, character: Character) -> Iterator[Mismatch]:
    """Yield the figures, holdings and conditions of a character that are not as expected."""
    state = character.state
    for mismatch in _value_mismatches(expected.values, character, CHARACTER):
        yield mismatch.within("", "values")
    for name, figure in expected.lasting.items():
        value = state.values().explain(name)
        if value.base != figure:
            steps = tuple(_step_lines(character, value))
            correction = Correction(("lasting", name), value.base)
            yield Mismatch(f"lasting value {name}", str(figure), str(value.base), steps, correction)
    for named, figures in expected.units.items():
        unit = sample_unit(state, named)
        if unit is None:
            known = [other.entity.id if other.entity else other.id for other in state.units]
            yield Mismatch(f"unit {named}", "there", ", ".join(known[1:]) or NOTHING_FOUND)
            continue
        values = {name: figure for name, figure in figures.items() if "/" not in name}
        conditions = {name: figure for name, figure in figures.items() if "/" in name}
        for mismatch in (
            *_value_mismatches(values, character, unit),
            *_condition_mismatches(conditions, state, unit),
        ):
            yield mismatch.within(f"{named}: ", "units", named)
    for mismatch in _condition_mismatches(expected.conditions, state, CHARACTER):
        yield mismatch.within("", "conditions")
    yield from _holding_mismatches(expected, state)
    for name, number in expected.numbers.items():
        if state.number(name) != number:
            correction = Correction(("numbers", name), state.number(name))
            found = str(state.number(name))
            yield Mismatch(f"number of {name}", str(number), found, correction=correction)


def _holding_mismatches(expected: ExpectedFigures, state: State) -> Iterator[Mismatch]:
    """Compare what is held, and what must not be."""
    held = [holding.entity.id for holding in state.holdings]
    for place, name in enumerate(expected.holdings):
        if name not in held:
            kind = name.partition("/")[0]
            of_kind = sorted({other for other in held if other.partition("/")[0] == kind})
            found = ", ".join(of_kind) or f"no {kind}"
            correction = Correction(("holdings", place), REMOVAL)
            yield Mismatch(f"holding {name}", "held", found, correction=correction)
    for place, name in enumerate(expected.not_held):
        if name in held:
            correction = Correction(("not_held", place), REMOVAL)
            yield Mismatch(f"holding {name}", "not held", "held", correction=correction)


def sample_unit(state: State, name: str) -> str | None:
    """Return the id of a unit that is named by its id or its entity."""
    if not name:
        return CHARACTER
    if state.has_unit(name):
        return name
    return next((unit.id for unit in state.units if unit.entity and unit.entity.id == name), None)


def _value_mismatches(
    expected: Mapping[str, int], character: Character, unit_id: str
) -> Iterator[Mismatch]:
    """Compare totals, and ``level``."""
    state = character.state
    values = state.values(unit_id)
    known = set(values.ids())
    for name, figure in expected.items():
        if name == "level":
            level = state.level_of(state.unit(unit_id))
            if level != figure:
                correction = Correction((name,), level)
                yield Mismatch("level", str(figure), str(level), correction=correction)
        elif name in state.ruleset.shared_labels:
            number = state.shared_figure(name)
            if number != figure:
                correction = Correction((name,), number)
                yield Mismatch(f"value {name}", str(figure), str(number), correction=correction)
        elif name not in known:
            label = state.unit(unit_id).type.label
            correction = Correction((name,), REMOVAL)
            found = f"{label} has none"
            yield Mismatch(f"value {name}", str(figure), found, correction=correction)
        elif values.total(name) != figure:
            value = values.explain(name)
            steps = tuple(_step_lines(character, value))
            correction = Correction((name,), value.total)
            yield Mismatch(f"value {name}", str(figure), str(value.total), steps, correction)


def _condition_mismatches(
    expected: Mapping[str, int], state: State, unit_id: str
) -> Iterator[Mismatch]:
    """Compare the amounts of conditions."""
    conditions = list(state.active_conditions(unit_id))
    for name, amount in expected.items():
        found = sum(c.amount for c in conditions if c.entity.id == name)
        if found != amount:
            active = ", ".join(f"{c.entity.id} {c.amount}" for c in conditions) or NOTHING_FOUND
            correction = Correction((name,), found)
            yield Mismatch(f"condition {name}", str(amount), active, correction=correction)


def _step_lines(character: Character, value: ExplainedValue) -> Iterator[str]:
    """Yield the steps of a value in words: ``+2 Tough``."""
    for step in value.steps:
        sign = "+" if step.op == "add" and step.amount >= 0 else STEP_SIGNS[step.op]
        yield f"{sign}{step.amount} {source_text(character, step.source)}"


def list_mismatches(what: str, expected: Iterable[str], found: Iterable[str]) -> Iterator[Mismatch]:
    """Yield expected parts that no text contains; if there are none, texts not expected."""
    parts, texts = list(expected), list(found)
    surplus = [text for text in texts if not any(part in text for part in parts)]
    missing = [part for part in parts if not any(part in text for text in texts)]
    for part in missing:
        yield Mismatch(what, repr(part), "; ".join(surplus) or NOTHING_FOUND)
    for text in () if missing else surplus:
        yield Mismatch(what, "nothing else" if parts else NOTHING_FOUND, text)


# ------------------------------------------------------------------ entries of the catalog


def kind_mismatches(sample: Sample, ruleset: Ruleset) -> Iterator[Mismatch]:
    """Compare the number of entities of a kind, or which there are (by name or id)."""
    for kind, expected in sample.kinds.items():
        entities = list(ruleset.of_kind(kind))
        if isinstance(expected, int):
            if len(entities) != expected:
                correction = Correction(("kinds", kind), len(entities))
                found = str(len(entities))
                yield Mismatch(f"kind {kind}", str(expected), found, correction=correction)
            continue
        expected_names = set(expected)
        names = [{entity.name, entity.id, entity.slug} for entity in entities]
        texts = [f"{entity.name} ({entity.id})" for entity in entities]
        shown = {name: text for own, text in zip(names, texts, strict=True) for name in own}
        for name in sorted(expected_names - shown.keys()):
            near = nearest(name, sorted(shown))
            yield Mismatch(f"kind {kind}", name, shown[near] if near else NOTHING_FOUND)
        for own_names, text in zip(names, texts, strict=True):
            if not own_names & expected_names:
                yield Mismatch(f"kind {kind}", "nothing else", text)


def entity_mismatches(sample: Sample, ruleset: Ruleset) -> Iterator[Mismatch]:
    """Compare facts of entities with what ``catalog show --json`` prints of them."""
    for name, expected_facts in sample.entities.items():
        facts = entity_json(ruleset.entities[name], ruleset).model_dump(mode="json")
        for key, expected in expected_facts.items():
            if key == TEXT_WORDS:
                texts = _all_texts(facts)
                for words in [expected] if isinstance(expected, str) else expected:
                    if _plain(words) not in texts:
                        yield Mismatch(f"{name} words", repr(words), _closest(words, texts))
            else:
                for mismatch in _fact_mismatches(key, expected, facts[key]):
                    yield mismatch.within(f"{name} ", "entities", name, key)


def _fact_mismatches(what: str, expected: Any, fact: Any) -> Iterator[Mismatch]:
    """Compare a fact: of a list all items in order, of a map only the keys that are listed.

    Of a map of numbers, such as a cost, all keys are compared.
    """
    if isinstance(expected, Mapping) and isinstance(fact, Mapping):
        if not expected and fact:
            yield Mismatch(what, NOTHING_FOUND, json.dumps(fact, ensure_ascii=False))
        for key, part in expected.items():
            if key in fact:
                for mismatch in _fact_mismatches(f"{what}.{key}", part, fact[key]):
                    yield mismatch.within("", key)
            else:
                yield Mismatch(f"{what}.{key}", str(part), f"there are {', '.join(fact)}")
        numbers = all(type(part) is int for part in fact.values())
        for key in fact.keys() - expected.keys() if numbers and expected else ():
            yield Mismatch(f"{what}.{key}", NOTHING_FOUND, str(fact[key]))
    elif isinstance(expected, list) and isinstance(fact, list) and len(expected) == len(fact):
        for number, (part, item) in enumerate(zip(expected, fact, strict=True), 1):
            for mismatch in _fact_mismatches(f"{what} {number}", part, item):
                yield mismatch.within("", number - 1)
    elif not _is_expected(expected, fact):
        expected_text = json.dumps(expected, ensure_ascii=False)
        found = json.dumps(fact, ensure_ascii=False)
        yield Mismatch(what, expected_text, found, correction=Correction((), fact))


def _is_expected(expected: Any, fact: Any) -> bool:
    """Return whether a fact is as expected; yes and no may stand for true and false."""
    if isinstance(fact, bool):
        return expected in (fact, str(fact).lower(), "yes" if fact else "no")
    if fact is None:
        return expected in (None, "", "no")
    return bool(type(expected) is type(fact) and expected == fact)


def _all_texts(facts: Mapping[str, Any]) -> str:
    """Return the texts of a catalog entry in one text."""
    parts = [facts["text"]]
    for ability in (*facts["actions"], *facts["attacks"]):
        parts += [ability.get(key) or "" for key in ("name", "trigger", "limit", "who", "text")]
    for choice in facts["choices"]:
        parts += [choice.get("label", ""), choice.get("help", "")]
        for option in choice.get("options", ()):
            parts += [option.get("label", ""), option.get("text", "")]
    return _plain(" ".join([*parts, *(str(v) for v in facts.values() if isinstance(v, str))]))


# ------------------------------------------------------------------ words on the sheet


def _sheet_mismatches(expected: Expected, character: Character) -> Iterator[Mismatch]:
    """Compare the words on the sheet of a character."""
    try:
        text = html_words(render_html(build(character)))
    except (FormulaError, SheetError) as error:
        yield Mismatch("sheet", "it can be made", str(error))
        return
    for part in expected.sheet:
        if _plain(part) not in text:
            yield Mismatch("sheet", f"the words {shorten(part)}", _closest(_plain(part), text))
    for part in expected.not_on_sheet:
        if _plain(part) in text:
            yield Mismatch("sheet", f"not the words {shorten(part)}", "they are on it")


def html_words(html: str) -> str:
    """Return the visible words of a page of HTML, in lower case, with single spaces."""
    parser = _VisibleText()
    parser.feed(html)
    parser.close()
    return _plain("".join(parser.parts))


class _VisibleText(HTMLParser):
    """Collects the text between tags in ``parts``; all tags but inline ones become a space."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.hidden += tag in HIDDEN_TAGS
        self.parts += () if tag in INLINE_TAGS else " "

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in HIDDEN_TAGS
        self.parts += () if tag in INLINE_TAGS else " "

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def _plain(text: str) -> str:
    """Return a text for comparison: in lower case, single spaces, without hidden hyphens."""
    visible = text.replace("\N{SOFT HYPHEN}", "").replace("\N{WORD JOINER}", "")
    return re.sub(r"\s+", " ", visible).strip().casefold()


def _closest(words: str, text: str) -> str:
    """Return the place of a text that begins with as many of these words as possible."""
    parts = words.split()
    for number in range(len(parts) - 1, 0, -1):
        start = " ".join(parts[:number])
        at = text.find(start)
        if at >= 0:
            return repr(text[at : at + len(words) + 10].strip())
    return "none of them"
