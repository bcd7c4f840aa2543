"""The table: characters are loaded when their files differ, and changed one after another."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread

import pytest

from charforge.character.files.storage import save_changed
from charforge.errors import CharforgeError, DocumentError, RuleRefusal, WriteError
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.serve.table import Table, seat_id
from charforge.verbs.change import PlayResult
from charforge.verbs.manual_changes import add_note


def note(text: str) -> Callable[[LoadedCharacter], PlayResult]:
    return lambda opened: add_note(opened, text, "")


def noted(file: Path) -> list[str]:
    log = json.loads(file.read_text())["log"]
    return [event["text"] for event in log if event["do"] == "note"]


def test_a_change_is_in_the_file_when_it_returns(files: list[Path]) -> None:
    table = Table(files)
    table.change(table.seats[0], note("first"))
    assert (noted(files[0]), noted(files[1])) == (["first"], [])
    assert table.load(table.seats[0]) == load_character(files[0])


def test_a_file_is_read_again_only_if_it_differs(files: list[Path]) -> None:
    table = Table(files)
    seat = table.seats[0]
    before = table.load(seat)
    assert table.load(seat) is before
    other = add_note(load_character(files[0]), "elsewhere", "").after
    save_changed(before.document, other.document, files[0])
    assert table.load(seat).document == other.document


def test_what_is_made_of_a_character_is_made_once_for_each_state_of_its_file(
    files: list[Path],
) -> None:
    table, made = Table(files), []

    def name(opened: LoadedCharacter) -> str:
        made.append(opened)
        return opened.document.name

    first, second = table.seats
    for _time in range(3):
        assert [table.derive(first, name), table.derive(second, name)] == ["Nix", "Kas"]
    assert len(made) == 2
    table.change(first, note("now"))
    assert table.derive(first, name) == "Nix"
    assert table.derive(first, lambda opened: len(opened.document.log)) == len(
        load_character(files[0]).document.log
    )
    assert made == [made[0], made[1], table.load(first)]


def test_changes_at_the_same_time_are_all_kept(files: list[Path]) -> None:
    table = Table(files)
    together = Barrier(8)

    def tap(number: int) -> None:
        together.wait()
        table.change(table.seats[0], note(str(number)))

    threads = [Thread(target=tap, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(noted(files[0])) == [str(number) for number in range(8)]


def test_what_another_program_saved_in_between_is_not_lost(files: list[Path]) -> None:
    table = Table(files)

    def act(opened: LoadedCharacter) -> PlayResult:
        other = add_note(opened, "elsewhere", "").after
        save_changed(opened.document, other.document, files[0])
        return add_note(opened, "here", "")

    with pytest.raises(WriteError, match="another program"):
        table.change(table.seats[0], act)
    assert noted(files[0]) == ["elsewhere"] * 2


def test_a_change_is_tried_once_more_if_another_program_was_faster(files: list[Path]) -> None:
    table, tries = Table(files), 0

    def act(opened: LoadedCharacter) -> PlayResult:
        nonlocal tries
        tries += 1
        if tries == 1:
            other = add_note(opened, "elsewhere", "").after
            save_changed(opened.document, other.document, files[0])
        return add_note(opened, "here", "")

    table.change(table.seats[0], act)
    assert noted(files[0]) == ["elsewhere", "here"]


def test_a_refused_change_changes_nothing(files: list[Path]) -> None:
    table = Table(files)
    before = files[0].read_bytes()

    def act(_opened: LoadedCharacter) -> PlayResult:
        raise RuleRefusal("no")

    with pytest.raises(RuleRefusal):
        table.change(table.seats[0], act)
    assert files[0].read_bytes() == before


def test_it_says_whose_files_another_program_changed(files: list[Path]) -> None:
    table = Table(files)
    table.change(table.seats[1], note("here"))
    assert table.changed() == []
    before = load_character(files[1])
    save_changed(before.document, add_note(before, "elsewhere", "").after.document, files[1])
    assert table.changed() == [table.seats[1]]
    assert table.changed() == []
    files[0].unlink()
    assert table.changed() == [table.seats[0]]
    with pytest.raises(CharforgeError):
        table.load(table.seats[0])
    assert table.names()[table.seats[0]] == "nix"


def test_characters_with_the_same_name_are_told_apart_by_their_files(files: list[Path]) -> None:
    first, second = Table(files).names().values()
    other = files[0].with_name("other.json")
    other.write_bytes(files[0].read_bytes())
    assert [*Table([*files, other]).names().values()] == [
        f"{first} ({files[0].stem})", second, f"{first} (other)"
    ]  # fmt: skip


def test_a_broken_file_is_an_error_until_it_is_mended(files: list[Path]) -> None:
    table = Table(files)
    whole = files[0].read_text()
    files[0].write_text("{")
    with pytest.raises(DocumentError):
        table.load(table.seats[0])
    files[0].write_text(whole)
    assert table.load(table.seats[0]).document.log


def test_a_seat_says_nothing_of_its_file(files: list[Path]) -> None:
    seats = Table(files).seats
    assert seats == Table(reversed(files)).seats[::-1] == tuple(map(seat_id, files))
    assert all(re.fullmatch("[0-9a-f]{8}", seat) for seat in seats)
