"""The help of a session: its verbs, and what each takes, as lines of the session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from charforge.cli import console
from charforge.cli.commands import ProgramGroup
from charforge.cli.console import Line, Styled
from charforge.cli.front_end import KNOWN
from charforge.cli.help_format import EXAMPLES as EXAMPLE_LINES, help_paragraphs
from charforge.errors import FILE
from charforge.language import N_, _

OWN = {  # verbs of the session: what they take, what they do
    "attack": ("attack [NAME] [SCORE]", N_("Attack; without a name, choose from a list.")),
    "abilities": ("abilities", N_("List attacks and abilities with cost and readiness.")),
    "conditions": ("conditions", N_("Explain your conditions; list those you can add.")),
    "status": ("status", N_("Show resources, conditions, cooldowns and items.")),
    "unit": ("unit [NAME]", N_("Switch to a companion or vehicle, or back to you.")),
    "help": ("help [VERB|ABILITY]", N_("Explain a verb or an ability.")),
    "quit": ("quit", N_("End the session (or Ctrl-D). Everything is saved.")),
    "use": ("[use] ABILITY [SCORE]", N_("Use an attack or ability by name or number.")),
}
GROUPS = {
    N_("Act"): ("use", "attack", "roll", "turn", "rest"),
    N_("Change"): ("damage", "heal", "spend", "award", "condition", "note"),
    N_("Look"): ("abilities", "conditions", "status", "show", "explain", "odds", "history"),
    N_("Gear"): ("hold", "stow", "wear", "take-off", "buy", "sell", "drop"),
    N_("Session"): ("undo", "redo", "unit", "help", "quit"),
}
EXAMPLES = {  # of verbs of the session
    "attack": ("attack", "attack pistol 8"),
    "unit": ("unit land beast", "unit"),
    "help": ("help damage", "help pistol"),
    "use": ("3", "3 vs 8 aim=1"),
}
OPTIONS = {  # options that have a shorter form in a session
    ("--set", "NAME=VALUE"): (
        "NAME=VALUE",
        N_("Another detail of the rule; `help ABILITY` lists them."),
    ),
    ("--dice", "[ROLL=]3,4"): (
        "dice=3,4",
        N_("Your own dice for the first roll; `help ABILITY` names the others."),
    ),
    ("--vs", "N"): (
        "vs N",
        N_("The difficulty, or the opponent's score. The number alone will do."),
    ),
}
# What a line hardly ever needs.
HIDDEN = (
    "ctx", "file", "files", "words", "ruleset", "by", "dated", "help", "unit", "inputs", "as_json",
)  # fmt: skip


def overview() -> Iterator[Line]:
    """Yield the usual verbs in groups, each with what it does."""
    program = ProgramGroup()
    usages = {verb: usage(program, verb) for verbs in GROUPS.values() for verb in verbs}
    wide = max(map(len, usages.values()))
    for group, verbs in GROUPS.items():
        yield (Styled(_(group), "bold"),)
        for verb in verbs:
            text = _(OWN[verb][1] if verb in OWN else str(program.commands[verb].help))
            first = f"  {usages[verb]:<{wide}}  "
            yield from console.wrapped(text, " " * len(first), first)
    yield from console.wrapped(
        _(
            "The number or name of an ability uses it; Enter alone lists them. Other commands of "
            "charforge work as well, without the file. An empty line or Esc cancels a question."
        ),
    )


def usage(program: ProgramGroup, verb: str) -> str:
    """Return a verb with what it takes: ``damage AMOUNT [TYPE]``."""
    if verb in OWN:
        return OWN[verb][0]
    command = program.load(verb)
    pieces = command.collect_usage_pieces(typer.Context(command, info_name=verb))
    return " ".join([verb, *(piece for piece in pieces if piece not in KNOWN)])


def verb_lines(program: ProgramGroup, verb: str) -> Iterator[Line]:
    """Yield what a verb does and takes, with examples."""
    yield (Styled(usage(program, verb), "bold"),)
    if verb in OWN and verb != "use":
        yield from console.wrapped(_(OWN[verb][1]), "  ")
        yield from _example_lines(EXAMPLES.get(verb, ()))
        return
    command = program.load(verb)
    for paragraph in help_paragraphs(getattr(command, "description", command.help)):
        if not paragraph.startswith(EXAMPLE_LINES):
            yield from console.wrapped(_(paragraph), "  ")
    rows = list(_part_rows(command))
    wide = max((len(word) for word, _help in rows), default=0)
    for word, help_ in rows:
        first = f"    {word:<{wide}}  "
        yield from console.wrapped(help_, " " * len(first), first)
    own = (f"{verb} {example}" for example in getattr(command, "examples", ()))
    lines = (" ".join(word for word in line.split() if word != FILE) for line in own)
    yield from _example_lines((*EXAMPLES.get(verb, ()), *lines))


def _example_lines(examples: tuple[str, ...]) -> Iterator[Line]:
    if examples:
        yield from console.wrapped(
            _("Examples: {examples}").format(examples=" · ".join(examples)), "    ", "  "
        )


def _part_rows(command: Any) -> Iterator[tuple[str, str]]:
    """Yield what a line of the verb can have, each as it is typed, with its help."""
    shown = [part for part in command.params if part.name not in HIDDEN]
    arguments = [part for part in shown if part.param_type_name == "argument"]
    words = [str(part.metavar or part.name).strip("[]") for part in arguments]
    yield from zip(words, (_(str(part.help)) for part in arguments), strict=True)
    for part in shown:
        if part in arguments or str(part.metavar) in words:
            continue
        name, help_ = part.opts[0], _(str(part.help))
        word = name.removeprefix("--") if part.is_flag else f"{name} {part.metavar}"
        short, text = OPTIONS.get((name, str(part.metavar)), (word, help_))
        yield short, _(text)
