"""Checking a pack: every error in its files, requirements, texts and samples.

An *error* makes a pack unusable: it cannot be loaded, a text cannot be
printed, a requirement can never be met. A *warning* is about something that
works and is probably a mistake: an entity that only the GM can award, a change
with a condition that no sheet prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

from charforge.answers.automatic import RandomAnswers
from charforge.decisions.unreachable import (
    Obtainable,
    UnreachableEntity,
    impossible_options,
    unreachable_entities,
)
from charforge.errors import (
    CharforgeError,
    FaultyTemplate,
    FormulaError,
    PackError,
    PackFindings,
    PackProblem,
    UsageError,
    nearest,
    shorten,
)
from charforge.expressions.formula import SHARED, TAG_PREFIX, Formula
from charforge.language import _
from charforge.limits import MAX_ERRORS
from charforge.packs import samples as pack_samples
from charforge.packs.ability_checks import (
    attacks_with_typos,
    attacks_without_rule,
    cannot_be_calculated,
    endless_cooldowns,
    group_typos,
    without_result,
)
from charforge.packs.install import load_checked, problems_at_origin, unpacked
from charforge.packs.text_checks import SEED, TextCheck
from charforge.paths import data_folder
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.checks.cycles import granted_entities, offered_entities
from charforge.rules.errors import KeyPath
from charforge.rules.loading.loader import (
    HEAD,
    available,
    built_in,
    installed,
    language_files,
    load,
)
from charforge.rules.loading.parser import PackReader, PartPlace, sorted_problems
from charforge.rules.loading.translation import check_translations
from charforge.rules.loading.yaml_reader import formula_problems
from charforge.rules.models import Entity, Option, Put, Question
from charforge.rules.models.base import leaves
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.sandbox import render_template
from charforge.sheet.templates import find_template, templates_in

PLACES_OF_QUESTIONS = ("story", "match")  # keys whose texts are the ids of questions
CHOSE = re.compile(r"""chose\(\s*['"]([^'"]+)""")  # a formula in a text
Check = Callable[["_Pack"], Iterable[PackProblem]]


@dataclass(frozen=True)
class CheckedPack:
    """The errors and warnings of a pack; ``ruleset`` are the rules with it, None without."""

    id: str
    errors: tuple[PackProblem, ...] = ()
    warnings: tuple[PackProblem, ...] = ()
    ruleset: Ruleset | None = None


def check_pack(origin: Path) -> CheckedPack:
    """Return the errors and warnings of the pack in a folder or a zip; none are raised."""
    try:
        with unpacked(origin) as folder:
            name, reader, ruleset = load_checked(folder)
            pack = _Pack(reader, folder, ruleset, beside=origin.parent)
            errors = pack.problems(ERRORS) or pack.problems(ERRORS_OF_TRIALS)
            warnings = [
                *pack.problems(WARNINGS), *pack.shared.warnings, *pack.translations.warnings,
            ]  # fmt: skip
    except PackError as error:
        return CheckedPack("", error.problems)
    return CheckedPack(
        name,
        tuple(problems_at_origin(sorted_problems(errors), folder, origin)),
        tuple(problems_at_origin(sorted_problems(warnings), folder, origin)),
        ruleset,
    )


@dataclass(frozen=True)
class _Pack:
    """A pack that is checked, its rules, and what several checks look up.

    The game that its group owns can be ``beside`` it.
    """

    reader: PackReader
    folder: Path
    ruleset: Ruleset
    beside: Path

    def problems(self, checks: Iterable[Check]) -> list[PackProblem]:
        """Return what some checks find, at most MAX_ERRORS."""
        return [*islice(chain.from_iterable(check(self) for check in checks), MAX_ERRORS)]

    @cached_property
    def head(self) -> Path | None:
        """The ``ruleset.yaml`` of a ruleset; None for a pack that amends one."""
        head = self.folder / HEAD
        return head if head in self.reader.data else None

    @cached_property
    def places(self) -> dict[str, PartPlace]:
        """The place of each entity that the pack adds or changes."""
        return {
            name: place
            for name, place in self.reader.places().items()
            if place.file.is_relative_to(self.folder) or self.reader.patches.touched(*place)
        }

    @cached_property
    def unreachable(self) -> list[UnreachableEntity]:
        """The entities that nobody can have, except those that are given by hand."""
        return [
            one
            for one in unreachable_entities(self.ruleset)
            if one.never or not self.ruleset.entities[one.entity].by_hand
        ]

    @cached_property
    def texts(self) -> TextCheck:
        """The check of the texts of its entities."""
        return TextCheck(self.ruleset)

    @cached_property
    def translations(self) -> PackFindings:
        """The errors of its translations, and the texts that they lack."""
        return check_translations(
            self.reader, self.ruleset, self.folder, language_files(self.folder)
        )

    @cached_property
    def shared(self) -> PackFindings:
        """The errors of what it shares with the game of its group, and the warnings."""
        return _shared_problems(self)


def _template_errors(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the errors of the pack's templates when they print a random character."""
    for path in templates_in(pack.folder):
        try:
            template = find_template(str(path))
            character = CharacterSpec(pack.ruleset, SEED, SEED).replay(RandomAnswers(SEED))
            render_template(template, build(character), PrintOptions())
        except FaultyTemplate as error:
            yield from error.problems
        except UsageError as error:
            yield PackProblem(path, 1, 1, "", f"{error.reason}. {error.advice}")
        except CharforgeError:
            return  # what cannot be calculated is reported with the entity


def _without_value(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the formulas without a value for a random character of the first or the last level."""
    for level in (1, pack.ruleset.head.advancement.maximum):
        try:
            build(CharacterSpec(pack.ruleset, SEED, SEED, level).replay(RandomAnswers(SEED)))
        except FormulaError as error:
            for path in sorted(pack.reader.data):
                yield from formula_problems(path, error, cannot_be_calculated(error))
            return
        except CharforgeError:
            return


def _never_reachable(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the pack's own entities that nobody can ever have."""
    return _unreachable(pack, never=True)


def _only_given(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the pack's own entities that only a game master can give."""
    return _unreachable(pack, never=False)


def _unreachable(pack: _Pack, never: bool) -> Iterator[PackProblem]:
    for one in pack.unreachable:
        if one.never == never and one.entity in pack.places:
            file, path = pack.places[one.entity]
            key_path = (*path, *(one.key_path or ("id",)))
            yield pack.reader.problem(file, key_path, one.message, one.nearest)


def _modifiers_without_effect(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the modifiers of values that no unit has which can gain the entity."""
    obtainable = Obtainable(pack.ruleset)
    for name, (file, path) in pack.places.items():
        entity = pack.ruleset.entities[name]
        unit = pack.ruleset.unit_type(entity)
        units = obtainable.bearers(entity) if unit is None else {unit.id}
        owned = {value for bearer in units for value in pack.ruleset.units[bearer].values}
        for number, modifier in enumerate(entity.modifies):
            targets = {*pack.ruleset.target_values(modifier.value)}
            if modifier.value and "$" not in modifier.value and not targets & owned:
                labels = _(" or ").join(
                    sorted(pack.ruleset.units[bearer].label for bearer in units)
                )
                message = _(
                    "only {labels} can have this, without the value {value}: this has no effect"
                ).format(labels=labels, value=shorten(modifier.value))
                yield pack.reader.problem(file, (*path, "modifies", number, "value"), message)


def _unsaid_conditions(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the conditions of modifiers that no text on a sheet mentions.

    A sheet prints texts, and neither the modifiers nor their conditions.
    """
    for name, (file, path) in pack.places.items():
        entity = pack.ruleset.entities[name]
        printed = " ".join(_printed(entity, pack.ruleset))
        parts: list[tuple[KeyPath, str, Entity | Option]] = [((), printed, entity)]
        for number, question in enumerate(entity.choices):
            parts += [
                (("choices", number, "options", at), f"{printed} {option.text}", option)
                for at, option in enumerate(question.listed_options)
            ]
        for key_path, text, part in parts:
            for number, modifier in enumerate(part.modifies):
                if modifier.when is not None and (
                    unsaid := _unsaid(modifier.when, text.casefold(), entity, pack.ruleset)
                ):
                    place = (*path, *key_path, "modifies", number, "when")
                    yield pack.reader.problem(file, place, unsaid)


def _printed(entity: Entity, ruleset: Ruleset) -> Iterator[str]:
    """Yield what a sheet prints of an entity: its texts, and the labels of flags that it has."""
    if entity.condition is not None and entity.condition.hidden:
        return
    yield from filter(None, (entity.text, entity.digest, *(one.text for one in entity.ruled)))
    for action in entity.actions:
        yield from filter(None, (action.text, action.digest))
    for attack in entity.attacks:
        yield from filter(None, (attack.text, attack.digest, *(one.text for one in attack.notes)))
    for name, field in ruleset.kinds[entity.kind].fields.items():
        if entity.own.get(name) is True:
            yield field.label


def _unsaid(when: Formula, printed: str, entity: Entity, ruleset: Ruleset) -> str:
    """Return what printed texts do not say of a condition, as a sentence; empty if they may."""
    if not printed.strip():
        return _("no text on a sheet says that this depends on {formula}: add a text").format(
            formula=shorten(when.text)
        )
    for name in when.referred:
        known = ruleset.name_of(name.removeprefix(TAG_PREFIX))
        if known and name != entity.id and original(known).casefold() not in printed:
            message = _("this depends on {name}, which no text on a sheet mentions")
            return message.format(name=known)
    return ""


def _actions_given_twice(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the grants of what ``sheet.actions`` gives to everyone: it would be listed twice."""
    kind = pack.ruleset.head.sheet.actions
    for path, data in pack.reader.data.items():
        if not kind or not path.is_relative_to(pack.folder):
            continue
        for key_path, grant in _grants(data):
            name = pack.ruleset.canonical(
                str(grant.get("id") if isinstance(grant, dict) else grant)
            )
            if name in pack.ruleset.entities and pack.ruleset.entities[name].kind == kind:
                message = _(
                    "everyone has {name} already, because sheet.actions is {kind}: without "
                    "this grant it is listed once"
                ).format(name=pack.ruleset.entities[name].name, kind=kind)
                yield pack.reader.problem(path, key_path, message)


def _had_twice(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the kinds of which a character can have the same thing twice, each with an example.

    Of what is bought or carried everyone may have several.
    """
    head, rules = pack.head, pack.ruleset.head
    if head is None:
        return
    asked, entities = rules.advancement.asks, pack.ruleset.entities.values()
    choices = (
        question for entity in entities for question in (*entity.choices, *entity.each_level)
    )
    offers = _questions_by_offer(pack.ruleset, (*rules.creation_questions, *asked, *choices))
    at_levels = _questions_by_offer(pack.ruleset, (one for one in asked if one.when is None))
    grants = [(HEAD, rules.creation_grants)]
    grants += [(entity.id, entity.all_grants) for entity in entities]
    granting = {
        name: origin
        for origin, granted in grants
        for _at, name in granted_entities(pack.ruleset, granted)
    }
    for number, kind in enumerate(rules.kinds):
        if kind.single or kind.id in (*rules.gear.kinds, *rules.sheet.items):
            continue
        for entity in pack.ruleset.of_kind(kind.id):
            if entity.repeatable:
                continue
            if entity.id in granting and entity.id in offers:
                where = _("{entity} grants it, and the question {question} offers it").format(
                    entity=granting[entity.id], question=offers[entity.id]
                )
            elif entity.id in at_levels:
                where = _("the question {question} offers it at each level").format(
                    question=at_levels[entity.id]
                )
            else:
                continue
            message = _(
                "a character can have {id} twice, because {where}: add single: true to this kind, "
                "or repeatable: true to {id} if that is right"
            ).format(id=entity.id, where=where)
            yield pack.reader.problem(head, ("kinds", number, "id"), message)
            break


def _never_had(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the formulas that ask for a condition which nobody puts on: it follows from values."""
    procedures, entities = pack.ruleset.procedures.values(), pack.ruleset.entities.values()
    actions = (action for entity in entities for action in entity.actions)
    steps = chain(*(one.steps for one in procedures), *(one.does for one in actions))
    put = {pack.ruleset.canonical(step.condition) for step in steps if isinstance(step, Put)}
    put |= {
        str(cell) for one in pack.ruleset.charts.values() for row in one.rows for cell in row.cells
    }
    derived = {one.id: one for one in pack.ruleset.derived_conditions if one.id not in put}
    parts = (pack.ruleset.head, *entities, *procedures)
    formulas = {leaf for part in parts for leaf, _key in leaves(part) if isinstance(leaf, Formula)}
    paths = [path for path in sorted(pack.reader.data) if path.is_relative_to(pack.folder)]
    for formula in sorted(formulas, key=str):
        for name in sorted({*formula.referred} & derived.keys()):
            message = _(
                "{id} follows from its active_when, so no formula finds it: write {formula} instead"
            ).format(id=name, formula=derived[name].active_when)
            for path in paths:
                yield from formula_problems(path, FormulaError(formula.text, ""), message)


def _questions_by_offer(ruleset: Ruleset, questions: Iterable[Question]) -> dict[str, str]:
    """Return the id of a question that offers each entity, by the entity."""
    return {
        name: question.id
        for question in questions
        for _at, name in offered_entities(ruleset, question)
    }


def _unread_charts(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the pack's own charts that no step reads, no input names and no sheet prints."""
    procedures, entities = pack.ruleset.procedures.values(), pack.ruleset.entities.values()
    actions = [action for entity in entities for action in entity.actions]
    steps = chain(*(one.steps for one in procedures), *(one.does for one in actions))
    inputs = chain(*(one.inputs for one in procedures), *(one.inputs for one in actions))
    used = {*pack.ruleset.head.sheet.charts, *(one.chart_read for one in steps)}
    used |= {one.chart for one in inputs}
    for path, data in pack.reader.data.items():
        charts = data.get("charts") if isinstance(data, dict) else None
        for number, chart in enumerate(charts or () if path.is_relative_to(pack.folder) else ()):
            if chart["id"] not in used and not pack.ruleset.charts[chart["id"]].by_hand:
                message = _(
                    "nothing reads this chart: add a step (do: read, chart: {id}), "
                    "print it on sheets (sheet.charts), or say that it is for people "
                    "(by_hand: true)"
                ).format(id=chart["id"])
                yield pack.reader.problem(path, ("charts", number, "id"), message)


def _values_of_no_unit(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the pack's own values that no unit type has."""
    head = pack.head
    if head is None:
        return
    owned = {name for unit in pack.ruleset.units.values() for name in unit.values}
    for number, value in enumerate(pack.ruleset.head.values):
        if value.id not in owned:
            message = _("no unit has this value: add it to the 'values' of one")
            yield pack.reader.problem(head, ("values", number, "id"), message)


def _grants(data: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the items of every list of grants below a part of a page, each with its place."""
    for key_path, part in _parts_below(data, path):
        grants = part.get("grants") if isinstance(part, dict) else None
        for number, grant in enumerate(grants if isinstance(grants, list) else ()):
            yield (*key_path, "grants", number), grant


def _impossible_options(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the options of the pack's own questions that nobody can ever choose."""
    head = pack.head
    if head is None:
        return
    for option in impossible_options(pack.ruleset):
        yield pack.reader.problem(head, option.key_path, option.message, option.nearest)


def _closed_questions(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the questions of which a random character of the highest level can choose nothing."""
    head, highest = pack.head, pack.ruleset.head.advancement.maximum
    if head is None:
        return
    try:
        character = CharacterSpec(pack.ruleset, SEED, SEED, highest).replay(RandomAnswers(SEED))
    except CharforgeError:
        return  # what cannot be calculated is reported with the entity
    questions = {
        id(question): (*path, number)
        for path, steps in (
            (("creation",), pack.ruleset.head.creation),
            (("advancement", "asks"), pack.ruleset.head.advancement.asks),
        )
        for number, question in enumerate(steps)
    }
    for decision in character.open:
        place, why = questions.pop(id(decision.question), None), decision.why_nothing_is_left()
        if place is not None and why:
            message = _("a random character has nothing left to choose ({heading})").format(
                heading=decision.heading()
            )
            yield pack.reader.problem(head, place, f"{message}: {why}")


def _unread_questions(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the questions whose answer changes nothing and is read by nothing.

    In creation only the choice of a value: other answers can be for people.
    """
    head = pack.head
    if head is None:
        return
    parts = (pack.ruleset.head, *pack.ruleset.entities.values(), *pack.ruleset.procedures.values())
    read = {
        name
        for part in (*parts, *pack.ruleset.charts.values())
        for leaf, key in leaves(part)
        for name in _questions_read(leaf, key)
    }
    of_levels = (("advancement", "asks"), pack.ruleset.head.advancement.asks)
    for path, number, question in (
        (path, number, question)
        for path, questions in ((("creation",), pack.ruleset.head.creation), of_levels)
        for number, question in enumerate(questions)
        if isinstance(question, Question)
    ):
        source = question.option_source
        of_values = source is not None and source.values is not None
        of_terms = source is not None and source.terms is not None
        listed = question.listed_options
        without_effect = of_terms or bool(listed and not any(map(_has_effect, listed)))
        idle = of_values or (path != ("creation",) and without_effect)
        if idle and question.id not in read:
            message = _(
                "nothing reads the answer, so it changes nothing: raise a value with do: allot, "
                "or read the answer in a formula, chose('{id}', '{option}')"
            )
            option = next(iter(pack.ruleset.option_ids(question)), "…")
            text = message.format(id=question.id, option=option)
            yield pack.reader.problem(head, (*path, number), text)


def _questions_read(leaf: str | Formula, key: str) -> Iterable[str]:
    """Return the questions that a text or formula of a pack reads, which stands at a key."""
    if isinstance(leaf, Formula):
        return [choice for choice, _answer in leaf.chosen]
    return [leaf] if key in PLACES_OF_QUESTIONS else CHOSE.findall(leaf)


def _has_effect(option: Option) -> bool:
    """Return whether it matters for the character that an option of a question is chosen."""
    return bool(option.modifies or option.grants)


def _shared_problems(pack: _Pack) -> PackFindings:
    """Return the errors of what a game reads and changes of its group's game, and warnings.

    The other game is in a folder ``beside`` or installed; without it, a warning says that nothing
    was compared.
    """
    head, spec = pack.head, pack.ruleset.head.shared
    if head is None or spec is None:
        return PackFindings()
    owned = _game_of_group(pack.beside / spec.ruleset)
    if owned is None:
        reason, near = _why_not_compared(pack, spec.ruleset)
        message = _("what it shares was not compared: {why}").format(why=reason)
        warning = pack.reader.problem(head, ("shared", "ruleset"), message, near)
        return PackFindings(warnings=(warning,))
    resources = {
        name for unit in owned.head.units for name, value in unit.values.items() if value.resource
    }
    errors = [
        pack.reader.problem(
            head,
            ("shared", "values", number, "id"),
            _('{game} has no value "{name}"').format(game=owned.id, name=value.id),
            nearest(value.id, owned.values),
        )
        for number, value in enumerate(spec.values)
        if value.id not in owned.values
    ]
    for path, data in pack.reader.data.items():
        for key_path, name in _changes_of_shared(data):
            if name in owned.values and name not in resources:
                message = _(
                    '"{name}" of {game} is not a resource, so nothing can change it'
                ).format(name=name, game=owned.id)
                errors.append(
                    pack.reader.problem(path, key_path, message, nearest(name, resources))
                )
    here, there = (
        {path.stem for path in language_files(folder)}
        for folder in (pack.folder, _game_folder(pack.beside / spec.ruleset))
    )
    warnings = [
        pack.reader.problem(
            head,
            ("shared", "ruleset"),
            _("{game} has no texts in the language {code}, so pages with both are in {own}").format(
                game=owned.id, code=code, own=pack.ruleset.head.language
            ),
        )
        for code in sorted(here - there)
        if code != owned.head.language
    ]
    return PackFindings(errors, warnings)


def _why_not_compared(pack: _Pack, game: str) -> tuple[str, str]:
    """Return why the game of the group cannot be loaded, and the game with the nearest id."""
    known = {*available(), *_games_in(pack.beside)}
    if game in known:
        return _("{game} has errors, which catalog check lists").format(game=game), ""
    if game in _games_in(data_folder("examples")):
        why = _("{game} is not installed: charforge catalog add example:{game}")
        return why.format(game=game), ""
    why = _("{game} is not installed").format(game=game)
    return why, nearest(game, known - {pack.ruleset.id})


def _games_in(folder: Path) -> set[str]:
    """Return the names of the folders that have a game."""
    return {path.parent.name for path in folder.glob(f"*/{HEAD}")}


def _game_of_group(folder: Path) -> Ruleset | None:
    """Return the game in a folder, or the installed one of its name; None if it is not usable."""
    try:
        is_here = (folder / HEAD).is_file()
        return load_checked(folder).ruleset if is_here else load(folder.name)
    except CharforgeError:
        return None


def _game_folder(folder: Path) -> Path:
    """Return a folder if it has a game, else that of the installed game of its name."""
    known = {**installed(), **built_in()}
    return folder if (folder / HEAD).is_file() else known.get(folder.name, folder)


def _changes_of_shared(data: Any) -> Iterator[tuple[KeyPath, str]]:
    """Yield where a part of a page changes a shared value, in a step or a cost, with its id."""
    for key_path, part in _parts_below(data, ()):
        if not isinstance(part, dict):
            continue
        value, cost = part.get("value"), part.get("cost")
        if part.get("do") == "change" and isinstance(value, str) and value.startswith(SHARED):
            yield (*key_path, "value"), value.removeprefix(SHARED)
        for name in cost if isinstance(cost, dict) else ():
            if isinstance(name, str) and name.startswith(SHARED):
                yield (*key_path, "cost", name), name.removeprefix(SHARED)


def _parts_below(data: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    """Yield a part of a page and everything in it, each with its place."""
    yield path, data
    listed = enumerate(data) if isinstance(data, list) else ()
    for key, part in data.items() if isinstance(data, dict) else listed:
        yield from _parts_below(part, (*path, key))


def _unprintable_texts(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the errors of values that no unit can compute, and of texts that no sheet can print."""
    obtainable = Obtainable(pack.ruleset)
    if pack.head is not None:
        for key_path, error in pack.texts.faulty_values.items():
            yield pack.reader.problem(pack.head, key_path, cannot_be_calculated(error))
    for name, (file, path) in pack.places.items():
        entity = pack.ruleset.entities[name]
        for key, reason in pack.texts.errors(entity, obtainable.bearers(entity)):
            yield pack.reader.problem(file, (*path, *key), reason)


def _sample_errors(pack: _Pack) -> Iterator[PackProblem]:
    """Yield the errors in the files of samples; ``catalog test`` runs them."""
    for path in pack_samples.sample_files(pack.folder):
        try:
            pack_samples.read_checked_sample(path, pack.ruleset)
        except PackError as error:
            yield from error.problems


# What makes a pack unusable.
ERRORS: tuple[Check, ...] = (
    _never_reachable,
    _impossible_options,
    lambda pack: endless_cooldowns(pack.reader, pack.places, pack.ruleset),
    _modifiers_without_effect,
    _unprintable_texts,
    _sample_errors,
    lambda pack: pack.translations.errors,
    _template_errors,
    lambda pack: pack.shared.errors,
)
# What only shows when characters are created and rules run: of a pack without other errors.
ERRORS_OF_TRIALS: tuple[Check, ...] = (
    _without_value,
    lambda pack: without_result(pack.reader, pack.places, pack.ruleset, pack.texts.bearers[1:]),
)
# What works and is probably a mistake.
WARNINGS: tuple[Check, ...] = (
    _only_given,
    _closed_questions,
    _unsaid_conditions,
    _actions_given_twice,
    _had_twice,
    _never_had,
    _unread_charts,
    _values_of_no_unit,
    _unread_questions,
    lambda pack: attacks_without_rule(pack.reader, pack.places, pack.ruleset),
    lambda pack: attacks_with_typos(pack.reader, pack.places, pack.ruleset),
    lambda pack: group_typos(pack.reader, pack.places, pack.ruleset),
)
