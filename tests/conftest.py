"""Shared fixtures: rulesets loaded once, characters of test packs, and Hypothesis profiles."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from charforge.language import ENGLISH, VARIABLES, remove_catalogue, set_language
from charforge.paths import cache_folder, state_folder, user_data_folder
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.pseudo import PSEUDO

pytest_plugins = ["tests.requirements", "tests.browsers", "tests.toy_characters"]

TOY = Path(__file__).parent / "testdata" / "toy"
HARBOUR = TOY.with_name("harbour")
REEF = TOY.with_name("reef")
SMITHY = TOY.with_name("smithy")
BARROW = TOY.with_name("barrow")
TOWER = TOY.with_name("tower")
RULESETS = ("toy", "smithy", "barrow", "tower", "capital")
LONGEST = (
    "tests/packaging/",
    "tests/cli/test_documentation.py",
    "tests/safety/",
    "tests/serve/test_whole_evenings.py",
    "tests/sheet/test_page_counts.py",
    "tests/test_style.py",
)
SLOW = re.compile(r"\bslow\b|\bfew\(|\blaw\(")  # what a file with slow tests has
# The answers of a smith: BRN 3, WIT 2, GRC 1, two custom skills and a custom hammer.
SMITH: dict[str, Any] = {
    "abilities": {"brawn": 2, "wits": 1},
    "embers": {"max_heat": 4},
    "guard": 2,
    "oath": "Iron first",
    "skills": ["skill/own", "skill/own"],
    "skills.own.name": "Riveting",
    "skills.own.attribute": "brawn",
    "skills.own.rank": 5,
    "skills.own#2.name": "Bellows",
    "skills.own#2.attribute": "wits",
    "skills.own#2.rank": 2,
    "tools": ["tool/own"],
    "tools.own.name": "Maul",
    "tools.own.score": "brawn",
    "tools.own.damage": 4,
    "tools.own.reach": "2 m",
    "tools.own.ring": 2,
}
END = pytest.StashKey[float]()  # when no further test begins
Edit = tuple[str, str, str]

# "fast" and "slow" always try the same examples, so a failure is caused by the change under test;
# in "fast", laws try few (tests/samples.py). "long" searches for new ones and stores the failing.
for name in ("fast", "slow"):
    settings.register_profile(
        name,
        max_examples=40,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
settings.register_profile(
    "long",
    max_examples=1500,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run property tests with many more examples"
    )
    parser.addoption(
        "--within",
        type=float,
        metavar="MINUTES",
        help="skip tests that would begin after that time",
    )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of cores, up to 8; 0 if files are named, which start faster without.

    Slow tests wait for processes, terminals and browsers a third of their time: three of them
    keep two cores busy.
    """
    if all(".py" in argument for argument in config.args):
        return 0
    cores = min(8, os.cpu_count() or 1)
    return cores if _fast(config) else cores + cores // 2


@cache
def _has_slow_tests(path: Path) -> bool:
    return bool(SLOW.search(path.read_text(encoding="utf-8")))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without slow tests with -m slow: each worker would import them."""
    if config.getoption("markexpr") != "slow" or not collection_path.match("test_*.py"):
        return None
    return not _has_slow_tests(collection_path) or None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Fail if -m slow would leave out the file of a slow test: fast runs find it here."""
    if item.get_closest_marker("slow") and not _has_slow_tests(item.path):
        raise pytest.UsageError(f"{item.nodeid} is slow, but its file has none of {SLOW.pattern}")


def _fast(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "not slow")


def pytest_configure(config: pytest.Config) -> None:
    fast = _fast(config)
    settings.load_profile("long" if config.getoption("--long") else "fast" if fast else "slow")
    if minutes := config.getoption("--within"):
        config.stash[END] = monotonic() + 60 * minutes


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test for which no time is left: part of a slow suite is better than none."""
    if monotonic() > item.config.stash.get(END, inf):
        pytest.skip("no time left: see --within")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest slow tests first, or one worker would be alone with the last of them."""
    if not _fast(config):
        items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep caches and backups in new folders, so that no test finds older ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        cache_folder.cache_clear()
        state_folder.cache_clear()
        yield
    cache_folder.cache_clear()
    state_folder.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def _no_language() -> Iterator[None]:
    """Ignore the language of this machine: the tests expect English."""
    with pytest.MonkeyPatch.context() as patch:
        for name in VARIABLES:
            patch.delenv(name, raising=False)
        patch.setenv("LC_CTYPE", "C.UTF-8")  # of the text of processes
        yield


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Return to English after a test in another language."""
    yield
    set_language(ENGLISH)
    remove_catalogue(PSEUDO)


@pytest.fixture(scope="session", autouse=True)
def _own_packs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep installed packs in a new folder; packs of this machine are ignored."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        user_data_folder.cache_clear()
        yield
    user_data_folder.cache_clear()


@pytest.fixture
def packs_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of installed packs."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    user_data_folder.cache_clear()
    yield user_data_folder() / "packs"
    user_data_folder.cache_clear()


@pytest.fixture
def at_terminal(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that runs the program on a terminal, in a thread of this process."""
    # Here, because Windows has no such terminals.
    from tests.cli.terminals import ThreadRun

    running: list[ThreadRun] = []

    def start(*arguments: object, **options: Any) -> ThreadRun:
        while running:
            running.pop().close()
        running.append(ThreadRun(tmp_path, *arguments, **options))
        return running[-1]

    yield start
    while running:
        running.pop().close()


@pytest.fixture(scope="session")
def toy_folder() -> Path:
    """The folder of the toy pack."""
    return TOY


@pytest.fixture(scope="session")
def toy() -> Ruleset:
    """The Long Light: a small game that uses each operation once."""
    return load_folder(TOY)


@pytest.fixture(scope="session")
def harbour() -> Ruleset:
    """The Harbour: a game with levels, money, hands and all kinds of play events."""
    return load_folder(HARBOUR)


@pytest.fixture(scope="session")
def smithy() -> Ruleset:
    """The Smithy: allotted numbers, open values, and items with choices of their own."""
    return load_folder(SMITHY)


@pytest.fixture
def forging(tmp_path: Path) -> Callable[..., Path]:
    """Copy the smithy pack with texts replaced; each must occur exactly once."""
    return lambda *edits: _edited(SMITHY, tmp_path / "smithy", edits)


@pytest.fixture
def reforged(forging: Callable[..., Path]) -> Callable[..., Ruleset]:
    """Load the smithy pack with texts replaced."""
    return lambda *edits: load_folder(forging(*edits))


@pytest.fixture(scope="session")
def smith(smithy: Ruleset) -> Callable[..., LoadedCharacter]:
    """Create a smith from the answers of ``SMITH``."""

    def build(rules: Ruleset = smithy, **changes: Any) -> LoadedCharacter:
        """Change answers by id, with __ for a dot and _2 for #2; None omits an answer."""
        answers = dict(SMITH)
        for name, answer in changes.items():
            answers[name.replace("__", ".").replace("_2", "#2")] = answer
        answers = {name: answer for name, answer in answers.items() if answer is not None}
        return replay_document(
            create_character(CharacterSpec(rules, "7", "Ilmar", answers=answers)), rules
        )

    return build


@pytest.fixture(scope="session")
def dockhand(harbour: Ruleset) -> Callable[..., LoadedCharacter]:
    """Create a dockhand of the harbour: ARM 5, WIT 2, vigour 9 (+2 per level), luck 3, 20 coins."""

    def build(level: int = 1, rules: Ruleset = harbour, **changes: Any) -> LoadedCharacter:
        """Change answers by id, with __ for a dot."""
        answers: dict[str, Any] = {
            "trade": "trade/stevedore",
            "scores": {"arm": 4, "wit": 2},
            "knacks": [],
            "motto": "",
        }
        for reached in range(2, level + 1):
            answers |= {f"level.{reached}.vigour": [2], f"level.{reached}.knacks": []}
        answers |= {name.replace("__", "."): answer for name, answer in changes.items()}
        return replay_document(
            create_character(CharacterSpec(rules, "7", "Ada", level, answers=answers)), rules
        )

    return build


@pytest.fixture(scope="session")
def reef() -> Ruleset:
    """The Reef: a game with symbol dice, charts and a track."""
    return load_folder(REEF)


@pytest.fixture(scope="session")
def diver(reef: Ruleset) -> Callable[..., LoadedCharacter]:
    """Create a diver of the reef with a given nerve, breath 4 higher, and swimming d8."""

    def build(nerve: int = 3, rules: Ruleset = reef) -> LoadedCharacter:
        return replay_document(
            create_character(CharacterSpec(rules, "7", "Ada", answers={"nerve": nerve})), rules
        )

    return build


@pytest.fixture(scope="session")
def barrow() -> Ruleset:
    """The Barrow: dice of which some are dropped, scores rolled in order."""
    return load_folder(BARROW)


@pytest.fixture
def dug(tmp_path: Path) -> Callable[..., Ruleset]:
    """Load the barrow pack with texts replaced; each must occur exactly once."""
    return lambda *edits: load_folder(_edited(BARROW, tmp_path / "barrow", edits))


@pytest.fixture(scope="session")
def tower() -> Ruleset:
    """The Tower: modifiers of scores, tables by level, armour that is worn."""
    return load_folder(TOWER)


@pytest.fixture(scope="session")
def climber(tower: Ruleset) -> Callable[..., LoadedCharacter]:
    """Create a climber with Brawn 15 and Grace 8, a fighter unless something else is given."""

    def build(calling: str = "fighter", level: int = 1, **answers: Any) -> LoadedCharacter:
        given = {
            "scores": {"brawn": 15, "grace": 8},
            "purse": [[10, 5, 5, 5, 5]],
            "vows": [],
            "calling": f"calling/{calling}",
            **answers,
        }
        spec = CharacterSpec(tower, "7", "Ama", level=level, answers=given)
        return replay_document(create_character(spec), tower)

    return build


@pytest.fixture(scope="session")
def capital() -> Ruleset:
    """The main game."""
    return load("capital")


@pytest.fixture(scope="session", params=RULESETS)
def rules(request: pytest.FixtureRequest) -> Ruleset:
    """Each ruleset in turn, for laws of any game."""
    ruleset: Ruleset = request.getfixturevalue(request.param)
    return ruleset


@pytest.fixture
def edited(tmp_path: Path) -> Callable[..., Path]:
    """Copy the toy pack with texts replaced; each must occur exactly once."""

    return lambda *edits: _edited(TOY, tmp_path / "pack", edits)


def _edited(pack: Path, folder: Path, edits: Iterable[Edit]) -> Path:
    shutil.copytree(pack, folder)
    for name, old, new in edits:
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {name}"
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return folder


@pytest.fixture
def docking(tmp_path: Path) -> Callable[..., Path]:
    """Copy the harbour pack with texts replaced; each must occur exactly once."""
    return lambda *edits: _edited(HARBOUR, tmp_path / "harbour", edits)


@pytest.fixture
def diving(tmp_path: Path) -> Callable[..., Path]:
    """Copy the reef pack with texts replaced; each must occur exactly once."""
    return lambda *edits: _edited(REEF, tmp_path / "reef", edits)


@pytest.fixture
def flooded(diving: Callable[..., Path]) -> Callable[..., Ruleset]:
    """Load the reef pack with texts replaced."""
    return lambda *edits: load_folder(diving(*edits))


@pytest.fixture
def refitted(docking: Callable[..., Path]) -> Callable[..., Ruleset]:
    """Load the harbour pack with texts replaced."""
    return lambda *edits: load_folder(docking(*edits))


@pytest.fixture
def variant(edited: Callable[..., Path]) -> Callable[..., Ruleset]:
    """Load the toy pack with texts replaced."""
    return lambda *edits: load_folder(edited(*edits))
