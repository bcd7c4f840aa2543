"""edit --portrait: the file beside the character, the log, and undo."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from PIL import Image


@pytest.fixture
def picture(tmp_path):
    """A photograph with what a camera writes into it."""
    path = tmp_path / "nix photo.png"
    exif = Image.Exif()
    exif[0x010F] = "Cameramaker"
    Image.new("RGB", (1600, 2400), "navy").save(path, exif=exif)
    return path


def events(nix):
    return [
        event["portrait"]
        for event in json.loads(nix.read_text("utf-8"))["log"]
        if "portrait" in event
    ]


def test_it_is_kept_beside_the_character_and_named_in_the_log(run, nix, picture):
    ended = run("edit", "nix.json", "--portrait", picture)
    assert (ended.code, ended.err) == (0, "")
    [name] = events(nix)
    assert f"  portrait: {name}\n" in ended.out
    kept = nix.with_name(name).read_bytes()
    assert Image.open(BytesIO(kept)).size == (800, 1200)
    assert b"Cameramaker" not in kept
    assert f"portrait: {name}" in run("history", "nix.json").out
    assert run("check", "nix.json").code == 0


def test_it_is_on_the_sheet_until_it_is_taken_away(run, nix, picture):
    def shown(name):
        assert run("sheet", "nix.json", "--format", "html", "-o", f"{name}.html").err == ""
        return "Portrait of" in nix.with_name(f"{name}.html").read_text("utf-8")

    assert run("edit", "nix.json", "--portrait", picture).code == 0
    assert shown("with")
    ended = run("edit", "nix.json", "--no-portrait")
    assert "portrait removed" in ended.out
    assert not shown("without")
    assert run("undo", "nix.json").code == 0
    assert shown("again")
    assert run("undo", "nix.json").code == 0
    assert not shown("before")


def test_undo_leaves_the_character_as_it_was(run, nix, picture, text):
    assert run("edit", "nix.json", "--portrait", picture).code == 0
    assert run("undo", "nix.json").code == 0
    before, after = json.loads(text), json.loads(nix.read_text("utf-8"))
    assert {**after, "undone": []} == {**before, "undone": []}


def test_another_takes_its_place_and_the_first_comes_back(run, nix, picture, tmp_path):
    Image.new("RGB", (300, 300), "white").save(tmp_path / "b.jpg")
    assert run("edit", "nix.json", "--portrait", picture).code == 0
    assert run("edit", "nix.json", "--portrait", "b.jpg").code == 0
    first, second = events(nix)
    assert first != second
    assert run("undo", "nix.json").code == 0
    assert events(nix) == [first]
    assert nix.with_name(first).is_file()


def test_a_dry_run_writes_nothing(run, nix, picture, text):
    there = set(nix.parent.iterdir())
    ended = run("edit", "nix.json", "--portrait", picture, "--dry-run")
    assert (ended.code, ended.err) == (0, "Nothing was changed.\n")
    assert "portrait: portrait-" in ended.out
    assert set(nix.parent.iterdir()) == there
    assert nix.read_text("utf-8") == text


def test_a_picture_that_was_lost_is_laid_there_again(run, nix, picture):
    assert run("edit", "nix.json", "--portrait", picture).code == 0
    [name] = events(nix)
    run("edit", "nix.json", "--portrait", picture).refused(2, "this is already the portrait")
    nix.with_name(name).unlink()
    assert run("edit", "nix.json", "--portrait", picture).code == 0
    assert nix.with_name(name).is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--no-portrait"], "there is no portrait to remove"),
        (["--portrait", "nix.json"], "this is not a JPEG, PNG or WebP picture"),
        (["--portrait", "gone.png"], "this file does not exist"),
        (["--portrait", "nix photo.png", "--no-portrait"], "cannot be combined with other changes"),
        (
            ["money", "--answer", "5", "--portrait", "nix photo.png"],
            "cannot be combined with other changes",
        ),
        (["--portrait", "nix photo.png", "--name", "Nox"], "cannot be combined with other changes"),
        (["--no-portrait", "--random"], "cannot be combined with other changes"),
    ],
)
def test_what_cannot_be_is_refused(run, nix, picture, text, arguments, said):
    run("edit", "nix.json", *arguments).refused(2, said)
    assert nix.read_text("utf-8") == text
    assert len(list(nix.parent.iterdir())) == 2
