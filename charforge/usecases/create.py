"""Character creation: from a specification and a source of answers to a document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from charforge.answers.automatic import leave_out_optional, refuse_without_options
from charforge.answers.file import with_examples
from charforge.character.files.document import Document, character_id
from charforge.character.files.events import AnswerEvent, AnyEvent, SetEvent
from charforge.decisions.base import Answer
from charforge.decisions.kinds import HOLDING_NUMBER, UNIT_LEVEL, may_be_asked, possible_ids
from charforge.describe import remarks
from charforge.errors import MissingAnswers, UnusedAnswers, did_you_mean, shorten
from charforge.language import _
from charforge.replay.character_spec import CharacterSpec, growth
from charforge.replay.loaded_character import pins, saved_summary
from charforge.replay.replay import AnswerSource, Character, leave_open, reading_of
from charforge.rules.ruleset import Ruleset
from charforge.verbs.change import is_asked_by


def refuse_unknown_answers(spec: CharacterSpec) -> None:
    """Raise UnusedAnswers for answers that no decision of these rules can ask for.

    Called before the first question, so that a mistyped id is reported early.
    """
    known = possible_ids(spec.ruleset, spec.level)
    unused = [name for name in spec.answers if HOLDING_NUMBER.sub("", name) not in known]
    _refuse_unused(unused, known, spec.ruleset, spec.level, spec.answers)


def _questions_command(ruleset: Ruleset, level: int) -> str:
    """Return the command that lists the choices of a character of a level."""
    packs = "".join(f" --pack {pack.id}" for pack in ruleset.packs)
    of_level = f" --level {level}" if level > 1 else ""
    return f"charforge new --ruleset {ruleset.head.id}{packs}{of_level} --questions"


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
            reasons.append(
                (
                    name,
                    _(
                        "{name} comes up only when the unit levels up: use level-up --unit, or "
                        "level_ups in the answers file"
                    ).format(name=shorten(name)),
                )
            )
            continue
        why = remarks.unasked_reason(ruleset, level, answers, name)
        whole = min((known_id for known_id in known if known_id.endswith(f".{name}")), default="")
        more = f": {why}" if why else did_you_mean(whole or name, known)
        more = more or _("; to list them: {command}").format(
            command=_questions_command(ruleset, level)
        )
        reasons.append(
            (name, _("there is no choice {name} here{more}").format(name=shorten(name), more=more))
        )
    if reasons:
        raise UnusedAnswers(reasons)


def check_complete(
    character: Character,
    answers: Iterable[str],
    missing: Iterable[tuple[str, str]] = (),
    creation: bool = True,
) -> None:
    """Raise an error if a character is not complete.

    It is AnswerError, UnusedAnswers, NoOptionLeft or MissingAnswers, and lists everything of
    its kind. ``answers`` are the ids that were given, ``missing`` further unanswered questions.
    """
    if character.problems:
        problems = ((p.decision, p.message) for p in character.problems)
        raise character.refusal(with_examples(character, problems, character.recorded_answers))
    asked, state = {decision.id for decision in character.asked}, character.state
    if character.open:
        # What an open decision may still lead to is not unused.
        possible = possible_ids(state.ruleset, state.level)
        asked |= {name for name in answers if HOLDING_NUMBER.sub("", name) in possible}
    unused = [name for name in answers if name not in asked]
    _refuse_unused(unused, asked, state.ruleset, state.level, state.answers)
    refuse_without_options(character.open)
    left = [*missing, *((decision.id, decision.question.label) for decision in character.open)]
    if left:
        raise MissingAnswers(left, creation)


def create_character(spec: CharacterSpec, source: AnswerSource = leave_open) -> Document:
    """Return the document of a new character; ``source`` answers what ``spec`` does not.

    Raises as ``check_complete`` does.
    """
    return build_document(spec, answer_all(spec, source))


def answer_all(spec: CharacterSpec, source: AnswerSource = leave_open) -> Character:
    """Return a new character with every decision answered: by ``spec``, then by ``source``.

    Raises as ``check_complete`` does.
    """
    question = _("The character's name (use --name, or name: in the file)")
    character = spec.replay(leave_out_optional(source))
    _refuse_units(spec, character)
    check_complete(character, spec.answers, () if spec.name else [("name", question)])
    return character


def _refuse_units(spec: CharacterSpec, character: Character) -> None:
    """Raise UnusedAnswers for units that the character lacks, or that cannot level up so far."""
    units = [unit.id for unit in character.state.units[1:]]
    unknown = [] if character.open else [name for name in spec.units if name not in units]
    message = _("there is no unit {name} here{near}")
    refused = [
        (name, message.format(name=shorten(name), near=did_you_mean(name, units)))
        for name in unknown
    ]
    leveled = {f"event.{event.n}": event.unit for event in growth(spec.level, spec.units)}
    for problem in character.problems:
        if unit := leveled.get(problem.decision):
            refused.append((unit, problem.message))
    if refused:
        raise UnusedAnswers(refused)


def build_document(spec: CharacterSpec, character: Character) -> Document:
    """Return the document of a finished character.

    Creation is the first group of the log; each further level of the character or a unit is a
    group of its own, so that it can be undone by itself.
    """
    log: list[AnyEvent] = []

    def add(kind: Callable[..., AnyEvent], group: int, **fields: Any) -> None:
        log.append(kind(n=len(log) + 1, group=group, **fields))

    read = character.state.shared
    add(SetEvent, 1, name=spec.name.strip(), shared=None if read is None else reading_of(read))
    for rule, value in sorted(spec.rules.items()):
        add(SetEvent, 1, rule=rule, value=value)
    events = growth(spec.level, spec.units)
    askers = {d.id: event.n for d in character.asked for event in events if is_asked_by(d, event)}
    answers = character.answers()
    for group, event in enumerate((None, *events), 1):
        if event is not None:
            log.append(event.model_copy(update={"n": len(log) + 1, "group": group}))
        for name, answer in answers.items():
            if askers.get(name, 0) == group - 1:
                add(AnswerEvent, group, decision=name, answer=answer)
    document = Document(
        id=character_id(spec.seed),
        ruleset=spec.ruleset.id,
        packs=pins(spec.ruleset),
        name=spec.name.strip(),
        seed=spec.seed,
        log=tuple(log),
    )
    return document.model_copy(update={"character": saved_summary(character)})
