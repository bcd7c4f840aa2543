"""export: its formats, printed or in a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
import yaml

from charforge.cli.export import ENDINGS, FORMATS, TABLETOPS, ExportFormat
from charforge.export.tabletop import NOT_CARRIED
from charforge.sheet.templates import built_in_templates
from tests.samples import few

pytestmark = pytest.mark.capital

SHARE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "share.md"


def test_each_format_is_in_the_help_and_in_the_guide():
    assert tuple(FORMATS) == get_args(ExportFormat)
    assert {*ENDINGS.values(), *TABLETOPS, *built_in_templates()} <= {*FORMATS}
    rows = re.findall(r"^\| (`[^|]+`) \|", SHARE.read_text("utf-8"), re.MULTILINE)
    described = re.findall(r"`(\w+)`", " ".join(rows))
    assert {*described} == {*FORMATS}, f"the formats of the table in {SHARE.name}"
    assert len(described) == len(FORMATS)


@pytest.mark.parametrize("format", FORMATS)
def test_stdout_and_file_have_the_same_text(run, nix, tmp_path, format):
    said = f"{NOT_CARRIED}\n" if format in TABLETOPS else ""
    printed = run("export", nix, "--format", format)
    assert (printed.code, printed.err) == (0, said)
    assert printed.out.endswith("\n")
    assert not printed.out.endswith("\n\n")
    assert "\x1b" not in printed.out
    written = run("export", nix, "--format", format, "-o", "out")
    assert (written.code, written.out, written.err) == (0, "out\n", said)
    assert (tmp_path / "out").read_bytes() == printed.out.encode()


def test_answers_are_the_default(run, nix):
    assert run("export", nix).out == run("export", nix, "--format", "answers").out
    assert yaml.safe_load(run("export", nix).out)["level"] == 3


def test_each_format_is_what_it_says(run, nix, data):
    name = data["name"]
    assert run("export", nix, "--format", "markdown").out.startswith(f"# {name}\n\nCapital · Lev")
    assert run("export", nix, "--format", "text").out.startswith(f"{name}\nCapital · Level 3 · ")
    block = run("export", nix, "--format", "statblock").out
    assert block.startswith(f'```statblock\nname: "{name}"\ntype: "Capital · Level 3 · ')
    found = run("export", nix, "--format", "json").json
    assert found["values"] == run("show", nix, "--json").json["values"]


@pytest.mark.parametrize("format", FORMATS)
def test_an_earlier_level(run, nix, format):
    earlier = run("export", nix, "--format", format, "--at-level", "2").out
    level = re.compile(r"\blevel\b\D{1,40}2\b", re.IGNORECASE)  # Level 2, "level": 2, …
    assert level.search(earlier), f"{format} has no level"
    assert earlier != run("export", nix, "--format", format).out


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "answers"])
def test_what_is_wrong_is_in_the_export(run, data, tmp_path, format):
    money = next(event for event in data["log"] if event.get("decision") == "money")
    money["answer"] = 10
    (tmp_path / "poor.json").write_text(json.dumps(data))
    ended = run("export", "poor.json", "--format", format)
    assert ended.code == 0
    assert "10 is not between 200 and 400" in ended.out


def test_an_existing_file_needs_force(run, nix, tmp_path):
    (tmp_path / "nix.md").write_text("mine")
    arguments = ("export", nix, "--format", "markdown", "-o", "nix.md")
    run(*arguments).refused(2, "this file already exists", "--force")
    assert (tmp_path / "nix.md").read_text() == "mine"
    assert run(*arguments, "--force").code == 0
    assert (tmp_path / "nix.md").read_text("utf-8").startswith("# ")


@pytest.mark.parametrize("format", FORMATS)
def test_the_character_itself_is_never_overwritten(run, nix, text, format):
    ended = run("export", nix, "--format", format, "-o", nix, "--force")
    ended.refused(2, "this is the character file itself")
    assert nix.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("ending", "format"),
    [
        ("md", "markdown"),
        ("txt", "text"),
        ("json", "json"),
        ("yaml", "answers"),
        ("YML", "answers"),
    ],
)
def test_the_ending_of_the_file_chooses_the_format(run, nix, tmp_path, ending, format):
    assert run("export", nix, "-o", f"out.{ending}").code == 0
    printed = run("export", nix, "--format", format).out
    assert (tmp_path / f"out.{ending}").read_text("utf-8") == printed
    assert run("export", nix, "--format", "answers", "-o", f"own.{ending}").code == 0
    assert (tmp_path / f"own.{ending}").read_text("utf-8") == run("export", nix).out


def test_an_ending_that_means_no_format_is_refused(run, nix, tmp_path):
    for ending, command in (
        ("pdf", f"charforge sheet {nix} -o out.pdf"),
        ("html", f"charforge sheet {nix} -o out.html"),
        ("charforge", f"charforge export {nix} --bundle out.charforge"),
    ):
        ended = run("export", nix, "-o", f"out.{ending}")
        ended.refused(2, f"Export does not write .{ending} files", command)
        assert not (tmp_path / f"out.{ending}").exists()
    run("export", nix, "-o", "out.docx").refused(2, "The ending of out.docx", ".md", "--format")


def test_the_schema_needs_no_character(run, tmp_path):
    schema = run("export", "--format", "json", "--schema").json
    assert schema["title"] == "A character exported by charforge"
    assert run("export", "--format", "json", "--schema", "-o", "export.json").out == "export.json\n"
    assert json.loads((tmp_path / "export.json").read_text("utf-8")) == schema


def test_options_that_do_not_fit(run, nix):
    run("export", nix, "--schema").refused(2, "--schema needs --format json")
    run("export").refused(
        2, "Which character? For example: charforge export nix.json.", "charforge export nix.json"
    )
    run("export", nix, "--format", "markdwon").refused(2, '"markdwon"', "did you mean markdown?")


@pytest.mark.parametrize("format", few([*FORMATS], 0, slow=2))
def test_it_is_utf_8_whatever_the_console_has(process, nix, format):
    ended = process(
        "export", "nix.json", "--format", format, variables={"PYTHONIOENCODING": "cp1252"}
    )
    assert ended.returncode == 0
    assert ended.stdout == process("export", "nix.json", "--format", format).stdout
    ended.stdout.decode("utf-8")


@pytest.mark.parametrize("format", TABLETOPS)
def test_a_virtual_tabletop_gets_what_it_can_hold(run, nix, tmp_path, format):
    """The file is complete, and one line says what is not in it."""
    ended = run("export", nix, "--format", format, "-o", "there.json")
    assert (ended.code, ended.out) == (0, "there.json\n")
    assert ended.err.startswith("Not carried over: the portrait")
    assert ended.err.count("\n") == 1
    assert json.loads((tmp_path / "there.json").read_text("utf-8"))
