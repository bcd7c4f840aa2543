"""From folders of YAML to a Ruleset, or to every fault in them at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from charforge.errors import Fault, PackError, UnknownId, UsageError, nearest
from charforge.rules import cache
from charforge.rules.folders import (
    HEAD,
    PACK,
    amends,
    available,
    built_in,
    catalog_folder,
    installed,
)
from charforge.rules.ruleset import Pack, Ruleset

if TYPE_CHECKING:  # what reads YAML is not needed where a compiled pack is kept
    from charforge.rules.parser import PackFiles, Reading
    from charforge.rules.symbols import Way


def default_ruleset() -> str:
    """Return the id of the ruleset that is meant when none is named."""
    from charforge.rules import yaml_source

    return str(yaml_source.read(catalog_folder() / "index.yaml")["default"])


def meant(ruleset: str | None, packs: Sequence[str] = ()) -> str:
    """Return the id of the ruleset that is meant: without a word, that of the packs, if any.

    Raises UnknownId for a pack that is not installed.
    """
    from charforge.rules import parser

    if ruleset is not None or not packs:
        return default_ruleset() if ruleset is None else ruleset
    mine = {name: folder for name, folder in installed().items() if amends(folder)}
    if packs[0] not in mine:
        raise UnknownId("installed pack", packs[0], mine)
    return parser.read_pack_head(mine[packs[0]] / PACK).ruleset


def load(
    ruleset: str, packs: Sequence[str] = (), instead: Mapping[str, Path] = MappingProxyType({})
) -> Ruleset:
    """Load a ruleset by id, amended by installed packs; UnknownId names the nearest one.

    ``instead`` are folders of packs that stand for those installed, by id.
    Raises UsageError for packs that do not go together so.
    """
    known = [*available(), *instead]
    if ruleset not in known:
        raise UnknownId("ruleset", ruleset, known)
    mine = {**installed(), **instead}
    for name in packs:
        if name not in mine or not amends(mine[name]):
            raise UnknownId("installed pack", name, [n for n in mine if amends(mine[n])])
    folder = {**mine, **built_in(), **instead}[ruleset]
    folders = [mine[name] for name in packs]
    _refuse_unfit(ruleset, packs, folders)
    return load_folder(folder, folders)


def _refuse_unfit(ruleset: str, packs: Sequence[str], folders: Sequence[Path]) -> None:
    """Refuse packs that amend another ruleset, lack what they require, or are named twice."""
    if not packs:
        return
    from charforge.rules import parser

    for number, (name, folder) in enumerate(zip(packs, folders, strict=True)):
        head = parser.read_pack_head(folder / PACK)
        if name in packs[:number]:
            raise UsageError(f"the pack {name} is named twice", "Name it once.")
        if head.ruleset != ruleset:
            raise UsageError(f"the pack {name} is for {head.ruleset}, not for {ruleset}")
        lacking = [other for other in head.requires if other not in packs[:number]]
        if lacking:
            before = " ".join(f"--pack {other}" for other in (*packs[:number], *lacking, name))
            raise UsageError(f"the pack {name} needs {' and '.join(lacking)} before it", before)


def needs(folder: Path, by: tuple[Path, ...] = ()) -> tuple[Path, list[Path]]:
    """Return the folders that a pack in a folder builds on: its ruleset's, and required packs'.

    Those that required packs require come before them; ``by`` are the
    packs that asked for this one. Raises PackError for what is not here.
    """
    from charforge.rules import parser, yaml_source

    path = folder / PACK
    head = parser.read_pack_head(path)
    known = {**installed(), **built_in()}
    mine = {name: found for name, found in installed().items() if amends(found)}
    faults: list[tuple[Way, str, str, list[str]]] = []
    if head.ruleset not in available():
        faults.append((("ruleset",), "no ruleset", head.ruleset, available()))
    needed: dict[str, Path] = {}
    for number, name in enumerate(head.requires):
        if name in mine and mine[name] in by:
            told = f"{name!r} requires this pack in its turn"
            raise PackError(
                [Fault(path, *yaml_source.locate(path, ("requires", number)), "", told)]
            )
        if name in mine:
            _, before = needs(mine[name], (*by, folder))
            needed |= {one.name: one for one in (*before, mine[name])}
        else:
            faults.append((("requires", number), "no installed pack", name, [*mine]))
    if faults:
        raise PackError(
            Fault(path, *yaml_source.locate(path, where), str(where[0]),
                  f"{what} is named {name!r}", nearest(name, names))
            for where, what, name, names in faults
        )  # fmt: skip
    return known[head.ruleset], list(needed.values())


def load_folder(folder: Path, packs: Sequence[Path] = ()) -> Ruleset:
    """Load the ruleset in ``folder``, amended by the packs in others.

    Raises PackError with every fault.
    """
    files = _files(folder, HEAD)
    digest = _hash(files)
    amending = tuple(map(_amending, packs))
    loaded = cache.fetch(" ".join([digest, *(one.pack.hash for one in amending)]))
    if loaded is None:
        from charforge.rules.parser import Reading

        loaded = Reading(amending).read(files[0], files[1:], digest)
        cache.keep(loaded)
    return loaded


def read_folder(folder: Path, packs: Sequence[Path] = ()) -> tuple[Reading, Ruleset]:
    """Read as ``load_folder`` does, always anew, and return where everything stands as well."""
    from charforge.rules.parser import Reading

    files = _files(folder, HEAD)
    read = Reading(tuple(map(_amending, packs)))
    return read, read.read(files[0], files[1:], _hash(files))


def _amending(folder: Path) -> PackFiles:
    """Return a pack that amends a ruleset, with its pages. Raises PackError."""
    from charforge.rules import parser

    files = _files(folder, PACK)
    head = parser.read_pack_head(files[0])
    return parser.PackFiles(Pack(head.id, head.name, head.version, _hash(files)), tuple(files[1:]))


def _files(folder: Path, first: str) -> list[Path]:
    """Return the files of a pack, the one that says what it is first. Raises PackError."""
    if not (folder / first).is_file():
        raise PackError([Fault(folder, 1, 1, "", f"no {first} in this folder")])
    return [folder / first, *(p for p in sorted(folder.glob("*.yaml")) if p.name != first)]


def _hash(files: Iterable[Path]) -> str:
    """Return the SHA-256 of a pack's files, names included."""
    digest = hashlib.sha256()
    for path in sorted(files):
        try:
            data = path.read_bytes()
        except OSError as error:
            raise PackError([Fault(path, 1, 1, "", error.strerror or str(error))]) from error
        digest.update(f"{path.name}\x1f{len(data)}\x1f".encode() + data)
    return digest.hexdigest()
