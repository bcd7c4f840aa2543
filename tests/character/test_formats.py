"""Files of every released format version open and replay to the same character."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from charforge.character.files import reader, storage
from charforge.character.files.document import (
    FILE_FORMAT,
    MIGRATIONS,
    Document,
    logged_portrait,
    migrate,
    to_text,
)
from charforge.character.files.events import EVENT_TYPES
from charforge.errors import DocumentError
from charforge.replay.loaded_character import LoadedCharacter, load_character, summary
from tests.character.formats import PLAYED, documents, summary_of, written

# A document that was written once is never written again: neither by hand nor by a migration.
WRITTEN = {"v1.json": "c070822b25ea65c4"}
OF_THE_RULES = {"summary", "pin"}  # what another version of the pack may make differ


@pytest.fixture(scope="module", params=documents(), ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(scope="module")
def opened(path: Path) -> LoadedCharacter:
    return load_character(path)


def test_every_version_has_its_document():
    assert [path.stem for path in documents()] == [f"v{n}" for n in range(1, FILE_FORMAT + 1)]
    assert {*MIGRATIONS} == {*range(1, FILE_FORMAT)}


def test_a_document_stays_as_it_was_written(path):
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:16] == WRITTEN[path.name]


def test_it_has_a_whole_life(path):
    """Nothing of the format is left out: each kind of event, an override, a plan, an undone."""
    data = json.loads(path.read_text(encoding="utf-8"))
    done = Counter(event["do"] for event in data["log"])
    assert {*done} <= {kind.model_fields["do"].default for kind in EVENT_TYPES}
    assert len(done) >= 12  # kinds there were when the first was written
    assert sum(done[kind] for kind in ("play", "use", "change", "condition", "note")) >= PLAYED
    assert data["character"]["level"] == 10
    assert len(data["character"]["units"]) == 2
    assert data["undone"] and data["plan"]
    assert any("override" in event for event in data["log"])
    assert any(event.get("now") for event in data["log"])


def test_it_opens_and_nothing_is_lost(path, opened):
    data = json.loads(path.read_text(encoding="utf-8"))
    document = opened.document
    assert [event.n for event in document.log] == [*range(1, len(data["log"]) + 1)]
    assert (document.name, document.seed, document.level) == ("Nyx", "1", 10)
    assert logged_portrait(document.log).startswith("portrait-")
    assert len(document.undone) == len(data["undone"])
    again = Document.model_validate(migrate(json.loads(to_text(document))))
    assert again == document
    if data["charforge"] == FILE_FORMAT:
        assert to_text(document) == path.read_text(encoding="utf-8")


def test_its_log_makes_the_same_character(path, opened):
    """After a change of the rules: python -m tests.character.formats --summaries."""
    assert written(summary(opened.character)) == summary_of(path).read_text(encoding="utf-8")


def test_it_is_legal_but_for_what_was_allowed(opened):
    assert [one for one in opened.problems if one.code not in OF_THE_RULES] == []
    assert len(opened.character.overridden) == 1


def test_it_can_be_saved_again(path, opened, tmp_path):
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    changed = opened.document.model_copy(update={"undone": ()})
    storage.save_changed(opened.document, changed, copy)
    assert reader.load(copy) == changed
    assert json.loads(copy.read_text(encoding="utf-8"))["charforge"] == FILE_FORMAT


def test_a_newer_version_is_refused_and_left_alone(path, tmp_path):
    newer = tmp_path / path.name
    newer.write_text(
        path.read_text(encoding="utf-8").replace(
            f'"charforge": {path.stem[1:]}', f'"charforge": {FILE_FORMAT + 1}', 1
        ),
        encoding="utf-8",
    )
    before = newer.read_bytes()
    with pytest.raises(DocumentError) as caught:
        reader.load(newer)
    assert caught.value.reason == (
        f"it was saved by a newer charforge (format {FILE_FORMAT + 1}, "
        f"yours reads up to {FILE_FORMAT})"
    )
    assert caught.value.advice == "Update charforge to open it."
    assert newer.read_bytes() == before
