"""Attack lines: the total bonus, its parts, and the reasons why an attack cannot be used."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.character.requirements import Applicant, is_met
from charforge.expressions.template import MINUS, NO_BREAK
from charforge.rules.models import Attack, Requirement
from charforge.rules.ruleset import matches
from charforge.sheet import view
from charforge.sheet.bearer import NOT_CHOSEN, Bearer, printed_range


def lines(
    bearer: Bearer, facts: tuple[str, ...], capacities: tuple[view.SheetCapacity, ...]
) -> Iterator[view.AttackLine]:
    """Yield a line for each attack of a bearer; the first has ``facts`` and ``capacities``."""
    same_bearer = False
    for attack in bearer.entity.attacks:
        if not _exists(attack.requires, bearer):
            continue
        attack = bearer.filled_attack(attack)
        yield view.AttackLine(
            bearer=bearer.name(),
            mode=attack.name,
            same_bearer=same_bearer,
            notes=() if same_bearer else (*facts, *_training(bearer)),
            range=printed_range(attack.range),
            roll=_signed(_bonus(attack, bearer)),
            versus=bearer.state.ruleset.values[attack.defence].label,
            made_of=_made_of(attack, bearer),
            damage=_damage(attack, bearer),
            types=_types(attack, bearer),
            extras=tuple(_extras(attack, bearer)),
            text=bearer.prose(attack.text),
            capacities=() if same_bearer else capacities,
            unmet=bearer.reasons(attack.requires),
        )
        same_bearer = True


def _exists(clause: Requirement | None, bearer: Bearer) -> bool:
    """Whether this instance has an attack at all, which its choices may decide."""
    if clause is None:
        return True
    if clause.all is not None:
        return all(_exists(part, bearer) for part in clause.all)
    asker = Applicant(bearer.state, bearer.unit, bearer.entity, bearer.holding)
    return clause.choice is None or is_met(clause, asker)


def _trained_bonus(bearer: Bearer) -> tuple[int, str]:
    """Return what Training adds to the roll, and its label."""
    rules = bearer.state.ruleset.head.attack_roll
    return (rules.trained, rules.trained_label) if rules and bearer.trained else (0, "")


def _bonus(attack: Attack, bearer: Bearer) -> int:
    bonus = bearer.number(attack.bonus.text)
    return bearer.number(attack.hit) + bonus + _trained_bonus(bearer)[0]


def _made_of(attack: Attack, bearer: Bearer) -> str:
    number = bearer.number(attack.hit)
    if isinstance(attack.hit, str):
        parts = [f"{bearer.state.ruleset.values[attack.hit].label}{NO_BREAK}{number}"]
    else:
        parts = [f"Fixed{NO_BREAK}{number}"]
    amount, label = _trained_bonus(bearer)
    if amount:
        parts.append(f"{label}{NO_BREAK}{amount}")
    bonus = bearer.number(attack.bonus.text)
    made = " + ".join([parts[0], *([str(bonus)] if bonus > 0 else []), *parts[1:]])
    return f"{made} {MINUS} {-bonus}" if bonus < 0 else made


def _training(bearer: Bearer) -> Iterator[str]:
    """Yield whether the character has Training with it, if there is Training for it."""
    ruleset = bearer.state.ruleset
    rules = ruleset.head.attack_roll
    if rules is None or not rules.trained_label:
        return
    if bearer.trained:
        yield rules.trained_label
    elif any(e.covers and matches(e.covers, bearer.entity) for e in ruleset.entities.values()):
        yield f"no {rules.trained_label}"


def _damage(attack: Attack, bearer: Bearer) -> str:
    """Return the damage and the number of shots: ``3 × 4 shots``.

    A line may break after the sign and before the word: in large print it has to.
    """
    damage = bearer.amount(attack.damage)
    if attack.shots is None:
        return damage
    shots = bearer.amount(attack.shots)
    if "d" in shots:
        shots = f"({shots})"
    return f"{damage}{NO_BREAK}× {shots} shots"


def _types(attack: Attack, bearer: Bearer) -> str:
    """Return the names of the damage types: the chosen one, or those to choose from each time."""
    names = []
    for name in attack.type:
        if name.startswith("$"):
            question = next(
                question for question in bearer.entity.choices if question.id == name[1:]
            )
            answer = bearer.state.answers.get(f"{bearer.holding}.{question.id}")
            names.append(bearer.label(question, answer) if answer else NOT_CHOSEN)
        else:
            term = bearer.state.ruleset.term(name)
            names.append(term.label if term else name)
    return " or ".join(names)


def _extras(attack: Attack, bearer: Bearer) -> Iterator[str]:
    """Yield the other properties of an attack: who makes it, its cost, Crit, Spread."""
    if attack.who:
        yield attack.who
    yield from bearer.costs(attack.cost)
    if attack.crit is not None:
        effect = bearer.line(attack.crit.effect)
        reasons = "; ".join(bearer.reasons(attack.crit.requires))
        yield f"Crit {attack.crit.margin}: {effect}" + (f" ({reasons})" if reasons else "")
    if attack.spread is not None:
        yield f"Spread {attack.spread}"


def _signed(amount: int) -> str:
    return f"{MINUS}{-amount}" if amount < 0 else f"+{amount}"
