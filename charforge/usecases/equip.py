"""What is taken in hand and put away; what is too heavy is lifted by a check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from charforge.character import gear
from charforge.character.events import HoldEvent, ProcedureEvent, StowEvent
from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import RuleRefusal, UnknownId, UsageError
from charforge.expressions.dice import Dice
from charforge.procedures import run as procedures
from charforge.procedures.context import StepMessage
from charforge.replay.loaded import LoadedCharacter
from charforge.rules.models import Lifting
from charforge.usecases.change import EventDraft, change_character, draft_event
from charforge.usecases.dice_source import DiceSource, TypedInputs, parse_inputs
from charforge.usecases.lookup import find_holding, find_holdings

UNSAID = TypedInputs()


@dataclass(frozen=True)
class HoldResult:
    """What taking things in hand came to; ``told`` are the steps of a check."""

    after: LoadedCharacter
    taken: tuple[str, ...]
    told: tuple[StepMessage, ...] = ()
    failed: tuple[str, ...] = ()


def hold_items(
    opened: LoadedCharacter,
    named: Iterable[str],
    check: bool = False,
    dice: tuple[int, ...] = (),
    said: TypedInputs = UNSAID,
) -> HoldResult:
    """Take things in hand, one after another; what is too heavy only by its check.

    Raises RuleRefusal with everything that stands against it.
    """
    taking = _Taking(opened, check, dice, said)
    for name in named:
        taking.take(name)
    return taking.finish()


class _Taking:
    """Things being taken in hand: the state on the way, the events so far."""

    def __init__(
        self, opened: LoadedCharacter, check: bool, dice: tuple[int, ...], said: TypedInputs
    ) -> None:
        self.opened = opened
        self.state = opened.character.state
        self.check = check
        self.dice = dice
        self.said = said
        self.drafts: list[EventDraft] = []
        self.told: list[StepMessage] = []
        self.taken: list[str] = []
        self.failed: list[str] = []
        self.refused: list[str] = []
        self.too_heavy = False
        self.full = False

    def take(self, name: str) -> None:
        """Take one piece of what is meant, where that can be."""
        alike = find_holdings(self.state, name, CHARACTER, _owned(self.state), hands=False)
        holding = next((h for h in alike if self._left(h)), alike[0])
        against = list(gear.reasons_not_to_hold(self.state, holding))
        heavy = gear.too_heavy(self.state, holding)
        if heavy is not None and not self.check:
            against.append(_weight_told(self.state, holding, *heavy))
            self.too_heavy = True
        if against:
            self.refused += against
            needed = gear.hands_needed(self.state, holding)
            self.full |= self._left(holding) > 0 and needed > gear.free_hands(self.state)
        elif heavy is None or self._lifted(*heavy):
            self.drafts.append(draft_event(HoldEvent, holding=holding.id))
            self.state = gear.hold(self.state, holding)
            self.taken.append(holding.name)
        else:
            self.failed.append(holding.name)

    def _left(self, holding: Holding) -> int:
        """How many pieces of a holding are not in hand."""
        return holding.quantity - self.state.in_hand.get(holding.id, 0)

    def _lifted(self, lifting: Lifting, weight: int) -> bool:
        """Roll whether an item is lifted, and keep that it was rolled."""
        procedure = self.opened.ruleset.procedure(lifting.procedure)
        said = self.said.also(**{lifting.input: weight})
        heard = parse_inputs(
            self.state, procedure.label, procedure.inputs, procedure.steps, said, CHARACTER
        )
        number = len(self.opened.document.log) + len(self.drafts) + 1
        rolls = _FirstRoll(
            DiceSource(self.opened.document.seed, f"event.{number}", heard.dice), self.dice
        )
        run = procedures.run_procedure(
            self.state, procedure, heard.inputs, rolls, choose=said.choose
        )
        self.drafts.append(
            draft_event(
                ProcedureEvent, procedure=procedure.id, unit=CHARACTER,
                inputs=dict(run.inputs), faces=dict(run.faces),
            )
        )  # fmt: skip
        self.dice = ()
        self.told += run.steps
        self.state = run.state
        return bool(run.outputs.get(lifting.output))

    def finish(self) -> HoldResult:
        """Make the change. Raises RuleRefusal for what could not be taken."""
        if self.refused:
            advice = "Stow something first." if self.full else ""
            advice = "--check rolls for it." if self.too_heavy else advice
            raise RuleRefusal("; ".join(dict.fromkeys(self.refused)), advice)
        if self.dice:
            raise UsageError("nothing is rolled for, so --dice has no use here")
        after = change_character(self.opened, *self.drafts)
        return HoldResult(after, tuple(self.taken), tuple(self.told), tuple(self.failed))


class _FirstRoll:
    """Dice of which the first roll was made at the table."""

    def __init__(self, others: DiceSource, given: tuple[int, ...]) -> None:
        self._others = others
        self._given = given

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll."""
        if not self._given:
            return self._others(name, dice, label)
        given, self._given = list(self._given), ()
        wrong = dice.problem(given)
        if wrong:
            raise UsageError(f"--dice: {wrong}")
        return given


def _weight_told(state: State, holding: Holding, lifting: Lifting, weight: int) -> str:
    label = state.ruleset.kinds[holding.entity.kind].fields[lifting.needs].label
    value = state.ruleset.values[lifting.value].label
    now = state.values().total(lifting.value)
    return f"{holding.name} is {label} {weight}, and {value} is {now} now"


def stow_items(
    opened: LoadedCharacter, named: Iterable[str], everything: bool = False
) -> LoadedCharacter:
    """Put things away, one piece for each name, or everything that is in hand."""
    state, drafts = opened.character.state, list[EventDraft]()
    for name in named:
        inside = [h for h in state.holdings if state.in_hand.get(h.id)]
        if not inside:
            raise RuleRefusal("nothing is in hand" if not drafts else "nothing more is in hand")
        holding = _in_hand(state, name, inside)
        drafts.append(draft_event(StowEvent, holding=holding.id))
        state = gear.stow(state, holding)
    if everything:
        for name, number in state.in_hand.items():
            drafts += [draft_event(StowEvent, holding=name)] * number
        if not drafts:
            raise RuleRefusal("nothing is in hand")
    return change_character(opened, *drafts)


def _in_hand(state: State, name: str, inside: list[Holding]) -> Holding:
    """Return what is meant of what is in hand. Raises RuleRefusal for what is owned only."""
    try:
        return find_holding(state, name, None, inside)
    except UnknownId:
        owned = find_holdings(state, name, CHARACTER, _owned(state), hands=False)[0]
        raise RuleRefusal(f"{owned.name} is owned, but not in hand") from None


def _owned(state: State) -> list[Holding]:
    return list(gear.owned_gear(state, CHARACTER))


def names_in_hand(state: State) -> tuple[str, ...]:
    """Name what is in hand."""
    found = []
    for name, number in state.in_hand.items():
        holding = state.holding(name)
        if holding is not None:
            times = f" × {number}" if number > 1 else ""
            found.append(f"{holding.name}{times}")
    return tuple(found)
