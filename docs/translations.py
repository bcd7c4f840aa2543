"""Update the catalogues of translated texts: ``python docs/translations.py`` (needs Babel).

It collects the texts from the program, its templates and the help of its commands, adds new ones
to the ``.po`` file of each language and removes those that are gone. Then it compiles the files.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from charforge.cli.usage import EXAMPLE_LINES, help_paragraphs

ROOT = Path(__file__).parents[1]
TEMPLATES = [("**.html", "jinja2"), ("**.css", "jinja2"), ("exports/**", "jinja2")]
OPTIONS = {"trim_blocks": "true", "lstrip_blocks": "true"}
# The functions that take texts, with the places of these: one text, or singular and plural.
KEYWORDS = {"_": (0,), "N_": (0,), "ngettext": (0, 1), "counted": (1, 2)}
WIDTH = 100  # columns of a .po file


def catalogues() -> list[Path]:
    """Return the .po file of each language."""
    return sorted(ROOT.glob("charforge/locale/*/LC_MESSAGES/charforge.po"))


def texts() -> Catalog:
    """Return a catalogue of all texts, without translations."""
    catalog = Catalog(project="charforge")
    options = {pattern: OPTIONS for pattern, _method in TEMPLATES}
    for _path, _line, text, _comments, _context in extract_from_dir(
        ROOT / "templates", TEMPLATES, options
    ):
        catalog.add(text)
    for path in sorted((ROOT / "charforge").rglob("*.py")):
        for text in marked_texts(ast.parse(path.read_text(encoding="utf-8"))):
            catalog.add(text)
    for text in command_help():
        catalog.add(text)
    return catalog


def marked_texts(tree: ast.Module) -> Iterator[str | tuple[str, ...]]:
    """Yield the texts in calls of the functions that take texts, those in f-strings as well.

    Babel's own extractor finds none in an f-string before Python 3.12.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            places = KEYWORDS.get(name, ())
            found = [_text(node.args[place]) for place in places if place < len(node.args)]
            if places and len(found) == len(places) and all(found):
                yield found[0] if len(found) == 1 else tuple(found)


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def command_help() -> Iterator[str]:
    """Yield the paragraphs of each command's help: they are docstrings, which are not marked."""
    for path in sorted((ROOT / "charforge" / "cli").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and _is_command(node):
                for paragraph in help_paragraphs(ast.get_docstring(node, clean=False) or ""):
                    if not paragraph.startswith(EXAMPLE_LINES):
                        yield paragraph


def _is_command(function: ast.FunctionDef) -> bool:
    """Whether a function is a command, or starts the program."""
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    return function.name == "start" or any(".command(" in text for text in decorators)


def read(path: Path) -> Catalog:
    """Return the catalogue in a .po file."""
    with path.open("rb") as file:
        return read_po(file)


def compiled(catalog: Catalog) -> bytes:
    """Return the .mo file of a catalogue."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def update(path: Path, template: Catalog) -> Catalog:
    """Bring a .po file and its .mo file up to date, and return the catalogue."""
    catalog = read(path)
    # A new date in each run would be a conflict in each merge.
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, catalog, WIDTH, no_location=True, omit_header=False, sort_output=True)
    path.with_suffix(".mo").write_bytes(compiled(catalog))
    return catalog


def main() -> None:
    """Update all catalogues and report what is not translated."""
    template = texts()
    for path in catalogues():
        catalog = update(path, template)
        missing = [message for message in catalog if message.id and not message.string]
        sys.stdout.write(f"{path}: {len(catalog)} texts, {len(missing)} not translated\n")


if __name__ == "__main__":
    main()
