"""The use-cases of the command line: no printing, no prompting.

Each is the same move: load, walk the decisions with a source of answers,
append what was answered to the log, save.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from charforge.answers import file as answers_file, template
from charforge.content.models import Choose, Entity, Write
from charforge.document.events import Advance, Answered, AnyEvent, Set
from charforge.document.model import Document, identity
from charforge.engine import replay as engine
from charforge.engine.decisions import Answer, Decision
from charforge.engine.prerequisites import Asker, unmet
from charforge.engine.replay import MISSING, AnswerSource, Character
from charforge.engine.state import State, Unit
from charforge.errors import (
    AnswerError,
    MissingAnswers,
    UnknownId,
    UnusedAnswers,
    UsageError,
    nearest,
)
from charforge.opened import (
    Opened as Opened,
    as_of as as_of,
    open_document as open_document,
    open_file as open_file,
    pack_notes as pack_notes,
    pin as pin,
    summary as summary,
)
from charforge.plan import (
    Plan as Plan,
    check_level as check_level,
    check_name as check_name,
    check_rules as check_rules,
    new_seed as new_seed,
)

UNSOUND = ("levels", "pack")  # problems of a log that must not grow

NUMBER = re.compile(r"#[0-9]+")  # which of several, in an instance id


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
