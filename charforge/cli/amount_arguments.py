"""Verbs that take an amount: one below 0 is another verb's, and says so."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any

from typer import TyperException

from charforge.cli.arguments import Command

BELOW = re.compile(r"-[0-9]+")
OTHER = {"gain": "spend", "spend": "gain", "damage": "heal", "heal": "damage"}


class Amounts(Command):
    """Refuses an amount below 0, which would be read as an option, and names what there is."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises UsageError, once nothing else is wrong with them."""
        from charforge.errors import UsageError

        before = ["", *args]
        for number, word in enumerate(args):
            if BELOW.fullmatch(word) and not before[number].startswith("--"):
                above = [*args[:number], word[1:], *args[number + 1 :]]
                super().parse_args(ctx, list(above))
                verb = str(self.name)
                raise UsageError(f"{verb} takes no amount below 0", _instead(verb, ctx, above))
        return super().parse_args(ctx, args)


def _instead(verb: str, ctx: Any, args: Sequence[str]) -> str:
    """Return the other verb where it takes the same words, and else what takes a change back."""
    file = str(ctx.params["file"])
    if _takes(OTHER[verb], args) and _goes_both_ways(ctx.params):
        return f"Use: {shlex.join(['charforge', OTHER[verb], *args])}"
    return f"To take back the last change, use: {shlex.join(['charforge', 'undo', file])}"


def _takes(verb: str, args: Sequence[str]) -> bool:
    """Whether a verb can read the arguments."""
    from typer.main import get_command

    from charforge.cli.commands import program

    group: Any = get_command(program([verb]))
    try:
        group.commands[verb].make_context(verb, list(args))
    except TyperException:
        return False
    return True


def _goes_both_ways(given: dict[str, Any]) -> bool:
    """Whether what is spent can be gained, and the reverse; HP can by all means."""
    from charforge.replay.loaded import load_character
    from charforge.usecases import manual_changes

    named = given.get("what")
    return named is None or manual_changes.spendable(
        load_character(given["file"]), named, given.get("unit")
    )
