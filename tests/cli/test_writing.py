"""Files that cannot or must not be written: refused, and left unchanged."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

MAKE = ("new", "--random", "--seed", "7")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ------------------------------------------------------------------ something is there


@pytest.mark.parametrize(
    "command",
    [
        ("new", "--random", "-o", "there"),
        ("new", "--random", "--count", "1", "-o", "there"),
        ("export", "nix.json", "-o", "there"),
        ("sheet", "nix.json", "--format", "html", "-o", "there"),
    ],
    ids=lambda given: given[0],
)
def test_an_existing_file_is_replaced_only_with_force(run, nix, tmp_path, command):
    there = tmp_path / "there"
    there.write_text("precious")
    run(*command).refused(2, "there was not saved: this file already exists", "--force")
    assert there.read_text() == "precious"
    assert names(tmp_path) == ["nix.json", "there"]
    ended = run(*command, "--force")
    assert (ended.code, ended.out) == (0, "there\n")
    assert all("Remark: " in line for line in ended.err.splitlines())
    assert there.read_text("utf-8") != "precious"


def test_the_file_that_a_name_makes_is_not_overrun_either(run, tmp_path):
    (tmp_path / "Nix.json").write_text("precious")
    run(*MAKE, "--name", "Nix").refused(2, "Nix.json was not saved")
    assert (tmp_path / "Nix.json").read_text() == "precious"


def test_of_several_all_but_the_existing_one_are_made(run, tmp_path):
    (tmp_path / "crew-2.json").write_text("precious")
    ended = run(*MAKE, "--count", "3", "-o", "crew.json")
    assert (ended.code, ended.out) == (2, "crew-1.json\ncrew-3.json\n")
    assert "crew-2.json was not saved" in ended.err
    assert names(tmp_path) == ["crew-1.json", "crew-2.json", "crew-3.json"]
    assert (tmp_path / "crew-2.json").read_text() == "precious"


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
@pytest.mark.parametrize("command", [MAKE, ("export", "nix.json")], ids=lambda given: given[0])
def test_a_folder_is_no_file(run, nix, tmp_path, command, force):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_text("precious")
    run(*command, "-o", "folder", *force).refused(2, "folder was not saved: this is a folder")
    assert names(tmp_path / "folder") == ["kept"]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs /dev/null")
def test_a_device_is_no_file(run):
    before = Path("/dev/null").stat()
    run(*MAKE, "-o", "/dev/null", "--force").refused(2, "this is a device, not a file")
    assert Path("/dev/null").stat().st_mode == before.st_mode


def test_a_character_is_not_replaced_by_what_is_made_of_it(run, nix, tmp_path):
    before = nix.read_bytes()
    (tmp_path / "link.json").symlink_to("nix.json")
    for there in ("nix.json", "./nix.json", "link.json"):
        run("export", "nix.json", "-o", there, "--force").refused(2, "the character file itself")
    run("sheet", "nix.json", "--format", "html", "-o", "nix.json", "--force").refused(
        2, "the character file itself"
    )
    assert nix.read_bytes() == before


def test_a_link_is_written_through(run, nix, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    real = tmp_path / "elsewhere" / "real.json"
    shutil.move(nix, real)
    nix.symlink_to(real)
    assert run("level-up", "nix.json", "--random").code == 0
    assert nix.is_symlink()
    assert run("show", real, "--json").json["level"] == 4


def test_the_rights_of_a_file_stay(run, nix):
    nix.chmod(0o640)
    run("level-up", nix, "--random")
    assert nix.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_rights(run, tmp_path):
    before = os.umask(0o027)
    try:
        run(*MAKE, "-o", "made.json")
    finally:
        os.umask(before)
    assert (tmp_path / "made.json").stat().st_mode & 0o777 == 0o640


# ------------------------------------------------------------------ nowhere to write


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("nowhere/made.json", "this folder does not exist"),
        ("nix.json/made.json", "part of this path is a file, not a folder"),
        ("x" * 300 + ".json", "too long"),
        ("gone/link.json", "this folder does not exist"),
    ],
)
def test_a_place_that_is_none(run, nix, tmp_path, there, said):
    for command in (MAKE, ("export", "nix.json")):
        ended = run(*command, "-o", there)
        assert said in ended.err.casefold()
        ended.refused(2)
    assert names(tmp_path) == ["nix.json"]


def test_a_folder_to_be_is_no_file_name(run, tmp_path):
    run(*MAKE, "-o", "").refused(2)
    run(*MAKE, "-o", ".").refused(2, "this is a folder")
    assert names(tmp_path) == []


FAULTS = {
    "disk full": (errno.ENOSPC, "the disk is full"),
    "quota": (errno.EDQUOT, "quota"),
    "read-only": (errno.EROFS, "the disk is read-only"),
    "not allowed": (errno.EACCES, "you may not write to this folder"),
    "broken disk": (errno.EIO, "Input/output error"),
}


@pytest.mark.parametrize(("number", "said"), FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("call", ["open", "write", "fsync", "rename"])
def test_a_system_that_refuses(run, nix, tmp_path, monkeypatch, number, said, call):
    """The operating system fails at each step of writing; the file stays, nothing is left."""

    def fail(*_arguments, **_options):
        raise OSError(number, os.strerror(number))

    before = nix.read_bytes()
    if call == "open":
        opens = os.open
        monkeypatch.setattr(
            "os.open",
            lambda path, *more, **mode: (fail if str(path).endswith(".tmp") else opens)(
                path, *more, **mode
            ),
        )
    elif call == "write":
        monkeypatch.setattr("os.fdopen", fail)
    elif call == "fsync":
        monkeypatch.setattr("os.fsync", fail)
    else:
        monkeypatch.setattr("os.rename", fail)
        monkeypatch.setattr("os.replace", fail)
    run("level-up", nix, "--random").refused(2, "nix.json was not saved", said, "Nothing was")
    assert nix.read_bytes() == before
    assert names(tmp_path) == ["nix.json"]
    run("export", nix, "-o", "nix.json.yaml", "--force").refused(2, said)
    assert names(tmp_path) == ["nix.json"]


def test_a_folder_that_cannot_be_flushed_is_no_failure(run, nix, monkeypatch):
    """Some file systems cannot; the file is written all the same."""
    flush = os.fsync

    def files_only(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        flush(handle)

    monkeypatch.setattr("os.fsync", files_only)
    assert run("level-up", nix, "--random").code == 0
    assert run("check", nix).code == 0


def test_a_file_system_without_links(run, tmp_path, monkeypatch):
    def refuse(*_arguments, **_options):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr("os.link", refuse)
    assert run(*MAKE, "-o", "made.json").code == 0
    assert names(tmp_path) == ["made.json"]


def test_another_program_that_is_faster_is_not_overrun(run, tmp_path, monkeypatch):
    """A file that appears between the look and the writing is kept."""
    link = os.link

    def too_late(source, target, **options):
        Path(target).write_text("precious")
        link(source, target, **options)

    monkeypatch.setattr("os.link", too_late)
    run(*MAKE, "-o", "made.json").refused(2, "this file already exists")
    assert (tmp_path / "made.json").read_text() == "precious"
    assert names(tmp_path) == ["made.json"]


@pytest.mark.slow
def test_a_file_that_may_grow_no_further(nix, environment):
    """The system itself stops the writing half way, as a full disk does."""
    limited = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "from charforge.cli.app import main\n"
        "main()\n"
    )
    before = nix.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", limited, "level-up", "nix.json", "--random"],
        cwd=nix.parent,
        # Or the limit would cut short the byte code of our own modules.
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "nix.json was not saved: File too large. Nothing was changed." in done.stderr
    assert nix.read_bytes() == before
    assert names(nix.parent) == ["nix.json"]


def mounted(options: str, folder: Path, command: str, environment) -> subprocess.CompletedProcess:
    """Run a shell command in a namespace of its own with a small disk mounted on ``folder``."""
    script = f"mount -t tmpfs {options} tmpfs {folder} && cd {folder} && {command}"
    return subprocess.run(
        ["unshare", "--mount", "--map-root-user", "sh", "-c", script],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
def disk(tmp_path, environment):
    """A folder on which a small disk can be mounted, where the system lets us."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if shutil.which("unshare") is None or mounted("", folder, "true", environment).returncode:
        pytest.skip("needs the right to mount a disk")
    return folder


@pytest.mark.slow
def test_a_disk_that_is_full(disk, nix, environment):
    program = f"{sys.executable} -m charforge"
    command = (
        f"cp {nix} . && cp nix.json before && head -c 1m /dev/zero > rest 2>/dev/null; "
        f"{program} level-up nix.json --random; echo $?; cmp nix.json before && ls -A"
    )
    done = mounted("-o size=40k", disk, command, environment)
    assert done.stdout.split() == ["2", "before", "nix.json", "rest"]
    assert "nix.json was not saved: the disk is full. Nothing was changed." in done.stderr


@pytest.mark.slow
def test_a_disk_that_may_only_be_read(disk, nix, environment):
    program = f"{sys.executable} -m charforge"
    command = (
        f"cp {nix} . && mount -o remount,ro . && {program} check nix.json && "
        f"{program} level-up nix.json --random; echo $?; {program} new --random; echo $?; ls -A"
    )
    done = mounted("-o size=1m", disk, command, environment)
    assert done.stdout.splitlines()[-3:] == ["2", "2", "nix.json"]
    assert done.stderr.count("was not saved: the disk is read-only. Nothing was changed.") == 2
