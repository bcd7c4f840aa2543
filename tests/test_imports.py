"""Imports point downward only, and costly libraries are imported in one place.

From the top::

    __main__
    cli
    api  serve  wizard             (beside each other)
    packs
    usecases
    verbs
    export
    answers  sheet                (beside each other)
    describe
    odds
    replay
    procedures
    decisions
    character
    rules
    expressions
    json_model
    errors  paths
    language  lazy  limits  process

A module may import what stands below it and its own package; of its neighbours, nothing.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from charforge import wizard
from charforge.decisions.kinds import KINDS
from tests.source import PACKAGE, tree

ROWS = (
    ("language", "lazy", "limits", "process"),
    ("errors", "paths"),
    ("json_model",),
    ("expressions",),
    ("rules",),
    ("character",),
    ("decisions",),
    ("procedures",),
    ("replay",),
    ("odds",),
    ("describe",),
    ("answers", "sheet"),
    ("export",),
    ("verbs",),
    ("usecases",),
    ("packs",),
    ("api", "serve", "wizard"),
    ("cli",),
    ("__main__",),
)
HEIGHT = {part: height for height, row in enumerate(ROWS) for part in row}
ONLY_IN = {  # packages, or modules where the rest of the package must do without
    "questionary": ("wizard",),
    "prompt_toolkit": ("wizard", "cli.session.line_prompt"),
    "weasyprint": ("sheet", "cli.printing.party"),
    "jinja2": ("sheet",),
    "yaml": ("rules.loading.yaml_reader",),
    "typer": ("cli",),
    "click": ("cli",),
    "rich": ("cli.terminal",),
    "pypdf": ("character", "sheet"),
    "pydyf": ("sheet",),
    "PIL": ("sheet",),
    "icepool": ("procedures",),
    "joblib": ("cli",),
    "filelock": ("character",),
    "distributed": ("cli",),
    "starlette": ("serve",),
    "uvicorn": ("serve",),
}
# What a function imports, and not its module: as few commands need it and it takes long to import,
# is optional, or is not there on all systems.
INSIDE_FUNCTIONS = {
    "character.files.pdf_attachments": ("pypdf",),
    "cli.app": ("cli.commands", "cli.doctor", "cli.prompt"),
    "cli.batch": ("distributed", "joblib"),
    "cli.commands": ("cli.doctor",),
    "cli.completion": ("verbs.unit_status",),
    "cli.edit": ("sheet.portraits",),
    "cli.export": ("export.text_formats", "packs.bundles"),
    "cli.new": ("cli.printing.sheet",),
    "cli.serve": ("serve.app",),
    "cli.options": ("cli.prompt",),
    "cli.printing.sheet": ("cli.prompt",),
    "cli.session.session": ("cli.session.line_prompt",),
    "cli.terminal.rules": ("packs.diff",),
    "packs.sources": ("packs.download",),
    "packs.update": ("packs.check",),
    "procedures.inputs": ("icepool",),
    "replay.loaded_character": ("character.files.storage",),
    "sheet.browser": ("pypdf",),
    "sheet.fonts": ("fontTools",),
    "sheet.form_fields": ("fontTools",),
    "sheet.pdf": ("pypdf",),
    "sheet.qr_codes": ("segno", "sheet.portraits", "zxingcpp"),
}
LAZY = {  # modules that their package imports when they are first used, as they cost much
    "cli.terminal": ("rules", "screen", "sheet"),
    "rules.loading": ("loader", "parser", "translation", "yaml_reader"),
    "wizard": ("decision_prompts", "flow", "list_pages", "pages", "screen", "shop", "terms"),
}
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__init__.py" or path.parent != PACKAGE
}


def imports(module: str) -> Iterator[tuple[str, int]]:
    """Yield what a module imports, by full name, with the line."""
    return ((one.name, one.line) for one in source(module).imports)


class Imported(NamedTuple):
    """A name that a module imports, the line, whether with the module, whether in a function."""

    name: str
    line: int
    at_top: bool
    in_function: bool


class Source(NamedTuple):
    """What the tests here ask of a module: its imports, and some of its calls, by function."""

    imports: tuple[Imported, ...]
    calls: dict[str, list[ast.Call]]


@cache
def source(module: str) -> Source:
    """Return what is asked of a module."""
    whole = tree(MODULES[module])
    every = list(ast.walk(whole))
    at_top = set(whole.body)
    importing = {node for node in every if isinstance(node, ast.Import | ast.ImportFrom)}
    functions = (one for one in every if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    inside = {
        node
        for function in functions
        if importing - at_top
        for node in ast.walk(function)
        if node in importing
    }
    calls: dict[str, list[ast.Call]] = {"isinstance": [], "lazy_modules": []}
    for node in every:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls:
            calls[node.func.id].append(node)
    return Source(
        tuple(
            Imported(name, node.lineno, node in at_top, node in inside)
            for node in every
            if node in importing
            for name in imported_names(module, node)
        ),
        calls,
    )


def imported_names(module: str, node: ast.AST) -> Iterator[str]:
    """Yield the full names that a statement imports."""
    parts = module.split(".")
    package = ["charforge", *(parts if MODULES[module].name == "__init__.py" else parts[:-1])]
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        start = ".".join([*base, *([node.module] if node.module else [])])
        yield from (f"{start}.{alias.name}" for alias in node.names)


def own(name: str) -> str:
    """Return the module of this project that an imported name comes from, or nothing."""
    parts = name.split(".")
    if parts[0] != "charforge":
        return ""
    for length in range(len(parts), 1, -1):
        found = ".".join(parts[1:length])
        if found in MODULES:
            return found
    return ""


def test_every_module_has_its_place_in_the_order() -> None:
    assert {module.split(".")[0] for module in MODULES} <= set(HEIGHT)


def test_modules_import_only_what_lies_below_them() -> None:
    upward = [
        f"{module}, line {line}: {name}"
        for module in MODULES
        for name, line in imports(module)
        for target in [own(name).split(".")[0]]
        if target and target != (part := module.split(".")[0]) and HEIGHT[target] >= HEIGHT[part]
    ]
    assert upward == []


def test_a_library_with_one_place_is_imported_nowhere_else() -> None:
    strays = [
        f"{module}, line {line}: {name}"
        for module in MODULES
        for name, line in imports(module)
        for allowed in [ONLY_IN.get(name.split(".")[0])]
        if allowed is not None
        and not any(module == place or module.startswith(f"{place}.") for place in allowed)
    ]
    assert strays == []


def test_one_module_uses_the_network() -> None:
    network = ("socket", "ssl", "http.", "urllib.request", "urllib.error", "ftplib", "requests")
    users = {
        module for module in MODULES for name, _line in imports(module) if name.startswith(network)
    }
    assert users - {"cli.serve", "serve.app"} == {"packs.download"}  # serve only listens


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Neither when a module is loaded, nor in a function, nor for types alone.

    A package that puts off the import of its modules names them, but needs none of them.
    """
    needs = {
        module: set()
        if module in LAZY
        else {own(name) for name, _ in imports(module)} - {"", module}
        for module in MODULES
    }
    circles = []
    for start in needs:
        reached: set[str] = set()
        front = set(needs[start])
        while front:
            reached |= front
            front = {far for near in front for far in needs.get(near, ())} - reached
        if start in reached:
            circles.append(start)
    assert circles == []


def test_only_a_kind_knows_which_kind_it_is():
    """No code outside the kinds asks whether a question or a decision is of one of them."""
    kinds = {model.__name__ for model in KINDS} | {kind.__name__ for kind in KINDS.values()}
    kinds |= {base.__name__ for kind in KINDS.values() for base in kind.__mro__} - {"Decision"}
    kinds -= {"ABC", "object"}
    asked = []
    for module in MODULES:
        if module.startswith(("decisions", "rules.models")):
            continue
        for node in source(module).calls["isinstance"]:
            named = {getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(node.args[1])}
            if named & kinds and module != "export.tabletop":  # its rolls are others
                asked.append(f"{module}:{node.lineno}")
    assert asked == []


def test_what_is_imported_has_one_name_in_a_module_and_is_not_the_module_itself() -> None:
    wrong = []
    for module in MODULES:
        at_top = [(one.name, one.line) for one in source(module).imports if one.at_top]
        wrong += [
            f"{module}:{line}"
            for (name, line), number in Counter(at_top).items()
            if number > 1 or name == f"charforge.{module}"
        ]
    assert wrong == []


def test_a_module_has_at_most_800_lines() -> None:
    """A longer one has several subjects: split it by them."""
    lengths = {name: len(path.read_text("utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: length for name, length in lengths.items() if length > 800} == {}


def imports_in_functions(module: str) -> Iterator[tuple[str, int]]:
    """Yield what functions of a module import: the library or module, and the line."""
    for one in source(module).imports:
        if one.in_function:
            yield own(one.name) or one.name.split(".")[0], one.line


def test_functions_import_only_what_is_heavy_or_optional() -> None:
    found = {
        module: tuple(sorted({name for name, _line in imports_in_functions(module)}))
        for module in MODULES
    }
    assert {module: names for module, names in found.items() if names} == INSIDE_FUNCTIONS


def test_packages_put_off_only_the_import_of_what_is_heavy() -> None:
    """And name the same modules to the type checker."""
    found = {
        module: tuple(n.value for n in node.args if isinstance(n, ast.Constant))
        for module in MODULES
        for node in source(module).calls["lazy_modules"]
    }
    assert found == LAZY
    for package, names in LAZY.items():
        typed = {own(one.name) for one in source(package).imports if not one.at_top}
        assert typed == {f"{package}.{name}" for name in names}


def test_a_module_that_is_imported_when_it_is_used_has_an_error_for_other_names() -> None:
    with pytest.raises(AttributeError, match=r"charforge\.wizard.*nothing"):
        wizard.nothing  # noqa: B018


def test_an_import_in_a_function_says_why() -> None:
    silent = []
    for module, path in MODULES.items():
        lines = path.read_text(encoding="utf-8").splitlines()
        for _name, line in imports_in_functions(module):
            if not lines[line - 2].lstrip().startswith("# Here, "):
                silent.append(f"{module}, line {line}")
    assert silent == []
