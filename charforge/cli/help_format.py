"""Help as plain text: usage, description, examples, arguments, options, commands in groups."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer

from charforge.language import N_, _

OPTIONAL = re.compile(r"^\[([^][]*)\]$")  # the usage line shows what is optional
EXAMPLE_LINES = "\b"  # before a paragraph whose lines stay as they are
WIDEST = 100  # columns
HELP_OPTIONS = ("-h", "--help")
RARE = {"--by", "--dated", "--set", "--json", "--jobs", "--cluster"}
ALL_OPTIONS = "charforge.all_options"  # in ``meta`` of the context: rare options are listed, too
NAME_COLUMNS = 30  # columns of names that have their meaning beside them
OWN_TEXTS = {  # of options that typer adds
    "--help": N_("Show this help."),
    "--install-completion": N_("Install Tab completion for your shell."),
    "--show-completion": N_("Print the script of Tab completion."),
}


def write_help(command: Any, ctx: Any, formatter: Any) -> None:
    """Write the help of a command."""
    _write_start(command, ctx, formatter)
    shown = [parameter for parameter in command.get_params(ctx) if not parameter.hidden]
    rare = [] if ctx.meta.get(ALL_OPTIONS) else list(filter(is_rare, shown))
    for heading, kind in ((_("Arguments"), "argument"), (_("Options"), "option")):
        rows = [
            parameter_row(one) for one in shown if one.param_type_name == kind and one not in rare
        ]
        write_rows(formatter, heading, rows)
    if rare:
        names = ", ".join(max(one.opts, key=len) for one in rare)
        formatter.write_paragraph()
        formatter.write_text(
            _("Also: {names}. To see what they do: charforge help {command} --all").format(
                names=names, command=ctx.command_path.partition(" ")[2]
            )
        )


def is_rare(parameter: Any) -> bool:
    """Return whether an option is for scripts and records, so that the short help only names it."""
    return bool(RARE.intersection(parameter.opts))


def write_group_help(
    group: Any,
    ctx: Any,
    formatter: Any,
    commands: Mapping[str, Iterable[tuple[str, str]]],
    topics: Mapping[str, list[tuple[str, str]]],
) -> None:
    """Write the help of a group: its commands by headings, the topics of the others; options."""
    _write_start(group, ctx, formatter)
    width = max(len(name) for rows in commands.values() for name, _help in rows)
    for heading, rows in commands.items():
        write_rows(formatter, heading, [(f"{name:<{width}}", text) for name, text in rows])
    for heading, topic_rows in topics.items():
        write_rows(formatter, heading, topic_rows)
    write_rows(formatter, _("Options"), [parameter_row(one) for one in group.get_params(ctx)])
    if group.epilog:
        formatter.write_paragraph()
        formatter.write_text(_(group.epilog))


def _write_start(command: Any, ctx: Any, formatter: Any) -> None:
    pieces = " ".join(command.collect_usage_pieces(ctx))
    formatter.write_usage(ctx.command_path, pieces, prefix=f"{_('Usage:')} ")
    formatter.write_paragraph()
    formatter.write_text("\n\n".join(map(_translated, help_paragraphs(command.help or ""))))


def help_paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a command's help, each on one line; examples keep their lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        yield paragraph if paragraph.startswith(EXAMPLE_LINES) else " ".join(paragraph.split())


def _translated(paragraph: str) -> str:
    """Return a paragraph of a command's help in the current language."""
    if paragraph.startswith(EXAMPLE_LINES):
        return paragraph.replace("Examples:", _("Examples:"), 1)
    return _(paragraph)


def write_rows(formatter: Any, heading: str, rows: list[tuple[str, str]]) -> None:
    """Write rows of a name and its meaning below a heading; without rows, nothing."""
    if rows:
        with formatter.section(_styled(heading, bold=True)):
            formatter.write_dl(
                [(_styled(name, fg="cyan"), text) for name, text in rows], NAME_COLUMNS
            )


def _styled(text: str, **style: Any) -> str:
    """Return a styled text, unless the user wants none; typer drops styles outside of terminals."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else typer.style(text, **style)


def usage_pieces(command: Any, ctx: Any) -> list[str]:
    """Return the words of a usage line after the command: ``FILE [ITEM…] [OPTIONS]``."""
    pieces = []
    for parameter in command.get_params(ctx):
        if parameter.param_type_name == "argument":
            name = parameter_name(parameter)
            pieces += ["[FILE]"] if parameter.name == "words" else []  # or --ruleset instead
            pieces.append(name if parameter.required else f"[{name}]")
        elif command.plain_words and "--vs" in parameter.opts:
            pieces.append("[SCORE]")
    return [*pieces, *filter(None, [command.ending]), "[OPTIONS]"]


def parameter_row(parameter: Any) -> tuple[str, str]:
    """Return how to type an argument or option, and what it does."""
    if parameter.param_type_name == "argument":
        return parameter_name(parameter), _(parameter.help or "")
    names = ", ".join(sorted(parameter.opts, key=len))
    typed = names if parameter.is_flag else f"{names} {parameter_name(parameter)}"
    text = _(OWN_TEXTS.get(max(parameter.opts, key=len), parameter.help or ""))
    return typed, " ".join([text, *_default(parameter)])


def _default(parameter: Any) -> Iterator[str]:
    """Yield the default of an option, if it has one that a player could type."""
    default = parameter.default
    if default in (None, "", False) or not parameter.show_default or isinstance(default, list):
        return
    yield _("(default: {value})").format(value=default)


def parameter_name(parameter: Any) -> str:
    """Return the name of an argument, or of what comes after an option: FILE, a4|letter, N."""
    if parameter.metavar:
        return OPTIONAL.sub(r"\1", str(parameter.metavar))
    types = types_of(parameter)
    if choices := choices_of(parameter):
        return "|".join(choices)
    return "FILE" if Path in types else "N" if int in types else "TEXT"


def takes_number(parameter: Any) -> bool:
    """Return whether an argument or option takes a whole number."""
    return int in types_of(parameter)


def types_of(parameter: Any) -> tuple[Any, ...]:
    """Return the type of an argument or option, and those in its brackets."""
    annotation = parameter.type_descriptor.annotation
    return (annotation, *get_args(annotation))


def choices_of(parameter: Any) -> list[str]:
    """Return the words that an argument or option is limited to; nothing for any other."""
    for type_ in types_of(parameter):
        if get_origin(type_) is Literal:
            return list(get_args(type_))
        if isinstance(type_, type) and issubclass(type_, Enum):
            return [choice.value for choice in type_]
    return []
