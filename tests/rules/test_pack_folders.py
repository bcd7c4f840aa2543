"""Pipes and devices in the folder of a pack do not block loading."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.errors import PackError
from charforge.packs.samples import read_samples
from charforge.paths import read_plain_file
from charforge.rules.loading import loader, yaml_reader
from tests.conftest import TOY

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes and devices of Unix")
HEAD = 'id: trap\nname: Trap\nversion: "1"\nruleset: toy\n'
TOLD = "this is a pipe or a device, not a file"


@pytest.fixture(params=["pipe", "link to a pipe", "link to a device"])
def place(request, tmp_path) -> Callable[[Path], None]:
    """Put something that is not a file in a place."""

    def place(path: Path) -> None:
        if request.param == "link to a device":
            path.symlink_to("/dev/zero")
        elif request.param == "pipe":
            os.mkfifo(path)
        else:
            os.mkfifo(tmp_path / "pipe")
            path.symlink_to(tmp_path / "pipe")

    return place


def told(error: PackError) -> list[tuple[str, str]]:
    """Return the file and the message of each problem."""
    return [(problem.file.name, problem.message) for problem in error.problems]


def test_it_is_refused_where_a_page_belongs(tmp_path, place):
    pack = tmp_path / "trap"
    pack.mkdir()
    (pack / "pack.yaml").write_text(HEAD, encoding="utf-8")
    place(pack / "page.yaml")
    for load in (loader.load_folder, loader.read_folder):
        with pytest.raises(PackError) as caught:
            load(TOY, [pack])
        assert told(caught.value) == [("page.yaml", TOLD)]


def test_it_is_refused_where_a_sample_belongs(tmp_path, place, toy):
    (tmp_path / "tests").mkdir()
    place(tmp_path / "tests" / "first.yaml")
    with pytest.raises(PackError) as caught:
        read_samples(tmp_path, toy)
    assert told(caught.value) == [("first.yaml", TOLD)]


def test_it_is_no_header(tmp_path, place, monkeypatch):
    pack = tmp_path / "packs" / "trap"
    pack.mkdir(parents=True)
    place(pack / "pack.yaml")
    monkeypatch.setattr(loader, "packs_folder", lambda: tmp_path / "packs")
    assert loader.stated_version(pack) == ""
    assert "trap" not in loader.available()
    with pytest.raises(PackError):
        yaml_reader.read_yaml(pack / "pack.yaml")


def test_a_plain_file_is_read_up_to_a_limit(tmp_path):
    path = tmp_path / "page.yaml"
    path.write_bytes(b"12345")
    assert read_plain_file(path, 5) == b"12345"
    assert read_plain_file(path, 3) == b"1234"
    with pytest.raises(FileNotFoundError):
        read_plain_file(tmp_path / "missing.yaml", 3)
