"""Character creation: a specification and a source of answers make a document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from charforge.answers import examples
from charforge.character.document import Document, character_id
from charforge.character.events import AdvanceEvent, AnswerEvent, AnyEvent, SetEvent
from charforge.decisions.base import Decision
from charforge.decisions.index import NUMBER, UNIT_LEVEL, may_be_asked, possible_ids
from charforge.decisions.option import MISSING, Answer
from charforge.describe import unasked_reason
from charforge.errors import AnswerError, MissingAnswers, UnusedAnswers, did_you_mean
from charforge.replay import replay as engine
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import pins, summary
from charforge.replay.replay import AnswerSource, Character
from charforge.rules.ruleset import Ruleset


def leave_out_optional(source: AnswerSource = engine.leave_open) -> AnswerSource:
    """Extend a source: optional decisions that it does not answer get an empty answer."""

    def answer(decision: Decision) -> Answer:
        answer = source(decision)
        return decision.empty_answer() if answer is MISSING else answer

    return answer


def refuse_unknown_answers(plan: CharacterSpec) -> None:
    """Raise UnusedAnswers for answers that no decision of these rules can ask for.

    Called before the first question, so that a mistyped id is reported early.
    """
    known = possible_ids(plan.ruleset, plan.level)
    unused = [name for name in plan.answers if NUMBER.sub("", name) not in known]
    _refuse_unused(unused, known, plan.ruleset, plan.level, plan.answers)


def _refuse_unused(
    unused: Iterable[str],
    known: Collection[str],
    ruleset: Ruleset,
    level: int,
    answers: Mapping[str, Answer],
) -> None:
    """Raise UnusedAnswers for ids, each with the reason or the nearest known id."""
    reasons = []
    for name in unused:
        if UNIT_LEVEL in name and may_be_asked(ruleset, name):
            reasons.append((name, f"only level-up --unit asks for {name!r}"))
            continue
        why = unasked_reason.unasked_reason(ruleset, level, answers, name)
        more = f": {why}" if why else did_you_mean(name, known)
        reasons.append((name, f"nothing asks for {name!r}{more}"))
    if reasons:
        raise UnusedAnswers(reasons)


def check_complete(
    character: Character,
    answers: Iterable[str],
    missing: Iterable[tuple[str, str]] = (),
    creation: bool = True,
) -> None:
    """Raise AnswerError, UnusedAnswers or MissingAnswers if a character is not complete.

    ``answers`` are the ids that were given, ``missing`` further unanswered
    questions. Each error lists everything of its kind.
    """
    if character.problems:
        problems = ((p.decision, p.message) for p in character.problems)
        raise AnswerError(examples.with_examples(character, problems, character.recorded_answers))
    met, state = {decision.id for decision in character.asked}, character.state
    if character.open:
        # What an open decision may still lead to is not unused.
        possible = possible_ids(state.ruleset, state.level)
        met |= {name for name in answers if NUMBER.sub("", name) in possible}
    unused = [name for name in answers if name not in met]
    _refuse_unused(unused, met, state.ruleset, state.level, state.answers)
    left = [*missing, *((decision.id, decision.question.label) for decision in character.open)]
    if left:
        raise MissingAnswers(left, creation)


def create_character(plan: CharacterSpec, source: AnswerSource = engine.leave_open) -> Document:
    """Return a new character; ``source`` answers everything that the plan does not.

    Raises as ``check_complete`` does.
    """
    question = "What is the character's name? (--name, or name: in the file)"
    character = plan.walk(leave_out_optional(source))
    check_complete(character, plan.answers, () if plan.name else [("name", question)])
    return build_document(plan, character)


def build_document(plan: CharacterSpec, character: Character) -> Document:
    """Return the document of a finished character.

    Creation is the first group of the log; each further level is a group
    of its own, so that it can be undone by itself.
    """
    log: list[AnyEvent] = []

    def add(kind: Callable[..., AnyEvent], group: int, **fields: Any) -> None:
        log.append(kind(n=len(log) + 1, group=group, **fields))

    add(SetEvent, 1, name=plan.name.strip())
    for rule, value in sorted(plan.rules.items()):
        add(SetEvent, 1, rule=rule, value=value)
    for level, answers in answers_by_level(character).items():
        if level > 1:
            add(AdvanceEvent, level, level=level)
        for name, answer in answers.items():
            add(AnswerEvent, level, decision=name, answer=answer)
    made = Document(
        id=character_id(plan.seed),
        ruleset=plan.ruleset.id,
        packs=pins(plan.ruleset),
        name=plan.name.strip(),
        seed=plan.seed,
        log=tuple(log),
    )
    return made.model_copy(update={"character": summary(character)})


def answers_by_level(character: Character) -> dict[int, dict[str, Answer]]:
    """Return the answers in effect, level by level, in decision order."""
    found: dict[int, dict[str, Answer]] = {n: {} for n in range(1, character.state.level + 1)}
    for decision in character.asked:
        if decision.id in character.state.answers:
            found[decision.level][decision.id] = character.state.answers[decision.id]
    return found
