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
    typer.Option("--at-level", metavar="N", help="As it stood at the end of level N."),
]
AnswersOption = Annotated[
    Optional[Path], typer.Option("--answers", metavar="FILE", help="Answers in YAML.")
]
RandomOption = Annotated[
    bool, typer.Option("--random", help="Let chance fill what is left, legally and sensibly.")
]
SeedOption = Annotated[
    Optional[str], typer.Option("--seed", metavar="S", help="The same seed gives the same dice.")
]
OutOption = Annotated[
    Optional[Path],
    typer.Option("-o", "--output", metavar="FILE", help="Where to write; - prints it."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
RulesetOption = Annotated[
    Optional[str], typer.Option("--ruleset", metavar="ID", help="The game (see catalog list).")
]
PackOption = Annotated[
    Optional[list[str]],
    typer.Option("--pack", metavar="ID", help="Use an installed pack; repeat it for several."),
]
UnitOption = Annotated[
    Optional[str], typer.Option("--unit", metavar="U", help="A companion or vehicle.")
]
