"""What the game master does, sees, and lets others see."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.character.files.document import Document
from charforge.character.files.storage import save
from charforge.character.state import CHARACTER
from charforge.errors import CharforgeError, RuleRefusal, UsageError
from charforge.language import set_language
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.rules.loading.loader import load
from charforge.serve.app import MOST_FIELDS_READ
from charforge.serve.game_master import game_master_page, others, turn_order
from charforge.serve.table import Table
from charforge.serve.table_actions import TABLE_ACTIONS, TableResult, run_table_action
from charforge.serve.table_state import TableStore
from charforge.sheet.html import environment
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes
from tests.conftest import HARBOUR
from tests.samples import law

AT = "2026-11-28 19:05+00:00"
ENDLESS = "x" * 3_000


class Master:
    """A game master at a table: ``do`` runs an action, with __ for a dot in a field."""

    def __init__(self, folder: Path, *characters: Document) -> None:
        self.folder, files = folder, []
        for number, document in enumerate(characters):
            files.append(folder / f"{number}.json")
            save(document, files[-1])
        self.table, self.store = Table(files), TableStore.open(folder / "evening")
        self.ada, *self.more = self.table.seats

    def do(self, action: str, **fields: Any) -> TableResult:
        form = {name.replace("__", "."): value for name, value in fields.items()}
        return run_table_action(self.table, self.store, action, form, AT)

    def value(self, seat: str, name: str, unit: str = "character") -> int:
        opened = load_character(self.table.file(seat))
        return opened.character.state.values(unit).total(name)

    @property
    def acting(self) -> str:
        return turn_order(self.table, self.store).acting

    @property
    def order(self) -> list[str]:
        return [place.name for place in turn_order(self.table, self.store).places]

    def names(self) -> list[str]:
        return [foe.name for foe in self.store.state.foes]


@pytest.fixture
def installed(packs_home: Path) -> Iterator[None]:
    """The harbour as an installed game, which tables load."""
    shutil.copytree(HARBOUR, packs_home / "harbour")
    yield


@pytest.fixture
def quay(installed: None, dockhand: Callable[..., LoadedCharacter], tmp_path: Path) -> Master:
    """Ada, who has a dog, and Bo."""
    ada = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/hound")
    bo = CharacterSpec(ada.ruleset, "8", "Bo", answers=dict(dockhand().document.answers))
    return Master(tmp_path, ada.document, create_character(bo))


def game(ruleset: str, *names: str) -> list[Document]:
    """Characters of a game that is built in."""
    rules = load(ruleset)
    return [
        create_character(CharacterSpec(rules, name, name), leave_out_optional(RandomAnswers(name)))
        for name in names
    ]


# ------------------------------------------------------------------ several characters


def test_several_are_hurt_by_one_form_and_each_file_has_its_own_event(quay: Master) -> None:
    result = quay.do("damage", everyone="1", amount="3", in__type="sharp")
    assert result.changed == quay.table.seats
    assert result.lines[0].startswith("Ada: Vigour −3 → ")
    assert [quay.value(seat, "vigour") for seat in quay.table.seats] == [6, 6]
    assert [entry.lines for entry in quay.store.entries] == [result.lines]


def test_what_one_refuses_does_not_stop_the_others(quay: Master) -> None:
    quay.do("damage", who=quay.more, amount="3")
    result = quay.do("heal", everyone="1", amount="2")
    assert (result.changed, len(result.lines)) == (tuple(quay.more), 1)
    assert result.refused == ("Ada: there is nothing to heal",)
    assert quay.value(quay.more[0], "vigour") == 8


def test_a_companion_is_hurt_by_itself(quay: Master) -> None:
    cards = game_master_page(quay.table, quay.store).characters[0].units
    assert [card.name for card in cards] == ["Ada", "Hound"]
    result = quay.do("damage", who=[f"{quay.ada}.{cards[1].id}"], amount="2")
    assert result.lines == ("Ada · Hound: Vigour −2 → 3",)
    assert quay.value(quay.ada, "vigour") == 9


def test_conditions_rests_and_awards_are_the_verbs_of_the_terminal(quay: Master) -> None:
    conditions = dict(game_master_page(quay.table, quay.store).choices.conditions)
    assert conditions
    id = next(iter(conditions))
    assert quay.do("condition", everyone="1", condition=id).refused == ()
    expected = manual_changes.change_condition(
        load_character(quay.table.file(quay.ada)), id, off=True
    )
    assert quay.do("condition", who=[quay.ada], condition=id, off="1").lines == (
        f"Ada: {expected.steps[0].text}",
    )
    assert quay.do("award", everyone="1", what="coins", amount="5").lines[0] == (
        "Ada: Coins 20 → 25 coins"
    )
    assert quay.do("award", who=[quay.ada], what="Crossbow").lines == ("Ada: + Crossbow",)
    quay.do("damage", everyone="1", amount="4")
    rested = quay.do("rest", everyone="1", kind="nap", in__hours="2")
    assert (rested.changed, rested.refused) == (quay.table.seats, ())


def test_an_award_with_choices_says_where_to_make_them(quay: Master) -> None:
    result = quay.do("award", who=[quay.ada], what="Fixed Idea")
    assert result.refused == ("Ada: Fixed Idea has choices to make: award it in the terminal",)


def test_a_misspelled_name_gets_a_suggestion(quay: Master) -> None:
    (refused,) = quay.do("award", who=[quay.ada], what="Crosbow").refused
    assert "Did you mean" in refused


def test_a_file_that_cannot_be_read_is_told_and_stops_nobody(quay: Master) -> None:
    quay.table.file(quay.ada).write_text("{")
    result = quay.do("damage", everyone="1", amount="1")
    assert result.changed == tuple(quay.more)
    assert result.refused[0].startswith("0: ")
    page = game_master_page(quay.table, quay.store)
    assert [bool(card.unreadable) for card in page.characters] == [True, False]
    assert others(quay.table, quay.store, quay.more[0]).characters[0].unreadable == ""


# ------------------------------------------------------------------ foes


def test_foes_of_one_sort_are_numbered_and_have_hit_points_within_bounds(quay: Master) -> None:
    quay.do("foe-add", name="Rat", hit_points="4", count="2")
    quay.do("foe-add", name="Rat", hit_points="4")
    quay.do("foe-add", name="bo")
    assert quay.names() == ["Rat 1", "Rat 2", "Rat", "bo 1"]  # Bo is a character
    assert quay.do("foe-damage", foe="foe1", amount="3").lines == ("Rat 1: 4 → 1 / 4",)
    assert quay.do("foe-damage", foe="foe1", amount="9").lines == ("Rat 1: 1 → 0 / 4",)
    assert quay.do("foe-heal", foe="foe1", amount="9").lines == ("Rat 1: 0 → 4 / 4",)
    with pytest.raises(RuleRefusal, match="no hit points"):
        quay.do("foe-damage", foe="foe4", amount="1")
    quay.do("foe-add", name="rat-2")  # commands would mean Rat 2 by it
    assert quay.names()[-1] == "rat-2 1"


def test_there_are_at_most_fifty_foes(quay: Master) -> None:
    for _time in range(2):
        quay.do("foe-add", name="Rat", count="20")
    quay.do("foe-add", name="Rat", count="10")
    with pytest.raises(UsageError, match="50"):
        quay.do("foe-add", name="Rat")
    assert len(set(quay.names())) == 50


def test_a_foe_that_is_removed_leaves_the_order(quay: Master) -> None:
    quay.do("foe-add", name="Rat", count="2")
    quay.do("initiative", who=[quay.ada], figures__foe1="9", figures__foe2="8")
    quay.do("next")
    quay.do("foe-remove", foe="foe1")
    assert (quay.order, quay.acting) == (["Rat 2", "Ada"], "Rat 2")
    with pytest.raises(RuleRefusal, match="no such foe"):
        quay.do("foe-remove", foe="foe1")


# ------------------------------------------------------------------ the order of turns


def test_without_a_rule_for_initiative_the_highest_typed_number_acts_first(quay: Master) -> None:
    quay.do("foe-add", name="Rat", count="2")
    quay.do("initiative", who=quay.table.seats, figures__foe1="7", **{f"figures.{quay.ada}": "5"})
    assert quay.order == ["Rat 1", "Ada", "Bo"]  # the other rat has no number


def test_initiative_is_rolled_by_the_rules_and_typed_numbers_count_instead(tmp_path: Path) -> None:
    master = Master(tmp_path, *game("narrative-dice", "Ada", "Ada", "Bo"))
    first, second, bo = master.table.seats
    master.do("foe-add", name="Wolf", count="2")
    master.do("foe-add", name="Ghost")
    result = master.do(
        "initiative", who=master.table.seats, figures__foe1="0,99,0", figures__foe2="99,0,0",
        **{f"figures.{first}": "-1,0,0", f"figures.{second}": "98,0,0"},
    )  # fmt: skip
    places = turn_order(master.table, master.store).places
    assert [place.name for place in places] == ["Wolf 2", "Ada (1)", "Wolf 1", "Bo", "Ada (0)"]
    assert [place.seat for place in places] == ["", second, "", bo, first]
    assert result.lines[0] == "1. Wolf 2: 99, 0, 0"
    assert "(" in result.lines[3]  # the dice of Bo
    with pytest.raises(UsageError, match="Wolf 1 needs 3 numbers"):
        master.do("initiative", who=[bo], figures__foe1="9")


def test_dice_rolled_at_the_table_decide(tmp_path: Path) -> None:
    master = Master(tmp_path, *game("squad-d20", "Ada", "Bo"))
    ada, bo = master.table.seats
    result = master.do("initiative", who=[ada, bo], **{f"dice.{ada}": "1", f"dice.{bo}": "20"})
    assert result.lines[0].startswith("1. Bo: ")
    with pytest.raises(CharforgeError):
        master.do("initiative", who=[ada], **{f"dice.{ada}": "21"})


def test_places_are_moved_added_and_taken_out_by_hand(quay: Master) -> None:
    quay.do("order-add", who=quay.ada, figures="5")
    quay.do("order-add", who=quay.more[0], figures="9")
    quay.do("order-add", name="The tide", figures="7")
    quay.do("order-add", name="Fog")
    assert quay.order == ["Bo", "The tide", "Ada", "Fog"]
    assert quay.acting == "Ada"  # she began
    key = next(p.key for p in turn_order(quay.table, quay.store).places if p.name == "Fog")
    for _time in range(5):
        quay.do("order-up", place=key)
    assert (quay.order[0], quay.acting) == ("Fog", "Ada")
    quay.do("order-down", place=key)
    assert quay.order[:2] == ["Bo", "Fog"]
    quay.do("order-remove", place=key)
    assert (quay.order, quay.acting) == (["Bo", "The tide", "Ada"], "Ada")
    with pytest.raises(RuleRefusal, match="takes part already"):
        quay.do("order-add", who=quay.ada)
    quay.do("end-combat")
    assert (quay.order, quay.acting) == ([], "")


def test_turns_run_the_rules_only_if_the_game_master_wants_it(quay: Master) -> None:
    begin = {"who": quay.table.seats, f"figures.{quay.ada}": "9"}
    quay.do("run-turns")
    assert quay.do("initiative", **begin).changed == ()
    assert quay.do("next").changed == ()
    quay.do("run-turns", run_turns="1")
    result = quay.do("next")
    assert result.lines[0] == "Round 2: Ada"
    assert result.changed == (quay.ada,)
    log = load_character(quay.table.file(quay.ada)).document.log
    assert getattr(log[-1], "procedure", "") == "bell"
    assert quay.do("initiative", **begin).changed == (quay.ada,)


def test_the_end_of_combat_is_the_end_for_everybody_by_the_rules(tmp_path: Path) -> None:
    master = Master(tmp_path, *game("capital", "Ada", "Bo"))

    def in_combat() -> list[str]:
        loaded = (master.table.load(seat).character for seat in master.table.seats)
        return [
            c.entity.name for one in loaded for c in one.state.conditions if c.unit == CHARACTER
        ]

    before = in_combat()
    master.do("foe-add", name="Rat")
    master.do("initiative", who=master.table.seats, figures__foe1="2")
    for _turn in range(4):
        master.do("next")
    assert in_combat().count("In combat") == 2
    result = master.do("end-combat")
    assert set(result.changed) == {*master.table.seats}
    assert in_combat() == before
    master.do("run-turns")
    assert master.do("initiative", who=master.table.seats).changed == ()
    assert master.do("end-combat").changed == ()


def test_a_change_of_the_table_is_undone_and_restored_without_the_characters(quay: Master) -> None:
    quay.do("foe-add", name="Rat", hit_points="4")
    quay.do("initiative", who=quay.table.seats, figures__foe1="9")
    quay.do("damage", everyone="1", amount="2")
    result = quay.do("foe-damage", foe="foe1", amount="3")
    assert result.offers == "undo"
    assert "Undo: Rat: 4 → 1 / 4" in rendered(quay)
    quay.store = TableStore.open(quay.folder / "evening")
    files = [quay.table.file(seat).read_bytes() for seat in quay.table.seats]
    undone = quay.do("undo", changes=str(quay.store.saved.changes))
    assert (undone.lines, undone.offers) == (("Undone: Rat: 4 → 1 / 4",), "redo")
    assert quay.store.state.foes[0].hit_points == 4
    quay.do("undo", changes=str(quay.store.saved.changes))
    assert quay.order == []
    quay.do("redo", changes=str(quay.store.saved.changes))
    assert quay.order == ["Rat", "Ada", "Bo"]
    assert [quay.table.file(seat).read_bytes() for seat in quay.table.seats] == files
    assert quay.do("damage", everyone="1", amount="1").offers == ""


def test_a_new_evening_can_be_undone_and_the_next_one_has_a_log_of_its_own(quay: Master) -> None:
    quay.do("foe-add", name="Rat")
    quay.do("new-evening")
    quay.do("undo", changes=str(quay.store.saved.changes))
    assert quay.names() == ["Rat"]
    assert quay.store.entries[-1].lines == ("Undone: A new evening",)
    quay.do("new-evening")
    assert [entry.lines for entry in quay.store.entries] == [("A new evening",)]


def test_a_reason_for_a_wrong_field_is_in_words(tmp_path: Path) -> None:
    master = Master(tmp_path, *game("phase-2d10", "Ada"))
    assert master.do("heal", everyone="1", amount="1").refused == ("Ada: missing: Where?",)


def test_two_taps_at_once_are_one_turn(quay: Master) -> None:
    quay.do("initiative", who=quay.table.seats, **{f"figures.{quay.ada}": "9"})
    shown = turn_order(quay.table, quay.store).key
    quay.do("next", turn=shown)
    for action in ("next", "previous"):
        with pytest.raises(RuleRefusal, match="already another turn"):
            quay.do(action, turn=shown)
    assert quay.acting == "Bo"


def test_somebody_out_of_play_is_left_out(seated: tuple[Document, ...], tmp_path: Path) -> None:
    master = Master(tmp_path, *seated)
    first, second = master.table.names().values()
    rules = master.table.load(master.ada).ruleset
    (dead,) = (e for e in rules.conditions if e.condition is not None and e.condition.ends)
    master.do("condition", who=[master.ada], condition=dead.id)
    result = master.do("initiative", who=master.table.seats)
    assert master.order == [second]
    assert result.refused == (f"{first} is {dead.name} and is left out.",)


# ------------------------------------------------------------------ what others see


def test_others_see_what_the_game_master_allows(quay: Master) -> None:
    bo = quay.more[0]

    def seen() -> tuple[bool, bool, bool]:
        (card,) = others(quay.table, quay.store, bo).characters
        units = card.units
        return bool(units), any(u.conditions for u in units), any(u.attributes for u in units)

    quay.do("condition", who=[quay.ada], condition="state/bruised")
    assert seen() == (True, True, False)
    for level, expected in (("all", (True, True, True)), ("name", (False, False, False))):
        quay.do("show", **{f"seen.{quay.ada}": level})
        assert seen() == expected
    quay.do("show", **{f"seen.{quay.ada}": "everything"})  # no such level
    assert seen() == (False, False, False)
    assert TableStore.open(quay.table.file(bo).parent / "evening").state == quay.store.state


def test_players_do_not_know_hidden_foes_nor_numbers_and_notes_of_others(quay: Master) -> None:
    quay.do("foe-add", name="Rat", hit_points="41", notes="Has the key")
    quay.do("foe-add", name="Ghost", hit_points="42", hidden="1")
    quay.do("initiative", who=[quay.ada], figures__foe1="43", figures__foe2="44")
    order = turn_order(quay.table, quay.store)
    pages = [
        environment().get_template(f"serve/{name}.html").render(
            viewer=quay.more[0], turns=order, others=others(quay.table, quay.store, quay.more[0])
        )
        for name in ("turns", "others")
    ]  # fmt: skip
    assert not any(word in "".join(pages) for word in ("Ghost", "41", "42", "43", "44", "key"))
    assert (order.acting, order.following) == ("", "Rat")
    assert "Game master" in pages[0]
    quay.do("show", foe_vitals="1")
    assert [foe.hit_points for foe in others(quay.table, quay.store, quay.ada).foes] == [41]
    quay.do("foe-note", foe="foe2", conditions="Pale")
    assert quay.order == ["Ghost", "Rat", "Ada"]


def test_a_turn_is_announced_to_the_player_whose_it_is(quay: Master) -> None:
    quay.do("initiative", who=quay.table.seats, **{f"figures.{quay.ada}": "9"})
    template = environment().get_template("serve/turns.html")
    order = turn_order(quay.table, quay.store)
    assert "Your turn" in template.render(viewer=quay.ada, turns=order)
    assert "Your turn" not in template.render(viewer="gm", turns=order)
    assert template.render(viewer=quay.ada, turns=order).count('aria-current="true"') == 1


def test_a_new_evening_has_another_log_and_keeps_foes_if_they_are_to_stay(quay: Master) -> None:
    quay.do("foe-add", name="Rat")
    quay.do("initiative", who=[quay.ada])
    quay.do("show", foe_vitals="1")
    quay.do("new-evening", keep_foes="1")
    assert (quay.names(), quay.order) == (["Rat"], [])
    assert [entry.lines for entry in quay.store.entries] == [("A new evening",)]
    quay.do("new-evening")
    assert quay.names() == []
    assert quay.store.state.foe_vitals


# ------------------------------------------------------------------ the page


GAMES = ("capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20")


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game_has_figures_and_scores_on_the_page(ruleset: str, tmp_path: Path) -> None:
    master = Master(tmp_path, *game(ruleset, "Ada"))
    page = game_master_page(master.table, master.store)
    (card,) = page.characters
    assert card.units[0].figures
    assert card.units[0].combat
    assert card.problems == ()
    assert page.choices.damage is not None
    text = rendered(master)
    assert all(figure.label in text for figure in card.units[0].figures)


@pytest.mark.parametrize("ruleset", ["toy", "smithy", "barrow", "tower", "reef", "watch"])
def test_games_without_hit_points_or_initiative_have_their_page(
    ruleset: str, packs_home: Path, tmp_path: Path
) -> None:
    shutil.copytree(HARBOUR.with_name(ruleset), packs_home / ruleset)
    master = Master(tmp_path, *game(ruleset, "Ada", "Bo"))
    ada, bo = master.table.seats
    master.do("initiative", who=[ada, bo], **{f"figures.{bo}": "3"})
    assert master.order == ["Bo", "Ada"]
    rules = master.table.load(ada).ruleset.head.play
    page = game_master_page(master.table, master.store)
    assert (page.choices.damage is not None) == (rules.damage is not None)
    result = master.do("damage", everyone="1", amount="1")
    assert bool(result.refused) == (rules.damage is None)
    assert "Ada" in rendered(master)


def rendered(master: Master) -> str:
    template = environment().get_template("serve/game_master.html")
    return template.render(seat="gm", page=game_master_page(master.table, master.store))


def test_texts_of_the_table_are_never_markup(quay: Master) -> None:
    bad = "<script>alert(1)</script>\"' {{ 7*7 }}"
    quay.do("foe-add", name=bad, notes=bad, hit_points="3")
    quay.do("foe-note", foe="foe1", notes=bad, conditions=bad)
    quay.do("order-add", name=bad)
    quay.do("order-add", who="foe1")
    quay.do("show", foe_vitals="1")
    seen = others(quay.table, quay.store, quay.ada)
    order = turn_order(quay.table, quay.store)
    result = TableResult((bad,), (), (bad,))
    page = game_master_page(quay.table, quay.store)
    for name in ("game_master", "turns", "others", "table_result"):
        text = environment().get_template(f"serve/{name}.html").render(
            viewer=quay.ada, page=page, turns=order, others=seen, result=result
        )  # fmt: skip
        for seat in quay.table.seats:  # an id of random digits may have them
            text = text.replace(seat, "")
        assert "<script" not in text
        assert "49" not in text
        assert " style=" not in text
        assert "onclick" not in text


def test_ids_on_the_page_are_different_and_words_without_signs(quay: Master) -> None:
    """htmx finds what stays by its id, as a selector."""
    quay.do("foe-add", name="Rat", hit_points="3", count="2")
    quay.do("initiative", who=quay.table.seats, figures__foe1="9")
    found = re.findall(r'[ "]id="([^"]*)"', rendered(quay))
    assert len(found) == len(set(found))
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", id) for id in found)


def test_the_page_is_in_the_language_of_the_program(quay: Master) -> None:
    set_language("de")
    assert "Gegner" in rendered(quay)


def test_a_large_fight_is_not_too_large_a_form(tmp_path: Path) -> None:
    master = Master(tmp_path, *game("squad-d20", "Ada") * 8)
    for _time in range(5):
        master.do("foe-add", name="Rat", count="10")
    text = rendered(master)
    form = text[text.index("/gm/do/initiative") : text.index("Begin combat")]
    assert 8 * 3 + 50 == form.count('name="') <= MOST_FIELDS_READ


# ------------------------------------------------------------------ hostile forms


HOSTILE = (
    "", "0", "-1", "1e9", "99999999999", "٣", "\x00", "a\nb", "\ud800", ENDLESS, "../../etc", "foe1"
)  # fmt: skip


@pytest.mark.parametrize("action", sorted(TABLE_ACTIONS))
def test_no_field_does_more_than_be_refused(quay: Master, action: str) -> None:
    quay.do("foe-add", name="Rat", hit_points="4")
    fields = (
        "who", "everyone", "amount", "in.type", "condition", "off", "about", "turns", "kind",
        "what", "name", "count", "hit_points", "notes", "conditions", "hidden", "foe", "place",
        "figures",
        f"figures.{quay.ada}", f"dice.{quay.ada}", "figures.foe1", f"seen.{quay.ada}",
    )  # fmt: skip
    for value in HOSTILE:
        before = quay.store.state
        try:
            quay.do(action, **{name: [value, value] for name in fields})
        except CharforgeError:
            assert quay.store.state == before
        foes = quay.store.state.foes
        assert all(len(foe.name) <= 90 and len(foe.notes) <= 500 for foe in foes)
        rendered(quay)
    assert TableStore.open(quay.table.file(quay.ada).parent / "evening").state == quay.store.state


def test_what_is_not_an_action_is_refused(quay: Master) -> None:
    for action in ("", "__class__", "damage/../x"):
        with pytest.raises(UsageError, match="no such action"):
            quay.do(action)


forms = st.tuples(
    st.sampled_from(sorted(TABLE_ACTIONS)),
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["Rat", "Bat", ""]),
            "hit_points": st.sampled_from(["", "5"]),
            "count": st.sampled_from(["1", "2"]),
            "amount": st.sampled_from(["1", "3"]),
            "foe": st.sampled_from(["foe1", "foe2", "foe3"]),
            "place": st.sampled_from([f"place{n}" for n in range(1, 9)]),
            "figures": st.sampled_from(["", "5", "9"]),
            "figures.foe1": st.sampled_from(["", "7"]),
            "everyone": st.sampled_from(["", "1"]),
            "hidden": st.sampled_from(["", "1"]),
            "keep_foes": st.sampled_from(["", "1"]),
        }
    ),
)


@law(few=5)
@given(actions=st.lists(forms, max_size=12))
def test_whatever_is_done_a_restart_shows_the_same_page(
    seated: tuple[Document, ...],
    tmp_path_factory: pytest.TempPathFactory,
    actions: list[tuple[str, dict[str, str]]],
) -> None:
    master = Master(tmp_path_factory.mktemp("table"), *seated)
    for action, form in actions:
        try:
            master.do(action, who=list(master.table.seats), **form)
        except CharforgeError:
            continue
    again = TableStore.open(master.folder / "evening")
    assert game_master_page(master.table, again) == game_master_page(master.table, master.store)
    places = again.state.turns.places
    assert len({place.id for place in places}) == len(places)
    assert all(again.state.foe(place.foe) for place in places if place.foe)


def test_what_the_group_owns_is_on_the_page_once_unless_it_has_a_seat(
    packs_home: Path, tmp_path: Path
) -> None:
    for name in ("low-tide", "low-tide-crew"):
        shutil.copytree(HARBOUR.parents[2] / "examples" / name, packs_home / name)
    (tmp_path / "charforge.yaml").write_text("ruleset: low-tide\nshared: 2.json\n", "utf-8")
    (crew,) = game("low-tide-crew", "The Eels")
    save(crew, tmp_path / "2.json")
    master = Master(tmp_path, *game("low-tide", "Ilse", "Bas"))
    (owned,) = game_master_page(master.table, master.store).shared
    assert (owned.title, owned.figures[1][:4]) == ("Crew: The Eels", ("Heat", "0", 0, 6))
    assert rendered(master).count("Crew: The Eels") == 1
    opened = load_character(tmp_path / "2.json")
    result = manual_changes.spend_resource(opened, "stash")
    save(result.after.document, tmp_path / "2.json")
    (owned,) = game_master_page(master.table, master.store).shared
    stash = next(figure for figure in owned.figures if figure.label == "Stash")
    assert stash.now == load_character(tmp_path / "2.json").character.state.values().total("stash")
    served = Table([tmp_path / "0.json", tmp_path / "2.json"])
    assert game_master_page(served, master.store).shared == ()
