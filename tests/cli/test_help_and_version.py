"""--help, --version, and the libraries that a command loads."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys

import pytest
import typer

from charforge.cli import commands, usage
from charforge.cli.commands import CatalogGroup, ProgramGroup
from charforge.rules.loading import loader
from charforge.rules.loading.loader import load as load_ruleset
from tests.cli.terminals import TerminalRun
from tests.command_runner import run_command
from tests.conftest import TOY
from tests.rules.pack_files import write_pack
from tests.samples import few

GROUP, CATALOG = ProgramGroup(), CatalogGroup()
COMMANDS = [(name,) for name in GROUP.modules] + [("catalog", name) for name in CATALOG.modules]
LOADED = """
import sys
from charforge.cli.app import main
try:
    main()
except SystemExit as ended:
    if ended.code not in (0, None):
        raise
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def helps(tmp_path_factory):
    """The result of --help of each command."""
    folder = tmp_path_factory.mktemp("help")
    return {command: run_command(*command, "--help", folder=folder) for command in COMMANDS}


def test_help_shows_examples_of_each_command(helps):
    assert [command for command, ended in helps.items() if (ended.code, ended.err) != (0, "")] == []
    assert [
        command
        for command, ended in helps.items()
        if command != ("catalog",)
        and not re.search(rf"Examples:.*charforge {' '.join(command)}", ended.out, re.DOTALL)
    ] == []
    assert "list" in helps["catalog",].out


def test_h_is_short_for_help(run, helps):
    assert run("show", "-h").out == helps["show",].out
    assert run("catalog", "list", "-h").out == helps["catalog", "list"].out


def test_h_is_short_for_help_whoever_loads_the_command():
    for words in COMMANDS:
        command = load(words)
        assert command.get_help_option(typer.Context(command)).opts == ["-h", "--help"], words


def test_every_option_says_what_it_does():
    assert [
        (command, parameter.name)
        for command in COMMANDS
        for parameter in load(command).params
        if parameter.param_type_name == "option" and not parameter.help
    ] == []


def load(words):
    """Import a command of the program or of the catalog and return it."""
    return (CATALOG if len(words) > 1 else GROUP).load(words[-1])


def test_the_list_of_commands_has_the_first_line_of_their_help():
    assert [
        command
        for command in COMMANDS
        if (CATALOG if len(command) > 1 else GROUP).commands[command[-1]].help
        != load(command).help.partition("\n")[0]
    ] == []


def test_help_names_no_type_of_python(helps):
    types = re.compile(r"<\w|list\[|\bNone\b|\{")
    assert [command for command, ended in helps.items() if types.search(ended.out)] == []


@pytest.mark.parametrize("command", [["level-up"], ["catalog", "show"], ["catalog"]], ids=" ".join)
def test_help_shows_the_help_of_a_command(run, command):
    assert run("help", *command).out == run(*command, "--help").out
    assert run("help").out == run("--help").out


def test_help_of_no_command(run):
    run("help", "lvl").refused(
        2, 'There is no command "lvl". Did you mean charforge level-up FILE?'
    )


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("attack", "use FILE ATTACK"), ("create", "new"), ("character", "new"),
        ("levelup", "level-up FILE"), ("pdf", "sheet FILE"), ("store", "shop FILE"),
        ("inventory", "show FILE or charforge hold FILE"), ("reward", "award FILE THING"),
        ("gain", "award FILE THING"), ("part", "drop FILE ITEM"), ("order", "initiative FOLDER"),
        ("rulesets", "games"), ("homebrew", "catalog add"),
        ("version", "--version"), ("damge", "damage"), ("resume", "new --resume"),
    ],
)  # fmt: skip
def test_a_word_that_players_try_leads_to_the_command(run, word, command):
    run(word).refused(2, f'There is no command "{word}". Did you mean charforge {command}?')


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("attack", "nix", "pistol", "8"), "use nix pistol 8"),
        (("hit", "nix", "7"), "use nix 7 or charforge damage nix 7"),
        (("end", "my hero"), "turn 'my hero' end"),
        (("reset", "nix", "--json"), "undo nix --to-level --json"),
        (("damge", "nix", "7"), "damage nix 7"),
        (("pdf", "nix"), "sheet nix"),
    ],
)
def test_the_words_after_it_belong_to_the_command(run, words, command):
    run(*words).refused(2, f"Did you mean charforge {command}?")


def test_a_group_proposes_its_own_commands_alone(run):
    ended = run("catalog", "hit")
    ended.refused(2, "charforge catalog --help lists all of them")
    assert "catalog use" not in ended.err


@pytest.mark.parametrize("word", ["xyzzy", "zebra", "helicopter", "no"])
def test_nothing_is_suggested_for_a_word_that_is_not_close_to_any(run, word):
    ended = run(word)
    ended.refused(2, "charforge --help lists all of them")
    assert "Did you mean" not in ended.err


def test_every_synonym_leads_to_a_command():
    for words in usage.SYNONYMS:
        name, *rest = words.split()
        name = usage.IN_A_SHELL.get(name, name).partition(" ")[0]
        if name not in ("--version", "quit"):  # an option, and a word of sessions alone
            command = GROUP.load(name)
            is_place = rest and usage.PLACEHOLDER.fullmatch(rest[0])
            assert not rest or is_place or rest[0].startswith("--") or rest[0] in command.modules
    typed = [word for words in usage.SYNONYMS.values() for word in words.split()]
    assert not {*typed} & {*GROUP.modules, *usage.ALIASES}


def test_print_is_another_name_of_sheet(run):
    assert run("print", "--help").out == run("sheet", "--help").out


def test_help_groups_the_commands(run):
    out = run("--help").out
    headings = re.findall(r"^(\w.*):$", out, re.MULTILINE)
    assert headings == [*commands.COMMANDS, "More commands", "Options"]


def test_help_lists_at_most_24_commands_and_its_topics_all_others(run):
    listed = re.findall(r"^  ([a-z][a-z-]*)  +[A-Z]", run("--help").out, re.MULTILINE)
    topics = {topic: run("help", topic).out for topic in commands.TOPICS}
    others = re.findall(r"^  ([a-z-]+)  +[A-Z]", "\n".join(topics.values()), re.MULTILINE)
    assert len(listed) <= 24
    assert sorted([*listed, *others]) == sorted(GROUP.modules)
    assert topics["play"].startswith(run("play", "--help").out.rstrip())


def test_the_help_of_the_catalog_tells_players_from_pack_writers(run):
    out = run("catalog", "help").out
    assert out == run("catalog", "--help").out
    players, writers = out.partition("For players:")[2].split("For pack writers:")
    assert "  add " in players
    assert "  check " in writers
    assert run("catalog", "help", "show").out == run("catalog", "show", "--help").out


def test_options_for_scripts_and_records_are_named_and_explained_with_all(run):
    short, full = run("new", "--help").out, run("help", "new", "--all").out
    assert "Also: --jobs, --cluster, --by, --dated." in short
    assert "--dated  " not in short
    assert re.search(r"^  --dated +Record", full, re.MULTILINE)
    assert "Also:" not in full


def test_without_a_command_help_is_shown_as_a_mistake(run):
    ended = run()
    assert ended.code == 2
    assert "Usage:" in ended.out + ended.err


def test_version_tells_the_program_and_each_ruleset(run):
    ended = run("--version")
    assert (ended.code, ended.err) == (0, "")
    program, *catalog = ended.out.splitlines()
    assert re.fullmatch(r"charforge \S.*", program)
    heads = {name: load_ruleset(name).head for name in loader.built_in()}
    assert catalog == [f"{name} {head.version}" for name, head in heads.items()]
    assert "capital" in heads


def test_version_tells_what_was_installed(run, packs_home):
    write_pack(packs_home / "calm", "entities: []", "capital", "2.1")
    shutil.copytree(TOY, packs_home / "toy")
    shutil.copytree(TOY, packs_home / "capital")  # the built-in one is meant by this name
    *built_in, calm, toy = run("--version").out.splitlines()
    assert (calm, toy) == ("calm 2.1 (installed)", "toy 0.1.0 (installed)")
    assert [line for line in built_in if "capital" in line] == [
        f"capital {load_ruleset('capital').head.version}"
    ]


@pytest.mark.parametrize(
    "text",
    few(["", "id: calm\n", "version: [1]\n", "- 1\n", "version: 'open", "a: &a [*a, *b]"], 3),
)
def test_version_says_which_pack_states_none(run, packs_home, text):
    (packs_home / "calm").mkdir(parents=True)
    (packs_home / "calm" / "pack.yaml").write_text(text, encoding="utf-8")
    ended = run("--version")
    assert (ended.code, ended.err) == (0, "")
    output = ended.out.splitlines()[-1]
    assert output.startswith("calm has no version; to see what is wrong: charforge catalog check ")
    assert str(packs_home / "calm") in output


HISTORY = "charforge.verbs.history"
HEAVY = ("weasyprint", "questionary", "prompt_toolkit", "jinja2", "fontpkg")


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (["--help"], (*HEAVY, "yaml", "pydantic", "charforge.usecases")),
        (["--version"], (*HEAVY, "rich", "charforge.usecases")),
        (["check", "nix.json"], (*HEAVY, "rich", "yaml", HISTORY)),
        (["show", "nix.json", "--json"], (*HEAVY, "rich", "yaml")),
        (["show", "nix.json"], (*HEAVY, HISTORY)),
        (["explain", "nix.json"], (*HEAVY, "rich")),
        (
            ["export", "nix.json"],
            (*HEAVY, "rich", "charforge.sheet.build", "charforge.export.json", HISTORY),
        ),
        (  # of what is heavy, only Jinja, because a template makes the text
            ["export", "nix.json", "--format", "text"],
            (*(name for name in HEAVY if name != "jinja2"), "rich", "charforge.export.json"),
        ),
        (["import", "nix.json", "-o", "b.json"], (*HEAVY, "rich", "charforge.sheet.build")),
        (["catalog", "list", "--json"], (*HEAVY, "rich")),
        (["catalog", "show", "system/focus-i"], HEAVY),
        (["new", "--random", "-o", "made.json"], (*HEAVY, "rich")),
        (["new", "--questions"], (*HEAVY, "rich")),
        (["damage", "nix.json", "1"], (*HEAVY, "rich", "yaml", "charforge.sheet.build", HISTORY)),
        (["level-up", "nix.json", "--random"], (*HEAVY, "rich")),
    ],
    ids=lambda given: " ".join(given[:2]) if isinstance(given, list) else "",
)
@pytest.mark.slow
def test_what_a_command_does_not_need_is_not_loaded(nix, environment, arguments, spared):
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        cwd=nix.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = set(done.stderr.split())
    assert "charforge.cli.commands" in loaded
    assert not loaded & set(spared)


@pytest.mark.slow
@pytest.mark.parametrize(("env", "styled"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_help_has_colours_only_where_they_are_wanted(tmp_path, env, styled):
    terminal = TerminalRun(tmp_path, "help", "show", rows=60, **env)
    assert terminal.ends() == 0
    assert ("\x1b[1mOptions\x1b[0m:" in terminal.seen) == styled
    assert ("\x1b[" in terminal.seen) == styled


# What comes after these options differs by command; each was reviewed.
OWN_VALUES = {
    "--with": "a choice of an item, or somebody who takes part in a fight",
    "--dice": "dice of a roll, of the one roll there is, or of somebody",
    "--format": "formats of a sheet, or of an export",
    "--output": "a file, or a folder",
    "--reference": "a length, for one sheet",
    "--from": "a level of a comparison, or the layout that a new template begins with",
}


def test_an_option_has_the_same_short_form_and_value_in_every_command():
    forms = {}
    for command in COMMANDS:
        if command == ("catalog",):
            continue
        for parameter in load(command).params:
            if parameter.param_type_name == "option":
                long = max(parameter.opts, key=len)
                value = "" if parameter.is_flag else usage.parameter_name(parameter)
                form = (frozenset(parameter.opts), "" if long in OWN_VALUES else value)
                forms.setdefault(long, {}).setdefault(form, []).append(command)
    assert {long: ways for long, ways in forms.items() if len(ways) > 1} == {}


@pytest.mark.parametrize(
    ("word", "command"), [("zug", "turn FILE"), ("heilen", "heal FILE AMOUNT"), ("hilfe", "help")]
)
def test_a_word_of_the_readers_language_leads_to_the_command(run, word, command):
    run("--lang", "de", word).refused(2, f"Meintest du charforge {command}?")


def test_the_choices_in_examples_exist(run, helps, tmp_path):
    """Each choice that an example of a change names can be made by Nix."""
    made = ("--seed", "7", "--level", "3", "-o", "nix.json")
    assert run("new", "--random", "--name", "Nix", *made).code == 0
    before = (tmp_path / "nix.json").read_bytes()
    failed = []
    for command in ("edit", "level-up", "replay"):
        for example in re.findall(r"charforge (\S+ nix\.json .*)", helps[command,].out):
            if not re.search(r"\S+\.\S+=|--answer |--instead ", example):
                continue
            (tmp_path / "nix.json").write_bytes(before)
            settled = () if command != "edit" or "--dry-run" in example else ("--yes",)
            ended = run(*shlex.split(example), *settled)
            if ended.code and "Saved with" not in ended.err:  # what an edit opens can follow
                failed.append(f"{example}: {ended.err}")
    assert not failed, "\n".join(failed)
