"""Events at replay, and events whose basis an edit changed.

The dockhand has ARM 5, WIT 2, vigour 9 and 2 more a level, luck 3, 20 coins, level + 1 slots.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.character.files.events import (
    AbilityEvent,
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    DropEvent,
    Event,
    NoteEvent,
    Override,
    ProcedureEvent,
    ResourceEvent,
    SetEvent,
)
from charforge.character.state import CHARACTER, State
from charforge.describe.held_entities import HeldEntity
from charforge.replay.loaded_character import LoadedCharacter, as_of_level
from charforge.replay.replay import Start, replay
from charforge.rules.ruleset import Ruleset
from charforge.verbs.change import commit_change, draft_event, try_change
from charforge.verbs.history import undo

TraceFunction = Callable[[FrameType, str, Any], Any]
Dockhand = Callable[..., LoadedCharacter]
KENNEL = {"knacks": ["knack/kennel"], "knacks__kennel__dog": "dog/terrier"}
DOG = "knacks.kennel.dog"
TENDER = "trade.tender"
BY = Override(by="GM", reason="a favour")


def then(opened: LoadedCharacter, kind: type[Event], **fields: Any) -> LoadedCharacter:
    """Return the character after one more event, whatever it breaks; what it asks is answered.

    Only the event is replayed: the result must be that of a replay of the whole log.
    """
    answers = fields.pop("answers", {})
    after = commit_change(try_change(opened, [draft_event(kind, **fields)], answers), tolerant=True)
    document = after.document
    assert after.character == replay(
        after.ruleset, document.answers, Start(document.name), log=document.log
    )
    return after


def edit(opened: LoadedCharacter, decision: str, answer: Any, **more: Any) -> LoadedCharacter:
    return then(opened, AnswerEvent, decision=decision, answer=answer, **more)


def last(opened: LoadedCharacter) -> str:
    return f"event.{opened.document.log[-1].n}"


def now(opened: LoadedCharacter, value: str, unit: str = CHARACTER) -> int:
    return opened.character.state.values(unit).base(value)


def slugs(opened: LoadedCharacter) -> list[str]:
    return [holding.entity.slug for holding in opened.character.state.holdings]


def broken(opened: LoadedCharacter) -> list[tuple[str, str, str]]:
    return [(p.code, p.decision, p.message) for p in opened.character.problems]


def sound(opened: LoadedCharacter) -> bool:
    return not (opened.problems or opened.character.dormant)


# --------------------------------------------------------------------------- edits at their place


def test_an_edit_counts_at_its_place(dockhand):
    """Sharp Eye requires WIT 3 at creation: an edit of the scores is judged before it."""
    blind = dockhand(2, level__2__knacks=["knack/strong-back"])
    assert now(blind, "arm") == 6
    wise = edit(blind, "scores", {"arm": 2, "wit": 4})
    assert (now(wise, "arm"), now(wise, "wit"), sound(wise)) == (4, 4, True)
    sharp = edit(wise, "knacks", ["knack/sharp-eye"])
    assert slugs(sharp) == ["stevedore", "sharp-eye", "strong-back"]
    assert broken(edit(blind, "knacks", ["knack/sharp-eye"])) == [
        ("broken", "knacks", "Sharp Eye: requires WIT 3 or more (you have 2)")
    ]


def test_an_edit_from_now_on_leaves_what_was_before(dockhand):
    """Ox at level 2 costs 2 of 3 slots and replaces Strong Back, which it requires at its place."""
    strong = dockhand(2, knacks=["knack/strong-back"], level__2__knacks=["knack/ox"])
    assert slugs(strong) == ["stevedore", "ox"]
    # At its place, Ox would lack what it requires.
    assert [p[1] for p in broken(edit(strong, "knacks", []))] == ["level.2.knacks"]
    # From now on, Strong Back is gone already, and nothing of Ox depends on it.
    later = edit(strong, "knacks", [], now=True)
    assert (slugs(later), broken(later)) == (["stevedore", "ox"], [])


def test_an_answer_from_now_on_is_judged_as_things_are_then(dockhand):
    grown = edit(dockhand(2), "scores", {"arm": 2, "wit": 4}, now=True)
    sharp = edit(grown, "knacks", ["knack/sharp-eye"], now=True)
    assert (sound(sharp), slugs(sharp)) == (True, ["stevedore", "sharp-eye"])
    illegal = edit(dockhand(2), "knacks", ["knack/sharp-eye"], now=True)
    assert broken(illegal) == [
        ("broken", "knacks", "Sharp Eye: requires WIT 3 or more (you have 2)")
    ]  # fmt: skip
    assert slugs(illegal) == ["stevedore"]


def test_an_answer_from_now_on_takes_back_only_the_options_that_it_chose(dockhand, refitted):
    """Another choice of the same thing may have options of the same name, or several of them."""
    printed = "options: [{id: clear, label: Clear, price: 2}, {id: long, label: Long, price: 5}]"
    wicks = ", ".join(
        f"{{id: {name}, label: {name.title()}, modifies: [{{value: wit, amount: {by}}}]}}"
        for name, by in (("clear", 2), ("long", 4), ("cotton", 8))
    )
    rules = refitted(
        (
            "things.yaml",
            printed,
            "options: [{id: clear, label: Clear, modifies: [{value: wit, amount: 1}]},"
            " {id: long, label: Long}]\n"
            f"      - {{id: wick, do: choose, label: Wicks?, count: 2, options: [{wicks}]}}",
        )
    )
    bare = dockhand(rules=rules)
    n = len(bare.document.log) + 1
    answers = {f"event.{n}.glass": "clear", f"event.{n}.wick": ["clear", "long"]}
    lit = then(bare, AcquireEvent, entity="gear/lantern", answers=answers)
    assert (now(lit, "wit"), sound(lit)) == (2 + 1 + 2 + 4, True)
    clouded = edit(lit, f"event.{n}.glass", "long", now=True)
    assert (now(clouded, "wit"), sound(clouded)) == (2 + 2 + 4, True)
    rewicked = edit(lit, f"event.{n}.wick", ["cotton", "long"], now=True)
    assert (now(rewicked, "wit"), sound(rewicked)) == (2 + 1 + 8 + 4, True)


def test_what_a_level_asks_of_the_character_belongs_to_nothing_it_holds(dockhand):
    asked = dockhand(2).character.decision("level.2.vigour")
    assert (asked.unit, asked.holding) == (CHARACTER, "")


def test_an_answer_from_now_on_for_what_nobody_asks_is_dormant(dockhand):
    strange = edit(dockhand(), "zeal", 3, now=True)
    assert (strange.character.dormant, strange.problems) == ((last(strange),), ())


# --------------------------------------------------------------------------- paid from a budget


def test_what_stays_of_a_list_is_not_judged_again(dockhand):
    """A kennel with its dog stays with all it has; the edit costs only what is new."""
    kennel = dockhand(2, **KENNEL, level__2__dog__vigour=[3])
    hurt = then(kennel, ResourceEvent, value="vigour", by=-1, unit=DOG)
    more = edit(hurt, "knacks", ["knack/kennel", "knack/strong-back"], now=True)
    assert (sound(more), slugs(more)) == (
        True, ["stevedore", "kennel", "terrier", "strong-back"],
    )  # fmt: skip
    assert (now(more, "max_vigour", DOG), now(more, "vigour", DOG)) == (5, 4)
    assert more.character.state.answers["knacks"] == ["knack/kennel", "knack/strong-back"]
    assert more.character.state.answers[f"{DOG}"] == "dog/terrier"


def test_what_goes_of_a_list_takes_its_own_with_it(dockhand):
    kennel = dockhand(2, **KENNEL, level__2__dog__vigour=[3])
    alone = edit(kennel, "knacks", ["knack/strong-back"], now=True)
    assert (sound(alone), slugs(alone)) == (True, ["stevedore", "strong-back"])
    assert [unit.id for unit in alone.character.state.units] == [CHARACTER]
    assert DOG not in alone.character.state.answers


def test_one_more_of_a_repeatable_thing_is_gained_and_one_less_goes(dockhand):
    fixed = dockhand(3, knacks=["knack/fixed-idea"], **{"knacks__fixed-idea__score": "arm"})
    assert now(fixed, "arm") == 6
    again = commit_change(
        try_change(
            fixed,
            [
                draft_event(
                    AnswerEvent, decision="knacks", answer=["knack/fixed-idea"] * 2, now=True
                )
            ],
            {"knacks.fixed-idea#2.score": "wit"},
        )
    )
    assert (now(again, "arm"), now(again, "wit")) == (6, 3)
    less = edit(again, "knacks", ["knack/fixed-idea"], now=True)
    assert (sound(less), now(less, "arm"), now(less, "wit")) == (True, 6, 2)


def test_what_was_replaced_stays_gone_while_its_better_stays(dockhand):
    ox = dockhand(2, level__2__knacks=["knack/strong-back", "knack/ox"])
    assert (slugs(ox), now(ox, "slots_used")) == (["stevedore", "ox"], 2)
    more = edit(ox, "level.2.knacks", ["knack/strong-back", "knack/ox", "knack/kennel"], now=True,
                answers={"level.2.knacks.kennel.dog": "dog/hound"})  # fmt: skip
    assert (broken(more), slugs(more)) == ([], ["stevedore", "ox", "kennel", "hound"])


def test_without_its_better_the_replaced_one_is_gained_anew(dockhand):
    ox = dockhand(2, level__2__knacks=["knack/strong-back", "knack/ox"])
    back = edit(ox, "level.2.knacks", ["knack/strong-back"], now=True)
    assert (broken(back), slugs(back), now(back, "arm")) == ([], ["stevedore", "strong-back"], 6)


# --------------------------------------------------------------------------- overrides


def test_an_override_is_applied_and_its_reasons_are_kept(dockhand):
    allowed = edit(dockhand(), "knacks", ["knack/sharp-eye"], override=BY)
    assert (allowed.problems, slugs(allowed)) == ((), ["stevedore", "sharp-eye"])
    (found,) = allowed.character.overridden
    assert (found.decision, found.override) == ("knacks", BY)
    assert found.reasons == ("Sharp Eye: requires WIT 3 or more (you have 2)",)
    assert allowed.character.state.allowed == {"knacks.sharp-eye"}
    assert allowed.notes == (
        "Knacks: Sharp Eye: requires WIT 3 or more (you have 2) (allowed by GM: a favour)",
    )


def test_an_override_marks_the_values_that_a_refused_option_changes(refitted, dockhand):
    rules = refitted(
        ("ruleset.yaml", "  - {id: motto,",
         "  - {id: gift, do: choose, section: evening, label: Which gift?, options: [\n"
         "      {id: none, label: None},\n"
         "      {id: ear, label: A fine ear, requires: {value: {id: wit, at_least: 4}}, "
         "modifies: [{value: wit, amount: 1}]}]}\n"
         "  - {id: motto,"),
    )  # fmt: skip
    made = edit(dockhand(rules=rules, gift="none"), "gift", "ear", override=BY)
    (found,) = made.character.overridden
    assert found.values == {(CHARACTER, "wit")}


def test_an_override_marks_only_what_breaks_a_rule(dockhand):
    both = edit(dockhand(), "knacks", ["knack/strong-back", "knack/sharp-eye"], override=BY)
    assert both.character.state.allowed == {"knacks.sharp-eye"}
    state = both.character.state
    names = [HeldEntity.of(state, h).name() for h in state.holdings if h.origin == "knacks"]
    assert names == ["Strong Back", "Sharp Eye †"]


def test_an_override_that_is_not_needed_is_none(dockhand):
    kept = edit(dockhand(), "knacks", ["knack/strong-back"], override=BY)
    assert (kept.character.overridden, kept.character.state.allowed) == ((), frozenset())


@pytest.mark.parametrize(
    ("decision", "answer", "reason"),
    [
        ("knacks", "knack/ox", "it must be a list"),
        ("knacks", ["oxx"], '"oxx" is not an option. Did you mean Ox?'),
        ("knacks", [True], "true is not an option"),
        ("scores", {"arm": 4}, "enter a whole number for each of ARM, WIT"),
        ("scores", {"arm": 4, "wit": "2"}, "enter a whole number for each of ARM, WIT"),
        ("level.2.vigour", ["3"], "enter one list of dice"),
        ("level.2.vigour", "3", "enter one list of dice"),
        ("motto", "a\x1b[2J", "it contains control characters or invalid characters"),
    ],
)
def test_no_override_allows_what_is_no_answer(dockhand, decision, answer, reason):
    made = edit(dockhand(2), decision, answer, override=BY)
    assert made.character.overridden == ()
    assert broken(made) == [("broken", decision, reason)]


def test_an_override_allows_dice_that_never_fell_and_scores_of_ones_own(dockhand):
    high = edit(dockhand(2), "level.2.vigour", [40], override=BY)
    assert now(high, "max_vigour") == 9 + 40
    own = edit(high, "scores", {"arm": 9, "wit": 9}, override=BY)
    assert (now(own, "arm"), [o.decision for o in own.character.overridden]) == (
        10, ["scores", "level.2.vigour"],
    )  # fmt: skip


# --------------------------------------------------------------------------- dormant and broken


def test_events_of_what_was_never_gained_sleep_until_it_is_again(dockhand):
    """The boat comes with the trade; without it everything about it has no effect."""
    pilot = dockhand(trade="trade/pilot")
    sailed = then(pilot, ResourceEvent, value="hull", by=-2, unit=TENDER)
    sailed = then(sailed, AdvanceEvent, unit=TENDER, level=2, answers={
        f"{TENDER}.level.2.fittings": ["fitting/sail"]})  # fmt: skip
    sailed = then(sailed, SetEvent, unit=TENDER, name="The Gull")
    named = sailed.character.state.unit(TENDER)
    # Hull 3 + level 2 + 2 of the sail, less 2.
    assert (named.name, named.advances, now(sailed, "hull", TENDER)) == ("The Gull", 1, 5)
    ashore = edit(sailed, "trade", "trade/stevedore")
    start = len(pilot.document.log)
    assert ashore.character.dormant == (
        f"{TENDER}.level.2.fittings",
        f"event.{start + 1}", f"event.{start + 2}", f"event.{start + 4}",
    )  # fmt: skip
    assert (ashore.problems, slugs(ashore)) == ((), ["stevedore"])
    assert ["has no effect now" in note for note in ashore.notes] == [True] * 4
    back = undo(ashore).after
    assert back.document.model_copy(update={"undone": ()}) == sailed.document
    assert back.character.state == sailed.character.state
    again = edit(ashore, "trade", "trade/pilot")
    assert again.character.state == sailed.character.state


def test_play_with_what_is_gone_sleeps(dockhand):
    got = then(dockhand(knacks=["knack/second-wind"]), AcquireEvent, entity="gear/flask")
    flask = last(got)
    made = then(got, ResourceEvent, value="sips", by=-1, holding=flask)
    made = then(made, CarryEvent, how="hold", holding=flask)
    made = then(made, AbilityEvent, holding="knacks.second-wind", ability="Breathe")
    assert sound(made)
    without = edit(made, "knacks", [])
    assert (without.character.dormant, now(without, "luck")) == ((last(made),), 3)
    assert now(made, "luck") == 2


def test_play_about_things_that_are_not_there_sleeps(dockhand):
    opened = dockhand()
    for kind, fields in (
        (ResourceEvent, {"value": "sips", "by": -1, "holding": "event.1"}),
        (ResourceEvent, {"value": "vigour", "by": -1, "unit": "nobody"}),
        (CarryEvent, {"how": "hold", "holding": "event.1"}),
        (CarryEvent, {"how": "stow", "holding": "event.1"}),
        (DropEvent, {"holding": "event.1"}),
        (AcquireEvent, {"entity": "gear/hook", "unit": "nobody"}),
        (ConditionEvent, {"condition": "state/soaked", "unit": "nobody"}),
        (ProcedureEvent, {"procedure": "bell", "unit": "nobody"}),
        (AbilityEvent, {"holding": "knacks.second-wind", "ability": "Breathe"}),
        (SetEvent, {"unit": "nobody", "name": "Bo"}),
        (AdvanceEvent, {"unit": "nobody", "level": 2}),
    ):
        made = then(opened, kind, **fields)
        assert (made.character.dormant, made.problems) == ((last(made),), ()), kind
        assert made.character.state == opened.character.state


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        (AcquireEvent, {"entity": "gear/zeal"}, 'no entity of The Harbour named "gear/zeal"'),
        (AcquireEvent, {"entity": "trade/stevedore"}, "you already have Stevedore"),
        (ResourceEvent, {"value": "arm", "by": 1},
         "ARM is not a resource of a Dockhand"),
        (ConditionEvent, {"condition": "gear/hook"}, "Hook is not a condition"),
        (CarryEvent, {"how": "hold", "holding": "trade"}, "Stevedore cannot be held"),
        (CarryEvent, {"how": "stow", "holding": "trade"}, "you are not holding Stevedore"),
        (DropEvent, {"holding": "trade", "quantity": 2}, "you have 1 Stevedore, not 2"),
        (ProcedureEvent, {"procedure": "zeal"}, 'no procedure of The Harbour named "zeal"'),
    ],
)  # fmt: skip
def test_what_the_rules_refuse_is_broken_and_does_nothing(dockhand, kind, fields, message):
    opened = dockhand()
    made = then(opened, kind, **fields)
    assert broken(made) == [("broken", last(made), message)]
    assert made.character.state == opened.character.state


def test_a_play_event_whose_dice_do_not_fit_is_broken(dockhand):
    """The faces were kept for 2d6: another number of dice, or none, is no roll of it."""
    for faces in ({}, {"own": [[3]]}, {"own": [[3, 9]]}, {"owm": [[3, 4]]}):
        made = then(
            dockhand(), ProcedureEvent, procedure="test", inputs={"attribute": "arm"}, faces=faces
        )
        assert [(code, name) for code, name, _why in broken(made)] == [("broken", last(made))]
    fine = then(
        dockhand(),
        ProcedureEvent,
        procedure="test",
        inputs={"attribute": "arm"},
        faces={"own": [[3, 4]]},
    )
    assert sound(fine)


def test_play_is_computed_again_on_what_an_edit_made(dockhand):
    """Vigour 9, 7 lost: 2. With ARM 3 it is 7, and all of it goes."""
    hurt = then(dockhand(), ProcedureEvent, procedure="hurt", inputs={"amount": 7})
    assert now(hurt, "vigour") == 2
    weak = edit(hurt, "scores", {"arm": 2, "wit": 4})
    assert (now(weak, "max_vigour"), now(weak, "vigour"), sound(weak)) == (7, 0, True)
    mended = then(weak, ProcedureEvent, procedure="mend", inputs={"amount": 3})
    assert now(mended, "vigour") == 3


# --------------------------------------------------------------------------- owning


def test_what_is_bought_is_paid_and_what_is_sold_brings_money(dockhand):
    rich = then(dockhand(), AcquireEvent, entity="gear/flask", quantity=3, price=2, note="for Bo")
    flask = last(rich)
    holding = rich.character.state.holding(flask)
    assert holding is not None
    assert (now(rich, "coins"), holding.quantity, holding.note) == (14, 3, "for Bo")
    sold = then(rich, DropEvent, holding=flask, quantity=2, price=1)
    assert (now(sold, "coins"), sold.character.state.holding(flask).quantity) == (16, 1)
    gone = then(sold, DropEvent, holding=flask)
    assert gone.character.state.holding(flask) is None


def test_money_that_was_never_there_is_a_problem_of_the_whole(dockhand):
    """20 coins buy a crossbow and eleven flasks; an earlier price of 3 each is too much."""
    made = then(dockhand(), AcquireEvent, entity="gear/flask", quantity=7, price=3)
    assert broken(made) == [("overspent", "", "you spent 1 coins more than you had")]
    assert now(made, "coins") == -1
    assert broken(then(made, ResourceEvent, value="coins", by=1)) == []


def test_what_is_granted_takes_nothing_of_a_budget(dockhand):
    given = then(dockhand(), AcquireEvent, entity="knack/strong-back", granted=True)
    assert (now(given, "slots_used"), now(given, "arm")) == (0, 6)
    taken = then(dockhand(), AcquireEvent, entity="knack/strong-back")
    assert now(taken, "slots_used") == 1


def test_what_is_bought_asks_its_choices_at_its_event(dockhand):
    made = then(dockhand(), AcquireEvent, entity="gear/lantern", price=2)
    name = last(made)
    assert [d.id for d in made.character.open] == [f"{name}.glass"]
    decision = made.character.decision(f"{name}.glass")
    assert (decision.section, decision.holding) == (name, name)


def test_a_choice_of_what_has_gone_is_open_no_more(dockhand):
    made = then(dockhand(), AcquireEvent, entity="gear/lantern")
    gone = then(made, DropEvent, holding=last(made))
    assert (gone.character.open, gone.problems) == ((), ())


# --------------------------------------------------------------------------- units and levels


def test_a_late_companion_catches_up_with_its_levels(dockhand):
    """Kennel learned at level 3: the terrier rolls for levels 2 and 3 (2 + 1 + 3 = 6)."""
    late = dockhand(
        3,
        level__3__knacks=["knack/kennel"],
        level__3__knacks__kennel__dog="dog/terrier",
        level__2__dog__vigour=[1],
        level__3__dog__vigour=[3],
    )
    dog = "level.3.knacks.kennel.dog"
    assert (sound(late), now(late, "max_vigour", dog)) == (True, 6)
    asked = [d.id for d in late.character.asked]
    assert asked[asked.index(dog) :] == [dog, "level.2.dog.vigour", "level.3.dog.vigour"]
    below = undo(late).after
    assert (below.document.level, below.problems, below.character.dormant) == (2, (), ())


def test_a_companion_given_late_catches_up_too(dockhand):
    opened = dockhand(3)
    name = f"event.{len(opened.document.log) + 1}"
    found = try_change(opened, [draft_event(AcquireEvent, entity="dog/terrier")])
    assert [d.id.rpartition(".")[2] for d in found.open] == ["vigour", "vigour"]
    answers = {decision.id: [2] for decision in found.open}
    made = commit_change(
        try_change(opened, [draft_event(AcquireEvent, entity="dog/terrier")], answers)
    )
    assert (sound(made), now(made, "max_vigour", name)) == (True, 2 + 4)
    grown = then(made, AdvanceEvent, level=4, answers={
        "level.4.vigour": [1], "level.4.knacks": []})  # fmt: skip
    assert [d.unit for d in grown.character.open] == [name]


def test_a_units_own_levels_bring_its_questions(dockhand):
    pilot = dockhand(trade="trade/pilot")
    raised = then(pilot, AdvanceEvent, unit=TENDER, level=2, answers={
        f"{TENDER}.level.2.fittings": ["fitting/sail"]})  # fmt: skip
    state = raised.character.state
    assert (sound(raised), raised.document.level, state.level_of(state.unit(TENDER))) == (
        True,
        1,
        2,
    )
    assert [h.entity.slug for h in state.held(TENDER)] == ["sail"]
    assert now(raised, "hull", TENDER) == 3 + 2 + 2  # level 2, and the sail


def test_an_answer_of_a_unit_is_judged_on_that_unit(dockhand):
    """Oars fit a barge, not a tender."""
    pilot = dockhand(trade="trade/pilot")
    fittings = f"{TENDER}.level.2.fittings"
    found = try_change(
        pilot, [draft_event(AdvanceEvent, unit=TENDER, level=2)], {fittings: ["fitting/oars"]}
    )
    assert [(p.decision, p.message) for p in found.problems] == [
        (fittings, "Oars: requires to be mounted on Barge")
    ]
    assert [d.id for d in found.open] == [fittings]


@pytest.mark.parametrize(
    ("level", "message"), [(3, "Tender is level 1, so the next level is not 3"), (2, "")]
)
def test_the_levels_of_a_unit_follow_each_other(dockhand, level, message):
    made = then(dockhand(3, trade="trade/pilot"), AdvanceEvent, unit=TENDER, level=level)
    assert [why for _code, _name, why in broken(made)] == ([message] if message else [])


def test_a_unit_has_its_highest_level(dockhand):
    """At most one more than its owner's."""
    pilot = dockhand(trade="trade/pilot")
    for level in (2, 3):
        pilot = then(pilot, AdvanceEvent, unit=TENDER, level=level)
    assert broken(pilot)[0][2] == "Tender can be level 2 at most, not 3"
    assert pilot.character.state.unit(TENDER).advances == 1


def test_a_level_that_is_the_owners_is_not_raised(dockhand):
    made = then(dockhand(**KENNEL), AdvanceEvent, unit=DOG, level=2)
    assert broken(made) == [("broken", last(made), "a Dog always has its owner's level")]


def test_names_are_a_units_own(dockhand):
    made = then(dockhand(**KENNEL), SetEvent, unit=DOG, name="Rex")
    assert made.character.state.unit(DOG).name == "Rex"
    assert (made.document.name, made.character.name) == ("Ada", "Ada")
    renamed = then(made, SetEvent, name="Bo")
    assert (renamed.document.name, renamed.character.state.unit(DOG).name) == ("Bo", "Rex")


# --------------------------------------------------------------------------- rules and notes


def test_a_table_rule_acts_from_where_it_was_set(dockhand):
    """Ebb: 5+ recovers on 5 or more. Flow: on 5 or less."""
    made = then(dockhand(knacks=["knack/second-wind"]), AbilityEvent, holding="knacks.second-wind",
                ability="Breathe")  # fmt: skip
    roll = {"recovered.knacks.second-wind.Breathe": [[3]]}
    ebb = then(made, ProcedureEvent, procedure="bell", faces=roll)
    assert ebb.character.state.cooldowns == (("knacks.second-wind", "Breathe"),)
    flow = then(
        then(ebb, SetEvent, rule="tide", value="flow"), ProcedureEvent, procedure="bell", faces=roll
    )
    assert (flow.character.state.cooldowns, sound(flow)) == ((), True)
    assert flow.document.rules == {"tide": "flow"}
    assert flow.character.state.rules == {"tide": "flow"}


def test_rules_set_first_hold_at_creation(harbour: Ruleset, dockhand):
    opened = dockhand()
    first, *rest = opened.document.log
    log = [first, SetEvent(n=2, group=1, rule="tide", value="flow"), *rest]
    made = replay(harbour, opened.document.answers, log=log)
    assert made.decision("trade").before.rules == {"tide": "flow"}
    late = replay(harbour, opened.document.answers, log=[*opened.document.log, log[1]])
    assert late.decision("trade").before.rules == {}
    assert late.state.rules == {"tide": "flow"}


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of the program some work runs."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: object) -> TraceFunction | None:
        nonlocal count
        count += event == "line"
        return trace if "charforge" in frame.f_code.co_filename else None

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(former)
    return count


@pytest.mark.parametrize("off", [False, True], ids=["on", "on and off"])
def test_the_work_of_replay_grows_with_the_number_of_conditions_and_not_with_its_square(
    harbour: Ruleset, dockhand: Dockhand, off: bool
) -> None:
    made = dockhand().document
    log: list[AnyEvent] = [*made.log]
    for number in range(400):
        place = {"n": len(log) + 1, "group": made.group + 1}
        log.append(ConditionEvent(condition="state/marked", about=f"foe {number}", **place))
    if off:
        for number in range(400):
            place = {"n": len(log) + 1, "group": made.group + 1}
            about = f"foe {number}"
            log.append(ConditionEvent(condition="state/marked", about=about, off=True, **place))
    events = len(log) - len(made.log)

    def work(number: int) -> int:
        return lines_run(lambda: replay(harbour, made.answers, log=log[: len(made.log) + number]))

    none, half, all_ = map(work, (0, events // 2, events))
    assert all_ - none < 2.3 * (half - none)


def test_conditions_are_put_and_taken_off_by_hand(dockhand):
    made = then(dockhand(), ConditionEvent, condition="state/bruised", amount=3)
    made = then(made, ConditionEvent, condition="state/bruised", off=True, amount=1)
    made = then(made, ConditionEvent, condition="state/marked", about="Bo")
    under = [(c.entity.slug, c.amount, c.about) for c in made.character.state.conditions]
    assert under == [("bruised", 2, ""), ("marked", 1, "Bo")]
    off = then(made, ConditionEvent, condition="state/marked", off=True, about="Mo")
    assert off.character.state == made.character.state
    assert made.document.character["conditions"] == ["state/bruised 2", "state/marked (Bo)"]


def test_a_note_changes_nothing(dockhand):
    made = then(dockhand(), NoteEvent, text="Rain.", at="today")
    assert (made.character.state, sound(made)) == (dockhand().character.state, True)


def test_replay_shows_each_event_with_the_state_before_and_after_it(harbour: Ruleset, dockhand):
    made = then(then(dockhand(), ResourceEvent, value="luck", by=1), NoteEvent, text="Rain.")
    seen: list[tuple[str, int]] = []

    def watch(event: Any, before: State, after: State) -> None:
        seen.append((event.do, after.values().base("luck") - before.values().base("luck")))

    replay(harbour, made.document.answers, log=made.document.log, watch=watch)
    assert seen == [*[("set", 0)], *[("answer", 0)] * 4, ("change", 1), ("note", 0)]


# --------------------------------------------------------------------------- as of a level


def test_a_level_is_seen_as_it_was_with_what_was_edited_later(dockhand):
    """What was played at level 1 counts, what came at level 2 does not; the edit does."""
    made = then(dockhand(), ResourceEvent, value="vigour", by=-3)
    made = then(made, AdvanceEvent, level=2, answers={"level.2.vigour": [4]})
    made = then(made, ResourceEvent, value="luck", by=2)
    made = edit(made, "level.2.knacks", ["knack/ox"])
    made = edit(made, "scores", {"arm": 2, "wit": 4})
    first = as_of_level(made, 1)
    # ARM 3: max vigour 7, of which 3 are lost.
    assert (first.document.level, now(first, "vigour"), now(first, "luck")) == (1, 4, 3)
    assert first.character.decision("level.2.knacks") is None
    assert first.character.dormant == ()
    second = as_of_level(made, 2)
    assert second.character.state == made.character.state


def test_an_edit_from_now_on_is_not_seen_before_it(dockhand):
    made = edit(dockhand(2), "scores", {"arm": 2, "wit": 4}, now=True)
    assert (now(made, "arm"), now(as_of_level(made, 1), "arm")) == (3, 5)


# --------------------------------------------------------------------------- any log at all


def words(rules: Ruleset) -> st.SearchStrategy[str]:
    """Draw names of everything there is, and some of nothing."""
    held = ["trade", TENDER, "knacks.kennel", DOG, "knacks.second-wind", "event.8", "event.9", "x"]
    return st.sampled_from(
        [*held, *rules.entities, *rules.values, *rules.procedures, "Breathe", "Bark", "Melee",
         "bolts", "sips", "tide", "flow", "2d6", "$x", "blunt", CHARACTER]
    )  # fmt: skip


@st.composite
def logged(draw: st.DrawFn, rules: Ruleset) -> dict[str, Any]:
    """Draw what an event may say, sensible or not."""
    name = words(rules)
    number = st.integers(-30, 30)
    inputs = st.dictionaries(
        st.sampled_from(
            ["amount", "type", "attribute", "vs", "hours", "bet", "guard", "deep", "x"]
        ),
        number | name,
        max_size=3,
    )
    faces = st.dictionaries(
        st.sampled_from(["own", "shot", "dealt", "recovered.knacks.second-wind.Breathe"]),
        st.lists(st.lists(st.integers(0, 7), max_size=2), max_size=2),
        max_size=2,
    )
    unit = st.sampled_from([CHARACTER, DOG, TENDER, "nobody"])
    played = {"unit": unit, "inputs": inputs, "faces": faces}
    kinds: dict[type[Event], dict[str, Any]] = {
        AcquireEvent: {"entity": name, "unit": unit, "quantity": st.integers(1, 3),
                  "price": st.none() | st.integers(0, 9)},
        DropEvent: {"holding": name, "quantity": st.integers(1, 3)},
        CarryEvent: {"how": st.sampled_from(["hold", "stow", "wear", "take-off"]), "holding": name},
        ResourceEvent: {"value": name, "by": number, "unit": unit, "holding": st.none() | name},
        ConditionEvent: {"condition": name, "unit": unit, "amount": st.none() | st.integers(1, 5),
                      "off": st.booleans(), "about": name},
        ProcedureEvent: {"procedure": st.sampled_from([*rules.procedures, "x"]), **played},
        AbilityEvent: {"holding": name, "ability": name, "untrained": st.booleans(), **played},
        AnswerEvent: {"decision": name | st.sampled_from(["knacks", "scores", "motto"]),
                   "answer": st.lists(name, max_size=3) | name | number,
                   "now": st.booleans()},
        CooldownEvent: {"holding": name, "ability": name, "unit": unit, "off": st.booleans()},
        AdvanceEvent: {"unit": unit | st.none(), "level": st.integers(2, 4)},
        SetEvent: {"unit": unit, "name": name},
    }  # fmt: skip
    kind = draw(st.sampled_from(list(kinds)))
    return {"kind": kind, **{key: draw(value) for key, value in kinds[kind].items()}}


@given(data=st.data())
def test_no_log_is_too_strange_to_be_replayed(
    harbour: Ruleset, dockhand: Dockhand, data: st.DataObject
) -> None:
    """Whatever was edited into a file, each event happens, sleeps, or is named as broken."""
    opened = dockhand(
        trade="trade/pilot",
        knacks=["knack/kennel", "knack/second-wind"],
        knacks__kennel__dog="dog/terrier",
    )
    drawn = data.draw(st.lists(logged(harbour), min_size=1, max_size=5))
    start = opened.document.log
    log: list[Any] = list(start)
    for fields in drawn:
        kind = fields.pop("kind")
        log.append(kind(n=len(log) + 1, group=2, **fields))
    answers = opened.document.model_copy(update={"log": tuple(log)}).answers
    states: dict[int, tuple[State, State]] = {}

    def watch(event: Any, before: State, after: State) -> None:
        states[event.n] = (before, after)

    made = replay(harbour, answers, log=log, watch=watch)
    bad = {*made.dormant, *(p.decision for p in made.problems if p.code == "broken")}
    for event in log[len(start) :]:
        before, after = states[event.n]
        if f"event.{event.n}" in bad:
            assert after == before, event
    for unit in made.state.units:
        values = made.state.values(unit.id)
        assert all(isinstance(values.total(name), int) for name in values.ids())


def test_what_is_lost_or_given_away_brings_no_money(dockhand):
    made = then(dockhand(), AcquireEvent, entity="gear/flask", quantity=4)
    flask = last(made)
    for price in (None, 0):
        made = then(made, DropEvent, holding=flask, quantity=2, price=price)
        assert now(made, "coins") == 20
    assert made.character.state.holding(flask) is None
