"""Errors as data: they keep their contents between processes."""

from __future__ import annotations

import pickle
from pathlib import Path

from charforge import errors
from charforge.cli.messages import error_message
from charforge.procedures.context import UnknownFigure
from charforge.serve.actions import ActionQuestion
from charforge.serve.forms import ActionForm

PLACE = Path("nix.json")
RAISED = [
    errors.FormulaError("1 +", "it cannot be read"),
    errors.PackError([errors.PackProblem(PLACE, 3, 1, "id", "no such kind", "role")]),
    errors.UnknownId("value", "reech", ["reach", "luck"]),
    errors.DocumentError(PLACE, "it is no JSON", "Restore it."),
    errors.MissingPack(PLACE, [("capital", "1.0.0")]),
    errors.CampaignError([errors.PackProblem(PLACE, 2, 9, "packs", "no such pack", "house")]),
    errors.FaultyTemplate([errors.PackProblem(PLACE, 3, 1, "", "it has no end")]),
    errors.DownloadError("https://example.org/x.zip", "it is too large", "Ask for a smaller one."),
    errors.NotACharacter(PLACE, "Some advice."),
    errors.AnswersError(PLACE, [(4, "no such answer")]),
    errors.UnusedAnswers([("role", "nobody asks")]),
    errors.AnswerError([("role", "it is not allowed")]),
    errors.MissingAnswers([("role", "Which role?")], creation=True),
    errors.NoOptionLeft([("Level 5: Talent", "Tough: already taken")]),
    errors.ProcedureError("attack", [("vs", "it must be given")], {"vs": "9"}, ["vs"]),
    errors.Cancelled("damage 3"),
    UnknownFigure("attack", "energy"),
    errors.RuleRefusal("3 Energy are needed", "Rest."),
    errors.MissingInput("Say what it is against.", ["vs", "opposed"]),
    errors.UnreadableField("HP: “seven” is not a number"),
    errors.RefusedAbility(
        "it is on cooldown",
        "Rest.",
        "at",
        [("Attack", ("action/attack", "--action", "Attack"), {"vs": "5"})],
    ),
    errors.WriteError(PLACE, "the disk is full"),
    errors.ChangedMeanwhile(PLACE, "another program changed it"),
    errors.UsageError("--jobs and --cluster", "Give one."),
    errors.AmbiguousName(
        "several of it", "at", [("Attack", ("action/attack", "--action", "Attack"))]
    ),
    errors.WrongUnit("“ram” is an ability of Tank", "tank"),
    errors.SheetError("a PDF needs libpango", "Install it."),
    errors.MissingLibraryError("a PDF needs libpango", "Install it."),
    ActionQuestion(ActionForm("use", "Attack", message="it is on cooldown")),
    errors.UnreadableField("HP is 70, and 62 is the most", "Type a smaller number."),
]


def test_every_kind_of_error_is_among_those_tried():
    def below(kind: type) -> set[type]:
        return {kind, *(one for child in kind.__subclasses__() for one in below(child))}

    bases = {errors.CharforgeError, errors.FileError, errors.ReasonError}
    assert {type(error) for error in RAISED} == below(errors.CharforgeError) - bases


def test_an_error_of_another_process_comes_back_whole():
    for error in RAISED:
        back = pickle.loads(pickle.dumps(error))
        assert type(back) is type(error)
        assert (str(back), vars(back), back.exit_code) == (str(error), vars(error), error.exit_code)


def test_a_problem_without_a_decision_is_only_its_reason() -> None:
    error = errors.AnswerError([("", "you carry 11 of 10 slots")])
    assert error_message(error).splitlines()[1:] == ["you carry 11 of 10 slots."]
