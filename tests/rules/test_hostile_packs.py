"""Hostile packs are refused with a message in bounded time and memory."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from charforge.errors import PackError, ProcedureError
from charforge.packs.check import check_pack
from charforge.packs.install import MAX_FILES, MAX_PACK_BYTES, install, pack_files
from charforge.rules.loading.loader import load
from charforge.verbs.resolve import resolve_procedure
from charforge.verbs.typed_inputs import TypedInputs
from tests.samples import few
from tests.source import ROOT

RULESET = "capital"
HEAD = f'id: trap\nname: Trap\nversion: "1"\nruleset: {RULESET}\n'
MEMORY = 300_000_000  # bytes
SECONDS = 60  # of processor time

Zipped = Callable[..., Path]
Adder = Callable[[Path, Path], tuple[int, str]]


@pytest.fixture
def zipped(tmp_path: Path) -> Zipped:
    """Write a zip of names and texts; an entry may be a ZipInfo with a text."""

    def write(*entries: tuple[str | zipfile.ZipInfo, str], pack: str = HEAD) -> Path:
        path = tmp_path / "pack.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("pack.yaml", pack)
            for name, text in entries:
                archive.writestr(name, text)
        return path

    return write


def refused(origin: Path) -> str:
    """State that a pack is refused before anything is written, and return why."""
    with pytest.raises(PackError) as error:
        pack_files(origin)
    (fault,) = error.value.problems
    assert fault.file == origin
    return fault.message


# ------------------------------------------------------------------ names, links, sizes

NAMES = {
    "up": "../evil.yaml",
    "up from inside": "tests/../../evil.yaml",
    "absolute": "/etc/cron.d/evil.yaml",
    "a drive": "C:/evil.yaml",
    "backslashes": "..\\evil.yaml",
    "a stream": "pack.yaml:evil",
    "an empty part": "tests//evil.yaml",
    "a point": "./evil.yaml",
    "control characters are not allowed": "ev\x1b[2Jil.yaml",
    "text that runs backwards": "\u202elmay.live.yaml",
    "a point at its end": "evil.yaml.",
    "a space at its end": "evil /page.yaml",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_that_leads_elsewhere_is_refused(zipped: Zipped, name: str) -> None:
    assert "cannot be the name of a file in a pack" in refused(zipped((name, "entities: []")))


@pytest.mark.parametrize("name", ["con.yaml", "tests/NUL.yaml", "aux", "lpt1.md", "com0.txt"])
def test_the_name_of_a_device_is_refused(zipped: Zipped, name: str) -> None:
    assert "is reserved for a device on some systems" in refused(zipped((name, "")))


def test_a_name_that_no_file_can_have_is_refused(zipped: Zipped) -> None:
    assert "too long" in refused(zipped(("a" * 300 + ".yaml", "")))


@pytest.mark.parametrize(
    "pair", [("Page.yaml", "page.yaml"), ("é.yaml", "e\u0301.yaml"), ("STRASSE.md", "straße.md")]
)
def test_names_that_some_systems_read_alike_are_refused(
    zipped: Zipped, pair: tuple[str, str]
) -> None:
    assert "is in it twice" in refused(zipped((pair[0], ""), (pair[1], "")))


def test_a_file_that_is_a_folder_too_is_refused(zipped: Zipped) -> None:
    assert '"tests" is both a file and a folder' in refused(
        zipped(("tests", ""), ("tests/a.yaml", ""))
    )
    assert '"tests" is both a file and a folder' in refused(
        zipped(("Tests", ""), ("tests/more/a.txt", ""))
    )


@pytest.mark.parametrize("name", ["run.py", "page.yml", "lib.so", "page.yaml.exe", "x.html"])
def test_only_texts_are_taken(zipped: Zipped, name: str) -> None:
    assert "a pack can only contain text files" in refused(zipped((name, "")))


def test_a_page_that_would_never_be_read_is_refused(zipped: Zipped) -> None:
    assert '"more/a.yaml" would never be read:' in refused(zipped(("more/a.yaml", "entities: []")))


@pytest.mark.parametrize("mode", [stat.S_IFLNK | 0o777, stat.S_IFIFO, stat.S_IFCHR])
def test_a_link_or_a_device_in_a_zip_is_refused(zipped: Zipped, mode: int) -> None:
    entry = zipfile.ZipInfo("page.yaml")
    entry.external_attr = mode << 16
    told = refused(zipped((entry, "/etc/passwd")))
    assert "is a link" in told or "is not a normal file" in told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "pack"
    made.mkdir()
    (made / "pack.yaml").write_text(HEAD, encoding="utf-8")
    return made


def test_a_link_in_a_folder_is_refused(folder: Path) -> None:
    (folder / "page.yaml").symlink_to("/etc/passwd")
    assert '"page.yaml" is a link' in refused(folder)


def test_a_link_to_a_folder_is_refused(folder: Path) -> None:
    (folder / "tests").symlink_to("/")
    assert '"tests" is a link' in refused(folder)


def test_a_pipe_in_a_folder_is_refused_and_never_read(folder: Path) -> None:
    os.mkfifo(folder / "page.yaml")
    assert '"page.yaml" is not a normal file' in refused(folder)


def test_what_is_kept_beside_a_pack_is_no_part_of_it(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "config").symlink_to("/etc/passwd")
    assert list(pack_files(folder)) == ["pack.yaml"]


def test_a_folder_that_is_no_pack_is_never_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "scandir", None)
    assert refused(tmp_path) == "this folder contains no pack.yaml and no ruleset.yaml"


def test_too_many_files_are_refused(zipped: Zipped) -> None:
    many = [(f"page-{number}.yaml", "") for number in range(MAX_FILES)]
    assert refused(zipped(*many)) == f"it has more than {MAX_FILES} files"


def test_a_bomb_is_refused_by_the_size_that_it_declares(zipped: Zipped) -> None:
    path = zipped(("README.md", "0" * MAX_PACK_BYTES))
    assert path.stat().st_size < 10_000  # bytes, for 4 MB inside
    assert refused(path) == "it is larger than 4 MB"


def test_a_bomb_that_lies_about_its_size_is_refused(zipped: Zipped) -> None:
    path = zipped(("README.md", "0" * 3_000_000))
    data = path.read_bytes()
    real, told = (3_000_000).to_bytes(4, "little"), (9).to_bytes(4, "little")
    assert data.count(real) == 2  # before the file, and in the zip's own list
    path.write_bytes(data.replace(real, told))
    assert "this zip file cannot be read" in refused(path)


def test_a_bomb_that_lies_is_not_unpacked(zipped: Zipped) -> None:
    """100 MB that claim to be 9 bytes: the library would unpack them before it counts."""
    size = 100_000_000
    path = zipped(("README.md", "0" * size))
    data = path.read_bytes()
    path.write_bytes(data.replace(size.to_bytes(4, "little"), (9).to_bytes(4, "little")))
    tracemalloc.start()
    try:
        assert "this zip file cannot be read" in refused(path)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_without_a_bound_is_refused(tmp_path: Path, way: int) -> None:
    path = tmp_path / "pack.zip"
    with zipfile.ZipFile(path, "w", way) as archive:
        archive.writestr("pack.yaml", HEAD)
    assert "uses an unsupported compression" in refused(path)


def test_a_zip_in_a_zip_is_no_text(zipped: Zipped, tmp_path: Path) -> None:
    inner = zipped().read_bytes()
    (tmp_path / "pack.zip").unlink()
    path = tmp_path / "pack.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pack.yaml", HEAD)
        archive.writestr("inner.zip", inner)
    assert "a pack can only contain text files" in refused(path)


def test_a_zip_with_a_password_is_refused(zipped: Zipped) -> None:
    path = zipped(("page.yaml", "entities: []"))
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1  # the flag of encryption of the last entry in the zip's list
    path.write_bytes(bytes(data))
    assert "is encrypted" in refused(path)


@pytest.mark.parametrize("cut", [10, 60, 150])
def test_a_damaged_zip_is_refused(zipped: Zipped, cut: int) -> None:
    path = zipped(("page.yaml", "entities: []"))
    path.write_bytes(path.read_bytes()[:-cut])
    told = "this zip file cannot be read: it is damaged or incomplete; get it again"
    assert refused(path) == told


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "this file is empty; get it again"),
        (b"PK\x03\x04cut", "this zip file cannot be read: it is damaged or incomplete"),
        (b"\n<!DOCTYPE html><html>", "this is a web page, not a zip file; open its address"),
        (b"\x1f\x8b\x08", "this is not a zip file but another archive; unpack it"),
        (b"Rar!\x1a", "this is not a zip file but another archive; unpack it"),
        (b'{"charforge": 1}', "characters are imported: charforge import FILE"),
        (b"Hello", "this is not a folder or a zip file"),
    ],
)
def test_what_is_no_zip_is_named(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "pack.zip"
    path.write_bytes(data)
    assert told in refused(path)


def test_a_file_that_cannot_be_read_is_named(
    zipped: Zipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped(("page.yaml", "entities: []"))

    def unreadable(_path: Path, _most: int) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("charforge.packs.install.read_plain_file", unreadable)
    with pytest.raises(PackError) as error:
        pack_files(path)
    assert [(one.file, one.message) for one in error.value.problems] == [
        (path, "Permission denied")
    ]


def test_a_pack_in_an_inner_folder_is_found(tmp_path: Path) -> None:
    path = tmp_path / "pack.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mine/salt/pack.yaml", HEAD)
    assert 'the pack is in its folder "salt"; unpack the file' in refused(path)


def test_a_bundle_is_imported(tmp_path: Path) -> None:
    path = tmp_path / "nix.charforge"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("character.json", "{}")
    assert refused(path).endswith("charforge import nix.charforge")


# ------------------------------------------------------------------ contents


def entity(text: str) -> str:
    return f"entities:\n  - id: flaw/trap\n    name: Trap\n    source: Trap\n    {text}\n"


def calls(rows: int, each: int) -> str:
    """Return procedures of which each calls the next several times."""
    procedures = "".join(
        f"  - {{id: p{n}, label: P, source: rule/rounding,"
        f" steps: [{', '.join([f'{{do: call, procedure: p{n + 1}}}'] * each)}]}}\n"
        for n in range(rows)
    )
    step = "{do: roll, id: x, dice: 1d6}"
    last = f"  - {{id: p{rows}, label: P, source: rule/rounding, steps: [{step}]}}"
    return f"procedures:\n{procedures}{last}\n"


BILLION = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
CONTENTS = {
    "a scalar of 10 MB": (f"text: {'x' * 3_900_000}", "more than 2 MB"),
    "a long text": (entity(f"text: {'x' * 60_000}"), "text of more than 50,000 signs"),
    "aliases a billion deep": (BILLION, "more than 100,000 parts"),
    "an alias of itself": ("a: &a [*a]\n", "an alias inside its own anchor"),
    "merges a billion deep": (
        "a0: &a0 {k: v}\n"
        + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 12)),
        "more than 100,000 parts",
    ),
    "nested a hundred deep": ("a: " + "[" * 100 + "]" * 100, "more than 50 levels of nesting"),
    "nested a thousand deep": (
        "a: " + "[" * 1000 + "]" * 1000,
        "levels of",
    ),  # libyaml has its own bound
    "a hundred thousand entities": (
        "entities:\n" + "- {id: flaw/a}\n" * 100_000,
        "more than 100,000 parts",
    ),
    "a number of 40,000 digits": (
        entity(f"price: {'9' * 40_000}"),
        "looks like a number or a date",
    ),
    "a tag that makes objects": (
        "entities: !!python/object/apply:os.system ['touch /tmp/evil']\n",
        "is not allowed; if it is text",
    ),
    "another tag of Python": (
        "entities: !!python/name:os.system\n",
        "is not allowed; if it is text",
    ),
    "a script": (entity("text: Hello <script>alert(1)</script>"), 'not "<script>"'),
    "a style": (entity("text: Hello <style>*{display:none}</style>"), 'not "<style>"'),
    "an image": (entity("text: '<img src=x onerror=alert(1)>'"), 'not "<img"'),
    "a sequence for terminals": (entity('text: "\\e[2J"'), "control characters are not allowed"),
    "the same in a name": (
        entity('aliases: ["\\e]0;pwned\\a"]'),
        "control characters are not allowed",
    ),
    "a formula that calls": (
        entity("modifies: [{value: str, amount: \"__import__('os').getpid()\"}]"),
        "the only functions are min",
    ),
    "a formula with powers": (
        entity("modifies: [{value: str, amount: 9**9**9**9}]"),
        "formulas cannot use **; multiply instead",
    ),
    "an endless formula": (
        entity(f"modifies: [{{value: str, amount: {'1 + ' * 400}1}}]"),
        "longer than 200 characters",
    ),
    "brackets without end": (
        entity(f'modifies: [{{value: str, amount: "{"(" * 99}1{")" * 99}"}}]'),
        "",
    ),
    "something that grants itself": (entity("grants: [flaw/trap]"), "flaw/trap grants itself"),
    "something that offers itself": (
        entity("choices: [{id: more, do: choose, label: More?, among: {kind: flaw}}]"),
        "flaw/trap grants itself",
    ),
    "two that grant each other": (
        "entities:\n  - {id: flaw/a, name: A, source: S, grants: [flaw/b]}\n"
        "  - {id: flaw/b, name: B, source: S, grants: [flaw/a]}\n",
        "grants itself",
    ),
    "gifts that double": (
        "entities:\n"
        + "".join(
            f"  - {{id: equipment/g{n}, name: G, source: S,"
            f" grants: [equipment/g{n + 1}, equipment/g{n + 1}]}}\n"
            for n in range(25)
        )
        + "  - {id: equipment/g25, name: G, source: S}\n",
        "more than 1,000 things",
    ),
    "gifts in a row without end": (
        "entities:\n"
        + "".join(
            f"  - {{id: equipment/g{n}, name: G, source: S, grants: [equipment/g{n + 1}]}}\n"
            for n in range(3000)
        )
        + "  - {id: equipment/g3000, name: G, source: S}\n",
        "things grant one another in a row",
    ),
    "questions that multiply": (
        "entities:\n"
        + "".join(
            f"  - {{id: flaw/q{n}-{k}, name: Q, source: S, tags: [t{n}],"
            " choices: [{id: c, do: choose, label: L, among:"
            f" {{kind: flaw, tags: {{all: [t{n + 1}]}}}}}}]}}\n"
            for n in range(12)
            for k in range(5)
        )
        + "  - {id: flaw/end, name: E, source: S, tags: [t12]}\n",
        "more than 20,000 questions",
    ),
    "a figure that grows": (
        entity(
            "modifies: [{value: max_hp, op: multiply, amount: 1000000},"
            " {value: max_hp, op: multiply, amount: 1000001}]"
        ),
        "larger than 1,000,000,000,000",
    ),
    "a figure without end": (
        entity('modifies: [{value: max_hp, op: multiply, amount: "1e308 * 10"}]'),
        "gives more than 1,000,000,000,000",
    ),
    "dice that fall for ever": (
        "patches:\n  - at: [ruleset, creation, attributes.roll]\n"
        '    set: {reroll_all_while: "count(roll, 7) == 0"}\n',
        "would be rerolled forever",
    ),
    "a procedure that runs itself": (
        "procedures:\n  - {id: loop, label: L, source: rule/rounding,"
        " steps: [{do: call, procedure: loop}]}\n",
        "runs itself",
    ),
    "calls that fan out": (calls(rows=30, each=2), "more than 5,000 steps"),
    "calls that fan out at once": (calls(rows=6, each=100), "more than 5,000 steps"),
    "calls in a row without end": (calls(rows=2500, each=1), "more than 20 procedures run one"),
    "names without end that nothing has": (
        entity(f"grants: [{', '.join(f'flaw/f{n}x' for n in range(40_000))}]"),
        "The pack has 200 errors",
    ),
    "options without end": (
        "entities:\n"
        + "".join(f"  - {{id: flaw/f{n}, name: F, source: S}}\n" for n in range(1500))
        + "".join(
            f"  - {{id: system/s{n}, name: S, source: S, choices: [{{id: c, do: choose, label: L,"
            " among: {kind: flaw}}]}\n"
            for n in range(1500)
        ),
        "the questions of all entities together have too many options",
    ),
    "faults without end": (
        "entities:\n"
        + "".join(f"  - {{id: flaw/f{n}, nmae: F, source: S}}\n" for n in range(5000)),
        "The pack has 200 errors",
    ),
    "a patch that grows": (
        "patches:\n" + "  - {at: ruleset, add: {names: [x]}}\n" * 9000,
        "more than 1,000 patches",
    ),
}


@pytest.fixture(scope="module")
def adder() -> Iterator[Adder]:
    """Add a zip to a new home, with little memory and processor time; return code and stderr."""
    command = [sys.executable, "-m", "tests.rules.pack_adder", str(MEMORY), str(SECONDS), RULESET]
    kept = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=ROOT, env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        asked, answered = process.stdin, process.stdout
        assert asked is not None and answered is not None

        def add(path: Path, home: Path) -> tuple[int, str]:
            print(json.dumps([str(path), str(home)]), file=asked, flush=True)
            code, told = json.loads(answered.readline())
            return code, told

        yield add


@pytest.mark.slow
@pytest.mark.parametrize(("page", "said"), CONTENTS.values(), ids=CONTENTS)
def test_a_hostile_page_is_refused_in_bounded_time_and_memory(
    zipped: Zipped, tmp_path: Path, adder: Adder, page: str, said: str
) -> None:
    home = tmp_path / "home"
    code, told = adder(zipped(("page.yaml", page)), home)
    assert "Traceback" not in told
    assert code == (1 if said else 0), told[-2000:]
    assert said in told
    assert len(told) < 100_000
    installed = (home / "data" / "charforge" / "packs").glob("*")
    assert [one.name for one in installed] == ([] if said else ["trap"])


LOOPING = """\
procedures:
  - id: spin
    label: Spin
    source: rule/rounding
    steps:
      - {do: let, id: n, to: "1", repeat: {while: "1 == 1", at_most: 1000}, quiet: true}
  - id: whirl
    label: Whirl
    source: rule/rounding
    steps:
      - {do: call, procedure: spin, repeat: {while: "1 == 1", at_most: 1000}}
"""


@pytest.mark.slow
def test_steps_that_never_end_are_stopped(zipped: Zipped, tmp_path: Path, packs_home: Path) -> None:
    """A thousand times a thousand steps, of which 20,000 are taken."""
    install(zipped(("page.yaml", LOOPING)))
    rules = load("capital", ["trap"])
    with pytest.raises(ProcedureError, match="needs more than 20,000 steps"):
        resolve_procedure(rules, "whirl", TypedInputs(), "7")


@pytest.mark.parametrize(
    ("page", "sample", "most"),
    few(
        [
            pytest.param(
                [f'text: "{{1 / (str - str)}} {n}"' for n in range(300)], "", (200, 200), id="texts"
            ),
            pytest.param(["text: Nothing grants this."] * 300, "", (0, 200), id="gifts"),
            pytest.param(
                ["text: x"], "".join(f"x{n}: 1\n" for n in range(300)), (200, 1),
                id="keys of a sample",
            ),
            pytest.param(
                ["text: x"],
                "answers: {" + ", ".join(f"x{n}: 1" for n in range(300)) + "}\n", (200, 1),
                id="answers of a sample",
            ),
        ],
        2,
    ),
)  # fmt: skip
def test_no_more_faults_are_searched_than_anybody_reads(
    folder: Path, page: list[str], sample: str, most: tuple[int, int]
) -> None:
    entries = [
        f"  - {{id: system/trap-{n}, name: T, source: S, slots: 0, {text}}}"
        for n, text in enumerate(page)
    ]
    (folder / "page.yaml").write_text("\n".join(["entities:", *entries]), encoding="utf-8")
    (folder / "tests").mkdir()
    text = f"name: Nix\n{sample}expect: {{legal: false}}\n"
    (folder / "tests" / "first.yaml").write_text(text, encoding="utf-8")
    checked = check_pack(folder)
    assert (len(checked.errors), len(checked.warnings)) == most


def test_nothing_of_a_refused_pack_is_left(
    zipped: Zipped, tmp_path: Path, packs_home: Path
) -> None:
    path = zipped(("../../evil.yaml", "entities: []"))
    with pytest.raises(PackError):
        install(path)
    assert list(tmp_path.rglob("*")) == [path]
    path = zipped(("page.yaml", "entities: [{id: flaw/a}]"))
    with pytest.raises(PackError):
        install(path)
    assert list(packs_home.iterdir()) == []
