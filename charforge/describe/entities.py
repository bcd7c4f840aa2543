"""Descriptions of the entities of a pack, without a character.

Figures are shown as formulas with labels. The place of an answer is shown
as its question in brackets (``[What is its range?]``) until the answer is
known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from charforge.character import requirements
from charforge.decisions.kinds import decision_class
from charforge.decisions.option import DecisionOption
from charforge.expressions.template import Figure, parse_figures, signed_number, substitute
from charforge.rules.models import Action, Attack, Entity, Modifier
from charforge.rules.ruleset import Ruleset

NAME_PATTERN = re.compile(r"(?<![\w.])[a-z_]\w*", re.IGNORECASE)
SIGNS = {"set": "=", "add": "+", "multiply": "×", "at_least": "at least", "at_most": "at most"}
MOST_OPTIONS = 4  # listed with a choice


def option_text(option: DecisionOption, ruleset: Ruleset) -> str:
    """Return the description of an option, one line for each paragraph."""
    if option.entity is not None:
        return "\n".join(entity_paragraphs(option.entity, ruleset))
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
    entity: Entity, ruleset: Ruleset, answers: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[str]:
    """Yield the paragraphs of an entity's description, in the markup of packs.

    ``answers`` are the known answers to its own choices, by the id of the choice.
    """
    return _EntityDescriber(entity, ruleset, answers).paragraphs(entity)


def formula_text(text: str, ruleset: Ruleset) -> str:
    """Return a formula with labels in place of ids."""
    return _EntityDescriber(None, ruleset).formula(text)


@dataclass(frozen=True)
class _EntityDescriber:
    """Describes one entity, or texts of no entity, with the known answers to its choices."""

    entity: Entity | None
    ruleset: Ruleset
    answers: Mapping[str, Any] = field(default_factory=dict)

    def paragraphs(self, entity: Entity) -> Iterator[str]:
        """Yield all paragraphs: facts, text, figures, actions, attacks, grants and choices."""
        paragraphs = [
            self._facts(entity),
            self.text(entity.text),
            self._figures(entity),
            *map(self._action, entity.actions),
            *map(self._attack, entity.attacks),
            *self._each_level(entity),
            *self._grants(entity),
            *self._choices(entity),
        ]
        return filter(None, paragraphs)

    # ------------------------------------------------------------- formulas and labels

    def text(self, text: str) -> str:
        """Return a text with its figures filled in; lines about an empty answer are left out."""
        lines = (line for line in text.split("\n") if not self._names_empty_answer(line))
        return substitute("\n".join(lines), self._figure)

    def formula(self, text: str) -> str:
        """Return a formula with labels in place of ids."""
        return NAME_PATTERN.sub(lambda match: self._label(match[0]), text).replace(" * ", " × ")

    def _figure(self, figure: Figure) -> str:
        return self._choice(figure.choice) if figure.choice else self.formula(figure.text)

    def _names_empty_answer(self, line: str) -> bool:
        return any(self.answers.get(figure.choice) == "" for figure in parse_figures(line))

    def _label(self, name: str) -> str:
        """Return the label of a name in a formula: of a choice, a figure, a value or a group."""
        key = name.lower()
        if self.entity is not None and key in self.entity.own_numbers:
            labels = (figure.label for figure in self.entity.figures if figure.id == key)
            return next(labels, None) or self._choice(key)
        if key.startswith("group:"):
            return self.ruleset.head.groups.get(key[6:], key[6:])
        value = self.ruleset.values.get(key)
        if value is not None:
            return value.label
        return self.ruleset.head.advancement.label if key == "level" else name

    def _choice(self, name: str) -> str:
        """Return the label of a choice's answer, or its question in brackets."""
        choices = self.entity.choices if self.entity is not None else ()
        question = next((choice for choice in choices if choice.id == name), None)
        if question is None:
            return name
        if name in self.answers:
            return self.ruleset.answer_label(question, self.answers[name])
        return f"[{question.label}]"

    # ---------------------------------------------------------- paragraphs

    def _facts(self, entity: Entity) -> str:
        """Return the fields that the pack declares for the entity's kind, with labels."""
        facts = []
        for name, declared in self.ruleset.kinds[entity.kind].fields.items():
            value = entity.own.get(name)
            if value is True:
                facts.append(declared.label)
            elif isinstance(value, list):
                facts.append(f"{declared.label}: {', '.join(map(str, value))}")
            elif value not in (None, False, ""):
                named = self.ruleset.entities.get(str(value))
                facts.append(f"{declared.label}: {named.name if named else value}")
        return " · ".join(facts)

    def _figures(self, entity: Entity) -> str:
        """Return its starting values, its figures and its modifiers."""
        start = dict(entity.values)
        for table in entity.tables:
            row = next(iter(table.rows))
            start |= {name: table.cell(row, column) for column, name in enumerate(table.columns)}
        parts = [f"{self._label(name)} {self.formula(str(f))}" for name, f in start.items()]
        labels = {die.id: die.label or die.id for die in self.ruleset.head.dice}
        for figure in entity.figures:
            text = ", ".join(
                f"{labels[die]} {self.formula(str(number))}" for die, number in figure.dice.items()
            )
            if figure.formula is not None:
                text = self.formula(str(figure.formula))
                text = f"({text})" if figure.before and " " in text else text
            parts.append(f"{figure.label} = {figure.before}{text}")
        changes = self.changes(entity.modifies)
        return ", ".join([*parts, changes] if changes else parts)

    def changes(self, modifiers: Iterable[Modifier]) -> str:
        """Return the unconditional lasting modifiers, such as ``Guard +1``."""
        parts = []
        for modifier in modifiers:
            name = modifier.value
            unanswered = name[0] == "$" and name[1:] not in self.answers
            if modifier.when is not None or modifier.layer != "lasting" or unanswered:
                continue
            amount = modifier.amount.constant
            if modifier.op == "add" and amount is not None:
                change = signed_number(amount)
            else:
                change = f"{SIGNS[modifier.op]} {self.formula(str(modifier.amount))}"
            label = self._choice(name[1:]) if name[0] == "$" else self._label(name)
            parts.append(f"{label} {change}")
        return ", ".join(parts)

    def _action(self, action: Action) -> str:
        """Return the paragraph of an action: timing, cost, limits and effect."""
        timings = self.ruleset.head.timings
        timing = next((t.label for t in timings if t.id == action.timing), action.timing)
        capacities = self.entity.capacities if self.entity is not None else ()
        capacity_labels = {capacity.id: capacity.label for capacity in capacities}
        parts = [f"**{timing}{f' {action.name}' if action.name else ''}**"]
        for name, amount in action.cost.items():
            label = capacity_labels.get(name) or self._label(name)
            parts.append(f"{self.formula(str(amount))} {label}")
        if action.cooldown:
            numbered = action.cooldown[0].isdigit()
            parts.append(
                f"Cooldown {action.cooldown}" if numbered else action.cooldown.capitalize()
            )
        parts += [part for part in (action.limit, action.trigger, action.who) if part]
        if action.requires is not None:
            parts.append(f"needs {requirements.requirement_text(action.requires, self.ruleset)}")
        return f"{' · '.join(map(self.text, parts))}: {self.text(action.text)}"

    def _attack(self, attack: Attack) -> str:
        """Return the paragraph of an attack: range, score, damage and text."""
        hit = str(attack.hit)
        terms = (self.ruleset.term(name) for name in attack.type if not name.startswith("$"))
        types = [term.label for term in terms if term]
        types += [
            self._choice(n[1:]) for n in attack.type if n[:1] == "$" and n[1:] in self.answers
        ]
        damage = self.formula(str(attack.damage))
        if attack.shots is not None:
            damage += f" × {self.formula(str(attack.shots))} shots"
        score = self._choice(hit[1:]) if hit[0] == "$" else self._label(hit)
        if attack.bonus.constant != 0:
            score += f" + {self.formula(str(attack.bonus))}"
        parts = [
            f"**{attack.name or 'Attack'}** {self.text(attack.range)}",
            f"{score} against {self._label(attack.defence)}",
            f"{damage} {' or '.join(types)}".strip(),
        ]
        if attack.crit is not None:
            parts.append(f"by {attack.crit.margin} or more: {self.text(attack.crit.effect)}")
        return " · ".join(parts) + (f": {self.text(attack.text)}" if attack.text else "")

    def _each_level(self, entity: Entity) -> Iterator[str]:
        """Yield what each further level adds."""
        for question in entity.each_level:
            growth = decision_class(question).growth_text(question, self.formula, self._label)
            if growth:
                yield f"Each further {self.ruleset.head.advancement.label}: {growth}"

    def _grants(self, entity: Entity) -> Iterator[str]:
        """Yield the names of what it grants, one line for each kind."""
        by_kind: dict[str, list[str]] = {}
        for grant in entity.grants:
            granted = self.ruleset.entity(grant.id)
            name = granted.name + (f" × {grant.quantity}" if grant.quantity > 1 else "")
            if grant.level > 1:
                name += f" ({self.ruleset.head.advancement.label} {grant.level})"
            by_kind.setdefault(granted.kind, []).append(name)
        for kind, names in by_kind.items():
            declared = self.ruleset.kinds[kind]
            label = declared.label if len(names) == 1 else declared.plural
            yield f"{label}: {', '.join(names)}"

    def _choices(self, entity: Entity) -> Iterator[str]:
        """Yield the choices that are still open, with their options if they are few."""
        for question in entity.choices:
            if question.id in self.answers:
                continue
            options = list(decision_class(question).listed_labels(question, self.ruleset))
            listed = f" {' or '.join(options)}" if 0 < len(options) <= MOST_OPTIONS else ""
            colon = "" if not listed or question.label.endswith("?") else ":"
            yield f"To choose: {question.label}{colon}{listed}"
