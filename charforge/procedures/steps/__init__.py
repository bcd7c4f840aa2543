"""Steps of procedures: each kind is a class, registered here by its model.

A new kind of step is a model in ``charforge.rules.models.procedures``, a ``StepKind`` in
``flow``, ``dice`` or ``effects``, and one line in the table below.
"""

from charforge.procedures.steps.base import (
    STEP_KINDS as STEP_KINDS,
    PossibleSteps as PossibleSteps,
    ProcedureStopped as ProcedureStopped,
    StepKind as StepKind,
    dice_inputs as dice_inputs,
    every_step as every_step,
    find_missing_inputs as find_missing_inputs,
    kind_of as kind_of,
    number_choices as number_choices,
    possible_roll_names as possible_roll_names,
    refuse_unit as refuse_unit,
    run_steps as run_steps,
)
from charforge.procedures.steps.dice import (
    JudgeKind,
    LookUpKind,
    PoolKind,
    ReadChartKind,
    RerollKind,
    RollKind,
)
from charforge.procedures.steps.effects import (
    ChangeKind,
    CountKind,
    LiftKind,
    PassKind,
    PutKind,
    RecoverKind,
    RefillKind,
)
from charforge.procedures.steps.flow import (
    CallKind,
    ChooseStepKind,
    LetKind,
    RequireKind,
    SayStepKind,
)
from charforge.rules import models

STEP_KINDS |= {
    models.Let: LetKind(),
    models.RollDice: RollKind(),
    models.RollPool: PoolKind(),
    models.Reroll: RerollKind(),
    models.Judge: JudgeKind(),
    models.LookUp: LookUpKind(),
    models.ReadChart: ReadChartKind(),
    models.ChooseStep: ChooseStepKind(),
    models.Require: RequireKind(),
    models.ChangeStep: ChangeKind(),
    models.Put: PutKind(),
    models.Lift: LiftKind(),
    models.Count: CountKind(),
    models.Refill: RefillKind(),
    models.Pass: PassKind(),
    models.Recover: RecoverKind(),
    models.Call: CallKind(),
    models.SayStep: SayStepKind(),
}
