"""doctor: its lines agree with its exit code on any machine."""

from __future__ import annotations

import re


def test_the_exit_code_is_what_the_lines_say(run):
    ended = run("doctor")
    assert ended.err == ""
    marks = re.findall(r"^(ok|missing) +(.+?): ", ended.out, re.MULTILINE)
    assert ended.code == (1 if "missing" in [mark for mark, _what in marks] else 0)
    assert [what for _mark, what in marks][:2] == ["Python", "Catalog capital"]
    assert ("ok", "Python") in marks


def test_the_catalogs_are_counted(run, capital):
    said = f"version {capital.head.version}, {len(capital.entities)} entities"
    assert f"ok       Catalog capital: {said}" in run("doctor").out


def test_what_is_missing_comes_with_the_command_that_installs_it(run):
    lines = run("doctor").out.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("missing") and "Catalog" not in line:
            assert re.match(r" {9}\S.*(install|apt-get)", following)
