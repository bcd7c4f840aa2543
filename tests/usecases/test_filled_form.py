"""Filled-in forms: changes are applied once, and impossible ones are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import ResourceEvent
from charforge.character.files.pdf_attachments import PdfField
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load
from charforge.sheet.build import build
from charforge.sheet.form_fields import blank_name, field_name, notes_name, plate_name
from charforge.sheet.trackers import PageTracker, page_trackers
from charforge.usecases.create import create_character
from charforge.usecases.sheet_import import FormChange, compare_form, try_form
from charforge.verbs.change import change_character, commit_change, draft_event
from charforge.verbs.history import undo
from tests.samples import law

AT = "2026-01-02 20:00+00:00"
FIRST_AID = "kit.primitive-first-aid-kit:small-bandage"


@cache
def captain() -> LoadedCharacter:
    """A captain with a mechsuit, unhurt."""
    ruleset = load("capital")
    answers = {"role": "role/the-captain", "asset": "vehicle/mechsuit"}
    plan = CharacterSpec(ruleset, "form", "Nix", 3, {}, answers)
    return replay_document(create_character(plan, RandomAnswers("form")), ruleset)


def trackers(loaded: LoadedCharacter) -> dict[str, PageTracker]:
    page = page_trackers(loaded.character, loaded.document.id, loaded.document.log)
    return {t.key: t for unit in page.units for group in unit.groups for t in group.trackers}


def text(key: str, value: str, before: str = "", label: str = "") -> PdfField:
    return PdfField(field_name(key), label or key, value, before)


def boxes(key: str, form: str, ticked: int, number: int, before: int = 0) -> Iterator[PdfField]:
    """Yield a row of boxes of which the first are ticked."""
    for place in range(1, number + 1):
        name = field_name(key, form, place)  # type: ignore[arg-type]
        yield PdfField(name, f"{key}, {place}", place <= ticked, place <= before)


def compared(*fields: PdfField, to: LoadedCharacter | None = None) -> FormChange:
    return compare_form(to or captain(), captain(), fields, AT)


def taken(*fields: PdfField) -> LoadedCharacter:
    """Return the character with a form of which everything can be taken."""
    change = compared(*fields)
    trial, refused = try_form(change)
    assert (change.not_added, change.conflicts, refused) == ((), (), ())
    return commit_change(trial)


@law(30)
@given(st.data())
def test_the_character_has_what_was_typed_once_and_until_it_is_undone(
    dockhand: Callable[..., LoadedCharacter], data: st.DataObject
) -> None:
    ada = dockhand()
    known = trackers(ada)
    numbered = sorted(key for key, tracker in known.items() if tracker.form == "count")
    typed = data.draw(st.dictionaries(st.sampled_from(numbered), st.integers(0, 12), max_size=5))
    values = {
        key: number if known[key].high is None else min(number, known[key].high or 0)
        for key, number in typed.items()
    }
    fields = [text(key, str(number), "as printed") for key, number in values.items()]
    change = compare_form(ada, ada, fields, AT)
    trial, refused = try_form(change)
    assert (change.not_added, refused) == ((), ())
    if not trial.events:
        assert all(known[key].start == number for key, number in values.items())
        return
    after = commit_change(trial)
    now = trackers(after)
    # Health at nothing or above it moves no other number of the character.
    assert {key: now[key].start for key in values} == values
    assert compare_form(after, ada, fields, AT).drafts == ()
    assert len({event.group for event in trial.events}) == 1
    assert undo(after).after.document.log == ada.document.log


def test_ticks_put_conditions_and_cooldowns_and_remove_them() -> None:
    prone, rally = "character:status/prone", "role.rally:Rally"
    ticks = [PdfField(field_name(key), key, True, False) for key in (prone, rally)]
    after = taken(*ticks)
    assert [trackers(after)[key].start for key in (prone, rally)] == [1, 1]
    cleared = [PdfField(field_name(key), key, False, True) for key in (prone, rally)]
    change = compare_form(after, after, cleared, AT)
    trial, _refused = try_form(change)
    found = trackers(commit_change(trial))
    assert [found[key].start for key in (prone, rally)] == [0, 0]


def test_ticked_boxes_are_used_up() -> None:
    full = trackers(captain())[FIRST_AID].start
    after = taken(*boxes(FIRST_AID, "used", 3, 12))
    assert trackers(after)[FIRST_AID].start == full - 3
    assert trackers(taken(*boxes(FIRST_AID, "used", 12, 12)))[FIRST_AID].start == 0


def test_boxes_that_count_several() -> None:
    """The last box may count less: all ticked is all used up."""
    full = trackers(captain())[FIRST_AID].start
    row = [PdfField(field_name(FIRST_AID, "used", n, 5), "Bandages", n == 2, False)
           for n in (1, 2, 3)]  # fmt: skip
    assert trackers(taken(*row))[FIRST_AID].start == full - 5
    row = [field._replace(value=True) for field in row]
    assert trackers(taken(*row))[FIRST_AID].start == 0


@pytest.mark.parametrize(
    ("written", "value"), [("7", 7), (" 7 ", 7), ("7 HP", 7), ("+7", 7), ("07", 7)]
)
def test_numbers_may_have_a_unit(written: str, value: int) -> None:
    after = taken(text("character:hp", written))
    assert trackers(after)["character:hp"].start == value


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        (text("character:hp", "seven", "20", "HP"), "HP: “seven” is not a number"),
        (text("character:hp", "", "20", "HP"), "HP: the field is empty"),
        (text("character:hp", "7-3", "20", "HP"), "HP: “7-3” is not a number"),
        (text("character:hp", "999", "20", "HP"), "HP must be at most"),
        (text("character:bones", "-1", "5", "Bones"), "Bones must be at least 0, not −1"),
        (PdfField(blank_name("STR now"), "STR now", "4", ""), "STR now: 4"),
        (PdfField(plate_name(1), "Player", "x" * 81, ""), "Player has 81 characters"),
        (PdfField(plate_name(1), "Player", "a\x07b", ""), "Player: a line contains control"),
        (PdfField(plate_name(9), "Ship", "Nan", ""), "Ship: Nan"),
        (PdfField(blank_name("Rope"), "Rope", True, False), "Rope: yes"),
        (text("gone.7:ammo", "1", "2", "Ammo"), "Ammo: 1"),
        (PdfField(notes_name(), "Notes", "x" * 2001, ""), "Notes: a note can have at most 2000"),
        (
            PdfField(notes_name(), "Notes", "a\x07b", ""),
            "Notes: a line contains control characters",
        ),
    ],
)
def test_what_cannot_be_taken_is_named(field: PdfField, reason: str) -> None:
    change = compared(field)
    assert change.drafts == ()
    [found] = change.not_added
    assert found.startswith(reason)


def test_lines_at_the_head_are_kept_and_printed() -> None:
    player = PdfField(plate_name(1), "Player", " Zoë  M. ", "")
    after = taken(player)
    assert [line.text for line in build(after.character).plate] == ["Zoë M.", ""]
    assert compared(player, to=after).drafts == ()
    changed = compared(player._replace(value="Ida"), to=after)
    assert changed.conflicts == (
        "Player: “” when the sheet was printed, “Zoë M.” now, “Ida” on the sheet",
    )
    erased = PdfField(plate_name(1), "Player", "", "Zoë M.")
    again = commit_change(try_form(compare_form(after, after, [erased], AT))[0])
    assert build(again.character).plate[0].text == ""


def test_two_pages_that_say_different_players() -> None:
    one, other = (PdfField(plate_name(1), "Player", name, "") for name in ("Zoë", "Ida"))
    [reason] = compared(one, other._replace(name=f"{other.name}~2")).not_added
    assert reason == "Player: Zoë, Ida"


def test_two_places_that_say_different_things() -> None:
    one, other = text("character:hp", "7", "20", "HP"), text("character:hp", "8", "20", "HP")
    change = compared(one, other._replace(name="character:hp~2"))
    assert change.not_added == ("HP: the sheet says 7 and 8",)


def test_a_tick_that_the_rules_decide_is_refused_and_the_rest_is_taken() -> None:
    dead = PdfField(field_name("character:effect/critical-condition"), "Dying", True, False)
    change = compared(dead, text("character:hp", "7"))
    trial, refused = try_form(change)
    assert [*change.not_added, *refused] == ["Dying: yes"]
    assert trackers(commit_change(trial))["character:hp"].start == 7


def test_lines_of_notes_are_notes_once() -> None:
    notes = PdfField(notes_name(), "Notes", "The bridge fell.\r\n\n Zoë owes me. ", "")
    loot = PdfField(notes_name("Loot"), "Loot", "a red key", "")
    after = taken(notes, loot)
    texts = [note.text for note in after.character.notes]
    assert texts == ["The bridge fell.", "Zoë owes me.", "Loot: a red key"]
    assert {note.at for note in after.character.notes} == {AT}
    assert compared(notes, loot, to=after).drafts == ()


def test_a_value_that_changed_since_is_a_conflict() -> None:
    hurt = change_character(captain(), draft_event(ResourceEvent, value="hp", by=-3))
    start = trackers(captain())["character:hp"].start
    field = text("character:hp", "7", str(start), "HP")
    [conflict] = compared(field, to=hurt).conflicts
    assert conflict == f"HP: {start} when the sheet was printed, {start - 3} now, 7 on the sheet"
    same = text("character:hp", str(start - 3), str(start), "HP")
    assert compared(same, to=hurt) == FormChange(hurt, (), (), (), ())


def test_a_track_has_one_step() -> None:
    ruleset = load("narrative-dice")
    plan = CharacterSpec(ruleset, "form", "Nix", 1)
    opened = replay_document(create_character(plan, RandomAnswers("form")), ruleset)
    key = next(key for key, tracker in trackers(opened).items() if tracker.names)

    def change(*ticked: int) -> FormChange:
        steps = (
            PdfField(field_name(key, "at", n), "Condition", n in ticked, n == 0) for n in range(4)
        )
        return compare_form(opened, opened, steps, AT)

    def reached(*ticked: int) -> int:
        return trackers(commit_change(try_form(change(*ticked))[0]))[key].start

    assert reached(2) == reached(0, 2) == 2
    label = trackers(opened)[key].label
    assert change(1, 2).not_added == (f"{label}: tick exactly one step (2 ticked)",)
    assert change().not_added == (f"{label}: tick exactly one step (none ticked)",)


def test_a_field_that_did_not_change_says_nothing() -> None:
    fields = (text("character:hp", "1", "1"), *boxes(FIRST_AID, "used", 2, 12, before=2))
    assert compared(*fields) == FormChange(captain(), (), (), (), ())
