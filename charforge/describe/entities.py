"""What something of the pack is, does and brings, told without a character.

A figure stands as its formula, in labels. What a choice of its own would
decide stands in brackets, by the question that it asks (``[What is its
range?]``), until the answer is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from charforge.character import requirements
from charforge.character.holdings import answer_label
from charforge.decisions.kinds import decision_class
from charforge.decisions.option import DecisionOption
from charforge.expressions.template import Figure, parse_figures, signed_number, substitute
from charforge.rules.models import Action, Attack, Entity, Modifier
from charforge.rules.ruleset import Ruleset

NAME = re.compile(r"(?<![\w.])[a-z_]\w*", re.IGNORECASE)
SIGNS = {"set": "=", "add": "+", "multiply": "×", "at_least": "at least", "at_most": "at most"}
FEW = 4


def option_text(option: DecisionOption, ruleset: Ruleset) -> str:
    """Return all a player should know of an option, a line a paragraph."""
    if option.entity is not None:
        return "\n".join(entity(option.entity, ruleset))
    plain = _Told(None, ruleset)
    if option.text or option.option is None:
        return plain.text(option.text)
    lines = [plain.changes(option.option.modifies)]
    for grant in option.option.grants:
        given = ruleset.entity(grant.id)
        heading = f"**{given.name}**" + (f" × {grant.quantity}" if grant.quantity > 1 else "")
        lines += [heading, *entity(given, ruleset, grant.with_)]
    return "\n".join(filter(None, lines))


def entity(
    found: Entity, ruleset: Ruleset, answers: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[str]:
    """Yield the paragraphs that tell what an entity is, does and brings.

    ``answers`` are those of its choices that are known, by the choice's id.
    """
    return _Told(found, ruleset, answers).paragraphs(found)


def formula(text: str, ruleset: Ruleset) -> str:
    """Write a formula with labels in place of ids."""
    return _Told(None, ruleset).formula(text)


@dataclass(frozen=True)
class _Told:
    """The telling of one entity (or of none), with the answers to its choices that are known."""

    bearer: Entity | None
    ruleset: Ruleset
    answers: Mapping[str, Any] = field(default_factory=dict)

    def paragraphs(self, found: Entity) -> Iterator[str]:
        told = [
            self._facts(found),
            self.text(found.text),
            self._figures(found),
            *map(self._action, found.actions),
            *map(self._attack, found.attacks),
            *self._each_level(found),
            *self._brings(found),
            *self._asks(found),
        ]
        return filter(None, told)

    # ------------------------------------------------- what stands in place of an id

    def text(self, text: str) -> str:
        """Fill a text; a line about a text that was left empty is left out."""
        kept = (line for line in text.split("\n") if not self._empty(line))
        return substitute("\n".join(kept), self._figure)

    def formula(self, text: str) -> str:
        """Write a formula with labels in place of ids."""
        return NAME.sub(lambda match: self._label(match[0]), text).replace(" * ", " × ")

    def _figure(self, found: Figure) -> str:
        return self._choice(found.choice) if found.choice else self.formula(found.text)

    def _empty(self, line: str) -> bool:
        return any(self.answers.get(found.choice) == "" for found in parse_figures(line))

    def _label(self, name: str) -> str:
        """Return what a name in a formula stands for: a choice, a figure, a value, a group."""
        known = name.lower()
        if self.bearer is not None and known in self.bearer.own_numbers:
            shown = (one.label for one in self.bearer.figures if one.id == known)
            return next(shown, None) or self._choice(known)
        if known.startswith("group:"):
            return self.ruleset.head.groups.get(known[6:], known[6:])
        value = self.ruleset.values.get(known)
        if value is not None:
            return value.label
        return self.ruleset.head.advancement.label if known == "level" else name

    def _choice(self, name: str) -> str:
        """Return in words what a choice took, else its question in brackets."""
        asks = self.bearer.choices if self.bearer is not None else ()
        ask = next((ask for ask in asks if ask.id == name), None)
        if ask is None:
            return name
        if name in self.answers:
            return answer_label(self.ruleset, ask, self.answers[name])
        return f"[{ask.label}]"

    # ------------------------------------------------------------------- its parts

    def _facts(self, found: Entity) -> str:
        shown = []
        for name, kept in self.ruleset.kinds[found.kind].fields.items():
            fact = found.own.get(name)
            if fact is True:
                shown.append(kept.label)
            elif isinstance(fact, list):
                shown.append(f"{kept.label}: {', '.join(map(str, fact))}")
            elif fact not in (None, False, ""):
                known = self.ruleset.entities.get(str(fact))
                shown.append(f"{kept.label}: {known.name if known else fact}")
        return " · ".join(shown)

    def _figures(self, found: Entity) -> str:
        """Say what it changes, and the figures that a unit starts with."""
        start = dict(found.values)
        for table in found.tables:
            row = next(iter(table.rows))
            start |= {name: table.cell(row, column) for column, name in enumerate(table.columns)}
        shown = [f"{self._label(name)} {self.formula(str(f))}" for name, f in start.items()]
        labels = {die.id: die.label or die.id for die in self.ruleset.head.dice}
        for one in found.figures:
            told = ", ".join(f"{labels[d]} {self.formula(str(n))}" for d, n in one.dice.items())
            if one.formula is not None:
                told = self.formula(str(one.formula))
                told = f"({told})" if one.before and " " in told else told
            shown.append(f"{one.label} = {one.before}{told}")
        changes = self.changes(found.modifies)
        return ", ".join([*shown, changes] if changes else shown)

    def changes(self, modifiers: Iterable[Modifier]) -> str:
        """Say the lasting changes that depend on nothing else."""
        shown = []
        for modifier in modifiers:
            chosen = modifier.value[0] == "$" and modifier.value[1:] not in self.answers
            if modifier.when is not None or modifier.layer != "lasting" or chosen:
                continue
            amount = modifier.amount.constant
            if modifier.op == "add" and amount is not None:
                change = signed_number(amount)
            else:
                change = f"{SIGNS[modifier.op]} {self.formula(str(modifier.amount))}"
            named = modifier.value
            label = self._choice(named[1:]) if named[0] == "$" else self._label(named)
            shown.append(f"{label} {change}")
        return ", ".join(shown)

    def _action(self, found: Action) -> str:
        """Tell an action in one paragraph: when, at what price, and what it does."""
        timings = self.ruleset.head.timings
        timing = next((t.label for t in timings if t.id == found.timing), found.timing)
        held = self.bearer.capacities if self.bearer is not None else ()
        capacities = {capacity.id: capacity.label for capacity in held}
        parts = [f"**{timing}{f' {found.name}' if found.name else ''}**"]
        for name, amount in found.cost.items():
            label = capacities.get(name) or self._label(name)
            parts.append(f"{self.formula(str(amount))} {label}")
        if found.cooldown:
            numbered = found.cooldown[0].isdigit()
            parts.append(f"Cooldown {found.cooldown}" if numbered else found.cooldown.capitalize())
        parts += [part for part in (found.limit, found.trigger, found.who) if part]
        if found.requires is not None:
            parts.append(f"needs {requirements.requirement_text(found.requires, self.ruleset)}")
        return f"{' · '.join(map(self.text, parts))}: {self.text(found.text)}"

    def _attack(self, found: Attack) -> str:
        """Tell an attack in one paragraph."""
        hit = str(found.hit)
        terms = (self.ruleset.term(name) for name in found.type if not name.startswith("$"))
        types = [term.label for term in terms if term]
        types += [self._choice(n[1:]) for n in found.type if n[:1] == "$" and n[1:] in self.answers]
        damage = self.formula(str(found.damage))
        if found.shots is not None:
            damage += f" × {self.formula(str(found.shots))} shots"
        score = self._choice(hit[1:]) if hit[0] == "$" else self._label(hit)
        if found.bonus.constant != 0:
            score += f" + {self.formula(str(found.bonus))}"
        parts = [
            f"**{found.name or 'Attack'}** {self.text(found.range)}",
            f"{score} against {self._label(found.defence)}",
            f"{damage} {' or '.join(types)}".strip(),
        ]
        if found.crit is not None:
            parts.append(f"by {found.crit.margin} or more: {self.text(found.crit.effect)}")
        return " · ".join(parts) + (f": {self.text(found.text)}" if found.text else "")

    def _each_level(self, found: Entity) -> Iterator[str]:
        for ask in found.each_level:
            growth = decision_class(ask).growth_text(ask, self.formula, self._label)
            if growth:
                yield f"Each further {self.ruleset.head.advancement.label}: {growth}"

    def _brings(self, found: Entity) -> Iterator[str]:
        """Name what is granted, by kind."""
        by_kind: dict[str, list[str]] = {}
        for grant in found.grants:
            given = self.ruleset.entity(grant.id)
            name = given.name + (f" × {grant.quantity}" if grant.quantity > 1 else "")
            if grant.level > 1:
                name += f" ({self.ruleset.head.advancement.label} {grant.level})"
            by_kind.setdefault(given.kind, []).append(name)
        for kind, names in by_kind.items():
            declared = self.ruleset.kinds[kind]
            yield f"{declared.label if len(names) == 1 else declared.plural}: {', '.join(names)}"

    def _asks(self, found: Entity) -> Iterator[str]:
        """Name the choices that it will ask for, and their options where they are few."""
        for ask in found.choices:
            if ask.id in self.answers:
                continue
            options = list(decision_class(ask).listed_labels(ask, self.ruleset))
            shown = f" {' or '.join(options)}" if 0 < len(options) <= FEW else ""
            colon = "" if not shown or ask.label.endswith("?") else ":"
            yield f"To choose: {ask.label}{colon}{shown}"
