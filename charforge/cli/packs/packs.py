"""``catalog installed``, ``add``, ``remove``, ``new``, ``check``, ``index`` and others: packs."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby, starmap
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.character.files.atomic_write import write
from charforge.cli import console
from charforge.cli.completion import complete_installed
from charforge.cli.console import json_text, print_json, quoted
from charforge.cli.files import file_changes
from charforge.cli.messages import error_message, located_message
from charforge.cli.options import AsJson, Command, RulesetOption, YesOption, refuse_together
from charforge.cli.packs.campaign_defaults import choose_game
from charforge.errors import (
    CharforgeError,
    PackError,
    PackProblem,
    UntranslatedText,
    UsageError,
    WriteError,
    counted,
    os_reason,
)
from charforge.json_model import JsonModel
from charforge.language import N_, _, ngettext
from charforge.limits import MAX_ERRORS
from charforge.packs import (
    check as pack_check,
    install,
    samples as pack_samples,
    scaffold,
    sources,
    update,
)
from charforge.packs.check import CheckedPack
from charforge.packs.install import load_checked
from charforge.packs.sample_characters import Mismatch
from charforge.packs.sources import EXAMPLE_PREFIX, INDEX_FILE, IndexEntry, examples
from charforge.packs.update import InstalledPack, pack_entries
from charforge.rules.editor import schema as schemas
from charforge.rules.loading.loader import built_in

HERE = Path()
MOST_UNTRANSLATED = 3  # of untranslated texts that a warning names

SampleResults = list[tuple[str, str, tuple[Mismatch, ...]]]  # of each its file and its name

PackFolder = Annotated[Path, typer.Argument(metavar="PATH", help=N_("A pack's folder."))]

app = typer.Typer(add_completion=False)


def complete_pack_sources(_ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the examples, and the folders and zips that begin with a word."""
    typed_folder = incomplete[: incomplete.rfind("/") + 1]
    try:
        entries = sorted(Path(typed_folder).iterdir())
    except OSError:
        entries = []
    folders = [f"{typed_folder}{entry.name}/" for entry in entries if entry.is_dir()]
    zips = [f"{typed_folder}{entry.name}" for entry in entries if entry.suffix == ".zip"]
    return [*folders, *zips, *(f"{EXAMPLE_PREFIX}{name}" for name in examples())]


@app.command("installed", cls=Command)
def installed(as_json: AsJson = False) -> None:
    """List the installed rulesets and packs.

    \b
    Examples:
      charforge catalog installed
      charforge catalog installed --json
    """
    packs_found = list(pack_entries())
    if as_json:
        print_json(map(_pack_json, packs_found))
        return
    width = max(len(pack.id) for pack in packs_found)
    for pack in packs_found:
        console.print_result(f"{pack.id:<{width}}  {_description(pack)}")


def _description(pack: InstalledPack) -> str:
    """Return a ruleset or pack as one line."""
    if pack.fault:
        return _("cannot be used. To see why: charforge catalog check {folder}").format(
            folder=quoted(pack.folder)
        )
    parts = [f"{pack.name} {pack.version}"]
    parts.append(
        _("built in")
        if pack.built_in
        else _("amends {amends}").format(amends=pack.amends)
        if pack.amends
        else _("ruleset")
    )
    parts += [pack.head.credit] if pack.head is not None and pack.head.credit else []
    parts += [_("needs {name}").format(name=name) for name in pack.requires]
    parts += [counted(pack.entities, "entity", "entities")] if pack.entities else []
    parts += [counted(pack.patches, "patch", "patches")] if pack.patches else []
    return ", ".join(parts)


class PackSourceJson(JsonModel):
    """Where a pack came from, as ``PackSource``."""

    origin: str
    sha256: str
    index: str


class InstalledPackJson(JsonModel):
    """A ruleset or pack in the output of ``catalog installed --json``."""

    id: str
    name: str
    version: str
    amends: str | None
    requires: tuple[str, ...]
    entities: int
    patches: int
    authors: tuple[str, ...]
    licence: str
    text: str
    built_in: bool
    folder: str
    source: PackSourceJson | None
    usable: bool


def _pack_json(pack: InstalledPack) -> InstalledPackJson:
    head = pack.head
    return InstalledPackJson(
        id=pack.id,
        name=pack.name,
        version=pack.version,
        amends=pack.amends or None,
        requires=pack.requires,
        entities=pack.entities,
        patches=pack.patches,
        authors=() if head is None else head.authors,
        licence="" if head is None else head.licence,
        text="" if head is None else head.text,
        built_in=pack.built_in,
        folder=str(pack.folder),
        source=None if pack.built_in else sources.source_of(pack.folder),
        usable=not pack.fault,
    )


@app.command("add", cls=Command)
def add(
    pack: Annotated[
        str,
        typer.Argument(
            metavar="PACK",
            autocompletion=complete_pack_sources,
            help=N_("A pack's folder, zip or https URL; example:NAME; or an id, with --index."),
        ),
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help=N_("Replace the installed one."))
    ] = False,
    index: Annotated[
        str, typer.Option("--index", metavar="URL", help=N_("The index that lists the pack."))
    ] = "",
    digest: Annotated[
        str, typer.Option("--sha256", metavar="HASH", help=N_("Refuse a zip with another SHA-256."))
    ] = "",
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help=N_("Install a missing game of the index, too."))
    ] = False,
) -> None:
    """Install a pack or ruleset from a folder, a zip or the web.

    It is checked first and installed only if it has no errors. Rules contain
    no code that could run, and templates for sheets run in a sandbox.
    Downloads are limited in size and time, and only https is used. Where a
    pack came from is remembered for update --check.

    \b
    Examples:
      charforge catalog add ./house-rules
      charforge catalog add expansion.zip --replace
      charforge catalog add example:house-rules
      charforge catalog add https://example.org/expansion-1.2.zip
      charforge catalog add expansion --index https://example.org/index.json
    """
    game = sources.missing_game(index, pack) if index else None
    if game is not None and _is_wanted(game, pack, yes):
        add(game.id, index=index, yes=yes)
    with sources.opened(pack, digest, index) as found:
        added = sources.add_pack(found, replace)
    name, ruleset = added.id, added.ruleset
    if name == ruleset.id:
        used = f"--ruleset {name}"
        console.print_result(
            _("{name} {version} is installed: {game}").format(
                name=name, version=ruleset.head.version, game=ruleset.head.name
            )
        )
    else:
        new_pack = ruleset.packs[-1]
        used = " ".join(f"--pack {used_pack.id}" for used_pack in ruleset.packs)
        console.print_result(
            _("{name} {version} is installed: {new_pack_name}, for {game}").format(
                name=name,
                version=new_pack.version,
                new_pack_name=new_pack.name,
                game=ruleset.head.name,
            )
        )
    if found.source.sha256:
        console.say(f"SHA-256: {found.source.sha256}")
    if added.again:
        console.say(
            _(
                "{name} was installed before with this version and different "
                "content. Characters tell versions apart, so raise the version with "
                "every change and add the pack again."
            ).format(name=name)
        )
    console.say(_("To use it: charforge new {used}").format(used=used))


def _is_wanted(game: IndexEntry, pack: str, yes: bool) -> bool:
    """Return whether to install the missing game of a pack from the same index."""
    needs = _("{pack} is for {game}, which is not installed. The index has it.").format(
        pack=pack, game=game.name
    )
    if yes:
        console.say(needs)
        return True
    if not console.is_interactive():
        raise UsageError(needs, _("Add --yes to install both."))
    return console.confirm(f"{needs} {_('Install both?')}")


@app.command("remove", cls=Command)
def remove(
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            autocompletion=complete_installed,
            help=N_("The id, as shown by catalog installed."),
        ),
    ],
) -> None:
    """Remove an installed pack or ruleset; character files stay unchanged.

    \b
    Examples:
      charforge catalog remove house-rules
    """
    if id in built_in():
        raise UsageError(_("{id} is built in").format(id=id), _("Only added packs can be removed."))
    needing = update.packs_that_need(id)
    install.remove_pack(id)
    console.print_result(_("{id} is removed").format(id=id))
    if needing:
        console.say(
            _("These need it and can no longer be used: {names}").format(names=", ".join(needing))
        )


@app.command("new", cls=Command)
def new(
    folder: Annotated[Path, typer.Argument(metavar="PATH", help=N_("The folder to create."))],
    as_ruleset: Annotated[
        bool, typer.Option("--game", help=N_("Create a small game of its own instead of a pack."))
    ] = False,
    ruleset: RulesetOption = None,
    name: Annotated[
        Optional[str], typer.Option(metavar="NAME", help=N_("The name (default: from the folder)."))
    ] = None,
) -> None:
    """Create a pack: small, commented and ready to use.

    \b
    Examples:
      charforge catalog new house-rules
      charforge catalog new squads --ruleset capital --name "More Squads"
      charforge catalog new my-game --game
    """
    if as_ruleset and ruleset is not None:
        raise UsageError(
            _("--game creates a new game, --ruleset adds to an existing one"),
            _("Give one of them."),
        )
    paths = (
        scaffold.new_ruleset(folder, name)
        if as_ruleset
        else scaffold.new_pack(folder, choose_game(ruleset).ruleset.id, name)
    )
    for path in paths:
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            console.print_result(str(path))
    check = f"charforge catalog check {quoted(folder)} --watch"
    console.say(_("Next: edit them while this runs: {check}").format(check=check))


@app.command("check", cls=Command)
def check(
    pack: Annotated[
        Path,
        typer.Argument(metavar="PATH", help=N_("A pack's folder or zip, or an installed one.")),
    ],
    as_json: AsJson = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help=N_("Check again on each save, until Ctrl-C; keep .schema current.")
        ),
    ] = False,
) -> None:
    """Check a pack: all errors with line numbers, and likely mistakes.

    The exit code is 1 if there is any error; warnings do not count.

    \b
    Examples:
      charforge catalog check ./house-rules
      charforge catalog check ./house-rules --watch
      charforge catalog check capital
      charforge catalog check expansion.zip --json
    """
    pack = _installed_folder(pack)
    if not watch:
        text, code = _check_once(pack, as_json)
        console.print_result(text)
        raise typer.Exit(code)
    _watch(pack, as_json)


def _installed_folder(pack: Path) -> Path:
    """Return the folder of an installed game or pack for its id; another path as it is."""
    if pack.exists():
        return pack
    folders = {found.id: found.folder for found in pack_entries()}
    return folders.get(str(pack), pack)


def _watch(pack: Path, as_json: bool) -> None:
    """Check again whenever a file changes, until Ctrl-C or until nobody reads the results.

    The schemas in the pack's folder are kept current. Errors in reading do not end it.
    """
    for _change in file_changes(lambda: _files_to_watch(pack)):
        console.say(f"--- {time.strftime('%H:%M:%S')}")
        try:
            text, _code = _check_once(pack, as_json)
            if not (console.print_result(text) and console.flush_results()):
                return
            _update_schemas(pack)
        except CharforgeError as error:
            console.say(error_message(error))


def _update_schemas(pack: Path) -> None:
    """Write the schemas of a pack again, if its folder has them and it can be read."""
    if (pack / schemas.SCHEMA_FOLDER).is_dir():
        with suppress(PackError, OSError):
            _name, reader, ruleset = load_checked(pack, partly=True)
            schemas.write_schemas(pack, reader, ruleset)


def _files_to_watch(pack: Path) -> Iterator[Path]:
    """Yield what is checked of a pack; the schemas in its folder are written by the check."""
    yield pack
    for pattern in ("*.yaml", "tests/*", "templates/**/*"):
        yield from pack.glob(pattern)


def _check_once(pack: Path, as_json: bool) -> tuple[str, int]:
    """Check a pack; return the result to print and the exit code."""
    checked = pack_check.check_pack(pack)
    code = 1 if checked.errors else 0
    if as_json:
        return json_text(CheckedPackJson.model_validate(checked)), code
    if max(len(checked.errors), len(_mistakes(checked))) >= MAX_ERRORS:
        console.say(
            _("Only the first {max_errors} are shown. Fix some of them and check again.").format(
                max_errors=MAX_ERRORS
            )
        )
    return "\n".join(_problem_lines(checked, pack)), code


def _problem_lines(checked: CheckedPack, pack: Path) -> Iterator[str]:
    """Yield each problem of a pack, a single one for untranslated texts, and their number."""
    mistakes = [*_mistakes(checked), *_untranslated(checked, pack)]
    for severity, problems in ((_("error"), checked.errors), (_("warning"), mistakes)):
        yield from (located_message(problem, severity) for problem in problems)
    errors, warnings = len(checked.errors), len(mistakes)
    counts = (
        counted(errors, "error", "errors") if errors else _("no errors"),
        counted(warnings, "warning", "warnings") if warnings else _("no warnings"),
    )
    yield f"{pack.resolve().name}: {', '.join(counts)}"


def _mistakes(checked: CheckedPack) -> list[PackProblem]:
    """Return the warnings of a pack that are not about texts without a translation."""
    return [found for found in checked.warnings if not isinstance(found, UntranslatedText)]


def _untranslated(checked: CheckedPack, pack: Path) -> Iterator[PackProblem]:
    """Yield one warning for each language file that lacks texts."""
    missing = [found for found in checked.warnings if isinstance(found, UntranslatedText)]
    for file, texts in groupby(missing, attrgetter("file")):
        first, *others = texts
        places = [text.field for text in (first, *others[: MOST_UNTRANSLATED - 1])]
        places += ["…"] if len(others) >= MOST_UNTRANSLATED else []
        message = ngettext(
            "{count} text is not translated: {places}",
            "{count} texts are not translated: {places}",
            len(others) + 1,
        ).format(count=len(others) + 1, places=", ".join(places))
        if pack.is_dir():
            command = f"charforge catalog translate {quoted(pack)} {file.stem}"
            advice = _("To add all of them, empty, to the file: {command}")
            message += f". {advice.format(command=command)}"
        yield PackProblem(file, first.line, first.column, "", message)


class PackProblemJson(JsonModel):
    """One mistake in a pack, as ``PackProblem``: ``line`` and ``column`` count from 1."""

    file: Path
    line: int
    column: int
    field: str
    message: str
    nearest: str


class CheckedPackJson(JsonModel):
    """The output of ``catalog check --json``."""

    id: str
    errors: tuple[PackProblemJson, ...]
    warnings: tuple[PackProblemJson, ...]


@app.command("translate", cls=Command)
def translate(
    folder: PackFolder,
    language: Annotated[
        str, typer.Argument(metavar="LANGUAGE", help=N_("The code of a language, such as de."))
    ],
) -> None:
    """Write or complete the file with a pack's texts in another language.

    What is translated stays as it is; new texts are added, empty, below their
    original.

    \b
    Examples:
      charforge catalog translate ./my-pack de
    """
    written = scaffold.write_translation(folder, language)
    console.print_result(str(written.path))
    console.say(
        ngettext("{count} text to translate", "{count} texts to translate", written.missing).format(
            count=written.missing
        )
    )


@app.command("test", cls=Command)
def test(
    folder: PackFolder,
    accept: Annotated[
        bool, typer.Option("--accept", help=N_("Show what differs, and write it into the samples."))
    ] = False,
    yes: YesOption = False,
    as_json: AsJson = False,
) -> None:
    """Test a pack: build its samples and compare the results.

    Samples live in the pack's `tests` folder, one file each. If your pack is
    right and a sample is out of date, --accept changes the sample.

    \b
    Examples:
      charforge catalog test ./my-pack
      charforge catalog test ./my-pack --accept
      charforge catalog test ./my-pack --json
    """
    refuse_together({"--json": as_json, "--accept": accept})
    scaffold.require_folder(folder)
    ruleset = load_checked(folder).ruleset
    samples = pack_samples.read_samples(folder, ruleset)
    if not samples:
        advice = _("Put them in its folder {folder}, one YAML file each.").format(
            folder=pack_samples.SAMPLES_FOLDER
        )
        raise UsageError(_("{folder} has no samples to test").format(folder=folder), advice)
    results = [
        (str(path), sample.name, pack_samples.run_sample(sample, ruleset))
        for path, sample in samples.items()
    ]
    if as_json:
        print_json(starmap(_sample_json, results))
    else:
        _print_samples(results)
    if not any(mismatches for _file, _name, mismatches in results):
        return
    if not accept or not _accept(results, yes):
        raise typer.Exit(1)


def _accept(results: SampleResults, yes: bool) -> bool:
    """Write what was found into the samples, after asking; return whether all of it is there."""
    changes = {Path(file): mismatches for file, _name, mismatches in results if mismatches}
    found = [mismatch for mismatches in changes.values() for mismatch in mismatches]
    left = sum(mismatch.correction is None for mismatch in found)
    if left:
        console.say(
            ngettext(
                "{count} difference is for you to change: it is about words, dice or answers.",
                "{count} differences are for you to change: they are about words, dice or answers.",
                left,
            ).format(count=left)
        )
    if left == len(found):
        return False
    if not yes and not console.is_interactive():
        raise UsageError(
            _("nothing is written, because there is no terminal to ask in"),
            _("Add --yes to write it."),
        )
    question = ngettext(
        "Write {count} result into its sample?",
        "Write {count} results into their samples?",
        len(found) - left,
    ).format(count=len(found) - left)
    if not yes and not console.confirm(question):
        console.say(_("The samples are unchanged."))
        return False
    for file, mismatches in changes.items():
        if any(mismatch.correction is not None for mismatch in mismatches):
            write(file, pack_samples.accepted(file, mismatches))
            console.print_result(_("{file} is written").format(file=file))
    console.say(_("To test again: {command}").format(command=_test_command(results)))
    return not left


def _test_command(results: SampleResults) -> str:
    """Return the command that tests the pack of these samples again."""
    return f"charforge catalog test {quoted(Path(results[0][0]).parent.parent)}"


def _print_samples(results: SampleResults) -> None:
    """Print file, name and mismatches of each sample, and how many samples differ."""
    for file, name, mismatches in results:
        console.print_result(f"{_('differs') if mismatches else _('ok'):<8} {file} ({name})")
        for mismatch in mismatches:
            steps = f" ({', '.join(mismatch.steps)})" if mismatch.steps else ""
            values = _("expected {expected}, found {found}").format(
                expected=mismatch.expected, found=mismatch.found
            )
            text = mismatch.sentence or f"{mismatch.what}: {values}{steps}"
            console.print_result(f"  {text}")
    wrong = sum(bool(mismatches) for _file, _name, mismatches in results)
    summary = (
        ngettext("{count} differs", "{count} differ", wrong).format(count=wrong)
        if wrong
        else _("all as expected")
    )
    console.say(f"{counted(len(results), 'sample', 'samples')}: {summary}.")


class SampleDifferenceJson(JsonModel):
    """Something that is not as a sample expects; ``steps`` show where a figure comes from."""

    topic: str
    expected: str
    found: str
    steps: tuple[str, ...]


class SampleJson(JsonModel):
    """A sample in the output of ``catalog test --json``."""

    file: str
    name: str
    passed: bool
    differences: tuple[SampleDifferenceJson, ...]


def _sample_json(file: str, name: str, mismatches: tuple[Mismatch, ...]) -> SampleJson:
    differences = [
        SampleDifferenceJson(topic=m.what, expected=m.expected, found=m.found, steps=m.steps)
        for m in mismatches
    ]
    return SampleJson(file=file, name=name, passed=not mismatches, differences=differences)


@app.command("schema", cls=Command)
def schema(
    folder: PackFolder = HERE,
) -> None:
    """Write JSON Schemas, so that your editor checks a pack while you type.

    They know every name of the game and of the pack itself, which need not be
    installed. They are saved in its folder .schema; `catalog check --watch`
    keeps them current. Start each file with a line that names its schema
    (pack.json, ruleset.json, page.json for other files, test.json for samples):

    \b
      # yaml-language-server: $schema=.schema/page.json

    \b
    Examples:
      charforge catalog schema ./house-rules
      charforge catalog schema
    """
    scaffold.require_folder(folder)
    _name, reader, ruleset = load_checked(folder, partly=True)
    try:
        paths = schemas.write_schemas(folder, reader, ruleset)
    except OSError as error:
        raise WriteError(folder / schemas.SCHEMA_FOLDER, os_reason(error)) from error
    for path in paths:
        console.print_result(str(path))
    if reader.problems:
        check = f"charforge catalog check {quoted(folder)}"
        console.say(
            _("The pack has errors, so some of its names may be missing: {check}").format(
                check=check
            )
        )


@app.command("index", cls=Command)
def index(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help=N_("A folder with packs, or zips of packs."))
    ],
    base: Annotated[
        str,
        typer.Option(
            "--url", metavar="URL", help=N_("Where the folder will be (default: beside the index).")
        ),
    ] = "",
) -> None:
    """Write an index of packs, to publish the folder on a web server.

    Each pack in FOLDER is checked and zipped as ID-VERSION.zip, and
    index.json lists all zips. Put the folder on any server with https;
    others then use find and add with the URL of index.json. A picture named
    ID.png, ID.jpg or ID.webp is listed with its pack.

    \b
    Examples:
      charforge catalog index my-packs
      charforge catalog index my-packs --url https://example.org/packs/
    """
    if base and not base.startswith("https://"):
        raise UsageError(
            _("--url must be an https:// address"),
            _("For example: {example}").format(example="--url https://example.org/packs/"),
        )
    written = sources.write_index(folder, base and base.rstrip("/") + "/")
    for entry in written.packs:
        console.print_result(f"{entry.id} {entry.version}  {entry.url}  {entry.sha256}")
    console.say(_("{path} lists them.").format(path=folder / INDEX_FILE))


@app.command("find", cls=Command)
def find(
    words: Annotated[
        Optional[list[str]],
        typer.Argument(metavar="WORDS", help=N_("Words of the name, game, author or text.")),
    ] = None,
    index: Annotated[
        str, typer.Option("--index", metavar="URL", help=N_("The URL or path of an index."))
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Search an index of packs; without words, list all of them.

    \b
    Examples:
      charforge catalog find ice --index https://example.org/packs/index.json
      charforge catalog find --index my-packs --json
    """
    if not index:
        raise UsageError(
            _("name the index to search"),
            _("For example: {example}").format(example="--index https://example.org/index.json"),
        )
    found = sources.find_packs(sources.read_index(index), words or ())
    if as_json:
        print_json(found)
        return
    for entry in found:
        _print_entry(entry, index)
    if not found:
        console.say(_("Nothing in this index matches. Without words, all packs are listed."))


def _print_entry(entry: IndexEntry, index: str) -> None:
    """Print a pack of an index, and how to install it."""
    kind = _("a game") if entry.is_game else _("for {game}").format(game=entry.game)
    by = _("by {authors}").format(authors=", ".join(entry.authors)) if entry.authors else ""
    facts = filter(None, (entry.name, kind, by, entry.licence))
    console.print_result(f"{entry.id} {entry.version}  {', '.join(facts)}")
    console.print_lines(console.indented_lines(entry.text, "  "))
    command = shlex.join(["charforge", "catalog", "add", entry.id, "--index", index])
    console.print_result(f"  {command}")
