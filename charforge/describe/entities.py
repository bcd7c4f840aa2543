"""Descriptions of entities by the rules alone.

Figures are formulas with labels, and the place of an answer is the name of its question in
brackets (``[Range]``). ``describe.held_entities`` fills in the numbers and answers of a
character.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.character import requirements
from charforge.character.holdings import without_empty_lines
from charforge.character.state import State
from charforge.decisions.base import DecisionOption
from charforge.decisions.kinds import decision_class
from charforge.describe.formulas import QUESTION_ALONE, CountText, FormulaWords, hit_damage
from charforge.expressions.formula import Formula
from charforge.expressions.template import (
    MINUS,
    NO_BREAK,
    Figure,
    parse_figure,
    range_text,
    signed_number,
    strip_markup,
    substitute,
)
from charforge.language import N_, _, dice_notation, ngettext, with_colon
from charforge.rules.models import (
    Action,
    Attack,
    Entity,
    Modifier,
    Question,
    Requirement,
    digest_of,
)
from charforge.rules.names import Translated
from charforge.rules.ruleset import Ruleset, value_named_by

CHANGE_SIGNS = {
    "set": "=",
    "add": "+",
    "multiply": "×",
    "at_least": N_("at least"),
    "at_most": N_("at most"),
}
MOST_OPTIONS = 4  # listed with a choice
ALLOWED = "†"  # marks what breaks a rule with permission
ATTACK_PARTS = {"roll": N_("Attack rolls"), "damage": N_("Damage of attacks")}


class AttackText(NamedTuple):
    """An attack in words; a part that it does not have is empty.

    ``terms`` are who makes it, what it spends, its Crit and the like, and what it requires.
    """

    name: str
    range: str
    roll: str
    damage: str
    terms: tuple[str, ...]
    text: str

    @property
    def notes(self) -> str:
        """Everything but its name, range, roll and damage."""
        return " · ".join(filter(None, (*self.terms, self.text)))


def option_text(option: DecisionOption, ruleset: Ruleset, choices: bool = True) -> str:
    """Return the description of an option, one line for each paragraph.

    Without ``choices``, what there is to choose for it is left out, and figures that are made
    of these choices.
    """
    if option.entity is not None:
        describer = _EntityDescriber(option.entity, ruleset)
        return "\n".join(describer.paragraphs(option.entity, choices))
    describer = _EntityDescriber(None, ruleset)
    if option.text or option.option is None:
        return describer.text(option.text)
    lines = [describer.changes(option.option.modifies)]
    for grant in option.option.grants:
        granted = ruleset.entity(grant.id)
        heading = f"**{granted.name}**" + (f" × {grant.quantity}" if grant.quantity > 1 else "")
        lines += [heading, *entity_paragraphs(granted, ruleset, grant.with_)]
    return "\n".join(filter(None, lines))


def entity_paragraphs(
    entity: Entity,
    ruleset: Ruleset,
    answers: Mapping[str, Any] = MappingProxyType({}),
    questions: bool = True,
    facts: bool = True,
    in_table: bool = False,
) -> Iterator[str]:
    """Yield the paragraphs of an entity's description, in the markup of packs.

    ``answers`` are the known answers to its own choices, by the id of the choice. Without
    ``questions``, it does not say what there is to choose; without ``facts``, what ``short_facts``
    has of ``with_short_fields`` is left out. With ``in_table``, its capacities and attacks are left
    out: a table has them.
    """
    describer = _EntityDescriber(entity, ruleset, answers)
    return describer.paragraphs(entity, questions=questions, facts=facts, in_table=in_table)


def attack_texts(entity: Entity, ruleset: Ruleset) -> tuple[AttackText, ...]:
    """Return the attacks of an entity in words."""
    return tuple(map(_EntityDescriber(entity, ruleset).attack, entity.attacks))


def capacity_texts(entity: Entity, ruleset: Ruleset) -> tuple[str, ...]:
    """Return how much each capacity of an entity holds: ``Ammo 3``."""
    return tuple(_EntityDescriber(entity, ruleset).capacities(entity))


def slots_text(count: int, ruleset: Ruleset) -> str:
    """Return a number of slots in words, as the game names the budget that they are spent from."""
    if (budget := ruleset.head.slots_budget) is not None:
        return budget.counted(count)
    return ngettext("{count} Slot", "{count} Slots", count).format(count=count)


def entity_terms(entity: Entity, ruleset: Ruleset) -> Iterator[str]:
    """Yield the costs and requirements of an entity."""
    if entity.slots is not None:
        yield slots_text(entity.slots, ruleset)
    if entity.price is not None:
        yield _("Price {price}").format(price=entity.price)
    if entity.requires is not None:
        yield _("Requires {requirement}").format(
            requirement=requirements.requirement_text(entity.requires, ruleset)
        )
    if entity.replaces is not None:
        yield _("Replaces {name}").format(name=ruleset.entities[entity.replaces].name)
    if entity.repeatable:
        most = (
            ""
            if entity.repeatable is True
            else _(", up to {repeatable} times").format(repeatable=entity.repeatable)
        )
        different = (
            _(", each time with a different {distinct}").format(distinct=_distinct(entity, ruleset))
            if entity.distinct
            else ""
        )
        yield _("Repeatable{most}{different}").format(most=most, different=different)


def _distinct(entity: Entity, ruleset: Ruleset) -> str:
    """Return the name of the choice that must differ: a word of the pack, in a translated game."""
    choice = next(choice for choice in entity.choices if choice.id == entity.distinct)
    label = ruleset.short_label(choice)
    return label if isinstance(label, Translated) else choice.id


def as_played(entity: Entity, ruleset: Ruleset, rules: Mapping[str, str]) -> Entity:
    """Return an entity with the text that it has with some table rules, option id by rule id."""
    return entity.model_copy(update={"text": State(ruleset, rules=rules).text(entity)})


def rules_text(text: str, ruleset: Ruleset) -> str:
    """Return a text of the rules that belongs to no entity, with labels in its figures."""
    return _EntityDescriber(None, ruleset).text(text)


def option_digest(entity: Entity, ruleset: Ruleset) -> str:
    """Return what an entity gives in a line or two: of its actions what they cost, when, and what.

    The timing of its actions is left out.
    """
    describer = _EntityDescriber(entity, ruleset)
    texts = [describer.text(digest_of(entity))]
    for action in entity.actions:
        told = " · ".join(describer.action_head(action))
        if action.name:
            told = f"{action.name} ({told})" if told else action.name
        digest = describer.text(digest_of(action))
        texts.append(f"{told}: {digest}" if told and digest else told or digest)
    return " ".join(strip_markup(text) for text in texts if text)


def field_text(text: str, ruleset: Ruleset) -> str:
    """Return a field as printed: the name of an entity, or a text with a capital letter."""
    if text in ruleset.entities:
        return ruleset.entities[text].name
    return capitalized(text)


def short_facts(
    entity: Entity,
    ruleset: Ruleset,
    numbers: Mapping[str, int] = MappingProxyType({}),
    *,
    with_usual: bool = True,
) -> tuple[str, ...]:
    """Return the fields of an entity as short texts; ``numbers`` are those that have changed.

    Labels (``Heavy 6``, ``Rarity: Rare``) are left out where the text is clear alone: flags,
    entities whose kind has that label, and the first text unless it begins with a number. A text
    that repeats another is left out, and without ``with_usual`` the usual text of a field.
    """
    fields = {
        name: (declared, numbers.get(name, value))
        for name, declared in ruleset.kinds[entity.kind].fields.items()
        if (value := entity.own.get(name)) is not None and value is not False
    }
    texts = {
        name: field_text(str(value), ruleset)
        for name, (declared, value) in fields.items()
        if declared.type == "text"
    }
    facts: list[str] = []
    earlier: list[str] = []
    for name, (declared, value) in fields.items():
        if value == declared.usual and earlier and not with_usual:
            continue
        if declared.type == "flag":
            facts.append(declared.label)
        elif declared.type == "number":
            facts.append(f"{declared.label}{NO_BREAK}{value}")
        elif declared.type == "text":
            text = texts[name]
            begins_other = any(o.startswith(text) and o != text for o in texts.values())
            if begins_other or any(text.casefold() in other.casefold() for other in earlier):
                continue
            named = ruleset.entities.get(str(value))
            needs_label = (
                ruleset.kinds[named.kind].label != declared.label
                if named
                else earlier or not text[:1].isalpha()
            )
            facts.append(f"{declared.label}: {text}" if needs_label else text)
            earlier.append(text)
    return tuple(facts)


def with_short_fields(entity: Entity, ruleset: Ruleset) -> Entity:
    """Return an entity without its fields that are sentences or lists."""
    declared = ruleset.kinds[entity.kind].fields
    short = {name: value for name, value in entity.own.items() if declared[name].is_short}
    return entity.model_copy(update={"own": short})


def section_text(entity: Entity) -> str:
    """Return the section of an entity in its book, with its rulings."""
    if not entity.rulings:
        return entity.source
    return entity.source + _(", ruling {rulings}").format(rulings=", ".join(entity.rulings))


def cooldown_text(cooldown: str) -> str:
    """Return a cooldown as printed: ``Cooldown 5+``, ``Signature``."""
    numbered = any(character.isdigit() for character in cooldown)
    return _("Cooldown {cooldown}").format(cooldown=cooldown) if numbered else cooldown.capitalize()


def trigger_text(action: Action) -> str:
    """Return the trigger of an action as a sheet prints it: with a capital letter."""
    return capitalized(action.trigger)


def capitalized(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


class Describer(ABC):
    """Describes an entity: its texts with their figures, and what its parts cost and require.

    A sheet and a rulebook use the same words; only the methods below differ.
    """

    @abstractmethod
    def subject(self) -> tuple[Entity | None, Ruleset]:
        """Return what is described, and the rules that it belongs to."""

    @abstractmethod
    def figure(self, figure: Figure) -> str:
        """Return a figure of a text as printed."""

    @abstractmethod
    def line(self, text: str) -> str:
        """Return a text of the pack with its figures, as one line."""

    @abstractmethod
    def count(self, amount: int | str | Formula) -> CountText:
        """Return dice and a formula in words."""

    @abstractmethod
    def required(self, requirement: Requirement | None) -> tuple[str, ...]:
        """Return what there is to say of a requirement, as sentences."""

    @abstractmethod
    def is_left_empty(self, choice: str) -> bool:
        """Return whether the answer to a choice of the entity is an empty text."""

    def text(self, text: str) -> str:
        """Return a text with its figures filled in, without lines about an empty answer."""
        return substitute(without_empty_lines(text, self.is_left_empty), self.figure)

    def costs(self, cost: Mapping[str, Any]) -> Iterator[str]:
        """Yield each cost in words: ``1 Energy``, ``Ammo −3`` for a capacity; never 0."""
        entity, ruleset = self.subject()
        capacities = entity.capacities if entity is not None else ()
        labels = {capacity.id: capacity.label for capacity in capacities}
        for name, amount in cost.items():
            count = self.count(amount)
            if name in labels:
                yield f"{labels[name]}{NO_BREAK}{MINUS}{count.factor}"
            elif count.number != 0:
                number = 2 if count.number is None else count.number
                yield f"{count.text}{NO_BREAK}{ruleset.value_noun(name, number)}"

    def attack_extras(self, attack: Attack) -> Iterator[str]:
        """Yield the other properties of an attack: who makes it, its cost, Crit, Spread."""
        if attack.who:
            yield self.line(attack.who)
        yield from self.costs(attack.cost)
        if attack.crit is not None:
            reasons = "; ".join(self.required(attack.crit.requires))
            yield _("Crit {margin}: {effect}").format(
                margin=attack.crit.margin, effect=self.line(attack.crit.effect)
            ) + (f" ({reasons})" if reasons else "")
        if attack.spread is not None:
            yield _("Spread {spread}").format(spread=attack.spread)
        yield from (self.line(note.text) for note in attack.notes if self.holds(note.when))

    def holds(self, _formula: Formula) -> bool:
        """Return whether a formula holds; any may for what nobody has."""
        return True

    def action_terms(self, action: Action) -> Iterator[tuple[str, str]]:
        """Yield the limit, the cooldown and the costs of an action, each with which it is."""
        if action.limit:
            yield "limit", self.line(capitalized(action.limit))
        if action.cooldown:
            yield "cooldown", cooldown_text(action.cooldown)
        for text in self.costs(action.cost):
            yield "cost", text


@dataclass(frozen=True)
class _EntityDescriber(FormulaWords, Describer):
    """Describes one entity, or texts of no entity, with the known answers to its choices."""

    def subject(self) -> tuple[Entity | None, Ruleset]:
        """Return what is described, and the rules that it belongs to."""
        return self.entity, self.ruleset

    def paragraphs(
        self,
        entity: Entity,
        choices: bool = True,
        questions: bool = True,
        facts: bool = True,
        in_table: bool = False,
    ) -> Iterator[str]:
        """Yield all paragraphs: facts, text, figures, actions, attacks, grants and choices.

        Without ``choices``, questions are left out, and what is made of their answers. A text
        that is only an answer has no paragraph: the question has one.
        """
        known = (lambda _attack: True) if choices else self._is_known
        attacks = () if in_table else filter(known, entity.attacks)
        paragraphs = [
            *self._facts(entity, facts),
            self.text(entity.text),
            self._figures(entity, choices, capacities=not in_table),
            *map(self._action, entity.actions),
            *map(self._attack, attacks),
            *self._each_level(entity),
            *self._grants(entity),
        ]
        if choices and questions:
            paragraphs += self._choices(entity)
        return (text for text in paragraphs if text and not QUESTION_ALONE.fullmatch(text))

    def figure(self, figure: Figure) -> str:
        """Return a formula with labels, or the answer to a choice."""
        return self.choice(figure.choice) if figure.choice else self.formula(figure.text)

    def is_left_empty(self, choice: str) -> bool:
        """Return whether the known answer to a choice is an empty text."""
        return bool(self.answers.get(choice) == "")

    def line(self, text: str) -> str:
        """Return a text with its figures filled in, as one line."""
        return self.text(text).replace("\n", " ")

    def required(self, requirement: Requirement | None) -> tuple[str, ...]:
        """Return the whole requirement as one sentence."""
        if requirement is None:
            return ()
        text = requirements.requirement_text(requirement, self.ruleset)
        return (_("Requires {requirement}").format(requirement=text),)

    # ---------------------------------------------------------- paragraphs

    def _facts(self, entity: Entity, facts: bool) -> Iterator[str]:
        """Yield the short fields of an entity in one line, then the others with their labels."""
        if facts:
            short = with_short_fields(entity, self.ruleset)
            yield " · ".join(short_facts(short, self.ruleset))
        for name, declared in self.ruleset.kinds[entity.kind].fields.items():
            value = entity.own.get(name)
            if value is not None and not declared.is_short:
                text = ", ".join(map(str, value)) if isinstance(value, list) else value
                yield f"**{declared.label}:** {text}"

    def capacities(self, entity: Entity, choices: bool = True) -> Iterator[str]:
        """Yield each capacity with how much it holds: ``Ammo 3``."""
        for capacity in entity.capacities:
            if choices or not self._unanswered([capacity.max]):
                yield f"{capacity.label}{NO_BREAK}{self.count(capacity.max).text}"

    def _figures(self, entity: Entity, choices: bool, capacities: bool) -> str:
        """Return its capacities, its starting values, its figures and its modifiers."""
        parts = [*self.capacities(entity, choices)] if capacities else []
        parts += self._starting_values(entity)
        parts += self._own_figures(entity, choices)
        changes = self.changes(entity.modifies)
        return ", ".join([*parts, changes] if changes else parts)

    def _starting_values(self, entity: Entity) -> Iterator[str]:
        """Yield the starting values of an entity; a level table has those of its first level."""
        start = dict(entity.values)
        for table in entity.tables if self.ruleset.unit_type(entity) is not None else ():
            row = next(iter(table.rows))
            start |= {name: table.cell(row, column) for column, name in table.value_columns}
        for name, formula in start.items():
            yield f"{self.label(name)} {self.formula(str(formula))}"

    def _own_figures(self, entity: Entity, choices: bool) -> Iterator[str]:
        """Yield the figures of an entity, as dice or a formula; none that only repeats a choice."""
        labels = {die.id: die.label or die.id for die in self.ruleset.head.dice}
        for figure in entity.figures:
            formulas = [*figure.dice.values(), *([figure.formula] if figure.formula else [])]
            if not choices and self._unanswered(formulas):
                continue
            if figure.formula is None:
                dice = figure.dice.items()
                text = ", ".join(f"{labels[die]} {self.formula(str(n))}" for die, n in dice)
            else:
                text = self.formula(str(figure.formula))
                if text == f"[{figure.label}]":
                    continue
                text = CountText(text, None).factor if figure.before else text
            yield f"{figure.label} = {figure.before}{text}"

    def _unanswered(self, formulas: Iterable[Formula]) -> bool:
        """Return whether formulas read choices of the entity that have no answer yet."""
        choices = self.entity.choices if self.entity is not None else ()
        unanswered = {choice.id for choice in choices} - self.answers.keys()
        return any(unanswered & set(formula.names) for formula in formulas)

    def _is_known(self, attack: Attack) -> bool:
        """Return whether the figures of an attack do not depend on choices without an answer."""
        figures = [
            parse_figure(str(amount)).formula for amount in (attack.damage, attack.shots or 0)
        ]
        questions = filter(None, map(self._open_question, attack.type))
        has_open_type = any(not self._few_labels(question) for question in questions)
        return not has_open_type and not self._unanswered([attack.bonus, *figures])

    def changes(self, modifiers: Iterable[Modifier]) -> str:
        """Return the unconditional lasting modifiers, such as ``Guard +1``."""
        parts = []
        for modifier in modifiers:
            name = modifier.value
            prefix, chosen, choice = name.partition("$")
            unanswered = bool(chosen) and choice not in self.answers
            conditional = modifier.when is not None or modifier.of is not None
            if (
                modifier.field is not None
                or conditional
                or modifier.layer != "lasting"
                or unanswered
            ):
                continue
            amount = modifier.amount.constant
            if modifier.op == "add" and amount is not None:
                change = signed_number(amount)
            else:
                change = f"{_(CHANGE_SIGNS[modifier.op])} {self.formula(str(modifier.amount))}"
            if modifier.dice:
                more = f" {change}" if amount != 0 else ""
                change = f"+{dice_notation(modifier.dice)}{more}"
            if prefix and chosen:
                answer = self.answers[choice]
                names = answer if isinstance(answer, tuple | list) else (answer,)
                label = ", ".join(self.label(value_named_by(prefix, str(one))) for one in names)
            else:
                label = self.choice(choice) if chosen else self.label(name)
            if modifier.attacks is not None:
                label = _(ATTACK_PARTS[modifier.attacks])
            parts.append(f"{label} {change}")
        return ", ".join(parts)

    def action_head(self, action: Action) -> Iterator[str]:
        """Yield the limits, the costs and the trigger of an action."""
        yield from (text for _kind, text in self.action_terms(action))
        if action.trigger:
            yield self.line(trigger_text(action))

    def _action(self, action: Action) -> str:
        """Return the paragraph of an action: timing, cost, limits and effect."""
        timings = self.ruleset.head.timings
        timing = next((t.label for t in timings if t.id == action.timing), action.timing)
        parts = [f"**{timing}{f' {action.name}' if action.name else ''}**"]
        parts += [*self.action_head(action), *([self.line(action.who)] if action.who else [])]
        parts += self.required(action.requires)
        text = "\n\n".join((action.text, *results_of(action, self.ruleset)))
        return f"{' · '.join(parts)}: {self.text(text)}"

    def _attack(self, attack: Attack) -> str:
        """Return the paragraph of an attack: range, score, damage and text."""
        parts = self.attack(attack)
        begun = f"**{attack.name or _('Attack')}** {parts.range}".strip()
        listed = (begun, parts.roll, parts.damage, *parts.terms)
        return " · ".join(filter(None, listed)) + (f": {parts.text}" if parts.text else "")

    def attack(self, attack: Attack) -> AttackText:
        """Return an attack in words: range, score, damage, terms and text."""
        shots = None if attack.shots is None else self.count(attack.shots)
        damage, note = hit_damage(self.count(attack.damage), shots)
        hit = self._roll_to_hit(attack, str(attack.hit)) if attack.hit is not None else ""
        listed = (damage, f"({note})" if note else "", _(" or ").join(self._types(attack)))
        return AttackText(
            attack.name,
            self.text(range_text(attack.range)),
            hit,
            " ".join(filter(None, listed)),
            (*self.attack_extras(attack), *self.required(attack.requires)),
            self.text(attack.text),
        )

    def _types(self, attack: Attack) -> Iterator[str]:
        """Yield the damage types of an attack; of an open choice its options, if they are few."""
        for name in attack.type:
            term, question = self.ruleset.term(name), self._open_question(name)
            if question is None:
                yield term.label if term else self.choice(name.removeprefix("$"))
            else:
                yield from self._few_labels(question) or [self.choice(question.id)]

    def _open_question(self, type_: str) -> Question | None:
        """Return the choice of the entity that a damage type stands for, if it has no answer."""
        choices = self.entity.choices if self.entity is not None else ()
        open_ = (choice for choice in choices if choice.id not in self.answers)
        return next((choice for choice in open_ if f"${choice.id}" == type_), None)

    def _few_labels(self, question: Question) -> list[str]:
        """Return the labels of the options of a choice; empty if they are many."""
        labels = [*decision_class(question).listed_labels(question, self.ruleset)]
        return labels if len(labels) <= MOST_OPTIONS else []

    def _roll_to_hit(self, attack: Attack, hit: str) -> str:
        """Return what an attack adds to its dice, and what it must beat."""
        score = self.choice(hit[1:]) if hit[0] == "$" else self.label(hit)
        if attack.bonus.constant != 0:
            bonus = self.formula(str(attack.bonus))
            negative = bonus.startswith(MINUS)
            score += f" {MINUS} {bonus.removeprefix(MINUS)}" if negative else f" + {bonus}"
        return (
            _("{score} against {label}").format(score=score, label=self.label(attack.defence))
            if attack.defence
            else score
        )

    def _each_level(self, entity: Entity) -> Iterator[str]:
        """Yield what each further level adds."""
        for question in entity.each_level:
            growth = decision_class(question).growth_text(question, self.formula, self.label)
            if growth:
                yield _("**Each further {label}:** {growth}").format(
                    label=self.ruleset.head.advancement.label, growth=growth
                )

    def _grants(self, entity: Entity) -> Iterator[str]:
        """Yield the names of what it grants, one line for each kind."""
        by_kind: dict[str, list[str]] = {}
        by_value = [grant for table in entity.value_tables for grant in table.grants]
        for grant in entity.all_grants:
            granted = self.ruleset.entity(grant.id)
            name = granted.name + (f" × {grant.quantity}" if grant.quantity > 1 else "")
            if grant.level > 1:
                name += f" ({self.ruleset.head.advancement.text(grant.level)})"
            elif grant in by_value:
                name += f" ({self.formula(str(grant.when))})"
            by_kind.setdefault(granted.kind, []).append(name)
        for kind, names in by_kind.items():
            declared = self.ruleset.kinds[kind]
            label = declared.label if len(names) == 1 else declared.plural
            yield f"**{label}:** {', '.join(names)}"

    def _choices(self, entity: Entity) -> Iterator[str]:
        """Yield the choices that are still open, with their options if they are few."""
        for question in entity.choices:
            if question.id in self.answers:
                continue
            kind = decision_class(question)
            listed = kind.numbers_text(question, self.formula, self.label) or self._options(
                question
            )
            text = f"{with_colon(question.label)} {listed}" if listed else question.label
            yield _("**To choose:** {text}").format(text=text)

    def _options(self, question: Question) -> str:
        """Return the options of a choice if they are few or have texts, each with its text."""
        options = list(decision_class(question).listed_labels(question, self.ruleset))
        texts = {option.label: self.line(option.text) for option in question.listed_options}
        if len(options) > MOST_OPTIONS and not any(texts.values()):
            return ""
        described = (
            f"{label} ({text.removesuffix('.')})" if (text := texts.get(label)) else label
            for label in options
        )
        return _(" or ").join(described)


def results_of(action: Action, ruleset: Ruleset) -> Iterator[str]:
    """Yield what the results of an action's procedure mean for it, after their labels."""
    called = ruleset.procedures.get(action.procedure or "")
    labels = {output.id: output.label for output in called.outputs} if called else {}
    for name, text in action.results.items():
        yield f"**{labels.get(name, name)}:** {text}"
