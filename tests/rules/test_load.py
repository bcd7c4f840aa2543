"""Loading a pack: files, errors reported together, and its hash."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.character.holdings import total_capacity
from charforge.errors import UnknownId
from charforge.expressions.formula import Formula
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.loading import loader, loader as packs
from charforge.rules.ruleset import Ruleset
from tests.rules.faulty import faults_of

BINARY = b"\x7fELF\x02\x01\x01\x00\xff\xfe"


def test_a_pack_is_every_yaml_file_of_its_folder(toy: Ruleset) -> None:
    assert toy.id == "toy"
    assert {"post/boatman", "gear/rope", "boat/dinghy"} <= set(toy.entities)
    assert set(toy.rulings) == {"L1"}


def test_a_comment_alone_is_a_page_with_nothing_on_it(edited: Callable[..., Path]) -> None:
    folder = edited()
    (folder / "later.yaml").write_text("# To be written.\n", encoding="utf-8")
    assert "gear/rope" in packs.load_folder(folder).entities


def test_every_built_in_ruleset_loads() -> None:
    assert "capital" in loader.available()
    for name in loader.available():
        assert packs.load(name).id == name


def test_an_unknown_ruleset_names_the_nearest_one() -> None:
    with pytest.raises(UnknownId) as refused:
        packs.load("captial")
    assert refused.value.nearest == "capital"


def test_a_folder_without_ruleset_yaml_says_which_file_is_missing(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path)
    assert (fault.file, fault.line) == (tmp_path, 1)
    assert "no ruleset.yaml" in fault.message


def test_a_folder_that_is_not_there_is_a_fault_and_no_crash(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path / "nowhere")
    assert fault.file == tmp_path / "nowhere"


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        pytest.param(b"", 1, "it must be a map", id="empty"),
        pytest.param(b"# nothing\n", 1, "it must be a map", id="only a comment"),
        pytest.param(b"- a\n- b\n", 1, "it must be a map", id="a list at the root"),
        pytest.param(b"capital\n", 1, "it must be a map", id="a text at the root"),
        pytest.param(b"42\n", 1, "it must be a map", id="a number at the root"),
        pytest.param(BINARY, 1, "not UTF-8 text (byte 8)", id="binary"),
        pytest.param(b"id: toy\nname: \x00\n", 2, "this is not valid YAML", id="a null byte"),
        pytest.param(b"id: toy\n\tname: T\n", 2, "tab", id="a tab"),
        pytest.param(b"id: toy\nname: [\n", 3, "closing bracket", id="cut off"),
        pytest.param(b"id: a\n---\nid: b\n", 2, "a second document", id="two documents"),
        pytest.param(b"id: !!python/name:os.system\n", 1, "the tag !!python", id="a python object"),
        pytest.param(b"id: {[1]: 2}\n", 1, "a key must be text", id="a list for a key"),
    ],
)
def test_a_ruleset_yaml_that_is_none(
    edited: Callable[..., Path], data: bytes, line: int, message: str
) -> None:
    folder = edited()
    (folder / "ruleset.yaml").write_bytes(data)
    found = {(fault.file.name, fault.line) for fault in faults_of(folder)}
    assert found == {("ruleset.yaml", line)}
    assert any(message in fault.message for fault in faults_of(folder))


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        pytest.param(b"[]\n", 1, "it must be a map", id="a list at the root"),
        pytest.param(b"entities: {a: b}\n", 1, "it must be a list", id="a map of entities"),
        pytest.param(b"entities: 3\n", 1, "it must be a list", id="a number of entities"),
        pytest.param(b"entities:\n  - 3\n", 2, "it must be a map", id="a number for an entity"),
        pytest.param(
            b"entities:\n  - {}\n",
            2,
            "it has no id; write its kind and a name",
            id="an entity of nothing",
        ),
        pytest.param(
            b"entities:\n  - {name: A, source: B}\n",
            2,
            "it has no id; write its kind and a name",
            id="no id at all",
        ),
        pytest.param(
            b"entities:\n  - {1: 2}\n", 2, "the key must be a text", id="a number for a key"
        ),
        pytest.param(BINARY, 1, "not UTF-8 text", id="binary"),
    ],
)
def test_a_page_that_is_none(
    edited: Callable[..., Path], data: bytes, line: int, message: str
) -> None:
    folder = edited()
    (folder / "extra.yaml").write_bytes(data)
    found = [(fault.file.name, fault.line, message in fault.message) for fault in faults_of(folder)]
    assert found == [("extra.yaml", line, True)]


def test_a_folder_named_like_a_page_is_a_fault(edited: Callable[..., Path]) -> None:
    folder = edited()
    (folder / "extra.yaml").mkdir()
    assert [fault.file.name for fault in faults_of(folder)] == ["extra.yaml"]


def test_an_id_in_two_files_is_reported_where_it_stands_again(edited: Callable[..., Path]) -> None:
    folder = edited()
    (folder / "zoo.yaml").write_text(
        "entities:\n  - {id: pet/dog, name: Dog, source: Pets}\n"
        "  - {id: pet/cat, name: Cat, source: Pets}\n",
        encoding="utf-8",
    )
    found = [(fault.file.name, fault.line, fault.message) for fault in faults_of(folder)]
    assert found == [("zoo.yaml", 3, "pet/cat already exists: things.yaml, line 52")]


def test_the_column_of_a_fault_is_that_of_the_key(edited: Callable[..., Path]) -> None:
    folder = edited(("things.yaml", "made_of: Iron", "made_off: Iron"))
    (fault,) = faults_of(folder)
    line = (folder / "things.yaml").read_text(encoding="utf-8").splitlines()[fault.line - 1]
    assert line[fault.column - 1 :].startswith("made_off")


def test_a_key_that_is_merged_in_is_reported_where_it_is_written(
    edited: Callable[..., Path],
) -> None:
    folder = edited(("things.yaml", "name: Rope,", "name: Rope, <<: {wieght: 3},"))
    (fault,) = faults_of(folder)
    assert "gear/rope" in (folder / "things.yaml").read_text("utf-8").splitlines()[fault.line - 1]
    assert fault.nearest == "weight"


# ------------------------------------------------------------------- all at once


def lines_of(folder: Path) -> list[tuple[str, int]]:
    return [(fault.file.name, fault.line) for fault in faults_of(folder)]


def test_every_unknown_name_of_a_pack_is_reported_at_once(edited: Callable[..., Path]) -> None:
    folder = edited(
        ("people.yaml", "{value: oil, op", "{value: oill, op"),
        ("people.yaml", "replaces: habit/night-watch", "replaces: habit/night-wach"),
        ("things.yaml", "timing: rest", "timing: nap"),
        ("ruleset.yaml", "nerve + 4", "nerves + 4"),
    )
    assert sorted(file for file, _line in lines_of(folder)) == [
        "people.yaml", "people.yaml", "ruleset.yaml", "things.yaml",
    ]  # fmt: skip


def test_every_misshapen_entity_of_a_pack_is_reported_at_once(edited: Callable[..., Path]) -> None:
    folder = edited(
        ("people.yaml", "repeatable: true", "repeatable: sometimes"),
        ("things.yaml", "price: 6", "price: six"),
        ("things.yaml", "made_of: Iron", "made_off: Iron"),
        ("things.yaml", "id: pet/gull", "id: pett/gull"),
    )
    assert sorted(file for file, _line in lines_of(folder)) == [
        "people.yaml", "things.yaml", "things.yaml", "things.yaml",
    ]  # fmt: skip


def test_every_file_that_cannot_be_read_is_reported_at_once(edited: Callable[..., Path]) -> None:
    folder = edited()
    (folder / "people.yaml").write_bytes(BINARY)
    (folder / "things.yaml").write_text("entities: [\n", encoding="utf-8")
    assert sorted(file for file, _line in lines_of(folder)) == ["people.yaml", "things.yaml"]


def test_an_unreadable_file_does_not_hide_the_faults_of_another(
    edited: Callable[..., Path],
) -> None:
    folder = edited(("things.yaml", "price: 6", "price: six"))
    (folder / "extra.yaml").write_bytes(BINARY)
    assert sorted(file for file, _line in lines_of(folder)) == ["extra.yaml", "things.yaml"]


def test_a_misshapen_entity_does_not_hide_an_unknown_name(edited: Callable[..., Path]) -> None:
    folder = edited(
        ("things.yaml", "price: 6", "price: six"),
        ("people.yaml", "{value: oil, op", "{value: oill, op"),
    )
    assert sorted(file for file, _line in lines_of(folder)) == ["people.yaml", "things.yaml"]


def test_a_misshapen_ruleset_yaml_does_not_hide_a_misshapen_page(
    edited: Callable[..., Path],
) -> None:
    folder = edited(
        ("ruleset.yaml", "longest: 300", "longest: long"),
        ("rulings.yaml", "title: Wreckage", "titel: Wreckage"),
    )
    assert {file for file, _line in lines_of(folder)} == {"ruleset.yaml", "rulings.yaml"}


def test_faults_of_a_file_are_in_the_order_of_its_lines(edited: Callable[..., Path]) -> None:
    folder = edited()
    (folder / "zoo.yaml").write_text(
        """\
entities:
  - id: pet/dog
    name: Dog
    source: Pets
    rulings: [L99]
    text: "{bark}"
    requires: {has: pet/wolf}
    modifies: [{value: howl, amount: 1}]
    grants: [pet/puppy]
    replaces: pet/bear
    values: {fleas: 3}
    distinct: trick
    covers: {kind: bone}
    actions: [{timing: midnight, text: Howl.}]
""",
        encoding="utf-8",
    )
    # Of some lines the name is unknown and the key would have no effect.
    assert [*dict.fromkeys(lines_of(folder))] == [("zoo.yaml", line) for line in range(5, 15)]


def test_errors_of_shape_do_not_hide_unknown_names(edited: Callable[..., Path]) -> None:
    """Names in what is misshapen are known all the same, and lines after it are right."""
    folder = edited(
        ("ruleset.yaml", "version: 0.1.0\n", ""),
        ("ruleset.yaml", "nerve + 4", "nerves + 4"),
        ("things.yaml", "price: 6", "price: six"),
        ("things.yaml", "timing: rest", "timing: ret"),
        ("people.yaml", "repeatable: true", "repeatable: sometimes"),
        ("people.yaml", "{value: oil, op", "{value: oill, op"),
    )
    found = [(fault.file.name, fault.message, fault.nearest) for fault in faults_of(folder)]
    assert sorted(found) == [
        ("people.yaml", 'it must be true or false or a whole number, not the text "sometimes"', ""),
        ("people.yaml", 'there is no value "oill"', "oil"),
        ("ruleset.yaml", 'there is no value "nerves"', "nerve"),
        ("ruleset.yaml", "this key is missing", ""),
        ("things.yaml", 'it must be a whole number, not the text "six"', ""),
        ("things.yaml", 'there is no timing "ret"', "rest"),
    ]
    for fault in faults_of(folder):
        line = fault.file.read_text(encoding="utf-8").splitlines()[fault.line - 1]
        wrong = [word for word in ("sometimes", "oill", "nerves", "six", "ret") if word in line]
        assert wrong or fault.message == "this key is missing", (fault, line)


def test_what_a_misshapen_item_of_a_list_defines_is_no_unknown_name(
    edited: Callable[..., Path],
) -> None:
    """The item after it is reported at its own line."""
    folder = edited(
        ("ruleset.yaml", "{id: hands, label: Hands,", "{id: hands, label: [Hands],"),
        ("ruleset.yaml", "{id: max_warmth, label", "{id: max_warmth, group: knakcs, label"),
    )
    text = (folder / "ruleset.yaml").read_text(encoding="utf-8")
    lines = [text[: text.index(what)].count("\n") + 1 for what in ("id: hands", "group: knakcs")]
    assert lines_of(folder) == [("ruleset.yaml", line) for line in lines]


# ------------------------------------------------------------ aliases, old names, hash


def test_an_alias_is_its_target_under_another_name(toy: Ruleset) -> None:
    alias, target = toy.entities["gear/sou-wester"], toy.entities["gear/oilskin"]
    assert (alias.name, alias.alias_of) == ("Sou'wester", "gear/oilskin")
    assert (alias.own, alias.price) == (target.own, target.price) == ({"weight": 2}, 6)


def test_a_mistake_in_what_an_alias_stands_for_is_reported_once(
    edited: Callable[..., Path],
) -> None:
    folder = edited(("things.yaml", "weight: 2, price: 6}", 'weight: 2, price: 6, text: "{EYE}"}'))
    assert len(faults_of(folder)) == 1


def test_an_old_id_still_finds_its_entity(toy: Ruleset) -> None:
    assert toy.entity("gear/hawser") is toy.entity("gear/rope")


def test_the_hash_of_a_pack_changes_with_any_of_its_files(edited: Callable[..., Path]) -> None:
    folder = edited()
    before = packs.load_folder(folder).hash
    assert re.fullmatch(r"[0-9a-f]{64}", before)
    assert packs.load_folder(folder).hash == before
    page = folder / "rulings.yaml"
    page.write_text(page.read_text("utf-8").replace("The crown", "The king"), encoding="utf-8")
    assert packs.load_folder(folder).hash != before


def test_the_hash_of_a_pack_does_not_depend_on_where_it_lies(
    edited: Callable[..., Path], toy: Ruleset
) -> None:
    assert packs.load_folder(edited()).hash == toy.hash


def test_a_kinds_own_fields_are_kept_beside_the_common_ones(toy: Ruleset) -> None:
    lantern = toy.entities["gear/lantern"]
    assert lantern.own == {
        "made_of": "Brass and glass",
        "fragile": True,
        "parts": ["wick", "chimney"],
    }


def test_a_text_of_the_pack_is_one_line_of_data_and_its_formulas_are_parsed(toy: Ruleset) -> None:
    warmth = toy.units["keeper"].values["max_warmth"]
    assert warmth.formula == Formula("nerve + 4")
    assert warmth.minimum == Formula(5)


# ------------------------------------------------------------ what may be said


def test_a_variable_of_a_procedure_may_be_set_again(docking: Callable[..., Path]) -> None:
    step = "{do: change, value: vigour, by: -amount, id: lost}"
    again = "{do: let, id: lost, to: 0}\n      - " + step
    folder = docking(("procedures.yaml", step, again))
    assert len(packs.load_folder(folder).procedure("hurt").steps) == 3


def test_the_capacity_of_an_item_may_be_computed(
    refitted: Callable[..., Ruleset], dockhand: Callable[..., LoadedCharacter]
) -> None:
    bolts = "{id: bolts, label: Bolts, one: Bolt, max: 3}"
    rules = refitted(("things.yaml", bolts, bolts.replace("3", "1 + arm")))
    (capacity,) = rules.entity("gear/crossbow").capacities
    # 1 + ARM 5.
    state = dockhand(rules=rules).character.state
    assert state.values().evaluate_now(capacity.max) == 6
    assert all(
        total_capacity(state, held, capacity) == 6 * held.quantity for held in state.holdings
    )


def test_a_grant_answers_choices_with_numbers_and_names(forging: Callable[..., Path]) -> None:
    tongs = "  - {id: tool/tongs, name: Tongs, source: Tools"
    answers = "{name: Gripping, attribute: wits, rank: 2}"
    granting = f"{tongs}, grants: [{{id: skill/own, with: {answers}}}]"
    rules = packs.load_folder(forging(("things.yaml", tongs, granting)))
    state = CharacterSpec(rules, "7", "Ilmar", answers={"tools": ["tool/tongs"]}).replay().state
    assert [holding.name for holding in state.holdings] == ["Tongs", "Gripping"]


def test_the_main_game_has_a_turn_order(capital: Ruleset) -> None:
    order = capital.head.play.order
    assert order is not None
    assert (order.dice, order.procedure) == ("2d6", "turn-order-score")
