"""``import``: create a character from answers, a character file, a bundle or a PDF sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, Optional

import typer

from charforge.answers.file import FILE_KEYS
from charforge.character.files import (
    atomic_write,
    document as model,
    pdf_attachments,
    reader,
    storage,
)
from charforge.character.files.document import to_text
from charforge.character.files.events import AnyEvent
from charforge.character.files.pdf_attachments import PdfAttachments
from charforge.cli import console
from charforge.cli.answers_options import character_spec, located_errors, read_answers_file
from charforge.cli.changes import SIGNATURE, UNSIGNED, ChangeCommand, current_time, save_change
from charforge.cli.check import character_notes, verdict_lines
from charforge.cli.completion import complete_files
from charforge.cli.console import quoted
from charforge.cli.files import STDOUT, default_path, may_write, refuse_overwriting, write_result
from charforge.cli.options import ForceOption, OutOption, find_file
from charforge.errors import DocumentError, MissingAnswers, UsageError
from charforge.language import N_, _
from charforge.packs import bundles
from charforge.packs.bundles import Bundle, BundledPack
from charforge.replay.loaded_character import (
    CAMPAIGN_FILE,
    SHARED_KEY,
    LoadedCharacter,
    load_character,
    load_document,
    shared_files,
)
from charforge.sheet.qr_codes import read_photos
from charforge.usecases import sheet_import
from charforge.usecases.create import create_character
from charforge.usecases.sheet_import import SheetMerge
from charforge.verbs import history
from charforge.verbs.change import commit_change
from charforge.verbs.unit_status import unit_status

app = typer.Typer(add_completion=False)

READS = N_(
    "You can import an answers file (YAML), a character file (JSON), a bundle, a sheet (PDF) or a "
    "photo of its QR codes."
)
FROM_ELSEWHERE = N_(
    "A character of another program is made again: charforge new asks for each choice."
)
PHOTO = N_("the QR codes")
BOTH_CHANGED = N_("both the file and the sheet have changed, and there is no terminal to ask in")
IMPORT_LATER = N_("Import the character file, or the answers file it was made from.")
HTML_START = re.compile(r"\s*<(!doctype\s+html|html)\b", re.IGNORECASE)
KEY = re.compile(r"""[{\s]*["']?([\w-]+)["']?\s*:""")
BEFORE_KEYS = ("#", "---", "%")  # lines that may precede the first key of YAML
ANSWERS_KEYS = {"answers", "ruleset"}  # keys of an answers file that other JSON does not have
REPORT_KEYS = {"values", "holdings", "units"}  # keys of show --json and export --format json


@app.command("import", cls=ChangeCommand)
def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help=N_("Answers, a character file, a bundle, a PDF sheet or photos of QR codes."),
        ),
    ],
    output: OutOption = None,
    force: ForceOption = False,
    into: Annotated[
        Optional[Path],
        typer.Option(
            "--into",
            metavar="FILE",
            callback=find_file,
            autocompletion=complete_files,
            help=N_("The character this session belongs to."),
        ),
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help=N_("Add it even if the character has changed since."))
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help=N_("Install the packs of a bundle without asking."))
    ] = False,
) -> None:
    """Import a character from a file, a bundle, a PDF sheet or a photo.

    The type of the file is recognized by its content. A PDF gives back the
    character byte for byte, and its portrait. So do photos of the QR codes
    that sheet --qr prints, without the portrait. Without -o the character is
    saved as NAME.json in this folder. The exit code is 1 if it breaks a rule;
    it is saved anyway.

    A bundle (export --bundle) also has the packs of the character. Those that
    are missing here are listed, and installed if you agree.

    With --into, the changes of an HTML sheet ("Download changes") or of a PDF
    made with --fillable are added to the character file as one change, which
    can be undone. Fields of a PDF that cannot be added are listed.

    \b
    Examples:
      charforge import nix.yaml
      charforge import ~/Downloads/nix.json -o nix.json
      charforge import nix.pdf
      charforge import nix.charforge
      charforge import photo.jpg
      charforge import Nix.played.json --into nix.json
      charforge import nix.pdf --into nix.json
    """
    source = _read_source(files)
    if into is not None:
        _refuse_options(output, force)
        _add_session(source, into, anyway)
    else:
        _import_character(source, output, force, yes)


class Source(NamedTuple):
    """The source of an import: the bytes of a character, of answers or of a session.

    ``place`` is where they are, for errors, and ``pictures`` are portraits beside them.
    """

    file: Path
    place: Path
    raw: bytes
    pictures: Mapping[str, bytes] = MappingProxyType({})
    attached: PdfAttachments | None = None
    bundle: Bundle | None = None

    @property
    def text(self) -> str:
        """The text of the bytes. Raises DocumentError."""
        return reader.decode_text(self.raw, self.place)


def _read_source(files: list[Path]) -> Source:
    """Return what is in a file, or in photos of one sheet. Raises DocumentError or UsageError."""
    file = files[0]
    raw = _read_bytes(file)
    if len(files) > 1 and not reader.is_picture(raw):
        raise UsageError(
            _("only photos can be imported together"), _("Import the files one by one.")
        )
    if pdf_attachments.is_pdf(raw):
        attached = pdf_attachments.read_attachments(file)
        place = file / pdf_attachments.ATTACHMENT
        return Source(file, place, attached.character, attached.others, attached)
    if bundles.is_zip(raw):
        bundle = bundles.read_bundle(raw, file)
        place = file / bundles.CHARACTER_ENTRY
        return Source(file, place, bundle.character, bundle.pictures, bundle=bundle)
    if reader.is_picture(raw):
        return Source(file, file / PHOTO, read_photos([(one, _read_bytes(one)) for one in files]))
    return Source(file, file, raw)


def _add_session(source: Source, into: Path, anyway: bool) -> None:
    """Add the changes of a played sheet, or what is filled in on a PDF, to a character file."""
    if source.bundle is not None:
        raise UsageError(_("a bundle has a whole character, not a session"), _("Leave out --into."))
    if source.attached is not None:
        _add_filled_in(source.attached, source.file, into, anyway)
    else:
        _add_played(source.text, source.file, into, anyway)


def _import_character(source: Source, output: Path | None, force: bool, yes: bool) -> None:
    """Save a character with its portrait and the packs of its bundle; print the verdict."""
    if source.attached is not None and any(field.changed for field in source.attached.fields):
        console.say(
            _("This PDF has changes in its form fields. To add them to a character: --into FILE")
        )
    with _with_packs(source, yes):
        loaded, data = _read_new(source)
        target = output or default_path(loaded.document.name)
        refuse_overwriting(target, source.file, _("this is also the file to import"))
        allowed = may_write(target, force)
        if target == STDOUT:
            write_result(target, data, allowed)
            if reader.portrait_path(target, loaded.document) is not None:
                console.say(_("The portrait is left out."))
            target = source.file
        else:
            _write_portrait(loaded, source.pictures, source.file, target)
            storage.save_bytes(target, data, replace=allowed)
            console.print_result(str(target))
    _print_problems(loaded, target)
    if source.bundle is not None:
        _say_shared_missing(loaded, target)


def _say_shared_missing(loaded: LoadedCharacter, target: Path) -> None:
    """Say that what the group of an imported member owns is missing here, and how to add it."""
    spec, shared = loaded.ruleset.head.shared, loaded.character.state.shared
    if spec is None or shared is None or shared_files([target]):
        return
    console.say(
        _(
            "{name} ({label}) is a file of its own, and it is not in the bundle. Import a bundle "
            "of it into the same folder, and name its file in {campaign}: {line}"
        ).format(
            name=shared.name,
            label=spec.label,
            campaign=CAMPAIGN_FILE,
            line=f"{SHARED_KEY}: {default_path(shared.name).name}",
        )
    )


def _read_new(source: Source) -> tuple[LoadedCharacter, bytes]:
    """Return a character that is imported, and the bytes to write."""
    text = source.text
    reader.refuse_long_file(text, source.place)
    data = _parse_json(text)
    if _is_character(text, data):
        _refuse_signature()
        return _read_character(text, source.raw, source.place)
    if _is_answers(text, data):
        return _create_from_answers(source.file)
    raise _unknown_file(source.place, text, data)


@contextmanager
def _with_packs(source: Source, yes: bool) -> Iterator[None]:
    """Install the packs of a bundle that are missing here, if the user agrees.

    They are removed again if the import fails. Raises UsageError if nobody agrees.
    """
    if source.bundle is None:
        yield
        return
    document = reader.parse_document(source.text, source.place)
    with bundles.new_packs(source.bundle, document) as packs:
        if packs and not yes:
            _confirm_packs(source.file, packs)
        with bundles.bundled_packs_installed(packs):
            yield
    for pack in packs:
        console.say(_("Installed: {pack}").format(pack=pack.line))


def _confirm_packs(file: Path, packs: Iterable[BundledPack]) -> None:
    """Print which packs a bundle would install, and ask. Raises UsageError on a no."""
    console.say(_("{file} contains packs that are not installed here:").format(file=file))
    for pack in packs:
        console.say(f"  {pack.line}")
    console.require_yes(
        _("Install them and import the character?"),
        _("nothing is installed, because there is no terminal to ask in"),
        _("Add --yes to install them and import the character."),
        _("nothing was installed or imported"),
    )


def _refuse_options(output: Path | None, force: bool) -> None:
    """Raise UsageError for options that cannot be combined with --into."""
    if output is not None or force:
        option = "--force" if output is None else "-o"
        raise UsageError(
            _("{option} cannot be used with --into, which changes that file itself").format(
                option=option
            )
        )


def _refuse_signature() -> None:
    """Raise UsageError for --by and --dated with a file that is taken over byte for byte."""
    if SIGNATURE.get() != UNSIGNED:
        reason = _(
            "--by and --dated are for the changes of a session; this only copies a character"
        )
        raise UsageError(reason, _("Leave them out, or add a session with --into."))


def _read_bytes(file: Path) -> bytes:
    """Read the file. Raises DocumentError if it is not an ordinary file."""
    if file.exists() and not file.is_file() and not file.is_dir():
        # It is read more than once: for what it is, and for the lines of its faults.
        raise DocumentError(file, _("this is not a normal file"), _("Save it to one first."))
    return reader.read_bytes(file)


def _write_portrait(
    loaded: LoadedCharacter, others: Mapping[str, bytes], file: Path, target: Path
) -> None:
    """Write the portrait beside ``target``: one of ``others``, or the one beside ``file``."""
    beside = reader.portrait_path(target, loaded.document)
    if beside is None or beside.exists():
        return
    data = reader.attached_portrait(others, loaded.document)
    if data is None:
        with suppress(DocumentError):
            data = reader.read_portrait(file, loaded.document)
    if data is None:
        console.say(
            _("{beside} is missing, so the character has no portrait.").format(beside=beside)
        )
    else:
        atomic_write.write(beside, data, replace=False)


def _parse_json(text: str) -> Any:
    """Return the data of a JSON text, or None for other texts."""
    try:
        return json.loads(text) if text.lstrip()[:1] in "{[" else None
    except (ValueError, RecursionError):
        return None


def _is_character(text: str, data: Any) -> bool:
    """Return whether a text, or the JSON it is, is a character file, a damaged one included."""
    if data is None:
        return text.lstrip().startswith("{") and '"charforge"' in text
    return isinstance(data, dict) and "charforge" in data


def _is_answers(text: str, data: Any) -> bool:
    """Return whether a text is YAML or JSON with a key of an answers file."""
    if data is not None:
        keys = set(data) if isinstance(data, dict) else set()
        return bool(keys & ANSWERS_KEYS) and not keys >= REPORT_KEYS
    lines = [line for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(BEFORE_KEYS)]
    matches = list(map(KEY.match, lines))
    return matches[:1] != [None] and any(match and match[1] in FILE_KEYS for match in matches)


def _unknown_file(file: Path, text: str, data: Any) -> Exception:
    """Return the error for a file that cannot be imported; it says what the file is."""
    if isinstance(data, dict) and data.keys() >= REPORT_KEYS:
        command = "export --format json" if "export" in data else "show --json"
        reason = _(
            "this is the output of {command}: it has the results but not the choices"
        ).format(command=command)
        return DocumentError(file, reason, _(IMPORT_LATER))
    if sheet_import.is_sheet_events(data):
        reason = _("this is a session saved by an HTML sheet")
        return DocumentError(file, reason, _("Name the character: --into CHARACTER."))
    if data is not None:
        advice = f"{_(_(READS))} {_(FROM_ELSEWHERE)}"
        return DocumentError(file, _("this is JSON, but not a character file"), advice)
    if HTML_START.match(text):
        return DocumentError(
            file, _("this is an HTML page, which cannot be imported"), _(IMPORT_LATER)
        )
    return DocumentError(file, _("this is not an answers file or a character file"), _(_(READS)))


def _read_character(text: str, raw: bytes, file: Path) -> tuple[LoadedCharacter, bytes]:
    """Return a character and the bytes to write: ``raw``, or new ones for an older format."""
    document = reader.parse_document(text, file)
    loaded = load_document(document, file)
    if json.loads(text)["charforge"] == model.FILE_FORMAT:
        return loaded, raw
    return loaded, model.to_text(document).encode(errors="backslashreplace")


def _create_from_answers(file: Path) -> tuple[LoadedCharacter, bytes]:
    """Return the character of an answers file, and its bytes.

    Raises as ``new --answers`` does: AnswersError with all errors and their
    lines, or MissingAnswers.
    """
    answers_file = read_answers_file(file)
    spec, answers_file = character_spec(answers_file)
    try:
        with located_errors(answers_file):
            document = SIGNATURE.get().sign(create_character(spec))
    except MissingAnswers:
        console.say(
            _("To make the missing choices: charforge new --answers {file}.").format(
                file=quoted(file)
            )
        )
        raise
    return load_document(document, file, spec.ruleset), to_text(document).encode()


def _print_problems(loaded: LoadedCharacter, target: Path) -> None:
    """Print on stderr whether the character is legal. Exits with 1 if it is not."""
    problems = loaded.problems
    for line in verdict_lines(target, loaded, problems):
        console.say(line)
    for note in character_notes(loaded):
        console.say(f"{target}: {note}")
    if problems:
        raise typer.Exit(1)


def _add_played(text: str, file: Path, target: Path, anyway: bool) -> None:
    """Add the events of ``file`` to the log of ``target``, save it, and print them."""
    page = sheet_import.parse_sheet_events(text, file)
    before = load_character(target)
    merge = sheet_import.compare_sheet(before, page, file)
    if not merge.new_events:
        console.say(
            _("{file} has no changes that {target} does not have.").format(file=file, target=target)
        )
        return
    after = sheet_import.merge_sheet(merge)
    new = after.document.log[len(before.document.log) :]
    if merge.diverged and not anyway:
        _confirm_both(merge, after, new, target)
    save_change(before, after, target)
    _print_change(after, new)


def _add_filled_in(attached: PdfAttachments, file: Path, target: Path, anyway: bool) -> None:
    """Add what was filled in on a PDF to the character file ``target``, and print it."""
    if not attached.fields:
        advice = _("To create one: charforge sheet {target} --fillable").format(
            target=quoted(target)
        )
        raise DocumentError(file, _("this PDF has no form fields"), advice)
    place = file / pdf_attachments.ATTACHMENT
    text = reader.decode_text(attached.character, place)
    printed = load_document(reader.parse_document(text, place), place)
    before = load_character(target)
    if printed.document.id != before.document.id:
        reason = _("this is the sheet of a different character ({name})").format(
            name=printed.document.name
        )
        raise DocumentError(file, reason, _("Use the file of that character with --into."))
    change = sheet_import.compare_form(before, printed, attached.fields, current_time())
    trial, refused = sheet_import.try_form(change)
    not_added = (*change.not_added, *refused)
    for reason in not_added:
        console.say(_("Not added: {reason}.").format(reason=reason))
    if not trial.events:
        if not not_added:
            console.say(
                _("{file} has no changes that {target} does not have.").format(
                    file=file, target=target
                )
            )
        return
    if change.conflicts and not anyway:
        _confirm_sheet(change.conflicts, before.document.name)
    after = commit_change(trial)
    save_change(before, after, target)
    _print_change(after, after.document.log[len(before.document.log) :])


def _confirm_sheet(conflicts: Iterable[str], name: str) -> None:
    """Print what has changed since the sheet was made, and ask. Raises UsageError on a no."""
    console.say(_("{name} has changed since the sheet was printed:").format(name=name))
    for line in conflicts:
        console.say(f"  {line}")
    console.require_yes(
        _("Use the values of the sheet?"),
        _(BOTH_CHANGED),
        _("To use the values of the sheet: --anyway"),
        _("nothing was changed"),
    )


def _print_change(after: LoadedCharacter, new: tuple[AnyEvent, ...]) -> None:
    """Print new events, and how the units that they are about stand now."""
    _print_events(after, new, console.print_result)
    for unit in dict.fromkeys(getattr(event, "unit", None) for event in new):
        if unit is not None:
            console.print_result(unit_status(after.character.state, unit).line)


def _confirm_both(
    merge: SheetMerge, after: LoadedCharacter, new: tuple[AnyEvent, ...], target: Path
) -> None:
    """Print the events of file and page, and ask. Raises UsageError unless the answer is yes."""
    name = merge.opened.document.name
    console.say(_("{name} has changed since the page was made.").format(name=name))
    if merge.behind:
        console.say(
            _("In {target}, the changes that the page started from were undone.").format(
                target=target
            )
        )
    else:
        console.say(_("In {target} since then:").format(target=target))
        _print_events(merge.opened, merge.since, console.say)
    console.say(_("On the page:"))
    _print_events(after, new, console.say)
    console.require_yes(
        _("Did both happen? Add the changes from the page too?"),
        _(BOTH_CHANGED),
        _("To add them anyway: --anyway"),
        _("nothing was changed"),
    )


def _print_events(
    loaded: LoadedCharacter, events: Iterable[AnyEvent], print_line: Callable[[str], object]
) -> None:
    for entry in history.entries_of(loaded, events):
        print_line(f"  {entry.text}")
