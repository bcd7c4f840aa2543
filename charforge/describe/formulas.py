"""Formulas in words, with labels for names; ``[Range]`` is the place of an answer not yet known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from charforge.character.state_data import AmountNote, AmountRow, NotePart, RolledSum
from charforge.expressions.dice import faces_text
from charforge.expressions.formula import FULL, TAG_PREFIX, Formula
from charforge.expressions.formula_text import FactText, FormulaText
from charforge.expressions.template import MINUS, NO_BREAK, parse_figure
from charforge.language import N_, _, dice_notation
from charforge.rules.models import Entity
from charforge.rules.ruleset import Ruleset

QUESTION_ALONE = re.compile(r"\[[^\[\]]*\]")
# Facts about a character in words, and their opposites.
FACTS = {
    "has": (N_("you have {name}"), N_("you do not have {name}")),
    "applies": (N_("{name} applies"), N_("{name} does not apply")),
    "held": (N_("{name} is in hand"), N_("{name} is not in hand")),
    "worn": (N_("you wear {name}"), N_("you do not wear {name}")),
}
SCOPED = {  # the value of another unit
    "owner": N_("owner's {label}"),
    "operator": N_("operator's {label}"),
    "bearer": N_("bearer's {label}"),
}
AMOUNTS = {
    "number": N_("number of {name}"),
    "held": N_("number of {name} in hand"),
    "worn": N_("number of {name} worn"),
}


def formula_text(text: str, ruleset: Ruleset) -> str:
    """Return a formula with labels in place of ids: ``2 × Level``, ``owner's Strength``."""
    return FormulaWords(None, ruleset).formula(text)


def case_text(text: str, condition: str, ruleset: Ruleset) -> str:
    """Return a text with its condition: ``10 m if you have Quick, unless Prone applies``."""
    return FormulaWords(None, ruleset).case(text, condition)


def note_text(note: AmountNote, ruleset: Ruleset) -> str:
    """Return what the amount of a step was made of: ``2d6 (3 + 4) + FTD (5) = 12``."""
    return ", ".join(map(FormulaWords(None, ruleset).note_part, note))


class CountText(NamedTuple):
    """A number in words. ``number`` is None where only a character or the dice decide it."""

    text: str
    number: int | None

    @property
    def factor(self) -> str:
        """The number as a factor or after a sign: in brackets if it is made of several."""
        is_one = self.number is not None or len(self.text.split()) == 1
        return self.text if is_one or QUESTION_ALONE.fullmatch(self.text) else f"({self.text})"


def hit_damage(one: CountText, shots: CountText | None) -> tuple[str, str]:
    """Return the damage of a hit, and a note on its Shots: ``3d6``, ``1 per Shot``.

    Shots multiply the damage of ``one``.
    """
    if shots is None:
        return one.text, ""
    if one.number == 1:
        return shots.text, _("1 per Shot")
    if one.number is not None and shots.number is not None:
        note = _("{text} Shots × {one_text}").format(text=shots.text, one_text=one.text)
        return str(one.number * shots.number), note
    return _("{shots}{no_break}Shots × {damage}").format(
        shots=shots.factor, no_break=NO_BREAK, damage=one.factor
    ), ""


@dataclass(frozen=True)
class FormulaWords:
    """Writes formulas with the labels of a game, and of an entity's choices and figures.

    ``answers`` are the known answers to these choices.
    """

    entity: Entity | None
    ruleset: Ruleset
    answers: Mapping[str, Any] = field(default_factory=dict)

    def formula(self, text: str) -> str:
        """Return a formula, with or without dice, in words. Raises FormulaError."""
        return dice_notation(self._words.text(text))

    def count(self, amount: int | str | Formula) -> CountText:
        """Return dice and a formula with labels, and the number of a constant."""
        figure = parse_figure(str(amount))
        number = None if figure.dice else figure.formula.constant
        return CountText(self.formula(str(amount)), number)

    def case(self, text: str, condition: str) -> str:
        """Return a text with its condition in words."""
        return self._words.case(text, condition)

    @property
    def _words(self) -> FormulaText:
        return FormulaText(self.label, self._fact, self._amount)

    def note_part(self, part: NotePart) -> str:
        """Return one part of the note of a step in words."""
        match part:
            case Formula():
                return self.formula(part.text)
            case RolledSum():
                return self._rolled_sum(part)
            case AmountRow():
                return _("table row {by} {nearest_row}").format(
                    by=self.label(part.by), nearest_row=part.row
                )
        return part

    def _rolled_sum(self, rolled: RolledSum) -> str:
        """Return a roll with its total: ``2d6 (3 + 4) + FTD (5) = 12; minimum Level (14)``."""
        faces = " + ".join(map(str, rolled.counted))
        if rolled.dropped:
            faces += _("; dropped {faces}").format(faces=faces_text(rolled.dropped))
        text = f"{dice_notation(rolled.dice)} ({faces})"
        if rolled.added or rolled.plus.constant is None:
            text += f" + {self.formula(rolled.plus.text)} ({rolled.added}) = {rolled.total}"
        if rolled.minimum is not None:
            text += _("; minimum {formula} ({least})").format(
                formula=self.formula(rolled.minimum.text), least=rolled.least
            )
        if rolled.swapped_with:
            label = self.ruleset.values[rolled.swapped_with].label
            text = _("{dice}, swapped with {label}").format(dice=text, label=label)
        return text

    def _fact(self, function: str, names: Sequence[str], negated: bool) -> FactText:
        """Return that a fact about a character holds, such as having an entity; or the opposite."""
        if function == "chose":
            choice, answer = names
            named = self.ruleset.answer_label_by_id(choice, answer)
            return FactText(_("not {name}") if negated else "{name}", named)
        entity = self.ruleset.entities.get(self.ruleset.canonical(names[0]))
        applies = function == "has" and entity is not None and entity.condition is not None
        holds, fails = FACTS["applies" if applies else function]
        return FactText(_(fails if negated else holds), self._named(names[0]))

    def _amount(self, function: str, name: str) -> str:
        """Return the number that a function gives: of an entity, of a condition, of uses."""
        if function == "used":
            return _("uses of {name}").format(name=self._named(name))
        entity = self.ruleset.entities.get(self.ruleset.canonical(name))
        if entity is not None and entity.condition is not None:
            return entity.name
        return _(AMOUNTS[function]).format(name=self._named(name))

    def _named(self, name: str) -> str:
        """Return the name of an entity, of anything of a kind, or of anything with a tag."""
        if name.startswith(TAG_PREFIX):
            tag = name.removeprefix(TAG_PREFIX)
            return self.ruleset.name_of(tag) or tag
        kind = self.ruleset.kinds.get(name)
        return self.ruleset.entity(name).name if kind is None else kind.label

    def label(self, name: str) -> str:
        """Return the label of a name in a formula: of a choice, a figure, a value or a group."""
        key = name.lower()
        if key in self.ruleset.shared_labels:
            return self.ruleset.value_label(key)
        scope, _dot, scoped = key.rpartition(".")
        if key.startswith(FULL):
            return _("full {label}").format(label=self.label(scoped))
        if scope:
            label = self.label(scoped)
            return _(SCOPED[scope]).format(label=label) if scope in SCOPED else name
        if self.entity is not None and key in self.entity.own_numbers:
            labels = (figure.label for figure in self.entity.figures if figure.id == key)
            return next(labels, None) or self.choice(key)
        if self.entity is not None and key in self.ruleset.number_fields(self.entity):
            return self.ruleset.kinds[self.entity.kind].fields[key].label
        if key.startswith("group:"):
            return self.ruleset.head.groups.get(key[6:], key[6:])
        value = self.ruleset.values.get(key)
        if value is not None:
            return value.label
        return self._level() if key == "level" else name.replace("_", " ")

    def _level(self) -> str:
        """Return the label of the level, with what a formula adds to the number of players."""
        advancement = self.ruleset.head.advancement
        more = 1 - advancement.first  # formulas count from 1
        sign = "+" if more > 0 else MINUS
        return f"({advancement.label} {sign} {abs(more)})" if more else advancement.label

    def choice(self, name: str) -> str:
        """Return the label of a choice's answer, or the name of its question in brackets."""
        choices = self.entity.choices if self.entity is not None else ()
        question = next((choice for choice in choices if choice.id == name), None)
        if question is None:
            return name
        if name in self.answers:
            return self.ruleset.answer_label(question, self.answers[name])
        return f"[{self.ruleset.short_label(question)}]"
