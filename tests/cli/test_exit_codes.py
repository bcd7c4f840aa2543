"""Exit codes: 2 for input that cannot be used, 1 for findings of the rules."""

from __future__ import annotations

import itertools
import json

import pytest

from charforge.cli.commands import ProgramGroup

READS = (
    "level-up", "edit", "undo", "history", "plan", "check", "show", "explain", "update", "sheet",
    "party", "initiative", "buy", "shop", "redo", "hold", "stow", "wear", "take-off", "play",
    "turn", "export", "import", "restore", "luck", "advise",
)  # fmt: skip
WITH_WORDS = (
    ("diff", "other.json"), ("sell", "rope"), ("drop", "rope"), ("use", "fall"), ("damage", "3"),
    ("heal", "3"), ("spend", "energy"), ("award", "grit"), ("condition", "prone"),
    ("rest", "short"), ("note", "Rain"), ("roll", "str"), ("odds", "str"),
    ("replay", "--instead", "role.plus=str"),
)  # fmt: skip
ALL = (*((one,) for one in READS), *WITH_WORDS)
WRONG = "answers: {role: role/nobody}"

USAGE = {
    "no file": [(command,) for command, *_words in ALL],
    "no such file": [(command, "gone.json", *words) for command, *words in ALL],
    "no character": [
        (command, "broken.json", *words) for command, *words in ALL if command != "restore"
    ],
    "an unknown name": [
        *((command, "nix.json", "xyzzy") for command in
          ("explain", "buy", "sell", "drop", "hold", "wear", "take-off", "use", "spend",
           "award", "condition", "rest", "roll", "odds")),
        ("edit", "nix.json", "xyzzy", "--answer", "1"),
        ("plan", "nix.json", "xyzzy=1"),
        ("damage", "nix.json", "3", "--type", "xyzzy"),
        ("turn", "nix.json", "--unit", "xyzzy"),
        ("resolve", "xyzzy"),
        ("resolve", "harbour", "xyzzy"),
        ("new", "--ruleset", "xyzzy"),
        ("new", "--pack", "xyzzy"),
        ("new", "--random", "--rule", "xyzzy=b"),
        ("catalog", "list", "xyzzy"),
        ("catalog", "list", "--kind", "xyzzy"),
        ("catalog", "show", "xyzzy"),
        ("catalog", "rulings", "xyzzy"),
        ("catalog", "remove", "xyzzy"),
        ("catalog", "add", "xyzzy"),
        ("catalog", "add", "example:xyzzy"),
        ("catalog", "add", "http://localhost/xyzzy.zip"),
        ("catalog", "index", "xyzzy"),
        ("catalog", "find", "--index", "xyzzy"),
        ("catalog", "check", "xyzzy"),
        ("catalog", "test", "xyzzy"),
        ("catalog", "translate", "xyzzy", "de"),
        ("catalog", "diff", "xyzzy", "capital"),
    ],
    "what needs the input is missing": [
        ("new",),
        ("edit", "nix.json"),
        ("edit", "nix.json", "trade"),
        ("level-up", "nix.json"),
        ("use", "nix.json", "lift"),
        ("use", "nix.json", "strike"),
        ("roll", "nix.json"),
        ("odds", "nix.json", "lift"),
        ("odds", "nix.json", "strike"),
        ("odds", "nix.json"),
        ("rest", "nix.json"),
        ("buy", "nix.json"),
        ("shop", "nix.json"),
        ("serve", "nix.json", "--cert", "cert.pem"),
        ("redo", "nix.json"),
        ("diff", "nix.json"),
        ("resolve", "harbour", "lift"),
        ("resolve", "harbour", "lift", "nix.json"),
        ("resolve", "harbour", "strike", "nix.json", "--set", "damage=1d4"),
    ],
    "what is told is nothing of the sort": [
        ("use", "nix.json", "lift", "--set", "weight=x"),
        ("use", "nix.json", "nap", "--set", "hours=0"),
        ("roll", "nix.json", "arm", "--vs", "5", "--dice", "own=9,9"),
        ("templates", "old"),
        ("new", "--random", "--answers", "broken.yaml"),
        ("new", "--random", "--answers", "gone.yaml"),
        ("show", "nix.json", "--at-level", "99"),
        ("level-up", "nix.json", "--to", "99", "--random"),
        ("new", "--random", "-o", "nix.json"),
        ("campaign", "gone"),
        ("rulebook", "--ruleset", "xyzzy"),
        ("rulebook", "--with", "xyzzy"),
        ("rulebook", "--rule", "xyzzy=b"),
        ("campaign", "--pack", "xyzzy"),
        ("campaign", "--rule", "xyzzy=b"),
        ("new", "--random", "-o", "gone/nix.json"),
    ],
}  # fmt: skip
FINDINGS = [
    ("check", "illegal.json"),
    ("edit", "nix.json", "level.2.vigour", "--answer", "9"),
    ("edit", "nix.json", "trade", "--answer", "trade/nobody"),
    ("edit", "nix.json", "level.2.knacks", "--answer", "[]"),
    ("new", "--random", "--answers", "wrong.yaml"),
    ("import", "wrong.yaml"),
    ("spend", "nix.json", "luck", "99"),
    ("condition", "nix.json", "soaked", "--off"),
    ("catalog", "check", "faulty"),
    ("catalog", "add", "faulty"),
    ("catalog", "test", "faulty"),
]


@pytest.fixture
def table(nix, data, tmp_path):
    """A folder with what each command is given."""
    (tmp_path / "broken.json").write_text('{"charforge": ')
    (tmp_path / "broken.yaml").write_text("answers: [1")
    (tmp_path / "wrong.yaml").write_text(WRONG)
    log = [e for e in data["log"] if e.get("decision") != "trade"]
    numbered = [{**event, "n": number} for number, event in enumerate(log, 1)]
    (tmp_path / "illegal.json").write_text(json.dumps({**data, "log": numbered}))
    (tmp_path / "faulty").mkdir()
    (tmp_path / "faulty" / "pack.yaml").write_text("id: faulty\n")
    return tmp_path


@pytest.mark.parametrize("sort", USAGE)
def test_what_cannot_be_used_ends_with_2_and_a_sentence(run, table, sort):
    before = {path.name: path.stat().st_mtime_ns for path in table.iterdir()}
    for command in USAGE[sort]:
        ended = run(*command)
        assert (command, ended.code) == (command, 2), ended.err
        assert "Traceback" not in ended.err
        assert ended.err.strip()
    assert {path.name: path.stat().st_mtime_ns for path in table.iterdir()} == before


@pytest.mark.parametrize("command", FINDINGS, ids=" ".join)
def test_what_the_rules_find_ends_with_1(run, table, command):
    before = {path.name: path.stat().st_mtime_ns for path in table.iterdir()}
    ended = run(*command)
    assert ended.code == 1, ended.err
    assert "Traceback" not in ended.err
    assert (ended.out + ended.err).strip()
    assert {path.name: path.stat().st_mtime_ns for path in table.iterdir()} == before


def test_the_table_has_every_command():
    named = set(ProgramGroup().modules)
    tried = {command for command, *_words in (*ALL, *itertools.chain(*USAGE.values()))}
    assert named - tried <= {"doctor", "catalog", "help", "games"}
