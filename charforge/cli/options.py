"""The arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

CharacterFile = Annotated[Path, typer.Argument(metavar="FILE", help="A character file.")]
CharacterFiles = Annotated[
    list[Path], typer.Argument(metavar="FILE…", help="Character files, or folders of them.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]
AtLevel = Annotated[
    Optional[int],
    typer.Option("--at-level", metavar="N", help="As of the end of level N."),
]
AnswersOption = Annotated[
    Optional[Path], typer.Option("--answers", metavar="FILE", help="A YAML file with answers.")
]
RandomOption = Annotated[bool, typer.Option("--random", help="Choose everything else at random.")]
SeedOption = Annotated[
    Optional[str],
    typer.Option(
        "--seed", metavar="S", help="Seed of the dice; the same seed gives the same rolls."
    ),
]
OutOption = Annotated[
    Optional[Path],
    typer.Option("-o", "--output", metavar="FILE", help="Where to save it; - prints it."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
RulesetOption = Annotated[
    Optional[str], typer.Option("--ruleset", metavar="ID", help="The game (see catalog installed).")
]
PackOption = Annotated[
    Optional[list[str]],
    typer.Option("--pack", metavar="ID", help="An installed pack to use; repeat for several."),
]
UnitOption = Annotated[
    Optional[str],
    typer.Option("--unit", metavar="U", help="A companion or vehicle of the character."),
]
