"""What every test may use: two rulesets loaded once, and how hard properties are tried."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from charforge.content.load import load, load_folder
from charforge.content.ruleset import Ruleset
from charforge.paths import cache_folder

TOY = Path(__file__).parent / "testdata" / "toy"
RULESETS = ("toy", "capital")
Edit = tuple[str, str, str]

# "ci" tries the same examples every time, so that a failure is never news of another change;
# "long" goes looking for new ones and remembers what it found.
settings.register_profile(
    "ci",
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
    parser.addoption("--long", action="store_true", help="try properties on far more examples")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("long" if config.getoption("--long") else "ci")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep compiled packs in a folder of this run: no test may pass on an older reading."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        cache_folder.cache_clear()
        yield
    cache_folder.cache_clear()


@pytest.fixture(scope="session")
def toy_folder() -> Path:
    """Where the toy pack lies."""
    return TOY


@pytest.fixture(scope="session")
def toy() -> Ruleset:
    """The Long Light: small, without levels, each operation once."""
    return load_folder(TOY)


@pytest.fixture(scope="session")
def capital() -> Ruleset:
    """The main game."""
    return load("capital")


@pytest.fixture(scope="session", params=RULESETS)
def rules(request: pytest.FixtureRequest) -> Ruleset:
    """Each ruleset in turn, for what must hold in any game."""
    found: Ruleset = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def edited(tmp_path: Path) -> Callable[..., Path]:
    """Copy the toy pack with texts replaced; each must occur exactly once."""

    def edit(*edits: Edit) -> Path:
        folder = tmp_path / "pack"
        shutil.copytree(TOY, folder)
        for name, old, new in edits:
            text = (folder / name).read_text(encoding="utf-8")
            assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {name}"
            (folder / name).write_text(text.replace(old, new), encoding="utf-8")
        return folder

    return edit


@pytest.fixture
def variant(edited: Callable[..., Path]) -> Callable[..., Ruleset]:
    """Load the toy pack with texts replaced."""
    return lambda *edits: load_folder(edited(*edits))
