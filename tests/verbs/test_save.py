"""What a group owns: read by its members, changed by their moves in both files or in none."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.files import storage
from charforge.character.files.storage import JOURNAL
from charforge.errors import ChangedMeanwhile, CharforgeError, RuleRefusal
from charforge.odds.solver import state_key
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_character, load_shared
from charforge.rules.loading import loader
from charforge.usecases.create import create_character
from charforge.verbs import history
from charforge.verbs.manual_changes import spend_resource
from charforge.verbs.play import use_procedure
from charforge.verbs.save import save_character
from charforge.verbs.typed_inputs import TypedInputs
from tests.character.faults import Layer, calls_of, failed, failing, killed, temporary
from tests.samples import law
from tests.source import EXAMPLES

TROUBLE, SEEN, UNSEEN = [1, 1], [5, 1], [5, 6]  # of a smuggler whose HANDS are 2
CREW = "crew.json"
UNIX = pytest.mark.skipif(os.name == "nt", reason="processes and signals of Unix")


@pytest.fixture
def table(packs_home: Path, tmp_path: Path) -> Path:
    """A folder with a crew and two smugglers who have made no change yet."""
    for game in ("low-tide", "low-tide-crew"):
        shutil.copytree(EXAMPLES / game, packs_home / game)
    folder = tmp_path / "table"
    folder.mkdir()
    (folder / "charforge.yaml").write_text("ruleset: low-tide\nshared: crew.json\n")
    create(folder / CREW, "low-tide-crew", "The Eels", {"haunt": "haunt/attic"})
    for name in ("ilse", "bas"):
        create(folder / f"{name}.json", "low-tide", name.title(), {"past": "past/lookout"})
    return folder


def create(path: Path, game: str, name: str, answers: dict[str, str]) -> None:
    ruleset = loader.load(game)
    answers = answers if game.endswith("crew") else {**answers, "knack": "knack/sure-grip"}
    owned = load_shared(path.parent, ruleset)
    spec = CharacterSpec(
        ruleset, name, name, answers=answers, shared=None if owned is None else owned.reading
    )
    storage.save(create_character(spec, RandomAnswers(name)), path)


def job(path: Path, dice: list[int]) -> LoadedCharacter:
    """Let a smuggler do a job with these dice, save it, and return the smuggler after it."""
    before = load_character(path)
    rule = before.ruleset.procedure("job")
    typed = TypedInputs({"talent": "hands"}, {"dice": tuple(dice)})
    after = use_procedure(before, rule, None, typed).after
    save_character(before, after, path)
    return after


def undo(path: Path) -> None:
    before = load_character(path)
    save_character(before, history.undo(before).after, path)


def redo(path: Path) -> None:
    before = load_character(path)
    save_character(before, history.redo(before).after, path)


def crew(table: Path, value: str = "heat") -> int:
    return load_character(table / CREW).character.state.values().total(value)


def contents(table: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(table.glob("*.json"))}


# ------------------------------------------------------------------ reading


def test_a_member_reads_it_and_its_log_says_what(table: Path) -> None:
    ilse = load_character(table / "ilse.json")
    assert ilse.character.state.values().total("max_strain") == 6  # 5, and a bed
    first = ilse.document.log[0].shared
    assert first is not None
    assert (first.name, first.values["beds"]) == ("The Eels", 1)


def test_a_member_sees_what_has_changed_and_records_it_with_the_next_change(table: Path) -> None:
    job(table / "bas.json", TROUBLE)
    before = load_character(table / "ilse.json")
    shared = before.character.state.shared
    assert shared is not None
    assert shared.values["heat"] == 2
    assert not before.problems  # its summary is that of its own log
    after = job(table / "ilse.json", UNSEEN)
    recorded = after.document.log[-1].shared
    assert recorded is not None
    assert recorded.values["heat"] == 2
    assert after.document.log[-1].change is None
    assert job(table / "ilse.json", UNSEEN).document.log[-1].shared is None  # nothing new


def test_a_file_alone_replays_to_the_same_character(table: Path, tmp_path: Path) -> None:
    job(table / "bas.json", TROUBLE)
    after = job(table / "ilse.json", SEEN)
    alone = shutil.copy(table / "ilse.json", tmp_path / "alone.json")
    loaded = load_character(Path(alone))
    assert loaded.character.state.shared == after.character.state.shared
    assert not loaded.problems
    assert loaded.document.character == after.document.character


def test_an_option_can_require_it(table: Path) -> None:
    ilse = load_character(table / "ilse.json")
    knack = ilse.character.decision("knack")
    assert knack is not None
    (reason,) = knack.rule_violations("knack/known-name")
    assert reason.endswith("requires Rank (Crew) 2 or more (now 1)")


def test_without_a_campaign_it_is_0_and_a_move_only_says_what_to_note(
    table: Path, tmp_path: Path
) -> None:
    ruleset = loader.load("low-tide")
    path = tmp_path / "lone.json"
    storage.save(create_character(CharacterSpec(ruleset, "1", "Jo"), RandomAnswers("1")), path)
    before = load_character(path)
    assert before.character.state.values().total("max_strain") == 5
    hands = before.character.state.values().total("hands")
    typed = TypedInputs({"talent": "hands"}, {"dice": (1,) * hands})
    result = use_procedure(before, ruleset.procedure("job"), None, typed)
    assert "Heat (Crew) +2: note it yourself, no campaign file names it" in [
        step.text for step in result.steps
    ]
    assert result.after.document.log[-1].change is None
    save_character(before, result.after, path)


def test_odds_are_those_with_the_crew_as_it_is_now(table: Path) -> None:
    rule = loader.load("low-tide").procedure("lie-low")
    before = state_key(load_character(table / "ilse.json").character.state, rule, ())
    job(table / "bas.json", SEEN)
    after = state_key(load_character(table / "ilse.json").character.state, rule, ())
    assert before != after


# ------------------------------------------------------------------ changing


def test_a_move_changes_both_files(table: Path) -> None:
    after = job(table / "ilse.json", TROUBLE)
    change = after.document.log[-1].change
    assert change is not None
    assert change.by == {"heat": 2}
    owned = load_character(table / CREW)
    (last,) = (event for event in owned.document.log if event.change is not None)
    assert last.change is not None
    assert (last.change.id, last.change.other) == (change.id, after.document.id)
    assert crew(table) == 2
    assert not owned.problems
    assert not (table / JOURNAL).exists()


def test_a_change_stays_within_the_bounds_of_the_crew(table: Path) -> None:
    for _number in range(4):
        job(table / "ilse.json", TROUBLE)
    assert crew(table) == 6
    last = load_character(table / "ilse.json").document.log[-1]
    assert last.change is None  # there was no room for more


def test_undo_and_redo_do_so_in_both_files(table: Path) -> None:
    before = contents(table)
    job(table / "ilse.json", SEEN)
    done = contents(table)
    undo(table / "ilse.json")
    assert crew(table) == 0
    redo(table / "ilse.json")
    assert contents(table) == done
    undo(table / "ilse.json")
    assert {*load_character(table / CREW).document.log} == {*load_document_log(before[CREW], table)}


def load_document_log(data: bytes, table: Path) -> tuple[object, ...]:
    path = table.parent / "former.json"
    path.write_bytes(data)
    return load_character(path).document.log


def test_undo_is_refused_where_the_crew_has_changed_since(table: Path) -> None:
    job(table / "ilse.json", SEEN)
    job(table / "bas.json", SEEN)
    before = contents(table)
    with pytest.raises(RuleRefusal, match="The Eels, which has changed again since"):
        undo(table / "ilse.json")
    assert contents(table) == before
    undo(table / "bas.json")
    undo(table / "ilse.json")
    assert crew(table) == 0
    with pytest.raises(RuleRefusal, match="has changed since"):
        redo(table / "bas.json")
    redo(table / "ilse.json")
    redo(table / "bas.json")
    assert crew(table) == 2


def test_the_crew_alone_undoes_nothing_that_a_member_did(table: Path) -> None:
    job(table / "ilse.json", SEEN)
    with pytest.raises(RuleRefusal, match="Ilse: Job"):
        undo(table / CREW)
    undo(table / "ilse.json")
    with pytest.raises(RuleRefusal, match="Ilse: Job"):
        redo(table / CREW)


def test_a_crew_that_changed_since_it_was_read_is_not_changed_again(table: Path) -> None:
    path = table / "ilse.json"
    before = load_character(path)
    typed = TypedInputs({"talent": "hands"}, {"dice": (1, 1)})
    after = use_procedure(before, before.ruleset.procedure("job"), None, typed).after
    job(table / "bas.json", SEEN)
    known = contents(table)
    with pytest.raises(ChangedMeanwhile):
        save_character(before, after, path)
    assert contents(table) == known


def test_a_member_without_the_file_of_its_crew_changes_nothing(table: Path) -> None:
    (table / CREW).rename(table / "away")
    loaded = load_character(table / "ilse.json")
    assert any("Crew cannot be read" in note for note in loaded.notes)
    before = contents(table)
    with pytest.raises(CharforgeError):
        job(table / "ilse.json", SEEN)
    assert contents(table) == before


# ------------------------------------------------------------------ both or none


@pytest.fixture
def copies(table: Path) -> Callable[[], Path]:
    """Return a copy of the table, in a new folder each time."""
    made: list[Path] = []

    def make() -> Path:
        made.append(table.parent / f"copy{len(made)}")
        shutil.copytree(table, made[-1])
        return made[-1]

    return make


def prepared(table: Path) -> Callable[[], None]:
    """Return what saves a change of a member and its crew."""
    path = table / "ilse.json"
    before = load_character(path)
    typed = TypedInputs({"talent": "hands"}, {"dice": (1, 1)})
    after = use_procedure(before, before.ruleset.procedure("job"), None, typed).after
    return partial(save_character, before, after, path)


def refused_by(save: Callable[[], None], layer: Layer) -> CharforgeError | None:
    """Run a save over a layer; return how it was refused, by reading or by writing, or None."""
    try:
        return failed(save, layer)
    except CharforgeError as error:
        return error


def changed_in(table: Path) -> tuple[bool, bool]:
    """Return whether the member and the crew have the change."""
    return tuple(  # type: ignore[return-value]
        any(event.change is not None for event in load_character(table / name).document.log)
        for name in ("ilse.json", CREW)
    )


@UNIX
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_killed_at_any_call_both_files_have_the_change_or_none(
    copies: Callable[[], Path], every: int
) -> None:
    found: list[bool] = []
    for at in range(1, 400, every):
        table = copies()
        if not killed(prepared(table), at):
            break
        member, owned = changed_in(table)
        assert member == owned
        assert not (table / JOURNAL).exists()
        found.append(member)
        job(table / "bas.json", SEEN)  # nothing is locked or in the way
        assert crew(table) == (3 if member else 1)
        assert not temporary(table) or len(temporary(table)) <= 1
        shutil.rmtree(table)
    assert len(found) > 40 // every
    assert found == sorted(found)  # once it is made, it stays
    assert {*found} == {False, True}


@UNIX
@pytest.mark.slow
def test_failing_at_any_call_both_files_have_the_change_or_none(copies: Callable[[], Path]) -> None:
    calls = len(calls_of(prepared(copies())))
    refused = 0
    for at in range(1, calls + 1):
        table = copies()
        save = prepared(table)
        layer = Layer(failing(errno.ENOSPC), lambda number, _name, at=at: number == at)  # type: ignore[misc]
        error = refused_by(save, layer)
        member, owned = changed_in(table)
        assert member == owned == (error is None)
        refused += error is not None
        shutil.rmtree(table)
    assert refused > 10


@UNIX
@pytest.mark.slow
def test_where_nothing_can_be_written_any_more_the_next_load_finishes_or_nothing_was_made(
    copies: Callable[[], Path],
) -> None:
    calls = len(calls_of(prepared(copies())))
    for at in range(1, calls + 1):
        table = copies()
        save = prepared(table)
        layer = Layer(failing(errno.EIO), lambda number, _name, at=at: number >= at)  # type: ignore[misc]
        refused_by(save, layer)
        member, owned = changed_in(table)
        assert member == owned
        shutil.rmtree(table)


def test_a_file_that_another_program_changed_after_an_interruption_is_kept(table: Path) -> None:
    old = contents(table)
    prepared(table)()
    new = contents(table)
    journal_of(table, old, new)
    (table / "ilse.json").write_bytes(new["ilse.json"])
    (table / CREW).write_bytes(old[CREW].replace(b"The Eels", b"The Elvers"))
    load_character(table / "bas.json")
    assert (table / "ilse.json").read_bytes() == old["ilse.json"]
    assert b"The Elvers" in (table / CREW).read_bytes()
    assert not (table / JOURNAL).exists()


def journal_of(table: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    files = [
        storage.Replacement(table / name, old[name], new[name]) for name in ("ilse.json", CREW)
    ]
    (table / JOURNAL).write_bytes(storage.journal_text(files))


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["ilse.json", "bas.json", CREW]),
        st.sampled_from(["seen", "trouble", "unseen", "undo", "redo", "own"]),
    ),
    max_size=8,
)


@law(few=10, suppress=[HealthCheck.function_scoped_fixture])
@given(moves=MOVES)
def test_both_logs_always_tell_the_same(table: Path, moves: list[tuple[str, str]]) -> None:
    """After any moves, undos and redos each change is in both logs, and each file is legal."""
    folder = table.parent / "law"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(table, folder)
    for name, what in moves:
        play(folder / name, what)
    members = [load_character(folder / name) for name in ("ilse.json", "bas.json")]
    owned = load_character(folder / CREW)
    ours = {c.id: c.by["heat"] for one in members for c in one.document.changes_of_shared}
    theirs = [change.id for change in owned.document.changes_of_shared]
    assert {*ours} == {*theirs}
    assert len(theirs) == len({*theirs})
    assert not any(one.problems for one in (*members, owned))
    own = sum(
        event.by for event in owned.document.log if event.do == "change" and event.change is None
    )
    assert owned.character.state.values().total("heat") == own + sum(ours.values())


def play(path: Path, what: str) -> None:
    """Make one move; what the rules refuse changes nothing."""
    before = contents(path.parent)
    dice = {"seen": SEEN, "trouble": TROUBLE, "unseen": UNSEEN}
    try:
        if what in ("undo", "redo"):
            (undo if what == "undo" else redo)(path)
        elif path.name == CREW:
            loaded = load_character(path)
            save_character(loaded, spend_resource(loaded, "heat", 1).after, path)
        else:
            job(path, dice.get(what, UNSEEN))
    except Exception as error:
        from charforge.errors import CharforgeError

        assert isinstance(error, CharforgeError), error
        assert contents(path.parent) == before
