"""The state of a table survives a restart, and turns keep their place."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.errors import RuleRefusal
from charforge.serve.table_state import Foe, TableState, TableStore, TurnPlace, Turns
from tests.samples import law

AT = "2026-11-28 19:05+00:00"


def places(*names: str, **more: int) -> list[TurnPlace]:
    """Places with their names as ids; ``more`` are extra turns, -1 for a missed first turn."""
    return [
        TurnPlace(
            id=name, name=name, extra_turns=max(more.get(name, 0), 0),
            misses_first_turn=more.get(name, 0) < 0,
        )
        for name in names
    ]  # fmt: skip


def acting(turns: Turns) -> str:
    return turns.acting.id if turns.acting is not None else ""


def walk(turns: Turns, steps: int) -> list[tuple[int, str]]:
    """Return round and place of so many turns, one after the other."""
    seen = []
    for _step in range(steps):
        seen.append((turns.round, acting(turns)))
        turns = turns.next()
    return seen


# ------------------------------------------------------------------ turns


def test_rounds_follow_each_other() -> None:
    turns = Turns.of(places("a", "b"))
    assert walk(turns, 5) == [(1, "a"), (1, "b"), (2, "a"), (2, "b"), (3, "a")]


def test_extra_turns_come_before_combat_and_missed_ones_are_left_out() -> None:
    turns = Turns.of(places("a", "b", "c", a=2, b=1, c=-1))
    before, first = [(0, "a"), (0, "b"), (0, "a")], [(1, "a"), (1, "b")]
    assert walk(turns, 8) == [*before, *first, (2, "a"), (2, "b"), (2, "c")]


def test_a_round_in_which_nobody_acts_is_left_out() -> None:
    assert walk(Turns.of(places("a", a=-1)), 2) == [(2, "a"), (3, "a")]


def test_there_is_no_turn_before_the_first() -> None:
    with pytest.raises(RuleRefusal, match="first turn"):
        Turns.of(places("a", "b")).previous()


@pytest.mark.parametrize("step", [Turns.next, Turns.previous])
def test_without_combat_there_are_no_turns(step: Callable[[Turns], Turns]) -> None:
    assert Turns().acting is None
    with pytest.raises(RuleRefusal, match="no combat"):
        step(Turns())


def test_if_who_acts_leaves_the_next_one_acts() -> None:
    turns = Turns.of(places("a", "b", "c")).next()
    assert acting(turns.with_places(places("a", "c"))) == "c"
    last = turns.next().with_places(places("a", "b"))
    assert (last.round, acting(last)) == (2, "a")


def test_without_places_combat_is_over() -> None:
    assert Turns.of(places("a")).next().with_places([]) == Turns()


orders = st.lists(
    st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6
).map(
    lambda kinds: tuple(
        TurnPlace(id=f"p{n}", name="", extra_turns=extra, misses_first_turn=misses)
        for n, (extra, misses) in enumerate(kinds)
    )
)  # fmt: skip


@law()
@given(orders, st.integers(0, 20))
def test_next_and_previous_are_inverse(order: tuple[TurnPlace, ...], steps: int) -> None:
    turns = [Turns.of(order)]
    for _step in range(steps):
        turns.append(turns[-1].next())
    for earlier, later in pairwise(turns):
        assert later.previous() == earlier
    with pytest.raises(RuleRefusal):
        turns[0].previous()


@law()
@given(orders, st.integers(0, 20), st.data())
def test_whoever_comes_goes_or_moves_it_is_still_the_same_turn(
    order: tuple[TurnPlace, ...], steps: int, data: st.DataObject
) -> None:
    turns = Turns.of(order)
    for _step in range(steps):
        turns = turns.next()
    others = [place for place in order if place.id != acting(turns)]
    kept = data.draw(st.lists(st.sampled_from(others), unique_by=lambda p: p.id)) if others else []
    new = TurnPlace(id="new", name="", extra_turns=data.draw(st.integers(0, 2)))
    now = next(place for place in order if place.id == acting(turns))
    changed = data.draw(st.permutations([*kept, new, now]))
    after = turns.with_places(changed)
    assert (after.round, acting(after)) == (turns.round, acting(turns))
    for _step in range(8):
        after = after.next()
        assert after.acting in changed


# ------------------------------------------------------------------ kept in a file


texts = st.text(max_size=8)
foes = st.builds(
    Foe, id=st.text("ab", max_size=2), name=texts, notes=texts, conditions=texts,
    hit_points=st.none() | st.integers(0, 9), max_hit_points=st.none() | st.integers(0, 9),
    hidden=st.booleans(),
)  # fmt: skip
states = st.builds(
    TableState,
    number=st.integers(1, 3),
    next_id=st.integers(1, 9),
    foes=st.lists(foes, max_size=3).map(tuple),
    turns=orders.map(Turns.of) | st.just(Turns()),
    seen_by_others=st.dictionaries(st.text("0123", min_size=1), st.sampled_from(["all", "name"])),
    foe_vitals=st.booleans(),
    run_turns=st.booleans(),
)
steps = st.lists(states | st.tuples(texts, st.lists(texts, max_size=3)), max_size=6)


@law()
@given(steps)
def test_a_restart_shows_the_same_at_any_moment(
    tmp_path_factory: pytest.TempPathFactory, actions: list[TableState | tuple[str, list[str]]]
) -> None:
    folder = tmp_path_factory.mktemp("table") / "evening"
    store = TableStore.open(folder)
    for action in actions:
        if isinstance(action, TableState):
            store.change(lambda _state, after=action: (after, "a change"))  # type: ignore[misc]
        else:
            store.log(AT, *action)
        again = TableStore.open(folder)
        assert again.saved == store.saved
        assert again.entries == store.entries
        assert again.markdown() == store.markdown()


@law()
@given(st.lists(states, min_size=1, max_size=4), st.integers(0, 4))
def test_what_is_undone_is_as_before_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory, changes: list[TableState], redone: int
) -> None:
    folder = tmp_path_factory.mktemp("table") / "evening"
    store, shown = TableStore.open(folder), [TableState()]

    def seen() -> dict[str, object]:
        return store.state.model_dump(exclude={"next_id", "logs"})

    for state in changes:
        if state != store.state:
            shown.append(state)
        store.change(lambda _state, after=state: (after, "a change"))  # type: ignore[misc]
    expected = [state.model_dump(exclude={"next_id", "logs"}) for state in shown]
    for before in expected[-2::-1]:
        store = TableStore.open(folder)
        store.undo(store.saved.changes)
        assert seen() == before
    with pytest.raises(RuleRefusal, match="nothing to undo"):
        store.undo(store.saved.changes)
    for after in expected[1 : redone + 1]:
        store.redo(store.saved.changes)
        assert seen() == after
    store.change(lambda state: (state.model_copy(update={"number": 99}), "another"))
    assert store.saved.redo == ()


def test_an_undo_of_a_page_that_shows_something_else_is_refused(tmp_path: Path) -> None:
    store = TableStore.open(tmp_path)
    for number in (2, 3):
        store.change(lambda state, n=number: (state.model_copy(update={"number": n}), "x"))  # type: ignore[misc]
    store.undo(2)
    with pytest.raises(RuleRefusal, match="meanwhile"):
        store.undo(2)
    assert store.state.number == 2


def test_a_refused_change_changes_nothing(tmp_path: Path) -> None:
    store = TableStore.open(tmp_path)

    def refuse(state: TableState) -> tuple[TableState, str]:
        raise RuleRefusal("no")

    with pytest.raises(RuleRefusal):
        store.change(refuse)
    assert store.state == TableState()
    assert list(tmp_path.iterdir()) == []


def test_what_is_saved_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    store = TableStore.open(tmp_path)
    store.change(lambda state: (state.model_copy(update={"foe_vitals": True}), "a change"))
    store.log(AT, "Ada", ["a"])
    sizes = [(tmp_path / name).stat().st_size for name in ("evening", "log-1.jsonl")]
    assert synced == sizes


def test_a_broken_evening_is_kept_aside(tmp_path: Path) -> None:
    assert TableStore.open(tmp_path).broken is None
    (tmp_path / "evening").write_bytes(b"broken")
    store = TableStore.open(tmp_path)
    assert (store.state, store.broken) == (TableState(), tmp_path / "evening.broken")
    assert (tmp_path / "evening.broken").read_bytes() == b"broken"
    assert TableStore.open(tmp_path).broken is None


def test_others_cannot_read_the_evening(tmp_path: Path) -> None:
    store = TableStore.open(tmp_path)
    store.change(lambda state: (state.model_copy(update={"foe_vitals": True}), "a change"))
    store.log(AT, "Ada", ["a secret"])
    assert sorted(oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()) == ["0o600"] * 2


# ------------------------------------------------------------------ the log


@pytest.mark.parametrize("left", [1, 10, -3])
def test_a_line_that_was_cut_off_is_left_out_and_the_next_one_is_whole(
    tmp_path: Path, left: int
) -> None:
    store = TableStore.open(tmp_path)
    store.log(AT, "Ada", ["first"])
    store.log(AT, "Ada", ["cut off"])
    (file,) = tmp_path.iterdir()
    first, second = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + second[:left])
    again = TableStore.open(tmp_path)
    assert [entry.lines for entry in again.entries] == [("first",)]
    again.log(AT, "Ada", ["third"])
    assert [e.lines for e in TableStore.open(tmp_path).entries] == [("first",), ("third",)]


def test_lines_that_say_something_else_are_left_out(tmp_path: Path) -> None:
    store = TableStore.open(tmp_path)
    store.log(AT, "Ada", ["first"])
    (file,) = tmp_path.iterdir()
    file.write_bytes(b'[]\n{"at": 1}\n\xff\n' + file.read_bytes())
    assert [entry.lines for entry in TableStore.open(tmp_path).entries] == [("first",)]


def test_a_new_evening_has_a_log_of_its_own_and_the_former_stays(tmp_path: Path) -> None:
    store = TableStore.open(tmp_path)
    store.log(AT, "Ada", ["yesterday"])
    store.change(lambda state: (state.model_copy(update={"number": 2}), "a change"))
    assert store.entries == ()
    store.log(AT, "Ada", ["today"])
    assert "yesterday" not in store.markdown()
    assert [entry.lines for entry in TableStore.open(tmp_path).entries] == [("today",)]
    assert "yesterday" in (tmp_path / "log-1.jsonl").read_text()


def test_the_log_as_markdown_is_by_day_and_nothing_in_it_is_markup(tmp_path: Path) -> None:
    store = TableStore.open(tmp_path)
    store.log(AT, "A*d*a", ["HP 9 → 6", "1. now <b>Prone</b>"])
    store.log("2026-11-29 00:10+00:00", "Bo", ["# sleeps"])
    assert store.markdown() == (
        "# Log of the evening\n\n"
        "## 2026-11-28\n\n"
        "- 19:05 **A\\*d\\*a**\n  - HP 9 → 6\n  - 1\\. now &lt;b&gt;Prone&lt;/b&gt;\n\n"
        "## 2026-11-29\n\n"
        "- 00:10 **Bo**: \\# sleeps\n"
    )


def test_half_a_character_in_a_name_is_no_hindrance(tmp_path: Path) -> None:
    store = TableStore.open(tmp_path)
    store.log(AT, "A\ud800da", ["\udfff"])
    assert [entry.who for entry in TableStore.open(tmp_path).entries] == ["A?da"]
    assert json.loads((tmp_path / "log-1.jsonl").read_text())["lines"] == ["?"]
