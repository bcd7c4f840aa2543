"""A bundle has all that a character needs: on another machine it gives the same sheet."""

from __future__ import annotations

import io
import json
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from charforge.packs.bundles import BUNDLE_LIMITS
from charforge.paths import user_data_folder
from charforge.rules.loading import loader
from tests.command_runner import run_command
from tests.rules.pack_files import write_pack
from tests.source import EXAMPLES

HOUSE = """\
patches:
  - at: protection/barrier
    add: {modifies: [{value: pace, amount: 5}]}
    why: Behind a Barrier you run.
"""
MORE = "authors: [Ann Rae, Bo]\nlicence: CC BY 4.0\n"
MINE = "house-rules 1.0: House Rules, by Ann Rae, Bo, CC BY 4.0"
Machine = Callable[[str], None]


@pytest.fixture
def machine(tmp_path, monkeypatch, packs_home) -> Machine:
    """Go on with the installed packs of another machine."""

    def go_on(name: str) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name))
        user_data_folder.cache_clear()

    return go_on


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with a bundle of Nix, with house rules for a built-in game and a portrait."""
    folder = tmp_path_factory.mktemp("made")
    house = write_pack(folder / "house-rules", HOUSE, "shields-biotics", "1.0", MORE)
    (house / "LICENSE").write_text("Share it.", "utf-8")
    Image.new("RGB", (300, 400), "teal").save(folder / "face.png")
    with_house = ("--pack", "house-rules", "--with", "barrier=yes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        user_data_folder.cache_clear()
        for command in (
            ("catalog", "add", house),
            ("new", "--random", "--seed", 7, "--name", "Nix", *with_house, "-o", "nix.json"),
            ("edit", "nix.json", "--portrait", "face.png"),
            ("export", "nix.json", "--bundle", "nix.charforge"),
        ):
            assert run_command(*command, folder=folder).code == 0
    user_data_folder.cache_clear()
    return folder


@pytest.fixture
def house(made, tmp_path):
    """The house rules that the bundle carries, not installed."""
    return shutil.copytree(made / "house-rules", tmp_path / "house-rules")


@pytest.fixture
def bundle(made, machine, tmp_path):
    """The bundle and what it was made of, and a machine with none of it installed."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    machine("elsewhere")
    return tmp_path / "nix.charforge"


def test_another_machine_gets_the_same_sheet(run, machine, bundle, tmp_path):
    machine("data")
    run("sheet", "nix.json", "--format", "html", "--audit", "-o", "here.html")
    shown = run("show", "nix.json", "--json").out
    machine("elsewhere")
    (tmp_path / "there").mkdir()
    assert loader.installed() == {}
    got = run("import", bundle, "--yes", "-o", "there/nix.json")
    assert (got.code, got.out) == (0, "there/nix.json\n")
    assert f"Installed: {MINE}" in got.err
    unchecked = "Not checked, because their source is unknown or gone: house-rules\n"
    assert run("update", "--check").err == unchecked
    assert (loader.installed()["house-rules"] / "LICENSE").read_text("utf-8") == "Share it."
    assert (tmp_path / "there/nix.json").read_bytes() == (tmp_path / "nix.json").read_bytes()
    assert run("show", "there/nix.json", "--json").out == shown
    run("sheet", "there/nix.json", "--format", "html", "--audit", "-o", "there.html")
    assert (tmp_path / "there.html").read_text() == (tmp_path / "here.html").read_text()
    assert "data:image/" in (tmp_path / "there.html").read_text()


@pytest.mark.parametrize("command", ["show", "check", "sheet"])
def test_a_bundle_is_no_character_file_but_can_be_imported(run, bundle, command):
    refused = run(command, bundle)
    refused.refused(2, "is not a character file", f"charforge import {bundle}")


def test_a_bundle_is_a_zip_that_is_always_the_same(run, machine, bundle, tmp_path):
    files = zipfile.ZipFile(bundle).namelist()
    assert files[0] == "character.json"
    assert files[1].startswith("portrait-")
    assert files[2:] == [
        f"packs/house-rules/{one}" for one in ("LICENSE", "pack.yaml", "page.yaml")
    ]
    machine("data")
    run("export", "nix.json", "--bundle", "again.charforge")
    assert (tmp_path / "again.charforge").read_bytes() == bundle.read_bytes()


def test_a_game_of_your_own_travels_too(run, machine, tmp_path):
    run("catalog", "new", "tiny", "--game", "--name", "Tiny")
    run("catalog", "add", "tiny")
    run("new", "--ruleset", "tiny", "--random", "--seed", 1, "--name", "Kas", "-o", "kas.json")
    assert run("export", "kas.json", "--bundle", "kas.charforge").code == 0
    machine("elsewhere")
    assert run("import", "kas.charforge", "-y", "-o", "got.json").code == 0
    assert run("check", "got.json").code == 0


def test_nothing_is_installed_without_a_yes(run, bundle, tmp_path):
    refused = run("import", bundle, "-o", "got.json")
    refused.refused(2, "packs that are not installed here:", f"  {MINE}", "--yes")
    assert loader.installed() == {}
    assert not (tmp_path / "got.json").exists()


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 2), ("", 2)])
def test_in_a_terminal_it_is_asked(bundle, tmp_path, monkeypatch, answer, code):
    monkeypatch.setattr("charforge.cli.console.is_interactive", lambda: True)
    ended = run_command("import", bundle, "-o", "got.json", folder=tmp_path, stdin=f"{answer}\n")
    assert (ended.code, (tmp_path / "got.json").exists()) == (code, code == 0)
    assert f"  {MINE}\nInstall them and import the character? [y/N]: " in ended.err
    assert list(loader.installed()) == (["house-rules"] if code == 0 else [])


def test_packs_that_are_installed_need_no_question(run, house, bundle):
    assert run("catalog", "add", house).code == 0
    got = run("import", bundle, "-o", "got.json")
    assert (got.code, "Installed" in got.err) == (0, False)


def test_a_pack_with_other_contents_is_kept(run, house, bundle, tmp_path):
    page = house / "page.yaml"
    page.write_text(page.read_text("utf-8").replace("amount: 5", "amount: 6"), "utf-8")
    head = house / "pack.yaml"
    head.write_text(head.read_text("utf-8").replace("1.0", "1.1", 1), "utf-8")
    assert run("catalog", "add", house).code == 0
    run("import", bundle, "--yes", "-o", "got.json").refused(
        2,
        "A pack house-rules with other contents is installed here (1.1; the bundle has 1.0)",
        "charforge catalog remove house-rules",
    )
    assert loader.stated_version(loader.installed()["house-rules"]) == "1.1"
    assert not (tmp_path / "got.json").exists()


def test_packs_are_removed_again_if_the_import_fails(run, bundle, tmp_path):
    (tmp_path / "got.json").write_text("mine", "utf-8")
    run("import", bundle, "--yes", "-o", "got.json").refused(2, "got.json")
    assert (tmp_path / "got.json").read_text("utf-8") == "mine"
    assert loader.installed() == {}


# ------------------------------------------------------------------ what is refused


def rewritten(bundle: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return bundle


PACK = "packs/house-rules/"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda files: files.pop("character.json"), "is not a bundle of a character"),
        (lambda files: files.update({"../up.md": b""}), "cannot be the name of a file"),
        (lambda files: files.update({f"{PACK}../../up.md": b""}), "cannot be the name of a file"),
        (lambda files: files.update({f"{PACK}run.py": b""}), "can only contain"),
        (lambda files: files.update({"notes.md": b""}), "is not part of a character or a pack"),
        (lambda files: files.update({"packs/x.md": b""}), "is not part of a character or a pack"),
        (lambda files: files.update({f"{PACK}face.png": b""}), "can only contain text files"),
        (lambda files: files.update({f"{PACK}sub/p.yaml": b""}), "would never be read"),
        (lambda files: files.update({"packs/other/pack.yaml": b""}), "does not use the pack"),
        (lambda files: files.update({"a.md": bytes(BUNDLE_LIMITS.size + 1)}), "larger than 40 MB"),
        (lambda files: files.update({f"{n}.md": b"" for n in range(1500)}), "more than 1500 files"),
        (lambda files: files.pop(f"{PACK}pack.yaml"), "contains no pack.yaml"),
        (lambda files: files.update({f"{PACK}page.yaml": b"entities: [1]"}), "house-rules/page"),
        (lambda files: files.update({"character.json": b"{"}), "character.json"),
    ],
)  # fmt: skip
def test_a_damaged_or_hostile_bundle_installs_nothing(run, bundle, tmp_path, change, message):
    ended = run("import", rewritten(bundle, change), "--yes", "-o", "got.json")
    assert ended.code in (1, 2)
    ended.refused(ended.code, "nix.charforge", message)
    assert loader.installed() == {}
    assert not (tmp_path / "got.json").exists()
    assert not (tmp_path / "up.md").exists()


def test_a_pack_must_have_the_id_of_its_folder_and_not_of_a_built_in_game(run, bundle):
    def rename(files: dict[str, bytes]) -> None:
        files[f"{PACK}pack.yaml"] = files[f"{PACK}pack.yaml"].replace(b"house-rules", b"other")

    run("import", rewritten(bundle, rename), "--yes").refused(1, 'its id is "other"')

    def take_over(files: dict[str, bytes]) -> None:
        files["packs/shields-biotics/ruleset.yaml"] = (
            loader.built_in()["shields-biotics"] / "ruleset.yaml"
        ).read_bytes()

    run("import", rewritten(bundle, take_over), "--yes").refused(2, "the id of a built-in game")
    assert loader.installed() == {}


def test_a_link_is_refused(run, bundle):
    with zipfile.ZipFile(bundle, "a") as archive:
        link = zipfile.ZipInfo(f"{PACK}link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    run("import", bundle, "--yes").refused(2, "is a link")


def test_a_bomb_is_refused_by_its_size(run, bundle):
    with zipfile.ZipFile(bundle, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("packs/house-rules/zeros.md", b"0" * 60_000_000)
    assert bundle.stat().st_size < 500_000
    run("import", bundle, "--yes").refused(2, "larger than 40 MB")


def test_other_zips_and_options(run, house, tmp_path, bundle):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("house/pack.yaml", "id: x")
    (tmp_path / "house.zip").write_bytes(data.getvalue())
    run("import", "house.zip").refused(2, "not a bundle", "charforge catalog add")
    run("import", bundle, "--into", "nix.json").refused(2, "a whole character")
    run("export", "nix.json", "--bundle", "x", "--format", "json").refused(2, "cannot be combined")
    run("export", "nix.json", "--bundle", "nix.json").refused(2, "this is the character file")
    (tmp_path / "damaged.charforge").write_bytes(b"PK\x03\x04 nothing")
    run("import", "damaged.charforge").refused(2, "this zip file cannot be read")
    assert json.loads((tmp_path / "nix.json").read_text())["name"] == "Nix"


# ------------------------------------------------------------------ what a group owns


def test_export_and_import_say_that_what_the_group_owns_is_not_in_it(
    run, machine, packs_home, tmp_path
):
    for game in ("low-tide", "low-tide-crew"):
        shutil.copytree(EXAMPLES / game, packs_home / game)
    crew = ("--ruleset", "low-tide-crew", "--name", "The Eels", "--random", "--seed", "3")
    assert run("new", *crew, "-o", "crew.json").code == 0
    campaign = "ruleset: low-tide\nshared: crew.json\n"
    (tmp_path / "charforge.yaml").write_text(campaign, encoding="utf-8")
    assert run("new", "--random", "--seed", "1", "--name", "Ilse", "-o", "ilse.json").code == 0
    sent = run("export", "ilse.json", "--bundle", "ilse.charforge")
    assert sent.code == 0
    words = "The Eels (Crew) is a file of its own, of the game low-tide-crew: it is not in the"
    command = f"charforge export {tmp_path / 'crew.json'} --bundle The-Eels.charforge"
    assert words in sent.err
    assert sent.err.rstrip().endswith(command.replace(f"{tmp_path}/", ""))
    alone = run("export", "crew.json", "--bundle", "crew.charforge")
    assert (alone.code, alone.err) == (0, "")

    machine("elsewhere")
    there = tmp_path / "there"
    there.mkdir()
    imported = run("import", "ilse.charforge", "--yes", "-o", "there/ilse.json")
    assert imported.code == 0, imported.err
    assert "The Eels (Crew) is a file of its own, and it is not in the bundle." in imported.err
    assert "name its file in charforge.yaml: shared: The-Eels.json" in imported.err
    assert run("import", "crew.charforge", "--yes", "-o", "there/The-Eels.json").code == 0
    (there / "charforge.yaml").write_text("shared: The-Eels.json\n", encoding="utf-8")
    again = run("import", "ilse.charforge", "--yes", "-o", "there/ilse.json", "--force")
    assert "not in the bundle" not in again.err
    assert run("use", "there/ilse.json", "job", "talent=tongue", "help=0").code == 0
    assert run("check", "there").code == 0
