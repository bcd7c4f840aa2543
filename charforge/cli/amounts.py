"""Verbs that take an amount: one below 0 is another verb's, and says so."""

from __future__ import annotations

import re
import shlex
from typing import Any

from charforge.cli.arguments import Command

BELOW = re.compile(r"-[0-9]+")
OTHER = {"gain": "spend", "spend": "gain", "damage": "heal", "heal": "damage"}


class Amounts(Command):
    """Refuses an amount below 0, which would be read as an option, and names the other verb."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises UsageError."""
        from charforge.errors import UsageError

        before = ["", *args]
        for number, word in enumerate(args):
            if BELOW.fullmatch(word) and not before[number].startswith("--"):
                verb = str(self.name)
                said = [OTHER[verb], *args[:number], word[1:], *args[number + 1 :]]
                raise UsageError(
                    f"{verb} takes no amount below 0", f"Use: charforge {shlex.join(said)}"
                )
        return super().parse_args(ctx, args)
