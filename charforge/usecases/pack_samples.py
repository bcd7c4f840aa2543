"""Samples of a pack: characters built as it says, and compared with what it says of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from charforge.answers.random import RandomAnswers
from charforge.character.state import Unit
from charforge.character.values import ExplainedValue
from charforge.errors import (
    FormulaError,
    PackError,
    PackProblem,
    SheetError,
    UnknownId,
    UnusedAnswers,
    UsageError,
    nearest,
)
from charforge.replay.loaded import LoadedCharacter
from charforge.replay.replay import Character, leave_open
from charforge.replay.spec import CharacterSpec, check_level, check_name, check_rules
from charforge.rules.models import Sample
from charforge.rules.parser import read_sample, sorted_faults
from charforge.rules.ruleset import Ruleset
from charforge.rules.symbols import PartFault, unknown_name
from charforge.sheet.audit import SIGNS, source
from charforge.usecases.create import build_document, closing, refuse_unknown

FOLDER = "tests"
OPEN = "open"  # the code of a decision that is left
NOTHING = "nothing"
BESIDE = {"b", "i", "em", "strong"}  # tags in the middle of a line of text
UNSEEN = {"style", "script", "title"}


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as a sample says; ``steps`` tell how a figure came about."""

    what: str
    expected: str
    found: str
    steps: tuple[str, ...] = ()


def files(folder: Path) -> list[Path]:
    """Return the samples of the pack in a folder."""
    return sorted((folder / FOLDER).glob("*.yaml"))


def read_all(folder: Path, ruleset: Ruleset) -> dict[Path, Sample]:
    """Read the samples of the pack in a folder. Raises PackError with every fault of them all."""
    found: dict[Path, Sample] = {}
    faults: list[PackProblem] = []
    for path in files(folder):
        try:
            found[path] = read(path, ruleset)
        except PackError as error:
            faults += error.faults
    if faults:
        raise PackError(faults)
    return found


def read(path: Path, ruleset: Ruleset) -> Sample:
    """Read a sample, all its names known. Raises PackError with every fault."""
    sample, reading = read_sample(path)
    for found in (*_unknown(sample, ruleset), *_unfit(sample, ruleset)):
        reading.add(path, found.where, found.message, found.nearest)
    if reading.faults:
        raise PackError(sorted_faults(reading.faults))
    return sample


def _unknown(sample: Sample, ruleset: Ruleset) -> Iterator[PartFault]:
    """Yield what a sample expects of things that the rules have not."""
    expected = sample.expect
    for name in expected.values:
        yield from unknown_name("value", name, ruleset.values, ("expect", "values", name))
    for unit, values in expected.units.items():
        yield from unknown_name("entity", unit, ruleset.entities, ("expect", "units", unit))
        for name in values:
            yield from unknown_name("value", name, ruleset.values, ("expect", "units", unit, name))
    for number, name in enumerate(expected.holdings):
        yield from unknown_name("entity", name, ruleset.entities, ("expect", "holdings", number))


def _unfit(sample: Sample, ruleset: Ruleset) -> Iterator[PartFault]:
    """Yield what a sample says that no character of these rules can be."""
    for rule, option in sample.table_rules.items():
        try:
            check_rules(ruleset, {rule: option})
        except UnknownId as error:
            yield PartFault(("table_rules", rule), str(error), error.nearest)
    try:
        check_name(sample.name)
    except UsageError as error:
        yield PartFault(("name",), error.reason)
    try:
        check_level(ruleset, sample.level)
    except UsageError as error:
        yield PartFault(("level",), error.reason)
    level = min(sample.level, ruleset.head.advancement.maximum)
    try:
        refuse_unknown(CharacterSpec(ruleset, sample.seed, level=level, answers=sample.answers))
    except UnusedAnswers as error:
        yield from (PartFault(("answers", name), reason) for name, reason in error.unused)


def run(sample: Sample, ruleset: Ruleset) -> tuple[Difference, ...]:
    """Build the character of a sample; return all that is not as it says."""
    rules, answers = sample.table_rules, sample.answers
    plan = CharacterSpec(ruleset, sample.seed, sample.name, sample.level, rules, answers)
    character = plan.walk(closing(RandomAnswers(sample.seed) if sample.random else leave_open))
    return tuple(_differences(sample, plan, character))


def _differences(sample: Sample, plan: CharacterSpec, character: Character) -> Iterator[Difference]:
    expected = sample.expect
    opened = LoadedCharacter(build_document(plan, character), plan.ruleset, character)
    wrong = [f"{p.decision}: {p.message}" for p in opened.problems if p.code != OPEN]
    left = [p.decision for p in opened.problems if p.code == OPEN]
    met = {decision.id for decision in character.asked}
    for name in sample.answers:
        if name not in met and not left:
            near = nearest(name, met)
            hint = f"nothing asks for it; {near} is asked" if near else "nothing asks for it"
            yield Difference(f"answer {name}", "asked for", hint)
    if expected.legal is not None and expected.legal != (not wrong and not left):
        amiss = [*wrong, *(f"{name} is open" for name in left)]
        wanted = "nothing wrong and nothing open" if expected.legal else "something wrong"
        yield Difference("legal", wanted, "; ".join(amiss) or "all is as the rules have it")
    yield from _values(expected.values, character, character.state.units[0], "")
    yield from _units(expected.units, character)
    yield from _holdings(expected.holdings, character)
    if expected.problems is not None:
        yield from _listed("problems", expected.problems, wrong)
    if expected.open is not None:
        yield from _listed("open", expected.open, left)
    if expected.sheet or expected.not_on_sheet:
        yield from _sheet(sample, character)


def _values(
    expected: Mapping[str, int], character: Character, unit: Unit, whose: str
) -> Iterator[Difference]:
    values = character.state.values(unit.id)
    known = set(values.ids())
    for name, figure in expected.items():
        if name not in known:
            yield Difference(f"{whose}value {name}", str(figure), f"{unit.type.label} has none")
            continue
        found = values.explain(name)
        if found.total != figure:
            steps = tuple(_steps(character, found))
            yield Difference(f"{whose}value {name}", str(figure), str(found.total), steps)


def _steps(character: Character, value: ExplainedValue) -> Iterator[str]:
    """Yield the steps of a value: what each does, and where it is from."""
    for step in value.steps:
        sign = "+" if step.op == "add" and step.amount >= 0 else SIGNS[step.op]
        yield f"{sign}{step.amount} {source(character, step.source)}"


def _units(expected: Mapping[str, Mapping[str, int]], character: Character) -> Iterator[Difference]:
    owned = {unit.entity.id: unit for unit in character.state.units if unit.entity}
    for name, values in expected.items():
        if name in owned:
            yield from _values(values, character, owned[name], f"{name}: ")
        else:
            yield Difference(f"unit {name}", "there", ", ".join(owned) or NOTHING)


def _holdings(expected: Iterable[str], character: Character) -> Iterator[Difference]:
    held = [holding.entity.id for holding in character.state.holdings]
    for name in expected:
        if name not in held:
            kind = name.partition("/")[0]
            alike = sorted({one for one in held if one.partition("/")[0] == kind})
            yield Difference(f"holding {name}", "held", ", ".join(alike) or f"no {kind}")


def _listed(what: str, expected: Iterable[str], found: Iterable[str]) -> Iterator[Difference]:
    """Yield what is expected and not there, and what is there and not expected."""
    wanted, there = list(expected), list(found)
    more = [told for told in there if not any(one in told for one in wanted)]
    lacking = [one for one in wanted if not any(one in told for told in there)]
    for one in lacking:
        yield Difference(what, repr(one), "; ".join(more) or NOTHING)
    for told in () if lacking else more:
        yield Difference(what, "nothing else" if wanted else NOTHING, told)


# ------------------------------------------------------------------ what stands on the sheet


def _sheet(sample: Sample, character: Character) -> Iterator[Difference]:
    from charforge.sheet.build import build
    from charforge.sheet.html import render_html

    try:
        text = words(render_html(build(character)))
    except (FormulaError, SheetError) as error:
        yield Difference("sheet", "it can be made", str(error))
        return
    for said in sample.expect.sheet:
        if _plain(said) not in text:
            yield Difference("sheet", f"the words {said!r}", _closest(_plain(said), text))
    for said in sample.expect.not_on_sheet:
        if _plain(said) in text:
            yield Difference("sheet", f"not the words {said!r}", "they stand on it")


def words(html: str) -> str:
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


def _closest(said: str, text: str) -> str:
    """Say how much of some words stands on a sheet, for whoever looks for the rest."""
    parts = said.split()
    for number in range(len(parts) - 1, 0, -1):
        start = " ".join(parts[:number])
        at = text.find(start)
        if at >= 0:
            return repr(text[at : at + len(said) + 10].strip())
    return "none of them"
