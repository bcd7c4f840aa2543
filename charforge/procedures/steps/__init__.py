"""Steps of procedures: each kind in one module, registered here by its model.

A new kind of step is a model in ``charforge.rules.models.steps``, a module in
this package with a ``StepKind``, and one line in the table below.
"""

from charforge.procedures.steps.base import (
    STEP_KINDS as STEP_KINDS,
    ProcedureStopped as ProcedureStopped,
    StepKind as StepKind,
    dice_inputs as dice_inputs,
    every_step as every_step,
    find_missing_inputs as find_missing_inputs,
    kind_of as kind_of,
    number_choices as number_choices,
    refuse_unit as refuse_unit,
    run_steps as run_steps,
)
from charforge.procedures.steps.call import CallKind
from charforge.procedures.steps.change import ChangeKind, RefillKind
from charforge.procedures.steps.condition import LiftKind, PassKind, PutKind
from charforge.procedures.steps.cooldown import RecoverKind
from charforge.procedures.steps.count import CountKind
from charforge.procedures.steps.decide import DecideKind
from charforge.procedures.steps.let import LetKind
from charforge.procedures.steps.look_up import LookUpKind
from charforge.procedures.steps.pool import PoolKind
from charforge.procedures.steps.read_chart import ReadChartKind
from charforge.procedures.steps.require import RequireKind
from charforge.procedures.steps.roll import RerollKind, RollKind
from charforge.procedures.steps.tell import TellKind
from charforge.rules import models

STEP_KINDS |= {
    models.Let: LetKind(),
    models.RollDice: RollKind(),
    models.RollPool: PoolKind(),
    models.Reroll: RerollKind(),
    models.LookUp: LookUpKind(),
    models.ReadChart: ReadChartKind(),
    models.Decide: DecideKind(),
    models.Require: RequireKind(),
    models.ChangeStep: ChangeKind(),
    models.Put: PutKind(),
    models.Lift: LiftKind(),
    models.Count: CountKind(),
    models.Refill: RefillKind(),
    models.Pass: PassKind(),
    models.Recover: RecoverKind(),
    models.Call: CallKind(),
    models.Tell: TellKind(),
}
