"""The kinds of decision: the class for each kind of question.

A new kind is a model in ``rules/models/questions.py`` (and its name in the
union at the end of that module), a module with its class beside this one,
and a line in KINDS.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from charforge.character.state import CHARACTER, State
from charforge.decisions.allot import AllotDecision
from charforge.decisions.assign import AssignDecision
from charforge.decisions.base import Decision
from charforge.decisions.choose import ChooseDecision
from charforge.decisions.enter import EnterDecision
from charforge.decisions.roll import RollDecision
from charforge.decisions.roll_on import RollOnDecision
from charforge.decisions.write import WriteDecision
from charforge.rules.models import Allot, Assign, Choose, Enter, Question, Roll, RollOn, Write

KINDS: Mapping[type[Question], type[Decision]] = MappingProxyType(
    {
        Choose: ChooseDecision,
        Roll: RollDecision,
        RollOn: RollOnDecision,
        Assign: AssignDecision,
        Allot: AllotDecision,
        Enter: EnterDecision,
        Write: WriteDecision,
    }
)


def decision_class(question: Question) -> type[Decision]:
    """Return the class of the decisions that ask a question of a pack."""
    return KINDS[type(question)]


def make_decision(
    name: str,
    question: Question,
    before: State,
    unit: str = CHARACTER,
    holding: str = "",
    section: str = "",
    level: int = 1,
) -> Decision:
    """Return the decision that asks a question at a place; see Decision for the arguments."""
    return decision_class(question)(name, question, before, unit, holding, section, level)
