"""The fields of a form: a decision as a text, numbers, a choice or a list, begun sensibly.

A field begins with the former answer, else with the pack's default or what
is recommended; a choice of something in the player's own words with a
suggestion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from charforge.answers.automatic import RandomAnswers, Recommendation, recommendations
from charforge.decisions.base import (
    MISSING,
    Answer,
    Decision,
    MenuItem,
    NumberFields,
    OptionId,
    OptionMenu,
    TextField,
)
from charforge.describe import entities
from charforge.expressions.template import as_written
from charforge.language import _
from charforge.wizard.form import ChoiceEntry, FormField, ListEntry, NumbersEntry, TextEntry

FEW = 3  # options that Space steps through; a longer list is opened


@dataclass(frozen=True)
class FieldMaker:
    """Makes the fields of one form; ``source`` makes suggestions."""

    source: RandomAnswers

    def field(self, decision: Decision, former: Answer, filled_in: FormField | None) -> FormField:
        """Return the field of a decision, with what was filled in so far."""
        made = self._made(decision, former)
        return made if filled_in is None else made.resumed(filled_in)

    def _made(self, decision: Decision, former: Answer) -> FormField:
        heading = _heading(decision)
        label, help_text = decision.question.label, question_help(decision)
        widget = decision.widget(former, self.source)
        if isinstance(widget, TextField):
            is_number = decision.question.is_numeric
            return TextEntry(decision.id, label, widget, widget.text, help_text, heading, is_number)
        if isinstance(widget, NumberFields):
            return NumbersEntry.start(decision.id, widget, decision.title(), help_text)
        if isinstance(widget, OptionMenu):
            return self._choice(decision, widget, former, heading)
        chosen = former
        if former is MISSING or decision.rule_violations(former):
            suggested = decision.question.allows_own_words
            chosen = self.source(decision) if suggested else decision.empty_answer()
        combined = combinations(decision)
        if combined:
            chosen = combined[0].value if chosen is MISSING else sorted(chosen)
            return ChoiceEntry(decision.id, label, combined, chosen, heading, help_text)
        return ListEntry(
            decision.id, label, chosen, decision.answer_text, decision.rule_violations,
            heading, help_text,
        )  # fmt: skip

    def _choice(
        self, decision: Decision, menu: OptionMenu, former: Answer, heading: str
    ) -> ChoiceEntry:
        recommended = recommendations(decision)
        items = [
            with_text(item, decision, recommended.get(item.value))
            for item in menu.items
            if item.option is not None
        ]
        chosen = former
        if former is MISSING or decision.rule_violations(former):
            chosen = self._first_choice(decision, items, recommended)
        other = "" if chosen is MISSING else decision.answer_text(chosen)
        own_words = len(items) < len(menu.items)
        return ChoiceEntry(
            decision.id,
            decision.question.label,
            items,
            chosen,
            heading,
            question_help(decision),
            other,
            opens=len(items) > FEW or own_words,
        )

    def _first_choice(
        self,
        decision: Decision,
        items: list[MenuItem],
        recommended: Mapping[OptionId, Recommendation],
    ) -> Answer:
        """Return the option that a choice begins with; MISSING where the player must choose."""
        question = decision.question
        default = question.suggested_option
        legal = [item.value for item in items if not item.against]
        if default in legal:
            return default
        if recommended:
            return next(iter(recommended))
        if question.allows_own_words:
            return self.source(decision)
        return legal[0] if question.is_short and legal else MISSING


def _heading(decision: Decision) -> str:
    """Return the name of the holding whose choice a decision is, numbered if others have it too."""
    state = decision.before
    holding = state.holding(decision.holding)
    if holding is None:
        return ""
    held = (other for other in state.holdings if other.entity is holding.entity)
    alike = [other.id for other in held if other.name == holding.name]
    number = f" ({alike.index(holding.id) + 1})" if len(alike) > 1 else ""
    return f"{holding.name}{number}"


def combinations(decision: Decision) -> list[MenuItem]:
    """Return every possible answer of a short list as an entry; empty for any other."""
    return [MenuItem(answer, decision.answer_text(answer)) for answer in decision.list_answers()]


def with_text(
    item: MenuItem, decision: Decision, recommended: Recommendation | None = None
) -> MenuItem:
    """Return a menu entry with the description of its option, and to whom it is recommended."""
    if item.option is None:
        return item
    text = entities.option_text(item.option, decision.ruleset, choices=False)
    return item._replace(about=text, recommended=str(recommended or ""))


def question_help(decision: Decision) -> str:
    """Return the help of a decision's question, and what to do if the book leaves it open."""
    unprinted = _(decision.unprinted_hint) if decision.unprinted else ""
    return "\n".join(filter(None, (as_written(decision.question.help), unprinted)))
