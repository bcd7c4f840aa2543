"""Commands that take an amount: one below 0 belongs to the opposite command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any

from typer import TyperException

from charforge.cli import commands
from charforge.cli.arguments import Command
from charforge.errors import UsageError
from charforge.replay.loaded import load_character
from charforge.usecases import manual_changes

NEGATIVE_NUMBER = re.compile(r"-[0-9]+")
OPPOSITES = {"gain": "spend", "spend": "gain", "damage": "heal", "heal": "damage"}


class AmountCommand(Command):
    """A command that takes an amount and names the opposite command for one below 0.

    Without this, -3 would be reported as an unknown option.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Raises UsageError if the amount is their only mistake."""
        words_before = ["", *args]
        for index, word in enumerate(args):
            if NEGATIVE_NUMBER.fullmatch(word) and not words_before[index].startswith("--"):
                positive = [*args[:index], word[1:], *args[index + 1 :]]
                super().parse_args(ctx, list(positive))
                name = str(self.name)
                raise UsageError(
                    f"{name} takes no amount below 0", _advice(name, ctx.params, positive)
                )
        return super().parse_args(ctx, args)


def _advice(name: str, parameters: dict[str, Any], args: Sequence[str]) -> str:
    """Return the opposite command if it takes the same words, otherwise how to undo."""
    if _accepts(OPPOSITES[name], args) and _reversible(parameters):
        return f"Use: {shlex.join(['charforge', OPPOSITES[name], *args])}"
    undo = shlex.join(["charforge", "undo", str(parameters["file"])])
    return f"To take back the last change, use: {undo}"


def _accepts(name: str, args: Sequence[str]) -> bool:
    """Whether a command can parse the arguments."""
    try:
        commands.load(name).make_context(name, list(args))
    except TyperException:
        return False
    return True


def _reversible(parameters: dict[str, Any]) -> bool:
    """Whether what is gained can also be spent; damage and healing always are."""
    what = parameters.get("what")
    return what is None or manual_changes.is_spendable(
        load_character(parameters["file"]), what, parameters.get("unit")
    )
