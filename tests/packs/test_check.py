"""catalog check: mistakes that loading cannot see, as errors and warnings."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge import paths
from charforge.packs.check import CheckedPack, check_pack
from charforge.packs.install import install
from charforge.rules.loading import loader
from tests.rules.pack_files import write_pack
from tests.samples import few
from tests.source import EXAMPLES

Check = Callable[..., CheckedPack]


@pytest.fixture
def checked(tmp_path: Path, packs_home: Path, toy_folder: Path) -> Check:
    """Check a pack of one page for the toy ruleset."""
    install(toy_folder)

    def run(page: str) -> CheckedPack:
        return check_pack(write_pack(tmp_path / "pack", page))

    return run


def habit(more: str) -> str:
    """Return a page with a habit that anybody may choose: line 2, then ``more`` from line 5."""
    return f"entities:\n  - id: habit/new\n    name: New\n    source: Test\n    {more}\n"


NEVER = {
    "a value beyond its maximum": (
        "requires: {value: {id: hands, at_least: 12}}",
        (5, "Hands is at most 9"),
    ),
    "a value below its minimum": (
        "requires: {value: {id: max_warmth, at_most: 4}}",
        (5, "Max warmth is at least 5"),
    ),
    "bounds that cannot be used together": (
        "requires: {value: {id: luck, at_least: 8, at_most: 7}}",
        (5, "no number is at least 8 and at most 7"),
    ),
    "two clauses that cannot be used together": (
        "requires: {all: [{value: {id: luck, at_least: 8}}, {value: {id: luck, at_most: 7}}]}",
        (5, "no number is at least 8 and at most 7"),
    ),
    "to have something and not to have it": (
        "requires: {all: [{has: gear/rope}, {not: {has: gear/rope}}]}",
        (5, "it both requires and forbids Rope"),
    ),
    "itself": ("requires: {has: habit/new}", (5, "it requires itself")),
    "nothing of a kind": (
        "requires: {has: {kind: gear, tags: {all: [tower]}}}",
        (5, "no character can have nothing"),
    ),
    "any of nothing": ("requires: {any: []}", (5, "it lists nothing")),
    "a decision that nobody asks": (
        "requires: {choice: {id: tresure, equals: pet/cat}}",
        (5, 'there is no choice with the id "tresure"'),
    ),
    "an answer that nobody gives": (
        "requires: {choice: {id: treasure, equals: pet/dog}}",
        (5, '"pet/dog" is not an option of treasure'),
    ),
    "of an action": (
        "actions: [{timing: watch, text: X, requires: {value: {id: hands, at_least: 10}}}]",
        (5, "Hands is at most 9"),
    ),
}


@pytest.mark.parametrize(("more", "expected"), NEVER.values(), ids=NEVER)
def test_a_requirement_that_is_never_met_is_a_fault(
    checked: Check, more: str, expected: tuple[int, str]
) -> None:
    found = checked(habit(more))
    ((line, message),) = [(fault.line, fault.message) for fault in found.errors]
    assert (line, message) == (expected[0], f"this can never happen: {expected[1]}")
    assert found.warnings == ()


def test_two_that_require_each_other_can_never_be_had(checked: Check) -> None:
    found = checked(
        "entities:\n"
        "  - {id: habit/a, name: A, source: T, requires: {has: habit/b}}\n"
        "  - {id: habit/b, name: B, source: T, requires: {has: habit/a}}\n"
    )
    never = "this can never happen: no character can have {}, because it requires {} in turn"
    assert [(f.line, f.field, f.message) for f in found.errors] == [
        (2, "requires", never.format("B", "A")),
        (3, "requires", never.format("A", "B")),
    ]


def test_what_requires_a_circle_is_not_part_of_it(checked: Check) -> None:
    found = checked(
        "entities:\n"
        "  - {id: habit/a, name: A, source: T, requires: {all: [{has: habit/b}]}}\n"
        "  - {id: habit/b, name: B, source: T, requires: {has: habit/c}}\n"
        "  - {id: habit/c, name: C, source: T, requires: {has: habit/b}}\n"
    )
    never = "this can never happen: no character can have "
    assert [f.message.removeprefix(never) for f in found.errors] == [
        "B", "C, because it requires B in turn", "B, because it requires C in turn",
    ]  # fmt: skip


def test_the_nearest_right_name_is_told(checked: Check) -> None:
    found = checked(habit("requires: {choice: {id: tresure, equals: pet/cat}}"))
    assert [fault.nearest for fault in found.errors] == ["treasure"]


FINE = {
    "a choice that a grant settles": "{choice: {id: kit.signal-lamp.colour, equals: red}}",
    "a choice of a boat": "{choice: {id: treasure.boat.colour, equals: green}}",
    "one's own words": "{choice: {id: superstition, equals: anything at all}}",
    "training": "{trained: {kind: gear, tags: {all: [signal]}}}",
    "a bound that can be reached": "{value: {id: hands, at_least: 9}}",
    "either of two, one of them hopeless": (
        "{any: [{value: {id: hands, at_least: 10}}, {has: gear/rope}]}"
    ),
    "not something that nobody has": "{not: {has: {kind: gear, tags: {all: [tower]}}}}",
}


@pytest.mark.parametrize("requires", FINE.values(), ids=FINE)
def test_what_somebody_may_meet_is_no_fault(checked: Check, requires: str) -> None:
    found = checked(habit(f"requires: {requires}"))
    assert (found.errors, found.warnings) == ((), ())


def test_what_nothing_grants_or_offers_is_a_warning(checked: Check) -> None:
    """Gear is offered where it weighs 1 or more; of rules nothing is ever offered."""
    found = checked(
        "entities:\n"
        "  - {id: gear/feather, name: Feather, source: T}\n"
        "  - {id: gear/stone, name: Stone, source: T, weight: 1}\n"
        "  - {id: rule/new, name: New, source: T}\n"
        "  - {id: gear/relic, name: Relic, source: T, by_hand: true}\n"
    )
    assert found.errors == ()
    assert [(f.file.name, f.line, f.message) for f in found.warnings] == [
        (
            "page.yaml",
            2,
            "no choice offers this and nothing grants it: only the GM can award it "
            "(by_hand: true if so)",
        )
    ]


DAWN = """
procedures:
  - id: dawn
    label: Dawn
    source: rule/keeping
    steps:
      - {do: recover, of: daily}
      - {do: recover, of: number, dice: 1d6, if: roll >= number, ruled: {wrecks: crown}}
      - {do: recover, of: number, dice: 1d6, if: roll <= number, ruled: {wrecks: finder}}
"""
COOLDOWNS = {
    "daily": None,
    "5+": None,
    "6": None,
    "dayly": 'this stays on cooldown forever: no step (do: recover) is for "dayly"',
    "4 turns": 'this stays on cooldown forever: no step (do: recover) is for "4 turns"',
    "14+": 'no roll of 1d6 ends the cooldown "14+"',
}


@pytest.mark.parametrize(("cooldown", "message"), COOLDOWNS.items(), ids=COOLDOWNS)
def test_a_cooldown_that_never_ends_is_an_error(
    checked: Check, cooldown: str, message: str | None
) -> None:
    action = f'actions: [{{timing: watch, text: Sing., cooldown: "{cooldown}"}}]'
    found = [
        (fault.line, fault.message, fault.nearest) for fault in checked(habit(action) + DAWN).errors
    ]
    near = "daily" if cooldown == "dayly" else ""
    assert found == ([] if message is None else [(5, message, near)])


STRIKE = """
patches: [{at: ruleset, set: {play: {attack: strike}}}]
procedures: [{id: strike, label: Strike, source: rule/keeping, steps: [{do: let, id: x, to: 1}]}]
"""


@pytest.mark.parametrize(("rule", "count"), [("", 1), (STRIKE, 0)], ids=["no rule", "a rule"])
def test_an_attack_in_a_game_without_a_rule_for_attacks_is_a_warning(
    checked: Check, rule: str, count: int
) -> None:
    found = checked(habit("attacks: [{range: Reach, hit: hands, damage: 1d6}]") + rule)
    message = (
        "this is only printed: the game has no rule for attacks (set play.attack in "
        "ruleset.yaml to the id of a procedure)"
    )
    assert found.errors == ()
    warnings = [(f.line, f.field) for f in found.warnings if f.message == message]
    assert warnings == [(5, "attacks")] * count


def test_a_misspelled_range_and_damage_below_0_are_warnings(checked: Check) -> None:
    """The oar and the pole both have Melee; numbers of a range are never a misspelled word."""
    attacks = ("Melee, damage: 1", "Melee, damage: 1", "Meele, damage: -3", "50 m, damage: 1")
    gear = "".join(
        f"  - {{id: gear/g{n}, name: G{n}, source: Page 1, "
        f"attacks: [{{hit: hands, range: {text}}}]}}\n"
        for n, text in enumerate(attacks)
    )
    found = checked(f"entities:\n{gear}" + STRIKE)
    warned = [(f.line, f.field, f.nearest) for f in found.warnings if "attacks" in f.field]
    assert sorted(warned) == [(4, "attacks.damage", ""), (4, "attacks.range", "Melee")]


def test_what_lists_group_below_a_misspelled_id_is_a_warning(tmp_path: Path) -> None:
    page = (
        "entities:\n"
        "  - {id: system/boom, name: Boom, source: Page 1, slots: 1, role: role/the-scuot}\n"
        "  - {id: system/bang, name: Bang, source: Page 1, slots: 1, role: role/the-scout}\n"
    )
    found = check_pack(write_pack(tmp_path / "extra", page, "capital")).warnings
    assert [(f.line, f.nearest) for f in found if f.field == "role"] == [(2, "role/the-scout")]


ROPE = "modifies: [{value: luck, amount: 1, when: \"has('gear/rope')\"}]"
NO_TEXT = 'no text on a sheet says that this depends on "{formula}": add a text'
NO_TEXT_OF_ROPE = NO_TEXT.format(formula="has('gear/rope')")
NO_ROPE = "this depends on Rope, which no text on a sheet mentions"
CHOICE = (
    "choices: [{id: c, do: choose, label: C, options: [{id: a, label: A, %s}, {id: b, label: B}]}]"
)
UNSAID = {
    "no text": (ROPE, [NO_TEXT_OF_ROPE]),
    "a text about something else": (f"text: Lucky., {ROPE}", [NO_ROPE]),
    "its text": (f"text: +1 Luck with a rope., {ROPE}", []),
    "its digest": (f"digest: +1 Luck with Rope., {ROPE}", []),
    "the text of an action": (f"actions: [{{timing: watch, text: A Rope helps.}}], {ROPE}", []),
    "a hidden condition": (
        f"text: Rope., condition: {{internal: true, hidden: true}}, {ROPE}",
        [NO_TEXT_OF_ROPE],
    ),
    "an option without a text": (CHOICE % ROPE, [NO_TEXT_OF_ROPE]),
    "an option with one": (CHOICE % f"text: With a Rope., {ROPE}", []),
    "no condition": ("modifies: [{value: luck, amount: 1}]", []),
    "a figure": (
        "modifies: [{value: luck, amount: 1, when: hands > 4}]",
        [NO_TEXT.format(formula="hands > 4")],
    ),
}


@pytest.mark.parametrize(("more", "messages"), UNSAID.values(), ids=UNSAID)
def test_a_change_with_a_condition_that_no_sheet_prints_is_a_warning(
    checked: Check, more: str, messages: list[str]
) -> None:
    found = checked(f"entities: [{{id: habit/try, name: Try, source: Try, {more}}}]\n")
    assert found.errors == ()
    assert [warning.message for warning in found.warnings] == messages


TEXTS = {
    "a value that its bearer has not": (
        habit("text: It holds {HULL}."),
        (5, "a Keeper does not have this value"),
    ),
    "a division by nothing": (
        habit("text: 'About {6 / (EYES - EYES)}.'"),
        (5, "it divides by zero"),
    ),
    "in an action": (
        habit("actions: [{timing: watch, text: 'It holds {HULL}.'}]"),
        (5, "a Keeper does not have this value"),
    ),
    "in a digest": (
        habit("text: It holds.\n    digest: 'It holds {HULL}.'"),
        (6, "a Keeper does not have this value"),
    ),
    "in the digest of an action": (
        habit("actions: [{timing: watch, text: It holds., digest: 'It holds {HULL}.'}]"),
        (5, "a Keeper does not have this value"),
    ),
    "what it must not be whole": (habit("text: 'Half of it: {7 / 2}.'"), (5, "not a whole number")),
}


@pytest.mark.parametrize(("page", "expected"), TEXTS.values(), ids=TEXTS)
def test_a_text_that_nobody_can_print_is_a_fault(
    checked: Check, page: str, expected: tuple[int, str]
) -> None:
    ((line, message),) = [(f.line, f.message) for f in checked(page).errors]
    assert line == expected[0]
    assert message.startswith("this cannot be calculated or printed: ")
    assert expected[1] in message


GROWING = {
    "a factor upon a factor": (
        "modifies: [{value: luck, op: at_least, amount: 1}, "
        "{value: luck, op: set, amount: 1000000}, {value: luck, op: multiply, amount: 1000001}]",
        "modifies",
        "1,000,000,000,000",
    ),
    "a factor without end": (
        'modifies: [{value: luck, op: multiply, amount: "1e308 * 10"}]',
        "modifies.amount",
        "1,000,000,000,000",
    ),
    "a sum": (
        "modifies: [{value: luck, amount: 9999999 * 9999999}]",
        "modifies.amount",
        "1,000,000,000,000",
    ),
    "a division by nothing": (
        "modifies: [{value: luck, amount: floor(3 / (eyes - eyes))}]",
        "modifies",
        "it divides by zero",
    ),
}


@pytest.mark.parametrize(("more", "where", "said"), GROWING.values(), ids=GROWING)
def test_a_figure_that_grows_without_end_is_a_fault(
    checked: Check, more: str, where: str, said: str
) -> None:
    ((line, field, message),) = [(f.line, f.field, f.message) for f in checked(habit(more)).errors]
    assert (line, field) == (5, where)
    assert said in message


def test_dice_that_are_rolled_anew_for_ever_are_a_fault(checked: Check) -> None:
    page = (
        "patches:\n  - at: [ruleset, creation, storm.roll]\n"
        "    set: {reroll_all_while: 'count(roll, 7) == 0'}\n"
    )
    ((line, message),) = [(f.line, f.message) for f in checked(page).errors]
    assert (line, message) == (3, "these dice would be rerolled forever")


def test_a_text_of_a_boat_is_said_by_a_boat(checked: Check) -> None:
    found = checked("entities: [{id: boat/raft, name: Raft, source: T, text: 'It holds {HULL}.'}]")
    assert (found.errors, found.warnings) == ((), ())


def test_what_a_patch_makes_unprintable_is_told_in_the_patch(checked: Check) -> None:
    found = checked("patches:\n  - at: habit/sea-legs\n    set: {text: 'Hull {HULL}.'}\n")
    assert [(f.file.name, f.line, f.field) for f in found.errors] == [
        ("page.yaml", 3, "patches.set.text")
    ]


def test_what_the_ruleset_itself_has_is_not_the_packs_matter(
    tmp_path: Path, packs_home: Path
) -> None:
    harbour = Path(__file__).parents[1] / "testdata" / "harbour"
    alone = check_pack(harbour)
    assert (alone.errors, len(alone.warnings) > 0) == ((), True)
    install(harbour)
    page = "patches: [{at: gear/hook, set: {price: 1}}]"
    found = check_pack(write_pack(tmp_path / "cheap", page, "harbour"))
    assert (found.id, found.errors, found.warnings) == ("cheap", (), ())


def test_the_samples_are_read_too(tmp_path: Path, checked: Check) -> None:
    folder = write_pack(tmp_path / "sampled", habit("text: Fine."))
    (folder / "tests").mkdir()
    (folder / "tests" / "a.yaml").write_text("name: A\nexpcet: {legal: true}\n", "utf-8")
    found = check_pack(folder)
    assert {(f.file.name, f.line) for f in found.errors} >= {("a.yaml", 2)}


# ------------------------------------------------------------------ what has no effect


def test_a_modifier_of_a_value_that_no_bearer_has_is_a_fault(checked: Check) -> None:
    """Only keepers have habits, and only boats have a hull."""
    found = checked(habit("modifies: [{value: hull, amount: 1}]"))
    ((line, message),) = [(fault.line, fault.message) for fault in found.errors]
    assert (line, message) == (
        5,
        'only Keeper can have this, without the value "hull": this has no effect',
    )


SMALL_GAME = Path(__file__).parents[2] / "templates" / "ruleset"


def edited_game(folder: Path, old: str, new: str) -> CheckedPack:
    """Check the small game of `catalog new --game` with one text replaced."""
    game = Path(shutil.copytree(SMALL_GAME, folder / "game"))
    head = game / "ruleset.yaml"
    text = head.read_text(encoding="utf-8")
    assert text.count(old) == 1
    head.write_text(text.replace(old, new), encoding="utf-8")
    return check_pack(game)


def test_a_grant_of_what_everyone_can_do_is_a_warning(tmp_path: Path, toy_folder: Path) -> None:
    """The sheet lists it already, and a player who names it would have to choose between two."""
    game = Path(shutil.copytree(toy_folder, tmp_path / "game"))
    replaced(game / "ruleset.yaml", "sheet:\n", "sheet:\n  actions: habit\n")
    page = game / "things.yaml"
    grant = "    grants: [gear/rope, habit/ringing]"
    page.write_text(
        "entities:\n"
        "  - id: post/bellringer\n"
        "    name: Bellringer\n"
        "    source: T\n"
        f"{grant}\n"
        "  - {id: habit/ringing, name: Ringing, source: T}\n"
        + page.read_text(encoding="utf-8").partition("entities:\n")[2],
        encoding="utf-8",
    )
    found = check_pack(game)
    assert found.errors == ()
    (warning,) = [one for one in found.warnings if one.field == "grants" and one.line == 5]
    assert warning.message == (
        "everyone has Ringing already, because sheet.actions is habit: without this grant it is "
        "listed once"
    )


def test_an_option_of_creation_that_nobody_can_choose_is_a_fault(tmp_path: Path) -> None:
    never = "{id: b, label: B, requires: {value: {id: heart, at_least: 11}}}"
    step = (
        f"{{id: past, do: choose, section: who, label: X, options: [{{id: a, label: A}}, {never}]}}"
    )
    found = edited_game(tmp_path, "creation:\n", f"creation:\n  - {step}\n")
    (fault,) = found.errors
    assert (fault.file.name, fault.field) == ("ruleset.yaml", "creation.options.requires")
    assert fault.message == "this can never happen: HEART is at most 10"


def test_a_level_with_nothing_left_to_choose_is_a_warning(tmp_path: Path) -> None:
    found = edited_game(tmp_path, "maximum: 3\n", "maximum: 6\n")
    assert found.errors == ()
    (warning,) = found.warnings
    assert (warning.file.name, warning.field) == ("ruleset.yaml", "advancement.asks")
    assert warning.message.startswith(
        "a random character has nothing left to choose (Level 5: Talent): "
    )


DRILLS = """
advancement:
  maximum: 3
  asks: [{id: drill, do: choose, label: Which drill?, among: {kind: drill}}]
"""
TWICE = "a character can have {id} twice, because {where}: add single: true to this kind, or "


def test_a_formula_that_only_a_level_evaluates_is_reported(guards: Path) -> None:
    page = guards / "ruleset.yaml"
    condition = 'when: "4 // (level - 2) > 0", among:'
    page.write_text(page.read_text("utf-8") + DRILLS.replace("among:", condition), "utf-8")
    (error,) = check_pack(guards).errors
    assert (error.file.name, "divides by zero" in error.message) == ("ruleset.yaml", True)


def test_a_kind_of_which_a_character_can_have_a_thing_twice_is_a_warning(guards: Path) -> None:
    page, kind = guards / "ruleset.yaml", "{id: drill, label: Drill, plural: Drills"
    page.write_text(page.read_text("utf-8") + DRILLS, encoding="utf-8")
    line = replaced(page, f"{kind}}}", f"{kind} }}")
    (warning,) = check_pack(guards).warnings
    assert (warning.line, warning.field) == (line, "kinds.id")
    where = "ruleset.yaml grants it, and the question drill offers it"
    example = TWICE.format(id="drill/archer", where=where)
    assert warning.message == f"{example}repeatable: true to drill/archer if that is right"
    text = page.read_text("utf-8").replace("grants: [drill/", "grants: [arm/bow] # ")
    page.write_text(text.replace("# archer]", "").replace("# brawler]", ""), encoding="utf-8")
    (warning,) = check_pack(guards).warnings
    where = "the question drill offers it at each level"
    assert warning.message.startswith(TWICE.format(id="drill/archer", where=where))
    replaced(page, f"{kind} }}", f"{kind}, single: true}}")
    assert check_pack(guards).warnings == ()


DERIVED = """
  - {id: rule/weak, name: Weak, source: T, condition: {}, active_when: brawn == 0}
"""


@pytest.mark.parametrize("put", [False, True], ids=["follows", "put on as well"])
def test_a_formula_that_asks_for_a_condition_that_follows_from_values(
    guards: Path, put: bool
) -> None:
    things = guards / "things.yaml"
    replaced(things, "entities:\n", f"entities:{DERIVED}")
    step = "{do: let, id: down, to: 0, quiet: true}"
    more = "\n      - {do: put, condition: rule/weak, when: down}" if put else ""
    asks = "{do: let, id: down, to: \"has('rule/weak')\", quiet: true}"
    line = replaced(things, step, f"{asks}{more}")
    found = [(one.line, one.message) for one in check_pack(guards).warnings]
    message = (
        "rule/weak follows from its active_when, so no formula finds it: write brawn == 0 instead"
    )
    assert found == ([] if put else [(line, message)])


def test_a_thing_that_is_carried_or_repeatable_can_be_had_twice(guards: Path) -> None:
    page = guards / "ruleset.yaml"
    page.write_text(page.read_text("utf-8") + DRILLS.replace("drill}", "arm}"), encoding="utf-8")
    assert check_pack(guards).warnings == ()
    replaced(page, "among: {kind: arm}", "among: {kind: drill}")
    things = guards / "things.yaml"
    text = things.read_text("utf-8").replace("id: drill/", "repeatable: true, id: drill/")
    things.write_text(text, encoding="utf-8")
    assert check_pack(guards).warnings == ()


# ------------------------------------------------------------------ what a group owns


@pytest.fixture
def smugglers(tmp_path: Path, packs_home: Path) -> Path:
    """A copy of a game whose characters share a crew; the game of the crew is beside it."""
    for name in ("low-tide", "low-tide-crew"):
        shutil.copytree(paths.PACKAGE.parent / "examples" / name, tmp_path / name)
    return tmp_path / "low-tide"


def replaced(file: Path, old: str, new: str) -> int:
    """Replace a text and return its line."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_what_a_game_shares_is_compared_with_that_of_its_group(smugglers: Path) -> None:
    assert check_pack(smugglers).errors == check_pack(smugglers).warnings == ()
    line = replaced(
        smugglers / "ruleset.yaml", "{id: stash, label: Stash}", "{id: stsh, label: Stash}"
    )
    for path in smugglers.rglob("*.yaml"):  # wherever the game reads it
        text = path.read_text("utf-8")
        path.write_text(text.replace("shared.stash", "shared.stsh"), encoding="utf-8")
    found = {(one.line, one.message, one.nearest) for one in check_pack(smugglers).errors}
    assert (line, 'low-tide-crew has no value "stsh"', "stash") in found


def test_only_a_resource_of_the_group_can_be_changed(smugglers: Path) -> None:
    [file] = [path for path in smugglers.glob("*.yaml") if "value: shared.heat" in path.read_text()]
    line = 1 + file.read_text("utf-8").partition("value: shared.heat")[0].count("\n")
    text = file.read_text("utf-8").replace("value: shared.heat", "value: shared.rank", 1)
    file.write_text(text, encoding="utf-8")
    (error,) = check_pack(smugglers).errors
    assert error.line == line
    assert error.message == '"rank" of low-tide-crew is not a resource, so nothing can change it'


def test_a_game_of_a_group_that_is_not_here_is_a_warning(smugglers: Path) -> None:
    line = replaced(smugglers / "ruleset.yaml", "ruleset: low-tide-crew", "ruleset: low-tide-crow")
    checked = check_pack(smugglers)
    assert checked.errors == ()
    (warning,) = checked.warnings
    assert (warning.line, warning.nearest) == (line, "low-tide-crew")
    assert warning.message == "what it shares was not compared: low-tide-crow is not installed"


def test_a_game_of_a_group_with_errors_is_a_warning(smugglers: Path) -> None:
    head = smugglers.parent / "low-tide-crew" / "ruleset.yaml"
    head.write_text(f"{head.read_text('utf-8')}colour: red\n", encoding="utf-8")
    (warning,) = check_pack(smugglers).warnings
    assert (warning.message, warning.nearest) == (
        "what it shares was not compared: low-tide-crew has errors, which catalog check lists",
        "",
    )


def test_an_example_that_is_the_game_of_a_group_can_be_added(smugglers: Path) -> None:
    shutil.rmtree(smugglers.parent / "low-tide-crew")
    (warning,) = check_pack(smugglers).warnings
    assert (warning.message, warning.nearest) == (
        "what it shares was not compared: low-tide-crew is not installed: "
        "charforge catalog add example:low-tide-crew",
        "",
    )


def test_only_a_resource_of_the_group_can_be_a_cost(smugglers: Path) -> None:
    line = replaced(smugglers / "rules.yaml", "cost: {shared.stash: 1}", "cost: {shared.rank: 1}")
    (error,) = check_pack(smugglers).errors
    assert error.line == line
    assert error.message == '"rank" of low-tide-crew is not a resource, so nothing can change it'


def test_a_language_that_the_game_of_the_group_lacks_is_a_warning(smugglers: Path) -> None:
    (smugglers.parent / "low-tide-crew" / "lang" / "de.yaml").unlink()
    checked = check_pack(smugglers)
    assert checked.errors == ()
    (warning,) = checked.warnings
    head = (smugglers / "ruleset.yaml").read_text("utf-8")
    assert warning.line == head[: head.index("ruleset: low-tide-crew")].count("\n") + 1
    assert warning.message == (
        "low-tide-crew has no texts in the language de, so pages with both are in en"
    )


# ------------------------------------------------------------------ charts, groups, conditions


@pytest.fixture
def guards(tmp_path: Path) -> Path:
    """Return a copy of the test pack watch."""
    return Path(shutil.copytree(Path(__file__).parents[1] / "testdata" / "watch", tmp_path / "g"))


LOOK = "      - {do: look_up, id: stat, value: $score, quiet: true}\n"
ODDS_AND_ENDS = """
charts:
  - id: odds-and-ends
    label: Odds and ends
    columns: [{id: bonus, label: Bonus}]
    rows: [{at: brawn, cells: [1]}, {at: wit, cells: [2]}]
"""


def with_chart(folder: Path, step: str) -> int:
    """Add a chart with a misspelt row and a step; return the line of the step."""
    page = folder / "things.yaml"
    page.write_text(page.read_text("utf-8") + ODDS_AND_ENDS, encoding="utf-8")
    return replaced(page, LOOK, f"{LOOK}{step}") + 1


def test_a_chart_without_a_row_for_a_value_that_an_input_offers_is_a_fault(guards: Path) -> None:
    line = with_chart(
        guards, "      - {do: read, chart: odds-and-ends, at: $score, take: {more: bonus}}\n"
    )
    (error,) = check_pack(guards).errors
    assert (error.line, error.message, error.nearest) == (
        line,
        'there is no row of odds-and-ends "wits"',
        "wit",
    )


def test_a_step_with_a_condition_may_skip_the_values_without_a_row(guards: Path) -> None:
    step = "{do: read, when: bonus > 0, chart: odds-and-ends, at: $score, take: {more: bonus}}"
    with_chart(guards, f"      - {step}\n")
    assert check_pack(guards).errors == ()


NUMBERED = """
charts:
  - id: mishaps
    label: Mishaps
    columns: [{id: bonus, label: Bonus}]
    rows: [{at: [1, 3], cells: [1]}, {at: [4, 5], cells: [2]}]
"""


@pytest.mark.parametrize(
    ("steps", "missing", "at"),
    [
        (["{do: roll, id: mishap, dice: 1d6}", "at: mishap"], 6, "mishap"),
        (["{do: roll, id: mishap, sides: 6}", "at: mishap"], 6, "mishap"),
        (["{do: roll, id: mishap, dice: 1d3}", "at: mishap + 3"], 6, "mishap + 3"),
        (["{do: roll, id: mishap, dice: 1d3}", "at: mishap - 1"], 0, "mishap - 1"),
        (
            [
                "{do: roll, id: mishap, dice: 1d4}",
                "{do: let, id: worse, to: mishap + 2}",
                "at: worse",
            ],
            6,
            "worse",
        ),
        (["{do: roll, id: mishap, dice: 1d6}", "at: mishap, when: mishap > 1"], 6, "mishap"),
        (["{do: roll, id: mishap, dice: 1d6}", "at: mishap, when: bonus > 0"], 6, "mishap"),
        (
            [
                "{do: let, id: bad, to: stat < 3}",
                "{do: roll, id: mishap, dice: 1d6, when: bad}",
                "at: mishap, when: bad",
            ],
            6,
            "mishap",
        ),
    ],
)
def test_a_chart_without_a_row_for_a_roll_is_a_fault(
    guards: Path, steps: list[str], missing: int, at: str
) -> None:
    line = with_steps(guards, steps)
    (error,) = check_pack(guards).errors
    assert (error.line, error.message) == (
        line,
        f"the chart mishaps has no row for {missing}, which {at} can be: add a row",
    )


@pytest.mark.parametrize(
    "steps",
    [
        ["{do: roll, id: mishap, dice: 1d5}", "at: mishap"],
        ["{do: roll, id: mishap, dice: 1d6}", "at: 'min(mishap, 5)'"],
        ["{do: roll, id: mishap, dice: 1d6}", "at: mishap, when: mishap < 6"],
        [
            "{do: roll, id: mishap, dice: 1d6}",
            "{do: let, id: bad, to: stat + mishap < 3}",
            "at: mishap, when: bad",
        ],
        [
            "{do: roll, id: mishap, dice: 1d6, when: bonus > 0}",
            "{do: roll, id: mishap, dice: 1d4, when: bonus <= 0}",
            "at: mishap, when: bonus <= 0",
        ],
        ["{do: roll, id: mishap, dice: 1d6}", "at: mishap + stat"],
        [
            "{do: roll, id: mishap, dice: 1d6}",
            "{do: say, say: Nothing., when: mishap == 6, stop: true}",
            "at: mishap",
        ],
    ],
)
def test_a_chart_with_a_row_for_each_roll_that_it_is_read_with_is_no_fault(
    guards: Path, steps: list[str]
) -> None:
    with_steps(guards, steps)
    assert check_pack(guards).errors == ()


def with_steps(folder: Path, steps: list[str]) -> int:
    """Add a chart for 1 to 5, and steps of which the last reads it; return the line of that."""
    page = folder / "things.yaml"
    page.write_text(page.read_text("utf-8") + NUMBERED, encoding="utf-8")
    read = f"{{do: read, chart: mishaps, take: {{more: bonus}}, {steps[-1]}}}"
    lines = "".join(f"      - {step}\n" for step in (*steps[:-1], read))
    return replaced(page, LOOK, f"{LOOK}{lines}") + len(steps)


PARTS = """
procedures:
  - id: spent
    label: Spent
    source: rule/watch
    steps:
      - {do: roll, id: die, dice: 1d2}
      - {do: read, chart: parts, at: die, take: {part: part}}
      - {do: call, procedure: spend, with: {part: $part}}
  - id: spend
    label: Spend
    source: rule/watch
    inputs: [{id: part, label: Part, type: value, group: scores, default_word: brawn}]
    steps: [{do: look_up, id: known, value: $part}]

charts:
  - {id: parts, label: Parts, columns: [{id: part, label: Part}],
     rows: [{at: 1, cells: [brawn]}, {at: 2, cells: [wits]}]}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "what", "nearest"),
    [
        ("cells: [wits]", "cells: [wit]", 'value for the input part "wit"', "wits"),
        ("default_word: brawn", "default_word: brawm", 'value "brawm"', "brawn"),
    ],
)
def test_a_value_that_an_input_cannot_be_is_a_fault(
    guards: Path, right: str, wrong: str, what: str, nearest: str
) -> None:
    """A cell that a step passes on, or the default."""
    page = guards / "parts.yaml"
    page.write_text(PARTS, encoding="utf-8")
    assert check_pack(guards).errors == ()
    line = replaced(page, right, wrong)
    (error,) = check_pack(guards).errors
    assert (error.line, error.message, error.nearest) == (line, f"there is no {what}", nearest)


def test_a_value_that_no_unit_has_is_a_warning(guards: Path) -> None:
    value = "  - {id: luck, label: Luck, name: Luck}\n"
    groups = "groups: {scores: Scores}"
    line = replaced(guards / "ruleset.yaml", groups, value + groups)
    (warning,) = check_pack(guards).warnings
    assert (warning.line, warning.message) == (
        line,
        "no unit has this value: add it to the 'values' of one",
    )


def test_a_chart_that_nothing_reads_is_a_warning(guards: Path) -> None:
    with_chart(guards, "")
    page = (guards / "things.yaml").read_text("utf-8")
    (warning,) = [one for one in check_pack(guards).warnings if one.field == "charts.id"]
    assert warning.line == page[: page.index("id: odds-and-ends")].count("\n") + 1
    assert warning.message == (
        "nothing reads this chart: add a step (do: read, chart: odds-and-ends), "
        "print it on sheets (sheet.charts), or say that it is for people (by_hand: true)"
    )
    replaced(
        guards / "things.yaml", "label: Odds and ends", "label: Odds and ends\n    by_hand: true"
    )
    assert [one for one in check_pack(guards).warnings if one.field == "charts.id"] == []


@pytest.mark.parametrize("game", few(sorted(loader.built_in(), reverse=True), 1))
def test_our_own_games_have_no_errors_and_no_warnings(game: str) -> None:
    """Their charts are read or for people; what only the GM awards is said to be so.

    Their sheets print every condition, and each of their texts is translated.
    """
    found = check_pack(loader.built_in()[game])
    assert (found.errors, found.warnings) == ((), ())


ASKS = """
advancement:
  maximum: 3
  asks:
    - {id: learn, do: choose, label: What did you learn?, among: {values: scores}%s}
"""


def with_level_question(folder: Path, when: str = "") -> int:
    """Add a question of levels; return its line."""
    page = folder / "ruleset.yaml"
    text = page.read_text("utf-8") + ASKS % when
    page.write_text(text, encoding="utf-8")
    return text[: text.index("{id: learn")].count("\n") + 1


def test_a_level_question_that_nothing_reads_is_a_warning(guards: Path) -> None:
    line = with_level_question(guards)
    (warning,) = check_pack(guards).warnings
    assert (warning.line, warning.message) == (
        line,
        "nothing reads the answer, so it changes nothing: raise a value with "
        "do: allot, or read the answer in a formula, chose('learn', 'brawn')",
    )


def test_a_value_chosen_at_creation_that_nothing_reads_is_a_warning(guards: Path) -> None:
    page = guards / "ruleset.yaml"
    best = "  - {id: best, do: choose, section: duty, label: Best?, among: {values: scores}}"
    replaced(page, "creation:", f"creation:\n{best}")
    (warning,) = check_pack(guards).warnings
    assert warning.line == page.read_text("utf-8").splitlines().index(best) + 1
    assert warning.message.startswith("nothing reads the answer, so it changes nothing: raise")
    replaced(page, "max_grit: {formula: 4}", "max_grit: {formula: \"4 + chose('best', 'brawn')\"}")
    assert check_pack(guards).warnings == ()


def test_a_level_question_that_a_formula_reads_is_no_warning(guards: Path) -> None:
    with_level_question(guards)
    replaced(
        guards / "ruleset.yaml",
        "max_grit: {formula: 4}",
        "max_grit: {formula: \"4 + chose('learn', 'brawn')\"}",
    )
    assert check_pack(guards).warnings == ()


def test_a_value_of_a_group_that_the_unit_lacks_is_a_fault(guards: Path) -> None:
    replaced(
        guards / "ruleset.yaml",
        "groups: {scores",
        "  - {id: luck, label: LCK, name: Luck, group: scores}\ngroups: {scores",
    )
    errors = check_pack(guards).errors
    assert {error.message for error in errors} == {
        'the group "scores" has "luck", which is no value of Guard'
    }
    lines = (guards / "things.yaml").read_text("utf-8").splitlines()
    assert all("group: scores" in lines[error.line - 1] for error in errors)


def test_a_condition_about_something_needs_to_name_it(guards: Path) -> None:
    page = guards / "things.yaml"
    dazed = "entities:\n  - {id: rule/dazed, name: Dazed, source: T, condition: {}}\n"
    replaced(page, "entities:\n", dazed)
    step = "      - {do: put, condition: rule/dazed, about: $score}\n"
    line = replaced(page, LOOK, f"{LOOK}{step}") + 1
    (error,) = check_pack(guards).errors
    assert (error.line, error.message) == (
        line,
        "rule/dazed is about nothing: add names: true to its condition",
    )
    replaced(page, "condition: {}", "condition: {names: true}")
    assert check_pack(guards).errors == ()


def test_a_division_by_zero_is_reported_at_its_formula(guards: Path) -> None:
    line = replaced(
        guards / "ruleset.yaml", "wits: {formula: 1}", "wits: {formula: 4 // (level - 1)}"
    )
    (error,) = check_pack(guards).errors
    assert (error.file.name, error.line, error.field) == (
        "ruleset.yaml",
        line,
        "units.values.wits.formula",
    )
    assert 'formula "4 // (level - 1)"' in error.message


ARMOUR = "it divides by zero because wits is 0: write max(wits, 1)"
UNCALCULATED = {
    "a value that is 0": ("amount / wits", ARMOUR),
    "a resource that is used up": (
        "amount // grit",
        "it divides by zero because grit is 0: write max(grit, 1)",
    ),
    "part of a number": ("amount / 7", "gives 0.14285714285714285, which is not a whole number"),
}


@pytest.mark.parametrize(("formula", "reason"), UNCALCULATED.values(), ids=UNCALCULATED)
def test_an_amount_of_a_rule_without_a_value_is_reported_at_its_formula(
    guards: Path, formula: str, reason: str
) -> None:
    replaced(guards / "ruleset.yaml", "wits: {formula: 1}", "wits: {formula: 0}")
    line = replaced(guards / "things.yaml", "to: amount + taken", f'to: "{formula}"')
    (error,) = check_pack(guards).errors
    assert (error.file.name, error.line) == ("things.yaml", line)
    start = "this cannot be calculated or printed: Hurt: "
    assert error.message.startswith(f'{start}formula "{formula}": {reason}')


def test_an_amount_that_is_only_calculated_where_it_has_a_value_is_no_fault(guards: Path) -> None:
    replaced(guards / "ruleset.yaml", "wits: {formula: 1}", "wits: {formula: 0}")
    step = '"amount // wits", when: wits > 0'
    replaced(guards / "things.yaml", "to: amount + taken", f"to: {step}")
    assert check_pack(guards).errors == ()


def test_the_choice_of_no_entity_says_what_to_write(bell: Path) -> None:
    page, values = bell / "ruleset.yaml", "    values:\n      body:"
    line = replaced(page, values, "    modifies: [{value: $trade, amount: 1}]\n" + values)
    (error,) = check_pack(bell).errors
    assert (error.line, error.message) == (
        line,
        "only an entity has choices of its own, so there is no answer to $trade here: write a line "
        "for each answer, with its value and when: chose('trade', 'ANSWER')",
    )
    pilot = "{value: body, amount: 1, when: \"chose('trade', 'trade/pilot')\"}"
    replaced(page, "{value: $trade, amount: 1}", pilot)
    assert check_pack(bell).errors == ()


@pytest.fixture
def quay(tmp_path: Path) -> Path:
    """Return a copy of the test game with companions and actions."""
    return Path(shutil.copytree(Path(__file__).parents[1] / "testdata" / "harbour", tmp_path / "q"))


DIVIDING_ACTIONS = {
    "an input": ("{do: change, value: vigour, by: 2}", "4 // deep"),
    "a resource that is used up": ("{do: change, value: vigour, by: 2}", "4 // luck"),
    "the action of a companion": ("{do: put, condition: state/bruised}", "4 // vigour"),
}


@pytest.mark.parametrize(("step", "formula"), DIVIDING_ACTIONS.values(), ids=DIVIDING_ACTIONS)
def test_an_amount_of_an_action_without_a_value_is_reported_at_its_formula(
    quay: Path, step: str, formula: str
) -> None:
    divided = f'{{do: change, value: vigour, by: "{formula}"}}'
    line = replaced(quay / "things.yaml", step, divided)
    errors = check_pack(quay).errors
    assert [(one.file.name, one.line) for one in errors] == [("things.yaml", line)]
    assert "divides by zero" in errors[0].message


@pytest.fixture
def bell(tmp_path: Path) -> Path:
    """Return a copy of an example with skills that are rolled under."""
    return Path(
        shutil.copytree(
            Path(__file__).resolve().parents[2] / "examples" / "drowned-bell", tmp_path / "bell"
        )
    )


FAULTY_TARGETS = {
    "number / 0": "for the number 0 this cannot be calculated: it divides by zero",
    "60 // (number - 50)": (
        "for the number 50 this cannot be calculated: it divides by zero because number - 50 is 0: "
        "write max(number - 50, 1)"
    ),
    "number / 5": (
        "for the number 1 this cannot be calculated: gives 0.2, which is not a whole number"
    ),
}


@pytest.mark.parametrize(("formula", "message"), FAULTY_TARGETS.items(), ids=FAULTY_TARGETS)
def test_a_harder_target_without_a_number_is_reported(
    bell: Path, formula: str, message: str
) -> None:
    line = replaced(bell / "ruleset.yaml", "half_down(number)", f'"{formula}"')
    (error,) = check_pack(bell).errors
    assert (error.file.name, error.line, error.message) == ("ruleset.yaml", line, message)


def test_a_question_that_nobody_can_be_asked_is_reported_at_its_formula(bell: Path) -> None:
    line = replaced(bell / "ruleset.yaml", "plus: 6,", 'plus: "2 // (level - 1)",')
    (error,) = check_pack(bell).errors
    assert (error.file.name, error.line) == ("ruleset.yaml", line)
    assert 'formula "2 // (level - 1)": it divides by zero' in error.message


def test_only_a_condition_about_an_item_changes_a_field(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EXAMPLES / "cold-light", tmp_path / "light"))
    asleep = "text: Somebody has to carry you in."
    changed = f"{asleep}, modifies: [{{field: dice, amount: -1}}]"
    line = replaced(folder / "rules.yaml", asleep, changed)
    (error,) = check_pack(folder).errors
    assert (error.line, error.message) == (
        line,
        "only a condition that a rule puts on about an item (do: put, about: $item) can change "
        "a field",
    )
