"""System libraries: PDFs need only Pango, and missing libraries are named."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from charforge.errors import SheetError
from charforge.sheet import pdf

PAGE = '<html lang="en"><title>t</title><body style="font-family: Barlow">Nix</body></html>'
# Run in a process of its own, before anything asks for a library: cffi finds none of that name.
WITHOUT = (
    "import sys, cffi\n"
    "usual = cffi.FFI.dlopen\n"
    "def dlopen(self, name, flags=0):\n"
    "    if {missing!r} in name:\n"
    "        raise OSError(f'cannot load library {{name!r}}: no such file')\n"
    "    return usual(self, name, flags)\n"
    "cffi.FFI.dlopen = dlopen\n"
    "from charforge.cli.app import main\n"
    "sys.argv = ['charforge', *sys.argv[1:]]\n"
    "sys.exit(main())\n"
)


@pytest.fixture(autouse=True)
def loaded_again() -> Iterator[None]:
    """What a test pretends is forgotten after it."""
    pdf.load.cache_clear()
    yield
    pdf.load.cache_clear()


def without(
    name: str, folder: Path, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command on a machine that lacks one library."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(missing=name), *arguments],
        capture_output=True, text=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables},
    )  # fmt: skip


@pytest.mark.slow
def test_with_pango_alone_the_pdf_is_made_and_what_makes_it_faster_is_named(
    tmp_path: Path,
) -> None:
    done = without(
        "harfbuzz-subset", tmp_path, "new", "--random", "--seed", "7", "-o", "nix.json", "--sheet"
    )
    assert (done.returncode, done.stdout) == (0, "nix.json\nnix.pdf\n")
    assert "PDFs are printed faster with libharfbuzz-subset" in done.stderr
    assert "libharfbuzz-subset0" in done.stderr
    whole = (tmp_path / "nix.pdf").stat().st_size
    assert whole < 200_000, "fonts are cut down to the letters used all the same"
    done = without("harfbuzz-subset", tmp_path, "doctor")
    assert "useful   libharfbuzz-subset: not found" in done.stdout
    assert done.returncode == 0


@pytest.mark.slow
def test_without_pango_the_library_is_named_and_stdout_is_for_results(tmp_path: Path) -> None:
    """A machine without programs has no browser either."""
    arguments = ("new", "--random", "--seed", "7", "-o", "nix.json", "--sheet")
    done = without("pango", tmp_path, *arguments, PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "nix.json\nnix.html\n")
    assert "PDF needs Pango (libpango-1.0-0 was not found)" in done.stderr


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_without_pango_a_browser_prints_the_pdf_and_the_character_is_in_it(tmp_path: Path) -> None:
    arguments = ("new", "--random", "--seed", "7", "-o", "nix.json", "--sheet")
    done = without("pango", tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (0, "nix.json\nnix.pdf\n")
    assert "Chromium printed nix.pdf without lines for notes" in done.stderr
    assert "PDF needs Pango" in done.stderr
    done = without("pango", tmp_path, "import", "nix.pdf", "-o", "back.json")
    assert done.returncode == 0
    assert (tmp_path / "back.json").read_bytes() == (tmp_path / "nix.json").read_bytes()
    done = without("pango", tmp_path, "party", "nix.json")
    assert (done.returncode, done.stdout) == (0, "party.pdf\n")
    assert "Chromium printed party.pdf without the cards" in done.stderr
    done = without("pango", tmp_path, "doctor")
    assert "Chromium: is used to print PDFs until the libraries are installed" in done.stdout
    assert done.returncode == 1


@pytest.mark.slow
def test_a_browser_that_fails_leaves_the_html(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    arguments = ("new", "--random", "--seed", "7", "-o", "nix.json", "--sheet")
    done = without("pango", tmp_path, *arguments, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert (done.returncode, done.stdout) == (0, "nix.json\nnix.html\n")
    assert "Chromium could not print a PDF: it ended with exit code 1" in done.stderr


def test_a_missing_library_is_an_error_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_name: str) -> None:
        raise OSError("cannot load library 'libpango-1.0-0': no such file")

    monkeypatch.setattr(pdf, "import_module", missing)
    monkeypatch.setattr(pdf, "install_hint", lambda: "brew install pango")
    with pytest.raises(SheetError) as caught:
        pdf.render_pdf(PAGE)
    assert "libpango-1.0-0" in caught.value.reason
    assert caught.value.advice == "brew install pango"


@pytest.mark.parametrize(
    ("system", "there", "said"),
    [
        ("linux", "apt-get", "apt-get install libpango-1.0-0"),
        ("linux", "dnf", "dnf install pango"),
        ("linux", "pacman", "pacman -S pango"),
        ("linux", "", "apt-get install libpango-1.0-0"),
        ("darwin", "", "brew install pango"),
        ("win32", "", "pacman -S mingw-w64-ucrt-x86_64-pango"),
    ],
)
def test_each_system_has_its_own_package_manager(
    monkeypatch: pytest.MonkeyPatch, system: str, there: str, said: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name == there else None)
    assert pdf.install_hint().startswith(said)


@pytest.mark.parametrize(
    ("machine", "before", "searched"),
    [
        ("arm64", None, "/opt/homebrew/lib:{home}/lib:/usr/local/lib:/lib:/usr/lib"),
        ("arm64", "/mine", "/mine:/opt/homebrew/lib:{home}/lib:/usr/local/lib:/lib:/usr/lib"),
        ("x86_64", None, "{home}/lib:/usr/local/lib:/lib:/usr/lib"),
    ],
)
def test_homebrew_is_searched_on_a_mac_while_weasyprint_is_imported(
    monkeypatch: pytest.MonkeyPatch, machine: str, before: str | None, searched: str
) -> None:
    name = "DYLD_FALLBACK_LIBRARY_PATH"
    seen: list[str | None] = []
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(pdf, "import_module", lambda _name: seen.append(os.environ.get(name)))
    if before is None:
        monkeypatch.delenv(name, raising=False)
    else:
        monkeypatch.setenv(name, before)
    pdf.load()
    assert seen == [searched.format(home=Path.home())]
    assert os.environ.get(name) == before
