"""The public interface: its example runs, and its list of names is complete."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest

from charforge import api


@pytest.fixture
def example() -> str:
    """The code of the example in the docstring."""
    _before, _colon, rest = inspect.getdoc(api).partition("::\n\n")
    return inspect.cleandoc(rest.partition("\nThe page")[0])


@pytest.mark.needs("pango")
def test_the_example_creates_prints_and_advances_a_character(
    example: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {})
    assert capsys.readouterr().out == "2 ()\n"
    assert Path("nix.pdf").read_bytes().startswith(b"%PDF-")
    nix = api.load_character(Path("nix.json"))
    assert (nix.document.name, nix.character.state.level, nix.problems) == ("Nix", 3, ())


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_the_examples_of_the_guide_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).resolve().parents[1] / "docs" / "api.md"
    monkeypatch.chdir(tmp_path)
    ran = doctest.testfile(str(page), module_relative=False)
    assert (ran.failed, ran.attempted > 20) == (0, True)


def test_every_public_name_is_described() -> None:
    assert len(set(api.__all__)) == len(api.__all__)
    assert all(getattr(api, name).__doc__ for name in api.__all__)


def test_an_unknown_ruleset_is_an_error_of_the_program() -> None:
    with pytest.raises(api.CharforgeError):
        api.load_ruleset("no-such-game")
