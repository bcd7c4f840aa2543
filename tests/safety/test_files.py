"""Hostile files and names: where results go, what is opened and started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from charforge.character.files.reader import portrait_name
from charforge.paths import DEVICES
from tests.safety.conftest import SECRET, Sandbox
from tests.safety.inspection import look

pytestmark = pytest.mark.slow
NEW = ["new", "--ruleset", "shields-biotics", "--random", "--seed", "4"]

NAMES = (
    "../../x", "/etc/passwd", "..", ".", "...", "-rf", "--help", "- -o x", "CON", "nul.txt",
    "aux.tar.gz", "Com1", "~", "~/x", "$HOME/x", "`id`", "C:\\x", "\\\\host\\x", "a/../../../b",
    "x.json/../../y", "x" * 200, "\N{DRAGON}" * 200, "name.json", ".hidden", "a:b", "*", "?",
    "<script>", "{0.__class__}", "{{ x }}", "%s", "|cat", ">x", "&& id", "\u202egpj.exe",
)  # fmt: skip
REFUSED = ("", "a\nb", "a\0b", "a\x1b[2Jb", "x" * 201, "\ud800", "x" * 100_000)


def test_no_name_leads_out_of_the_folder(sandbox: Sandbox) -> None:
    """Given as an option, in an answers file, and in a character that comes from elsewhere."""
    elsewhere = sandbox.work / "elsewhere"
    elsewhere.mkdir()
    sandbox.run([*NEW, "--name", "Nix", "-o", "elsewhere/made.json"])
    made = json.loads((elsewhere / "made.json").read_text("utf-8"))
    commands = []
    for number, name in enumerate(NAMES):
        text = f"ruleset: shields-biotics\nname: {json.dumps(name, ensure_ascii=False)}\n"
        (elsewhere / f"{number}.yaml").write_text(text, encoding="utf-8")
        said = [{**event, "name": name} if "name" in event else event for event in made["log"]]
        character = json.dumps({**made, "name": name, "log": said})
        (elsewhere / f"{number}.json").write_text(character, encoding="utf-8")
        commands.append([*NEW, f"--name={name}", "--force"])
        commands.append([*NEW, "--answers", f"elsewhere/{number}.yaml", "--force"])
        commands.append(["import", f"elsewhere/{number}.json", "--force"])
    ran = sandbox.run(*commands)
    assert [one.err for one in ran if one.code] == []
    written = [one.out.removesuffix("\n") for one in ran]
    assert written[0::3] == written[1::3] == written[2::3]
    assert {path.name for path in sandbox.work.iterdir()} == {"elsewhere", *written}
    for name in written:
        assert name.endswith(".json")
        assert not name.startswith(("-", "."))
        assert name.partition(".")[0].casefold() not in DEVICES


def test_a_name_that_is_none_is_refused(sandbox: Sandbox) -> None:
    commands = []
    for number, name in enumerate(REFUSED):
        text = f"ruleset: shields-biotics\nname: {json.dumps(name)}\n"
        (sandbox.work / f"{number}.yaml").write_text(text, encoding="utf-8")
        commands.append([*NEW, "--answers", f"{number}.yaml", "-o", f"{number}.json"])
    ran = sandbox.run(*commands)
    assert [one.code for one in ran[1:]] == [2] * (len(REFUSED) - 1)
    assert {path.name for path in sandbox.work.glob("*.json")} <= {"0.json"}


def test_a_file_says_neither_where_results_go_nor_who_makes_them(sandbox: Sandbox) -> None:
    sandbox.run([*NEW, "--name", "Nix", "-o", "a.json"])
    made = json.loads((sandbox.work / "a.json").read_text("utf-8"))
    keys = ("output", "o", "-o", "cluster", "jobs", "force", "sheet", "portrait")
    commands = []
    for key in keys:
        text = f"ruleset: shields-biotics\nname: Nix\n{key}: {sandbox.listener.address}\n"
        (sandbox.work / f"{key}.yaml").write_text(text, encoding="utf-8")
        (sandbox.work / f"b{key}.json").write_text(json.dumps({**made, key: "x"}), "utf-8")
        commands.append([*NEW, "--answers", f"./{key}.yaml", "-o", "c.json"])
        commands.append(["sheet", f"b{key}.json", "--format", "html"])
    ran = sandbox.run(*commands)
    assert {one.code for one in ran} == {2}
    assert [one.err for one, key in zip(ran[::2], keys, strict=True) if key not in one.err] == []
    assert not (sandbox.work / "c.json").exists()


# ------------------------------------------------------------------ pictures


def bomb(_sandbox: Sandbox) -> bytes:
    """A picture of 2.5 thousand million pixels in a few kB."""
    out = BytesIO()
    Image.new("1", (8, 8)).save(out, "PNG")
    data = bytearray(out.getvalue())
    data[16:24] = (50_000).to_bytes(4, "big") * 2
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    return bytes(data)


def drawing(sandbox: Sandbox) -> bytes:
    """An SVG that would read, ask and run."""
    return (
        f'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e SYSTEM "{sandbox.canary.as_uri()}">]>'
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<image href="{sandbox.canary.as_uri()}"/><use xlink:href="{sandbox.listener.address}"/>'
        f"<script>alert(1)</script><text>&e;</text></svg>"
    ).encode()


def script(_sandbox: Sandbox) -> bytes:
    """PostScript, which some readers of pictures hand to a program."""
    return b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(%pipe%id) (r) file\nshowpage\n"


PICTURES: dict[str, Callable[[Sandbox], bytes]] = {
    "bomb.png": bomb,
    "drawing.svg": drawing,
    "drawing.png": drawing,
    "script.eps": script,
    "script.jpg": script,
}


def test_a_picture_is_looked_at_and_nothing_else(sandbox: Sandbox) -> None:
    sandbox.run([*NEW, "--name", "Nix", "-o", "a.json"])
    for name, made in PICTURES.items():
        (sandbox.work / name).write_bytes(made(sandbox))
    (sandbox.work / "linked.png").symlink_to(sandbox.canary.with_name("other.txt"))
    os.mkfifo(sandbox.work / "pipe.png")
    names = [*PICTURES, "linked.png", "pipe.png", "/dev/zero", "/dev/random", "/dev/null"]
    ran = sandbox.run(
        *(["sheet", "a.json", "--portrait", name, "-o", "a.pdf"] for name in names),
        *(["edit", "a.json", "--portrait", name] for name in names),
    )
    assert [one.words for one in ran if one.code != 2] == []
    assert not (sandbox.work / "a.pdf").exists()


def test_a_portrait_of_a_character_is_a_picture_beside_it(sandbox: Sandbox) -> None:
    """A link to what is no such picture, a pipe and a device are left out, and said."""
    sandbox.run([*NEW, "--name", "Nix", "-o", "a.json"])
    made = json.loads((sandbox.work / "a.json").read_text("utf-8"))
    out = BytesIO()
    Image.new("RGB", (9, 9)).save(out, "PNG")
    name = portrait_name(out.getvalue())
    last = made["log"][-1]
    event = {"n": last["n"] + 1, "group": last["group"] + 1, "do": "set"}
    ways = ("../x.png", str(sandbox.canary), "portrait-0123456789abcdef.svg", f"../{name}")
    for number, way in enumerate(ways):
        log = [*made["log"], {**event, "portrait": way}]
        text = json.dumps({**made, "log": log})
        (sandbox.work / f"{number}.json").write_text(text, encoding="utf-8")
    ran = sandbox.run(*(["sheet", f"{number}.json", "-o", "b.pdf"] for number in range(len(ways))))
    assert [one.code for one in ran] == [2] * len(ways)
    assert [one.err for one in ran if "portrait" not in one.err] == []
    made["log"].append({**event, "portrait": name})
    makers: tuple[Callable[[Path], object], ...] = (
        lambda beside: beside.symlink_to(sandbox.canary.with_name("other.txt")),
        os.mkfifo,
        lambda beside: beside.symlink_to("/dev/zero"),
        lambda beside: beside.write_bytes(drawing(sandbox)),
    )
    folders = [sandbox.work / str(number) for number in range(len(makers))]
    for folder, make in zip(folders, makers, strict=True):
        folder.mkdir()
        (folder / "a.json").write_text(json.dumps(made), encoding="utf-8")
        make(folder / name)
    # One is a PDF, too: a portrait reaches it as part of the same HTML.
    results = [*(folder / "a.html" for folder in folders), folders[-1] / "a.pdf"]
    ran = sandbox.run(*(["sheet", result.with_suffix(".json"), "-o", result] for result in results))
    assert [one.words for one in ran if one.code not in (0, 1)] == []
    assert [one.words for one in ran if name not in one.err] == []
    for result in results:
        look(result)
        assert b"data:image/jpeg" not in result.read_bytes()
    (sandbox.work / "there").mkdir()
    ran = sandbox.run(
        *(["import", folder / "a.json", "-o", "there/c.json", "--force"] for folder in folders)
    )
    assert [one.words for one in ran if one.code not in (0, 1)] == []


# ------------------------------------------------------------------ PDFs, archives, YAML


def test_what_a_pdf_carries_goes_nowhere_by_its_own_name(sandbox: Sandbox) -> None:
    sandbox.run([*NEW, "--name", "Nix", "-o", "a.json"], ["sheet", "a.json", "-o", "a.pdf"])
    writer = PdfWriter(clone_from=PdfReader(sandbox.work / "a.pdf"))
    for name in ("../../evil.json", "/etc/evil", "portrait-0123456789abcdef.png", "con", "x" * 300):
        writer.add_attachment(name, b"evil")
    writer.write(sandbox.work / "evil.pdf")
    inside = sandbox.work / "inside"
    inside.mkdir()
    (ran,) = sandbox.run(["import", "evil.pdf", "-o", "inside/b.json"])
    assert ran.code == 0, ran.err
    assert [path.name for path in inside.iterdir()] == ["b.json"]
    assert (inside / "b.json").read_bytes() == (sandbox.work / "a.json").read_bytes()


HEAD = "id: {id}\nname: Trap\nversion: 1\nruleset: shields-biotics\n"
ENTRIES = ("../evil.yaml", "../../home/.bashrc", "/etc/evil.yaml", "tests/../../evil.yaml")
IDS = ("..", "../x", "a/b", "/tmp/x", ".", "con", "-x", "~", "x\\\\y", "capital", "a..b")


def test_no_pack_is_written_elsewhere(sandbox: Sandbox) -> None:
    commands = []
    for number, entry in enumerate(ENTRIES):
        with zipfile.ZipFile(sandbox.work / f"entry-{number}.zip", "w") as archive:
            archive.writestr("pack.yaml", HEAD.format(id="trap"))
            archive.writestr(entry, "entities: []")
        commands.append(["catalog", "add", f"entry-{number}.zip"])
    for number, name in enumerate(IDS):
        folder = sandbox.work / f"id-{number}"
        folder.mkdir()
        (folder / "pack.yaml").write_text(HEAD.format(id=json.dumps(name)), encoding="utf-8")
        commands += [["catalog", way, folder.name] for way in ("check", "test", "add")]
        commands.append(["catalog", "remove", name])
    linked = sandbox.work / "linked"
    linked.mkdir()
    (linked / "pack.yaml").write_text(HEAD.format(id="linked"), encoding="utf-8")
    (linked / "page.yaml").symlink_to(sandbox.canary)
    piped = sandbox.work / "piped"
    piped.mkdir()
    (piped / "pack.yaml").write_text(HEAD.format(id="piped"), encoding="utf-8")
    os.mkfifo(piped / "page.yaml")
    endless = sandbox.work / "endless"
    endless.mkdir()
    (endless / "pack.yaml").symlink_to("/dev/zero")
    for folder in (linked, piped, endless):
        commands += [["catalog", way, folder.name] for way in ("check", "test", "add")]
        commands.append(["catalog", "diff", folder.name, folder.name])
    ran = sandbox.run(*commands)
    well = [one.words for one in ran if one.code == 0]
    assert [words for words in well if words[1] != "check"] == []
    assert not (sandbox.home / ".local/share/charforge/packs").is_dir() or not [
        *(sandbox.home / ".local/share/charforge/packs").iterdir()
    ]


TAGS = (
    "!!python/object/apply:os.system ['touch evil']",
    "!!python/object/new:subprocess.Popen [[touch, evil]]",
    "!!python/name:os.system",
    "!!python/module:antigravity",
    "!!binary aGk=",
    "!!bool x",
    "!!timestamp x",
    "!!int ''",
    "!!float _",
    "!!map [x]",
    "!!set [x]",
    "!!omap [1]",
    "!!seq x",
    "!include ../private/canary.txt",
    "&a [*a]",
    "{<<: [{a: &b [x]}, {c: *b}]}",
)


def test_a_tag_of_yaml_makes_nothing(sandbox: Sandbox) -> None:
    commands = []
    for number, tag in enumerate(TAGS):
        for key in ("name", "answers", "seed"):
            path = sandbox.work / f"{key}-{number}.yaml"
            path.write_text(f"ruleset: shields-biotics\n{key}: {tag}\n", encoding="utf-8")
            commands += [[*NEW, "--answers", path.name], ["import", path.name]]
        folder = sandbox.work / f"pack-{number}"
        folder.mkdir()
        (folder / "pack.yaml").write_text(f"{HEAD.format(id='trap')}text: {tag}\n", "utf-8")
        commands.append(["catalog", "check", folder.name])
    ran = sandbox.run(*commands)
    assert [one.words for one in ran if one.code not in (1, 2)] == []
    assert [*sandbox.work.glob("*.json")] == []


# ------------------------------------------------------------------ modules beside a character


def test_no_module_is_taken_from_the_folder_of_a_campaign(sandbox: Sandbox) -> None:
    """Where charforge is a program in a folder of its own, with processes at its side."""
    program = sandbox.temporary / "program.py"
    program.write_text("from charforge.cli.app import main\nmain()\n", encoding="utf-8")
    sandbox.run([*NEW, "--count", "4", "-o", "."])
    for name in ("argparse", "joblib", "pickle", "json", "typing", "yaml", "pypdf", "charforge",
                 "sitecustomize", "usercustomize", "weasyprint", "encodings"):  # fmt: skip
        text = f"open({str(sandbox.top / 'home' / 'EVIL')!r}, 'a').write({name!r})\n"
        (sandbox.work / f"{name}.py").write_text(text, encoding="utf-8")
    for words in (
        ["sheet", ".", "-o", "out", "--jobs", "2", "--format", "html"],
        ["sheet", "-o", "one.pdf", next(path.name for path in sandbox.work.glob("*.json"))],
        ["import", "one.pdf", "-o", "back.json"],
    ):
        done = subprocess.run(
            [sys.executable, str(program), *words],
            cwd=sandbox.work,
            env=sandbox.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        assert SECRET not in done.stdout + done.stderr
    assert len([*sandbox.work.glob("out/*.html")]) == 4
    assert not (sandbox.home / "EVIL").exists()
    program.unlink()
