"""new: random answers, answers files and the file of all questions."""

from __future__ import annotations

import json
import re
import shlex
from itertools import product

import pytest
import yaml

from charforge.cli.files import default_path
from charforge.rules.loading.loader import load
from tests.samples import few

pytestmark = pytest.mark.capital

ROLES = ("the-lancer", "the-scout", "the-healer", "the-captain", "the-tank", "the-sentinel")
ASSETS = (
    "augmentation/weapon", "augmentation/slots", "augmentation/attribute", "companion/land-beast",
    "companion/droid", "vehicle/mechsuit", "vehicle/bike", "special-weapon/rifle",
)  # fmt: skip


def test_the_same_seed_makes_the_same_bytes(run, tmp_path):
    run("new", "--random", "--seed", "7", "--level", "5", "-o", "a.json")
    run("new", "--random", "--seed", "7", "--level", "5", "-o", "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_another_seed_makes_another_character(run, tmp_path):
    run("new", "--random", "--seed", "7", "-o", "a.json")
    run("new", "--random", "--seed", "8", "-o", "b.json")
    first, second = (json.loads((tmp_path / f"{n}.json").read_text("utf-8")) for n in "ab")
    assert first["id"] != second["id"]
    assert first["log"] != second["log"]


def test_without_a_seed_no_two_are_the_same(run, tmp_path):
    seeds = set()
    for _ in range(3):
        run("new", "--random", "-o", "a.json", "--force")
        seeds.add(json.loads((tmp_path / "a.json").read_text("utf-8"))["seed"])
    assert len(seeds) == 3


def test_the_result_is_the_path_and_nothing_else(run, tmp_path):
    ended = run("new", "--random", "--seed", "7")
    [path] = tmp_path.iterdir()
    fix = f"charforge shop {shlex.quote(path.name)}"
    assert ended.code == 0
    assert ended.err == f"Remark: Unspent money: 336 mC. To change it: {fix}\n"
    assert ended.out == f"{path.name}\n"
    name = json.loads(path.read_text("utf-8"))["name"]
    assert path.name == name.replace(" ", "-") + ".json"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Nix", "Nix.json"),
        ("Zoë 周 🜁", "Zoë-周-🜁.json"),
        ("AC/DC", "AC_DC.json"),
        ("../../etc/passwd", "_.._etc_passwd.json"),
        ("C:\\Nix*?", "C__Nix__.json"),
        ("..", "character.json"),
        (".hidden", "hidden.json"),
        ("-rf", "rf.json"),
        ("CON", "_CON.json"),
        ("aux.txt", "_aux.txt.json"),
        ("周" * 200, "周" * 66 + ".json"),
        ("  Nix  ", "Nix.json"),
    ],
)
def test_a_name_becomes_a_safe_file_name_here(run, tmp_path, name, file):
    ended = run("new", "--ruleset", "shields-biotics", "--random", "--seed", "7", f"--name={name}")
    assert ended.code == 0
    assert [path.name for path in tmp_path.iterdir()] == [file]
    assert json.loads((tmp_path / file).read_text("utf-8"))["name"] == name.strip()


def test_count_makes_as_many_each_its_own(run, tmp_path):
    ended = run("new", "--random", "--seed", "7", "--count", "3", "-o", "crew.json")
    assert ended.out.split() == ["crew-1.json", "crew-2.json", "crew-3.json"]
    made = [json.loads((tmp_path / name).read_text("utf-8")) for name in ended.out.split()]
    assert len({one["id"] for one in made}) == 3
    assert run("check", *ended.out.split()).code == 0


def test_count_keeps_a_name_that_is_given(run, tmp_path):
    run("new", "--random", "--seed", "7", "--count", "2", "--name", "Nix")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Nix-1.json", "Nix-2.json"]
    assert json.loads((tmp_path / "Nix-2.json").read_text("utf-8"))["name"] == "Nix"


# ------------------------------------------------------------------ files and options


def test_options_win_over_the_file(run, tmp_path):
    (tmp_path / "a.yaml").write_text(
        "name: File\nlevel: 2\nseed: file\ntable_rules: {cooldown: or_less, long_break: once}\n"
    )
    run("new", "--random", "--answers", "a.yaml", "-o", "file.json")
    run(
        "new", "--random", "--answers", "a.yaml", "-o", "option.json", "--name", "Option",
        "--level", "4", "--seed", "option", "--rule", "cooldown=or_more",
    )  # fmt: skip
    found = {}
    for name in ("file", "option"):
        made = json.loads((tmp_path / f"{name}.json").read_text("utf-8"))
        rules = {e["rule"]: e["value"] for e in made["log"] if e["do"] == "set" and "rule" in e}
        found[name] = (made["name"], made["character"]["level"], made["seed"], rules)
    assert found == {
        "file": ("File", 2, "file", {"cooldown": "or_less", "long_break": "once"}),
        "option": ("Option", 4, "option", {"cooldown": "or_more", "long_break": "once"}),
    }


def test_a_random_name_is_a_free_one_unless_a_seed_decides(run, tmp_path):
    names = load("shields-biotics").head.names
    new = ("new", "--random", "--ruleset", "shields-biotics")
    made = {run(*new).out.strip() for _ in names}
    assert made == {str(default_path(name)) for name in names}
    run(*new).refused(2, "already exists")
    for path in tmp_path.glob("[A-M]*.json"):
        path.unlink()
    assert {run(*new, "--seed", str(seed)).code for seed in range(9)} == {0, 2}


def test_random_fills_only_what_the_file_leaves_out(run, tmp_path):
    (tmp_path / "a.yaml").write_text(
        "answers:\n  role: role/the-tank\n  money: 217\n  story.origin: A debt.\n"
        "  attributes.roll: [6, 6, 5, 5, 4, 4, 3, 2, 1, 1]\n"
    )
    run("new", "--random", "--seed", "9", "--answers", "a.yaml", "-o", "made.json")
    answers = yaml.safe_load(run("export", "made.json").out)["answers"]
    assert answers["role"] == "role/the-tank"
    assert answers["money"] == 217
    assert answers["story.origin"] == "A debt."
    assert answers["attributes.roll"] == [6, 6, 5, 5, 4, 4, 3, 2, 1, 1]
    assert len(answers) > 10


def test_own_words_like_an_option_may_be_a_mistake(run, tmp_path):
    lists = "strengths=[Sneeky, Athletic, Made of rubber]"
    ended = run(
        "new", "--random", "--with", "personality.flaw=Obsesed", "--with", lists, "-o", "o.json"
    )
    assert ended.code == 0
    for note in (
        'Flaw: "Obsesed" is your own text. Did you mean Obsessed? '
        "To change it: charforge edit o.json personality.flaw",
        'Strengths: "Sneeky" is your own text. Did you mean Sneaky?',
    ):
        assert note in ended.err
    assert "rubber" not in ended.err


def test_what_may_stay_empty_need_not_be_answered(run, nix):
    answers = yaml.safe_load(run("export", nix).out)
    for optional in ("story.background", "story.origin", "story.further", "innate"):
        del answers["answers"][optional]
    (nix.parent / "a.yaml").write_text(yaml.safe_dump(answers))
    assert run("new", "--answers", "a.yaml", "-o", "short.json").code == 0
    assert run("check", "short.json").code == 0


def test_a_draft_is_an_answers_file_that_resume_ends(run, nix):
    draft = nix.with_name("Nix.draft.yaml")
    draft.write_text(run("export", nix).out, encoding="utf-8")
    assert run("new", "--resume", draft, "-o", "again.json").code == 0
    assert nix.with_name("again.json").read_bytes() == nix.read_bytes()
    assert not draft.exists()


def test_with_takes_the_names_that_history_and_edit_use(run, tmp_path):
    ended = run(
        "new", "--random", "--with", "special asset=tank", "--with", "What is your Role?=healer",
        "--with", "Flaw=Lair", "-o", "m.json",
    )  # fmt: skip
    assert ended.code == 0
    answers = json.loads((tmp_path / "m.json").read_bytes())["log"]
    found = {event["decision"]: event["answer"] for event in answers if event["do"] == "answer"}
    assert found["asset"] == "vehicle/tank"
    assert found["role"] == "role/the-healer"
    assert found["personality.flaw"] == "Lair"
    assert 'Flaw: "Lair" is your own text. Did you mean Liar?' in ended.err
    bought = run("buy", "m.json", "pistol", "--free", "--with", "damage type=heat")
    assert (bought.code, "Standard Pistol (Heat)" in bought.out) == (0, True)


def test_an_unknown_answer_to_a_long_list_names_its_first_options(run):
    ended = run("new", "--random", "--with", "asset=zzz")
    assert ended.code == 1
    assert '"zzz" is not an option. Choose Augmentation: Weapon, ' in ended.err
    assert re.search(r" or one of \d+ others\.", ended.err)


def test_a_name_of_no_choice_says_where_they_are_listed(run):
    told = "; to list them: charforge new --ruleset capital --questions."
    ended = run("new", "--random", "--with", "zzz=1")
    ended.refused(2, f'There is no choice "zzz" here{told}')
    # "Damage type" is asked for several weapons: none of them is meant more than the others.
    typed = run("new", "--random", "--with", "damage type=heat")
    typed.refused(2, f'There is no choice "damage type" here{told}')
    higher = run("new", "--random", "--level", "3", "--with", "zzz=1")
    higher.refused(2, "charforge new --ruleset capital --level 3 --questions")


def test_an_answer_in_words_replaces_that_of_the_file_also_for_several(run, tmp_path):
    (tmp_path / "a.yaml").write_text("answers:\n  asset: vehicle/tank\n")
    new = ("new", "--random", "--answers", "a.yaml", "--with")
    run(*new, "special asset=zzz").refused(1, 'asset: "zzz" is not an option')
    assert "a.yaml" not in run(*new, "special asset=zzz").err
    assert run(*new, "special asset=bike", "--count", "2", "-o", "crew/").code == 0
    for path in sorted((tmp_path / "crew").glob("*.json")):
        log = json.loads(path.read_bytes())["log"]
        assert {"vehicle/bike"} == {e["answer"] for e in log if e.get("decision") == "asset"}


def test_a_draft_with_open_decisions_stays(run, tmp_path):
    draft = tmp_path / "Nix.draft.yaml"
    draft.write_text("name: Nix\nanswers: {role: role/the-tank}\n")
    run("new", "--resume", draft).refused(2, "These choices are missing")
    assert draft.exists()


# ------------------------------------------------------------------ there and back


@pytest.mark.parametrize(
    "case", few([*product(ROLES, (1, 3, 10))], 2, slow=8), ids="{0[0]} {0[1]}".format
)
def test_export_and_new_give_the_same_bytes(run, tmp_path, case):
    role, level = case
    for seed in ("a", "b"):
        (tmp_path / "role.yaml").write_text(f"answers: {{role: role/{role}}}")
        made, again, answers = (tmp_path / f"{n}{seed}" for n in ("made", "again", "answers"))
        run(
            "new",
            "--random",
            "--answers",
            "role.yaml",
            "--seed",
            seed,
            "--level",
            level,
            "-o",
            made,
        )
        answers.write_text(run("export", made, "--format", "answers").out, encoding="utf-8")
        assert run("new", "--answers", answers, "-o", again).code == 0
        assert again.read_bytes() == made.read_bytes()


@pytest.mark.parametrize("asset", few(ASSETS, 2))
def test_export_and_new_give_the_same_bytes_with_any_asset(run, tmp_path, asset):
    (tmp_path / "asset.yaml").write_text(
        f"table_rules: {{cooldown: or_less}}\nanswers: {{asset: {asset}}}"
    )
    run("new", "--random", "--answers", "asset.yaml", "--seed", "7", "--level", "6", "-o", "a.json")
    assert run("export", "a.json", "-o", "a.yaml").out == "a.yaml\n"
    assert run("new", "--answers", "a.yaml", "-o", "b.json").code == 0
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize("rolled", ["once", "again"])
def test_dice_that_were_rolled_again_come_back(run, tmp_path, rolled):
    dice = [6, 6, 5, 5, 4, 4, 3, 2, 1, 1]
    faces = dice if rolled == "once" else [[3] * 10, dice]
    (tmp_path / "dice.yaml").write_text(yaml.safe_dump({"answers": {"attributes.roll": faces}}))
    run("new", "--random", "--answers", "dice.yaml", "--seed", "7", "-o", "a.json")
    run("export", "a.json", "-o", "a.yaml")
    answers = yaml.safe_load((tmp_path / "a.yaml").read_text("utf-8"))["answers"]
    assert answers["attributes.roll"] == faces
    run("new", "--answers", "a.yaml", "-o", "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


# ------------------------------------------------------------------ the questions file


def test_the_questions_file_is_an_answers_file_without_answers(run, tmp_path):
    questions = run("new", "--questions", "--level", "4")
    assert (questions.code, questions.err) == (0, "")
    (tmp_path / "t.yaml").write_text(questions.out, encoding="utf-8")
    assert yaml.safe_load(questions.out) == {
        "ruleset": "capital", "name": "", "level": 4, "seed": "", "answers": None,
    }  # fmt: skip
    ended = run("new", "--random", "--seed", "7", "--answers", "t.yaml", "-o", "a.json")
    assert ended.code == 0
    run("new", "--random", "--seed", "7", "--level", "4", "-o", "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_the_questions_of_a_game_without_levels_have_no_level(run):
    lines = run("new", "--ruleset", "squad-d20", "--questions").out.splitlines()
    assert lines[0] == "# Squad d20: all choices, with their options."
    assert not any(line.startswith("level:") for line in lines)


def test_the_questions_file_writes_no_file(run, tmp_path):
    run("new", "--questions", "--random")
    assert list(tmp_path.iterdir()) == []


def test_the_questions_file_has_table_rules_with_their_ways(run):
    out = run("new", "--questions").out
    assert "#   cooldown: or_more    # or_more, or_less" in out


def filled(questions: str, answers: dict[str, object]) -> str:
    """Give answers in a file of questions by removing the # before their lines."""
    lines, left = [], dict(answers)
    for line in questions.splitlines():
        match = re.fullmatch(r"  # ([a-z][\w.-]*):( .*)?", line)
        if match and match[1] in left:
            line = f"  {match[1]}: {json.dumps(left.pop(match[1]), ensure_ascii=False)}"
        lines.append(line)
    # A second instance of the same System has its own choices, which come after it.
    lines += [f"  {name}: {json.dumps(answer)}" for name, answer in left.items() if "#" in name]
    assert not [name for name in left if "#" not in name]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "case", few([*product(ASSETS, (1, 10))], 2, slow=8), ids="{0[0]} {0[1]}".format
)
def test_the_questions_file_filled_in_makes_the_character(run, tmp_path, case):
    """Every decision that a character met is in that file, under its id."""
    asset, level = case
    (tmp_path / "asset.yaml").write_text(f"answers: {{asset: {asset}}}")
    run(
        "new", "--random", "--answers", "asset.yaml", "--seed", "5", "--level", level,
        "-o", "a.json",
    )  # fmt: skip
    answers = yaml.safe_load(run("export", "a.json").out)
    questions = run("new", "--questions", "--level", level).out
    (tmp_path / "t.yaml").write_text(filled(questions, answers["answers"]), encoding="utf-8")
    ended = run(
        "new", "--answers", "t.yaml", "--name", answers["name"], "--seed", "5", "-o", "b.json"
    )
    assert ended.code == 0, ended.err
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_file_of_questions_leaves_the_draft_that_was_named_with_it(run, tmp_path):
    draft = tmp_path / "Nix.draft.yaml"
    draft.write_text("answers: {role: role/the-tank}\n")
    assert run("new", "--questions", "--resume", draft).code == 0
    assert draft.read_text() == "answers: {role: role/the-tank}\n"
