"""The use-cases of the command line: no printing, no prompting.

Each is the same move: load, walk the decisions with a source of answers,
append what was answered to the log, save.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from charforge.answers import file as answers_file, template
from charforge.content import load as packs
from charforge.content.models import Choose, Entity, Write
from charforge.content.ruleset import Ruleset
from charforge.document import store
from charforge.document.events import Advance, Answered, AnyEvent, Set
from charforge.document.model import LONGEST_NAME, Document, Pin, identity
from charforge.engine import replay as engine
from charforge.engine.decisions import Answer, Decision
from charforge.engine.prerequisites import Asker, unmet
from charforge.engine.replay import MISSING, AnswerSource, Character, Problem
from charforge.engine.state import Holding, State, Unit
from charforge.errors import (
    AnswerError,
    DocumentError,
    MissingAnswers,
    UnknownId,
    UnusedAnswers,
    UsageError,
    nearest,
)
from charforge.text import unprintable

UNSOUND = ("levels", "pack")  # problems of a log that must not grow

NUMBER = re.compile(r"#[0-9]+")  # which of several, in an instance id


@dataclass(frozen=True)
class Opened:
    """A document with its rules and the character that they make of it."""

    document: Document
    ruleset: Ruleset
    character: Character

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything wrong with it: broken, open and unknown answers, a stale summary."""
        return tuple(_problems(self))


@dataclass(frozen=True)
class Plan:
    """What a new character is to be, before any decision is met."""

    ruleset: Ruleset
    seed: str
    name: str = ""
    level: int = 1
    rules: Mapping[str, str] = ()  # type: ignore[assignment]
    answers: Mapping[str, Answer] = ()  # type: ignore[assignment]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", dict(self.rules))
        object.__setattr__(self, "answers", dict(self.answers))
        check_level(self.ruleset, self.level)
        check_rules(self.ruleset, self.rules)
        if self.name:
            check_name(self.name)
        if unprintable(self.seed) or "\n" in self.seed or len(self.seed) > LONGEST_NAME:
            raise UsageError(f"the seed may have at most {LONGEST_NAME} printable characters")

    def walk(self, source: AnswerSource = engine.nobody) -> Character:
        """Walk every decision of the plan."""
        return engine.replay(self.ruleset, self.answers, self.level, self.name, self.rules, source)


def new_seed() -> str:
    """Return a fresh seed: 12 hexadecimal signs."""
    return secrets.token_hex(6)


def check_name(name: str) -> None:
    """Refuse a name that no file or sheet should hold."""
    if not name.strip():
        raise UsageError("a name needs at least one letter")
    if len(name) > LONGEST_NAME:
        raise UsageError(f"the name has {len(name)} characters; at most {LONGEST_NAME} fit")
    if unprintable(name) or "\n" in name:
        raise UsageError("the name holds control characters or broken signs", "Type it anew.")


def check_level(ruleset: Ruleset, level: int) -> None:
    """Refuse a level the ruleset does not have."""
    most = ruleset.head.advancement.maximum
    if not 1 <= level <= most:
        raise UsageError(f"{ruleset.head.name} has levels 1 to {most}, not {level}")


def check_rules(ruleset: Ruleset, rules: Mapping[str, str]) -> None:
    """Refuse a table rule, or a value of one, that does not exist."""
    for name, value in rules.items():
        rule = ruleset.table_rules.get(name)
        if rule is None:
            raise UnknownId("table rule", name, ruleset.table_rules)
        known = [option.id for option in rule.options]
        if value not in known:
            raise UnknownId(f"way to rule {name}", value, known)


def closing(source: AnswerSource = engine.nobody) -> AnswerSource:
    """Extend a source: what may be left out is left out."""

    def answer(decision: Decision) -> Answer:
        given = source(decision)
        if given is not MISSING:
            return given
        ask = decision.ask
        if isinstance(ask, Write) and ask.optional:
            return ""
        if isinstance(ask, Choose) and ask.many and ask.up_to:
            return []
        return MISSING

    return answer


def refuse_unknown(plan: Plan) -> None:
    """Refuse answers that no decision of these rules could ever ask for.

    Raises UnusedAnswers. Said before anything is asked, so that a mistyped
    id does not wait for the end.
    """
    known = template.possible_ids(plan.ruleset, plan.level)
    _refuse_unused([name for name in plan.answers if NUMBER.sub("", name) not in known], known)


def _refuse_unused(unused: Iterable[str], known: Collection[str]) -> None:
    """Raise UnusedAnswers for ids, each with the nearest known one."""
    reasons = []
    for name in unused:
        near = nearest(name, known)
        hint = f"; did you mean {near}?" if near else ""
        reasons.append((name, f"nothing asks for {name!r}{hint}"))
    if reasons:
        raise UnusedAnswers(reasons)


def complete(
    character: Character,
    answers: Iterable[str],
    missing: Iterable[tuple[str, str]] = (),
) -> None:
    """Refuse a walk that met illegal answers, unused ones, or open decisions.

    ``answers`` are the ids that were given, ``missing`` is what else is not
    answered. Raises AnswerError, UnusedAnswers or MissingAnswers, each with
    all of its kind.
    """
    if character.problems:
        raise AnswerError((p.decision, p.message) for p in character.problems)
    met = {decision.id for decision in character.asked}
    if character.open:
        # What an open decision may still lead to is not unused.
        state = character.state
        possible = template.possible_ids(state.ruleset, state.level)
        met |= {name for name in answers if NUMBER.sub("", name) in possible}
    _refuse_unused([name for name in answers if name not in met], met)
    left = [*missing, *((decision.id, decision.ask.label) for decision in character.open)]
    if left:
        raise MissingAnswers(left)


def create(plan: Plan, source: AnswerSource = engine.nobody) -> Document:
    """Make a character from a plan, everything else answered by ``source``.

    Raises what ``complete`` does.
    """
    question = "What is the character's name? (--name, or name: in the file)"
    character = plan.walk(closing(source))
    complete(character, plan.answers, () if plan.name else [("name", question)])
    return document(plan, character)


def document(plan: Plan, character: Character) -> Document:
    """Write a finished walk down as a document.

    Creation is the first group of the log; each further level is a group
    of its own, so that it can be taken back by itself.
    """
    log: list[AnyEvent] = []

    def add(kind: Callable[..., AnyEvent], group: int, **fields: Any) -> None:
        log.append(kind(n=len(log) + 1, group=group, **fields))

    add(Set, 1, name=plan.name.strip())
    for rule, value in sorted(plan.rules.items()):
        add(Set, 1, rule=rule, value=value)
    for level, answers in by_level(character).items():
        if level > 1:
            add(Advance, level, level=level)
        for name, answer in answers.items():
            add(Answered, level, decision=name, answer=answer)
    made = Document(
        id=identity(plan.seed),
        ruleset=plan.ruleset.id,
        packs=(pin(plan.ruleset),),
        name=plan.name.strip(),
        seed=plan.seed,
        log=tuple(log),
    )
    return made.model_copy(update={"character": summary(character)})


def by_level(character: Character) -> dict[int, dict[str, Answer]]:
    """Return the answers in effect, level by level, in decision order."""
    found: dict[int, dict[str, Answer]] = {n: {} for n in range(1, character.state.level + 1)}
    for decision in character.asked:
        if decision.id in character.state.answers:
            found[decision.level][decision.id] = character.state.answers[decision.id]
    return found


def pin(ruleset: Ruleset) -> Pin:
    """Return what a document keeps of the pack it was made with."""
    return Pin(id=ruleset.id, version=ruleset.head.version, hash=ruleset.hash[:16])


def summary(character: Character) -> dict[str, Any]:
    """Return the result for other tools, as the document keeps it."""
    state = character.state
    found: dict[str, Any] = {"level": state.level}
    for kind in state.ruleset.head.sheet.headline:
        held = [h.entity.id for h in state.holdings if h.entity.kind == kind]
        found[kind] = held[0] if len(held) == 1 else held
    values = state.values()
    found["values"] = {name: values.total(name) for name in values.ids()}
    found["holdings"] = [
        _brief(holding) for holding in state.holdings if holding.unit == state.units[0].id
    ]
    found["units"] = [_brief_unit(character, unit) for unit in state.units[1:]]
    return found


def _brief(holding: Holding) -> str:
    times = f" × {holding.quantity}" if holding.quantity != 1 else ""
    return holding.entity.id + times


def _brief_unit(character: Character, unit: Unit) -> dict[str, Any]:
    state = character.state
    values = state.values(unit.id)
    return {
        "id": unit.entity.id if unit.entity else unit.id,
        "level": state.level_of(unit),
        "values": {name: values.total(name) for name in values.ids()},
        "holdings": [_brief(holding) for holding in state.held(unit.id)],
    }


def open_file(path: Path, ruleset: Ruleset | None = None, at_level: int | None = None) -> Opened:
    """Load a character file and replay it, as it is or as of ``at_level``."""
    opened = open_document(store.load(path), path, ruleset)
    return opened if at_level is None else as_of(opened, at_level)


def as_of(opened: Opened, level: int) -> Opened:
    """Return the character as it stood just before it advanced beyond ``level``."""
    loaded = opened.document
    if not 1 <= level <= loaded.level:
        raise UsageError(f"{loaded.name} has reached level {loaded.level}, so 1 to {loaded.level}")
    end = next(
        (n for n, e in enumerate(loaded.log) if isinstance(e, Advance) and e.level > level), None
    )
    earlier = loaded.model_copy(update={"log": loaded.log[:end]})
    character = engine.replay(opened.ruleset, earlier.answers, level, loaded.name, earlier.rules)
    return replace(
        opened,
        document=earlier.model_copy(update={"character": summary(character)}),
        character=character,
    )


def open_document(loaded: Document, path: Path, ruleset: Ruleset | None = None) -> Opened:
    """Replay a document. Raises DocumentError when its ruleset is not here."""
    if ruleset is None or ruleset.id != loaded.ruleset:
        try:
            ruleset = packs.load(loaded.ruleset)
        except UnknownId as error:
            advice = (
                f"Did you mean {error.nearest}?" if error.nearest else "Install its pack first."
            )
            raise DocumentError(
                path, f"its ruleset {loaded.ruleset!r} is not installed", advice
            ) from error
    most = ruleset.head.advancement.maximum
    if loaded.level > most:
        raise DocumentError(
            path, f"it has level {loaded.level}; {ruleset.head.name} ends at {most}"
        )
    character = engine.replay(ruleset, loaded.answers, loaded.level, loaded.name, loaded.rules)
    return Opened(loaded, ruleset, character)


def _problems(opened: Opened) -> Iterator[Problem]:
    character, loaded = opened.character, opened.document
    yield from character.problems
    broken = {problem.decision for problem in character.problems}
    for decision in character.open:
        if decision.id not in broken:
            yield Problem("open", decision.id, f"unanswered: {decision.ask.label}")
    known = [decision.id for decision in character.asked]
    for name in character.dormant:
        near = nearest(name, known)
        hint = f"; did you mean {near}?" if near else ""
        yield Problem("dormant", name, f"nothing asks for this answer any more{hint}")
    for name, value in loaded.rules.items():
        try:
            check_rules(opened.ruleset, {name: value})
        except UnknownId as error:
            yield Problem("rule", name, str(error))
    levels = [event.level for event in loaded.log if isinstance(event, Advance)]
    if levels != list(range(2, 2 + len(levels))):
        yield Problem("levels", "", f"the levels of the log do not follow each other: {levels}")
    yield from _header_problems(loaded)
    if not character.open and not character.problems and loaded.character != summary(character):
        differing = ", ".join(_differing(loaded.character, summary(character)))
        yield Problem("summary", "", f"the summary differs from what the log makes: {differing}")


def _header_problems(loaded: Document) -> Iterator[Problem]:
    """Yield what of the header the seed, the log or this installation does not bear out."""
    if loaded.id != identity(loaded.seed):
        yield Problem("id", "", "the id does not belong to the seed: the header was edited")
    names = [event.name for event in loaded.log if isinstance(event, Set) and event.rule is None]
    if not names:
        yield Problem("name", "", f"the header names {loaded.name!r}, the log nobody")
    elif names[-1] != loaded.name:
        yield Problem("name", "", f"the header names {loaded.name!r}, the log {names[-1]!r}")
    try:
        check_name(loaded.name)
    except UsageError as error:
        yield Problem("name", "", error.reason)
    pinned = [pinned.id for pinned in loaded.packs]
    if loaded.ruleset not in pinned:
        yield Problem("pin", "", f"the header names no version of {loaded.ruleset}")
    for name in pinned:
        if name != loaded.ruleset:
            yield Problem("pack", "", f"its pack {name!r} is not installed")


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys([*new, *old]):
        if old.get(key) == new.get(key):
            continue
        if isinstance(old.get(key), dict) and isinstance(new.get(key), dict):
            inner = _differing(old[key], new[key])
            yield from (f"{key} {name}" for name in inner)
        else:
            yield key


def pack_notes(opened: Opened) -> tuple[str, ...]:
    """Say where the installed pack is not the one the character was made with."""
    notes = []
    for pinned in opened.document.packs:
        here = pin(opened.ruleset)
        if pinned.id == here.id and pinned != here:
            notes.append(
                f"made with {pinned.id} {pinned.version} ({pinned.hash}), "
                f"read with {here.version} ({here.hash})"
            )
    return tuple(notes)


def check_advance(opened: Opened, to: int, answers: Iterable[str] = ()) -> None:
    """Refuse a level that is none, is reached already, or an illegal character.

    ``answers`` are decision ids given for it: those of earlier levels are
    settled. Raises UsageError, AnswerError or UnusedAnswers.
    """
    check_level(opened.ruleset, to)
    if to <= opened.document.level:
        reached = f"{opened.document.name} has level {opened.document.level} already"
        raise UsageError(reached, "Give a higher --to.")
    problems = opened.problems
    if not opened.character.legal or any(p.code in UNSOUND for p in problems):
        raise AnswerError((p.decision or "file", p.message) for p in problems)
    settled = opened.document.answers
    unused = [(n, f"{n!r} was answered at an earlier level") for n in answers if n in settled]
    if unused:
        raise UnusedAnswers(unused)


def level_up(
    opened: Opened, to: int, answers: Mapping[str, Answer], source: AnswerSource = engine.nobody
) -> Opened:
    """Advance a character to level ``to``, its new decisions answered by ``source``.

    Raises what ``check_advance`` and ``complete`` do.
    """
    check_advance(opened, to, answers)
    loaded = opened.document
    known = {**loaded.answers, **answers}
    walked = engine.replay(opened.ruleset, known, to, loaded.name, loaded.rules, closing(source))
    complete(walked, answers)
    return replace(opened, document=_advanced(loaded, walked), character=walked)


def _advanced(loaded: Document, walked: Character) -> Document:
    log: list[AnyEvent] = list(loaded.log)
    group = max((event.group for event in log), default=0)
    for level, answers in by_level(walked).items():
        if level <= loaded.level:
            continue
        group += 1
        log.append(Advance(n=len(log) + 1, group=group, level=level))
        for name, answer in answers.items():
            log.append(Answered(n=len(log) + 1, group=group, decision=name, answer=answer))
    return loaded.model_copy(
        update={
            "log": tuple(log),
            "character": summary(walked),
            "undone": (),
        }
    )


def find_unit(state: State, name: str | None) -> Unit:
    """Return the unit meant by an id, an entity's name or its slug; the character for None."""
    if name is None:
        return state.units[0]
    known = {unit.id: unit for unit in state.units}
    for unit in state.units[1:]:
        known.setdefault(unit.name.casefold(), unit)
        if unit.entity is not None:
            known.setdefault(unit.entity.id, unit)
            known.setdefault(unit.entity.slug, unit)
    found = known.get(name) or known.get(name.casefold())
    if found is None:
        raise UnknownId("unit of this character", name, known)
    return found


def why(character: Character, name: str, unit: str | None = None) -> tuple[Entity, tuple[str, ...]]:
    """Return an entity and every reason against taking it now.

    The last choice that offers it is asked again on the character as it
    is; what no choice offers says so, and who gives it.
    """
    state = character.state
    bearer = find_unit(state, unit)
    entity = state.ruleset.entity(state.ruleset.canonical(name))
    later = [Decision(ask.id, ask, state) for ask in state.ruleset.head.advancement.asks]
    for decision in [*reversed(character.asked), *later]:
        now = replace(decision, before=state)
        if decision.unit == bearer.id and any(o.entity is entity for o in now.options()):
            return entity, _closed(now, entity)
    reasons = unmet(entity.requires, Asker(state, bearer.id, entity))
    givers = ", ".join(e.name for e in state.ruleset.entities.values() if _gives(e, entity))
    given = f"; it comes with {givers}" if givers else ""
    return entity, (*reasons, f"no choice offers it{given}")


def _gives(giver: Entity, entity: Entity) -> bool:
    return any(grant.id == entity.id for grant in giver.grants)


def _closed(decision: Decision, entity: Entity) -> tuple[str, ...]:
    """Return what stands against an option of a choice that was asked already."""
    offer = next(offer for offer in decision.options() if offer.entity is entity)
    ask = decision.ask
    if offer.reasons or not isinstance(ask, Choose) or ask.budget is not None:
        return offer.reasons
    taken = decision.before.answers.get(decision.id)
    if ask.many and (taken is None or ask.count is None or len(taken) < ask.count):
        return ()
    return (f"{decision.id} is settled",) if taken is not None else ()


def to_answers(opened: Opened) -> str:
    """Return the answers file that makes this character again."""
    loaded = opened.document
    labels = {decision.id: decision.ask.label for decision in opened.character.asked}
    return answers_file.write(
        opened.ruleset, loaded.name, loaded.level, loaded.seed, loaded.rules,
        opened.character.answers(), labels,
    )  # fmt: skip
