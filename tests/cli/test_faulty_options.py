"""Unknown commands, options and ids, and options that cannot be used together."""

from __future__ import annotations

import pytest

from charforge.cli.commands import CatalogGroup, ProgramGroup
from charforge.cli.options import Command

UNKNOWN: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "command": (
        ("shwo", "nix.json"),
        ('There is no command "shwo". Did you mean charforge show nix.json?',),
    ),
    "command of the catalog": (
        ("catalog", "lst"),
        ('There is no command "lst". Did you mean charforge catalog list?',),
    ),
    "option": (
        ("show", "nix.json", "--jsno"),
        ('There is no option "--jsno". Did you mean --json?',),
    ),
    "no file": (
        ("show",),
        (
            "Which character? Give its file or its name. Characters here: nix.json. "
            "Usage: charforge show FILE",
        ),
    ),
    "no files": (("check",), ("Which character? Give a file or a folder. Characters here",)),
    "two files": (
        ("show", "nix.json", "nix.json"),
        ("Too many words: nix.json. Usage: charforge show FILE",),
    ),
    "answer without its option": (
        ("edit", "nix.json", "role", "The", "Tank"),
        ("Too many words: The Tank. Did you mean --answer 'The Tank'?",),
    ),
    "option without its value": (("new", "--name"), ("--name needs a value. For example --name",)),
    "the same after spoken words": (
        ("use", "nix.json", "sweep", "--dice"),
        ("--dice needs a value. For example --dice",),
    ),
    "ruleset": (
        ("new", "--random", "--ruleset", "captial"),
        ('There is no ruleset named "captial". Did you mean capital?',),
    ),
    "ruleset of the catalog": (("catalog", "list", "captial"), ("Did you mean capital?",)),
    "ruleset as a path": (("new", "--random", "--ruleset", "../capital"), ("no ruleset",)),
    "ruleset empty": (("new", "--random", "--ruleset", ""), ('no ruleset named ""',)),
    "scope of an id": (
        ("catalog", "show", "captial:system/focus-i"),
        ('There is no ruleset named "captial". Did you mean capital?',),
    ),
    "kind": (
        ("catalog", "list", "--kind", "sytem"),
        ('There is no kind in Capital named "sytem". Did you mean system?',),
    ),
    "entity": (
        ("catalog", "show", "system/focus-iii"),
        ('no entity of Capital named "system/focus-iii". Did you mean system/focus-ii?',),
    ),
    "entity by a part of its id": (("catalog", "show", "role/lancer"), ("role/the-lancer?",)),
    "entity by name": (("catalog", "show", "Precision Riffle"), ("Did you mean Precision Rifle?",)),
    "entity of nonsense": (("catalog", "show", "\x1b[2J"), ("no entity", '"\\x1b[2J"')),
    "ruling": (("catalog", "rulings", "D999"), ('There is no ruling of Capital named "D999"',)),
    "value": (
        ("explain", "nix.json", "max_vigor"),
        ('named "max_vigor". Did you mean max_vigour?',),
    ),
    "value of the wrong sort": (
        ("explain", "nix.json", "Max Vigor"),
        ("Did you mean max_vigour?",),
    ),
    "entity to explain": (("explain", "nix.json", "knack/kenel"), ("Did you mean knack/kennel?",)),
    "unit": (
        ("explain", "nix.json", "max_vigour", "--unit", "charakter"),
        ('no unit of this character named "charakter". Did you mean character?',),
    ),
    "export format": (("export", "nix.json", "--format", "pdf"), ('"pdf" is not one of answers,',)),
    "sheet format": (
        ("sheet", "nix.json", "--format", "png"),
        ('--format: "png" is not one of pdf, html.',),
    ),
    "paper": (
        ("sheet", "nix.json", "--paper", "A4"),
        ('--paper: "A4" is not one of a4, letter; did you mean a4?'),
    ),
    "layout of nonsense": (
        ("sheet", "nix.json", "--layout", "banana"),
        ('"banana" is not one of full, short, cards,',),
    ),
    "one style of several": (
        ("party", "nix.json", "--style", "grey", "--style", "inksaver"),
        ('--style: "inksaver" is not one of ink-saver,', "did you mean ink-saver?"),
    ),
    "table rule": (
        ("new", "--random", "--rule", "cooldwn=or_less"),
        ('There is no table rule named "cooldwn". Did you mean cooldown?',),
    ),
    "way to rule": (
        ("new", "--random", "--rule", "cooldown=or_les"),
        ('no option of the table rule cooldown named "or_les". Did you mean or_less?',),
    ),
    "rule without a value": (
        ("new", "--random", "--rule", "nonsense"),
        ('--rule "nonsense" is not of the form RULE=OPTION', "cooldown=or_less"),
    ),
    "rule of nothing": (
        ("new", "--random", "--rule", "="),
        ('--rule "=" is not of the form RULE=OPTION',),
    ),
}


@pytest.mark.parametrize(("arguments", "said"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_does_not_exist_is_named_with_the_nearest_that_does(
    run, nix, tmp_path, arguments, said
):
    ended = run(*arguments)
    ended.refused(2, *said)
    assert "\x1b" not in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["nix.json"]


OUT_OF_RANGE: dict[str, tuple[tuple[str, ...], str]] = {
    "level 0": (
        ("new", "--random", "--level", "0"),
        "Capital has levels 1 to 10; there is no level 0",
    ),
    "level -1": (
        ("new", "--random", "--level", "-1"),
        "Capital has levels 1 to 10; there is no level -1",
    ),
    "level 11": (
        ("new", "--random", "--level", "11"),
        "Capital has levels 1 to 10; there is no level 11",
    ),
    "level 99999999999": (("new", "--random", "--level", "99999999999"), "levels 1 to 10"),
    "level of 5,000 digits": (("new", "--random", "--level", "9" * 5000), "too many digits"),
    "level 1.5": (("new", "--random", "--level", "1.5"), "--level"),
    "level three": (("new", "--random", "--level", "three"), "--level"),
    "amount of no number": (("damage", "nix.json", "abc"), 'AMOUNT: "abc" is not a whole number.'),
    "amount with an escape": (("heal", "nix.json", "\x1b[2J"), '"\\x1b[2J" is not a whole number.'),
    "jobs of no number": (("sheet", "nix.json", "--jobs", "x"), '"x" is not a whole number.'),
    "no jobs": (("sheet", "nix.json", "--jobs", "0"), "--jobs: 0 is too low; the lowest is 1."),
    "level to reach a word": (("level-up", "nix.json", "--to", "x"), '"x" is not a whole number.'),
    "template of level 11": (
        ("new", "--questions", "--level", "11"),
        "levels 1 to 10; there is no level 11",
    ),
    "count 0": (("new", "--random", "--count", "0"), "--count must be from 1 to 100000, not 0"),
    "count -5": (("new", "--random", "--count", "-5"), "not -5"),
    "count of billions": (("new", "--random", "--count", "9999999999"), "must be from 1 to"),
    "count without chance": (("new", "--count", "2"), "Add --random"),
    "two sources of answers": (
        ("new", "--resume", "a.yaml", "--answers", "a.yaml"),
        "--resume and --answers cannot be used together",
    ),
    "blank name": (("new", "--random", "--name", "  "), "a name needs at least one letter"),
    "name of 10,000 characters": (
        ("new", "--random", "--name", "x" * 10_000),
        "the name has 10000 characters; the limit is 200",
    ),
    "name with an escape": (("new", "--random", "--name", "\x1b[31mNix"), "control characters"),
    "name with a line break": (("new", "--random", "--name", "N\nix"), "control characters"),
    "name with half a sign": (("new", "--random", "--name", "N\udcff"), "invalid characters"),
    "seed with a bell": (("new", "--random", "--seed", "a\x07"), "printable characters"),
    "seed with half a sign": (("new", "--random", "--seed", "\udcff"), "printable characters"),
    "seed of 10,000 characters": (("new", "--random", "--seed", "7" * 10_000), "at most 200"),
    "level reached already": (("level-up", "nix.json", "--to", "3"), "is already level 3"),
    "level below": (("level-up", "nix.json", "--to", "1"), "is already level 3"),
    "level 0 to reach": (
        ("level-up", "nix.json", "--to", "0"),
        "levels 1 to 4; there is no level 0",
    ),
    "level 11 to reach": (
        ("level-up", "nix.json", "--to", "11"),
        "levels 1 to 4; there is no level 11",
    ),
    "level 0 to look at": (("show", "nix.json", "--at-level", "0"), "levels start at 1"),
    "level 4 to look at": (("check", "nix.json", "--at-level", "4"), "is only level 3"),
    "level -1 to export": (("export", "nix.json", "--at-level", "-1"), "levels start at 1"),
    "level 10**20 to explain": (("explain", "nix.json", "--at-level", str(10**20)), "level 3"),
}


@pytest.mark.parametrize(("arguments", "said"), OUT_OF_RANGE.values(), ids=OUT_OF_RANGE)
def test_what_is_out_of_range_is_refused(run, nix, tmp_path, arguments, said):
    (tmp_path / "a.yaml").write_text("name: Nix")
    before = nix.read_bytes()
    ended = run(*arguments)
    assert said.casefold() in ended.err.casefold()
    ended.refused(2)
    assert "\x1b" not in ended.err
    assert nix.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2


def test_every_command_refuses_a_word_in_our_words():
    """No command is left whose words of a wrong type would be told by pydantic."""
    groups = (ProgramGroup(), CatalogGroup())
    commands = [group.load(name) for group in groups for name in group.modules]
    assert len(commands) > 40
    assert [c.name for c in commands if not isinstance(c, Command)] == ["catalog"]


# ------------------------------------------------------------------ nobody to ask


def test_without_a_terminal_new_lists_what_is_open(run, tmp_path):
    ended = run("new")
    ended.refused(2, "These choices are missing", "--answers FILE", "--random")
    listed = [line.split()[0] for line in ended.err.splitlines() if line.startswith("  ")]
    assert listed[:3] == ["name", "role", "attributes.roll"]
    assert "attributes.roll" in listed
    assert list(tmp_path.iterdir()) == []


def test_only_what_is_still_open_is_listed(run, tmp_path):
    (tmp_path / "a.yaml").write_text("answers: {role: role/the-captain, money: 300}")
    ended = run("new", "--answers", "a.yaml", "--name", "Nix")
    ended.refused(2)
    listed = [line.split()[0] for line in ended.err.splitlines() if line.startswith("  ")]
    assert "role.plus" in listed
    assert not {"name", "role", "money"} & set(listed)


def test_without_a_terminal_level_up_lists_what_is_open(run, nix):
    before = nix.read_bytes()
    run("level-up", nix).refused(2, "level.4.vigour", "Roll for your vigour", "level.4.knacks")
    assert nix.read_bytes() == before
