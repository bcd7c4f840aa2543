"""Loading: where rulesets and packs lie, and how a folder of YAML becomes a Ruleset.

A *ruleset* is a folder with a ``ruleset.yaml``. A *pack* is a folder with a
``pack.yaml``; it amends a ruleset. Both are built in or installed by the
user. Loading either succeeds or reports every error of every file at once.

Reading YAML takes most of a short command's time. A ruleset that was read and checked is therefore
pickled into the user's cache folder, under a key made of its content and of the code that reads it.
If that is missing, damaged or read-only, the YAML is read again. Only files that this user alone
can write are unpickled (``paths.read_cache_file``).
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import pydantic

from charforge.errors import (
    FormulaError,
    PackError,
    PackProblem,
    UnknownId,
    UsageError,
    nearest,
    os_reason,
    shorten,
)
from charforge.language import N_, _, page, reader_language, settle
from charforge.paths import (
    PACKAGE,
    cache_folder,
    data_folder,
    read_cache_file,
    read_plain_file,
    remove_old_cache_files,
    user_data_folder,
    write_cache_file,
)
from charforge.rules import loading
from charforge.rules.ruleset import CompiledEntities, CompiledParts, Pack, PackFiles, Ruleset

if TYPE_CHECKING:
    from charforge.rules.errors import KeyPath
    from charforge.rules.loading.parser import PackReader

MAX_HASHED = 10_000_000  # bytes of a file: far more than any page has
HEAD, PACK = "ruleset.yaml", "pack.yaml"  # the file that makes a folder a ruleset, or a pack
LANGUAGES = "lang"  # the folder of a pack's translations
TEMPLATES = "templates"  # the folder of its templates for sheets
KEPT_GAMES = 8  # loaded last: those of one table
_loaded: list[tuple[Path, ...]] = []


# ------------------------------------------------------------------ folders


def catalog_folder() -> Path:
    """Return the folder of the built-in rulesets."""
    return data_folder("catalog")


def packs_folder() -> Path:
    """Return the folder of the rulesets and packs that this user installed."""
    return user_data_folder() / "packs"


def built_in() -> dict[str, Path]:
    """Return the folders of the built-in rulesets by id."""
    return {path.parent.name: path.parent for path in sorted(catalog_folder().glob(f"*/{HEAD}"))}


def installed() -> dict[str, Path]:
    """Return the folders of the rulesets and packs that this user installed, by id."""
    heads = [path for name in (HEAD, PACK) for path in packs_folder().glob(f"*/{name}")]
    return {path.parent.name: path.parent for path in sorted(heads)}


def available() -> list[str]:
    """Return the ids of all rulesets, built in or installed."""
    rulesets = [name for name, path in installed().items() if (path / HEAD).is_file()]
    return sorted({*rulesets, *built_in()})


def amends(folder: Path) -> bool:
    """Return whether the folder holds a pack that amends a ruleset, and not a ruleset."""
    return (folder / PACK).is_file()


def installed_packs() -> dict[str, Path]:
    """Return the folders of the installed packs that amend a ruleset, by id."""
    return {name: folder for name, folder in installed().items() if amends(folder)}


def stated_version(folder: Path) -> str:
    """Return the version in the header of a ruleset or pack; empty if there is none to print.

    Only YAML is read, nothing is checked: ``catalog check`` reports errors.
    """
    try:
        data = loading.yaml_reader.read_yaml(
            folder / (PACK if amends(folder) else HEAD), plain=True
        )
    except PackError:
        return ""
    version = data.get("version") if isinstance(data, dict) else None
    text = "" if version is None or isinstance(version, dict | list) else str(version)
    return text if text.isprintable() else ""


def default_ruleset() -> str:
    """Return the id of the ruleset that is used when none is named."""
    return str(loading.yaml_reader.read_yaml(catalog_folder() / "index.yaml")["default"])


def ruleset_for(ruleset: str | None, packs: Sequence[str] = ()) -> str:
    """Return the ruleset to use: the one named, else that of the first pack, else the default.

    Raises UnknownId for a pack that is not installed.
    """
    if ruleset is not None or not packs:
        return default_ruleset() if ruleset is None else ruleset
    known = installed_packs()
    if packs[0] not in known:
        raise UnknownId(_("installed pack"), packs[0], known)
    return loading.parser.read_pack_head(known[packs[0]] / PACK).ruleset


# ------------------------------------------------------------------ loading


def load(
    ruleset: str,
    packs: Sequence[str] = (),
    instead: Mapping[str, Path] = MappingProxyType({}),
    language: str | None = None,
) -> Ruleset:
    """Load a ruleset by id, amended by packs in the order given.

    ``instead`` maps ids to folders to use in place of the installed ones.
    Texts are in ``language``, by default that of the reader, if the game has
    been translated into it, by its own file or by one of the packs.
    Raises UnknownId (with the nearest id) for what is not here, UsageError
    for packs that cannot be combined, PackError with every error in the files.
    """
    return load_folder(*_folders(ruleset, packs, instead), language)


def read_ruleset(ruleset: str, packs: Sequence[str] = ()) -> tuple[PackReader, Ruleset]:
    """Load a ruleset without the cache, and return the reader too. Raises as ``load`` does."""
    return read_folder(*_folders(ruleset, packs))


def _folders(
    ruleset: str, packs: Sequence[str], instead: Mapping[str, Path] = MappingProxyType({})
) -> tuple[Path, list[Path]]:
    """Return the folders of a ruleset and of the packs that amend it."""
    known = [*available(), *instead]
    if ruleset not in known:
        raise UnknownId(
            _("ruleset"), ruleset, known, advice=_("To list them: {command}"), command=["games"]
        )
    folders = {**installed(), **instead}
    for name in packs:
        if name not in folders or not amends(folders[name]):
            raise UnknownId(_("installed pack"), name, [n for n in folders if amends(folders[n])])
    folder = {**folders, **built_in(), **instead}[ruleset]
    pack_folders = [folders[name] for name in packs]
    _refuse_unfit(ruleset, packs, pack_folders)
    return folder, pack_folders


def _refuse_unfit(ruleset: str, packs: Sequence[str], folders: Sequence[Path]) -> None:
    """Refuse packs that amend another ruleset, lack a required pack, or are named twice."""
    if not packs:
        return
    for number, (name, folder) in enumerate(zip(packs, folders, strict=True)):
        head = loading.parser.read_pack_head(folder / PACK)
        if name in packs[:number]:
            raise UsageError(
                _("the pack {name} appears twice").format(name=name), _("Use it only once.")
            )
        if head.ruleset != ruleset:
            raise UsageError(
                _("the pack {name} is for {own}, not for {game}").format(
                    name=name, own=head.ruleset, game=ruleset
                )
            )
        lacking = [other for other in head.requires if other not in packs[:number]]
        if lacking:
            options = " ".join(f"--pack {other}" for other in (*packs[:number], *lacking, name))
            raise UsageError(
                _("the pack {name} needs {others} before it").format(
                    name=name, others=", ".join(lacking)
                ),
                options,
            )


def requirements(folder: Path, required_by: tuple[Path, ...] = ()) -> tuple[Path, list[Path]]:
    """Return the folders of what a pack builds on: its ruleset, and the packs that it requires.

    The packs are in the order in which they must be applied, each after
    those it requires itself; ``required_by`` are the packs that led to this
    one. Raises PackError for what is not here and for packs that require
    each other.
    """
    path = folder / PACK
    head = loading.parser.read_pack_head(path)
    rulesets, known = available(), installed_packs()
    missing: list[tuple[KeyPath, str, str, list[str]]] = []
    if head.ruleset not in rulesets:
        missing.append((("ruleset",), N_("there is no ruleset {name}"), head.ruleset, rulesets))
    needed: dict[str, Path] = {}
    for number, name in enumerate(head.requires):
        if name in known and known[name] in required_by:
            message = _("{name} also requires this pack").format(name=shorten(name))
            place = loading.yaml_reader.locate(path, ("requires", number))
            raise PackError.at(path, message, *place)
        if name in known:
            before = requirements(known[name], (*required_by, folder))[1]
            needed |= {pack.name: pack for pack in (*before, known[name])}
        else:
            missing.append(
                (("requires", number), N_("there is no installed pack {name}"), name, [*known])
            )
    if missing:
        raise PackError(
            PackProblem(path, *loading.yaml_reader.locate(path, key_path), str(key_path[0]),
                  _(message).format(name=shorten(name)), nearest(name, names))
            for key_path, message, name, names in missing
        )  # fmt: skip
    return {**installed(), **built_in()}[head.ruleset], list(needed.values())


def load_folder(folder: Path, packs: Sequence[Path] = (), language: str | None = None) -> Ruleset:
    """Load the ruleset in a folder, amended by packs in others; from the cache if it is there.

    Raises PackError with every error.
    """
    language = reader_language() if language is None else language
    _remember_game((folder, *packs))
    files = _files(folder, HEAD)
    digest = _hash(files)
    amending = tuple(map(_pack_files, packs))
    translated = [language_file(pack, language) for pack in (folder, *packs)]
    hashes = ["" if path is None else _hash([path]) for path in translated]
    texts = [language, "/".join(hashes)] if any(hashes) else []  # it matters whose they are
    key = " ".join([digest, *(files.pack.hash for files in amending), *texts])
    compiled = fetch_compiled(key)
    if compiled is not None:
        return compiled
    reader, ruleset = _read_folder(files, amending, digest)
    if texts:
        read = [loading.translation.read_translation(path) if path else None for path in translated]
        ruleset = loading.translation.translate_ruleset(reader, ruleset, language, read)
    store_compiled(key, ruleset)
    return ruleset


def formula_problems(error: FormulaError) -> list[PackProblem]:
    """Return the error at each place of its formula, in the game loaded last that has it.

    A formula is evaluated far from its file, perhaps from the cache. Its text leads back to it:
    only after an error are the files of the games that this process has loaded searched for that.
    """
    for folders in reversed(_loaded):
        files = (path for folder in folders for path in sorted(folder.glob("*.yaml")))
        problems = (loading.yaml_reader.formula_problems(path, error) for path in files)
        if found := [*chain.from_iterable(problems)]:
            return found
    return []


def _remember_game(folders: tuple[Path, ...]) -> None:
    """Keep the folders of a game and of its packs, to find their formulas after an error."""
    if folders in _loaded:
        _loaded.remove(folders)
    _loaded.append(folders)
    del _loaded[:-KEPT_GAMES]


def read_folder(
    folder: Path, packs: Sequence[Path] = (), partly: bool = False
) -> tuple[PackReader, Ruleset]:
    """Load without the cache, and return the reader too: it knows the line of every part.

    The texts are those of the packs, in whatever language they are written.
    With ``partly`` errors are only kept in the reader. Otherwise raises PackError with all.
    """
    files = _files(folder, HEAD)
    return _read_folder(files, tuple(map(_pack_files, packs)), _hash(files), partly)


def _read_folder(
    files: Sequence[Path], amending: tuple[PackFiles, ...], digest: str, partly: bool = False
) -> tuple[PackReader, Ruleset]:
    """Read the files of a ruleset and of the packs that amend it. Raises PackError."""
    reader = loading.parser.PackReader(amending)
    read = reader.read_partly if partly else reader.read
    return reader, read(files[0], files[1:], digest)


def language_file(folder: Path, language: str) -> Path | None:
    """Return the file with the texts of a pack in a language; None if there is none."""
    path = folder / LANGUAGES / f"{language}.yaml"
    return path if path.is_file() else None


def language_files(folder: Path) -> list[Path]:
    """Return the files with the texts of a pack in other languages, by code."""
    return sorted(folder.glob(f"{LANGUAGES}/*.yaml"))


def _pack_files(folder: Path) -> PackFiles:
    """Return a pack that amends a ruleset, with its pages. Raises PackError."""
    files = _files(folder, PACK)
    head = loading.parser.read_pack_head(files[0])
    pack = Pack(head.id, head.name, head.version, _hash(files), head.authors, head.licence)
    return PackFiles(pack, tuple(files[1:]), folder)


def _files(folder: Path, first: str) -> list[Path]:
    """Return the YAML files of a folder, the header first. Raises PackError if it has none."""
    if not (folder / first).is_file():
        raise PackError.at(folder, _("this folder contains no {first}").format(first=first))
    return [folder / first, *(p for p in sorted(folder.glob("*.yaml")) if p.name != first)]


def content_hash(folder: Path) -> str:
    """Return the SHA-256 of the YAML files of a ruleset or pack. Raises PackError."""
    return _hash(_files(folder, PACK if amends(folder) else HEAD))


def _hash(files: Iterable[Path]) -> str:
    """Return the SHA-256 of files, names included."""
    digest = hashlib.sha256()
    for path in sorted(files):
        try:
            data = read_plain_file(path, MAX_HASHED)
        except OSError as error:
            raise PackError.at(path, os_reason(error)) from error
        digest.update(f"{path.name}\x1f{len(data)}\x1f".encode() + data)
    return digest.hexdigest()


def settle_on_common(rulesets: Sequence[Ruleset]) -> bool:
    """Have this page in one language: the reader's if all games have it, else that of the first.

    Returns whether the games are in several. Then the page has a note on which lack the reader's.
    """
    if len({ruleset.page_language for ruleset in rulesets}) < 2:
        return False
    own, wanted = rulesets[0].head.language, reader_language()
    lacking = [ruleset.id for ruleset in rulesets if ruleset.page_language != wanted]
    with page():  # the note is for the reader
        note = _("In the language {own}: there are no texts in {wanted} for {games}.").format(
            own=own, wanted=wanted, games=", ".join(lacking)
        )
    settle(own, note)
    return True


# ------------------------------------------------------------------ compiled rulesets


KEPT_RULESETS = 8  # in memory
# Errors of unpickling a file that is damaged or not ours.
UNUSABLE = (
    pickle.UnpicklingError,
    ImportError,
    LookupError,
    AttributeError,
    TypeError,
    ValueError,
    EOFError,
)


def compiled_folder() -> Path:
    """Return this user's folder of compiled rulesets."""
    return cache_folder() / "packs"


@cache
def code_version() -> str:
    """Return a key of the code and libraries that read packs; any change compiles all again."""
    folders = (PACKAGE / "rules", PACKAGE / "expressions")
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    stamps = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sources]
    return repr((sorted(stamps), pydantic.VERSION, sys.version_info))


def _compiled_path(digest: str) -> Path:
    key = hashlib.sha256(f"{digest} {code_version()}".encode()).hexdigest()[:32]
    return compiled_folder() / f"{key}.pack"


def fetch_compiled(digest: str) -> Ruleset | None:
    """Return the compiled ruleset of this content, or None."""
    try:
        return _unpickled(read_cache_file(_compiled_path(digest)))
    except (OSError, *UNUSABLE):
        return None


@lru_cache(maxsize=KEPT_RULESETS)
def _unpickled(data: bytes) -> Ruleset:
    """Return the ruleset in a file of the cache: the same one as long as the file is the same.

    A process that works on several characters of a game, such as a live table or a batch, so
    reads each entity once, and keeps what it has computed from the rules.
    """
    # read_cache_file refuses files that anyone else could have written.
    return Ruleset(*pickle.loads(data))  # noqa: S301  # nosec B301


def store_compiled(digest: str, loaded: Ruleset) -> None:
    """Store the compiled ruleset of a content; do nothing if the cache cannot be written."""
    parts = (
        loaded.head,
        CompiledEntities(loaded.entities),
        CompiledParts(loaded.rulings),
        loaded.hash,
        CompiledParts(loaded.procedures),
        loaded.charts,
        loaded.packs,
        loaded.origins,
        loaded.language,
    )
    data = pickle.dumps(parts, pickle.HIGHEST_PROTOCOL)
    with suppress(OSError):
        write_cache_file(_compiled_path(digest), data)
        remove_old_cache_files(compiled_folder())
