"""Sessions saved from a page: events in order, or refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from charforge.character.files.events import ConditionEvent, ResourceEvent
from charforge.errors import DocumentError
from charforge.usecases import sheet_import

HURT = {"do": "change", "value": "hp", "by": -7}
PRONE = {"do": "condition", "condition": "status/prone"}


def text(*events: Any, **other: Any) -> str:
    return json.dumps({"id": "0123", "n": 9, "events": list(events), **other})


def refused(tmp_path: Path, content: str) -> DocumentError:
    path = tmp_path / "game.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        sheet_import.parse_sheet_events(content, path)
    assert caught.value.path == path
    return caught.value


def test_events_are_numbered_among_themselves(tmp_path: Path) -> None:
    page = sheet_import.parse_sheet_events(text(HURT, PRONE), tmp_path / "game.json")
    assert (page.id, page.n) == ("0123", 9)
    assert page.events == (
        ResourceEvent(n=1, group=1, value="hp", by=-7),
        ConditionEvent(n=2, group=1, condition="status/prone"),
    )


@pytest.mark.parametrize(
    ("data", "is_page"),
    [
        ({"events": []}, True),
        ({"id": "x", "n": 1, "events": None}, True),
        ({"id": "x", "n": 1}, False),
        ({"charforge": 1, "events": []}, False),
        (["events"], False),
        ("events", False),
    ],
)
def test_a_page_is_known_by_its_events_and_a_character_by_its_version(
    data: Any, is_page: bool
) -> None:
    assert sheet_import.is_sheet_events(data) is is_page


def test_what_is_no_page_is_told_apart(tmp_path: Path) -> None:
    error = refused(tmp_path, '{"charforge": 1, "log": []}')
    assert error.reason == "this file is not a saved session of an HTML sheet"
    assert error.advice == "Import it without --into."


@pytest.mark.parametrize("key", ["n", "group"])
def test_an_event_with_a_place_of_its_own_is_refused(tmp_path: Path, key: str) -> None:
    error = refused(tmp_path, text(PRONE, {**HURT, key: 2}))
    assert f'event 2: the key "{key}" is only allowed in a character file' in error.reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (text(HURT, PRONE, "rest"), "event 3: it must be a map"),
        (text(HURT, {"do": "acquire", "entity": "gear/rope"}), "event 2: "),
        (text({"do": "use", "holding": "role.rally", "ability": "Rally"}), 'event 1: "use" is not'),
        ('{"id": "0123", "n": 9, "events": {}}', "events: it must be a list"),
        (text(HURT, n=0), "n: it must be at least 1"),
        (text(HURT, weather="rain"), "weather: "),
    ],
)
def test_what_does_not_fit_is_told_at_its_event(tmp_path: Path, content: str, reason: str) -> None:
    assert reason in refused(tmp_path, content).reason


def test_what_is_no_json_is_refused(tmp_path: Path) -> None:
    assert "the file ends too early" in refused(tmp_path, '{"id": "0123", "events": [').reason
