"""Descriptions of what a character or unit has, with its present numbers and its answers."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from charforge.character.holdings import NOT_CHOSEN, choice_label, is_left_empty
from charforge.character.modifiers import LocalFormulas, local_formulas, numbers_of_item
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, Holding, State
from charforge.describe.entities import ALLOWED, Describer, capitalized, short_facts
from charforge.describe.formulas import CountText
from charforge.errors import SheetError, shorten
from charforge.expressions import template
from charforge.expressions.formula import Formula
from charforge.expressions.template import NO_BREAK, Figure, parse_figure, signed_amount
from charforge.language import _
from charforge.rules.models import Entity, OwnFigure, Question, Requirement
from charforge.rules.ruleset import Ruleset


@dataclass(frozen=True)
class HeldEntity(Describer):
    """An entity of a character or unit, described with the present numbers of that unit.

    ``holding_id`` is the id of its holding; empty for an entity that nobody holds, such as a
    rules term.
    """

    state: State
    entity: Entity
    unit: str = CHARACTER
    holding_id: str = ""

    @classmethod
    def of(cls, state: State, holding: Holding) -> HeldEntity:
        """Return the entity of a holding; that of a unit has the values of the unit."""
        return cls(state, holding.entity, state.bearer(holding), holding.id)

    @property
    def holding(self) -> Holding | None:
        """Its holding, if it is held."""
        return self.state.holding(self.holding_id)

    @cached_property
    def own(self) -> LocalFormulas:
        """The formulas of its local numbers; a choice is 0 for one that is not held."""
        if self.holding is None:
            fields = self.state.ruleset.number_fields(self.entity).items()
            known = {name: Formula(number) for name, number in fields}
            return known | dict.fromkeys(self.entity.own_numbers, Formula(0))
        return local_formulas(self.state, self.holding)

    @cached_property
    def changed_numbers(self) -> dict[str, int]:
        """The numbers in its fields that conditions about it have changed, as they are now."""
        holding = self.holding
        if holding is None:
            return {}
        written = self.state.ruleset.number_fields(self.entity)
        now = numbers_of_item(self.state, holding)
        return {name: number for name, number in now.items() if number != written[name]}

    def short_facts(self) -> tuple[str, ...]:
        """Return the fields of the entity, except usual ones, as short texts with their numbers."""
        numbers = self.changed_numbers
        return short_facts(self.entity, self.state.ruleset, numbers, with_usual=False)

    def subject(self) -> tuple[Entity | None, Ruleset]:
        """Return what is described, and the rules that it belongs to."""
        return self.entity, self.state.ruleset

    @property
    def trained(self) -> bool:
        """Whether the character has Training with it."""
        return self.state.trained(self.entity, self.holding_id)

    # ------------------------------------------------------------------ texts and numbers

    def prose(self, text: str) -> template.Prose:
        """Return a text of the pack with its figures, as paragraphs."""
        return template.parse_markup(self.text(text))

    def line(self, text: str) -> str:
        """Return a text of the pack with its figures, as one line without markup."""
        return template.strip_markup(self.text(text).replace("\n", " "))

    def description(self) -> template.Prose:
        """Return its text, with those of the options chosen for it."""
        return self.prose("\n\n".join((self.state.text(self.entity), *self.option_texts())))

    def digest(self) -> template.Prose:
        """Return its digest (its text, if that is short enough), with those of chosen options.

        ``digest_of`` has those of its actions and attacks, for ``prose`` or ``line``.
        """
        return self.prose("\n".join((self.state.digest(self.entity), *self.option_texts())))

    def amount(self, text: int | str) -> str:
        """Return dice and a formula with the present numbers: ``1d6 + 8``."""
        return self._figure_text(parse_figure(str(text)))

    def number(self, value: str | int) -> int:
        """Return the present number of a value of the unit or its owner, or of a formula."""
        return self.evaluate(Formula(value))

    def evaluate(self, formula: Formula) -> int:
        """Return the present number of a formula, which may use the local numbers."""
        return self.state.values(self.unit).evaluate_now(formula.with_variables(self.own))

    def holds(self, formula: Formula) -> bool:
        """Return whether a formula holds now."""
        return self.evaluate(formula) != 0

    def count(self, amount: int | str | Formula) -> CountText:
        """Return dice and a formula with the present numbers."""
        figure = parse_figure(str(amount))
        number = self.evaluate(figure.formula)
        text = signed_amount(figure.dice, number)
        return CountText(text, None if figure.dice else number)

    def required(self, requirement: Requirement | None) -> tuple[str, ...]:
        """Return the unmet parts of a requirement, as sentences."""
        return tuple(map(capitalized, unmet_requirements(requirement, self.applicant())))

    def applicant(self) -> Applicant:
        """Return what requirements are checked for."""
        return Applicant(self.state, self.unit, self.entity, self.holding_id)

    def figures(self) -> Iterator[str]:
        """Yield the figures of the entity, each with its label."""
        labels = {die.id: die.label or die.id for die in self.state.ruleset.head.dice}
        for figure in self.entity.figures:
            if figure.formula is not None:
                text = self.number_text(figure, figure.formula)
            else:
                counts = {labels[die]: self.evaluate(count) for die, count in figure.dice.items()}
                text = ", ".join(f"{die} {n}" for die, n in counts.items() if n > 0) or _("none")
            yield f"{figure.label} {text}".replace(" ", NO_BREAK)

    def number_text(self, figure: OwnFigure, formula: Formula) -> str:
        """Return a figure of the entity: ``d8``; ``d?`` if it is not chosen yet."""
        unanswered = self.is_unanswered(formula)
        number = "?" if unanswered else signed_amount((), self.evaluate(formula))
        return f"{figure.before}{number}"

    # ------------------------------------------------------------------ name and choices

    def name(self, leave_out: Container[str] = ()) -> str:
        """Return its name with the choices made for it, and a dagger if it breaks a rule.

        ``leave_out`` are the ids of choices that are shown elsewhere.
        """
        return self.unmarked_name(leave_out) + self.mark

    def unmarked_name(self, leave_out: Container[str] = ()) -> str:
        """Return its name with the choices made for it: ``Pistol (Heat)``; a unit has its own."""
        choices = ", ".join(self._naming_choices(leave_out))
        name = self.holding.name if self.holding is not None else self.entity.name
        if self.unit == self.holding_id:
            name = self.state.unit(self.unit).name
        return f"{name} ({choices})" if choices else name

    @property
    def mark(self) -> str:
        """A dagger after its name if it breaks a rule with permission; else empty."""
        return f" {ALLOWED}" if self._breaks_rules() else ""

    def answer(self, question: Question) -> Any:
        """Return the answer to one of its choices, or None."""
        return self.state.answers.get(f"{self.holding_id}.{question.id}")

    def option_texts(self) -> Iterator[str]:
        """Yield the texts of the options chosen for it."""
        for question in self.entity.choices:
            for option in question.listed_options:
                if option.id == self.answer(question) and option.text:
                    yield option.text

    def _breaks_rules(self) -> bool:
        """Return whether it is held against the rules: by an override, or given by the GM."""
        holding = self.holding
        return holding is not None and (holding.granted or holding.id in self.state.allowed)

    def _naming_choices(self, leave_out: Container[str]) -> Iterator[str]:
        """Yield the labels of the choices that distinguish this holding from others of the entity.

        Options that grant or modify something are left out, because the sheet shows their
        effects. A holding with a title needs none.
        """
        if self.entity.titled is not None:
            return
        for question in self.entity.choices:
            answer = self.answer(question)
            if answer and question.id not in leave_out and _is_in_name(question):
                yield self.state.ruleset.name_part(question, answer)

    # ------------------------------------------------------------------ figures in texts

    def figure(self, figure: Figure) -> str:
        """Return a figure in bold, or a player's own text without markup."""
        own_texts = {question.id for question in self.entity.choices if question.is_text}
        mark = template.mark_quote if figure.choice in own_texts else template.mark_figure
        return mark(self._figure_text(figure))

    def is_left_empty(self, choice: str) -> bool:
        """Return whether a choice is an optional text that was left empty."""
        return bool(self.holding_id) and is_left_empty(
            self.state, self.holding_id, self.entity, choice
        )

    def _figure_text(self, figure: Figure) -> str:
        if not figure.choice:
            if self.is_unanswered(figure.formula):
                return _not_chosen(figure)
            return self.state.values(self.unit).printed(figure, self.own)
        if all(question.id != figure.choice for question in self.entity.choices):
            raise SheetError(
                _("{id} names a choice {choice} that it does not have").format(
                    id=self.entity.id, choice=shorten(figure.choice)
                )
            )
        return choice_label(self.state, self.holding, figure.choice) or _not_chosen(figure)

    def is_unanswered(self, formula: Formula) -> bool:
        """Return whether a formula reads a choice that is still to be answered."""
        return bool(formula.names) and any(
            question.id in formula.names
            and f"{self.holding_id}.{question.id}" not in self.state.answers
            for question in self.entity.numbers
            if question.when is None
        )


def _not_chosen(figure: Figure) -> str:
    """Return what is printed for a figure that is not chosen yet: in ``d{sides}`` a question mark.

    So the text is ``d? (not chosen yet)``.
    """
    return f"? ({_(NOT_CHOSEN)})" if figure.joined else _(NOT_CHOSEN)


def _is_in_name(question: Question) -> bool:
    """Return whether a choice is part of its entity's name."""
    if question.is_text or question.option_source is not None:
        return True
    options = question.listed_options
    return bool(options) and not any(option.grants or option.modifies for option in options)
