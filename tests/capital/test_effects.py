"""What using Systems and items does to the one who uses them, worked by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from charforge.character import gear, play_state
from charforge.character.grants import gain
from charforge.character.state import CHARACTER, FixedModifier, State
from charforge.errors import RuleRefusal
from charforge.expressions.dice import Dice
from charforge.procedures import abilities as use, run as procedures
from charforge.procedures.run import Run

FREE = {"free": 1}
MYSELF = {"yourself": 1}


class Faces:
    """Dice that show what a test says, in order."""

    def __init__(self, faces: Iterable[int]) -> None:
        self.left = list(faces)

    def __call__(self, _name: str, rolled: Dice, _label: str) -> list[int]:
        return [self.left.pop(0) for _die in range(rolled.number)]


class Table:
    """A character at the table: uses what it has, with the dice that a test gives."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __getitem__(self, value: str) -> int:
        """Return a figure as it is now."""
        return self.state.values().total(value)

    def use(self, entity: str, key: str, *dice: int, unit: str = CHARACTER, **inputs: Any) -> Run:
        """Use an ability by its entity's id and its name, or its timing where it has none."""
        roll = Faces(dice)
        found = [
            a for a in use.abilities(self.state, unit) if (a.entity.id, a.key) == (entity, key)
        ]
        run = use.use(self.state, found[-1], inputs, roll)
        assert not roll.left
        self.state = run.state
        return run

    def run(self, procedure: str, *dice: int, **inputs: Any) -> None:
        """Run a procedure of the rules."""
        roll = Faces(dice)
        rule = self.state.ruleset.procedure(procedure)
        self.state = procedures.run(self.state, rule, inputs, roll).state
        assert not roll.left

    def gain(self, entity: str) -> str:
        """Gain something without further ado, take it in hand where it is gear; its path."""
        path = entity.partition("/")[2]
        self.state = gain(self.state, self.state.ruleset.entity(entity), path, "test")
        holding = self.state.holding(path)
        assert holding is not None
        if holding.entity.kind in self.state.ruleset.head.gear.kinds:
            self.state = gear.hold(replace(self.state, in_hand={}), holding)
        return path

    def change(self, value: str, by: int) -> None:
        """Change a resource."""
        self.state, _real = play_state.change_resource(self.state, CHARACTER, value, by)

    def set(self, value: str, amount: int) -> None:
        """Give a value a lasting figure."""
        more = amount - self.state.values().base(value)
        settled = FixedModifier(CHARACTER, value, "add", more, "test")
        self.state = replace(self.state, settled=(*self.state.settled, settled))

    def put(self, effect: str, amount: int = 1) -> None:
        """Put an effect on the character."""
        entity = self.state.ruleset.entity(f"effect/{effect}")
        self.state = play_state.add_condition(self.state, CHARACTER, entity, amount)

    def passes(self, moment: str) -> None:
        """Let a moment pass."""
        self.state, _ended = play_state.pass_moment(self.state, CHARACTER, moment)

    def under(self, effect: str, unit: str = CHARACTER) -> int:
        """Return how much of an effect there is."""
        return self.state.under(unit, f"effect/{effect}")

    def ammo(self, path: str) -> int:
        """Return what is left in an item with one capacity."""
        holding = self.state.holding(path)
        assert holding is not None
        return play_state.capacity_left(self.state, holding, holding.entity.capacities[0])


@pytest.fixture
def table(make) -> Callable[..., Table]:
    """Sit a character down: its Role, and what it has beside."""

    def sit(role: str = "the-tank", *things: str, level: int = 1) -> Table:
        seated = Table(make(role, level).state)
        for thing in things:
            seated.gain(thing)
        return seated

    return sit


# ------------------------------------------------------------------ Focus


def test_focus_costs_energy_and_lasts_until_the_next_turn_starts(table):
    """AGI 5 + 1 by Role, now 7 and then 6 again; the score that rules build on stays 6."""
    scout = table("the-scout")
    energy = scout["energy"]
    scout.use("system/focus-i", "Gain Focus")
    assert (scout["agi"], scout["energy"]) == (7, energy - 1)
    assert scout.state.values().base("agi") == 6
    scout.passes("turn_end")
    assert scout["agi"] == 7
    scout.passes("turn_start")
    assert scout["agi"] == 6


def test_focus_goes_on_cooldown(table):
    scout = table("the-scout")
    scout.use("system/focus-i", "Gain Focus")
    with pytest.raises(RuleRefusal, match="it is on cooldown"):
        scout.use("system/focus-i", "Gain Focus")


@pytest.mark.parametrize(("agi", "focused", "all_out"), [(8, 9, 10), (9, 10, 10), (10, 10, 10)])
def test_focus_and_all_out_stop_at_10(table, agi, focused, all_out):
    """D21: +1 for Focus, a further +1 for All Out, and never more than 10."""
    scout = table("the-scout", "system/all-out")
    scout.set("agi", agi)
    scout.put("focus")
    assert scout["agi"] == focused
    scout.use("system/all-out", "instant")
    assert scout["agi"] == all_out


def test_all_out_gives_focus_and_ends_with_it(table):
    scout = table("the-scout", "system/all-out")
    scout.use("system/all-out", "instant")
    assert (scout.under("focus"), scout["agi"]) == (1, 8)
    focus = scout.state.ruleset.entity("effect/focus")
    without, _gone = play_state.remove_condition(scout.state, CHARACTER, focus)
    assert without.values().total("agi") == 6
    scout.passes("turn_start")
    assert (scout.under("focus"), scout.under("all-out"), scout["agi"]) == (0, 0, 6)


def test_an_extra_action_needs_focus_and_costs_2_energy(table):
    scout = table("the-scout")
    energy = scout["energy"]
    with pytest.raises(RuleRefusal, match="no Focus now"):
        scout.use("system/focus-i", "Extra Action")
    assert scout["energy"] == energy
    scout.use("system/focus-i", "Gain Focus")
    scout.use("system/focus-i", "Extra Action")
    assert scout["energy"] == energy - 3


@pytest.mark.parametrize(
    ("system", "dice"),
    [("defensive-focus", ()), ("offensive-focus", (4,)), ("tactical-focus", ())],
)
def test_what_happens_during_focus_only(table, system, dice):
    scout = table("the-scout", f"system/{system}")
    with pytest.raises(RuleRefusal, match="no Focus now"):
        scout.use(f"system/{system}", "reaction", *dice)
    scout.put("focus")
    scout.use(f"system/{system}", "reaction", *dice)


@pytest.mark.parametrize(("system", "dice"), [("defensive-focus", ()), ("offensive-focus", (4,))])
def test_once_during_each_focus(table, system, dice):
    """Not twice in one Focus; a new one begins with All Out, even in the same turn."""
    scout = table("the-scout", f"system/{system}", "system/all-out")
    scout.use("system/focus-i", "Gain Focus")
    scout.use(f"system/{system}", "reaction", *dice)
    with pytest.raises(RuleRefusal, match="during this Focus already"):
        scout.use(f"system/{system}", "reaction", *dice)
    scout.use("system/all-out", "instant")
    scout.use(f"system/{system}", "reaction", *dice)
    scout.passes("turn_start")
    scout.put("focus")
    scout.use(f"system/{system}", "reaction", *dice)


def test_either_focus_system_has_its_own_use(table):
    scout = table("the-scout", "system/offensive-focus", "system/defensive-focus")
    scout.use("system/focus-i", "Gain Focus")
    scout.use("system/offensive-focus", "reaction", 4)
    scout.use("system/defensive-focus", "reaction")
    assert (scout.under("offensive-focus-used"), scout.under("defensive-focus-used")) == (1, 1)


def test_focus_ii_is_free_once_per_full_rest(table):
    """Both Gain Focus and the Extra Action of that Focus, even with no Energy left."""
    scout = table("the-scout", "system/focus-ii")
    scout.change("energy", -99)
    scout.use("system/focus-ii", "Gain Focus", **FREE)
    scout.use("system/focus-ii", "Extra Action")
    assert (scout["energy"], scout.under("focus")) == (0, 1)
    with pytest.raises(RuleRefusal, match="needs 2 Energy, 0 left"):
        scout.use("system/focus-ii", "Extra Action")
    scout.run("turn", 6)
    with pytest.raises(RuleRefusal, match="since your last Full Rest"):
        scout.use("system/focus-ii", "Gain Focus", **FREE)
    scout.passes("full_rest")
    scout.use("system/focus-ii", "Gain Focus", **FREE)
    assert scout["energy"] == 0


def test_focus_ii_costs_as_focus_i_otherwise(table):
    scout = table("the-scout", "system/focus-ii")
    energy = scout["energy"]
    scout.use("system/focus-ii", "Gain Focus")
    scout.use("system/focus-ii", "Extra Action")
    assert scout["energy"] == energy - 3


# ------------------------------------------------------------------ counters


@pytest.mark.parametrize(("wis", "counters"), [(3, 4), (5, 4), (6, 5), (9, 8)])
def test_lockdown_gives_wis_less_1_counters_but_at_least_4(table, wis, counters):
    sentinel = table("the-sentinel", "system/lockdown")
    sentinel.set("wis", wis)
    sentinel.use("system/lockdown", "Lockdown")
    assert sentinel.under("lockdown") == counters


def test_each_stop_movement_spends_a_counter(table):
    sentinel = table("the-sentinel", "system/lockdown")
    with pytest.raises(RuleRefusal, match="no Lockdown counters"):
        sentinel.use("system/lockdown", "Stop movement")
    sentinel.put("lockdown", 2)
    sentinel.use("system/lockdown", "Stop movement")
    assert sentinel.under("lockdown") == 1
    sentinel.use("system/lockdown", "Stop movement")
    with pytest.raises(RuleRefusal, match="no Lockdown counters"):
        sentinel.use("system/lockdown", "Stop movement")


@pytest.mark.parametrize("effect", ["lockdown", "clarity", "supercharge"])
def test_any_rest_takes_it_away(table, effect):
    """D56: both Breaks and the Full Rest are Rests."""
    unit = table()
    unit.put(effect, 2)
    unit.passes("turn_start")
    unit.passes("combat_end")
    assert unit.under(effect)
    unit.passes("rest")
    assert not unit.under(effect)


@pytest.mark.parametrize(
    ("rest", "dice", "left"),
    [("short-break", (3,), {"focus-had-at-no-cost"}), ("full-rest", (3,), set())],
)
def test_what_the_rests_leave(table, rest, dice, left):
    """A Full Rest is a Rest too; no other ends what lasts until a Full Rest."""
    unit = table()
    for effect in ("lockdown", "clarity", "supercharge", "focus-had-at-no-cost"):
        unit.put(effect)
    unit.run(rest, *dice)
    assert {c.entity.slug for c in unit.state.conditions} == left


def test_three_clarity_become_1_energy(table):
    unit = table("the-tank", "system/clear-mind")
    unit.change("energy", -2)
    energy = unit["energy"]
    counters = []
    for _time in range(4):
        unit.use("system/clear-mind", "action")
        counters.append((unit.under("clarity"), unit["energy"]))
    assert counters == [(1, energy), (2, energy), (0, energy + 1), (1, energy + 1)]


def test_clarity_at_full_energy_is_spent_all_the_same(table):
    unit = table("the-tank", "system/clear-mind")
    for _time in range(3):
        unit.use("system/clear-mind", "action")
    assert (unit.under("clarity"), unit["energy"]) == (0, unit["max_energy"])


@pytest.mark.parametrize(("overflow", "more"), [(1, 0), (2, 1), (5, 2)])
@pytest.mark.parametrize(
    ("source", "key"),
    [("effect/overflow", "Spend Overflow"), ("system/patch-up-i", "Overflow")],
)
def test_overflow_is_spent_for_half_as_much_damage(table, source, key, overflow, more):
    """Rounded down, unlike other halves."""
    healer = table("the-healer")
    healer.put("overflow", overflow)
    run = healer.use(source, key)
    assert healer.under("overflow") == 0
    assert f"The damage is {more} higher." in [step.text for step in run.steps]


# ------------------------------------------------------------------ healing


@pytest.mark.parametrize(
    ("system", "missing", "die", "overflow"),
    [
        ("patch-up-i", 20, 6, 0),  # 6 + KNW 5 = 11 HP
        ("patch-up-i", 8, 6, 3),
        ("patch-up-ii", 8, 6, 5),  # 2 more
        ("patch-up-ii", 0, 1, 8),  # 1 + 5 + 2
    ],
)
def test_patch_up_on_yourself_overflows(table, system, missing, die, overflow):
    healer = table("the-healer", f"system/{system}", level=3)
    healer.set("knw", 5)
    healer.set("max_hp", 25)
    healer.change("hp", -missing)
    healed = die + 5 + (2 if system == "patch-up-ii" else 0)
    healer.use(f"system/{system}", "Patch Up", die, **MYSELF)
    assert healer["hp"] == min(25 - missing + healed, 25)
    assert healer.under("overflow") == overflow


def test_patch_up_on_another_is_only_told(table):
    """4 + KNW 5 = 9 HP for 1 Energy."""
    healer = table("the-healer")
    healer.set("knw", 5)
    healer.change("hp", -5)
    hp, energy = healer["hp"], healer["energy"]
    run = healer.use("system/patch-up-i", "Patch Up", 4)
    assert (healer["hp"], healer["energy"], healer.under("overflow")) == (hp, energy - 1, 0)
    assert "regains 9 HP" in run.steps[-1].text


@pytest.mark.parametrize(("die", "knw", "repaired"), [(6, 4, 5), (1, 6, 2), (1, 4, 1), (2, 3, 1)])
def test_jury_rig_repairs_at_least_1(table, die, knw, repaired):
    """1d6 + KNW - 5, minimum 1."""
    unit = table("the-tank", "system/jury-rig")
    unit.set("knw", knw)
    unit.change("hp", -10)
    hp = unit["hp"]
    run = unit.use("system/jury-rig", "special", die)
    assert run.steps[-1].text == (
        f"The Robot or Vehicle regains {repaired} HP. Its player applies this."
    )
    assert unit["hp"] == hp
    with pytest.raises(RuleRefusal, match="no Robot"):
        unit.use("system/jury-rig", "special", **MYSELF)
    unit.gain("system/robotic")
    unit.use("system/jury-rig", "special", die, **MYSELF)
    assert unit["hp"] == hp + repaired


@pytest.mark.parametrize(
    ("kit", "bandage", "dice", "regained"),
    [
        ("primitive-first-aid-kit", "Large Bandage", (5,), 5),
        ("primitive-first-aid-kit", "Small Bandage", (), 2),
        ("advanced-first-aid-kit", "Large Programmable Bandage", (3, 4), 7),
        ("advanced-first-aid-kit", "Small Programmable Bandage", (), 4),
    ],
)
def test_a_bandage_is_spent_and_heals(table, kit, bandage, dice, regained):
    unit = table("the-tank", f"equipment/{kit}")
    unit.change("hp", -10)
    before = unit["hp"]
    unit.use(f"equipment/{kit}", bandage, *dice, **MYSELF)
    assert unit["hp"] == before + regained
    run = unit.use(f"equipment/{kit}", bandage, *dice)
    assert unit["hp"] == before + regained
    assert f"regains {regained} HP" in run.steps[-1].text
    assert run.steps[-1].text.endswith("Its player applies this.")
    holding = unit.state.holding(kit)
    [spent] = [c for c in holding.entity.capacities if c.label.startswith(bandage)]
    assert play_state.capacity_left(unit.state, holding, spent) == spent.max.constant - 2


def test_a_small_bandage_is_not_wasted_in_critical_condition(table):
    unit = table("the-tank", "equipment/primitive-first-aid-kit")
    unit.change("hp", -99)
    before = unit.state
    with pytest.raises(RuleRefusal, match="Critical Condition"):
        unit.use("equipment/primitive-first-aid-kit", "Small Bandage", **MYSELF)
    assert unit.state is before
    unit.use("equipment/primitive-first-aid-kit", "Large Bandage", 3, **MYSELF)
    assert unit["hp"] == 3


def restored(unit: Table, turns: int) -> list[int]:
    """Return what Regeneration restores at the start of each of the next turns."""
    found = []
    for _turn in range(turns):
        found.append(unit.under("regeneration"))
        unit.passes("turn_start")
        unit.passes("turn_end")
    return found


@pytest.mark.parametrize(
    ("bandages", "each_turn"),
    [
        (["Large"], [1, 1, 1, 1, 1, 0]),
        (["Small"], [1, 1, 1, 0]),
        (["Large", "Small"], [2, 2, 2, 1, 1, 0]),
        (["Small", "Small"], [2, 2, 2, 0]),
    ],
)
def test_regeneration_ends_after_its_own_turns(table, bandages, each_turn):
    """5 turns for a large, 3 for a small bandage; two of them run side by side."""
    kit = "equipment/advanced-first-aid-kit"
    unit = table("the-tank", kit)
    for size in bandages:
        dice = (1, 1) if size == "Large" else ()
        unit.use(kit, f"{size} Programmable Bandage", *dice, **MYSELF)
    assert restored(unit, len(each_turn)) == each_turn


def test_regeneration_heals_as_turns_start(table):
    """A Small Programmable Bandage: 4 HP at once, then 1 at the start of each of 3 turns."""
    kit = "equipment/advanced-first-aid-kit"
    unit = table("the-tank", kit)
    unit.change("hp", -10)
    hp = unit["hp"]
    unit.use(kit, "Small Programmable Bandage", **MYSELF)
    found = []
    for _turn in range(5):
        found.append(unit["hp"] - hp)
        unit.run("turn")
        unit.run("turn-end")
    assert found == [4, 5, 6, 7, 7]


def test_two_items_regenerate_beside_each_other(capital, table):
    """What is put without turns of its own joins instead, and begins anew."""
    unit = table()
    regeneration = capital.entity("effect/regeneration")
    state = play_state.add_condition(unit.state, CHARACTER, regeneration, 2, turns=4)
    state = play_state.add_condition(state, CHARACTER, regeneration, 1, turns=2)
    assert [(c.amount, c.left) for c in state.conditions] == [(2, 4), (1, 2)]
    lockdown = capital.entity("effect/lockdown")
    joined = play_state.add_condition(
        play_state.add_condition(unit.state, CHARACTER, lockdown, 4), CHARACTER, lockdown, 5
    )
    assert [(c.amount, c.left) for c in joined.conditions] == [(9, 1)]


# ------------------------------------------------------------------ checks


@pytest.mark.parametrize(
    ("mine", "theirs", "regained"),
    [((3, 4), (3, 5), 1), ((3, 4), (4, 5), 0), ((3, 4), (4, 4), 1)],
)
def test_enthusiasm_is_a_difficulty_5_wil_check(table, mine, theirs, regained):
    """7 + WIL 6 = 13 against 8 + 5, 9 + 5: a tie succeeds, and a failure gives 1 Grit."""
    unit = table("the-tank", "system/enthusiasm")
    unit.change("energy", -3)
    energy = unit["energy"]
    unit.use("system/enthusiasm", "reaction", *mine, *theirs)
    assert unit["energy"] == energy + regained
    assert unit["grit"] == 1 - regained


@pytest.mark.parametrize(
    ("level", "dead", "learned"),
    [(1, 0, True), (2, 0, False), (0, 1, False)],
)
def test_investigating_is_a_knw_check(table, level, dead, learned):
    """8 + KNW 6 = 14 against 6 + 7 + Level, 2 more for a dead unit: 14, 15 and 15."""
    unit = table("the-healer", "system/know-your-enemy")
    unit.set("knw", 6)
    given = {"whom": "Sand Crab", "its_level": level, "dead": dead}
    unit.use("system/know-your-enemy", "Investigate", 4, 4, 3, 3, **given)
    [condition] = unit.state.conditions
    kept = "effect/investigation" if learned else "effect/failed-investigation"
    assert (condition.entity.id, condition.about) == (kept, "Sand Crab")
    unit.passes("full_rest")
    assert bool(unit.state.conditions) == learned  # Investigation is permanent


@pytest.mark.parametrize("whip", ["equipment/primitive-whip", "special-weapon/whip"])
def test_a_whip_grapples_by_strength(table, whip):
    """7 + STR 7 = 14 against 9 + 5: a tie, so the one who began succeeds (D61)."""
    tank = table("the-tank", "training/whips", whip)
    run = tank.use(whip, "Grapple", 3, 4, 4, 5, vs=5)
    assert "it is Grappled by you" in run.steps[-1].text


@pytest.mark.parametrize(("knw", "more"), [(3, 1), (4, 1), (7, 4)])
def test_investigation_adds_to_damage(table, knw, more):
    """KNW - 3, at least 1."""
    unit = table("the-tank", "system/know-your-enemy")
    unit.set("knw", knw)
    with pytest.raises(RuleRefusal, match="no Investigation"):
        unit.use("system/know-your-enemy", "Investigation bonus")
    unit.put("investigation")
    run = unit.use("system/know-your-enemy", "Investigation bonus")
    assert f"{more} higher" in run.steps[-1].text


# ------------------------------------------------------------------ Signature Systems and others


@pytest.mark.parametrize(
    ("role", "effect", "key"),
    [("the-tank", "sanctuary", "instant"), ("the-captain", "rally", "Rally")],
)
def test_it_lasts_until_two_more_turns_have_started(table, role, effect, key):
    """Sanctuary as printed; Rally by the Captain's turn starts (D95)."""
    unit = table(role, f"system/{effect}")
    unit.use(f"system/{effect}", key)
    present = []
    for _turn in range(3):
        present.append(unit.under(effect))
        unit.passes("turn_end")
        unit.passes("turn_start")
    assert present == [1, 1, 0]


@pytest.mark.parametrize(
    ("system", "dice", "redirected"), [("intercept-i", (3, 5), 8), ("intercept-ii", (3, 5), 10)]
)
def test_intercept_costs_nothing_in_sanctuary(table, system, dice, redirected):
    """Up to 2d6 is redirected, and 2 more with Intercept II; D25: whichever is owned."""
    tank = table("the-tank", f"system/{system}", "system/sanctuary")
    energy = tank["energy"]
    run = tank.use(f"system/{system}", "reaction", *dice)
    assert f"Up to {redirected} of" in run.steps[-1].text
    assert tank["energy"] == energy - 1
    tank.use("system/sanctuary", "instant")
    tank.use(f"system/{system}", "reaction", *dice)
    assert tank["energy"] == energy - 1


def test_supercharge_restores_energy_and_2_bones(table):
    healer = table("the-healer", "system/supercharge")
    healer.change("energy", -4)
    healer.change("bones", -3)
    bones = healer["bones"]
    healer.use("system/supercharge", "action")
    assert healer["energy"] == healer["max_energy"]
    assert healer["bones"] == bones + 2
    assert healer.under("supercharge") == 1


def test_supercharge_for_others_leaves_the_healer_as_it_is(table):
    healer = table("the-healer", "system/supercharge")
    healer.change("energy", -4)
    energy = healer["energy"]
    healer.use("system/supercharge", "action", yourself=0)
    assert (healer["energy"], healer.under("supercharge")) == (energy, 0)


def test_look_out_costs_energy_only_if_the_other_dodges(table):
    unit = table("the-tank", "system/look-out")
    energy = unit["energy"]
    unit.use("system/look-out", "instant", dodges=0)
    assert unit["energy"] == energy
    unit.use("system/look-out", "instant")
    assert unit["energy"] == energy - 1
    unit.change("energy", -99)
    with pytest.raises(RuleRefusal, match="1 Energy of yours"):
        unit.use("system/look-out", "instant")


def test_move_carefully_lasts_until_the_next_turn_starts(table):
    unit = table("the-tank", "system/move-carefully")
    unit.use("system/move-carefully", "action")
    unit.passes("turn_end")
    assert unit.under("moving-carefully") == 1
    unit.passes("turn_start")
    assert unit.under("moving-carefully") == 0


# ------------------------------------------------------------------ ammo


@pytest.mark.parametrize(
    ("weapon", "key", "shot", "held", "after"),
    [
        ("equipment/auto-rifle", "Reload", 3, 3, 3),
        ("equipment/standard-pistol", "Reload", 2, 3, 3),
        ("equipment/sonic-rifle", "Reload", 1, 2, 2),
        ("equipment/plasma-cannon", "Reload", 3, 3, 1),  # 1 at a time
        ("special-weapon/minigun", "Reload", 1, 1, 1),
        ("special-weapon/pistol", "Reload#2", 3, 3, 3),  # an Instant with Training
    ],
)
def test_reloading(table, weapon, key, shot, held, after):
    unit = table("the-lancer", weapon)
    path = weapon.partition("/")[2]
    assert unit.ammo(path) == held  # what is gained is full
    holding = unit.state.holding(path)
    unit.state, real = play_state.change_capacity(
        unit.state, holding, holding.entity.capacities[0], -shot
    )
    assert real == -shot
    unit.use(weapon, key)
    assert unit.ammo(path) == after


def test_every_reload_of_the_book_restores_ammo(capital):
    """Wherever an Action says so, it does so: 1, or all (a Pistol is the Standard Pistol, D01)."""
    found = [
        (entity.id, action.text, [step.by and step.by.constant for step in action.does])
        for entity in capital.entities.values()
        for action in entity.actions
        if action.text.startswith("Restore ")
    ]
    assert len(found) == 18
    for name, text, by in found:
        assert by == ([1] if "1 Ammo" in text else [None]), name


def test_a_crits_damage_is_what_its_effect_says(capital):
    """+2 for a one-handed blade or a spear, +4, +6 for a sniper, +10 and +12 on vehicles."""
    crits = {
        entity.id: attack.crit
        for entity in capital.entities.values()
        for attack in entity.attacks
        if attack.crit is not None
    }
    assert len(crits) == 10
    for name, crit in crits.items():
        [said] = re.findall(r"\+(\d+) damage", crit.effect)
        assert crit.damage == int(said), name


# ------------------------------------------------------------------ gear


def test_two_hands_and_a_third_with_the_limb(make):
    """Two-handed things take two hands."""
    one = Table(make("the-tank", 1, {"asset": "augmentation/slots"}).state)
    assert gear.hand_count(one.state) == 2
    other = Table(make("the-tank", 1, {"asset": "augmentation/limb"}).state)
    assert gear.hand_count(other.state) == 3
    path = other.gain("equipment/simple-club-longsword")
    assert gear.hands_needed(other.state, other.state.holding(path)) == 2
    assert gear.free_hands(other.state) == 1
    other.gain("equipment/torch")
    assert gear.free_hands(other.state) == 2


def test_a_whip_is_no_use_for_it_without_training(table):
    with pytest.raises(RuleRefusal, match="requires Training"):
        table("the-tank", "equipment/primitive-whip").use("equipment/primitive-whip", "Grapple")


@pytest.mark.parametrize(
    ("role", "item", "strength", "weight"),
    [
        ("the-tank", "equipment/simple-warhammer", 5, 6),
        ("the-tank", "equipment/simple-warhammer", 6, None),
        ("the-tank", "equipment/simple-club-longsword", 5, None),  # not Heavy
        ("the-healer", "equipment/minigun", 5, 6),
        ("the-healer", "special-weapon/minigun", 5, None),  # Heavy unless you have Training
        ("the-healer", "equipment/plasma-cannon", 0, None),  # D49: no limit from its +1
    ],
)
def test_what_is_too_heavy(table, role, item, strength, weight):
    unit = table(role)
    unit.set("str", strength)
    path = unit.gain(item)
    holding = unit.state.holding(path)
    found = gear.too_heavy(unit.state, holding)
    assert (found and found[1]) == weight


def test_an_attached_weapon_takes_no_hand(make):
    answers = {
        "asset": "augmentation/weapon",
        "asset.augmentation.weapon": "equipment/simple-warhammer",
    }
    unit = make("the-tank", 1, answers).state
    attached = [
        holding
        for holding in unit.holdings
        if holding.entity.id == "equipment/simple-warhammer" and gear.is_attached(unit, holding)
    ]
    assert [gear.hands_needed(unit, holding) for holding in attached] == [0]


@pytest.mark.parametrize(
    ("size", "price"),
    [("1-man", 50), ("2-man", 70), ("3-man", 80), ("4-man", 100), ("6-man", 140), ("8-man", 200)],
)
def test_a_tent_costs_by_its_size(table, size, price):
    unit = table()
    tent = unit.state.ruleset.entity("equipment/tent")
    state = gain(unit.state, tent, "bought", "test", answers={"size": size})
    assert gear.price(state, tent, "bought") == price
