"""Answers files with mistakes: each is reported with its line, and nothing is written."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
import yaml

from tests.samples import few

pytestmark = pytest.mark.capital

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefg", "bcdefgh", strict=True)
)


def given(run, tmp_path: Path, content: bytes | str, *options: str):
    """Run new with an answers file, everything that it leaves out by chance."""
    path = tmp_path / "given.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return run("new", "--random", "--seed", "7", "--answers", path, "-o", "made.json", *options)


def answering(text: str) -> str:
    """Return an answers file with one answer, on line 3."""
    return f"name: Nix\nanswers:\n  {text}\n"


# (content, what is said); every place is the file's name and a line
MALFORMED: dict[str, tuple[bytes | str, str]] = {
    "empty": ("", "given.yaml: the file is empty"),
    "binary": (bytes(range(256)), "given.yaml: this is not a text file"),
    "UTF-16": ("name: Nix".encode("utf-16"), "given.yaml: this is not a text file"),
    "a list": ("- role", "given.yaml:1: an answers file contains ruleset, packs, name"),
    "a text": ("role", "begun; this file contains plain text"),
    "a comment": ("# role", "begun; this file contains only comments"),
    "a decision as a key": (
        "name: Nix\nrole: role/the-tank",
        'given.yaml:2: unknown key "role"; choices belong below answers:, indented',
    ),
    "a blank that is no space": (
        "name: Nix\n\u00a0level: 2",
        'given.yaml:2: "level" is indented with an unusual blank character; use spaces',
    ),
    "an anchor for a text": (
        "level: 1\nname: &nix",
        "given.yaml:2: &nix is a YAML anchor, which is not supported. If it is "
        "text, put it in quotes",
    ),
    "marks of a merge": (
        "name: Nix\n<<<<<<< ours\nlevel: 2\n=======\nlevel: 3\n>>>>>>> theirs",
        "given.yaml:2: there are merge conflict marks here; keep one version",
    ),
    "no space after a colon": (
        answering("money: 300\n  role:role/the-tank"),
        "given.yaml:4: a key needs a colon and a space on its own line",
    ),
    "Latin-1": ("level: 1\nname: Zoë".encode("latin-1"), "not a text file (see line 2)"),
    "unknown key": (
        "name: Nix\nlevle: 2",
        'given.yaml:2: unknown key "levle"; did you mean level?',
    ),
    "number for a key": ("5: x", "given.yaml:1: unknown key 5"),
    "list for a key": ("[a]: x", "given.yaml:1: a key must be text"),
    "key twice": ("name: a\nname: b", 'given.yaml:2: the key "name" appears twice'),
    "decision twice": (
        "answers:\n  role: a\n  money: 1\n  role: b",
        'given.yaml:4: the key "role" appears twice',
    ),
    "tab": ("answers:\n\trole: x", "given.yaml:2: indented with a tab; use spaces"),
    "control character": ("name: N\x07", "given.yaml:1: this is not valid YAML"),
    "escaped control character": ('name: "N\\a"', "given.yaml:1: name must be plain text without"),
    "half a sign": ('name: "\\ud800"', "given.yaml:1: "),
    "quote not closed": ('name: "Nix\nlevel: 2', "is never closed"),
    "bracket not closed": ("answers: {role: x", "given.yaml:1: the { here is never closed"),
    "colon in a text": ("name: Nix: the second", "given.yaml:1: put text with a colon in quotes"),
    "second document": ("name: a\n---\nname: b", "given.yaml:2: a second document begins here"),
    "another YAML": ("%YAML 9.9\n---\nname: x", "given.yaml:1: "),
    "Python object": (
        'name: !!python/object/apply:os.system ["touch owned"]',
        "given.yaml:1: the tag !!python/object/apply:os.system is not allowed; "
        "if it is text, put it in quotes",
    ),
    "Python name": ("name: !!python/name:os.system", "given.yaml:1: the tag !!python/name"),
    "own tag": ("answers: !sheet {}", "given.yaml:1: the tag !sheet"),
    "binary tag": ("name: !!binary Tml4", "given.yaml:1: the tag !!binary"),
    "boolean level": ("level: !!bool yes", "given.yaml:1: the tag !!bool"),
    "set of answers": ("answers: !!set {role}", "given.yaml:1: the tag !!set"),
    "bomb of anchors": (BOMB + "answers: {strengths: *h}", "given.yaml:2: *a is a YAML alias"),
    "alias in itself": ("answers: &a {role: *a}", "given.yaml:1: *a is a YAML alias"),
    "unknown alias": ("name: *nix", "given.yaml:1: *nix is a YAML alias"),
    "100,000 brackets": (
        "answers: " + "[" * 100_000,
        "given.yaml:1: it has too many levels of brackets or indentation.",
    ),
    "100,000 closed brackets": (
        "answers:\n  role: " + "[" * 100_000 + "]" * 100_000,
        "given.yaml:2: it has too many levels of brackets or indentation.",
    ),
    "100,000 braces": (
        "answers: " + "{a: " * 100_000,
        "given.yaml:1: it has too many levels of brackets or indentation.",
    ),
    "100,000 dashes": (
        "answers:\n" + "- " * 100_000,
        "given.yaml:2: it has too many levels of brackets or indentation.",
    ),
    "level a word": ("level: three", "given.yaml:1: level must be a whole number"),
    "level 2.5": ("level: 2.5", "given.yaml:1: level must be a whole number"),
    "level yes": ("level: yes", "given.yaml:1: level must be a whole number"),
    "level of 5,000 digits": ("level: " + "9" * 5000, "given.yaml:1: level must be a whole number"),
    "level infinite": ("level: .inf", "given.yaml:1: level must be a whole number"),
    "level 0": (
        "name: Nix\nlevel: 0",
        "given.yaml:2: Capital has levels 1 to 10; there is no level 0",
    ),
    "level -1": ("level: -1", "given.yaml:1: Capital has levels 1 to 10; there is no level -1"),
    "level 11": ("level: 11", "given.yaml:1: Capital has levels 1 to 10; there is no level 11"),
    "level 99999999999": ("level: 99999999999", "given.yaml:1: Capital has levels 1 to 10"),
    "name a list": ("name: [Nix]", "given.yaml:1: name must be plain text"),
    "name a map": ("name: {first: Nix}", "given.yaml:1: name must be plain text"),
    "name of 10,000 characters": ("name: " + "x" * 10_000, "given.yaml:1: The name has 10000"),
    "name of two lines": ('name: "N\\nix"', "given.yaml:1: The name contains control characters"),
    "name blank": ('ruleset: capital\nname: "   "\nnmae: x', "given.yaml:3: unknown key"),
    "seed a list": ("seed: [7]", "given.yaml:1: seed must be plain text"),
    "ruleset a number": ("ruleset: 5", "given.yaml:1: ruleset must be the id of a ruleset"),
    "unknown ruleset": (
        "name: Nix\nruleset: captial",
        'given.yaml:2: There is no ruleset named "captial". Did you mean capital?',
    ),
    "table rules a list": (
        "table_rules: [cooldown]",
        "given.yaml:1: table_rules must be a list of RULE: OPTION lines",
    ),
    "unknown table rule": (
        "table_rules: {cooldwn: or_less}",
        'given.yaml:1: There is no table rule named "cooldwn". Did you mean cooldown?',
    ),
    "unknown way to rule": (
        "name: Nix\ntable_rules:\n  cooldown: or_les",
        'There is no option of the table rule cooldown named "or_les". Did you mean or_less?',
    ),
    "list for a way to rule": (
        "table_rules: {cooldown: [or_less]}",
        "no option of the table rule cooldown",
    ),
    "packs a word": (
        "packs: ice",
        "given.yaml:1: packs must be a list of pack ids, for example [ice]",
    ),
    "answers a list": (
        "answers: [role]",
        "given.yaml:1: answers must be a list of CHOICE: ANSWER lines",
    ),
    "answers a text": (
        "answers: role",
        "given.yaml:1: answers must be a list of CHOICE: ANSWER lines",
    ),
    "unknown decision": (
        answering("rolle: role/the-tank"),
        'given.yaml:3: there is no choice "rolle" here; did you mean role?',
    ),
    "number for a decision": (answering("5: x"), 'given.yaml:3: there is no choice "5"'),
    "merge key": (answering("<<: {role: role/the-tank}"), 'given.yaml:3: there is no choice "<<"'),
    "decision of a higher level": (
        answering("level.2.hp: [6]"),
        'given.yaml:3: there is no choice "level.2.hp"',
    ),
    "decision of another role": (
        "answers:\n  role: role/the-tank\n  role.standard-pistol.damage: heat",
        'given.yaml:3: there is no choice "role.standard-pistol.damage"',
    ),
    "two unknown decisions": ("answers:\n  rolle: x\n  mony: 5", "did you mean money?"),
}


@pytest.mark.parametrize(("content", "said"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_file_is_refused_at_its_line(run, tmp_path, content, said):
    given(run, tmp_path, content).refused(2, said)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.yaml"]


ILLEGAL: dict[str, tuple[str, str]] = {
    "unknown role": (
        "role: role/the-tnk",
        'role: "role/the-tnk" is not an option. Did you mean The Tank?',
    ),
    "role by a mistyped name": ("role: Thank", 'role: "Thank" is not an option. Did you mean'),
    "role a number": ("role: 5", "role: 5 is not an option"),
    "role a list": (
        "role: [role/the-tank]",
        '["role/the-tank"] is not an option, for example The Tank.',
    ),
    "role a map": ("role: {a: b}", '"b"} is not an option, for example The Lancer.'),
    "role a list of nonsense": ("role: [x]", '["x"] is not an option, for example The Lancer.'),
    "role of a million signs": ("role: " + "x" * 100_000, "is not an option"),
    "a system for a role": ("role: system/quick", "Quick belongs to Systems, not to Roles."),
    "another role's attribute": (
        "role.plus: knw",
        "role.plus: Knowledge is not an option for The Scout.",
    ),
    "dice of 7": ("attributes.roll: [7, 7, 7, 7, 7, 7, 7, 7, 7, 7]", "7 is not a face of 10d6"),
    "too few dice": ("attributes.roll: [1, 6]", "10d6 is 10 dice, not 2"),
    "dice as a number": (
        "attributes.roll: 1234561234",
        "enter the dice of 10d6 as a list, for example [1, 2, 3, 4, 5, 6, 1, 2, 3, 4].",
    ),
    "dice in a map": ("attributes.roll: {a: 1}", "as a list"),
    "dice as words": ("attributes.roll: [one, two]", "10d6 is 10 dice, not 2"),
    "score 99": ("attributes.assign: {str: 99}", "there is no score for ftd"),
    "unknown score": (
        "attributes.assign: {sta: 5}",
        '"sta" does not get a score here; did you mean str?',
    ),
    "money too little": ("money: 199", "199 is not between 200 and 400"),
    "money too much": ("money: 401", "401 is not between 200 and 400"),
    "money negative": ("money: -300", "-300 is not between 200 and 400"),
    "money of 5,000 digits": ("money: " + "9" * 5000, "enter a whole number from 200 to 400"),
    "money NaN": ("money: .nan", "enter a whole number"),
    "money infinite": ("money: .inf", "enter a whole number"),
    "money 3e2": ("money: 3e2", "enter a whole number"),
    "money in hexadecimal": ("money: 0x100", "enter a whole number"),
    "money lots": ("money: lots", "enter a whole number"),
    "one strength": (
        "strengths: strength/sneaky",
        "strengths: it must be a list, for example [Sneaky, Athletic, Empathetic].",
    ),
    "two strengths": (
        "strengths: [strength/athletic, strength/sneaky]",
        "pick exactly 3 (you picked 2)",
    ),
    "unknown strength": (
        "strengths: [strength/athletic, strength/sneaky, strength/obsrvant]",
        "Did you mean Observant?",
    ),
    "the same strength": ("strengths: [a, a, a]", "already chosen"),
    "true for yes": ("kit.food: true", "True is not an option"),
    "escape in a story": (
        'story.origin: "\\e[2J"',
        "it contains control characters or invalid characters.",
    ),
    "story of 100,000 signs": ("story.origin: " + "x" * 100_000, "100000 characters; the limit is"),
    "story a list": ("story.origin: [a]", "it must be text"),
}


@pytest.mark.parametrize("name", few([*ILLEGAL], 8, slow=22))
def test_an_answer_that_the_rules_forbid_is_named_with_its_line(run, tmp_path, name):
    text, said = ILLEGAL[name]
    ended = given(run, tmp_path, answering(text))
    ended.refused(1, "The rules do not allow this", "given.yaml:3: " + text.split(":")[0], said)
    assert not (tmp_path / "made.json").exists()


def _slugs(answer):
    """Return an answer, of ids or names, as the last parts of the ids."""
    items = answer if isinstance(answer, list) else [answer]
    return [str(item).rpartition("/")[2].lower().replace(" ", "-") for item in items]


@pytest.mark.parametrize(
    "wrong",
    ["role: [role/the-tank]", "strengths: strength/sneaky", "attributes.roll: 6", "innate: Deaf"],
)
def test_the_example_of_the_right_form_is_an_answer(run, tmp_path, wrong):
    said = given(run, tmp_path, answering(wrong)).err
    example = said.rstrip(".\n").partition(", for example ")[2]
    decision = wrong.split(":")[0]
    done = given(run, tmp_path, answering(f"{decision}: {example}"))
    assert done.code == 0, done.err
    log = yaml.safe_load((tmp_path / "made.json").read_text("utf-8"))["log"]
    [kept] = [event["answer"] for event in log if event.get("decision") == decision]
    assert _slugs(kept) == _slugs(yaml.safe_load(example))


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        (("plan", "nix.json", "level.4.systems=system/x"), "["),
        (("award", "nix.json", "equipment/auto-rifle", "--with", "damage=[heat]"), "Heat"),
    ],
    ids=lambda case: case[0] if isinstance(case, tuple) else "",
)
def test_a_list_for_a_word_is_told_by_an_example_everywhere(run, nix, arguments, right):
    before = nix.read_bytes()
    run(*arguments).refused(1, f", for example {right}")
    assert nix.read_bytes() == before


def test_every_illegal_answer_is_told_at_once(run, tmp_path):
    content = "answers:\n  role: role/the-tank\n  money: 5\n  kit.tent: castle\n"
    ended = given(run, tmp_path, content)
    ended.refused(
        1, "given.yaml:3: money: 5 is not", 'given.yaml:4: kit.tent: "castle" is not an option.'
    )


# ------------------------------------------------------------------ odd, and right


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + b"name: Nix\n",
        b"name: Nix\r\nanswers:\r\n  role: role/the-tank\r\n",
        b'{"name": "Nix", "level": 1, "answers": {"role": "role/the-tank"}}',
        b"# nothing but a comment\n---\nname: Nix\n",
        b"name: Nix\nlevel: ~\nseed:\nanswers:\ntable_rules: null\n",
        b"name: >\n  Nix\n",
        b"name: Nix\nanswers:\n  role: # none yet\n",
    ],
    ids=["BOM", "CRLF", "JSON", "comment", "nulls", "folded", "unanswered"],
)
def test_other_spellings_are_read(run, tmp_path, content):
    assert given(run, tmp_path, content).code == 0
    assert run("check", "made.json").out.startswith("made.json: Nix, level 1")


@pytest.mark.parametrize(
    "written",
    few(
        ["yes", "true", "No", "2026-01-01", "12:30:45", "1.0", "1e3", "0x1F", "007", "NULL", ".inf",
         "Zoë 周 🜁"],
        4,
    ),
)  # fmt: skip
def test_words_that_yaml_takes_for_something_else_are_texts(run, tmp_path, written):
    content = f"name: {written}\nanswers:\n  kit.food: yes\n  story.origin: {written}\n"
    assert given(run, tmp_path, content).code == 0
    again = yaml.safe_load(run("export", "made.json").out)
    assert (again["name"], str(again["answers"]["story.origin"])) == (written, written)
    assert again["answers"]["kit.food"] == "yes"


def test_a_number_for_a_name_or_a_seed_is_a_text(run, tmp_path):
    path = tmp_path / "given.yaml"
    path.write_text("name: 42\nseed: 7\n")
    assert run("new", "--random", "--answers", path).out == "42.json\n"
    assert run("new", "--random", "--name", "42", "--seed", "7", "-o", "again.json").code == 0
    assert (tmp_path / "42.json").read_bytes() == (tmp_path / "again.json").read_bytes()


def test_a_missing_answers_file(run, tmp_path):
    (tmp_path / "answers.yaml").write_text("name: Nix")
    run("new", "--answers", "anwsers.yaml").refused(
        2, "anwsers.yaml: this file does not exist", "Did you mean answers.yaml?"
    )


def test_a_folder_for_an_answers_file(run, tmp_path):
    run("new", "--answers", tmp_path).refused(2, "this is a folder")


def test_level_up_refuses_answers_at_their_line(run, nix, tmp_path):
    path = tmp_path / "level-4.yaml"
    before = nix.read_bytes()
    for code, text, said in (
        (
            2,
            "level.4.hpp: [1]",
            'level-4.yaml:2: there is no choice "level.4.hpp" here; did you mean level.4.hp?',
        ),
        (2, "role: role/the-tank", "level-4.yaml:2: Role was chosen at an earlier level."),
        (1, "level.4.hp: [9]", "level-4.yaml:2: level.4.hp: 9 is not a face"),
    ):
        path.write_text(f"answers:\n  {text}\n")
        run("level-up", nix, "--answers", path, "--random").refused(code, said)
        assert nix.read_bytes() == before


def test_level_up_refuses_answers_for_another_game(run, nix, tmp_path):
    path = tmp_path / "other.yaml"
    path.write_text("ruleset: toy\n")
    run("level-up", nix, "--answers", path, "--random").refused(2, "is for toy", "ruleset capital")
