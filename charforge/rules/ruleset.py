"""Ruleset: the loaded rules of a game, with look-ups by id, name, kind and query."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from charforge.errors import UnknownId
from charforge.expressions.formula import SHARED, Formula, FunctionScope, Scope
from charforge.expressions.template import true_minus
from charforge.language import _
from charforge.rules.models import (
    GROUP,
    Among,
    Chart,
    CheckSpec,
    Die,
    Entity,
    Kind,
    Procedure,
    Put,
    Query,
    Question,
    Roll,
    RollWay,
    RulesetHead,
    Ruling,
    Symbol,
    TableRow,
    TableRule,
    Term,
    Track,
    TrackStep,
    UnitType,
    Value,
    variables,
)
from charforge.rules.models.base import BEARER
from charforge.rules.names import exact_matches, name_matches, original, spellings

Cached = TypeVar("Cached")
FINAL_BRACKETS = re.compile(r"\s*\([^()]*\)$")  # at the end of a label
LONGEST_SHORT_LABEL = 30  # characters
EVENT = re.compile(r"event\.([0-9]+)")  # the id of what an event does
LEVEL_DECISION = re.compile(r"(?:.+\.)?level\.([0-9]+)\..+")  # the id of a decision of a level


@dataclass(frozen=True)
class Pack:
    """A pack that amends a loaded ruleset; ``hash`` is the SHA-256 of its files."""

    id: str
    name: str
    version: str
    hash: str
    authors: tuple[str, ...] = ()
    licence: str = ""


class PackFiles(NamedTuple):
    """A pack that amends a ruleset, with its pages."""

    pack: Pack
    pages: tuple[Path, ...]
    folder: Path


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game, validated and frozen.

    ``hash`` is the SHA-256 of the ruleset's files: a character stores it, so
    that a change is noticed. ``packs`` are the packs that amend it, in the
    order in which they were applied; ``origins`` maps the entities that they
    added to the pack's id. ``language`` is the one into which its texts are
    translated, if they are. ``memo`` holds results computed from the rules
    alone (``cached``).
    """

    head: RulesetHead = field(repr=False)
    entities: Mapping[str, Entity] = field(repr=False)
    rulings: Mapping[str, Ruling] = field(repr=False)
    hash: str
    procedures: Mapping[str, Procedure] = field(default_factory=dict, repr=False)
    charts: Mapping[str, Chart] = field(default_factory=dict, repr=False)
    packs: tuple[Pack, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict, repr=False)
    language: str = ""
    memo: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Give the questions that roll on tables those of the ruleset."""
        if self.head.random_tables:
            for question in self._all_questions():
                question.share(self.head.random_tables)

    def _all_questions(self) -> Iterator[Question]:
        """Yield the questions of creation, of levels, of units and of entities."""
        yield from (*self.head.creation_questions, *self.head.advancement.asks)
        for unit in self.head.units:
            yield from unit.asks
        for entity in self.entities.values():
            yield from (*entity.choices, *entity.each_level)

    @property
    def id(self) -> str:
        """The ruleset's id."""
        return self.head.id

    @property
    def page_language(self) -> str:
        """The language of its texts, and so of every page that shows it."""
        return self.language or self.head.language

    @property
    def digest(self) -> str:
        """The hashes of its files and of the packs that amend it: the key of its content."""
        return " ".join([self.hash, *(pack.hash for pack in self.packs)])

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """The kinds of entity by id."""
        return {kind.id: kind for kind in self.head.kinds}

    @cached_property
    def values(self) -> dict[str, Value]:
        """The vocabulary of values by id."""
        return {value.id: value for value in self.head.values}

    @cached_property
    def shared_labels(self) -> dict[str, str]:
        """The labels of the values of what the group owns, by their names in formulas."""
        shared = self.head.shared
        return {} if shared is None else {f"{SHARED}{one.id}": one.label for one in shared.values}

    def value_label(self, name: str) -> str:
        """Return the label of a value by id; of one of what the group owns with what that is."""
        label = self.shared_labels.get(name)
        if label is not None and self.head.shared is not None:
            return f"{label} ({self.head.shared.label})"
        return self.values[name].label

    def subject(self, about: str) -> str:
        """Return what a condition concerns as players read it: a value's label, a thing's name."""
        if about in self.values:
            return self.values[about].label
        entity = self.entities.get(about)
        return about if entity is None else entity.name

    @cached_property
    def conditions_about(self) -> dict[str, str]:
        """The ids of the conditions that rules put on about an input, with its type.

        A marked skill is about a ``value``, a broken tool about an ``item``.
        """
        return {
            step.condition: input_.type
            for rule in self.procedures.values()
            for step in rule.steps
            if isinstance(step, Put) and step.about is not None
            for input_ in [rule.input(step.about[1:])]
            if input_ is not None
        }

    @cached_property
    def ticks(self) -> dict[str, Entity]:
        """The conditions that rules put on about a value, by the values: a skill can be ticked."""
        return {
            value: self.entities[step.condition]
            for rule in self.procedures.values()
            for step in rule.steps
            if isinstance(step, Put) and step.about is not None
            for input_ in [rule.input(step.about[1:])]
            if input_ is not None and input_.type == "value" and input_.group
            for value in self.grouped(input_.group)
        }

    @cached_property
    def conditions_of_fields(self) -> tuple[Entity, ...]:
        """The conditions that change numbers of the item that they are about."""
        about = (self.entities[n] for n, type_ in self.conditions_about.items() if type_ == "item")
        return tuple(one for one in about if any(m.field is not None for m in one.modifies))

    @cached_property
    def _values_by_name(self) -> dict[str, Value]:
        """The values by each of their names in small letters; ids first."""
        names = {spelling: value for value in self.head.values for spelling in _spellings(value)}
        return names | self.values

    def value_called(self, name: str) -> Value | None:
        """Return the value with this id, label or name, in this or the pack's own language."""
        return self._values_by_name.get(name.casefold())

    def other_names(self, about: str) -> list[str]:
        """Return the other ways to write the value that a condition is about, if it is one."""
        value = self.value_called(about)
        if value is None:
            return []
        names = [value.id, value.label, value.name, original(value.label), original(value.name)]
        return [name for name in dict.fromkeys(names) if name != about]

    def subject_names(self, about: str) -> set[str]:
        """Return what a condition about somebody or something may say: of a value any of its names.

        Those of the pack's own language count in any: files are shared between languages.
        """
        value = self.values.get(about)
        return {*spellings(about)} if value is None else {*_spellings(value)}

    def label_of(self, name: str) -> str:
        """Return the label of a value by id, also of one of what the group owns; else the name."""
        known = name in self.values or name in self.shared_labels
        return self.value_label(name) if known else name

    def value_noun(self, name: str, amount: int) -> str:
        """Return the name of a value after an amount of it: ``1 coin``, ``2 Stash (Crew)``."""
        value = self.values.get(name)
        return self.label_of(name) if value is None else value.noun(amount)

    def shared_named(self, word: str) -> str | None:
        """Return the id, ``shared.ID``, of the value of what the group owns with this name.

        It is named by that, by its label or by both labels: ``Heat``, ``Heat (Crew)``.
        """

        def names(id: str) -> Iterator[str]:
            yield from (id, id.removeprefix(SHARED), self.shared_labels[id], self.value_label(id))

        found = name_matches(self.shared_labels, word, names, beginnings=False)
        return found[0] if found else None

    @cached_property
    def units(self) -> dict[str, UnitType]:
        """The unit types by id; the first is the character's."""
        return {unit.id: unit for unit in self.head.units}

    @cached_property
    def index(self) -> EntityIndex:
        """The tables of all entities that most commands read."""
        return index_entities(self.entities)

    @cached_property
    def attack_inputs(self) -> tuple[str, ...]:
        """The inputs of the procedure of attacks, but for those that have the name of a value."""
        procedure = self.procedures.get(self.head.play.attack or "")
        inputs = procedure.inputs if procedure is not None else ()
        return tuple(one.id for one in inputs if one.id not in self.values)

    @cached_property
    def opposed_by(self) -> tuple[str, ...]:
        """The fields of entities that name an opposite."""
        return tuple(remark.opposed for remark in self.head.remarks if remark.opposed is not None)

    @cached_property
    def naming_fields(self) -> frozenset[str]:
        """The text fields of entities that name something instead of being read."""
        grouped = (kind.group_by for kind in self.head.kinds)
        parts = (*self.head.creation_questions, *self.head.advancement.asks)
        asked = (question for entity in self.entities.values() for question in entity.choices)
        sources = (question.option_source for question in (*parts, *asked))
        matched = (field for source in sources if source is not None for field in source.match)
        return frozenset((*grouped, *self.opposed_by, *matched))

    @cached_property
    def table_rules(self) -> dict[str, TableRule]:
        """The optional rules that a group can choose, by id."""
        return {rule.id: rule for rule in self.head.table_rules}

    @cached_property
    def step_variables(self) -> dict[str, str]:
        """Every variable that a step of a procedure or an action can set, with its origin.

        Those that share their name with a number or figure of an item are left out: without a
        character these are asked for.
        """
        entities = self.entities.values()
        actions = (action.does for entity in entities for action in entity.actions)
        known: dict[str, str] = {}
        for steps in (*(procedure.steps for procedure in self.procedures.values()), *actions):
            known |= variables((), steps, self.symbols)
        items = {name for entity in entities for name in entity.own_numbers}
        items |= {name for entity in entities for name in self.number_fields(entity)}
        return {name: origin for name, origin in known.items() if name not in items}

    @cached_property
    def conditions(self) -> tuple[Entity, ...]:
        """All entities that are conditions."""
        return tuple(self.entities[name] for name in self.index.conditions)

    @cached_property
    def derived_conditions(self) -> tuple[Entity, ...]:
        """The conditions that apply by themselves while a formula of the unit holds."""
        return tuple(self.entities[name] for name in self.index.derived_conditions)

    @cached_property
    def interruptible_conditions(self) -> tuple[Entity, ...]:
        """The conditions that end when the unit uses something."""
        return tuple(self.entities[name] for name in self.index.interruptible_conditions)

    @cached_property
    def barring_conditions(self) -> frozenset[str]:
        """The conditions that can keep a unit from using some things or anything."""
        return self.index.barring_conditions

    @cached_property
    def dice(self) -> dict[str, tuple[int, ...]]:
        """The faces of the ruleset's own dice with numbers, by id."""
        return {die.id: die.faces for die in self.head.dice if die.faces}

    @cached_property
    def symbol_dice(self) -> dict[str, Die]:
        """The ruleset's own dice with symbols, by id."""
        return {die.id: die for die in self.head.dice if die.symbols}

    @cached_property
    def symbols(self) -> dict[str, Symbol]:
        """The symbols of the ruleset's dice by id."""
        return {symbol.id: symbol for symbol in self.head.symbols}

    @cached_property
    def ways_to_roll(self) -> dict[str, RollWay]:
        """The ways to roll a number that is not added to dice, by id."""
        return {way.id: way for way in self.head.rolls}

    @cached_property
    def checks_of_values(self) -> dict[str, CheckSpec]:
        """The check of each value that has one, by its id; of several the first."""
        checks: dict[str, CheckSpec] = {}
        for spec in self.head.sheet.checks:
            for name in (value for target in spec.value for value in self.target_values(target)):
                checks.setdefault(name, spec)
        return checks

    def way_to_roll(self, value: str) -> RollWay | None:
        """Return the way in which a value is rolled; None if it is not, or is added to dice."""
        check = self.checks_of_values.get(value)
        return None if check is None or check.roll is None else self.ways_to_roll[check.roll]

    def rolled_value(self, value: str) -> str:
        """Return the value that is rolled for one: itself if it has a check, else its modifier."""
        known = self.values.get(value)
        if known is None or known.modifier is None or value in self.checks_of_values:
            return value
        return known.modifier

    def way_to_roll_figure(self, figure: str) -> RollWay | None:
        """Return the way in which a number of entities is rolled, as ``way_to_roll`` does."""
        checks = (spec for spec in self.head.sheet.checks if figure in spec.figure and spec.roll)
        return next((self.ways_to_roll[spec.roll or ""] for spec in checks), None)

    def sheet_text(self, value: str, figure: int) -> str:
        """Return a figure as sheets print it: ``64 %, hard 32 %``, ``d8``, ``10 m``."""
        way = self.way_to_roll(value)
        return self.values[value].figure(figure) if way is None else way.text(figure)

    @cached_property
    def tracks(self) -> dict[str, Track]:
        """The tracks by their value; if several share one, the first."""
        return {track.value: track for track in reversed(self.head.tracks)}

    @cached_property
    def track_steps(self) -> dict[str, tuple[Track, TrackStep]]:
        """Every step of a track with its track, by its id as a source of modifiers."""
        return {t.source_id(step): (t, step) for t in self.head.tracks for step in t.steps}

    def figure_text(self, value: str, figure: int) -> str:
        """Return a figure as text without its unit: ``d8``, or ``2 (Winded)`` on a track."""
        track = self.tracks.get(value)
        known, way = self.values.get(value), self.way_to_roll(value)
        if known is None:
            return true_minus(str(figure))
        if way is not None:
            return way.number_text(figure)
        number = true_minus(track.figure_text(figure)) if track else known.number_text(figure)
        return known.before + number

    def table_rule_options(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the option of every table rule: the one chosen, else the default."""
        return {name: chosen.get(name, rule.default) for name, rule in self.table_rules.items()}

    def entity(self, name: str) -> Entity:
        """Return the entity with this id, or with this former id.

        Raises UnknownId with the nearest id.
        """
        entity = self._entity(name)
        if entity is None:
            raise UnknownId(_("entity of {name}").format(name=self.head.name), name, self.entities)
        return entity

    def procedure(self, name: str) -> Procedure:
        """Return a procedure by id. Raises UnknownId."""
        procedure = self.procedures.get(name)
        if procedure is None:
            raise UnknownId(
                _("procedure of {name}").format(name=self.head.name), name, self.procedures
            )
        return procedure

    def _entity(self, name: str) -> Entity | None:
        """Return the entity with this id, or with this former id."""
        return self.entities.get(name) or self.entities.get(self.index.renamed.get(name, ""))

    def canonical(self, name: str) -> str:
        """Return the present id of an entity: aliases and former ids resolved."""
        entity = self._entity(name)
        return name if entity is None else entity.alias_of or entity.id

    def kind_label(self, entity: str) -> str:
        """Return the label of the kind with which an entity's id begins; empty for no known one."""
        kind = self.kinds.get(entity.partition("/")[0])
        return "" if kind is None else kind.label

    def name_of(self, word: str, short: bool = False) -> str:
        """Return the name of an entity, also by a former id, a value or term; empty for none.

        ``short`` gives the label of a value (STR) in place of its name.
        """
        entity = self._entity(word)
        if entity is not None:
            return entity.name
        value, term = self.values.get(word), self.term(word)
        if value is not None:
            return value.label if short else value.name
        return term.label if term is not None else ""

    def short_label(self, question: Question) -> str:
        """Return a question in a word or two, as the history and messages name it."""
        if question.short:
            return question.short
        query = question.query
        if query is not None and len(query.kind) == 1:
            kind = self.kinds[query.kind[0]]
            return kind.plural if question.is_list else kind.label
        value = question.sets_value
        if value in self.values and value not in self._set_by_several:
            return self.values[value].label
        if not question.label.endswith("?") and len(question.label) <= LONGEST_SHORT_LABEL:
            return question.label
        return id_in_words(question.id)

    @cached_property
    def _set_by_several(self) -> set[str]:
        """The values that several questions of creation are added to."""
        counts = Counter(question.sets_value for question in self.head.creation_questions)
        return {value for value, count in counts.items() if count > 1}

    @cached_property
    def rolls(self) -> dict[str, Roll]:
        """The rolls of creation, by id."""
        questions = self.head.creation_questions
        rolls = (question.named_roll for question in questions)
        return {roll.id: roll for roll in rolls if roll is not None}

    def option_label(self, question: Question, item: object, short: bool = False) -> str:
        """Return one item of an answer in words; a player's text or a number is unchanged."""
        if question.is_text:
            return question.shown(str(item))
        label = next((option.label for option in question.listed_options if option.id == item), "")
        known = self.name_of(item, short) if isinstance(item, str) else ""
        return label or known or str(item)

    def row_label(self, row: TableRow) -> str:
        """Return the result of a row of a random table; empty if it only rolls again."""
        return row.label or _(" and ").join(self.entities[grant.id].name for grant in row.grants)

    def answer_label(self, question: Question, answer: object) -> str:
        """Return an answer in words, with the labels of values."""
        if question.all_tables:
            drawn = question.draws(answer, self.dice).results
            return ", ".join(filter(None, (self.row_label(draw.row) for draw in drawn)))
        items = answer if isinstance(answer, list | tuple) else [answer]
        return ", ".join(self.option_label(question, item, short=True) for item in items)

    def name_part(self, question: Question, answer: object) -> str:
        """Return an answer as a part of a name: without what its label explains in brackets."""
        return FINAL_BRACKETS.sub("", self.answer_label(question, answer))

    def decision_label(self, decision: str) -> str:
        """Return a decision in words where only its id is known: ``Level 2: HP``."""
        questions = self._questions_by_id.get(decision.rsplit(".", 1)[-1], ())
        labels = {self.short_label(question) for question in questions}
        label = labels.pop() if len(labels) == 1 else id_in_words(decision)
        level = LEVEL_DECISION.fullmatch(decision)
        return label if level is None else f"{self.head.advancement.text(int(level[1]))}: {label}"

    def answer_label_by_id(self, decision: str, answer: str) -> str:
        """Return an answer in words where only the id of its decision is known."""
        for question in self._questions_by_id.get(decision.rsplit(".", 1)[-1], ()):
            for option in self.option_ids(question):
                if answer in (option, option.rpartition("/")[2]):
                    return self.option_label(question, option, short=True)
        return self.name_of(answer, short=True) or answer

    @cached_property
    def _questions_by_id(self) -> dict[str, list[Question]]:
        """The questions of creation and of entities by the last part of their ids."""
        by_id: dict[str, list[Question]] = {}
        choices = (choice for entity in self.entities.values() for choice in entity.choices)
        for question in (*self.head.creation_questions, *choices):
            by_id.setdefault(question.id.rsplit(".", 1)[-1], []).append(question)
        return by_id

    @cached_property
    def _asked_by_level(self) -> frozenset[str]:
        created = {question.id for question in self.head.creation_questions}
        return frozenset(one.id for one in self.head.advancement.asks if one.id not in created)

    def decisions_of(self, name: str) -> tuple[str, ...]:
        """Return the decisions that a question means in chose(): one, or one for each level."""
        if name.partition(".")[0] not in self._asked_by_level:
            return (name,)
        return tuple(f"level.{n}.{name}" for n in range(2, self.head.advancement.maximum + 1))

    def option_ids(self, question: Question) -> tuple[str, ...]:
        """Return the ids of the options of a question; empty if it has none, or only dice."""
        among = question.option_source
        if among is None:
            return tuple(option.id for option in question.listed_options)
        if among.query is not None:
            return tuple(entity.id for entity in self.select(among.query))
        if among.values is not None:
            return self.values_among(among)
        return tuple(term.id for term in self.terms_among(among))

    def values_among(self, among: Among) -> tuple[str, ...]:
        """Return the ids of the values that a choice offers; empty if it offers none."""
        names = self.group(among.values) if among.values is not None else ()
        return tuple(name for name in names if not among.only or name in among.only)

    def terms_among(self, among: Among) -> tuple[Term, ...]:
        """Return the terms that are the options of a question, if its options are terms."""
        terms = self.head.terms.get(among.terms or "", ())
        return tuple(term for term in terms if not among.only or term.id in among.only)

    @cached_property
    def former_slugs(self) -> dict[str, tuple[str, ...]]:
        """The former slugs of every renamed entity, by its present slug."""
        slugs: dict[str, tuple[str, ...]] = {}
        for old, name in self.index.renamed.items():
            slug = name.split("/", 1)[1]
            slugs[slug] = (*slugs.get(slug, ()), old.split("/", 1)[-1])
        return slugs

    def term(self, name: str) -> Term | None:
        """Return the term with this id, from any vocabulary."""
        return self._terms.get(name)

    @cached_property
    def _terms(self) -> dict[str, Term]:
        return {term.id: term for terms in self.head.terms.values() for term in terms}

    def value_named(self, word: str) -> Value | None:
        """Return the value with this id, name or label, in upper or lower case."""
        return named_value(word, self.values.values())

    def resource_named(self, word: str) -> Value | None:
        """Return the value with this name; money can also be named by its unit."""
        money = (value for value in self.head.values if value.id == self.head.gear.money)
        by_unit = exact_matches(money, word, lambda value: (value.unit,))
        return by_unit[0] if by_unit else self.value_named(word)

    def chart_named(self, word: str) -> Chart | None:
        """Return the chart with this id or label, in upper or lower case."""
        charts = self.charts.values()
        found = name_matches(charts, word, lambda one: (one.id, one.label), beginnings=False)
        return found[0] if found else None

    def target_values(self, target: str) -> tuple[str, ...]:
        """Return the ids of the values that a name means: its own, or all of ``group:NAME``."""
        return self.group(target.removeprefix(GROUP)) if target.startswith(GROUP) else (target,)

    def group(self, name: str) -> tuple[str, ...]:
        """Return the ids of the values of a group, in order."""
        return self._groups.get(name, ())

    def grouped(self, groups: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of the values of several groups, in order."""
        return tuple(value for name in groups for value in self.group(name))

    @cached_property
    def _groups(self) -> dict[str, tuple[str, ...]]:
        groups: dict[str, tuple[str, ...]] = {}
        for value in self.head.values:
            if value.group:
                groups[value.group] = (*groups.get(value.group, ()), value.id)
        return groups

    def select(self, query: Query) -> tuple[Entity, ...]:
        """Return the entities that a query selects, in the order of the files; no aliases."""

        def collect() -> tuple[Entity, ...]:
            names = (name for name in self.entities if not query.ids or name in query.ids)
            kinds = query.kind or self.kinds
            possible = (self.entities[name] for name in names if name.partition("/")[0] in kinds)
            return tuple(filter(partial(matches, query), possible))

        return self.cached(query, collect)

    def offered(self, question: Question) -> tuple[Entity, ...]:
        """Return the entities among the options of a question."""
        return self.select(question.query) if question.query is not None else ()

    def unit_type(self, entity: Entity) -> UnitType | None:
        """Return the type of the unit that an entity becomes when it is held, if it does."""
        return self.units.get(self.kinds[entity.kind].unit or "")

    def cached(self, key: Hashable, make: Callable[[], Cached]) -> Cached:
        """Return what ``make`` computes from the rules alone; computed once for each key."""
        if key not in self.memo:
            self.memo[key] = make()
        cached: Cached = self.memo[key]
        return cached

    def own_numbers(self, kinds: Iterable[str]) -> tuple[str, ...]:
        """Return the numbers of their own that all entities of some kinds have."""
        entities = [e for kind in kinds for e in self.of_kind(kind) if e.alias_of is None]
        numbers = [(*self.number_fields(e), *e.own_numbers) for e in entities]
        names = numbers[0] if numbers else ()
        return tuple(name for name in names if all(name in others for others in numbers))

    def number_fields(self, entity: Entity) -> dict[str, int]:
        """Return the numbers in the fields of its kind that formulas of an entity can read.

        A value or another number of the entity with the same name wins.
        """

        def of_kind() -> tuple[str, ...]:
            kind = self.kinds.get(entity.kind)
            fields = kind.fields.items() if kind is not None else ()
            numbers = (name for name, field in fields if field.type in ("number", "flag"))
            return tuple(name for name in numbers if name not in self.values)

        names = self.cached(("number fields", entity.kind), of_kind)
        return {name: figure(entity, name) for name in names if name not in entity.own_numbers}

    def of_kind(self, kind: str) -> Iterator[Entity]:
        """Yield every entity of a kind, aliases included."""
        return (self.entities[name] for name in self.entities if name.startswith(f"{kind}/"))


def are_opposed(one: Entity, other: Entity, field: str) -> bool:
    """Return whether one of two entities names the other in a field."""
    return other.id == one.own.get(field) or one.id == other.own.get(field)


def matches(query: Query, entity: Entity, bearer: Scope | None = None) -> bool:
    """Return whether a query selects an entity for a bearer; without one, for anybody."""
    tags = query.tags
    return (
        entity.alias_of is None
        and (not query.kind or entity.kind in query.kind)
        and (not query.ids or entity.id in query.ids)
        and all(tag in entity.tags for tag in tags.all)
        and (not tags.any or any(tag in entity.tags for tag in tags.any))
        and not any(tag in entity.tags for tag in tags.none)
        and (query.where is None or _fits(query, query.where, entity, bearer))
    )


def _fits(query: Query, where: Formula, entity: Entity, bearer: Scope | None) -> bool:
    """Return whether the numbers of an entity fit, for anybody if no bearer is known."""
    if bearer is None:
        if query.asks_bearer:
            return True
        return bool(where.evaluate_exact(FunctionScope(lambda name: figure(entity, name))))

    def read(name: str) -> Any:
        if name.startswith(BEARER):
            return bearer.read(name.removeprefix(BEARER))
        return figure(entity, name)

    return bool(where.evaluate_exact(FunctionScope(read, bearer.facts)))


def figure(entity: Entity, name: str) -> int:
    """Return a number of an entity by field name; 0 if it has none."""
    number = getattr(entity, name, None) if name in ("slots", "price") else entity.own.get(name)
    return number if isinstance(number, int) else 0


def id_in_words(name: str) -> str:
    """Return the last part of an id as words: ``Own name`` for ``weapon.own_name``."""
    return name.rsplit(".", 1)[-1].replace("-", " ").replace("_", " ").capitalize()


def named_value(word: str, values: Iterable[Value]) -> Value | None:
    """Return the value that a word means: by its id, else by its name, else by its label.

    A label on the sheet can be the id or the name of another value.
    """
    known = tuple(values)
    ways: tuple[Callable[[Value], Iterable[str]], ...] = (
        lambda value: (value.id,),
        lambda value: (value.name,),
        lambda value: (value.label,),
    )
    found = (value for way in ways for value in exact_matches(known, word, way))
    return next(found, None)


def value_named_by(prefix: str, answer: str) -> str:
    """Return the value that an answer stands for: itself, or the one of that name with a prefix."""
    return f"{prefix}{answer.replace('-', '_')}" if prefix else answer


Part = TypeVar("Part")


class EntityIndex(NamedTuple):
    """Answers about all entities of a ruleset that most commands need.

    They are the ids of those that are conditions, and of the conditions that apply by themselves,
    that end when the unit uses something, and that can keep it from using something. ``renamed``
    are the present ids by former id. ``grants_by_value`` is true if the table of some entity
    grants something when a value reaches a row.
    """

    conditions: tuple[str, ...]
    derived_conditions: tuple[str, ...]
    interruptible_conditions: tuple[str, ...]
    barring_conditions: frozenset[str]
    renamed: Mapping[str, str]
    grants_by_value: bool


def index_entities(entities: Mapping[str, Entity]) -> EntityIndex:
    """Return the index of the entities of a ruleset."""
    if isinstance(entities, CompiledEntities):
        return entities.index
    conditions = {id_: one.condition for id_, one in entities.items() if one.condition is not None}
    return EntityIndex(
        tuple(conditions),
        tuple(id_ for id_ in conditions if entities[id_].active_when is not None),
        tuple(id_ for id_, spec in conditions.items() if spec.interrupted_by),
        frozenset(
            id_
            for id_, spec in conditions.items()
            if spec.bars is not None or spec.allows or spec.ends
        ),
        {old: entity.id for entity in entities.values() for old in entity.renamed_from},
        any(entity.value_tables for entity in entities.values()),
    )


class CompiledParts(Mapping[str, Part]):
    """Parts of a compiled ruleset by id. The bytes come from a cache file of this user."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self._pickled = {
            name: pickle.dumps(part, pickle.HIGHEST_PROTOCOL) for name, part in parts.items()
        }
        self._read: dict[str, Part] = {}

    def __getstate__(self) -> dict[str, object]:
        """Return what is stored: nothing twice."""
        return {**vars(self), "_read": {}}

    def __getitem__(self, name: str) -> Part:
        part = self._read.get(name)
        if part is None:
            # The cache refuses files that anyone else could have written.
            part = self._read[name] = pickle.loads(self._pickled[name])  # noqa: S301  # nosec B301
        return part

    def __contains__(self, name: object) -> bool:
        return name in self._pickled

    def __iter__(self) -> Iterator[str]:
        return iter(self._pickled)

    def __len__(self) -> int:
        return len(self._pickled)


class CompiledEntities(CompiledParts[Entity]):
    """The entities of a compiled ruleset, with their index."""

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        super().__init__(entities)
        self.index = index_entities(entities)


def _spellings(value: Value) -> Iterator[str]:
    """Yield the names of a value in small letters, in this and in the pack's own language."""
    for name in (value.id, value.label, value.name):
        yield from spellings(name)
