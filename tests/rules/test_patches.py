"""Patches: changes of a ruleset by a pack, and the places of their errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.errors import PackError
from charforge.rules.loading import loader
from charforge.rules.loading.loader import load_folder, read_folder
from charforge.rules.loading.patches import patch_paths, path_to_target
from charforge.rules.models import Patch
from charforge.rules.ruleset import Ruleset
from tests.rules.pack_files import write_pack

Amend = Callable[..., Ruleset]
HARBOUR = Path(__file__).parents[1] / "testdata" / "harbour"


@pytest.fixture
def amend(tmp_path: Path, toy_folder: Path) -> Amend:
    """Load the toy ruleset amended by packs of one page each: one, two …"""

    def load(*pages: str) -> Ruleset:
        names = ("one", "two", "three")
        folders = [write_pack(tmp_path / n, page) for n, page in zip(names, pages, strict=False)]
        return load_folder(toy_folder, folders)

    return load


def faults_of(amend: Amend, *pages: str) -> list[tuple[str, int, str, str]]:
    """Return pack, line, message and nearest name of every fault."""
    with pytest.raises(PackError) as refused:
        amend(*pages)
    return [(f.file.parent.name, f.line, f.message, f.nearest) for f in refused.value.problems]


# ------------------------------------------------------------------ every way


def test_set_replaces_a_key(amend: Amend) -> None:
    made = amend("patches: [{at: gear/oilskin, set: {price: 9, name: Oilskin coat}}]")
    oilskin = made.entities["gear/oilskin"]
    assert (oilskin.price, oilskin.name, oilskin.own["weight"]) == (9, "Oilskin coat", 2)


def test_set_gives_a_key_that_was_not_there(amend: Amend) -> None:
    made = amend("patches: [{at: charm/whistling, set: {text: It calls the wind.}}]")
    assert made.entities["charm/whistling"].text == "It calls the wind."


@pytest.mark.parametrize(
    ("change", "text", "digest"),
    [
        ("set: {text: It calls rain.}", "It calls rain.", ""),
        ("set: {digest: It calls.}", "It calls the wind.", "It calls."),
        ("set: {text: It calls rain., digest: Rain.}", "It calls rain.", "Rain."),
        ("drop: [text]", "", ""),
        ("drop: [text, digest]", "", ""),
        ("drop: [digest]", "It calls the wind.", ""),
    ],
)
def test_a_new_text_drops_the_digest_of_the_old_one(
    amend: Amend, change: str, text: str, digest: str
) -> None:
    old = "{at: charm/whistling, set: {text: It calls the wind., digest: Wind.}}"
    made = amend(f"patches: [{old}]", f"patches: [{{at: charm/whistling, {change}}}]")
    whistling = made.entities["charm/whistling"]
    assert (whistling.text, whistling.digest) == (text, digest)


def test_drop_takes_a_key_away(amend: Amend) -> None:
    made = amend("patches: [{at: habit/night-watch, drop: [requires, modifies]}]")
    night = made.entities["habit/night-watch"]
    assert (night.requires, night.modifies, night.tags) == (None, (), ("watch",))


def test_add_appends_to_a_list(amend: Amend, toy: Ruleset) -> None:
    made = amend("patches: [{at: post/boatman, add: {grants: [gear/mittens], tags: wet}}]")
    boatman = made.entities["post/boatman"]
    assert [grant.id for grant in boatman.grants] == [
        *(grant.id for grant in toy.entities["post/boatman"].grants), "gear/mittens",
    ]  # fmt: skip
    assert boatman.tags == ("shore", "wet")


def test_add_makes_a_list_where_there_was_none(amend: Amend) -> None:
    made = amend("patches: [{at: gear/candle, add: {tags: [light]}}]")
    assert made.entities["gear/candle"].tags == ("light",)


def test_add_makes_a_list_of_one_id_that_stood_alone(amend: Amend) -> None:
    made = amend("patches: [{at: gear/rope, add: {renamed_from: gear/line}}]")
    assert made.entities["gear/rope"].renamed_from == ("gear/hawser", "gear/line")


def test_remove_takes_items_by_id_or_as_they_stand(amend: Amend) -> None:
    made = amend(
        "patches:\n"
        "  - {at: post/boatman, remove: {grants: [gear/rope], tags: [shore]}}\n"
        "  - {at: [ruleset, creation, keepsakes], remove: {options: [bell]}}\n"
    )
    boatman = made.entities["post/boatman"]
    assert ([grant.id for grant in boatman.grants], boatman.tags) == (["training/signals"], ())
    keepsakes = next(step for step in made.head.creation if step.id == "keepsakes")
    assert [option.id for option in keepsakes.options] == ["compass", "tin", "spyglass"]


def test_a_path_leads_into_an_entity_and_leaves_the_rest(harbour: Ruleset, tmp_path: Path) -> None:
    """One attack's damage, one action's cost, an option of a choice: nothing else changes."""
    page = (
        "patches:\n"
        "  - {at: [gear/crossbow, attacks, 1], set: {damage: '8'}}\n"
        "  - {at: [gear/crossbow, attacks, 1, crit], set: {margin: 5}}\n"
        "  - {at: [knack/second-wind, actions, breathe, cost], set: {luck: 2}}\n"
        "  - {at: [knack/second-wind, actions, Breathe, does, 1], set: {by: 3}}\n"
        "  - {at: [gear/lantern, choices, glass, options, long], set: {price: 9}}\n"
        "  - {at: [procedures, test, inputs, vs], set: {default: 9}}\n"
    )
    made = load_folder(HARBOUR, [write_pack(tmp_path / "one", page, "harbour")])
    bow, was = made.entities["gear/crossbow"], harbour.entities["gear/crossbow"]
    (old_attack,) = was.attacks
    crit = old_attack.crit.model_copy(update={"margin": 5})
    assert bow.attacks == (old_attack.model_copy(update={"damage": "8", "crit": crit}),)
    assert bow.model_copy(update={"attacks": was.attacks}) == was
    wind, before = made.entities["knack/second-wind"], harbour.entities["knack/second-wind"]
    breathe, *others = wind.actions
    assert (str(breathe.cost["luck"]), str(breathe.does[0].by)) == ("2", "3")
    assert (breathe.text, breathe.cooldown, breathe.inputs) == (
        before.actions[0].text, before.actions[0].cooldown, before.actions[0].inputs,
    )  # fmt: skip
    assert tuple(others) == before.actions[1:]
    prices = [option.price for option in made.entities["gear/lantern"].choices[0].options]
    assert prices == [2, 9]
    assert str(made.procedures["test"].input("vs").default) == "9"


def test_every_path_of_every_entity_leads_to_its_part() -> None:
    reader, harbour = read_folder(HARBOUR)
    for entity in harbour.entities:
        written = reader.written(entity)
        for at, part in patch_paths(written, (entity,)):
            found = written
            for key in path_to_target(written, Patch(at=at, drop=("x",))):
                found = found[key]
            assert {**found, "id": ""} == {**part, "id": ""}, at


def test_a_way_leads_into_the_ruleset(amend: Amend) -> None:
    made = amend(
        "patches:\n"
        "  - {at: [ruleset, units, keeper, values, max_warmth], set: {formula: nerve + 6}}\n"
        "  - {at: [ruleset, tracks, weather, steps, mist], set: {label: Haze}}\n"
        "  - {at: [ruleset, terms], add: {signals: [{id: blue, label: Blue light}]}}\n"
        "  - {at: [ruleset, sheet], set: {figures: [reach]}}\n"
    )
    assert str(made.units["keeper"].values["max_warmth"].formula) == "nerve + 6"
    assert [step.label for step in made.head.tracks[0].steps] == ["Clear", "Haze", "Storm"]
    assert [term.id for term in made.head.terms["signals"]][-1] == "blue"
    assert made.head.sheet.figures == ("reach",)


def test_the_root_takes_whole_lists(amend: Amend) -> None:
    ways = "[{id: none, label: It stays away}, {id: thick, label: It comes}]"
    rule = f"{{id: fog, label: The fog?, default: none, options: {ways}}}"
    made = amend(f"patches: [{{at: ruleset, add: {{table_rules: [{rule}], names: [Jory Penn]}}}}]")
    assert list(made.table_rules) == ["wrecks", "fog"]
    assert made.head.names[-1] == "Jory Penn"


def test_a_ruling_can_be_patched(amend: Amend) -> None:
    made = amend("patches: [{at: [rulings, L1], set: {ruling: Whoever finds it.}}]")
    assert made.rulings["L1"].ruling == "Whoever finds it."


def test_a_procedure_and_a_chart_can_be_patched(
    tmp_path: Path, reef: Ruleset, harbour: Ruleset
) -> None:
    root = Path(__file__).parents[1] / "testdata"
    test = write_pack(
        tmp_path / "a", "patches: [{at: [procedures, test], set: {label: A trial}}]", "harbour"
    )
    assert load_folder(root / "harbour", [test]).procedures["test"].label == "A trial"
    name = next(iter(reef.charts))
    chart = write_pack(
        tmp_path / "b", f"patches: [{{at: [charts, {name}], set: {{label: Other}}}}]", "reef"
    )
    assert load_folder(root / "reef", [chart]).charts[name].label == "Other"
    assert harbour.procedures["test"].label != "A trial"


# ------------------------------------------------------------------ several packs

PRICED = "patches: [{{at: gear/oilskin, set: {{price: {}}}}}]"


def test_packs_apply_in_the_order_that_is_named(amend: Amend) -> None:
    made = amend(PRICED.format(7), PRICED.format(8))
    assert made.entities["gear/oilskin"].price == 8
    assert [pack.id for pack in made.packs] == ["one", "two"]


def test_a_pack_may_patch_what_an_earlier_one_adds(amend: Amend) -> None:
    added = "entities: [{id: gear/net, name: Net, source: Nets, price: 4}]"
    made = amend(added, "patches: [{at: gear/net, set: {price: 5}}]")
    assert made.entities["gear/net"].price == 5
    assert made.origins == {"gear/net": "one"}


def test_two_packs_cannot_add_one_id(amend: Amend) -> None:
    page = "entities:\n  - {id: gear/net, name: Net, source: Nets}\n"
    told = "gear/net already exists; to change it, write a patch"
    assert faults_of(amend, page, page) == [("two", 2, told, "")]


def test_an_alias_shows_what_was_patched(amend: Amend) -> None:
    assert amend(PRICED.format(7)).entities["gear/sou-wester"].price == 7


def test_the_order_of_packs_is_part_of_what_is_kept(
    amend: Amend, tmp_path: Path, toy_folder: Path
) -> None:
    first = amend(PRICED.format(7), PRICED.format(8))
    other = load_folder(toy_folder, [tmp_path / "two", tmp_path / "one"])
    assert (other.entities["gear/oilskin"].price, other.digest == first.digest) == (7, False)
    kept = loader.fetch_compiled(first.digest)
    assert kept is not None
    assert (kept.packs, kept.origins) == (first.packs, first.origins)
    assert kept.entities["gear/oilskin"].price == 8


# ------------------------------------------------------------------ faults, in the patch


def test_of_two_patches_the_one_at_fault_is_named(amend: Amend) -> None:
    good = "patches:\n  - {at: gear/rope, set: {name: Line}}\n"
    bad = "patches:\n  - {at: gear/rope, set: {weight: heavy}}\n"
    told = 'it must be a whole number, not the text "heavy"'
    assert faults_of(amend, bad, good) == [("one", 2, told, "")]


def test_every_fault_of_every_patch_is_told_at_once(amend: Amend) -> None:
    page = (
        "patches:\n"
        "  - {at: gear/rope, set: {price: x, name: 3}}\n"
        "  - {at: gear/rop, set: {name: Line}}\n"
        "  - {at: gear/anchor, drop: [wieght]}\n"
    )
    found = faults_of(amend, page)
    assert [(pack, line) for pack, line, *_rest in found] == [
        ("one", 2), ("one", 2), ("one", 3), ("one", 4),
    ]  # fmt: skip
