"""Decisions: options, allowed answers and their effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import questions_file
from charforge.decisions.base import (
    MISSING,
    Checklist,
    Decision,
    NumberFields,
    OptionMenu,
    TextField,
)
from charforge.decisions.kinds import KINDS, decision_class
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Character
from charforge.rules.models.questions import AnyQuestion
from charforge.rules.ruleset import Ruleset
from tests.samples import law

Keeper = Callable[..., Character]
Variant = Callable[..., Ruleset]


@pytest.fixture
def asked(keeper: Keeper) -> Callable[..., Decision]:
    """Return a decision of the complete keeper, some answers changed before it."""

    def find(name: str, changes: dict[str, Any] | None = None, **more: Any) -> Decision:
        found = keeper(changes, **more).decision(name)
        assert found is not None
        return found

    return find


Asked = Callable[..., Decision]


def reasons(decision: Decision, option: object, picked: tuple[Any, ...] = ()) -> tuple[str, ...]:
    return next(offer.reasons for offer in decision.options(picked) if offer.id == option)


# ------------------------------------------------------------------------ choose one


def test_a_choice_offers_every_entity_of_its_query(asked: Asked) -> None:
    offers = asked("post").options()
    assert [(offer.id, offer.label) for offer in offers] == [
        ("post/head-keeper", "Head Keeper"),
        ("post/boatman", "Boatman"),
        ("post/lamplighter", "Lamplighter"),
    ]
    assert all(offer.legal for offer in offers)


def test_a_choice_of_values_offers_their_names(asked: Asked) -> None:
    practice = asked("habits.steady-hand.knack", {"habits": ["habit/steady-hand"]})
    assert [(offer.id, offer.label) for offer in practice.options()] == [
        ("hands", "Handiness (Hands)"),
        ("eyes", "Sharp eyes (Eyes)"),
        ("nerve", "Nerve"),
    ]


def test_a_choice_of_terms_offers_only_those_it_names(variant: Variant, asked: Asked) -> None:
    rules = variant(
        ("ruleset.yaml", "{id: gear/signal-lamp, with: {colour: red}}", "gear/signal-lamp")
    )
    lamp = asked("kit.signal-lamp.colour", rules=rules)
    assert [offer.id for offer in lamp.options()] == ["white", "red", "horn"]
    assert lamp.rule_violations("lime") != ()


def test_an_illegal_option_stays_visible_with_its_reasons(asked: Asked) -> None:
    habits = asked("habits", {"treasure": "pet/cat", "treasure.boat.colour": None})
    assert reasons(habits, "habit/sea-legs") == ("requires a Boat",)
    assert reasons(habits, "habit/night-watch") == ()


@pytest.mark.parametrize("answer", [None, 3, True, 1.5, [], {}, ["post/boatman"], ""])
def test_an_answer_of_the_wrong_kind_is_no_option(asked: Asked, answer: object) -> None:
    assert len(asked("post").rule_violations(answer)) == 1


def test_a_misspelt_option_names_the_nearest_one(asked: Asked) -> None:
    assert asked("post").rule_violations("post/botaman") == (
        '"post/botaman" is not an option. Did you mean Boatman?',
    )


def test_an_entity_of_another_kind_is_named_as_not_offered(asked: Asked) -> None:
    (told,) = asked("post").rule_violations("pet/cat")
    assert told.startswith("Cat belongs to Pets, not to Posts. Choose Head Keeper, ")
    assert told.endswith(" or Lamplighter")  # all three posts: few enough to list


LOCKER = "    among: {kind: gear, where: weight >= 1}\n"


@pytest.mark.parametrize(
    ("among", "item", "reason"),
    [
        ("{kind: gear, tags: {all: [signal]}}", "gear/oilskin", "Oilskin is not Signal"),
        ("{kind: gear, tags: {any: [signal]}}", "gear/oilskin", "Oilskin is not Signal"),
        ("{kind: gear, tags: {none: [signal]}}", "gear/flags", "Signal Flags is Signal"),
        ("{kind: gear, ids: [gear/oilskin]}", "gear/anchor", "Anchor is not one of Oilskin"),
        (
            "{kind: gear, where: weight < 7}",
            "gear/anchor",
            "Anchor has Weight 7; the condition here: Weight is less than 7",
        ),
        ("{kind: gear, ids: [gear/anchor]}", "gear/rope", "Rope comes with Boatman"),
    ],
)
def test_a_refusal_names_what_something_lacks_or_what_grants_it(
    variant: Variant, asked: Asked, among: str, item: str, reason: str
) -> None:
    rules = variant(("ruleset.yaml", LOCKER, f"    among: {among}\n"))
    (told,) = asked("locker", rules=rules).rule_violations([item])
    assert told.startswith(reason)


@pytest.mark.parametrize("name", ["Anchor", "anchor", "gear/anchor"])
def test_what_is_not_listed_is_known_by_its_name_too(
    variant: Variant, asked: Asked, name: str
) -> None:
    rules = variant(("ruleset.yaml", LOCKER, "    among: {kind: gear, where: weight < 7}\n"))
    locker = asked("locker", rules=rules)
    (told,) = locker.rule_violations([name])
    assert told.startswith("Anchor has Weight 7")
    assert locker.malformed([name]) == ()  # so that an override allows it


def test_a_refusal_names_everything_that_grants_it(variant: Variant, asked: Asked) -> None:
    rules = variant(("ruleset.yaml", LOCKER, "    among: {kind: gear, ids: [gear/anchor]}\n"))
    (told,) = asked("locker", rules=rules).rule_violations(["gear/candle"])
    assert told.startswith("Candle comes with every new character or “A biscuit tin”")


def test_a_refusal_calls_a_tag_as_the_field_of_its_name(variant: Variant, asked: Asked) -> None:
    rules = variant(
        ("ruleset.yaml", LOCKER, "    among: {kind: gear, tags: {all: [made-of]}}\n"),
        ("ruleset.yaml", "label: Made of}", "label: Material}"),
        ("things.yaml", "made_of: Brass and glass\n", "made_of: Brass\n    tags: [made-of]\n"),
    )
    (told,) = asked("locker", rules=rules).rule_violations(["gear/anchor"])
    assert told.startswith("Anchor is not Material")


def test_a_refusal_gives_the_reason_of_the_pack_first(variant: Variant, asked: Asked) -> None:
    own = "    why_not:\n      - {ids: gear/anchor, text: belongs to the ship}\n"
    rules = variant(
        ("ruleset.yaml", LOCKER, f"    among: {{kind: gear, where: weight < 7}}\n{own}")
    )
    (told,) = asked("locker", rules=rules).rule_violations(["gear/anchor"])
    assert told.startswith("Anchor belongs to the ship")


@pytest.mark.parametrize("name", ["Boatman", "  boatman ", "BOATMAN", "post/Boatman"])
def test_an_option_answers_by_its_name_too(asked: Asked, name: str) -> None:
    post = asked("post")
    assert post.rule_violations(name) == ()
    assert post.canonical(name) == "post/boatman"


def test_an_alias_answers_for_what_it_stands_for(asked: Asked) -> None:
    locker = asked("locker")
    assert locker.rule_violations(["gear/sou-wester"]) == ()
    assert locker.canonical(["gear/sou-wester"]) == ["gear/oilskin"]


def test_an_old_id_answers_for_the_new_one(asked: Asked) -> None:
    locker = asked("locker")
    assert locker.rule_violations(["gear/hawser"]) == ()
    assert locker.canonical(["gear/hawser"]) == ["gear/rope"]


def test_an_option_may_have_requirements_of_its_own(asked: Asked) -> None:
    low = {"knacks": {"hands": 6, "eyes": 2, "nerve": 6}, "storm.roll": [1, 3, 1, 8, 8],
           "storm.drop": [1, 3]}  # fmt: skip
    assert asked("keepsakes").rule_violations(["spyglass", "tin"]) == ()
    assert asked("keepsakes", low).rule_violations(["spyglass", "tin"]) == (
        "A spyglass: requires Eyes 3 or more (you have 2)",
    )


# ----------------------------------------------------------------------- choose many


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (["compass"], "pick exactly 2 (you picked 1)"),
        ([], "pick exactly 2 (you picked 0)"),
        (["compass", "bell", "tin"], "pick exactly 2 (you picked 3)"),
        (["compass", "compass"], "A brass compass: already chosen"),
        ("compass", "it must be a list"),
        ({"compass": 1}, "it must be a list"),
        (7, "it must be a list"),
        (["compass", 3], "3 is not an option. Choose A ship's bell, A biscuit tin or A spyglass"),
        (["compass", ["bell"]], '["bell"] is not an option'),
        (["compass", None], "an empty value is not an option"),
        (["compas", "bell"], '"compas" is not an option. Did you mean A brass compass?'),
    ],
)
def test_a_list_is_as_long_as_it_must_be_and_of_options(
    asked: Asked, answer: object, fault: str
) -> None:
    assert asked("keepsakes").rule_violations(answer) == (fault,)


def test_every_fault_of_a_list_is_named_at_once(asked: Asked) -> None:
    assert len(asked("keepsakes").rule_violations(["compas", "bel"])) == 2


def test_a_list_up_to_a_number_may_be_shorter(asked: Asked) -> None:
    habits = asked("habits", {"habits": []})
    assert habits.rule_violations([]) == habits.rule_violations(["habit/early-bed"]) == ()
    assert habits.rule_violations(["habit/steady-hand"] * 5) == ("pick at most 4 (you picked 5)",)


def test_a_thing_that_is_not_repeatable_stands_once_in_a_list(asked: Asked) -> None:
    habits = asked("habits")
    assert habits.rule_violations(["habit/early-bed", "habit/early-bed"]) != ()
    assert not next(
        o for o in habits.options(["habit/early-bed"]) if o.id == "habit/early-bed"
    ).legal


def test_a_repeatable_thing_may_be_had_as_often_as_its_choice_lasts(asked: Asked) -> None:
    habits = asked("habits")
    assert habits.rule_violations(["habit/steady-hand"] * 3) == ()
    assert habits.rule_violations(["habit/steady-hand"] * 4) == (
        "Steady Hand: you already have all variants",
    )


def test_each_holding_of_it_must_choose_another(asked: Asked) -> None:
    twice = {"habits": ["habit/steady-hand"] * 2, "habits.steady-hand.knack": "eyes"}
    second = asked("habits.steady-hand#2.knack", twice)
    assert reasons(second, "eyes") == ("already chosen",)
    assert second.rule_violations("eyes") == ("Sharp eyes (Eyes): already chosen",)
    assert second.rule_violations("hands") == ()


def test_each_holding_must_choose_another_entity_too(
    amended: Callable[..., Ruleset], asked: Asked
) -> None:
    charm = {"id": "knack", "do": "choose", "label": "Which?", "among": {"kind": "charm"}}
    rules = amended(steady_hand={"choices": [charm], "modifies": [], "text": ""})
    twice = {"habits": ["habit/steady-hand"] * 2, "habits.steady-hand.knack": "charm/whistling"}
    second = asked("habits.steady-hand#2.knack", twice, rules=rules)
    assert second.rule_violations("charm/whistling") != ()
    assert second.rule_violations("charm/thirteenth-step") == ()


def test_an_option_is_closed_that_would_leave_nothing_to_choose(
    amended: Callable[..., Ruleset], asked: Asked
) -> None:
    also = {
        "id": "also",
        "do": "choose",
        "label": "Which other?",
        "among": {"ids": ["habit/morse"]},
    }
    habits = asked("habits", rules=amended(early_bed={"choices": [also]}))
    assert habits.rule_violations(["habit/early-bed"]) == ()
    (reason,) = habits.rule_violations(["habit/morse", "habit/early-bed"])
    assert reason == "Early Bed: nothing is left to choose for Also"
    assert reason.code == "dead_end"


@pytest.mark.parametrize(
    "order",
    [
        ["habit/night-watch", "habit/night-watch-ii", "habit/red-lamp"],
        ["habit/night-watch-ii", "habit/red-lamp", "habit/night-watch"],
        ["habit/red-lamp", "habit/night-watch-ii", "habit/night-watch"],
    ],
)
def test_the_order_of_prerequisites_in_a_list_does_not_matter(
    asked: Asked, order: list[str]
) -> None:
    habits = asked("habits")
    assert habits.rule_violations(order) == ()
    state = habits.state_after(habits.canonical(order))
    assert {h.entity.id for h in state.holdings if h.entity.kind == "habit"} == {
        "habit/night-watch-ii", "habit/red-lamp",
    }  # fmt: skip


def test_a_prerequisite_that_is_missing_from_the_list_is_named(asked: Asked) -> None:
    assert asked("habits").rule_violations(["habit/night-watch-ii"]) == (
        "Night Watch II: requires Night Watch",
    )


def test_an_item_that_is_closed_opens_no_other(asked: Asked) -> None:
    dim = {
        "storm.roll": [1, 3, 5, 5, 8],
        "storm.drop": [5, 5],
        "knacks": {"hands": 6, "eyes": 2, "nerve": 3},
    }
    assert asked("habits", dim).rule_violations(["habit/night-watch", "habit/night-watch-ii"]) == (
        "Night Watch: requires Eyes 4 or more (you have 3)",
        "Night Watch II: requires Night Watch",
    )


def test_an_item_may_close_another_one(asked: Asked) -> None:
    habits = asked("habits")
    assert reasons(habits, "habit/early-bed") == ()
    assert reasons(habits, "habit/early-bed", ("habit/night-watch",)) == (
        "requires not Night Watch or Night Watch II",
    )


# ---------------------------------------------------------------------- own words


def test_ones_own_words_are_an_answer_where_they_may_be(asked: Asked) -> None:
    superstition = asked("superstition")
    assert superstition.rule_violations("Count the gulls") == ()
    assert superstition.canonical("  Count the gulls ") == "Count the gulls"
    assert asked("post").rule_violations("Count the gulls") != ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "it must not be empty"),
        ("   ", "it must not be empty"),
        ("x" * 201, "201 characters"),
        ("bell\x07", "control characters"),
        ("half \ud800", "control characters"),
    ],
)
def test_ones_own_words_have_limits(asked: Asked, text: str, fault: str) -> None:
    (found,) = asked("superstition").rule_violations(text)
    assert fault in found


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("Whisle on the galery", "Whistle on the gallery"),
        ("Whistle on the gallery", ""),
        ("charm/whistling", ""),
        ("Count the gulls", ""),
    ],
)
def test_own_words_that_are_spelled_like_an_option_are_asked_once_more(
    asked: Asked, words: str, label: str
) -> None:
    superstition = asked("superstition")
    assert list(superstition.similar_options(words)) == ([(words, label)] if label else [])
    menu = superstition.widget(MISSING, lambda _decision: MISSING)
    assert isinstance(menu, OptionMenu)
    (field,) = (i.value for i in menu.items if isinstance(i.value, TextField))
    again = field.follow_up(field.parse(words))
    assert (again is not None) == bool(label)
    if again is not None:
        assert (again.text, again.examples) == (words, (label,))
        assert again.note == f"Did you mean {label}? Press Enter to keep your own text."
        assert again.follow_up(again.parse(again.text)) is None
        assert again.parse(label) == "charm/whistling"


def test_what_looks_like_an_id_is_no_words_of_ones_own(asked: Asked) -> None:
    assert asked("superstition").rule_violations("charm/wistling") == (
        '"charm/wistling" is not an option. Did you mean Whistle on the gallery?',
    )


def test_two_ids_without_a_comma_are_no_words_of_ones_own(asked: Asked) -> None:
    said = ": put a comma between options"
    two = "charm/whistling charm/thirteenth-step"
    assert asked("superstition").rule_violations(two) == (f'"{two}"{said}',)
    habits = "habit/sea-legs habit/night-watch"
    assert asked("habits").rule_violations([habits]) == (f'"{habits}"{said}',)
    # Words that are only like their names are one's own.
    assert asked("superstition").rule_violations("Whistling at sea") == ()


def test_an_id_with_blanks_around_it_is_the_id(asked: Asked) -> None:
    superstition = asked("superstition")
    assert superstition.canonical(" charm/whistling ") == "charm/whistling"
    assert superstition.rule_violations(" charm/wistling ") != ()


def test_the_same_words_stand_once_in_a_list(variant: Variant, asked: Asked) -> None:
    rules = variant(
        ("ruleset.yaml", "    own_words: true\n", "    own_words: true\n    count: 2\n")
    )
    two = asked("superstition", {"superstition": ["charm/whistling", "Swim"]}, rules=rules)
    assert two.rule_violations(["Swim", "Swear"]) == ()
    assert two.rule_violations(["Swim", "Swim"]) != ()
    assert two.rule_violations(["Swim", " Swim "]) != ()
    assert two.rule_violations(["charm/whistling", "charm/whistling"]) != ()


# ---------------------------------------------------------------------------- budget


def test_a_list_costs_at_most_its_budget(asked: Asked) -> None:
    locker = asked("locker")
    assert locker.free_budget() == 17 - 2
    assert locker.spent(["gear/anchor", "gear/oilskin"]) == 9
    assert locker.rule_violations(["gear/anchor", "gear/boathook", "gear/oilskin"]) == ()
    assert locker.rule_violations(
        ["gear/anchor", "gear/boathook", "gear/oilskin", "gear/flags"]
    ) == ("Signal Flags: needs 3 Room; you have 2 left",)


def test_what_no_longer_fits_is_closed_and_says_why(asked: Asked) -> None:
    picked = ("gear/anchor", "gear/boathook", "gear/flags")
    assert reasons(asked("locker"), "gear/oilskin", picked) == ("needs 2 Room; you have 1 left",)
    assert reasons(asked("locker"), "gear/spyglass", picked) == ()


def test_a_choice_without_a_budget_has_nothing_free(asked: Asked) -> None:
    assert asked("post").free_budget() is None


# ----------------------------------------------------------------------- dice and faces


def test_faces_that_lie_there_may_be_chosen_as_often_as_they_do(asked: Asked) -> None:
    drop = asked("storm.drop")
    assert [offer.id for offer in drop.options()] == [1, 3, 5, 8]
    assert drop.rule_violations([8, 8]) == drop.rule_violations([1, 3]) == ()
    assert drop.rule_violations([1, 1]) == ("1: no more dice with this number",)
    assert drop.rule_violations([2, 3]) != ()
    assert drop.rule_violations([True, 3]) != ()


def test_faces_are_kept_in_order(asked: Asked) -> None:
    assert asked("storm.drop").canonical([8, 1]) == [1, 8]


@pytest.mark.parametrize(
    "faces", [[1, 3, 5, 8, 8], [[1, 1, 1, 1, 1], [1, 3, 5, 8, 8]], [[8, 8, 8, 8, 8]]]
)
def test_faces_that_the_dice_show_are_a_roll(asked: Asked, faces: object) -> None:
    assert asked("storm.roll").rule_violations(faces) == ()


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ([], "enter the dice"),
        ("1 3 5 8 8", "enter the dice"),
        (8, "enter the dice"),
        (None, "enter the dice"),
        ({1: 2}, "enter the dice"),
        ([1, 3, 5, 8], "5 dice, not 4"),
        ([1, 3, 5, 8, 2], "2 is not a face"),
        ([1, 3, 5, 8, True], "true is not a face"),
        ([1, 3, 5, 8, "8"], '"8" is not a face'),
        ([1, 3, 5, 8, 8.0], "8.0 is not a face"),
        ([[1, 3, 5, 8, 8], 3], "list of dice, or one list"),
        ([3, [1, 3, 5, 8, 8]], "list of dice, or one list"),
        ([["1", 3, 5, 8, 8]], '"1" is not a face'),
        (["1", "3", "5", "8", "8"], '"1" is not a face'),
        ([[]], "5 dice, not 0"),
        ([1, 1, 1, 1, 1], "must be rerolled: add"),
        ([[1, 3, 5, 8, 8], [1, 3, 5, 8, 8]], "no reroll is"),
        ([[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]], "must be rerolled: add"),
    ],
    ids=str,
)
def test_what_is_no_roll_says_why(asked: Asked, answer: object, fault: str) -> None:
    found = asked("storm.roll").rule_violations(answer)
    assert len(found) == 1
    assert fault in found[0]


def test_one_roll_is_kept_as_its_faces_and_several_as_lists(asked: Asked) -> None:
    roll = asked("storm.roll")
    assert roll.canonical([[1, 3, 5, 8, 8]]) == [1, 3, 5, 8, 8]
    again = [[1, 1, 1, 1, 1], [1, 3, 5, 8, 8]]
    assert roll.canonical(again) == again


@pytest.mark.parametrize(
    ("faces", "total"), [([1, 1], 9), ([2, 3], 9), ([3, 4], 11), ([4, 6], 14), ([6, 6], 16)]
)
def test_a_roll_is_its_dice_and_more_and_no_less_than_its_minimum(
    asked: Asked, faces: list[int], total: int
) -> None:
    found, note = asked("luck").result(faces)
    assert found == total
    assert (note.dice, note.counted, note.plus.text) == ("2d6", tuple(faces), "nerve")
    assert (note.added, note.total) == (4, sum(faces) + 4)


def test_a_bound_that_counts_is_named_beside_the_dice(asked: Asked) -> None:
    luck = asked("luck")
    low, high = luck.result([1, 1])[1], luck.result([3, 4])[1]
    assert (str(low.minimum), low.least) == ("nerve + 5", 9)
    assert high.minimum is None


# ---------------------------------------------------------------- assign, enter, write


def test_the_scores_to_assign_are_the_dice_that_are_left(asked: Asked) -> None:
    knacks = asked("knacks")
    assert knacks.targets() == ("hands", "eyes", "nerve")
    assert knacks.scores() == (6, 6, 4)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({"hands": 6, "eyes": 6}, "there is no score for nerve"),
        ({}, "there is no score for hands, eyes, nerve"),
        ({"hands": 6, "eyes": 6, "nerve": 6}, "the scores to assign are 6, 6, 4, not 6, 6, 6"),
        ({"hands": 6, "eyes": 6, "nerve": True}, "scores must be whole numbers"),
        ({"hands": 6, "eyes": 6, "nerve": "4"}, "scores must be whole numbers"),
        ({"hands": 6, "eyes": 6, "nerve": 4.0}, "scores must be whole numbers"),
        ([6, 6, 4], "enter a number for each of hands, eyes, nerve"),
        ("6 6 4", "enter a number for each of hands, eyes, nerve"),
        (None, "enter a number for each of hands, eyes, nerve"),
    ],
    ids=str,
)
def test_an_assignment_hands_out_each_score_once(asked: Asked, answer: object, fault: str) -> None:
    assert asked("knacks").rule_violations(answer) == (fault,)


def test_a_misspelt_name_in_an_assignment_names_the_nearest_one(asked: Asked) -> None:
    found = asked("knacks").rule_violations({"hnads": 6, "eyes": 6, "nerve": 4})
    assert '"hnads" does not get a score here; did you mean hands?' in found
    assert "there is no score for hands" in found


def test_an_assignment_is_kept_in_the_order_of_the_rules(asked: Asked) -> None:
    kept = asked("knacks").canonical({"nerve": 4, "eyes": 6, "hands": 6})
    assert list(kept) == ["hands", "eyes", "nerve"]


def test_an_entry_lies_within_bounds_that_are_computed(asked: Asked) -> None:
    savings = asked("savings")
    assert savings.bounds() == (10, 110, 20)
    assert savings.rule_violations(10) == savings.rule_violations(110) == ()
    assert savings.rule_violations(9) == ("9 is not between 10 and 110",)
    assert savings.rule_violations(111) == ("111 is not between 10 and 110",)


@pytest.mark.parametrize("answer", [None, "20", True, 20.0, [20], {}, float("nan")], ids=str)
def test_an_entry_is_a_whole_number(asked: Asked, answer: object) -> None:
    assert asked("savings").rule_violations(answer) == ("enter a whole number from 10 to 110",)


def test_a_text_that_may_be_left_out_may_be_empty(asked: Asked) -> None:
    assert asked("story").rule_violations("") == ()
    assert asked("story").canonical("  The sea.\n") == "The sea."


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x" * 301, "it has 301 characters; the limit is 300"),
        ("a\x00b", "control characters"),
        ("\ud83d", "control characters"),
        (None, "it must be text"),
        (3, "it must be text"),
        (["a"], "it must be text"),
    ],
)
def test_a_text_is_printable_and_not_too_long(asked: Asked, text: object, fault: str) -> None:
    (found,) = asked("story").rule_violations(text)
    assert fault in found


def test_a_text_that_must_be_there_must_not_be_blank(asked: Asked) -> None:
    afraid = {
        "storm.roll": [1, 3, 8, 8, 8],
        "storm.drop": [8, 8],
        "knacks": {"hands": 6, "eyes": 3, "nerve": 2},
    }
    assert asked("warning", afraid).rule_violations(" \n ") == ("it must not be empty",)


# ---------------------------------------------------------------------------- hostile


def nested(depth: int) -> list[object]:
    """Return a list that anchors in YAML make from a few lines: 2 ** depth texts in all."""
    found: list[object] = ["a"]
    for _time in range(depth):
        found = [found, found]
    return found


TANGLE = nested(9)


@pytest.mark.parametrize(
    "answer",
    [
        TANGLE,
        [TANGLE, TANGLE],
        [TANGLE] * 5,
        "y" * 5000,
        {"y" * 5000: 1},
        {"hands": TANGLE, "eyes": 6, "nerve": 4},
    ],
    ids=["lists", "two lists", "five lists", "a text", "a map of a text", "a map of lists"],
)
def test_a_reason_is_short_whatever_was_answered(keeper: Keeper, answer: object) -> None:
    for decision in keeper().asked:
        assert all(len(reason) < 1000 for reason in decision.rule_violations(answer))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_too_long_to_spell_is_judged_in_words(keeper: Keeper, sign: int) -> None:
    huge = sign * (1 << 20_000)
    for decision in keeper().asked:
        for answer in (huge, [huge] * 2, [huge] * 5, {"hands": huge, "eyes": 6, "nerve": 4}):
            assert decision.rule_violations(answer) != ()


SCRAPS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 10),
    st.just(10**40),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=4),
    st.sampled_from(["compass", "charm/whistling", "gear/rope", "hands", "habit/steady-hand"]),
)
ANSWERS = st.recursive(
    SCRAPS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.dictionaries(st.one_of(st.text(max_size=5), st.integers()), inner, max_size=4),
    ),
    max_leaves=8,
)


@law(few=10)
@given(answer=ANSWERS, data=st.data())
def test_any_answer_at_all_is_judged_in_words(
    by_chance: Callable[..., Character], rules: Ruleset, answer: object, data: st.DataObject
) -> None:
    made = by_chance(rules, 1, min(2, rules.head.advancement.maximum))
    decision = data.draw(st.sampled_from(made.asked))
    found = decision.rule_violations(answer)
    assert isinstance(found, tuple)
    assert all(isinstance(reason, str) and reason.strip() for reason in found)
    if not found:
        assert decision.rule_violations(decision.canonical(answer)) == ()


def test_each_offer_says_what_it_is_called_and_what_it_means(
    variant: Variant, asked: Asked
) -> None:
    rules = variant(
        (
            "ruleset.yaml",
            "label: A brass compass,",
            "label: A brass compass, text: It points north.,",
        )
    )
    own = {offer.id: offer for offer in asked("keepsakes", rules=rules).options()}
    assert (own["compass"].label, own["compass"].text) == ("A brass compass", "It points north.")
    assert (own["bell"].text, own["bell"].entity) == ("", None)
    assert [own[name].option.id for name in own] == [*own]
    posts = {offer.id: offer for offer in asked("post").options()}
    keeper = posts["post/head-keeper"]
    assert (keeper.label, keeper.text) == ("Head Keeper", "The light is yours to answer for.")
    assert (keeper.option, keeper.cost, keeper.number) == (None, 0, None)
    knacks = {offer.id: offer for offer in asked("habits").options()}
    assert knacks["habit/morse"].entity.id == "habit/morse"


# ---------------------------------------------------------------------------- questions file


def test_the_questions_file_suggests_what_the_book_leaves_open(
    variant: Variant, smithy: Ruleset
) -> None:
    assert "# oath: Never to quench in anger\n" in questions_file(smithy, 1)
    post = 'label: "What is your post?", among'
    open_post = post.replace("among", "unprinted: true, default: post/boatman, among")
    rules = variant(("ruleset.yaml", post, open_post))
    assert "# post: post/boatman\n" in questions_file(rules, 1)


def test_the_questions_file_says_how_to_choose_for_the_second_of_a_kind(smithy: Ruleset) -> None:
    hint = "  #   for the second of the same kind, add #2 to the id: tools.NAME#2\n"
    assert hint in questions_file(smithy, 1)


def test_the_questions_file_says_what_the_options_ask_of_their_bearer(tower: Ruleset) -> None:
    hint = "  #   of these those with rank * 2 - 1 <= level and rank <= skill:\n"
    assert hint in questions_file(tower, 2)


# ---------------------------------------------------------------------------- widgets


def unanswered(_decision: Decision) -> Any:
    """Suggest nothing."""
    return MISSING


def test_a_menu_starts_at_the_former_answer(asked: Asked) -> None:
    post, superstition = asked("post"), asked("superstition")
    assert post.widget(MISSING, unanswered).start is MISSING
    assert post.widget("post/boatman", unanswered).start == "post/boatman"
    own_words = superstition.widget("Count the gulls", unanswered)
    assert isinstance(own_words.start, TextField)
    assert own_words.start.text == "Count the gulls"


@pytest.mark.parametrize(
    ("name", "former", "answered"),
    [
        ("keepsakes", MISSING, False),  # exactly 2
        ("keepsakes", ["compass", "tin"], True),
        ("habits", MISSING, True),  # up to 4, or none
    ],
)
def test_a_list_may_stay_as_it_is_if_it_was_answered_or_may_be_empty(
    asked: Asked, name: str, former: Any, answered: bool
) -> None:
    assert bool(asked(name).widget(former, unanswered).answered) == answered


def test_a_number_field_has_the_former_or_the_default_number_and_names_its_bounds(
    asked: Asked,
) -> None:
    savings = asked("savings")
    assert savings.widget(33, unanswered).text == "33"
    field = savings.widget(MISSING, unanswered)
    assert (field.text, field.status) == ("20", ("From 10 to 110.",))
    assert [field.problems(text) for text in ("33", "9", "many")] == [
        (),
        ("9 is not between 10 and 110",),
        ("enter a whole number from 10 to 110",),
    ]


def test_a_text_field_has_the_former_text_and_says_if_it_can_stay_empty(asked: Asked) -> None:
    story = asked("story")
    assert story.widget(MISSING, lambda _decision: "The sea called.").text == ""
    field = story.widget("The sea.", lambda _decision: "The sea called.")
    assert (field.text, field.status) == ("The sea.", ("You can leave it empty.",))
    afraid = {
        "storm.roll": [1, 3, 8, 8, 8],
        "storm.drop": [8, 8],
        "knacks": {"hands": 6, "eyes": 3, "nerve": 2},
    }
    assert asked("warning", afraid).widget(MISSING, lambda _decision: "Rats").status == ()


# ------------------------------------------------------------------ every kind


def test_every_question_of_a_pack_has_a_kind() -> None:
    assert set(KINDS) == set(get_args(get_args(AnyQuestion)[0]))


@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_decision_can_be_asked_answered_and_described(rules: Ruleset, seed: str) -> None:
    source = RandomAnswers(seed)
    character = CharacterSpec(rules, seed, "Nix").replay(source)
    for decision in character.asked:
        answer = decision.random_answer(source)
        assert decision.rule_violations(answer) == ()
        assert decision.malformed(answer) == ()
        assert decision.canonical(decision.canonical(answer)) == decision.canonical(answer)
        assert decision.answer_text(answer)
        widget = decision.widget(answer, source)
        assert isinstance(widget, OptionMenu | Checklist | NumberFields | TextField)
        kind = decision_class(decision.question)
        assert isinstance(decision, kind)
        assert all(line for line in kind.question_lines(decision.question, rules))
