"""Packs are installed and removed completely or not at all."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.errors import PackError, UnknownId, UsageError, WriteError
from charforge.packs.install import install, remove_pack
from charforge.rules.loading import loader
from tests.rules.pack_files import write_pack

Pack = Callable[..., Path]
PAGE = "entities:\n  - {id: keyword/patient, name: Patient, source: Test}\n"


@pytest.fixture
def pack(tmp_path: Path, packs_home: Path) -> Pack:
    """Write a pack for Shields & Biotics, called as is said, somewhere beside."""

    def write(name: str = "calm", page: str = PAGE, version: str = "1.0", more: str = "") -> Path:
        shutil.rmtree(tmp_path / "given" / name, ignore_errors=True)
        return write_pack(tmp_path / "given" / name, page, "shields-biotics", version, more)

    return write


def test_a_folder_is_installed_under_its_id(pack: Pack, packs_home: Path) -> None:
    folder = pack()
    (folder / "tests").mkdir()
    (folder / "tests" / "first.yaml").write_text("name: A\nexpect: {legal: true}\n", "utf-8")
    (folder / "README.md").write_text("Calm", "utf-8")
    (folder / ".git").mkdir()
    name, ruleset = install(folder.rename(folder.with_name("any-other-name")))
    assert (name, ruleset.origins) == ("calm", {"keyword/patient": "calm"})
    assert {p.relative_to(packs_home).as_posix() for p in packs_home.rglob("*") if p.is_file()} == {
        "calm/pack.yaml", "calm/page.yaml", "calm/README.md", "calm/tests/first.yaml",
    }  # fmt: skip
    assert "keyword/patient" in loader.load("shields-biotics", ["calm"]).entities
    assert "keyword/patient" not in loader.load("shields-biotics").entities


@pytest.mark.parametrize("top", ["", "calm-1.0/"])
def test_a_zip_is_installed_with_or_without_a_folder_around_it(
    pack: Pack, tmp_path: Path, packs_home: Path, top: str
) -> None:
    folder = pack()
    path = tmp_path / "calm.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"{top}{file.name}")
        archive.writestr("__MACOSX/._page.yaml", "\0\1")
        archive.writestr(f"{top}.DS_Store", "\0\1")
    assert install(path)[0] == "calm"
    assert sorted(one.name for one in (packs_home / "calm").iterdir()) == ["pack.yaml", "page.yaml"]


def test_one_that_is_there_is_only_replaced_on_demand(pack: Pack) -> None:
    install(pack())
    with pytest.raises(UsageError, match="a pack calm is already installed"):
        install(pack(version="2.0"))
    assert loader.load("shields-biotics", ["calm"]).packs[0].version == "1.0"
    install(pack(version="2.0"), replace=True)
    assert loader.load("shields-biotics", ["calm"]).packs[0].version == "2.0"


def test_a_faulty_pack_replaces_nothing(pack: Pack, packs_home: Path) -> None:
    install(pack())
    folder = pack(page="entities: [{id: keyword/x}]")
    with pytest.raises(PackError) as refused:
        install(folder, replace=True)
    assert {fault.file for fault in refused.value.problems} == {folder / "page.yaml"}
    assert loader.load("shields-biotics", ["calm"]).packs[0].version == "1.0"
    assert [one.name for one in packs_home.iterdir()] == ["calm"]


def test_what_was_there_comes_back_where_the_new_one_cannot_be_put(
    pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(pack())
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if self.name == "pack":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(WriteError, match="the disk is full"):
        install(pack(version="2.0"), replace=True)
    monkeypatch.setattr(Path, "rename", rename)
    assert loader.load("shields-biotics", ["calm"]).packs[0].version == "1.0"


def test_a_ruleset_is_installed_as_one(packs_home: Path, toy_folder: Path) -> None:
    assert install(toy_folder)[0] == "toy"
    assert "toy" in loader.available()
    assert loader.load("toy").head.name == "The Long Light"


def test_a_pack_for_an_installed_ruleset(pack: Pack, toy_folder: Path, tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "fog", "patches: [{at: gear/rope, set: {price: 2}}]")
    with pytest.raises(PackError) as refused:
        install(folder)
    (fault,) = refused.value.problems
    assert (fault.line, fault.message) == (4, 'there is no ruleset "toy"')
    install(toy_folder)
    assert install(folder)[1].entities["gear/rope"].price == 2


def test_a_built_in_ruleset_is_never_replaced(pack: Pack, packs_home: Path) -> None:
    folder = loader.catalog_folder() / "shields-biotics"
    with pytest.raises(UsageError, match="built-in"):
        install(folder, replace=True)
    assert list(packs_home.iterdir()) == []


def test_what_a_pack_needs_must_be_here_and_comes_first(pack: Pack) -> None:
    patched = "patches: [{at: keyword/patient, set: {name: Serene}}]"
    needing = pack("serene", patched, more="requires: [calm]\n")
    with pytest.raises(PackError) as refused:
        install(needing)
    (fault,) = refused.value.problems
    assert (fault.file, fault.message) == (
        needing / "pack.yaml",
        'there is no installed pack "calm"',
    )
    install(pack())
    assert [one.id for one in install(needing)[1].packs] == ["calm", "serene"]
    with pytest.raises(UsageError, match="the pack serene needs calm before it") as unfit:
        loader.load("shields-biotics", ["serene"])
    assert unfit.value.advice == "--pack calm --pack serene"
    assert (
        loader.load("shields-biotics", ["calm", "serene"]).entities["keyword/patient"].name
        == "Serene"
    )


def test_packs_that_do_not_go_together_are_refused(pack: Pack) -> None:
    install(pack())
    with pytest.raises(UsageError, match="appears twice"):
        loader.load("shields-biotics", ["calm", "calm"])
    with pytest.raises(UsageError, match="is for shields-biotics, not for squad-d20"):
        loader.load("squad-d20", ["calm"])
    with pytest.raises(UnknownId) as unknown:
        loader.load("shields-biotics", ["clam"])
    assert unknown.value.nearest == "calm"


def test_the_ruleset_of_a_pack_is_meant_where_none_is_named(pack: Pack) -> None:
    install(pack())
    assert loader.ruleset_for(None, ["calm"]) == "shields-biotics"
    assert loader.ruleset_for("toy", ["calm"]) == "toy"
    assert loader.ruleset_for(None) == loader.default_ruleset()


@pytest.mark.parametrize(
    ("more", "said"), [("requires: [calm]\n", "must differ"), ("price: 3\n", "unknown key")]
)
def test_a_faulty_head_is_refused_at_its_line(pack: Pack, more: str, said: str) -> None:
    with pytest.raises(PackError) as refused:
        install(pack(more=more))
    (fault,) = refused.value.problems
    assert said in fault.message
    assert fault.file.name == "pack.yaml"


def test_a_pack_is_removed_by_its_id(pack: Pack, packs_home: Path) -> None:
    install(pack())
    remove_pack("calm")
    assert list(packs_home.iterdir()) == []
    with pytest.raises(UnknownId):
        remove_pack("calm")


def test_a_folder_that_is_only_linked_is_let_go_and_stays(pack: Pack, packs_home: Path) -> None:
    folder = pack()
    packs_home.mkdir(parents=True)
    (packs_home / "calm").symlink_to(folder)
    assert "calm" in loader.installed()
    remove_pack("calm")
    assert (list(packs_home.iterdir()), (folder / "pack.yaml").is_file()) == ([], True)
