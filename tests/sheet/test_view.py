"""The sheet view of known characters, figure by figure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given as over, strategies as st

from charforge.character import state_changes
from charforge.character.files.events import Override
from charforge.describe.entities import attack_texts
from charforge.expressions.template import Span, plain_text, player_text
from charforge.replay.decision_walk import Overridden
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character, Start, replay
from charforge.rules.loading.loader import available, load
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import blank_view, build, view_texts
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Layout, PrintOptions
from charforge.sheet.trackers import page_trackers
from charforge.sheet.view import (
    AttackMode,
    Card,
    Item,
    RulesText,
    SheetAction,
    SheetChart,
    SheetChartRow,
    SheetView,
    Theme,
    UnitPanel,
    Weapon,
    grouped_cards,
    shared_rules,
    usual_facts,
    without_shared,
)
from tests.samples import law
from tests.sheet.conftest import Make, given, made

TRAINED = 2


def total(character: Character, name: str) -> int:
    return character.state.values().total(name)


def weapon(view: SheetView | UnitPanel, start: str) -> Weapon:
    return next(one for one in view.weapons if one.name.startswith(start))


def attack(view: SheetView | UnitPanel, start: str) -> AttackMode:
    return weapon(view, start).attacks[0]


def card(view: SheetView, name: str) -> Card:
    return next(one for one in view.cards if one.name.startswith(name))


def test_a_tanks_club(make: Make) -> None:
    tank = make(role="role/the-tank", role__weapon="equipment/simple-club-longsword",
                role__weapon__damage="blunt", asset="augmentation/limb")  # fmt: skip
    club = weapon(build(tank), "Simple Club/Longsword")
    assert club.name == "Simple Club/Longsword"
    [line] = club.attacks
    assert line.roll == f"+{total(tank, 'str') + TRAINED}"
    assert line.made_of == f"STR\xa0{total(tank, 'str')} + Training\xa02"
    assert (line.range, line.versus, line.damage, line.types) == ("Melee", "STR", "12", "Blunt")
    assert club.notes == ("Two-handed",)
    assert line.extras == ("Crit 4: +4 damage",)
    assert line.unmet == ()


def test_what_one_is_not_trained_with_adds_nothing(make: Make) -> None:
    captain = given(
        make(role="role/the-captain", asset="companion/drone"), "equipment/standard-pistol"
    )
    view = build(captain)
    line = attack(view, "Standard Pistol")
    assert line.roll == f"+{total(captain, 'vsn')}"
    assert weapon(view, "Standard Pistol").notes == ("no Training",)
    assert line.types == "not chosen yet"
    pistol = next(item for item in view.items if item.name == "Standard Pistol")
    assert [(a.label, a.unmet) for a in pistol.actions] == [
        ("Action", ()),
        ("Instant", ("Requires Training",)),
    ]


def test_an_attack_that_requires_training_says_so(make: Make) -> None:
    bare = make(role="role/the-captain", asset="companion/drone")
    shield = attack(build(given(bare, "equipment/primitive-shield")), "Primitive Shield")
    assert shield.unmet == ("Requires Training",)
    sniper = attack(build(given(bare, "equipment/sniper-rifle")), "Sniper Rifle")
    assert sniper.unmet == ()
    assert "Crit 5: +6 damage (Requires Training)" in sniper.extras


def test_unarmed_speaks_of_no_training_for_there_is_none(make: Make) -> None:
    unarmed = weapon(build(make()), "Unarmed")
    assert unarmed.notes == ()
    assert unarmed.shared.types == "Blunt or Sharp"


def test_a_shield_has_only_the_attack_that_its_hands_make(make: Make) -> None:
    for hands, damage in (("one-handed", "8"), ("two-handed", "10")):
        shield = make(asset="special-weapon/shield", asset__weapon__hands=hands)
        assert [one.damage for one in weapon(build(shield), "Shield").attacks] == [damage]


def test_shots_ammo_and_a_second_range(make: Make) -> None:
    scout = make(role="role/the-scout", role__weapon="equipment/precision-rifle",
                 asset="augmentation/limb")  # fmt: skip
    rifle = weapon(build(scout), "Precision Rifle")
    first, second = rifle.attacks
    assert (first.range, first.damage, first.damage_note) == ("50\xa0m", "12", "4 Shots × 3")
    assert (second.range, second.damage, second.damage_note) == ("100\xa0m", "9", "3 Shots × 3")
    assert [(one.label, one.max, one.pieces) for one in rifle.capacities] == [("Ammo", 4, 1)]
    # A tick of its boxes is one Ammo, which need not be said again.
    assert first.extras == ()


def test_dice_of_shots_stand_in_brackets(make: Make) -> None:
    line = attack(build(make(asset="special-weapon/minigun")), "Minigun")
    assert (line.damage, line.damage_note) == ("3d6\xa0+\xa04", "1 per Shot")


def test_a_weapon_of_the_body_is_one_thing_with_its_augmentation(make: Make) -> None:
    healer = make(role="role/the-healer", asset="augmentation/weapon",
                  asset__augmentation__weapon="equipment/simple-dagger")  # fmt: skip
    view = build(healer)
    assert attack(view, "Simple Dagger").roll == f"+{total(healer, 'str') + TRAINED}"
    assert card(view, "Augmentation: Weapon").name == "Augmentation: Weapon (Simple Dagger)"


def test_a_text_carries_the_characters_own_figure(make: Make) -> None:
    healer = make(level=2, role="role/the-healer", asset="augmentation/limb",
                  level__2__systems=["system/jury-rig"])  # fmt: skip
    knw = total(healer, "knw")
    rig = card(build(healer), "Jury-rig").actions[0]
    figure = {0: "1d6"}.get(knw - 5) or f"1d6\xa0{'+' if knw > 5 else '−'}\xa0{abs(knw - 5)}"
    assert Span(figure, bold=True) in rig.text.full[0].spans
    assert plain_text(rig.trigger) == "At any time"


def test_a_card_says_what_it_costs_and_how_often(make: Make) -> None:
    captain = make(level=3, role="role/the-captain", asset="augmentation/limb")
    view = build(captain)
    order = card(view, "That's an Order I")
    assert order.subtitle[:2] == ("Support", "The Captain")
    assert [(chip.kind, chip.text, chip.box) for chip in order.actions[0].chips] == [
        ("limit", "Once per turn", False),
        ("cooldown", f"Cooldown {'3+' if 'II' in order.name else '4+'}", True),
        ("cost", "1\xa0Energy", False),
    ]
    assert not any(chip.ticked for chip in order.actions[0].chips)
    held = next(one for one in captain.state.holdings if one.name == order.name)
    state = state_changes.start_cooldown(captain.state, held, held.entity.actions[0])
    replaced = replace(captain, state=state)
    resting = card(build(replaced), order.name).actions[0]
    assert [chip.kind for chip in resting.chips if chip.ticked] == ["cooldown"]
    marks = [render_html(found).count("<title>ticked</title>") for found in (view, build(replaced))]
    assert marks == [0, 1]
    rally = card(view, "Rally")
    assert rally.actions[0].chips[0].text == "Signature"
    assert rally.actions[1].who == "Units with the Rally effect"


def test_what_is_used_up_is_marked_wherever_its_boxes_stand(make: Make) -> None:
    healer = make(
        role="role/the-healer", outfits=["everyday", "everyday"], asset="special-weapon/pistol"
    )
    state = healer.state
    for name, number, by in (("Primitive first aid kit", 0, 4), ("Pistol", 0, 2)):
        held = next(one for one in state.holdings if one.name.startswith(name))
        state, real = state_changes.change_capacity(
            state, held, held.entity.capacities[number], -by
        )
        assert real == -by
    spent = build(replace(healer, state=state))
    kit = next(item for item in spent.items if item.name == "Primitive first aid kit")
    assert [(one.label, one.used, one.left) for one in kit.capacities] == [
        ("Large Bandages", (4, 0), 8), ("Small Bandages", (), 24),
    ]  # fmt: skip
    assert [one.used for one in weapon(spent, "Pistol").capacities] == [(2,)]
    pages = [render_html(found) for found in (build(healer), spent)]
    assert [page.count(" used</title>") for page in pages] == [0, 2]
    assert pages[1].count("3 boxes for Pistol: Ammo, 2 used") == 1
    checked = render_html(spent, PrintOptions(fillable=True)).count(' checked=""')
    assert (
        checked - render_html(build(healer), PrintOptions(fillable=True)).count(' checked=""') == 6
    )


def test_cards_come_in_the_order_of_the_timings(make: Make, capital: Ruleset) -> None:
    order = [timing.id for timing in capital.head.timings]
    view = build(make(level=10))
    places = [order.index(one.timing) if one.timing else len(order) for one in view.cards]
    assert places == sorted(places)
    assert len(set(places)) > 1


def test_a_choice_is_part_of_the_name(make: Make) -> None:
    chosen = {
        "asset.augmentation.attribute": "cha",
        "level.2.systems": ["system/damage-resist"],
        "level.2.systems.damage-resist.damage": "heat",
    }
    tank = make(level=2, role="role/the-tank", asset="augmentation/attribute", **chosen)
    view = build(tank)
    assert card(view, "Damage Resist").name == "Damage Resist (Heat)"
    assert card(view, "Augmentation").name == "Augmentation: Attribute (CHA)"


def test_equal_things_are_one_line(make: Make) -> None:
    healer = make(
        role="role/the-healer", outfits=["everyday", "everyday"], asset="augmentation/limb"
    )
    items = {item.name: item for item in build(healer).items}
    assert items["Clothing (Everyday)"].quantity == 2
    kit = items["Primitive first aid kit"]
    assert kit.quantity == 2
    assert [(one.label, one.max, one.pieces) for one in kit.capacities] == [
        ("Large Bandages", 6, 2),
        ("Small Bandages", 12, 2),
    ]


def test_vitals_halves_and_what_is_no_vital(make: Make) -> None:
    character = make(money=321)
    view = build(character)
    hp, energy, bones, grit = view.vitals
    assert (hp.max, hp.half) == (total(character, "max_hp"), -(-total(character, "max_hp") // 2))
    assert (energy.half, bones.half) == (None, None)
    assert (grit.label, grit.max) == ("Grit", None)
    assert [(store.label, store.text) for store in view.stores] == [("Money", "321\xa0mC")]


def test_a_vital_that_starts_at_its_maximum_has_that_many_boxes(
    diver: Callable[..., LoadedCharacter],
) -> None:
    """Breath starts full; chill starts at 0, below its maximum."""
    breath, chill = build(diver().character).vitals
    assert (breath.max, chill.max) == (breath.current, None)


def test_slots_stand_with_what_is_used_of_them(make: Make) -> None:
    view = build(make(level=2, level__2__systems=["system/healthy"]))
    assert [(one.label, one.text) for one in view.figures] == [("Slots", "2 of 2")]


@pytest.mark.parametrize(
    ("role", "accent", "key"),
    [
        ("the-scout", ("#b4281e", "#ff9a8f", "triangle"), {"agi"}),
        ("the-captain", ("#0b6e63", "#7fd6c8", "cross"), {"cha"}),
        ("the-tank", ("#2456a6", "#9dc0f5", "shield"), {"str"}),
    ],
)
def test_the_role_gives_the_accent_and_marks_its_attributes(
    make: Make, role: str, accent: tuple[str, str, str], key: set[str]
) -> None:
    view = build(make(role=f"role/{role}"))
    assert view.theme == Theme(*accent, header="plate", ornament="none")
    assert {one.id for one in view.attributes if one.key} == key


@pytest.mark.parametrize("ruleset", sorted(available()))
def test_a_sheet_has_the_colours_of_its_game(ruleset: str) -> None:
    rules = load(ruleset)
    plain = blank_view(rules).theme
    spec = rules.head.theme
    assert plain == Theme(
        spec.accent.colour, spec.accent.on_dark, spec.accent.mark, spec.header, spec.ornament
    )
    page = render_html(blank_view(rules), PrintOptions("full"))
    assert f"--edge-accent: {plain.colour};" in page
    assert f"--edge-accent: {plain.on_dark};" in page, "on dark screens"
    grey = render_html(blank_view(rules), PrintOptions("full", styles=frozenset({"grey"})))
    assert "--edge-accent: #444444;" in grey


def test_a_vehicle_attacks_with_its_owners_scores(make: Make) -> None:
    owner = make(asset="vehicle/tank", asset__vehicle__weapon="laser")
    (tank,) = build(owner).units
    gun = attack(tank, "Laser Tank Gun")
    assert gun.roll == f"+{total(owner, 'vsn') + TRAINED}"
    assert gun.extras[:2] == ("Operator", "2\xa0Energy")
    ram = attack(tank, "Giant Wheels")
    assert (ram.name, ram.roll, ram.made_of) == (
        "Ramming Speed",
        "+9",
        "Fixed\xa07 + Training\xa02",
    )
    assert [(one.label, one.text) for one in tank.figures] == [("Slots", "5 of 5")]
    assert {fact.label: fact.text for fact in tank.facts}["Passengers"] == "3"
    assert tank.attributes == ()
    assert tank.empty_slots == 0


def test_a_companion_has_its_own_scores_and_shares_energy(make: Make) -> None:
    owner = make(level=4, asset="companion/sky-beast",
                 asset__companion__array={"str": 6, "ftd": 5, "agi": 5, "cha": 4})  # fmt: skip
    (beast,) = build(owner).units
    assert beast.level == 4
    assert {one.id: one.total for one in beast.attributes}["vsn"] == 6
    assert attack(beast, "Sky Beast").roll == "+6"
    assert "it can go 5\xa0m further" in plain_text(beast.text)
    assert {vital.id: vital.shared for vital in beast.vitals} == {
        "hp": False, "bones": False, "energy": True
    }  # fmt: skip


def test_the_story_tells_names_and_own_words(make: Make) -> None:
    captain = make(
        role="role/the-captain", role__symbol="A silver cord", personality__ideal="ideal/honour",
        personality__flaw="I hum *all* the time.", story__further="",
    )  # fmt: skip
    parts = {part.id: part for part in build(captain).story}
    assert parts["personality.ideal"].answers[0].name == "Honour"
    assert plain_text(parts["personality.ideal"].answers[0].text)
    assert parts["personality.flaw"].answers[0].name == "I hum *all* the time."
    assert parts["story.further"].answers == ()
    assert plain_text(parts["role.symbol"].answers[0].text) == "A silver cord"
    assert [parts[name].form for name in ("strengths", "personality.goal", "story.origin")] == [
        "many", "one", "text"
    ]  # fmt: skip
    assert [parts[name].label for name in ("strengths", "personality.goal", "story.origin")] == [
        "Strengths", "Goal", "Origin"
    ]  # fmt: skip


def test_the_reference_explains_what_is_mentioned_and_no_more(make: Make) -> None:
    scout = build(make(role="role/the-scout", role__weapon="equipment/simple-dagger",
                       asset="augmentation/limb", innate=[]))  # fmt: skip
    names = {entry.name for entry in scout.reference}
    assert {"Focus", "Cooldown", "Grit", "Dying", "Block"} <= names
    assert not {"Vehicles", "Companion", "Regeneration", "Flying"} & names
    entries = [entry.name for entry in scout.reference]
    always = ["Attribute Check", "Modifying a Roll", "Dying", "Grit"]
    assert entries == always + sorted(entries[len(always) :], key=str.casefold)
    assert [entry.name for entry in scout.conditions] == [
        "Prone", "Grappled", "Taunted", "Critical Condition", "Dead"
    ]  # fmt: skip
    assert not {"Prone", "Grappled", "Taunted"} & names


def test_a_rest_is_explained_with_ones_own_figures(make: Make) -> None:
    healer = make(role="role/the-healer", level=2, level__2__systems=["system/clear-mind"],
                  asset="augmentation/limb")  # fmt: skip
    healer = given(healer, "system/jury-rig")
    rests = {entry.name: plain_text(entry.text.full) for entry in build(healer).reference}
    assert f"1d6\xa0+\xa0{total(healer, 'ftd')} HP" in rests["Long Break"].replace("\xa0HP", " HP")


def test_only_table_rules_that_differ_are_told(make: Make) -> None:
    assert build(make()).table_rules == ()
    (rule,) = build(make(rules={"cooldown": "or_less"})).table_rules
    assert "X or less" in rule.text


def test_an_unfinished_character_is_shown_with_what_is_missing(capital: Ruleset) -> None:
    empty = build(replay(capital, {}, Start("Nobody")))
    assert "Not answered yet: Role" in empty.problems
    assert empty.headline == ()
    broken = build(replay(capital, {"role": "role/nobody"}, Start("Nobody")))
    assert any("role/nobody" in problem for problem in broken.problems)


def test_another_game_needs_nothing_of_the_first(toy: Ruleset) -> None:
    keeper = made(toy, treasure=next(e.id for e in toy.of_kind("boat")))
    view = build(keeper)
    assert view.ruleset == "The Long Light"
    assert view.attack_rules is None
    assert [part.id for part in view.story][:2] == ["story", "superstition"]
    (boat,) = view.units
    assert {"Hull", "Load"} <= {fact.label for fact in boat.figures}


seeds = st.integers(0, 10**6).map(str)


@law(few=10)
@over(seed=seeds, level=st.integers(1, 10))
def test_everything_held_is_shown_and_nothing_is_unresolved(
    capital: Ruleset, seed: str, level: int
) -> None:
    character = made(capital, seed, level)
    view = build(character)
    shown = "\n".join(view_texts(view))
    assert "{" not in shown
    assert "}" not in shown
    assert "not chosen yet" not in shown
    assert view.problems == ()
    for holding in character.state.holdings:
        assert holding.entity.name in shown


@law(few=10)
@over(seed=seeds)
def test_every_game_has_a_sheet(toy: Ruleset, seed: str) -> None:
    keeper = made(toy, seed)
    view = build(keeper)
    shown = "\n".join(view_texts(view))
    for holding in keeper.state.holdings:
        assert holding.entity.name in shown


@law(few=10)
@over(seed=seeds, level=st.integers(1, 10))
def test_the_roll_is_what_it_is_made_of(capital: Ruleset, seed: str, level: int) -> None:
    view = build(made(capital, seed, level))
    for holder in (view, *view.units):
        for line in (attack for one in holder.weapons for attack in one.attacks):
            parts = [
                int(part.replace("−", "-").split("\xa0")[-1]) for part in line.made_of.split(" + ")
            ]
            assert int(line.roll.replace("−", "-")) == sum(parts)


def test_a_unit_says_once_what_it_is() -> None:
    """The kind of a squad's member has the name of its entity."""
    view = build(made(load("squad-d20"), "x0"))
    assert {unit.kind for unit in view.units} == {"Squad member"}
    page = render_html(view, PrintOptions())
    assert "Squad member, Squad member" not in page
    # A game without levels has none to show; several figures stand in one strip.
    assert 'class="rank"' not in page
    assert 'class="figure"' not in page


def test_every_text_has_a_digest_or_is_its_own(make: Make) -> None:
    """The digest of a part is shown where there is little room, with the character's figures."""
    view = build(given(make(role="role/the-tank"), "equipment/personal-communicator"))
    item = next(one for one in view.items if one.name == "Personal Communicator")
    assert 0 < len(plain_text(item.text.digest)) < len(plain_text(item.text.full)) / 2
    assert "100\xa0m" in plain_text(item.text.digest)
    texts = [*view.cards, *view.items, *view.actions, *view.conditions, *view.reference]
    for part in (*texts, *(action for one in texts for action in one.actions)):
        assert bool(part.text.digest) == bool(part.text)
    assert any(entry.text.short != () for entry in view.reference)


def test_gear_is_grouped_by_where_it_is(make: Make) -> None:
    """In hand before all, then as the ruleset groups it; each item once."""
    scout = make(role="role/the-scout", role__weapon="equipment/simple-dagger", innate=[],
                 asset="vehicle/bike")  # fmt: skip
    packed = replace(scout, state=scout.state.with_changes(in_hand={}))
    groups = dict(build(packed).gear_groups)
    assert list(groups) == ["Weapons", "Worn", "Consumables", "Packed"]
    assert next(item.name for item in groups["Weapons"]) == "Simple Dagger"
    assert any(item.name.startswith("Clothing") for item in groups["Worn"])
    assert [one.label for item in groups["Consumables"] for one in item.capacities] == [
        "Large Bandages", "Small Bandages"
    ]  # fmt: skip
    groups = dict(build(scout).gear_groups)
    assert [item.name for item in groups["In hand"]] == ["Simple Dagger"]
    assert "Weapons" not in groups
    items = [item for group in groups.values() for item in group]
    assert [item.name for item in items] == [item.name for item in build(scout).items]


def test_what_several_items_say_is_printed_once(make: Make) -> None:
    scout = make(role="role/the-scout", role__weapon="equipment/simple-dagger", innate=[],
                 asset="vehicle/bike")  # fmt: skip
    for weapon in ("pistol", "rifle", "sniper-rifle"):
        scout = given(scout, f"special-weapon/{weapon}")
    view = build(scout)
    reload = next(rule for rule in view.gear_rules if rule.action and rule.action.name == "Reload")
    assert len(reload.names) > 1
    items = [without_shared(item, view.gear_rules, view.gear_facts) for item in view.unlisted_items]
    assert reload.action not in [action for item in items for action in item.actions]
    page = render_html(view)
    assert page.count("Restore all <") + page.count("Restore all Ammo") <= 2


def test_a_sheet_leaves_out_what_the_game_says_is_usual(make: Make) -> None:
    scout = make(role="role/the-scout")
    for thing in ("torch", "advanced-first-aid-kit"):
        scout = given(scout, f"equipment/{thing}")
    view = build(scout)
    facts = {item.name: item.facts for item in view.unlisted_items}
    assert facts["Torch"] == ()
    assert facts["Advanced first aid kit"] == ("Rarity: Rare",)
    assert "Rarity: Common" not in render_html(view)


GEAR = st.builds(
    Item,
    name=st.sampled_from("abc"), quantity=st.just(1), category=st.sampled_from("xy"),
    facts=st.lists(st.sampled_from(["Rarity: Common", "Rarity: Rare", "Heavy"]), max_size=2)
    .map(tuple),
    text=st.sampled_from(["", "One.", "Two."]).map(lambda text: RulesText(player_text(text))),
    capacities=st.just(()), actions=st.just(()),
)  # fmt: skip


@over(st.lists(GEAR, max_size=8))
def test_nothing_is_lost_when_it_is_printed_once(items: list[Item]) -> None:
    shared, usual = shared_rules(items), usual_facts(items)
    own = [without_shared(item, shared, usual) for item in items]
    assert [item.name for item in own] == [item.name for item in items]
    said = [(item.name, item.text.digest) for item in own if item.text]
    said += [(name, rule.text) for rule in shared for name in rule.names]
    assert sorted(said, key=str) == sorted(
        ((item.name, item.text.digest) for item in items if item.text), key=str
    )
    texts = [text for _name, text in {(None, item.text.digest) for item in own if item.text}]
    assert not {*texts} & {rule.text for rule in shared}
    for category, fact in usual:
        of = [item for item in items if item.category == category]
        assert all(any(f.startswith("Rarity: ") for f in item.facts) for item in of)
        assert sum(fact in item.facts for item in of) > 1


def test_gear_without_places_is_under_its_label(toy: Ruleset) -> None:
    view = build(made(toy))
    assert view.gear_groups == tuple(
        (label, items) for label, items in view.item_groups if not items[0].listed
    )


def test_what_breaks_a_rule_with_permission_is_marked_where_it_is_shown(
    make: Make, capital: Ruleset
) -> None:
    scout = make(role="role/the-scout")
    state = scout.state
    role = next(h for h in state.holdings if h.entity.kind == "role")
    allowed = state.with_changes(
        allowed=frozenset({role.id}), allowed_values=frozenset({("character", "max_hp")})
    )
    goal = Overridden("personality.goal", Override(by="GM", reason="fun"), ("not listed",))
    marked = build(replace(scout, state=allowed, overridden=(goal,)))
    assert marked.headline[0].name == "The Scout †"
    assert [vital.id for vital in marked.vitals if vital.after] == ["hp"]
    assert [part.label for part in marked.story if "†" in part.label] == ["Goal †"]
    assert "†" not in "".join(view_texts(build(scout)))


def test_a_resource_among_the_figures_is_printed_once(dug: Callable[..., Ruleset]) -> None:
    figures = ("ruleset.yaml", "  story: [find]", "  story: [find]\n  figures: [coins, load]")
    digger = build(made(dug(figures)))
    assert [fact.label for fact in digger.figures] == ["Load"]
    assert "Coins" in [fact.label for fact in digger.stores]


@pytest.mark.parametrize("layout", ["full", "short"])
def test_only_money_is_under_the_heading_of_the_equipment(
    dug: Callable[..., Ruleset], layout: Layout
) -> None:
    digger = build(made(dug()))
    assert ([fact.label for fact in digger.counters], [fact.label for fact in digger.purse]) == (
        ["XP"],
        ["Coins"],
    )
    page = render_html(digger, PrintOptions(layout))
    places = [page.rindex(f">{word}<") for word in ("Counters", "Equipment")]
    stores = [re.search(rf"<(?:b|span)>{label}[ <]", page) for label in ("XP", "Coins")]
    (experience, coins) = [found.start() for found in stores if found is not None]
    assert places[0] < experience < places[1] < coins


def test_a_value_with_the_id_of_the_field_that_it_adds_up_is_among_the_figures(
    dug: Callable[..., Ruleset],
) -> None:
    digger = build(
        made(
            dug(
                ("ruleset.yaml", "  story: [find]", "  story: [find]\n  figures: [bulk, pockets]"),
                ("ruleset.yaml", "{id: load, label: Load, name", "{id: bulk, label: Load, name"),
                ("ruleset.yaml", "load: {total_of: bulk}", "bulk: {total_of: bulk}"),
                ("ruleset.yaml", "number: load, at_most", "number: bulk, at_most"),
                ("ruleset.yaml", "You carry {load};", "You carry {bulk};"),
            )
        )
    )
    assert [fact.label for fact in digger.figures] == ["Load", "Pockets"]


def test_the_first_round_is_explained_below_the_conditions(make: Make) -> None:
    """The text is the game's."""
    beginner = build(make(level=1, role="role/the-lancer", asset="special-weapon/rifle"))
    assert [line.label for line in beginner.primer] == [
        "What you roll", "What you may do", "What hurts"
    ]  # fmt: skip
    html = render_html(beginner)
    assert html.index('class="strip"') < html.index('class="primer"') < html.index("Attacks</bdi>")
    assert "<strong>2</strong> of these on your turn" in html
    for options in (PrintOptions(styles=frozenset({"large-print"})), PrintOptions(primer=False)):
        assert 'class="primer"' not in render_html(beginner, options)
    assert 'class="primer"' not in render_html(beginner._replace(primer=()))


def test_a_table_that_repeats_entries_is_left_out(toy: Ruleset) -> None:
    """On a full sheet; a table by itself, such as of a reference, is whole."""
    view = build(made(toy))
    entries = [
        entry._replace(name=name) for entry, name in zip(view.reference[:1] * 3, "ABC", strict=True)
    ]

    def chart(*rows: str) -> SheetChart:
        return SheetChart(
            "c", "Chart", (), "", ("X",), tuple(SheetChartRow(r, ("1",)) for r in rows)
        )

    view = view._replace(reference=tuple(entries), charts=(
        chart("A", "B"), chart("A", "B", "1"), chart("A", "1", "2"), chart("1"),
    ))  # fmt: skip
    rows = [[row.heading for row in one.rows] for one in view.charts_beside_entries]
    assert rows == [["1"], ["A", "1", "2"], ["1"]]


def test_a_chart_is_wide_by_its_columns_and_words() -> None:
    def chart(columns: int, word: str) -> SheetChart:
        row = SheetChartRow("1", (word,) * columns)
        return SheetChart("c", "Chart", (), "", ("X",) * columns, (row,))

    words = ("less", "than a few words in it")
    wide = [[chart(columns, word).is_wide for word in words] for columns in (4, 5)]
    assert wide == [[False, False], [False, True]]


def test_an_action_that_is_a_mode_of_a_weapon_is_in_its_row(toy: Ruleset) -> None:
    view, text = build(made(toy)), RulesText(((Span("Hold your breath."),),))
    weapon = Weapon(
        "Rifle", (), (), (AttackMode("Aim", text=text), AttackMode("Rush")), AttackMode()
    )
    named = [view.reference[0]._replace(name=name) for name in ("Aim", "Rush", "Rest")]
    view = view._replace(actions=tuple(named), weapons=(weapon,))
    assert [entry.name for entry in view.actions_beside_attacks] == ["Rush", "Rest"]


def test_equipment_that_is_only_names_is_a_line_of_boxes(toy: Ruleset) -> None:
    """Names that the attacks have are not repeated, if there is nothing to say of them."""
    item = Item("Rifle", 1, "", (), RulesText(), (), ())
    action = SheetAction("", "action", "Action", (), (), "", RulesText((), ()), ())
    two = [
        item._replace(actions=(action,)),
        item._replace(name="Rope", quantity=2, actions=(action,)),
    ]
    view = build(made(toy))._replace(weapons=(Weapon("Rifle", (), (), (), AttackMode()),))

    def gear(*items: Item) -> SheetView:
        return view._replace(items=items)

    assert gear(item).gear_names == ("Rifle",)
    assert not gear(item).adds_equipment
    assert gear(*two).gear_names == ("Rifle", "2 × Rope")
    assert gear(*two).adds_equipment
    assert gear(item, item._replace(name="Rope")).adds_equipment
    assert gear(item._replace(facts=("Rarity: Rare",))).gear_names == ()
    assert gear(item._replace(facts=("Rarity: Rare",))).adds_equipment


def test_abilities_that_are_used_alike_share_a_frame_and_lose_nothing() -> None:
    """Their first words are printed once, and each of their texts goes on from there."""
    squad = made(load("squad-d20"), "m")
    view = build(squad)
    groups = grouped_cards(view.cards)
    shared = [group for group in groups if len(group.cards) > 1]
    assert len(shared) > 1
    said = []
    for group in groups:
        lead = f"{group.lead}: " if group.lead else ""
        for card in group.cards:
            said += [(card.name, lead + str(action.text.full[0])) for action in card.actions]
    assert sorted(said) == sorted(
        (card.name, str(action.text.full[0])) for card in view.cards for action in card.actions
    )
    for page in (render_html(view), render_html(view, play=page_trackers(squad, "c1", ()))):
        assert all(page.count(f">{group.lead}:<") == 1 for group in shared)


def test_abilities_with_the_same_rules_are_printed_once_with_all_their_names(
    toy: Ruleset,
) -> None:
    text = RulesText(player_text("You are hard to hit."))
    first = Card("card/first", "First", ("Talent",), "", "", text, (), ())
    same = [first._replace(id="card/second", name=name) for name in ("Second", "First")]
    other = first._replace(id="card/other", name="Other", subtitle=("Skill",))
    cards = (first, other, *same)
    assert [one.titles for one in grouped_cards(cards)] == [("2 × First", "Second", ""), ("Other",)]
    view = build(made(toy))._replace(cards=cards)
    for layout in ("full", "short"):
        html = render_html(view, PrintOptions(layout, measured=True))
        assert html.count("You are hard to hit.") == 2
        assert "2 × First, Second" in re.sub(r"<[^>]*>", "", html)
    assert re.findall(r' id="ability-(\d)"', html) == ["1", "2", "3", "4"]


def test_a_property_of_a_weapon_is_printed_while_it_holds() -> None:
    """Each weapon of this character has the default figures, which are zero."""
    ruleset = load("squad-d20")
    texts = " ".join(view_texts(build(made(ruleset, "m"))))
    assert "Penetration 0" not in texts
    assert "Rending 0" not in texts
    rifle = ruleset.entities["weapon/ranged"]
    [attack] = attack_texts(rifle, ruleset)
    assert (
        sum(term.startswith(("Penetration", "Rending", "Hailfire")) for term in attack.terms) == 3
    )


def test_what_weapons_share_is_below_the_attacks() -> None:
    """They are no equipment beside; without the attacks they are in its section."""
    view = build(made(load("squad-d20"), "m"))
    assert [rule.action and rule.action.name for rule in view.weapon_rules] == ["Reload"]
    assert not view.adds_equipment
    page = render_html(view)
    assert page.count("The weapon is fully loaded again") == 1
    options = PrintOptions(sections=frozenset({"gear"}))
    assert render_html(view, options).count("The weapon is fully loaded again") == 1


def test_nothing_is_ticked_or_stamped_on_a_blank_sheet(rules: Ruleset) -> None:
    """Without numbers, 0 HP is no reason to be dead."""
    blank = blank_view(rules)
    assert (blank.stamp, blank.active_conditions) == ("", ())


def test_a_game_names_its_cards() -> None:
    """Without a name of their own, cards of several kinds would all be of the first one."""
    assert build(made(load("squad-d20"), "m")).cards_label == "Options"
    assert build(made(load("capital"), "m")).cards_label == "Systems"
