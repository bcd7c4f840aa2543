"""Seats: each has a random token, which a restart keeps and new links replace."""

from __future__ import annotations

from pathlib import Path

from charforge.serve.table import GAME_MASTER_SEAT, LINKS, Seats, table_folder


def test_a_token_leads_to_its_seat_alone(tmp_path: Path) -> None:
    seats = Seats.open(tmp_path, ["ab12", "cd34"])
    tokens = {seat: seats.token(seat) for seat in (GAME_MASTER_SEAT, "ab12", "cd34")}
    assert {seat: seats.seat_of(token) for seat, token in tokens.items()} == {s: s for s in tokens}
    assert len(set(tokens.values())) == 3
    assert all(len(bytes.fromhex(token)) == 16 for token in tokens.values())
    assert [seats.seat_of(wrong) for wrong in ("", "ab12", "ü", tokens["ab12"][:-1])] == [None] * 4


def test_a_restart_keeps_the_links_and_adds_those_of_new_characters(tmp_path: Path) -> None:
    before = Seats.open(tmp_path, ["ab12"])
    Seats.open(tmp_path, ["cd34"])
    after = Seats.open(tmp_path, ["ab12", "cd34"])
    assert after.token("ab12") == before.token("ab12")
    assert after.token(GAME_MASTER_SEAT) == before.token(GAME_MASTER_SEAT)


def test_tables_of_one_computer_have_cookies_of_their_own(tmp_path: Path) -> None:
    first, again, second = (Seats.open(tmp_path / name, ["ab12"]) for name in ("a", "a", "b"))
    assert first.cookie("ab12") == again.cookie("ab12") != second.cookie("ab12")


def test_new_links_end_the_former_ones(tmp_path: Path) -> None:
    before = Seats.open(tmp_path, ["ab12"])
    after = Seats.open(tmp_path, ["ab12"], new_links=True)
    assert after.seat_of(before.token("ab12")) is None
    assert after.seat_of(before.token(GAME_MASTER_SEAT)) is None


def test_only_this_user_reads_the_links(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    Seats.open(folder, ["ab12"])
    assert (folder / LINKS).stat().st_mode & 0o077 == 0


def test_links_that_others_could_have_written_do_not_count(tmp_path: Path) -> None:
    before = Seats.open(tmp_path, ["ab12"])
    (tmp_path / LINKS).chmod(0o666)
    assert Seats.open(tmp_path, ["ab12"]).token("ab12") != before.token("ab12")


def test_a_table_belongs_to_the_folder_of_its_characters(tmp_path: Path) -> None:
    (tmp_path / "campaign").mkdir()
    same = tmp_path / "campaign" / ".." / "campaign"
    assert table_folder(tmp_path / "campaign") == table_folder(same)
    assert table_folder(tmp_path) != table_folder(same)


def test_a_page_has_a_token_that_is_not_that_of_the_link(tmp_path: Path) -> None:
    seats = Seats.open(tmp_path, ["ab12", "cd34"])
    assert seats.page_token("ab12") not in (seats.token("ab12"), seats.page_token("cd34"))
