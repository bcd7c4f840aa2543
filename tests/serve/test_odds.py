"""Odds on a page are those of the command, and slow ones stop nobody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Semaphore, Thread

import pytest

from charforge.errors import CharforgeError, UsageError
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.serve.action_forms import action_odds
from charforge.serve.odds import OddsCalculator
from charforge.serve.player import player_page

WARM_UP = 60  # seconds for a process that starts on a busy machine


@pytest.fixture
def nix(files: list[Path]) -> LoadedCharacter:
    return load_character(files[0])


@pytest.fixture
def calculator() -> Iterator[OddsCalculator]:
    calculator = OddsCalculator(WARM_UP)
    yield calculator
    calculator.close()


def check(nix: LoadedCharacter) -> dict[str, str]:
    """Return the form of a check."""
    tap = next(score.tap for score in player_page(nix).scores if score.tap is not None)
    return {**tap.fields, "in.vs": "12"}


def test_another_process_calculates_the_same_odds(nix, calculator):
    form = check(nix)
    assert calculator.odds(nix, form) == action_odds(nix, form)
    with pytest.raises(CharforgeError, match="whole number"):
        calculator.odds(nix, {**form, "in.vs": "many"})
    calculator.seconds = 0
    with pytest.raises(UsageError, match="too long"):
        calculator.odds(nix, form)
    calculator.seconds = WARM_UP
    assert calculator.odds(nix, form) == action_odds(nix, form)


def test_a_seat_waits_for_one_and_all_for_two(nix, monkeypatch):
    calculator, begun, going_on = OddsCalculator(), Semaphore(0), Event()

    def wait(*_given):
        begun.release()
        going_on.wait(10)

    monkeypatch.setattr(calculator, "calculate", wait)
    threads = [Thread(target=calculator.odds, args=(nix, {}, seat)) for seat in ("a", "b")]
    for number, thread in enumerate(threads):
        thread.start()
        begun.acquire(timeout=10)
        for seat in ("a", "c")[: number + 1]:
            with pytest.raises(UsageError, match="other odds"):
                calculator.odds(nix, {}, seat)
    going_on.set()
    for thread in threads:
        thread.join()
    calculator.odds(nix, {}, "a")
