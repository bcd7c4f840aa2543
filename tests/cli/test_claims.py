"""Claims of the README, the changelog and help texts that no other test could refute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
import typer

from charforge.cli.commands import LazyGroup, ProgramGroup
from charforge.cli.export import FORMATS
from charforge.export.text_formats import write
from charforge.replay.loaded_character import load_character
from charforge.rules.loading.loader import built_in, load
from charforge.sheet.templates import built_in_templates
from tests.command_runner import run_command
from tests.source import ROOT

README = " ".join((ROOT / "README.md").read_text("utf-8").split())
CHANGES = " ".join((ROOT / "CHANGELOG.md").read_text("utf-8").split())
WRITERS = {
    name: partial(write, name)
    if name in built_in_templates()
    else import_module(f"charforge.export.{name}").write
    for name in FORMATS
    if name != "answers"
}
NUMBERS = {"six": 6, "four": 4, "Three": 3, "Five": 5, "Seven": 7, "Nine": 9}
ON_FOLDERS = ("check", "sheet", "party", "initiative", "luck", "update")
PRINTED = ("sheet", "party")  # what these write takes a second


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a folder of two characters of a game that is played without levels."""
    folder = tmp_path_factory.mktemp("claims")
    (folder / "two").mkdir()
    for number, name in enumerate(("Ada", "Teo")):
        new = ("new", "--ruleset", "phase-2d10", "--random", "--seed", number, "--name", name)
        assert run_command(*new, "-o", f"two/{name}.json", folder=folder).code == 0
    return folder


def test_the_numbers_of_the_readme_are_those_of_the_games() -> None:
    """``complete: six Roles, 45 Systems, …, levels 1 to 10. Parts of four other games``."""
    capital = load("capital")
    [(roles, systems, last)] = re.findall(
        r"complete: (\w+) Roles, (\d+) Systems, .*? levels 1 to (\d+)\.", README
    )
    assert NUMBERS[roles] == len([*capital.of_kind("role")])
    assert int(systems) == len([*capital.of_kind("system")])
    assert int(last) == capital.head.advancement.maximum
    [others] = re.findall(r"Parts of (\w+) other games", README)
    assert NUMBERS[others] == len(built_in()) - 1
    named = set(
        re.findall(r"`([a-z0-9-]+)`", README.partition("Parts of")[2].partition("Where")[0])
    )
    assert named == {*built_in()} - {"capital"}
    [examples] = re.findall(r"(\w+) small games come as examples", README)
    assert NUMBERS[examples] == len([*(ROOT / "examples").glob("*/ruleset.yaml")])


def test_commands_for_other_programs_have_json() -> None:
    """``JSON output for other programs: what a command tells you, such as …``."""
    [listed] = re.findall(r"JSON output for other programs: (.*?) it\s+prints as data", CHANGES)
    commands = re.findall(r"`([a-z ]+)`", listed)
    assert len(commands) == 4
    for command in commands:
        shown = run_command(*command.split(), "--help", folder=ROOT).out
        assert re.search(r"--json\b", shown), command


def commands(group: LazyGroup, path: tuple[str, ...] = ()) -> Iterator[tuple[str, set[str]]]:
    """Yield each command, those of groups included, with its options."""
    context = typer.Context(group, info_name="charforge")
    for name in group.list_commands(context):
        command = group.load(name)
        if isinstance(command, LazyGroup):
            yield from commands(command, (*path, name))
        else:
            names = {name for part in command.params for name in (*part.opts, *part.secondary_opts)}
            yield " ".join((*path, name)), names


def spans() -> Iterator[tuple[Path, str]]:
    """Yield what a page shows as code within a line."""
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", page.read_text("utf-8")):
            yield page, span


def test_every_option_that_a_page_names_is_one_of_its_command() -> None:
    known = dict(commands(ProgramGroup()))
    everywhere = {"--help", "--lang", "--all", "--version"}
    everything = everywhere.union({"--install-completion", "--show-completion"}, *known.values())
    wrong = []
    for page, span in spans():
        words = span.removeprefix("charforge ").split()
        named = next((n for n in (" ".join(words[:2]), words[0]) if n in known), "")
        options = known[named] | everywhere if named else everything
        found = re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", span)
        wrong += [f"{page.name}, {span}: {option}" for option in found if option not in options]
    assert wrong == []


@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=pytest.mark.slow) if name in PRINTED else name
                for name in ON_FOLDERS]
)  # fmt: skip
def test_commands_work_on_whole_folders(folder: Path, command: str) -> None:
    [listed] = re.findall(r"- ([^.]*?) work on whole folders", CHANGES)
    assert tuple(re.findall(r"`([a-z]+)`", listed)) == ON_FOLDERS
    options = {"sheet": ("--format", "html", "-o", "sheets/"), "party": ("-o", "party.html")}
    ran = run_command(command, "two", *options.get(command, ()), folder=folder)
    assert ran.code == 0, ran.err
    written = [path.read_text("utf-8") for path in folder.rglob("*.html")]
    for name in ("Ada", "Teo"):
        assert name in "\n".join((ran.out, ran.err, *written))


def test_notes_are_part_of_every_export_except_answers(folder: Path) -> None:
    said = "Owes the ferryman 20."
    assert run_command("note", "two/Ada.json", said, folder=folder).code == 0
    character = load_character(folder / "two" / "Ada.json").character
    left = [name for name, write in WRITERS.items() if "ferryman" not in write(character)]
    assert left == []
    assert "Notes are part of the sheet and of every export except answers" in CHANGES


def test_a_game_without_levels_never_mentions_one(
    folder: Path, packs_home: Path, tmp_path: Path
) -> None:
    """Not even when its rules are not installed."""
    add = run_command("catalog", "add", "example:cinderwell", folder=tmp_path)
    assert add.code == 0, add.err
    new = ("new", "--ruleset", "cinderwell", "--random", "--seed", "2", "-o", "q.json")
    said = [run_command(*new, folder=tmp_path)]
    said += [run_command(verb, "q.json", folder=tmp_path) for verb in ("show", "history", "check")]
    before = (tmp_path / "q.json").read_bytes()
    run_command("catalog", "remove", "cinderwell", folder=tmp_path)
    assert (tmp_path / "q.json").read_bytes() == before  # character files stay unchanged
    said.append(run_command("show", "q.json", folder=tmp_path))
    assert "Cinderwell" in said[-1].out
    assert [one.out + one.err for one in said if re.search(r"\blevel\b", one.out, re.I)] == []


def test_the_games_that_are_said_to_be_complete_in_german_have_a_file_for_it() -> None:
    """That it has every text is tested with the rules."""
    assert "All built-in games and examples are complete in German" in CHANGES
    for folder in built_in().values():
        assert (folder / "lang" / "de.yaml").is_file()


def test_words_that_an_entry_shows_are_found(folder: Path) -> None:
    """``Search names and texts``: limits, who can do it, and the texts of options as well."""
    for words, found in (
        (("anyone", "inside"), "vehicle-system/laser-tank-gun-mk1"),
        (("once", "per", "full", "rest"), "system/focus-ii"),
        (("counts", "as", "your", "tent"), "equipment/adventuring-kit"),
    ):
        shown = run_command("catalog", "search", *words, "--json", folder=folder)
        assert found in [entity["id"] for entity in shown.json]
