"""The README's commands: the two for a fresh machine, and every one it shows."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in README.splitlines() if line.startswith("    ")]
INSTALLS = [line for line in COMMANDS if "pip install" in line]
SHOWN = [
    line.split("  #")[0].strip()
    for line in COMMANDS
    if line.startswith("charforge ") and "COMMAND" not in line
]
NESTED = "CHARFORGE_IN_README_TEST"


def test_exactly_two_commands_install_something() -> None:
    assert len(INSTALLS) == 2
    assert "charforge new" in INSTALLS[0]
    assert "pytest" in INSTALLS[1]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone of what is committed, with an empty home beside it."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / "home").mkdir()
    subprocess.run(
        ["git", "clone", "-q", f"file://{ROOT}", str(folder / "charforge")], check=True, timeout=120
    )
    return folder / "charforge"


def shell(command: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    home = {"HOME": str(folder.parent / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**kept, **home, **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=1500,
    )


@pytest.mark.slow
@pytest.mark.skipif(NESTED in os.environ, reason="already inside such a run")
def test_the_first_command_ends_with_a_character_and_its_sheet(clone: Path) -> None:
    done = shell(INSTALLS[0], clone)
    assert done.returncode == 0, done.stderr
    character, sheet = done.stdout.splitlines()[-2:]
    assert (clone / character).read_text(encoding="utf-8").startswith('{\n "charforge": 1')
    assert (clone / sheet).stat().st_size > 10_000


@pytest.mark.slow
@pytest.mark.skipif(NESTED in os.environ, reason="already inside such a run")
def test_the_second_command_passes_the_tests(clone: Path) -> None:
    # Everything runs once, outside; inside the clone a share of it shows that the command works.
    share = {"document", "engine", "service", "packaging", "testdata"}
    parts = [p.name for p in sorted((ROOT / "tests").iterdir()) if p.is_dir()]
    elsewhere = " ".join(f"--ignore=tests/{part}" for part in parts if part not in share)
    done = shell(INSTALLS[1], clone, PYTEST_ADDOPTS=f"-m 'not slow' {elsewhere}", **{NESTED: "1"})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert re.search(r"\d+ passed", done.stdout)


@pytest.mark.parametrize("command", [c for c in SHOWN if c != "charforge new"])
def test_every_command_shown_works(command: str, tmp_path: Path) -> None:
    import shlex
    import sys

    program = f"{shlex.quote(sys.executable)} -m charforge"
    prepare = f"{program} new --random --seed 7 --level 3 -o nix.json >/dev/null"
    if "answers.yaml" in command and ">" not in command:
        prepare += f" && {program} export nix.json > answers.yaml && rm nix.json"
    if "campaign/" in command:
        prepare += " && mkdir campaign && cp nix.json campaign"
    if "level-up" in command:
        command += " --random"
    if "my-pack" in command and " new " not in command:
        prepare += f" && {program} catalog new my-pack >/dev/null"
    if "under-the-ice" in command or "newer.zip" in command:
        prepare += f" && ln -s {shlex.quote(str(ROOT / 'examples'))} examples"
    if "--pack under-the-ice" in command:
        prepare += f" && {program} catalog add examples/under-the-ice >/dev/null"
    if "newer-pack" in command:
        prepare += " && cp -r my-pack newer-pack"
    if "restore" in command:
        prepare += f" && {program} level-up nix.json --random >/dev/null"
    if "newer.zip" in command:
        archive = "import shutil; shutil.make_archive('newer', 'zip', 'examples/under-the-ice')"
        prepare += f" && {program} catalog add examples/under-the-ice >/dev/null"
        prepare += f" && {shlex.quote(sys.executable)} -c {shlex.quote(archive)}"
    line = command.replace("charforge", program, 1)
    done = subprocess.run(
        ["bash", "-c", f"{prepare} && {line}"],
        cwd=tmp_path,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
