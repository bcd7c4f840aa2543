"""Nox sessions and files named in CONTRIBUTING and the architecture chapter exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPES = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
IN_CODE = re.compile(r"`([^`\n]+)`")


def sessions() -> dict[str, str]:
    """Return the sessions by name, with what each says of itself."""
    found = {}
    for node in ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            named = [
                one.value.value
                for call in node.decorator_list
                for one in getattr(call, "keywords", ())
                if one.arg == "name" and isinstance(one.value, ast.Constant)
            ]
            found[str(named[0]) if named else node.name] = ast.get_docstring(node) or ""
    return found


def test_each_session_says_in_a_line_what_it_is() -> None:
    assert {"tests", "all", "lint", "build"} <= set(sessions())
    for name, told in sessions().items():
        assert told.endswith("."), name
        assert "\n" not in told, name
        assert len(told) <= 100, name


def test_the_recipes_name_sessions_that_there_are() -> None:
    run = {
        name
        for code in [*IN_CODE.findall(RECIPES), *re.findall(r"^    (.+)$", RECIPES, re.MULTILINE)]
        for words in re.findall(r"nox -s ((?:[a-z]+ ?)+)", code)
        for name in words.split()
    }
    assert run - {"NAME"} == set(sessions()) - {"lint", "tests"}  # those are what nox alone runs


def commands_of(session: ast.FunctionDef) -> set[str]:
    """Return the words of the commands of a session, as far as they are literals."""
    runs = [
        node
        for node in ast.walk(session)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("run", "session.run")
    ]
    return {
        str(argument.value)
        for call in runs
        for argument in call.args
        if isinstance(argument, ast.Constant)
    }


def test_the_recipes_have_the_commands_of_each_session_without_nox() -> None:
    rows = re.findall(r"^\| `nox(?: -s (\w+))?` \| `(.+)` \|$", RECIPES, re.MULTILINE)
    commands = {name: set(re.split(r"[\s\";]+", line)) for name, line in rows}
    commands["lint"] = commands["tests"] = commands.pop("")
    commands["docs"] |= {f"docs/{word}.py" for word in commands["docs"]}
    assert set(commands) == set(sessions()) - {"develop"}  # which "Set up" describes
    for node in ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8")).body:
        name = {"everything": "all"}.get(getattr(node, "name", ""), getattr(node, "name", ""))
        if isinstance(node, ast.FunctionDef) and name in commands:
            assert commands_of(node) - commands[name] - {""} == set(), name


def test_the_recipes_name_files_that_there_are() -> None:
    places = [ROOT, ROOT / "charforge", ROOT / "catalog" / "shields-biotics"]
    named = [
        word.rstrip("/").replace("LANGUAGE", "de")
        for word in IN_CODE.findall(RECIPES + ARCHITECTURE)
        if re.fullmatch(r"[\w./-]+", word) and ("/" in word or word.endswith((".py", ".md")))
    ]
    assert len(named) > 20
    made = {".venv", "dist", "mutants"}
    for name in named:
        assert name in made or any((place / name).exists() for place in places), name


def test_the_map_names_folders_and_modules_that_there_are() -> None:
    rows = re.findall(r"^\| (`[^|]+/[^|]*`) \|", ARCHITECTURE, re.MULTILINE)
    named = [word for row in rows for word in IN_CODE.findall(row)]
    assert {"charforge/replay/", "charforge/cli/", "charforge/errors.py"} <= set(named)
    for name in named:
        assert (ROOT / name).exists() or (ROOT / "charforge" / name).exists(), name


def test_the_changelog_has_this_version() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (version,) = re.findall(r'^version = "(.+)"$', project, re.MULTILINE)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", changes, re.MULTILINE)
    assert any(version in heading for heading in headings[:2])
