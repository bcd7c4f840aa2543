"""``export``: a character for other people, for other programs, or as a bundle for ``import``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, Optional

import typer

from charforge.answers.file import write_answers
from charforge.cli import console
from charforge.cli.check import say_pack_changes
from charforge.cli.files import (
    STDOUT,
    default_path,
    may_write,
    print_path,
    refuse_overwriting,
    write_result,
)
from charforge.cli.options import (
    AtLevel,
    Command,
    ForceOption,
    OptionalFile,
    OutOption,
    PlannedOption,
    TemplateOption,
)
from charforge.errors import FILE, UsageError
from charforge.export import SCHEMA
from charforge.export.tabletop import NOT_CARRIED
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter, load_character, shared_file
from charforge.sheet import templates
from charforge.usecases.plan import load_at

app = typer.Typer(add_completion=False)


ExportFormat = Literal[
    "answers", "markdown", "text", "json", "statblock", "discord", "foundry", "roll20"
]
# What each is, for the help. Those that templates make are in `templates/exports`.
FORMATS: dict[ExportFormat, str] = {
    "answers": N_("YAML that creates the character again."),
    "markdown": N_("The whole sheet as notes for Obsidian or GitHub."),
    "text": N_("A short summary for a chat."),
    "json": N_("All computed values, for other programs."),
    "statblock": N_("A stat block for Obsidian's Fantasy Statblocks plugin."),
    "discord": N_("A message with an embed, for a webhook or bot."),
    "foundry": N_("An actor and its template, for Custom System Builder in Foundry."),
    "roll20": N_("Attributes and macros, to import with the VTT Enhancement Suite extension."),
}
# The formats that the ending of a file means, if no format is given.
ENDINGS: dict[str, ExportFormat] = {
    ".yaml": "answers",
    ".yml": "answers",
    ".md": "markdown",
    ".txt": "text",
    ".json": "json",
}
# The command and the option that write files with other endings.
ELSEWHERE = {
    ".pdf": ("sheet", "-o"),
    ".html": ("sheet", "-o"),
    ".charforge": ("export", "--bundle"),
}
# The formats for virtual tabletops, which cannot hold everything.
TABLETOPS = ("foundry", "roll20")


class ExportCommand(Command):
    """``export``, whose help lists the formats."""

    tables = {N_("Formats"): FORMATS}


@app.command("export", cls=ExportCommand)
def export(
    file: OptionalFile = None,
    typed_format: Annotated[
        Optional[ExportFormat],
        typer.Option(
            "--format",
            help=N_(
                "The format; answers can be read by import and new. "
                "Default: by the ending of -o, else answers."
            ),
        ),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help=N_("Print the JSON Schema of --format json instead."))
    ] = False,
    bundle: Annotated[
        Optional[Path],
        typer.Option(
            "--bundle",
            metavar="FILE",
            help=N_("Save the character with its portrait and packs as one file for import."),
        ),
    ] = None,
    output: OutOption = None,
    force: ForceOption = False,
    at_level: AtLevel = None,
    planned: PlannedOption = False,
    template: TemplateOption = None,
) -> None:
    """Export for people, other programs and virtual tabletops, or as a bundle.

    --bundle is for somebody who does not have your packs: one file with the
    character, its portrait, and every pack that is not built in.

    \b
    Examples:
      charforge export nix.json -o nix.yaml
      charforge export nix.json -o nix.md
      charforge export nix.json --format text --at-level 2
      charforge export nix.json --format json | jq .sheet.attacks
      charforge export nix.json --format foundry -o nix-foundry.json
      charforge export nix.json --format roll20 -o nix-roll20.json
      charforge export nix.json --template npc.md
      charforge export nix.json --bundle nix.charforge
      charforge export --format json --schema
    """
    if bundle is not None and file is not None:
        more = output is not None or at_level is not None or planned or template is not None
        if more or typed_format is not None:
            reason = _("--bundle cannot be combined with --format, --at-level and -o")
            raise UsageError(reason, _("Use it alone: it has the whole character."))
        _export_bundle(file, bundle, force)
        return
    if schema:
        if typed_format != "json":
            raise UsageError(_("--schema needs --format json"), _("Add --format json."))
        _write_text(SCHEMA.read_text(encoding="utf-8"), file, output, force)
        return
    if file is None:
        raise UsageError(_("which character?"), _("For example: charforge export nix.json."))
    if template is not None and typed_format is not None:
        raise UsageError(
            _("--template cannot be combined with --format"), _("Leave out one of them.")
        )
    if template is not None:
        text = _render_with_template(template, file, at_level, planned)
    else:
        format = typed_format or _format_for(file, output)
        text = _export_text(file, format, at_level, planned)
    _write_text(text, file, output, force)


def _write_text(text: str, file: Path | None, output: Path | None, force: bool) -> None:
    """Write what was made of a character to a file, or print it."""
    if output is None:
        # In UTF-8 whatever the console has: other programs read it.
        shown = console.without_controls(text).encode(errors="backslashreplace")
        write_result(STDOUT, shown, replace=True)
        return
    if file is not None:
        refuse_overwriting(output, file)
    allowed = may_write(output, force)
    write_result(output, text.encode(errors="backslashreplace"), allowed)
    print_path(output)


def _format_for(file: Path, output: Path | None) -> ExportFormat:
    """Return the format that the ending of a file means; without an ending it is answers.

    Raises UsageError for an ending that means none.
    """
    ending = "" if output is None else output.suffix.lower()
    if output is None or not ending:
        return "answers"
    if ending in ELSEWHERE:
        command, option = ELSEWHERE[ending]
        raise UsageError(
            _("export does not write {ending} files").format(ending=ending),
            _("Use: {command}"),
            [command, str(file), option, str(output)],
        )
    if ending not in ENDINGS:
        raise UsageError(
            _("the ending of {file} does not say which format").format(file=output.name),
            _("Add --format, or use one of these: {endings}.").format(endings=", ".join(ENDINGS)),
        )
    return ENDINGS[ending]


def _export_bundle(file: Path, target: Path, force: bool) -> None:
    """Save a character with its portrait and packs in one file, and list the packs."""
    # Here, because other formats need no packs, whose modules take 60 ms to import.
    from charforge.packs.bundles import bundle_bytes

    refuse_overwriting(target, file)
    allowed = may_write(target, force)
    loaded = load_character(file)
    say_pack_changes(file, loaded)
    write_result(target, bundle_bytes(file, loaded), allowed)
    print_path(target)
    _say_shared_left_out(file, loaded)


def _say_shared_left_out(file: Path, loaded: LoadedCharacter) -> None:
    """Say that what the group owns is not in a bundle of a member, and how to send it."""
    spec, shared = loaded.ruleset.head.shared, loaded.character.state.shared
    if spec is None or shared is None:
        return
    owned = shared_file(file.parent)
    console.say(
        _(
            "{name} ({label}) is a file of its own, of the game {game}: it is not in the bundle. "
            "Send a bundle of it, too: {command}"
        ).format(
            name=shared.name,
            label=spec.label,
            game=spec.ruleset,
            command=_export_command(owned, shared.name),
        )
    )


def _export_command(owned: Path | None, name: str) -> str:
    """Return the command that makes a bundle of what a group owns, named as import names it."""
    file, bundle = owned or Path(FILE), default_path(name).with_suffix(".charforge")
    return console.SHELL.command_line(["export", str(file), "--bundle", str(bundle)])


def _render_with_template(template: str, file: Path, at_level: int | None, planned: bool) -> str:
    """Render a character with the player's template."""
    own = templates.find_template(template)
    loaded = load_at(file, at_level, planned)
    templates.refuse_other_game(own, loaded.ruleset.id)
    say_pack_changes(file, loaded)
    return _fill_in(own, loaded)


def _fill_in(template: templates.OwnTemplate, loaded: LoadedCharacter) -> str:
    """Return the text that a template makes of a character."""
    # Here, because answers and data need no templates: Jinja takes 30 ms to import.
    from charforge.export.text_formats import write_by

    return write_by(template, loaded.character, loaded.problems)


def _export_text(file: Path, format: ExportFormat, at_level: int | None, planned: bool) -> str:
    """Return the text of a character in a format; only what that format needs is imported."""
    loaded = load_at(file, at_level, planned)
    say_pack_changes(file, loaded)
    if format == "answers":
        return write_answers(loaded, console.say)
    if format in templates.built_in_templates():
        return _fill_in(templates.built_in_template(format), loaded)
    module = import_module(f"charforge.export.{format}")
    text: str = module.write(loaded.character, loaded.problems)
    if format in TABLETOPS:
        console.say(_(NOT_CARRIED))
    return text
