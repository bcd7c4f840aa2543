"""Every change is one group of the log: tried, made, undone and redone.

The dockhand has vigour 9, luck 3, 20 coins.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.character.files import reader, storage
from charforge.character.files.document import to_text
from charforge.character.files.events import (
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    ConditionEvent,
    DropEvent,
    NoteEvent,
    ResourceEvent,
    SetEvent,
)
from charforge.errors import AnswerError, MissingAnswers, RuleRefusal, UsageError, WriteError
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.level_up import level_up_character
from charforge.verbs.change import (
    EventDraft,
    change_character,
    commit_change,
    draft_carry,
    draft_event,
    try_change,
)
from charforge.verbs.history import redo, undo
from tests.samples import law

SPEND = draft_event(ResourceEvent, value="luck", by=-1)


def groups(opened: LoadedCharacter) -> list[tuple[int, int, str]]:
    """Return what follows creation: number, group and kind of each event."""
    return [(e.n, e.group, e.do) for e in opened.document.log if e.group > 1]


def text(opened: LoadedCharacter) -> str:
    """Return the file, what was undone apart."""
    return to_text(opened.document.model_copy(update={"undone": (), "undos": ()}))


def bought(opened: LoadedCharacter, glass: str = "clear", **more: Any) -> LoadedCharacter:
    name = f"event.{len(opened.document.log) + 1}"
    price = draft_event(AcquireEvent, entity="gear/lantern", price=2, **more)
    return change_character(opened, price, answers={f"{name}.glass": glass})


# --------------------------------------------------------------------------- one group


def test_a_change_is_a_group_of_its_own(dockhand):
    opened = dockhand()
    assert opened.document.group == 1
    twice = change_character(
        change_character(opened, SPEND), SPEND, draft_event(NoteEvent, text="Rain.")
    )
    start = len(opened.document.log)
    assert groups(twice) == [
        (start + 1, 2, "change"), (start + 2, 3, "change"), (start + 3, 3, "note"),
    ]  # fmt: skip
    assert twice.document.character["values"]["luck"] == 1
    assert opened.document.character["values"]["luck"] == 3


def test_what_is_asked_is_answered_in_the_same_group(dockhand):
    made = bought(dockhand())
    start = len(made.document.log) - 1
    assert groups(made) == [(start, 2, "acquire"), (start + 1, 2, "answer")]
    assert made.document.log[-1].decision == f"event.{start}.glass"
    assert (made.problems, made.character.dormant) == ((), ())
    gone = undo(made).after
    assert [event.do for event in gone.document.undone] == ["acquire", "answer"]
    assert gone.character.state == dockhand().character.state


def test_several_things_bought_at_once_keep_their_own_choices(dockhand):
    opened = dockhand()
    first = len(opened.document.log) + 1
    made = change_character(
        opened,
        draft_event(AcquireEvent, entity="gear/lantern", price=2),
        draft_event(AcquireEvent, entity="gear/lantern", price=5),
        draft_carry("hold", f"event.{first}"),
        answers={f"event.{first}.glass": "clear", f"event.{first + 1}.glass": "long"},
    )
    assert [kind for _n, _group, kind in groups(made)] == [
        "acquire",
        "acquire",
        "carry",
        *["answer"] * 2,
    ]
    assert {group for _n, group, _kind in groups(made)} == {2}
    answers = made.character.state.answers
    assert (answers[f"event.{first}.glass"], answers[f"event.{first + 1}.glass"]) == (
        "clear",
        "long",
    )
    assert (made.problems, made.character.dormant) == ((), ())
    assert reader.parse_document(to_text(made.document), Path("x.json")) == made.document


def test_levels_are_groups_of_their_own_each_with_its_answers(dockhand):
    up = level_up_character(dockhand(), 3, {
        "level.2.vigour": [1], "level.2.knacks": ["knack/kennel"],
        "level.2.knacks.kennel.dog": "dog/terrier", "level.2.dog.vigour": [1],
        "level.3.vigour": [2], "level.3.knacks": [], "level.3.dog.vigour": [2],
    })  # fmt: skip
    found = [(e.group, getattr(e, "decision", e.do)) for e in up.document.log if e.group > 1]
    assert found == [
        (2, "advance"), (2, "level.2.vigour"), (2, "level.2.knacks"),
        (2, "level.2.knacks.kennel.dog"), (2, "level.2.dog.vigour"),
        (3, "advance"), (3, "level.3.dog.vigour"), (3, "level.3.vigour"), (3, "level.3.knacks"),
    ]  # fmt: skip
    assert [event.n for event in up.document.log] == list(range(1, len(up.document.log) + 1))


def test_an_answer_that_changes_nothing_is_not_written_again(dockhand):
    made = change_character(dockhand(), draft_event(AnswerEvent, decision="motto", answer="Haul!"))
    assert [kind for _n, _group, kind in groups(made)] == ["answer"]
    assert change_character(made, SPEND).document.log[:-1] == made.document.log


def test_an_answer_from_now_on_is_not_taken_for_a_new_one_later(dockhand):
    now = change_character(
        dockhand(),
        draft_event(AnswerEvent, decision="scores", answer={"arm": 2, "wit": 4}, now=True),
    )
    after = change_character(now, SPEND)
    assert [kind for _n, _group, kind in groups(after)] == ["answer", "change"]
    assert after.document.answers["scores"] == {"arm": 4, "wit": 2}
    assert after.character.state.values().base("arm") == 3


# --------------------------------------------------------------------------- on trial


def test_a_trial_says_what_a_change_opens_answers_breaks_and_puts_to_sleep(dockhand):
    opened = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/hound")
    name = f"event.{len(opened.document.log) + 1}"
    lamp = try_change(opened, [draft_event(AcquireEvent, entity="gear/lantern")])
    assert [d.id for d in lamp.open] == [f"{name}.glass"]
    lit = try_change(
        opened, [draft_event(AcquireEvent, entity="gear/lantern")], {f"{name}.glass": "long"}
    )
    assert ([d.id for d in lit.new_decisions], lit.open, lit.problems) == (
        [f"{name}.glass"],
        (),
        (),
    )
    wrong = try_change(opened, [draft_event(AnswerEvent, decision="knacks", answer=["knack/ox"])])
    assert {p.decision for p in wrong.problems} == {"knacks"}
    assert [d.id for d in wrong.open] == ["knacks"]
    assert wrong.dormant == ("knacks.kennel.dog",)
    assert opened == dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/hound")


def test_what_was_wrong_before_is_not_held_against_a_change(dockhand):
    broken = commit_change(
        try_change(dockhand(), [draft_event(AcquireEvent, entity="gear/lantern")]), tolerant=True
    )
    assert [d.id for d in broken.character.open] != []
    spent = change_character(broken, SPEND)
    assert spent.character.state.values().base("luck") == 2
    assert [d.id for d in spent.character.open] == [d.id for d in broken.character.open]


def test_what_was_open_before_is_not_answered_by_the_way(dockhand):
    waiting = commit_change(
        try_change(dockhand(), [draft_event(AcquireEvent, entity="gear/lantern")]), tolerant=True
    )
    asked: list[str] = []

    def source(decision: Any) -> str:
        asked.append(decision.id)
        return "long"

    two = change_character(waiting, draft_event(AcquireEvent, entity="gear/lantern"), source=source)
    assert asked == [f"event.{len(waiting.document.log) + 1}.glass"]
    assert len(two.character.open) == 1


def test_what_may_be_left_out_is_left_out(dockhand):
    pilot = dockhand(trade="trade/pilot")
    raised = change_character(pilot, draft_event(AdvanceEvent, unit="trade.tender", level=2))
    assert raised.character.state.answers["trade.tender.level.2.fittings"] == []


# --------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("wanted", "error", "message"),
    [
        ([draft_carry("hold", "trade")], RuleRefusal, "Stevedore cannot be held"),
        ([draft_carry("hold", "event.99")], RuleRefusal,
         "the character no longer has that"),
        ([draft_event(AcquireEvent, entity="gear/hook", price=21)], RuleRefusal,
         "1 coins more than you had"),
        ([draft_event(ConditionEvent, condition="gear/hook")], RuleRefusal,
         "Hook is not a condition"),
        ([draft_event(AnswerEvent, decision="knacks", answer=["knack/ox"])], AnswerError, ""),
        ([draft_event(AcquireEvent, entity="gear/lantern")], MissingAnswers, ""),
        ([SPEND, draft_event(DropEvent, holding="trade", quantity=2)], RuleRefusal,
         "you have 1 Stevedore, not 2"),
        ([draft_event(AdvanceEvent, unit="nobody", level=2)], RuleRefusal,
         "the character no longer has that"),
    ],
)  # fmt: skip
def test_a_refused_change_leaves_everything_as_it_was(dockhand, wanted, error, message):
    opened = dockhand()
    before = to_text(opened.document)
    with pytest.raises(error) as caught:
        change_character(opened, *wanted)
    assert message in str(caught.value)
    assert to_text(opened.document) == before
    assert opened == dockhand()


def test_a_refusal_names_everything_that_is_open_or_wrong(dockhand):
    with pytest.raises(MissingAnswers) as missing:
        level_up_character(dockhand(), 2, {})
    assert [name for name, _label in missing.value.decisions] == [
        "level.2.vigour",
        "level.2.knacks",
    ]
    with pytest.raises(AnswerError) as wrong:
        level_up_character(dockhand(), 2, {"level.2.vigour": [9], "level.2.knacks": ["knack/ox"]})
    assert {name for name, _why in wrong.value.problems} == {"level.2.vigour", "level.2.knacks"}


# --------------------------------------------------------------------------- back and forth


def test_undo_takes_off_the_last_group_and_redo_puts_it_back(dockhand):
    start = dockhand()
    one = change_character(start, SPEND)
    two = change_character(one, SPEND, draft_event(NoteEvent, text="Rain."))
    back = undo(two).after
    assert [event.do for event in back.document.undone] == ["change", "note"]
    assert text(back) == text(one)
    further = undo(back).after
    assert text(further) == text(start)
    assert [event.n for event in further.document.undone] == [6, 7, 8]
    again = redo(further).after
    assert text(again) == text(one)
    assert redo(again).after == two


def test_redo_ends_with_the_next_change(dockhand):
    back = undo(change_character(dockhand(), SPEND)).after
    assert back.document.undone != ()
    other = change_character(back, draft_event(NoteEvent, text="Rain."))
    assert other.document.undone == ()
    with pytest.raises(UsageError, match="there is nothing to redo"):
        redo(other)


def test_a_refused_change_does_not_end_redo(dockhand):
    back = undo(change_character(dockhand(), SPEND)).after
    with pytest.raises(RuleRefusal):
        change_character(back, draft_carry("hold", "trade"))
    assert redo(back).after == change_character(dockhand(), SPEND)


def test_creation_cannot_be_undone(dockhand):
    with pytest.raises(UsageError, match="nothing to undo: the"):
        undo(dockhand())
    empty = dockhand().document.model_copy(update={"log": ()})
    with pytest.raises(UsageError, match="nothing to undo"):
        undo(LoadedCharacter(empty, dockhand().ruleset, dockhand().character))


def test_undo_goes_back_to_a_level(dockhand):
    second = dockhand(2)
    third = change_character(
        level_up_character(second, 3, {"level.3.vigour": [1], "level.3.knacks": []}), SPEND
    )
    fourth = level_up_character(third, 4, {"level.4.vigour": [1], "level.4.knacks": []})
    down = undo(fourth, to_level=2).after
    assert text(down) == text(second)
    gone = [e.level for e in down.document.undone if isinstance(e, AdvanceEvent)]
    assert gone == [3, 4]
    assert redo(down).after == fourth


def test_redo_goes_undo_by_undo(dockhand):
    """Two Levels taken off at once come back at once; what went singly before and after, singly."""
    start = dockhand()
    second = level_up_character(
        change_character(start, SPEND), 2, {"level.2.vigour": [1], "level.2.knacks": []}
    )
    third = level_up_character(second, 3, {"level.3.vigour": [1], "level.3.knacks": []})
    last = change_character(third, SPEND)
    down = undo(undo(undo(last).after, to_level=1).after).after
    assert down.document.undos == (1, 2)
    assert reader.parse_document(to_text(down.document), Path("x.json")) == down.document
    luck = redo(down).after
    both = redo(luck).after
    assert (luck.document.level, both.document.level) == (1, 3)
    assert (text(both), both.document.undos) == (text(third), ())
    assert redo(both).after == last


@pytest.mark.parametrize(
    ("level", "to", "message"),
    [
        (3, 3, "--to-level must be from 1 to 2"),
        (3, 0, "--to-level must be from 1 to 2"),
        (1, 1, "Ada is level 1, so there is no level to"),
    ],
)
def test_undo_refuses_a_level_that_is_not_below(dockhand, level, to, message):
    with pytest.raises(UsageError, match=message):
        undo(dockhand(level), to_level=to)


def test_the_level_of_a_unit_is_no_level_of_the_character(dockhand):
    pilot = dockhand(2, trade="trade/pilot")
    raised = change_character(pilot, draft_event(AdvanceEvent, unit="trade.tender", level=2))
    down = undo(raised, to_level=1).after
    assert (down.document.level, len(down.character.state.units)) == (1, 2)
    assert down.character.dormant == ()


STEPS: tuple[EventDraft, ...] = (
    SPEND,
    draft_event(ResourceEvent, value="vigour", by=-3),
    draft_event(ResourceEvent, value="coins", by=5),
    draft_event(ConditionEvent, condition="state/bruised", amount=2),
    draft_event(SetEvent, name="Bo"),
    draft_event(SetEvent, rule="tide", value="flow"),
    draft_event(AnswerEvent, decision="scores", answer={"arm": 2, "wit": 4}),
    draft_event(AnswerEvent, decision="scores", answer={"arm": 2, "wit": 4}, now=True),
    draft_event(AcquireEvent, entity="gear/flask", price=1),
    draft_event(AdvanceEvent, level=2),
    draft_event(NoteEvent, text="Rain."),
)
NEW = {"level.2.vigour": [3], "level.2.knacks": ["knack/strong-back"]}


@law(few=10)
@given(st.lists(st.sampled_from(STEPS), max_size=6, unique_by=id))
def test_undone_to_the_start_and_redone_everything_is_as_it_was(dockhand, steps):
    """Byte for byte, what was undone apart."""
    made = [dockhand()]
    for step in steps:
        made.append(
            change_character(made[-1], step, answers=NEW if step.kind is AdvanceEvent else None)
        )
    there = made[-1]
    for before in reversed(made[:-1]):
        there = undo(there).after
        assert text(there) == text(before)
        assert there.character.state == before.character.state
        assert reader.parse_document(to_text(there.document), Path("x.json")) == there.document
    for after in made[1:]:
        there = redo(there).after
        assert text(there) == text(after)
    assert there == made[-1]


# --------------------------------------------------------------------------- saved


def test_a_change_is_not_saved_over_another(dockhand, tmp_path):
    path = tmp_path / "ada.json"
    opened = dockhand()
    storage.save(opened.document, path)
    mine, other = (
        change_character(opened, SPEND),
        change_character(opened, draft_event(NoteEvent, text="Rain.")),
    )
    storage.save_changed(opened.document, mine.document, path)
    with pytest.raises(WriteError, match="another program changed it in the meantime"):
        storage.save_changed(opened.document, other.document, path)
    assert reader.load(path) == mine.document
