"""Pools, checks, attacks, saving throws and initiative, worked by hand.

Faces by number. Ability: 1 blank, 2-3 S, 4 SS, 5-6 A, 7 SA, 8 AA. Proficiency: 1 blank, 2-3 S,
4-5 SS, 6 A, 7-9 SA, 10-11 AA, 12 Triumph. Difficulty: 1 blank, 2 F, 3 FF, 4-6 T, 7 TT, 8 FT.
Challenge: 1 blank, 2-3 F, 4-5 FF, 6-7 T, 8-9 FT, 10-11 TT, 12 Despair. Boost: 1-2 blank, 3 S,
4 SA, 5 AA, 6 A. Setback: 1-2 blank, 3-4 F, 5-6 T.
"""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal

VIGILANCE = "skill.vigilance"
ATHLETICS = "skill.athletics"
ACROBATICS = "skill.acrobatics"
STEALTH = "skills.own"
MARTIAL = "class.primary"
NET = ("check_success", "check_advantage", "check_triumph", "check_despair")


def net(done):
    """Return net Successes, net Advantages, Triumphs and Despairs."""
    return tuple(done.outputs[name] for name in NET)


# --------------------------------------------------------------------------- pools (N3, N5a)


@pytest.mark.parametrize(
    ("skill", "pool"),
    [
        (MARTIAL, {"ability": 1, "proficiency": 2}),  # Brawn 3, rank 2: 3 dice, 2 of them upgraded
        (VIGILANCE, {"proficiency": 2}),  # Wisdom 2, rank 2: 2 dice, both upgraded
        (ATHLETICS, {"ability": 2, "proficiency": 1}),  # Brawn 3, rank 1
        (ACROBATICS, {"ability": 2}),  # Agility 2, no rank
        (STEALTH, {"ability": 1, "proficiency": 2}),  # Agility 2, rank 3: the rank is the higher
        ("class.secondary", {"ability": 1, "proficiency": 1}),  # Wisdom 2, rank 1
        ("class.other-secondary", {"ability": 1}),  # Intellect 1, no rank
    ],
)
def test_a_pool_has_the_higher_dice_and_the_lower_upgrades(table, skill, pool):
    blank = {die: [1] * number for die, number in pool.items()}
    assert table.pool(table("skill-check", blank, attribute=skill)) == pool


def test_a_skill_is_named_as_its_player_named_it(table):
    done = table("skill-check", {"ability": [4], "proficiency": [1, 1]}, attribute=STEALTH)
    assert net(done) == (2, 0, 0, 0)


def test_a_bare_ability_has_no_upgrades(table):
    """Brawn 3 without a rank: 3 Ability, S + SS + A = 3 Successes, 1 Advantage."""
    done = table("skill-check", {"ability": [2, 4, 5]}, ability="brawn")
    assert net(done) == (3, 1, 0, 0)


def test_a_check_needs_a_skill_or_an_ability_and_not_both(table):
    with pytest.raises(RuleRefusal, match="either a skill"):
        table("skill-check")
    with pytest.raises(RuleRefusal, match="either a skill"):
        table("skill-check", attribute=ATHLETICS, ability="brawn")


def test_opposites_cancel(table):
    """SS + SA + S against F + TT: 4 - 1 = 3 Successes, 1 - 2 = 1 Threat."""
    faces = {"ability": [4], "proficiency": [7, 2], "difficulty": [2, 7]}
    assert net(table("skill-check", faces, attribute=MARTIAL, vs=2)) == (3, -1, 0, 0)


def test_triumph_and_despair_do_not_cancel(table):
    """Triumph (also S) and blank against Despair (also F): 0 net, and both stay."""
    faces = {"proficiency": [12, 1], "challenge": [12]}
    done = table("skill-check", faces, attribute=VIGILANCE, vs=1, vs_rank=1)
    assert net(done) == (0, 0, 1, 1)
    assert done.outputs["success"] == 0  # N12: a miss is 0 or fewer net Successes


@pytest.mark.parametrize(("face", "success"), [(2, 1), (5, 0)])
def test_success_is_one_or_more_net_successes(table, face, success):
    """S succeeds, A alone does not."""
    done = table("skill-check", {"ability": [face, 1]}, attribute=ACROBATICS)
    assert done.outputs["success"] == success


# ------------------------------------------------------------------------- upgrades, boosts


@pytest.mark.parametrize(
    ("plain", "upgraded", "times", "result"),
    [
        (2, 0, 1, (1, 1)),  # one Difficulty becomes a Challenge
        (3, 0, 2, (1, 2)),  # the book's Hard, upgraded twice
        (1, 1, 1, (0, 2)),
        (0, 2, 1, (1, 2)),  # all upgraded already: a plain die is added
        (0, 2, 2, (0, 3)),  # and the next upgrade turns that one
        (1, 0, 4, (1, 2)),  # turned, added, turned, added
        (0, 0, 1, (1, 0)),
        (2, 1, 0, (2, 1)),
    ],
)
def test_upgrades(table, plain, upgraded, times, result):
    done = table("upgrade", plain=plain, upgraded=upgraded, times=times)
    assert (done.outputs["plain"], done.outputs["upgraded"]) == result


def test_upgrades_of_both_sides_in_a_check(table):
    """2 Ability upgraded 3 times: 2 Proficiency and 1 Ability; 1 Difficulty upgraded once."""
    faces = {"ability": [1], "proficiency": [1, 1], "challenge": [1]}
    done = table("skill-check", faces, attribute=ACROBATICS, vs=1, upgrades=3, upgrades_against=1)
    assert table.pool(done) == {"ability": 1, "proficiency": 2, "challenge": 1}


@pytest.mark.parametrize(
    ("feat", "librarian", "dice"), [(2, 1, 2), (1, 2, 2), (2, 2, 2), (0, 1, 1)]
)
def test_boosts_do_not_stack(table, feat, librarian, dice):
    """The book's example: 2 from a feat and 1 from an ally's Advantage are 2, not 3."""
    faces = {"ability": [1, 1], "boost": [1] * dice}
    done = table("skill-check", faces, attribute=ACROBATICS, boost=feat, other_boost=librarian)
    assert table.pool(done)["boost"] == dice


def test_setbacks_stack_with_those_of_the_condition_track(table):
    """2 of their own and 2 of Fatigued: 4."""
    table.change("condition", 2)
    faces = {"ability": [1, 1], "setback": [1, 1, 3, 5]}
    done = table("skill-check", faces, attribute=ACROBATICS, setback=2)
    assert net(done) == (-1, -1, 0, 0)


# ----------------------------------------------------------------- condition track (N1, N11)


@pytest.mark.parametrize(
    ("step", "added"),
    [
        (0, {}),
        (1, {"setback": 1}),
        (2, {"setback": 2}),
        (3, {"difficulty": 1}),  # replaces the Setbacks
        (4, {"challenge": 1}),
        (5, {}),  # Helpless adds none
    ],
)
def test_each_step_of_the_track_replaces_the_dice_of_the_one_before(table, step, added):
    table.change("condition", step)
    faces = {"ability": [1, 1], **{die: [1] * number for die, number in added.items()}}
    assert table.pool(table("skill-check", faces, attribute=ACROBATICS)) == {"ability": 2, **added}


@pytest.mark.parametrize(
    ("step", "added"),
    [
        ("normal", {}),
        ("winded", {"setback": 1}),
        ("fatigued", {"setback": 2}),
        ("exhausted", {"difficulty": 1}),
        ("crippled", {"challenge": 1}),
    ],
)
def test_a_check_as_if_on_another_step(table, step, added):
    """What is said wins over where the character stands, Winded."""
    table.change("condition", 1)
    extra = {die: [1] * number for die, number in added.items()}
    checked = table("skill-check", {"ability": [1, 1], **extra}, attribute=ACROBATICS, step=step)
    assert table.pool(checked) == {"ability": 2, **added}
    saved = table("saving-throw", {"ability": [1], **extra}, step=step)
    assert table.pool(saved) == {"ability": 1, **added}


def test_condition_dice_come_before_upgrades_of_the_difficulty(table):
    """Exhausted adds 1 Difficulty to 1; upgraded twice both are Challenge."""
    table.change("condition", 3)
    faces = {"ability": [1, 1], "challenge": [1, 1]}
    done = table("skill-check", faces, attribute=ACROBATICS, vs=1, upgrades_against=2)
    assert table.pool(done) == {"ability": 2, "challenge": 2}


def test_condition_dice_stay_off_defenses(table):
    """Crippled, Reflex is still 1 Difficulty and 1 Challenge (Agility 2, rank 1)."""
    table.change("condition", 4)
    faces = {"ability": [4, 1], "difficulty": [2], "challenge": [1]}
    done = table("defend", faces, defense="reflex", ability=2)
    assert table.pool(done) == {"ability": 2, "difficulty": 1, "challenge": 1}
    assert net(done) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("defense", "pool"),
    [
        ("reflex", {"difficulty": 1, "challenge": 1}),  # Agility 2 over Intellect 1, rank 1
        ("willpower", {"difficulty": 2}),  # Wisdom 2 over Presence 1
        ("fortitude", {"difficulty": 3}),  # Brawn 3 over Vitality 1
    ],
)
def test_defense_pools(table, defense, pool):
    faces = {"proficiency": [1], **{die: [1] * number for die, number in pool.items()}}
    done = table("defend", faces, defense=defense, ability=1, rank=1)
    assert table.pool(done) == {"proficiency": 1, **pool}


def test_the_books_hard_difficulty_upgraded_twice(sit):
    """Agility 1 + 2 = 3; Reflex 1 of the class + 1: attacks meet 1 Difficulty and 2 Challenge."""
    points = {"brawn": 2, "vitality": 0, "agility": 2, "intellect": 0, "wisdom": 0, "presence": 0}
    ranks = {"reflex": 1, "willpower": 0, "fortitude": 0}
    table = sit({"abilities": points, "ranks": ranks})
    faces = {"ability": [1], "difficulty": [1], "challenge": [1, 1]}
    done = table("defend", faces, defense="reflex", ability=1)
    assert table.pool(done) == {"ability": 1, "difficulty": 1, "challenge": 2}
    # Said from the attacker's side it is the same: ability 3 and rank 2.
    attacked = table(
        "skill-check",
        {"ability": [1] * 3, **{d: faces[d] for d in ("difficulty", "challenge")}},
        attribute=ACROBATICS,
        vs=3,
        vs_rank=2,
    )
    assert table.pool(attacked) == {"ability": 3, "difficulty": 1, "challenge": 2}


def test_an_opposed_check_is_a_pool_of_the_others_ability_and_rank(table):
    """Athletics 2A 1P against a rank above the ability (2, 4): 2 Difficulty, 2 Challenge."""
    faces = {"ability": [2, 2], "proficiency": [4], "difficulty": [3, 1], "challenge": [2, 1]}
    done = table("skill-check", faces, attribute=ATHLETICS, vs=2, vs_rank=4)
    assert net(done) == (1, 0, 0, 0)  # S + S + SS - FF - F


# ------------------------------------------------------------------------ saving throws (N4)


@pytest.mark.parametrize(
    ("face", "saved"), [(1, 0), (2, 1), (3, 1), (4, 1), (5, 0), (6, 0), (7, 1), (8, 0)]
)
def test_a_saving_throw_is_one_ability_die(table, face, saved):
    """4 of its 8 faces show a Success: 50%."""
    assert table("saving-throw", {"ability": [face]}).outputs["success"] == saved


@pytest.mark.parametrize(("faces", "saved"), [([1, 2], 0), ([3, 1], 1), ([5, 4], 1), ([5, 6], 0)])
def test_a_table_may_roll_two_boosts_to_save(table, faces, saved):
    """2 of 6 faces show a Success: 1 - (4/6)^2 = 55.56%."""
    table.rule("saving_throw", "two_boost")
    done = table("saving-throw", {"boost": faces})
    assert done.outputs["success"] == saved
    assert table.pool(done) == {"boost": 2}


@pytest.mark.parametrize(
    ("step", "extra"), [(2, {"setback": [3, 1]}), (3, {"difficulty": [2]}), (4, {"challenge": [2]})]
)
def test_condition_dice_count_for_saving_throws(table, step, extra):
    """S against F: no net Success."""
    table.change("condition", step)
    assert table("saving-throw", {"ability": [2], **extra}).outputs["success"] == 0


def test_boosts_for_a_save_do_not_stack_with_the_two_boosts(table):
    """1 given Boost beside the 2 of the throw: still 2."""
    table.rule("saving_throw", "two_boost")
    assert table.pool(table("saving-throw", {"boost": [1, 1]}, boost=1)) == {"boost": 2}


# ----------------------------------------------------------------------- attacks (N5, N12, N14)


def test_an_unarmed_blow(table):
    """SS + SA + blank against F, T: 2 net. Brawn 3 + 2 = 5 damage, untyped."""
    faces = {"ability": [4], "proficiency": [7, 1], "difficulty": [2, 4]}
    done = table.use("Basic Melee", faces, vs=2)
    assert done.steps[-1].text == "5 damage."


def test_a_longsword(table):
    """S + S + S against blank: 3 net. Longsword 4 + Brawn 3 + 3 = 10 weapon damage."""
    faces = {"ability": [2], "proficiency": [2, 3], "difficulty": [1]}
    done = table.use("Basic Melee", faces, weapon="weapons.own-melee", vs=1)
    assert done.steps[-1].text == "10 weapon damage."


def test_a_miss_deals_nothing(table):
    """A, AA and blank: Advantages alone do not hit."""
    faces = {"ability": [5], "proficiency": [10, 1], "difficulty": [1]}
    done = table.use("Basic Melee", faces, vs=1)
    assert done.steps[-1].text == "Miss."


@pytest.mark.parametrize(("distance", "setbacks"), [(10, 0), (11, 1), (20, 1)])
def test_long_range_is_a_setback(table, distance, setbacks):
    """Longbow 10/20. SS: Longbow 3 + Agility 2 + 2 = 7 weapon damage."""
    faces = {"ability": [4], "proficiency": [1, 1], "difficulty": [1], "setback": [1] * setbacks}
    faces = {die: shown for die, shown in faces.items() if shown}
    done = table.use("Basic Ranged", faces, weapon="weapons.own-ranged", distance=distance, vs=1)
    assert done.steps[-1].text == "7 weapon damage."


def test_nothing_beyond_long_range(table):
    with pytest.raises(RuleRefusal, match="long range is 20"):
        table.use("Basic Ranged", weapon="weapons.own-ranged", distance=21, vs=1)


def test_a_ranged_attack_needs_a_weapon(table):
    with pytest.raises(ProcedureError):
        table.use("Basic Ranged", vs=1)


@pytest.mark.parametrize(("at_taunter", "setbacks"), [(0, 1), (1, 0)])
def test_taunted(table, at_taunter, setbacks):
    """1 Setback where the taunting character is no target."""
    table("be-taunted", by="the ogre")
    faces = {"ability": [2], "proficiency": [1, 1], "difficulty": [1], "setback": [3] * setbacks}
    faces = {die: shown for die, shown in faces.items() if shown}
    done = table("attack", faces, vs=1, at_taunter=at_taunter, damage=3)
    assert done.outputs["dealt"] == (0 if setbacks else 4)  # S - F, or 3 + 1


def test_taunted_and_long_range_are_two_setbacks(table):
    table("be-taunted", by="the ogre")
    faces = {"ability": [1], "proficiency": [1, 1], "difficulty": [1], "setback": [1, 1]}
    assert table.pool(table("attack", faces, vs=1, long_range=1))["setback"] == 2


def test_a_new_taunt_ends_the_one_before(table):
    table("be-taunted", by="the ogre")
    table("be-taunted", by="the knight")
    assert [one.about for one in table.state.conditions] == ["the knight"]


def test_an_attack_with_another_source_or_a_bare_ability(table):
    """Divine: Wisdom 2, rank 1. Brawn alone: 3 Ability."""
    divine = {"ability": [2], "proficiency": [12], "difficulty": [1]}
    done = table("attack", divine, skill="class.secondary", vs=1, damage=5)
    assert done.outputs["dealt"] == 7  # 5 + S + Triumph
    bare = {"ability": [1, 1, 4], "difficulty": [2]}
    assert table("attack", bare, bare="brawn", vs=1).outputs["dealt"] == 1


def test_basic_grab_is_brawn_against_reflex(table):
    """3 Ability: S, A, blank against Reflex 2 with rank 1: blank, T. 1 net."""
    faces = {"ability": [2, 5, 1], "difficulty": [1], "challenge": [6]}
    done = table.use("Basic Grab", faces, vs=2, vs_rank=1)
    assert done.steps[-1].text == "You grab the target."


def test_basic_grapple_is_brawn_against_athletics_or_acrobatics(table):
    """The defender's Acrobatics of 3 and rank 1: 2 Difficulty, 1 Challenge."""
    faces = {"ability": [4, 4, 1], "difficulty": [3, 2], "challenge": [1]}
    done = table.use("Basic Grapple", faces, vs=3, vs_rank=1)
    assert done.steps[-1].text == "The target is restrained."  # 4 S - 3 F = 1


def test_basic_retaliate_strikes_as_basic_melee_does(table):
    """SS and SA: 3 net; Longsword 4 + Brawn 3 + 3 = 10."""
    faces = {"ability": [4], "proficiency": [7, 1], "difficulty": [1, 1]}
    done = table.use("Basic Retaliate", faces, weapon="weapons.own-melee", vs=2)
    assert done.steps[-1].text == "10 weapon damage."


# --------------------------------------------------------------------------- initiative (N10)


def test_initiative_is_vigilance_against_nothing(table):
    """Triumph + SA: 1 Triumph, 2 Successes (the Triumph is one of them), 1 Advantage."""
    done = table("initiative", {"proficiency": [12, 7]}, skill=VIGILANCE)
    assert [done.outputs[name] for name in ("triumph", "success", "advantage")] == [1, 2, 1]


def test_net_failures_and_threats_of_initiative_count_as_nothing(table):
    """Winded and Fatigued dice apply: F and T against blanks."""
    table.change("condition", 2)
    done = table("initiative", {"proficiency": [1, 1], "setback": [3, 5]}, skill=VIGILANCE)
    assert [done.outputs[name] for name in ("triumph", "success", "advantage")] == [0, 0, 0]


FIRST, SECOND, TIED = (1, 0), (0, 0), (1, 1)


@pytest.mark.parametrize(
    ("ours", "theirs", "result"),
    [
        ((1, 1, 2, 1), (0, 4, 0, 0), FIRST),  # the book: a Triumph and 2 Advantages before 4 S
        ((0, 2, 0, 1), (0, 2, 0, 0), FIRST),  # the book: the player before the NPC
        ((0, 2, 0, 0), (0, 2, 0, 1), SECOND),
        ((0, 2, 1, 0), (0, 2, 0, 1), FIRST),  # Advantages before players
        ((0, 1, 9, 1), (0, 2, 0, 0), SECOND),  # Successes before Advantages
        ((0, 2, 1, 1), (0, 2, 1, 1), TIED),
        ((0, -3, -1, 1), (0, 0, 0, 1), TIED),  # net Failures and Threats are 0
    ],
)
def test_the_order_of_initiative(table, ours, theirs, result):
    names = ("triumph", "success", "advantage", "player")
    given = dict(zip(names, ours, strict=True))
    given |= dict(zip((f"their_{name}" for name in names), theirs, strict=True))
    done = table("goes-first", **given)
    assert (done.outputs["first"], done.outputs["tie"]) == result
