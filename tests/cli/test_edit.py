"""edit with options and in a terminal."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.cli.terminals import CTRL_C, ENTER, ESCAPE
from tests.command_runner import run_command

UNSPENT = "Remark: Unspent money: 222 mC. To change it:"


@pytest.fixture(scope="module")
def scout_text(tmp_path_factory):
    """The file of a Scout of Level 3 with Focus II, made by chance."""
    folder = tmp_path_factory.mktemp("scout")
    (folder / "a.yaml").write_text(
        "answers: {role: role/the-scout, role.plus: wis, role.minus: wil, "
        "level.2.systems: [system/focus-ii, system/tactical-focus]}"
    )
    options = ("--seed", "9", "--level", "3", "--answers", "a.yaml", "-o", "scout.json")
    assert run_command("new", "--random", *options, folder=folder).code == 0
    return (folder / "scout.json").read_text("utf-8")


@pytest.fixture
def scout(scout_text, tmp_path):
    """Her file, to be changed."""
    (tmp_path / "scout.json").write_text(scout_text, "utf-8")
    return tmp_path / "scout.json"


def answer(path, decision):
    """Return the last answer to a decision in a file."""
    log = json.loads(path.read_text("utf-8"))["log"]
    return [e["answer"] for e in log if e.get("decision") == decision][-1]


def test_an_edit_says_what_it_changes_and_undo_takes_it_back(run, scout):
    before = run("show", scout, "--json").json
    start = scout.read_bytes()
    former = answer(scout, "money")
    ended = run("edit", scout, "money", "--answer", "222")
    assert (ended.code, ended.err) == (0, f"{UNSPENT} charforge shop {scout}\n")
    assert ended.out.splitlines() == [
        f"{scout}: {before['name']}",
        f"  Starting money: 222 mC, was {former} mC",
        f"  Money {former} → 222 mC",
    ]
    assert run("undo", scout).code == 0
    restored = json.loads(scout.read_text("utf-8"))
    assert restored | {"undone": []} == json.loads(start)


def test_what_breaks_other_answers_is_refused_where_nobody_can_agree(run, scout):
    before = scout.read_bytes()
    ended = run("edit", scout, "role", "--answer", "role/the-tank")
    assert (ended.code, scout.read_bytes()) == (1, before)
    *problems, last = ended.err.splitlines()
    assert "broken   Level 2: HP: 2d6 is 2 dice, not 1" in problems
    assert last == (
        "Nothing was changed, because this breaks 5 of your other choices. "
        "To save it anyway: --yes. To answer them now: --random or --answers FILE."
    )
    assert run("check", scout).code == 0


def test_what_only_closes_other_answers_is_refused_too(run, tmp_path):
    """A beast closes what was asked of another asset, and asks nothing that it cannot leave."""
    options = ("--random", "--seed", "7", "--level", "2", "-o", "nix.json", "--answers", "a.yaml")
    (tmp_path / "a.yaml").write_text("answers: {asset: augmentation/attribute}")
    assert run("new", *options).code == 0
    before = (tmp_path / "nix.json").read_bytes()
    command = ("edit", "nix.json", "asset", "--answer", "augmentation/slots")
    refused = run(*command)
    assert (refused.code, (tmp_path / "nix.json").read_bytes()) == (1, before)
    assert "this closes 1 of your other choices. To save it anyway: --yes" in refused.err
    assert run(*command, "--yes").code == 0
    assert run("check", "nix.json").code == 0
    run(*command, "--yes", "--dry-run").refused(2, "--yes and --dry-run cannot be used together")


def test_what_stays_broken_or_open_is_saved_with_yes_and_listed(run, scout):
    ended = run("edit", scout, "role", "--answer", "role/the-tank", "--yes")
    assert ended.code == 1
    assert "  Role: The Tank, was The Scout" in ended.out.splitlines()
    output = ended.err.splitlines()
    assert any(line.startswith("broken   Level 2: HP: ") for line in output)
    assert any(line.startswith("broken   Level 2: Systems: ") for line in output)
    saved = f"Saved with 5 problems. To undo: charforge undo {scout}"
    assert (len(output), ended.err.splitlines()[-1]) == (6, saved)
    checked = run("check", scout)
    assert checked.code == 1
    assert "broken   Level 2: HP: 2d6 is 2 dice, not 1" in checked.out


def test_a_dry_run_changes_nothing(run, scout):
    before = scout.read_bytes()
    dry = run("edit", scout, "role", "--answer", "role/the-tank", "--dry-run")
    assert (dry.code, scout.read_bytes()) == (1, before)
    wet = run("edit", scout, "role", "--answer", "role/the-tank", "--yes")
    assert (wet.code, wet.out) == (1, dry.out)
    *problems, saved = wet.err.splitlines()
    assert saved.startswith("Saved with 5 problems")
    assert dry.err.splitlines() == [*problems, "Nothing was changed."]


def test_chance_mends_what_an_earlier_edit_broke(run, scout):
    assert run("edit", scout, "role", "--answer", "The Tank", "--yes").code == 1
    assert answer(scout, "role") == "role/the-tank"
    assert run("check", scout).code == 1
    ended = run("edit", scout, "money", "--answer", "222", "--random")
    assert (ended.code, ended.err) == (0, f"{UNSPENT} charforge shop {scout}\n")
    assert "  Level 2: HP: " in ended.out
    assert run("check", scout).code == 0


def test_a_list_that_an_edit_opens_and_that_may_be_empty_stays_so(run, scout):
    ended = run("edit", scout, "level.2.systems", "--answer", "[]")
    # Level 3 has the 2 free Slots of level 2.
    assert (ended.code, ended.err) == (
        0,
        f"Remark: Empty Slots: 2. To change it: charforge edit {scout} level.3.systems\n",
    )
    assert answer(scout, "level.3.systems") == []
    assert run("check", scout).code == 0
    assert run("undo", scout).code == 0
    assert answer(scout, "level.2.systems") != []


def test_chance_settles_what_an_edit_asks(run, scout):
    ended = run("edit", scout, "role", "--answer", "role/the-tank", "--random")
    assert (ended.code, ended.err) == (0, "")
    assert run("check", scout).code == 0
    assert len(answer(scout, "level.2.hp")) == 2


def test_a_file_settles_it_and_a_mistake_in_it_has_its_line(run, scout, tmp_path):
    (tmp_path / "b.yaml").write_text("answers:\n  level.2.hp: [3, 4]\n  money: 300\n")
    command = ("edit", scout, "role", "--answer", "role/the-tank", "--answers", "b.yaml")
    before = scout.read_bytes()
    run(*command, "--random").refused(2, "b.yaml:3: this edit does not ask for Starting money.")
    (tmp_path / "b.yaml").write_text("answers:\n  level.2.hp: [3]\n")
    run(*command).refused(1, "b.yaml:2: level.2.hp: 2d6 is 2 dice, not 1")
    assert scout.read_bytes() == before
    (tmp_path / "b.yaml").write_text("answers:\n  level.2.hp: [3, 4]\n")
    assert run(*command, "--random").code == 0
    assert answer(scout, "level.2.hp") == [3, 4]


def test_the_new_answer_itself_may_stand_in_the_file(run, scout, tmp_path):
    (tmp_path / "b.yaml").write_text("answers: {money: 222}")
    assert run("edit", scout, "money", "--answers", "b.yaml").code == 0
    assert answer(scout, "money") == 222


def test_dice_at_random_take_the_next_roll(run, scout):
    rolls = [answer(scout, "level.3.hp")]
    for _again in range(6):
        assert run("edit", scout, "level.3.hp", "--random").code == 0
        rolls.append(answer(scout, "level.3.hp"))
    assert len({roll[0] for roll in rolls}) > 1
    assert run("edit", scout, "level.3.hp", "--answer", "6").code == 0
    assert answer(scout, "level.3.hp") == [6]


def test_what_is_so_already_is_said_and_not_saved(run, scout):
    role_plus = answer(scout, "role.plus")
    before = scout.read_bytes()
    for arguments in (
        ("role.plus", "--answer", role_plus),
        ("role.plus", "--answer", role_plus, "--dry-run"),
        ("role.plus", "--answer", role_plus, "--random"),
        ("role", "--answer", "The Scout", "--yes"),
        ("role", "--answer", "The Scout", "--name", called(scout)),
        ("level.2.hp", "--answer", yaml.safe_dump(answer(scout, "level.2.hp"))),
        ("personality.goal", "--answer", answer(scout, "personality.goal"), "--now"),
    ):
        done = run("edit", scout, *arguments)
        assert (done.code, done.out) == (0, ""), arguments
        assert done.err == f"{scout}: nothing to change: that is already your choice.\n"
    assert scout.read_bytes() == before
    assert run("edit", scout, "role", "--answer", "The Scout", "--name", "Ada").code == 0
    assert called(scout) == "Ada"


def test_leave_that_is_given_changed_or_taken_back_is_saved(run, scout):
    """Even of an answer that the rules allow now: a later edit may make it need the leave."""
    output = ("role.plus", "--answer", answer(scout, "role.plus"))
    for more, leave in (
        (("--override", "GM: a"), "a"),
        (("--override", "GM: b"), "b"),
        (("--override", "GM: b", "--now"), "b"),
        (("--override", "GM: c", "--now"), "c"),
        ((), None),
    ):
        assert run("edit", scout, *output, *more).code == 0
        last = json.loads(scout.read_bytes())["log"][-1]
        assert (last["decision"], last.get("override", {}).get("reason")) == ("role.plus", leave)
        before = scout.read_bytes()
        assert run("edit", scout, *output, *more).err.endswith("that is already your choice.\n")
        assert scout.read_bytes() == before


def called(path):
    """Return the name in a file."""
    return json.loads(path.read_bytes())["name"]


def test_an_answer_from_now_on_that_shall_count_from_the_beginning_is_a_change(run, scout):
    """As of level 1 the Goal was another one; now it is the new one even then."""
    goal = next(
        g for g in ("discovery", "redemption") if answer(scout, "personality.goal") != f"goal/{g}"
    )
    output = ("personality.goal", "--answer", f"goal/{goal}")
    assert run("edit", scout, *output, "--now").code == 0
    assert run("edit", scout, *output, "--now").err.endswith("that is already your choice.\n")
    before = scout.read_bytes()
    assert "  Goal: " in run("edit", scout, *output).out
    assert scout.read_bytes() != before
    assert run("edit", scout, *output).err.endswith("that is already your choice.\n")


def test_dice_that_fall_the_same_once_more_are_a_try_that_was_taken(run, scout, tmp_path):
    """Else the next roll would be the same for ever. The second next is typed ahead."""
    ahead = tmp_path / "ahead.json"
    ahead.write_bytes(scout.read_bytes())
    for _once in range(2):
        assert run("edit", ahead, "level.2.hp", "--random").code == 0
    second = answer(ahead, "level.2.hp")
    assert answer(scout, "level.2.hp") != second
    assert run("edit", scout, "level.2.hp", "--answer", yaml.safe_dump(second)).code == 0
    number = len(json.loads(scout.read_bytes())["log"])
    assert run("edit", scout, "level.2.hp", "--random").code == 0
    assert answer(scout, "level.2.hp") == second
    assert len(json.loads(scout.read_bytes())["log"]) == number + 1


def test_own_words_like_an_option_may_be_a_mistake(run, scout):
    note = 'Goal: "Redemtion" is your own text. Did you mean Redemption?'
    words = ("personality.goal", "--answer", "Redemtion")
    assert note in run("edit", scout, *words, "--dry-run").err
    near = '"Redemtion" is not an option. Did you mean Redemption?'
    run("edit", scout, *words).refused(2, near, "To keep your own text, add --yes.")
    assert answer(scout, "personality.goal") != "Redemtion"
    assert note in run("edit", scout, *words, "--yes").err
    assert answer(scout, "personality.goal") == "Redemtion"
    assert "own text" not in run("edit", scout, words[0], "--answer", "Find my sister").err


def test_from_now_on(run, scout):
    former = answer(scout, "personality.goal")
    new = "goal/hunt" if former != "goal/hunt" else "goal/discovery"
    ended = run("edit", scout, "personality.goal", "--answer", new, "--now")
    assert ended.code == 0
    log = json.loads(scout.read_text("utf-8"))["log"]
    assert (log[-1]["answer"], log[-1]["now"]) == (new, True)
    run("edit", scout, "level.2.hp", "--now", "--answer", "3").refused(
        2, "Leave out --now to change it from the beginning."
    )


def test_an_override_is_listed_by_check(run, scout):
    run("edit", scout, "money", "--answer", "1000").refused(1, "1000 is not between 200 and 400")
    ended = run("edit", scout, "money", "--answer", "1000", "--override", "GM: an old debt")
    assert ended.code == 0
    name = run("show", scout, "--json").json["name"]
    output = "Starting money: 1000 is not between 200 and 400 (allowed by GM: an old debt)"
    checked = run("check", scout)
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.splitlines() == [
        f"{scout}: {name}, level 3: legal",
        f"  note     {output}",
        "  remark   Unspent money: 1000 mC.",
    ]
    assert run("check", scout, "--json").json[0]["notes"] == [output]
    shouted = ("edit", scout, "money", "--answer", "many", "--override", "GM: a joke")
    run(*shouted).refused(1, "enter a whole number")


@pytest.mark.parametrize("override", ["GM", "GM:", ": a gift", "", "G\x07M: a gift"])
def test_an_override_says_who_and_why(run, scout, override):
    command = ("edit", scout, "money", "--answer", "1000", "--override", override)
    run(*command).refused(2, "who allows it, and why")


def test_a_table_rule_from_here_on(run, scout):
    ended = run("edit", scout, "--rule", "cooldown=or_less")
    assert ended.code == 0
    assert "  Cooldown: this rule has a different text" in ended.out.splitlines()
    assert json.loads(scout.read_text("utf-8"))["log"][-1]["value"] == "or_less"
    run("edit", scout, "--rule", "cooldwn=or_less").refused(2, "Did you mean cooldown?")
    run("edit", scout, "--rule", "cooldown").refused(2, "RULE=OPTION")


def test_a_planned_choice_is_changed_in_the_plan(run, scout):
    assert run("plan", scout, "level.4.systems=[system/patience]").code == 0
    for name in ("level.4.systems", "Level 4: Systems"):
        command = f"charforge plan {scout} level.4.systems=ANSWER"
        run("edit", scout, name).refused(
            2, f"is planned, not chosen yet. To change the plan: {command}"
        )


def test_the_words_of_the_history_are_an_answer(run, scout):
    for name, words in (("outfits", "Professional outfit × 2"), ("further", "left empty")):
        assert run("edit", scout, name, "--answer", words).code == 0
    assert answer(scout, "outfits") == ["professional", "professional"]
    run("edit", scout, "strengths", "--answer", "Athletic, Sneaky").refused(1, "pick exactly 3")


def test_a_name(run, scout):
    assert run("edit", scout, "--name", "Nyx").code == 0
    assert run("show", scout, "--json").json["name"] == "Nyx"
    run("edit", scout, "--name", "  ").refused(2, "at least one letter")


def test_a_line_at_the_head_of_the_sheet(run, scout):
    ended = run("edit", scout, "--line", "player=Mo", "--line", "Crew, ship=Nan")
    assert ended.code == 0
    assert ended.out.splitlines()[1:] == ["  Player: Mo", "  Crew, ship: Nan"]
    assert "already your choice" in run("edit", scout, "--line", "crew ship=Nan").err
    again = run("edit", scout, "--line", "Player=Mo")
    assert "nothing to change" in again.err
    assert run("edit", scout, "--line", "Player=").out.splitlines()[1:] == ["  Player removed"]
    run("edit", scout, "--line", "Plyer=Mo").refused(2, "Did you mean Player?")
    run("edit", scout, "--line", "Player=" + "x" * 81).refused(2, "81 characters; the limit is 80")


def test_several_changes_are_one_command(run, scout):
    before = json.loads(scout.read_text("utf-8"))["log"]
    options = ("--answer", "222", "--name", "Nyx", "--rule", "long_break=once")
    assert run("edit", scout, "money", *options).code == 0
    fresh = json.loads(scout.read_text("utf-8"))["log"][len(before) :]
    assert [event["do"] for event in fresh] == ["answer", "set", "set"]
    assert {event["group"] for event in fresh} == {before[-1]["group"] + 1}


def test_a_beasts_name_and_score(run, tmp_path):
    (tmp_path / "a.yaml").write_text("answers: {asset: companion/land-beast}")
    run("new", "--random", "--seed", "9", "--answers", "a.yaml", "-o", "nix.json")
    assert run("edit", "nix.json", "--name", "Fang", "--unit", "land-beast").code == 0
    assert run("show", "nix.json", "--json").json["units"][0]["name"] == "Fang"
    scores = "{str: 4, ftd: 7, agi: 6, cha: 5}"
    ended = run("edit", "nix.json", "array", "--unit", "Fang", "--answer", scores)
    assert ended.code == 0
    assert run("show", "nix.json", "--json").json["units"][0]["values"]["ftd"]["total"] == 7


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["rolle", "--answer", "x"], 2, "Did you mean Role?"),
        (["role.plus"], 2, "Attribute +1 needs a new answer"),
        (["level.3.hp"], 2, "HP needs a new answer. Add --answer ANSWER, or --random"),
        (["money", "--answer", "[1"], 2, "could not be read"),
        (["money", "--answer", "*x"], 2, "could not be read"),
        (["role", "--answer", "role/the-tnak"], 1, "Did you mean The Tank?"),
        (["--answer", "3"], 2, "need a decision"),
        (["--now"], 2, "need a decision"),
        (["name"], 2, "To change it: charforge edit {file} --name NAME"),
        (["portrait"], 2, "To change it: charforge edit {file} --portrait IMAGE"),
        (["player"], 2, "To change it: charforge edit {file} --line Player=TEXT"),
        (["role", "--unit", "bike"], 2, "bike"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(run, scout, arguments, code, said):
    before = scout.read_bytes()
    run("edit", scout, *arguments).refused(code, said.format(file=scout))
    assert scout.read_bytes() == before


def test_without_a_decision_all_of_them_are_listed(run, scout):
    ended = run("edit", scout)
    ended.refused(2, "Which choice do you want to change?")
    lines = ended.err.splitlines()[1:]
    listed = [line.strip().split("  ")[0] for line in lines if line[2:3] != " "]
    log = json.loads(scout.read_text("utf-8"))["log"]
    assert len(listed) == len({e["decision"] for e in log if e["do"] == "answer"})
    assert {"Role", "Starting money", "Level 2: HP"} <= {*listed}
    assert run("edit", scout, listed[0], "--dry-run", "--answer", "The Tank").code in (0, 1)


# ------------------------------------------------------------------ on a terminal


@pytest.mark.slow
def test_an_edit_on_a_terminal_asks_what_it_breaks_and_saves_when_agreed(run, scout, at_terminal):
    terminal = at_terminal("edit", scout)
    terminal.sees("Which decision do you want to answer again?")
    terminal.take("What is your Role?")
    terminal.sees("The Healer")  # the page of Roles
    terminal.take("The Sentinel")
    terminal.sees("Answer the open questions now? [y/N]")
    terminal.type("y\r")
    terminal.sees("Standard Pistol: Damage type")
    terminal.take("Sharp")
    terminal.asked("Attributes")  # a Scout's WIS is no raise here
    terminal.sees("‹ Knowledge (KNW) ★ ›")
    terminal.type(ESCAPE)
    terminal.asked("Standard Pistol: Damage type")
    terminal.take("Sharp")
    terminal.asked("Attributes")
    terminal.type(ENTER, ENTER)  # both are new questions
    terminal.sees("· Level 2")  # its 1d6 stands, its Systems do not
    terminal.take("Done")
    terminal.sees("· Level 3")
    terminal.take("Done")
    terminal.sees("Happy with it?")
    terminal.take("Save")
    terminal.sees("Save it? [y/N]")
    terminal.type("y\r")
    assert terminal.ends() == 0
    assert run("check", scout).code == 0
    assert (answer(scout, "role"), answer(scout, "role.plus")) == ("role/the-sentinel", "knw")
    assert not list(scout.parent.glob("*.draft.yaml"))


@pytest.mark.slow
def test_no_is_no(scout, at_terminal):
    before = scout.read_bytes()
    terminal = at_terminal("edit", scout, "money", "--answer", "222")
    terminal.sees("Save it? [y/N]")
    terminal.type("\r")
    assert terminal.ends() == 0
    assert scout.read_bytes() == before


@pytest.mark.slow
def test_leaving_the_list_changes_nothing(scout, at_terminal):
    before = scout.read_bytes()
    terminal = at_terminal("edit", scout)
    terminal.sees("Which decision do you want to answer again?")
    terminal.type("\x1b")
    assert terminal.ends() == 0
    assert scout.read_bytes() == before


@pytest.mark.slow
def test_stopping_half_way_keeps_the_answers(run, scout, at_terminal):
    before = scout.read_bytes()
    arguments = ("edit", scout, "role", "--answer", "role/the-sentinel")
    terminal = at_terminal(*arguments)
    terminal.sees("Answer the open questions now? [y/N]")
    terminal.type("y\r")
    terminal.sees("Standard Pistol: Damage type")
    terminal.take("Heat")
    terminal.asked("Attributes")
    terminal.type(CTRL_C)
    assert terminal.ends() == 130
    assert scout.read_bytes() == before
    kept = scout.with_name("scout.edit.draft.yaml")
    assert "role.standard-pistol.damage: heat" in kept.read_text("utf-8")
    command = ("edit", scout, "role", "--answer", "role/the-sentinel", "--answers", kept)
    assert run(*command, "--random").code == 0
    assert answer(scout, "role.standard-pistol.damage") == "heat"


def test_an_event_that_an_edit_breaks_is_named_as_in_history(run, nix):
    assert run("award", nix, "knack/strong-back").code == 0
    last = run("history", nix).out.splitlines()[-1].strip()
    number, event = last.split(maxsplit=1)
    ended = run("edit", nix, "knacks", "--answer", "[knack/strong-back]", "--dry-run")
    assert f"broken   no. {number} in history ({event}): you already have Strong Back" in ended.err
    assert "--now" not in ended.err  # from now on it would be there twice, too


def test_an_edit_that_breaks_a_roll_says_that_now_keeps_it(run, packs_home):
    """Smit rolled HANDS 3 and Fight 5 dice; from the beginning they would have been others."""
    assert run("catalog", "add", "example:cold-light").code == 0
    new = ("new", "--ruleset", "cold-light", "--random", "--seed", "3", "--name", "Smit")
    assert run(*new, "-o", "smit.json").code == 0
    assert run("roll", "smit.json", "fight", "--dice", "1,2,3,4,5").code == 0
    change = ("edit", "smit.json", "points", "--answer", "BODY 3, HANDS 1", "--dry-run")
    assert "To keep what was played, add --now" in run(*change).err
    later = run(*change, "--now")
    assert "broken" not in later.err
    assert "Points: BODY 3, HANDS 1 from here on, was BODY 1, HANDS 3" in later.out


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_list_of_choices_fits_a_narrow_screen(run, nix, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    edit = ("edit", nix, "motto", "--answer", "Wherever the tide goes, " * 5)
    assert run(*edit).code == 0
    listed = run("edit", nix)
    assert listed.code == 2
    assert "Wherever the tide goes" in " ".join(listed.err.split())
    assert max(map(len, listed.err.splitlines())) < columns
