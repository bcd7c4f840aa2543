"""Templates that a pack brings: installed, listed, bundled, checked and used."""

from __future__ import annotations

import zipfile

import pytest

from tests.conftest import HARBOUR
from tests.rules.pack_files import write_pack

ABOUT = "name: The Log\nauthor: Ann\nlicence: CC0-1.0\npapers: [a5]\n"


@pytest.fixture
def text(dockhand_text):
    """A dockhand, in a home of this test alone."""
    return dockhand_text


@pytest.fixture
def pack(packs_home, tmp_path):
    """A pack for the Harbour with a template, not installed; the Harbour is."""
    packs_home.mkdir(parents=True)
    (packs_home / "harbour").symlink_to(HARBOUR)
    folder = tmp_path / "dock"
    write_pack(folder, "entities: []\n", "harbour")
    template = folder / "templates" / "log"
    template.mkdir(parents=True)
    (template / "sheet.md").write_text("# {{ view.name }}\n", "utf-8")
    (template / "template.yaml").write_text(ABOUT, "utf-8")
    (template / "logo.png").write_bytes(b"\x89PNG")
    return folder


def test_a_pack_brings_a_template_for_its_game(run, pack, nix, capital_text):
    assert run("catalog", "add", pack).code == 0
    assert "dock/log · The Log · Ann · CC0-1.0 · a5\n" in run("templates").out
    for name in ("log", "dock/log"):
        ended = run("sheet", nix, "--template", name, "-o", "-")
        assert ended.out.startswith("# Ada\n\nThe Harbour "), ended.err
        assert ended.out.endswith("Sheet: The Log, by Ann, CC0-1.0\n")
    assert run("export", nix, "--template", "log").out.startswith("# Ada\n")
    nix.with_name("other.json").write_text(capital_text, "utf-8")
    run("sheet", "other.json", "--template", "log").refused(
        2, "template The Log is for harbour, not for capital"
    )


def test_a_template_of_the_user_comes_before_one_of_a_pack(run, pack, nix, packs_home):
    run("catalog", "add", pack)
    own = packs_home.with_name("templates")
    own.mkdir()
    (own / "log.md").write_text("my own", "utf-8")
    assert run("export", nix, "--template", "log").out == "my own"


@pytest.mark.slow
def test_two_packs_with_one_name_are_told_apart(run, pack, nix, packs_home):
    run("catalog", "add", pack)
    other = packs_home / "dock2"
    write_pack(other, "entities: []\n", "harbour")
    (other / "templates").mkdir()
    (other / "templates" / "log.txt").write_text("two", "utf-8")
    run("export", nix, "--template", "log").refused(2, "dock/log, dock2/log")
    assert run("export", nix, "--template", "dock2/log").out.startswith("two\n")


@pytest.mark.slow
def test_a_bundle_carries_the_templates_of_its_packs(run, pack, packs_home):
    run("catalog", "add", pack)
    new = ("new", "--pack", "dock", "--random", "--seed", "4", "--name", "Bo", "-o", "bo.json")
    assert run(*new).code == 0
    assert run("export", "bo.json", "--bundle", "bo.charforge").code == 0
    with zipfile.ZipFile(pack.with_name("bo.charforge")) as archive:
        assert "packs/dock/templates/log/logo.png" in archive.namelist()
    run("catalog", "remove", "dock")
    assert run("import", "bo.charforge", "--yes", "-o", "again.json").code == 0
    assert (packs_home / "dock" / "templates" / "log" / "sheet.md").is_file()


@pytest.mark.slow
def test_check_prints_a_character_with_each_template(run, pack):
    assert run("catalog", "check", pack).code == 0
    (pack / "templates" / "log" / "sheet.md").write_text("\n{{ view.nmae }}", "utf-8")
    (pack / "templates" / "a.html").write_text("<p onclick=x>", "utf-8")
    (pack / "templates" / "empty").mkdir()
    (pack / "templates" / "empty" / "README.md").touch()
    ended = run("catalog", "check", pack)
    assert ended.code == 1
    for said in ("sheet.md:2:1", "Did you mean name?", '"onclick"', "has no file sheet.html"):
        assert said in ended.out


@pytest.mark.parametrize("name", ["logo.png", "tests/a.html", "templates/run.js", "templates.css"])
def test_only_the_folder_for_templates_has_other_files(run, pack, name):
    (pack / name).parent.mkdir(exist_ok=True)
    (pack / name).touch()
    run("catalog", "add", pack).refused(1, "a pack can only contain text files")
