"""Replay: the order of questions, and answers that no longer fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from charforge.character.holdings import add_holding
from charforge.character.state import State
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.replay.character_spec import growth
from charforge.replay.replay import Character, replay
from charforge.rules.models import Advancement, Entity
from charforge.rules.ruleset import Ruleset

Keeper = Callable[..., Character]


def ids(decisions: Iterable[Decision]) -> list[str]:
    return [decision.id for decision in decisions]


ORDER = [
    "post", "story", "superstition", "storm.roll", "storm.drop", "knacks", "luck", "treasure",
    "locker", "savings", "keepsakes", "habits", "treasure.boat.colour",
]  # fmt: skip


def test_every_section_asks_its_steps_in_order(keeper: Keeper) -> None:
    assert ids(keeper().asked) == ORDER


def test_a_choice_may_wait_for_its_section(keeper: Keeper) -> None:
    colour = keeper().decision("treasure.boat.colour")
    assert colour is not None
    assert (colour.section, colour.unit, colour.holding) == (
        "evening", "treasure.boat", "treasure.boat",
    )  # fmt: skip


def test_a_choice_without_a_section_is_asked_at_once(keeper: Keeper) -> None:
    practised = keeper({"habits": ["habit/steady-hand"], "habits.steady-hand.knack": "eyes"})
    names = ids(practised.asked)
    assert names.index("habits.steady-hand.knack") == names.index("habits") + 1


def test_a_complete_character_is_legal(keeper: Keeper) -> None:
    made = keeper()
    assert made.legal
    assert (made.open, made.problems, made.dormant) == ((), (), ())
    assert list(made.answers()) == ORDER


def test_a_question_is_asked_only_under_its_condition(keeper: Keeper) -> None:
    assert keeper().decision("warning") is None
    afraid = keeper(
        {
            "storm.roll": [1, 3, 8, 8, 8],
            "storm.drop": [8, 8],
            "knacks": {"hands": 6, "eyes": 3, "nerve": 2},
        }
    )
    assert ids(afraid.open) == ["warning"]


def test_a_choice_that_a_grant_settled_is_not_asked(keeper: Keeper) -> None:
    made = keeper()
    assert made.decision("kit.signal-lamp.colour") is None
    assert "kit.signal-lamp.colour" not in made.answers()


def test_a_settled_choice_that_is_answered_all_the_same_is_dormant(keeper: Keeper) -> None:
    made = keeper({"kit.signal-lamp.colour": "white"})
    assert made.dormant == ("kit.signal-lamp.colour",)
    assert made.state.answers["kit.signal-lamp.colour"] == "red"


def test_a_choice_of_two_kinds_names_the_kind_in_its_path(keeper: Keeper) -> None:
    assert keeper().state.holding("treasure.boat") is not None
    kept = keeper({"treasure": "pet/cat", "treasure.boat.colour": None})
    assert kept.state.holding("treasure.pet") is not None


def test_nothing_is_answered_where_nobody_answers(toy: Ruleset) -> None:
    fresh = replay(toy, {})
    assert fresh.answers() == {}
    assert ids(fresh.open)[0] == "post"
    assert not fresh.legal


def test_a_question_about_dice_waits_for_the_roll(toy: Ruleset) -> None:
    names = ids(replay(toy, {}).open)
    assert "storm.roll" in names
    assert "storm.drop" not in names
    assert "knacks" not in names


# -------------------------------------------------- open, broken, illegal, dormant


def test_a_decision_without_an_answer_is_open(keeper: Keeper) -> None:
    made = keeper({"savings": None})
    assert ids(made.open) == ["savings"]
    assert made.problems == ()
    assert not made.legal


def test_an_answer_that_became_illegal_is_broken_and_its_decision_open(keeper: Keeper) -> None:
    made = keeper({"treasure": "pet/cat", "treasure.boat.colour": None,
                   "habits": ["habit/sea-legs"]})  # fmt: skip
    assert [(p.code, p.decision, p.message) for p in made.problems] == [
        ("broken", "habits", "Sea Legs: requires a Boat")
    ]
    assert ids(made.open) == ["habits"]


def test_a_broken_answer_has_no_effect(keeper: Keeper) -> None:
    made = keeper({"savings": 9999})
    assert "savings" not in made.answers()
    assert made.state.values().base("savings") == 0


def test_every_reason_against_a_broken_answer_is_a_problem(keeper: Keeper) -> None:
    made = keeper({"keepsakes": ["compas", "bel"]})
    assert [problem.decision for problem in made.problems] == ["keepsakes", "keepsakes"]


def test_an_answer_to_nothing_is_dormant(keeper: Keeper) -> None:
    made = keeper({"habits.steady-hand.knack": "eyes", "no.such.thing": 1})
    assert made.dormant == ("habits.steady-hand.knack", "no.such.thing")
    assert (made.problems, made.open) == ((), ())


def test_a_dormant_answer_is_revived_when_it_is_asked_for_again(keeper: Keeper) -> None:
    dormant = {"habits.steady-hand.knack": "eyes"}
    assert keeper(dormant).dormant == ("habits.steady-hand.knack",)
    revived = keeper({**dormant, "habits": ["habit/steady-hand"]})
    assert revived.dormant == ()
    assert revived.state.values().base("eyes") == 8


def test_an_illegal_answer_of_a_source_is_a_problem_too(toy: Ruleset) -> None:
    def wrong(decision: Decision) -> Answer:
        return "post/admiral" if decision.id == "post" else MISSING

    made = replay(toy, {}, source=wrong)
    assert [(p.code, p.decision) for p in made.problems] == [("illegal", "post")]


def test_a_recorded_answer_goes_before_a_source(keeper: Keeper, toy: Ruleset) -> None:
    def never(decision: Decision) -> Answer:
        raise AssertionError(decision.id)

    made = keeper()
    assert replay(toy, made.answers(), source=never).legal


def test_legality_is_judged_at_the_place_of_the_answer(keeper: Keeper) -> None:
    watch = {"habits": ["habit/night-watch", "habit/night-watch-ii"]}
    made = keeper(watch)
    assert made.legal
    assert not made.state.has("habit/night-watch")


def test_answers_below_a_renamed_thing_still_count(toy: Ruleset, base: dict[str, Answer]) -> None:
    old = {**base, "habits": ["habit/steady-hand"], "habits.steady-hand.knack": "eyes"}
    raw = toy.entity("habit/steady-hand").model_dump(by_alias=True, exclude_unset=True)
    renamed = {"id": "habit/firm-hand", "name": "Firm Hand", "renamed_from": ["habit/steady-hand"]}
    firm = Entity.model_validate({**raw, **renamed})
    entities = {**toy.entities, firm.id: firm}
    del entities["habit/steady-hand"]
    made = replay(replace(toy, entities=entities), old)
    assert made.legal
    assert made.dormant == ()
    assert made.state.values().base("eyes") == 8


# -------------------------------------------------------------------------- answers changed


def test_an_answer_has_one_spelling(keeper: Keeper) -> None:
    assert keeper({"locker": ["gear/sou-wester"]}).answers()["locker"] == ["gear/oilskin"]


def test_an_answer_changed_there_and_back_loses_no_other(keeper: Keeper) -> None:
    made = keeper({"treasure.boat.colour": "white"})
    away = keeper({**made.recorded_answers, "treasure": "pet/cat"})
    assert away.dormant == ("treasure.boat.colour",)
    back = keeper({**away.recorded_answers, "treasure": "boat/dinghy"})
    assert back.answers() == made.answers()
    assert back.legal


# ------------------------------------------------------------------------- levels


@pytest.fixture
def levelled(toy: Ruleset) -> Ruleset:
    """The toy with three levels, at each of which a boat asks for more hull."""
    raw = toy.entity("boat/dinghy").model_dump(by_alias=True, exclude_unset=True)
    hull = {"id": "hull", "do": "roll", "label": "Planks?", "dice": "1d4", "to": "hull"}
    dinghy = Entity.model_validate({**raw, "each_level": [hull]})
    more = Advancement.model_validate(
        {
            "maximum": 3,
            "asks": [{"id": "story", "do": "write", "label": "And then?", "optional": True}],
        }
    )
    return replace(
        toy,
        head=toy.head.model_copy(update={"advancement": more}),
        entities={**toy.entities, "boat/dinghy": dinghy},
    )


LEVELS: dict[str, Any] = {
    "level.2.boat.hull": [3], "level.2.story": "",
    "level.3.boat.hull": [4], "level.3.story": "A long winter.",
}  # fmt: skip


def test_each_level_asks_its_questions_under_its_own_name(
    levelled: Ruleset, base: dict[str, Answer]
) -> None:
    made = replay(levelled, {**base, **LEVELS}, log=growth(3))
    assert made.legal
    assert ids(made.asked)[-4:] == list(LEVELS)
    assert [d.level for d in made.asked[-4:]] == [2, 2, 3, 3]
    assert made.state.values("treasure.boat").base("hull") == 4 + 3 + 4


def test_a_table_of_levels_gives_the_row_of_the_level_or_the_cell_above(
    levelled: Ruleset, base: dict[str, Answer]
) -> None:
    figures = []
    for level in (1, 2, 3):
        values = replay(levelled, {**base, **LEVELS}, log=growth(level)).state.values()
        figures.append((values.base("oil"), values.base("reach") - values.base("eyes")))
    assert figures == [(3, 2), (3, 4), (5, 4)]


def test_answers_beyond_the_level_are_dormant(levelled: Ruleset, base: dict[str, Answer]) -> None:
    made = replay(levelled, {**base, **LEVELS}, log=growth(2))
    assert made.dormant == ("level.3.boat.hull", "level.3.story")


def test_two_units_of_a_kind_are_asked_apart_at_each_level(
    levelled: Ruleset, base: dict[str, Answer]
) -> None:
    cat = levelled.entity("pet/cat").model_dump(by_alias=True, exclude_unset=True)
    fleet = Entity.model_validate({**cat, "grants": ["boat/dinghy"]})
    both = replace(levelled, entities={**levelled.entities, "pet/cat": fleet})
    dinghy = both.entity("boat/dinghy").model_dump(by_alias=True, exclude_unset=True)
    first = Entity.model_validate({**dinghy, "grants": ["pet/cat"]})
    second = {**both.entities, "boat/skiff": first.model_copy(update={"id": "boat/skiff"})}
    made = replay(replace(both, entities=second), {**base, "treasure": "boat/skiff"}, log=growth(2))
    assert len([unit for unit in made.state.units if unit.id != "character"]) == 2
    names = ids(made.asked)
    assert len(names) == len(set(names))


def test_a_thing_gained_twice_in_one_place_gets_two_paths(
    toy: Ruleset, legal_keeper: Callable[..., State]
) -> None:
    state = add_holding(legal_keeper(), toy.entity("gear/rope"), "post.rope", "post")
    paths = [holding.id for holding in state.holdings]
    assert "post.rope#2" in paths
    assert len(paths) == len(set(paths))
