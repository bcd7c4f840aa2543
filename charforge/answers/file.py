"""Answers files: YAML in, YAML out, and one with all questions as comments.

An answers file holds ``ruleset``, ``packs``, ``name``, ``level``, ``seed``,
``table_rules``, ``units: {unit id: {name, level_ups}}`` and ``answers: {decision id:
answer}``; a draft of the wizard also ``begun``, the lists that are not finished. The wizard's
drafts and ``export --format answers`` use the same format, so ``new --answers`` reads all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from charforge.character.files import reader
from charforge.character.files.events import (
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    NoteEvent,
    PlanEvent,
    SetEvent,
)
from charforge.decisions.base import MISSING, Answer, Decision, is_whole_number
from charforge.decisions.kinds import (
    UNIT_LEVEL,
    PossibleDecision,
    decision_class,
    possible_decisions,
)
from charforge.describe import remarks
from charforge.errors import AnswersError, DocumentError, PackError, did_you_mean, shorten
from charforge.expressions.template import has_unprintable
from charforge.language import N_, _
from charforge.replay.character_spec import UnitSpec, growth
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character, Start, replay
from charforge.rules import loading
from charforge.rules.models import Question
from charforge.rules.names import as_typed
from charforge.rules.ruleset import Ruleset

FILE_KEYS = (
    "ruleset",
    "packs",
    "name",
    "level",
    "seed",
    "table_rules",
    "units",
    "answers",
    "begun",
)
UNIT_KEYS = UnitSpec._fields


@dataclass(frozen=True)
class AnswersFile:
    """The contents of an answers file; missing keys are empty, or None."""

    path: Path
    ruleset: str = ""
    name: str = ""
    level: int | None = None
    seed: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)
    packs: tuple[str, ...] = ()
    text: str = ""
    begun: Mapping[str, Answer] = field(default_factory=dict)
    units: Mapping[str, UnitSpec] = field(default_factory=dict)
    typed: Collection[str] = ()  # the decisions that an option answers, not the file

    def line(self, *where: str) -> int:
        """Return the line (from 1) of a key, or of a decision under ``answers``."""
        return loading.yaml_reader.locate_in(self.text, where)[0]


def read_answers(path: Path, text: str | None = None) -> AnswersFile:
    """Read an answers file, or its ``text`` if given, with ``path`` for errors only.

    Raises AnswersError with every error and its line.
    """
    try:
        text = reader.read_text(path) if text is None else text
        if line := reader.conflict_mark_line(text):
            raise AnswersError(path, [(line, _(reader.CONFLICT_ADVICE))])
        unsupported = next(loading.yaml_reader.unsupported(text), None)
        if unsupported is not None:
            raise AnswersError(path, [unsupported])
        data = loading.yaml_reader.parse(text, path, plain=True)
    except DocumentError as error:
        raise AnswersError(path, [(0, f"{error.reason}. {error.advice}".strip(". "))]) from error
    except PackError as error:
        raise AnswersError(path, [(f.line, f.message) for f in error.problems]) from error
    if isinstance(data, dict) and "charforge" in data:
        reason = _(
            "this is a character file, not an answers file. To turn one into the "
            "other: charforge export --format answers"
        )
        raise AnswersError(path, [(1, reason)])
    if not isinstance(data, dict):
        reason = _("an answers file contains {names}; this file contains {content}").format(
            names=", ".join(FILE_KEYS), content=_content_name(data)
        )
        raise AnswersError(path, [(1, reason)])
    errors = list(_key_errors(text, data))
    if errors:
        raise AnswersError(path, errors)
    return AnswersFile(
        path,
        data.get("ruleset") or "",
        str(data.get("name") or "").strip(),
        data.get("level"),
        str(data.get("seed") or ""),
        {name: str(value) for name, value in (data.get("table_rules") or {}).items()},
        _answers_below("answers", data),
        tuple(data.get("packs") or ()),
        text,
        _answers_below("begun", data),
        {name: _unit_spec(entry) for name, entry in (data.get("units") or {}).items()},
    )


def _answers_below(key: str, data: Mapping[str, Any]) -> dict[str, Answer]:
    """Return the answers below a key of a file, without those that are left empty."""
    answers = data.get(key) or {}
    return {str(name): as_typed(value) for name, value in answers.items() if value is not None}


def _unit_spec(entry: Mapping[str, Any]) -> UnitSpec:
    return UnitSpec(str(entry.get("name") or "").strip(), tuple(entry.get("level_ups") or ()))


def parse_answer(text: str) -> Answer:
    """Parse one answer, written as in an answers file. Raises AnswersError.

    A mapping stands in braces here: "Yes: a filled Water bottle" is the name of an option.
    """
    place = Path()
    try:
        error = next(loading.yaml_reader.unsupported(text), None)
        answer = None if error else loading.yaml_reader.parse(text, place, plain=True)
    except PackError as pack_error:
        error = next((0, fault.message) for fault in pack_error.problems)
    if error:
        raise AnswersError(
            place,
            [
                (
                    0,
                    _("the answer {text} could not be read: {error}").format(
                        text=shorten(text), error=error[1]
                    ),
                )
            ],
        )
    if isinstance(answer, dict) and not text.lstrip().startswith("{"):
        answer = text.strip()
    return "" if answer is None else as_typed(answer)


def read_answer(decision: Decision, text: str) -> Answer:
    """Read one answer to a decision: in YAML, or in the words in which it is shown.

    Raises AnswersError for a text that is neither.
    """
    worded = decision.in_words(text)
    try:
        answer = decision.as_typed(parse_answer(text))
    except AnswersError:
        if worded is MISSING:
            raise
        return worded
    return answer if worded is MISSING or not decision.malformed(answer) else worded


def _content_name(data: object) -> str:
    """Return the content of a file that is not a map of keys, in words."""
    if data is None:
        return _("only comments")
    return _("a list") if isinstance(data, list) else _("plain text")


def _key_errors(text: str, data: dict[Any, Any]) -> Iterator[tuple[int, str]]:
    """Yield line and reason for unknown keys and values of the wrong type."""

    def at(key: Any) -> int:
        return loading.yaml_reader.locate_in(text, (str(key),))[0]

    for key in data:
        if key not in FILE_KEYS:
            yield at(key), _unknown_key(str(key), key)
    for key, value_type, description in (
        ("ruleset", str, _("the id of a ruleset")),
        ("level", int, _("a whole number")),
        ("table_rules", dict, _("a list of RULE: OPTION lines")),
        ("units", dict, _("a list of UNIT lines, each with name and level_ups")),
        ("answers", dict, _("a list of CHOICE: ANSWER lines")),
        ("begun", dict, _("a list of CHOICE: ANSWER lines")),
    ):
        value = data.get(key)
        if value is not None and not isinstance(value, value_type):
            yield at(key), _("{key} must be {description}").format(key=key, description=description)
    units = data.get("units")
    for name, entry in units.items() if isinstance(units, dict) else ():
        if reason := _unit_error(name, entry):
            yield loading.yaml_reader.locate_in(text, ("units", str(name)))[0], reason
    packs = data.get("packs")
    if packs is not None and not (
        isinstance(packs, list) and all(isinstance(name, str) for name in packs)
    ):
        example = _(", for example [{packs}]").format(packs=packs) if isinstance(packs, str) else ""
        yield at("packs"), _("packs must be a list of pack ids{example}").format(example=example)
    for key in ("name", "seed"):
        value = data.get(key)
        if value is not None and (not isinstance(value, str | int) or has_unprintable(str(value))):
            yield at(key), _("{key} must be plain text without control characters").format(key=key)


def _unit_error(name: Any, entry: Any) -> str:
    """Return what is wrong with an entry below ``units``; empty if nothing is."""
    if not isinstance(name, str) or not isinstance(entry, dict):
        return _("{name} must be like this: {{name: NAME, level_ups: [2, 3]}}").format(
            name=shorten(name)
        )
    unknown = next((key for key in entry if key not in UNIT_KEYS), None)
    if unknown is not None:
        return _("unknown key {key}{near}").format(
            key=shorten(unknown), near=did_you_mean(str(unknown), UNIT_KEYS)
        )
    level_ups = entry.get("level_ups") or []
    if not isinstance(level_ups, list) or not all(map(is_whole_number, level_ups)):
        return _("level_ups must be a list of levels of the character, for example [2, 3]")
    own_name = entry.get("name") or ""
    if not isinstance(own_name, str | int) or has_unprintable(str(own_name)):
        return _("{key} must be plain text without control characters").format(key="name")
    return ""


def _unknown_key(name: str, key: object) -> str:
    """Return the error of an unknown key, with the nearest key or the place it belongs to."""
    plain = name.strip()
    if plain != name and plain:
        return _("{plain} is indented with an unusual blank character; use spaces").format(
            plain=shorten(plain)
        )
    near = did_you_mean(name, FILE_KEYS)
    return _("unknown key {key}{near}").format(
        key=shorten(key), near=near or _("; choices belong below answers:, indented")
    )


def answers_text(
    ruleset: Ruleset,
    contents: AnswersFile,
    labels: Mapping[str, str] = MappingProxyType({}),
    command: str = "charforge new --answers",
    notes: Iterable[str] = (),
) -> str:
    """Return the text of an answers file for a ruleset, with these contents.

    The comment at its top names the ``command`` that reads the file, then
    ``notes``. ``labels`` are comments above answers, by decision id.
    """
    lines = [
        _("# {name}: answers for `{command} THIS-FILE`").format(
            name=ruleset.head.name, command=command
        )
    ]
    lines += (f"# {note}" for note in notes)
    lines += _header(ruleset, contents)
    lines.append("answers:" if contents.answers else "answers: {}")
    for decision, answer in contents.answers.items():
        if decision in labels:
            lines.append(f"  # {labels[decision]}")
        lines.append(f"  {_yaml(decision)}: {_yaml(answer)}")
    if contents.begun:
        lines.append(f"begun: {_yaml(dict(contents.begun))}")
    return "\n".join(lines) + "\n"


def _yaml(value: object) -> str:
    """Return a value as YAML on one line."""
    return loading.yaml_reader.yaml_line(value)


def _header(ruleset: Ruleset, contents: AnswersFile) -> list[str]:
    """Return the lines of an answers file that come before its answers."""
    lines = [f"ruleset: {_yaml(ruleset.id)}"]
    if ruleset.packs:
        lines.append(f"packs: {_yaml([pack.id for pack in ruleset.packs])}")
    lines += [
        f"name: {_yaml(contents.name)}",
        *((f"level: {contents.level}",) if ruleset.head.advancement.maximum > 1 else ()),
        f"seed: {_yaml(contents.seed)}",
    ]
    if contents.rules:
        lines.append(f"table_rules: {_yaml(dict(contents.rules))}")
    if contents.units:
        lines.append("units:")
    for name, unit in contents.units.items():
        entry = {"name": unit.name, "level_ups": [*unit.level_ups]}
        shown = {key: value for key, value in entry.items() if value}
        lines.append(f"  {_yaml(name)}: {_yaml(shown)}")
    return lines


# ------------------------------------------------------------------ examples in errors


def with_examples(
    character: Character, problems: Iterable[tuple[str, str]], answers: Mapping[str, Answer]
) -> Iterator[tuple[str, str]]:
    """Yield problems ``(decision, reason)``, with an example if the answer has the wrong form."""
    for name, reason in problems:
        decision = character.decision(name)
        if decision is not None and name in answers:
            yield name, with_example(decision, answers[name], reason)
        else:
            yield name, reason


def with_example(decision: Decision, answer: Answer, reason: str) -> str:
    """Return a reason against an answer, with an example if the answer has the wrong form."""
    example = decision.right_form(answer)
    if example is MISSING:
        return reason
    example = _labelled(decision, example)
    hint = ""
    return _("{reason}{hint}, for example {yaml_line}").format(
        reason=reason, hint=hint, yaml_line=_yaml(example)
    )


def _labelled(decision: Decision, answer: Answer) -> Answer:
    """Return an answer with labels in place of ids: an answers file accepts them, too."""
    if isinstance(answer, dict):
        values = decision.ruleset.values
        return {values[name].label if name in values else name: n for name, n in answer.items()}
    if isinstance(answer, list):
        return [_labelled(decision, item) for item in answer]
    return decision.option_label(answer) if isinstance(answer, str) else answer


LATER_UNITS = N_("  for a unit that levels up: see units: above")


def questions_file(ruleset: Ruleset, level: int) -> str:
    """Return an answers file with every question and its options, as comments to fill in."""
    game = ruleset.head.name
    lines = [
        _("# {name}: all choices up to level {level}, with their options.").format(
            name=game, level=level
        )
        if ruleset.head.advancement.maximum > 1
        else _("# {name}: all choices, with their options.").format(name=game),
        _("# To make a choice, remove the # in front of it. You are asked for everything else,"),
        _("# or use --random. [Brackets] say when a choice comes up."),
        *_header(ruleset, AnswersFile(Path(), level=level)),
        "# table_rules:",
    ]
    for rule in ruleset.head.table_rules:
        ways = ", ".join(option.id for option in rule.options)
        lines.append(f"#   {rule.id}: {rule.default}    # {ways}")
    grouped: dict[str, list[PossibleDecision]] = {}
    for decision in possible_decisions(ruleset, level):
        grouped.setdefault(decision.id, []).append(decision)
    unit = next((d.id.split(UNIT_LEVEL)[0] for [d, *_more] in grouped.values() if d.unit_level), "")
    if unit:
        lines.append(_("# units:    # level_ups: your level at each level-up of the unit"))
        lines.append(f"#   {unit}: {{name: NAME, level_ups: [2]}}")
    lines.append("answers:")
    for name, decisions in grouped.items():
        lines.append("")
        for label, asked, body in _merged(ruleset, decisions):
            lines.append(f"  # {label}{f' [{asked}]' if asked else ''}")
            lines += (f"  # {line}" for line in body)
        lines.append(f"  # {_yaml(name)}: {_example(ruleset, decisions[0].question)}")
    return "\n".join(lines) + "\n"


def _merged(
    ruleset: Ruleset, decisions: list[PossibleDecision]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield label, condition and description of decisions with one id; equal ones only once."""
    options: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for decision in decisions:
        question = decision.question
        condition = remarks.asked_when(ruleset, question)
        later = (_(LATER_UNITS),) if decision.unit_level else ()
        entry = (question.label, condition, (*_described(ruleset, question), *later))
        options.setdefault(entry, []).append(" > ".join(decision.option_labels))
    for (label, condition, body), only in options.items():
        parts = (
            _("only for {names}").format(names="; ".join(only)) if all(only) else "",
            condition,
        )
        yield label, _(", and ").join(filter(None, parts)), body


def _described(ruleset: Ruleset, question: Question) -> Iterator[str]:
    """Yield the help of a question and its possible answers."""
    kind = decision_class(question)
    if question.help:
        yield f"  {question.help}"
    if question.is_unprinted:
        yield f"  {_(kind.unprinted_hint)}"
    yield from (f"  {line}" for line in kind.question_lines(question, ruleset))


def _example(ruleset: Ruleset, question: Question) -> str:
    """Return an example answer in YAML."""
    answer = decision_class(question).example_answer(question, ruleset)
    if answer is None:
        return ""
    return '""' if answer == "" else _yaml(answer)


LATER_NOTE = (
    N_("Not included: anything after creation and level-ups (gear, awards, play, exceptions by"),
    N_("the GM). Only the character file has that."),
)


def write_answers(opened: LoadedCharacter, say: Callable[[str], None] = lambda _note: None) -> str:
    """Return the answers file that creates this character, as far as creation and levels go.

    Comments at its top say if something came later, and list each unit and answer
    that only this allowed, such as a vehicle by the GM. ``say`` gets the same lines.
    """
    document, character = opened.document, opened.character
    units = _unit_specs(opened)
    recreated = replay(
        opened.ruleset,
        document.answers,
        Start(document.name, document.rules),
        log=growth(document.level, units),
    )
    labels = {decision.id: decision.question.label for decision in recreated.asked}
    notes = tuple(map(_, LATER_NOTE)) if any(map(_came_later, document.log)) else ()
    contents = AnswersFile(
        Path(),
        name=document.name,
        level=document.level,
        seed=document.seed,
        rules=document.rules,
        answers=recreated.answers(),
        units={name: u for name, u in units.items() if recreated.state.has_unit(name)},
    )
    notes = (*notes, *_lost_units(character, recreated), *_lost_answers(character, recreated))
    for note in notes:
        say(note)
    return answers_text(opened.ruleset, contents, labels, notes=notes)


def _unit_specs(opened: LoadedCharacter) -> dict[str, UnitSpec]:
    """Return the names and level-ups of a character's units that have any."""
    state, level = opened.character.state, 1
    refused = {*opened.character.dormant, *(p.decision for p in opened.character.problems)}
    units: dict[str, UnitSpec] = {}
    for event in opened.document.log:
        if isinstance(event, AdvanceEvent) and event.unit is None:
            level += 1
        elif isinstance(event, AdvanceEvent | SetEvent) and event.unit is not None:
            before = units.get(event.unit, UnitSpec())
            if f"event.{event.n}" in refused or not state.has_unit(event.unit):
                continue
            if isinstance(event, SetEvent):
                units[event.unit] = before._replace(name=event.name or "")
            else:
                units[event.unit] = before._replace(level_ups=(*before.level_ups, level))
    return units


def _came_later(event: AnyEvent) -> bool:
    """Return whether an event records something that creation and levels do not make."""
    if isinstance(event, AnswerEvent):
        return event.now or event.override is not None
    if isinstance(event, AdvanceEvent):
        return event.override is not None
    if isinstance(event, SetEvent):
        return event.portrait is not None or event.line is not None
    return not isinstance(event, PlanEvent | NoteEvent)


def _lost_units(character: Character, recreated: Character) -> Iterator[str]:
    """Yield a note for each unit that the recreated character lacks."""
    for unit in character.state.units:
        if not recreated.state.has_unit(unit.id):
            yield _("Left out, because it came later: {name}").format(name=unit.name)


def _lost_answers(character: Character, recreated: Character) -> Iterator[str]:
    """Yield a note for each answer of creation and levels that the recreated character lacks."""
    answers, kept = character.answers(), recreated.answers()
    for decision in character.asked:
        if decision.id in answers and decision.id not in kept and not _is_of_event(decision):
            answer = _yaml(answers[decision.id])
            yield _("Left out, because only later changes allow it: {id}: {answer}").format(
                id=decision.id, answer=answer
            )


def _is_of_event(decision: Decision) -> bool:
    """Return whether an event asks a decision, or one of a unit that an event added."""
    return decision.section.startswith("event.") or decision.unit.startswith("event.")
