"""What a holding says in its own words: the numbers that its choices took, and its figures.

A rule of one's own (a skill, a weapon that the player describes) has
formulas that read what its own choices took. Those names stand for other
formulas: a number, or the value that was chosen; with them put in, a
formula is one like any other.
"""

from __future__ import annotations

from typing import Any

from charforge.character.modifiers import LocalFormulas, local_formulas
from charforge.character.state import Holding, State
from charforge.expressions.formula import Formula
from charforge.expressions.template import Figure, parse_figure, signed_amount, substitute
from charforge.rules.models import Ask, Attack, Capacity
from charforge.rules.ruleset import Ruleset


def local_numbers(state: State, holding: Holding) -> dict[str, int]:
    """Return every own number of a holding as it is now."""
    values = state.values(state.bearer(holding))
    return {
        name: values.evaluate_now(stands) for name, stands in local_formulas(state, holding).items()
    }


def fill_attack(state: State, holding: Holding | None, unit: str, attack: Attack) -> Attack:
    """Return an attack with what its bearer's own choices say put in.

    ``hit`` is then a value or a number.
    """
    known, hit = local_formulas(state, holding), attack.hit
    if not known and "{" not in attack.range and str(hit)[:1] != "$":
        return attack
    if isinstance(hit, str) and hit.startswith("$"):
        stands = known.get(hit[1:], Formula(0))
        hit = stands.text if stands.constant is None else stands.constant
    changed = {
        "hit": hit,
        "bonus": attack.bonus.given(known),
        "damage": _amount(attack.damage, known),
        "shots": None if attack.shots is None else _amount(attack.shots, known),
        "range": _words(state, holding, unit, attack.range),
        "with_": {name: formula.given(known) for name, formula in attack.with_.items()},
    }
    return attack.model_copy(update=changed)


def total_capacity(state: State, holding: Holding, capacity: Capacity) -> int:
    """Return how much of what it carries a holding has room for, in all of its pieces."""
    values = state.values(state.bearer(holding))
    return (
        max(values.evaluate_now(capacity.max.given(local_formulas(state, holding))), 0)
        * holding.quantity
    )


def _amount(text: int | str, known: LocalFormulas) -> int | str:
    """Put what is known into an amount of dice and a formula."""
    if isinstance(text, int):
        return text
    found = parse_figure(text)
    if not found.formula.names & known.keys():
        return text
    return " + ".join([*found.dice, f"({found.formula.given(known)})"])


def _words(state: State, holding: Holding | None, unit: str, text: str) -> str:
    """Fill the figures of a text of a holding's entity."""
    known = local_formulas(state, holding)

    def say(found: Figure) -> str:
        if found.choice:
            return choice_label(state, holding, found.choice) or found.text
        return signed_amount(
            found.dice, state.values(unit).evaluate_now(found.formula.given(known))
        )

    return substitute(text, say)


def holding_answers(state: State, holding: Holding) -> dict[str, Any]:
    """Return what the choices of a holding took, by the choice's id: of a roll its total."""
    named = {ask.id: f"{holding.id}.{ask.id}" for ask in holding.entity.choices}
    known = {**state.answers, **state.roll_totals}
    return {choice: known[name] for choice, name in named.items() if name in known}


def choice_label(state: State, holding: Holding | None, choice: str) -> str:
    """Return in words what a choice of a holding took; nothing where it is not answered."""
    ask = next((a for a in holding.entity.choices if a.id == choice), None) if holding else None
    answer = None if holding is None else holding_answers(state, holding).get(choice)
    return "" if ask is None or answer is None else answer_label(state.ruleset, ask, answer)


def answer_label(ruleset: Ruleset, ask: Ask, answer: Any) -> str:
    """Return an answer in the words of its question."""
    if isinstance(answer, list | tuple):
        return ", ".join(answer_label(ruleset, ask, item) for item in answer)
    for option in ask.listed_options:
        if option.id == answer:
            return option.label
    if ask.is_text or not isinstance(answer, str):
        return str(answer)
    term = ruleset.term(answer)
    if answer in ruleset.entities:
        return ruleset.entities[answer].name
    if answer in ruleset.values:
        return ruleset.values[answer].label
    return term.label if term else answer
