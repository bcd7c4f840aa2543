"""How a sheet shall look: its options, and which of them do not fit together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.errors import UsageError
from charforge.sheet.print_options import Look


class Layout(StrEnum):
    """What is on the sheet."""

    full = "full"
    short = "short"
    cards = "cards"
    reference = "reference"


class Paper(StrEnum):
    """What to print on."""

    a4 = "a4"
    letter = "letter"


class Orientation(StrEnum):
    """How the paper is held."""

    portrait = "portrait"
    landscape = "landscape"


class Style(StrEnum):
    """How it is drawn."""

    ink_saver = "ink-saver"
    large_print = "large-print"
    grey = "grey"


LayoutOption = Annotated[
    Layout,
    typer.Option(
        "--layout",
        help="Everything, one page for combat, cards to cut out (63 × 88 mm), or rules text only.",
    ),
]
PaperOption = Annotated[Paper, typer.Option("--paper", help="The paper size.")]
OrientationOption = Annotated[
    Orientation, typer.Option("--orientation", help="The orientation of the paper.")
]
StyleOption = Annotated[
    Optional[list[Style]],
    typer.Option("--style", help="No filled areas, 14 pt text, or no colour; repeat to combine."),
]
BlankOption = Annotated[
    bool, typer.Option("--blank", help="Create an empty sheet to fill in by hand.")
]
BlankRuleset = Annotated[
    Optional[str], typer.Option("--ruleset", metavar="ID", help="The game of the empty sheet.")
]
AuditOption = Annotated[bool, typer.Option("--audit", help="Explain every value step by step.")]
OddsOption = Annotated[bool, typer.Option("--odds", help="Add odds of attacks and other rolls.")]


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a sheet's look, as they were given."""

    layout: Layout = Layout.full
    paper: Paper = Paper.a4
    orientation: Orientation = Orientation.portrait
    styles: tuple[Style, ...] = ()
    blank: bool = False
    ruleset: str | None = None
    audit: bool = False
    odds: bool = False

    def look(self) -> Look:
        """Return the look that was asked for."""
        return Look(
            layout=self.layout.value,
            paper=self.paper.value,
            orientation=self.orientation.value,
            styles=frozenset(style.value for style in self.styles),
            blank=self.blank,
        )


def refuse(
    asked: Asked,
    files: list[Path],
    at_level: int | None = None,
    portrait: Path | None = None,
) -> None:
    """Raise UsageError, in one sentence, for the first options that do not fit together."""
    bare = asked.layout in (Layout.cards, Layout.reference)
    nobody, named = asked.blank, ", ".join(map(str, files[:3]))
    layout = f"--layout {asked.layout.value}"
    wrong = (
        (not files and not nobody, "no character is named",
         "Give character files, or --blank for an empty sheet."),
        (bool(files) and nobody, f"--blank is a sheet of nobody, but {named} is named",
         "Leave out --blank, or the files."),
        (asked.ruleset is not None and not nobody,
         "--ruleset is for --blank; a character knows its game", "Leave out --ruleset."),
        (nobody and bare, f"--blank leaves nothing to print on {layout}",
         "Use --layout full or --layout short."),
        (nobody and at_level is not None, "--blank has no level for --at-level",
         "Leave out one of them."),
        (nobody and asked.audit, "--blank has no values for --audit", "Leave out one of them."),
        (nobody and asked.odds, "--blank has nobody whose --odds to print",
         "Leave out one of them."),
        (nobody and portrait is not None, "--blank has no place for --portrait",
         "Leave out one of them."),
        (asked.audit and asked.layout is Layout.cards,
         "--audit adds pages, and --layout cards has none",
         "Use another layout, or leave out --audit."),
        (asked.odds and asked.layout is Layout.cards,
         "--odds adds a page, and --layout cards has none",
         "Use another layout, or leave out --odds."),
    )  # fmt: skip
    for happens, reason, advice in wrong:
        if happens:
            raise UsageError(reason, advice)
