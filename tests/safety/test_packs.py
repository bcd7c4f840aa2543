"""Hostile packs: each of their texts in every result.

Nobody lists the texts: all places of a pack where plain words may stand
are found by trying, each is given every payload that it takes, and what is
made of the pack is made in every format and layout.
"""

from __future__ import annotations

import json
import stat
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from charforge.errors import PackError
from charforge.rules.loading import yaml_reader
from charforge.rules.loading.loader import read_folder
from charforge.sheet.print_options import Layout
from tests.conftest import HARBOUR, REEF, SMITHY, TOY
from tests.rules.pack_files import write_pack
from tests.safety.conftest import Sandbox
from tests.safety.hostile import Shape, Tried, Way, replaced, shapes
from tests.safety.inspection import look

pytestmark = pytest.mark.slow
TIDE = TOY.with_name("tide")
RULESETS = [HARBOUR, TOY, REEF, SMITHY]
PACK = "pack.yaml"
NAMING = "choice"  # a clause that names a decision: checked last, and told as never met
MATCHED = ("cooldown", "of")  # a cooldown in words, and the step that ends it
LAYOUTS = [layout for layout in get_args(Layout) if layout != "party"]
PDF = ["sheet", "a.json", "--fillable", "--audit", "--odds", "-o", "a-full.pdf"]
FORMATS = ("answers", "markdown", "text", "json", "statblock")


def pack_data(pack: Path) -> dict[str, Any]:
    """Return the data of a pack by file."""
    return {path.name: yaml_reader.read_yaml(path) for path in sorted(pack.glob("*.yaml"))}


def shapes_before(pack: Path) -> set[Shape]:
    """Return the places of texts in the rulesets before this one, whatever their files."""
    earlier = RULESETS[: RULESETS.index(pack)]
    return {shape[1:] for one in earlier for shape in shapes(pack_data(one))}


class TriedPack(Tried):
    """A pack in a folder."""

    def __init__(self, pack: Path, folder: Path) -> None:
        super().__init__(pack_data(pack))
        self.base = TOY if (pack / PACK).is_file() else None
        self.folder = folder
        self.written: dict[str, object] = {}
        folder.mkdir()
        self.shapes = {
            shape: w
            for shape, w in self.shapes.items()
            if NAMING not in shape and shape[-1] not in MATCHED
        }

    def takes(self, texts: Mapping[Way, str]) -> bool:
        """Write the pack with these texts, and say whether it is without a fault."""
        for name, page in replaced(self.data, texts).items():
            if self.written.get(name) != page:
                (self.folder / name).write_text(json.dumps(page), encoding="utf-8")
                self.written[name] = page
        try:
            if self.base is None:
                read_folder(self.folder)
            else:
                read_folder(self.base, [self.folder])
        except PackError:
            return False
        return True


def short(found: Mapping[Shape, list[str]]) -> dict[Shape, list[str]]:
    """Return what players might write, which may not be long; of an entity it is a few letters."""
    return {shape: t for shape, t in found.items() if shape[-2] == "examples"}


def write(tried: Tried, found: Mapping[Shape, list[str]], whole: bool) -> None:
    """Write the pack with all the payloads at every place, or with one, each in its turn."""
    written = short(found)
    others = {shape: taken for shape, taken in found.items() if shape not in written}
    answers = {shape: taken for shape, taken in written.items() if "entities" not in shape}
    texts = tried.whole(others) if whole else tried.one_each(others)
    assert tried.takes(texts | tried.one_each(answers))


def told(ruleset: str, entities: list[str], procedures: list[str]) -> Iterator[list[str]]:
    """Yield every way to read a character of a ruleset, and the ruleset itself."""
    yield ["new", "--ruleset", ruleset, "--questions"]
    yield ["note", "a.json", "seen"]
    yield ["check", "a.json"]
    yield ["show", "a.json"]
    yield ["show", "a.json", "--json"]
    yield ["explain", "a.json"]
    yield ["history", "a.json"]
    yield ["initiative", "a.json"]
    yield ["diff", "a.json", "a.json"]
    for format in FORMATS:
        yield ["export", "a.json", "--format", format, "-o", f"a-{format}"]
    yield ["catalog", "list", ruleset]
    yield ["catalog", "list", ruleset, "--json"]
    yield ["catalog", "search", "x", "--ruleset", ruleset]
    yield ["catalog", "rulings", "--ruleset", ruleset]
    yield ["catalog", "diff", ruleset, "pack", "a.json"]
    for entity in entities:
        yield ["catalog", "show", entity, "--ruleset", ruleset]
        yield ["explain", "a.json", entity]
    for procedure in procedures:
        yield ["resolve", ruleset, procedure]
        yield ["resolve", ruleset, procedure, "a.json"]


def html_pages(ruleset: str) -> Iterator[list[str]]:
    """Yield every way to a page: each layout, with all that can be on it.

    Odds are the same part of a page in each layout: the full one has them.
    """
    for layout in LAYOUTS:
        more = [] if layout == "cards" else ["--audit"]
        more += ["--odds"] if layout == "full" else []
        yield ["sheet", "a.json", "--layout", layout, *more, "-o", f"a-{layout}.html"]
    yield ["sheet", "--blank", "--ruleset", ruleset, "-o", "blank.html"]
    yield ["party", "a.json", "-o", "party.html"]


@pytest.mark.parametrize("pack", RULESETS, ids=lambda pack: pack.name)
def test_every_text_of_a_ruleset_is_only_a_text(pack: Path, sandbox: Sandbox) -> None:
    """Places that an earlier ruleset has too are tried there alone."""
    tried, ruleset = TriedPack(pack, sandbox.work / "pack"), pack.name
    earlier = shapes_before(pack)
    tried.shapes = {s: ways for s, ways in tried.shapes.items() if s[1:] not in earlier}
    found = tried.hostile(sandbox.payloads)
    assert found
    new = ["new", "--ruleset", ruleset, "--random", "--seed", "4", "--name", "Nix"]
    new += ["-o", "a.json", "--force"]
    add = ["catalog", "add", "pack", "--replace"]
    write(tried, found, whole=True)
    _read, rules = read_folder(tried.folder)
    reading = told(ruleset, list(rules.entities), list(rules.procedures))
    heads = [["catalog", "installed"], ["catalog", "schema", "pack"]] if pack == RULESETS[0] else []
    made = sandbox.run(add, new, *reading, *heads, *html_pages(ruleset))
    assert [one.err[-500:] for one in made[:2] if one.code] == []
    write(tried, found, whole=False)
    again = ["export", "a.json", "-o", "a.yaml"], ["import", "a.yaml", "-o", "b.json"]
    # Every PDF is made of such HTML by the same code: one is enough, with all that it can hold.
    pdf = [PDF, ["import", "a-full.pdf", "-o", "c.json"]] if pack == TOY else []
    made += sandbox.run(add, new, *pdf, *again)
    failed = [(one.words, one.err[-300:]) for one in made if one.code == 2]
    assert [one for one in failed if one[0][0] not in ("resolve", "initiative")] == []
    results = [path for path in sandbox.work.iterdir() if path.is_file()]
    assert len(results) == 3 + len(FORMATS) + len(LAYOUTS) + 2 + len(pdf)
    for path in results:
        look(path)


def test_every_text_of_a_pack_that_amends_one_is_only_a_text(sandbox: Sandbox) -> None:
    """Its head, its patches, its entities: with the ruleset itself installed as it is."""
    tried = TriedPack(TIDE, sandbox.work / "pack")
    found = tried.hostile(sandbox.payloads)
    assert {(PACK, "name"), (PACK, "authors"), (PACK, "licence"), (PACK, "text")} <= {*found}
    assert any("patches" in shape and shape[-1] == "why" for shape in found)
    assert any("patches" in shape and "set" in shape for shape in found)
    write(tried, found, whole=True)
    _read, rules = read_folder(TOY, [tried.folder])
    new = ["new", "--ruleset", "toy", "--pack", "tide", "--random", "--seed", "4", "--name", "Nix"]
    reading = told("toy", list(rules.entities), list(rules.procedures))
    (sandbox.work / "plain").mkdir()
    made = sandbox.run(
        ["catalog", "add", TOY],
        ["catalog", "add", "pack"],
        ["catalog", "diff", TIDE, "pack"],
        [*new, "-o", "a.json"],
        *([*one, "--pack", "tide"] if one[0] == "catalog" else one
          for one in reading if one[1] != "diff"),
        ["catalog", "installed"],
        *html_pages("toy"),
    )  # fmt: skip
    failed = [(one.words, one.err[-300:]) for one in made if one.code == 2]
    assert [one for one in failed if one[0][0] not in ("resolve", "initiative")] == []
    for path in sandbox.work.glob("a-*"):
        look(path)
    assert len([*sandbox.work.glob("a-*.html")]) == len(LAYOUTS)


def test_a_bundle_is_unpacked_and_nothing_else(sandbox: Sandbox) -> None:
    """Its packs are installed only after a yes; names and links that lead out are refused."""
    write_pack(sandbox.work / "calm", "entities: []\n", "shields-biotics")
    new = ["new", "--pack", "calm", "--random", "--seed", "4", "--name", "Nix", "-o", "a.json"]
    sandbox.run(["catalog", "add", "./calm"], new, ["export", "a.json", "--bundle", "a.charforge"])
    bundle = (sandbox.work / "a.charforge").read_bytes()
    link = zipfile.ZipInfo("packs/calm/canary.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    hostile = ("../up.md", f"{sandbox.top}/up.md", "packs/calm/../../../up.md", "run.py", link)
    for number, name in enumerate(hostile):
        (sandbox.work / f"{number}.charforge").write_bytes(bundle)
        with zipfile.ZipFile(sandbox.work / f"{number}.charforge", "a") as archive:
            archive.writestr(name, str(sandbox.canary))
    ran = sandbox.run(
        ["catalog", "remove", "calm"],
        ["import", "a.charforge", "-o", "b.json"],
        *(["import", f"{n}.charforge", "--yes", "-o", "b.json"] for n in range(len(hostile))),
        ["check", "a.json"],
        ["import", "a.charforge", "--yes", "-o", "b.json"],
        ["check", "b.json"],
    )
    assert [one.code for one in ran] == [0, 2, *[2] * len(hostile), 2, 0, 0]
    assert not list(sandbox.top.rglob("up.md"))
