"""Compiled packs: the same rules, loaded faster, never an obstacle."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from charforge.errors import PackError
from charforge.paths import cache_folder
from charforge.rules.loading import loader
from charforge.rules.loading.loader import load_folder
from charforge.rules.ruleset import Ruleset


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache with nothing in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cache_folder.cache_clear()
    yield loader.compiled_folder()
    cache_folder.cache_clear()


def packs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.pack"))


def test_a_compiled_pack_has_the_same_rules(fresh: Path, rules: Ruleset) -> None:
    assert loader.fetch_compiled(rules.hash) is None
    loader.store_compiled(rules.digest, rules)
    kept = loader.fetch_compiled(rules.hash)
    assert kept is not None
    assert kept.head == rules.head
    assert kept.entities == rules.entities
    assert list(kept.entities) == list(rules.entities)
    assert kept.rulings == rules.rulings
    assert kept.procedures == rules.procedures
    assert kept.charts == rules.charts
    assert kept.hash == rules.hash
    assert kept.index == rules.index
    assert kept.conditions == rules.conditions
    assert [*kept.of_kind("gear")] == [*rules.of_kind("gear")]


def test_an_entity_of_a_compiled_pack_is_read_once(
    fresh: Path, toy: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    loader.store_compiled(toy.digest, toy)
    kept = loader.fetch_compiled(toy.digest)
    assert kept is not None
    rope = kept.entities["gear/rope"]
    monkeypatch.setattr("charforge.rules.ruleset.pickle.loads", None)  # no other is read
    assert kept.entity("gear/rope") is rope
    assert list(kept.entities) == list(toy.entities)


def test_a_pack_is_read_once_and_then_fetched(
    fresh: Path, toy_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_folder(toy_folder)
    assert len(packs(fresh)) == 1
    monkeypatch.setattr("charforge.rules.loading.yaml_reader.read_yaml", None)
    assert load_folder(toy_folder).entities == first.entities


def test_the_same_file_is_the_same_ruleset_in_a_process(
    fresh: Path, edited: Callable[..., Path]
) -> None:
    folder = edited()
    load_folder(folder)
    kept = load_folder(folder)
    assert load_folder(folder) is kept
    page = folder / "rulings.yaml"
    page.write_text(page.read_text("utf-8").replace("Wreckage", "Flotsam"), encoding="utf-8")
    load_folder(folder)
    other = load_folder(folder)
    assert (kept.rulings["L1"].title, other.rulings["L1"].title) == ("Wreckage", "Flotsam")


def test_a_changed_pack_is_read_anew(fresh: Path, edited: Callable[..., Path]) -> None:
    folder = edited()
    load_folder(folder)
    page = folder / "rulings.yaml"
    page.write_text(page.read_text("utf-8").replace("Wreckage", "Flotsam"), encoding="utf-8")
    assert load_folder(folder).rulings["L1"].title == "Flotsam"
    assert len(packs(fresh)) == 2


def test_a_faulty_pack_is_never_kept(fresh: Path, edited: Callable[..., Path]) -> None:
    folder = edited(("things.yaml", "price: 6", "price: six"))
    for _time in range(2):
        with pytest.raises(PackError):
            load_folder(folder)
    assert packs(fresh) == []


def sealed(data: bytes) -> bytes:
    """Data that is whole, whoever wrote it."""
    return hashlib.sha256(data).digest() + data


FOREIGN = {
    "empty": b"",
    "too short": b"short",
    "of another program": b"x" * 4000,
    "a pickle without a seal": pickle.dumps(("head", {}, {})),
    "sealed, but no pickle": sealed(b"no pickle"),
    "sealed, but empty": sealed(b""),
    "sealed, but another thing": sealed(pickle.dumps(42)),
    "sealed, but of another shape": sealed(pickle.dumps(("head", {}))),
    "sealed, but of a module that is gone": sealed(b"cgone.module\nThing\n."),
    "sealed, but of a name that is gone": sealed(b"ccharforge.errors\nThing\n."),
}


@pytest.mark.parametrize("data", [pytest.param(data, id=name) for name, data in FOREIGN.items()])
def test_a_broken_pack_in_the_cache_is_read_anew(
    fresh: Path, toy_folder: Path, data: bytes
) -> None:
    load_folder(toy_folder)
    (pack,) = packs(fresh)
    pack.write_bytes(data)
    assert "gear/rope" in load_folder(toy_folder).entities
    assert pack.read_bytes() != data


def test_a_pack_cut_off_in_the_cache_is_read_anew(fresh: Path, toy_folder: Path) -> None:
    load_folder(toy_folder)
    (pack,) = packs(fresh)
    pack.write_bytes(pack.read_bytes()[:-10])
    assert loader.fetch_compiled(load_folder(toy_folder).hash) is not None


def test_a_cache_that_cannot_be_written_is_no_hindrance(
    tmp_path: Path, toy_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    cache_folder.cache_clear()
    try:
        assert "gear/rope" in load_folder(toy_folder).entities
    finally:
        cache_folder.cache_clear()


@pytest.mark.parametrize("step", ["tempfile.mkstemp", "os.fdopen", "pathlib.Path.replace"])
def test_a_cache_that_may_only_be_read_is_no_hindrance(
    fresh: Path, toy: Ruleset, toy_folder: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(step, refuse)
        assert load_folder(toy_folder).entities == toy.entities
    assert list(fresh.iterdir()) == []


def test_a_pack_that_may_not_be_read_is_read_from_its_yaml(fresh: Path, toy_folder: Path) -> None:
    load_folder(toy_folder)
    (pack,) = packs(fresh)
    pack.unlink()
    pack.mkdir()
    assert "gear/rope" in load_folder(toy_folder).entities


def test_a_pack_from_the_cache_equals_the_one_from_its_yaml(fresh: Path, toy_folder: Path) -> None:
    first, second = load_folder(toy_folder), load_folder(toy_folder)
    assert first is not second
    assert first == second


def test_old_packs_are_forgotten(fresh: Path, edited: Callable[..., Path], toy: Ruleset) -> None:
    loader.store_compiled(toy.digest, toy)
    (old,) = packs(fresh)
    os.utime(old, (0, 0))
    load_folder(edited(("rulings.yaml", "Wreckage", "Flotsam")))
    assert old not in packs(fresh)
    assert len(packs(fresh)) == 1


def test_nothing_is_left_over_in_the_cache(fresh: Path, toy_folder: Path) -> None:
    load_folder(toy_folder)
    assert list(fresh.iterdir()) == packs(fresh)


@pytest.mark.parametrize(
    "name", ["base.py", "references.py", "ruleset.py", "formula.py", "template.py", "dice.py"]
)
def test_a_pack_is_compiled_anew_when_what_judged_it_has_changed(name: str) -> None:
    assert f"'{name}'" in loader.code_version()
