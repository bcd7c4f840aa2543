"""The catalogues are complete, and the language for tests finds texts that bypass them."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from html import unescape
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from charforge.cli.app import run
from charforge.cli.commands import CatalogGroup, ProgramGroup
from charforge.errors import counted
from charforge.export.text_formats import write
from charforge.language import set_language
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import blank_view, build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.trackers import SCRIPT_TEXTS
from tests.command_runner import run_command
from tests.pseudo import longer, pseudo, speak_pseudo
from tests.sheet.conftest import made
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.source import tree

ROOT = Path(__file__).parents[1]
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
WORD = re.compile(r"[^\W\d_]{3,}")


@pytest.fixture(scope="session")
def translations() -> ModuleType:
    """The script that updates the catalogues."""
    spec = importlib.util.spec_from_file_location("translations", ROOT / "docs/translations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def catalogs(translations: ModuleType) -> dict[Path, Any]:
    """The catalogue of each language."""
    return {path: translations.read(path) for path in translations.catalogues()}


def forms(text: object) -> tuple[str, ...]:
    """Return a text or its forms of singular and plural."""
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


def test_compiled_catalogues_are_those_of_the_sources(
    translations: ModuleType, catalogs: dict[Path, Any]
) -> None:
    assert catalogs
    for path, catalog in catalogs.items():
        compiled = path.with_suffix(".mo").read_bytes()
        assert compiled == translations.compiled(catalog), "nox -s translations updates it"


def test_every_text_of_the_program_is_translated(
    translations: ModuleType, catalogs: dict[Path, Any]
) -> None:
    texts = {message.id for message in translations.texts() if message.id}
    for path, catalog in catalogs.items():
        translated = {
            message.id
            for message in catalog
            if message.id and all(forms(message.string)) and not message.fuzzy  # .mo lacks these
        }
        todo = (
            f"nox -s translations adds these to {path.relative_to(ROOT)}: "
            "fill in each empty msgstr, and run it again"
        )
        assert texts - translated == set(), todo
        assert translated - texts == set(), "nox -s translations removes these"


def test_every_help_of_an_option_can_be_translated() -> None:
    for path in sorted((ROOT / "charforge" / "cli").glob("*.py")):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.keyword) and node.arg == "help":
                unmarked = isinstance(node.value, ast.Constant | ast.JoinedStr)
                assert not unmarked, f"{path}:{node.lineno}: mark it with N_"


def test_translations_have_the_placeholders_and_spaces_of_the_texts(
    catalogs: dict[Path, Any],
) -> None:
    for catalog in catalogs.values():
        for message in catalog:
            if message.id:
                english, plural = forms(message.id)[0], forms(message.id)[-1]
                for text in filter(None, forms(message.string)):  # empty ones fail below
                    fields = set(PLACEHOLDER.findall(text))
                    assert fields <= set(PLACEHOLDER.findall(plural)), text
                    assert fields >= set(PLACEHOLDER.findall(english)) & fields
                    if not isinstance(message.id, tuple):
                        assert fields == set(PLACEHOLDER.findall(english)), text
                    for end in (0, -1):
                        assert english[end].isspace() == text[end].isspace(), repr(text)


def test_placeholders_are_named_for_their_meaning(catalogs: dict[Path, Any]) -> None:
    """A translator sees only the name: ``{name_2}`` or ``{name_name}`` says nothing."""
    for catalog in catalogs.values():
        texts = (text for message in catalog if message.id for text in forms(message.id))
        names = {name for text in texts for name in PLACEHOLDER.findall(text)}
        assert not [name for name in names if re.search(r"_\d|^\{str_|\b(\w+)_\1\b", name)]


def test_a_clause_in_a_german_text_keeps_its_order_after_a_colon(catalogs: dict[Path, Any]) -> None:
    """*wenn gilt: du hast Eile*: after *wenn* alone the verb would have to be the last word."""
    wrong = [
        text
        for catalog in catalogs.values()
        for message in catalog
        for text in forms(message.string)
        if re.search(r"\b(wenn|solange|falls|sobald) (du )?\{(formula|condition|name)\}", text)
    ]
    assert wrong == []


def test_plurals_follow_the_language() -> None:
    assert [counted(n, "problem", "problems") for n in (0, 1, 2)] == [
        "0 problems",
        "1 problem",
        "2 problems",
    ]
    set_language("de")
    assert [counted(n, "problem", "problems") for n in (0, 1, 2)] == [
        "0 Probleme",
        "1 Problem",
        "2 Probleme",
    ]


def test_the_language_for_tests_is_longer_and_keeps_placeholders() -> None:
    assert longer("Range") == "Ráñgéáñ"
    assert pseudo("{name} is only level {level}.").startswith("{name} íšá óñlýáñ ")
    assert pseudo("a\n  b") == "á\n  b"


# ------------------------------------------------------------------ texts that bypass it


def words_of(ruleset: Ruleset) -> set[str]:
    """Return all words in the pages of a game."""
    folder = ROOT / "tests" / "testdata" / ruleset.id
    texts = [page.read_text(encoding="utf-8") for page in folder.rglob("*.yaml")]
    return {word.casefold() for text in texts for word in WORD.findall(text)}


def strays(text: str, allowed: set[str]) -> list[str]:
    """Return the English words in a text that are not of the game."""
    found = dict.fromkeys(WORD.findall(text))
    return [word for word in found if word.isascii() and word.casefold() not in allowed]


def seen(html: str) -> str:
    """Return what a reader or a screen reader gets from a page."""
    body = re.sub(r"<(style|script)\b.*?</\1>", " ", html, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->", " ", body, flags=re.DOTALL)
    labels = re.findall(r'(?:title|aria-label|alt)="([^"]*)"', body)
    return unescape(" ".join([re.sub(r"<[^>]*>", " ", body), *labels]))


SHEET_WORDS = {"charforge", "import", "photo", "file", "into", "character", "name"}


@pytest.mark.parametrize("layout", ["full", "short", "reference", "cards"])
def test_no_text_of_a_sheet_bypasses_the_catalogue(
    layout: str, dockhand: Callable[..., LoadedCharacter], harbour: Ruleset
) -> None:
    speak_pseudo()
    loaded = dockhand(level=3)
    allowed = words_of(harbour) | SHEET_WORDS | {"ada"}
    html = render_html(build(loaded.character), PrintOptions(layout=layout))
    assert strays(seen(html), allowed) == []


def test_no_text_of_a_blank_sheet_bypasses_the_catalogue(harbour: Ruleset) -> None:
    speak_pseudo()
    html = render_html(blank_view(harbour), PrintOptions(blank=True))
    assert strays(seen(html), words_of(harbour) | SHEET_WORDS) == []


def test_no_text_of_an_export_bypasses_the_catalogue(
    dockhand: Callable[..., LoadedCharacter], harbour: Ruleset
) -> None:
    speak_pseudo()
    text = write("markdown", dockhand(level=3).character)
    assert strays(text, words_of(harbour) | {"ada", "charforge"}) == []


def test_the_texts_of_the_script_are_those_that_the_page_brings() -> None:
    script = (ROOT / "templates" / "play.js").read_text(encoding="utf-8")
    calls = re.findall(r'\bt\(\s*((?:"[^"]*"(?:\s*\+\s*)?)+)|\? "(\w+)" : "(\w+)"\)', script)
    used = {"".join(re.findall(r'"([^"]*)"', call)) for call, _one, _other in calls if call}
    used |= {word for _call, *words in calls for word in words if word}
    used |= set(re.findall(r"^    (\w+): \"\.", script, re.MULTILINE))  # the tabs
    assert used == {*SCRIPT_TEXTS, "d"}  # the letter of dice


def command_paths() -> Iterator[tuple[str, ...]]:
    """Yield the words of every command."""
    yield from ((name,) for name in ProgramGroup().modules)
    yield from (("catalog", name) for name in CatalogGroup().modules)


def printed(*words: str) -> str:
    """Return what a command prints in the present language."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        assert run(list(words)) == 0, out.getvalue()
    return out.getvalue()


def help_words(text: str) -> str:
    """Return the lines of a help without what is typed as it is: commands, options, values."""
    shown = re.sub(r"^ {2}\S.*?(?:$|  )|^ {2}charforge .*$|^ +# .*$", "", text, flags=re.MULTILINE)
    shown = re.sub(r"\(\w+:\s+\w+\)", " ", shown)  # defaults
    return re.sub(r"\S*[|=:/]\S*|--?\w[\w-]*|\b[A-Z]{2,}\w*\b", " ", shown.split("\n", 1)[1])


def test_no_text_of_the_help_bypasses_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["charforge"])
    speak_pseudo()
    commands = [(), *command_paths()]
    found = {}
    for words in commands:  # the help names all commands, or how to see more of this one
        names = {
            part for one in ([words] if words else commands) for w in one for part in w.split("-")
        }
        found[words] = strays(help_words(printed(*words, "--help")), names)
    assert {words: english for words, english in found.items() if english} == {}


PACK_CHECK = {"error", "procedures", "things", "yaml"}  # how a line of a compiler begins


def test_no_text_about_a_faulty_pack_bypasses_the_catalogue(
    docking: Callable[..., Path], harbour: Ruleset
) -> None:
    folder = docking(
        ("procedures.yaml", "value: vigour, by: -amount,", "value: vigor, by: -amont,"),
        ("procedures.yaml", "moment: bell", "moment: [bel]"),
        ("things.yaml", "by: many}", "by: meny, bye: 2}"),
    )
    speak_pseudo()
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        assert run(["catalog", "check", str(folder)]) == 1
    lines = out.getvalue().replace(str(folder), "").splitlines()
    assert len(lines) > 4
    allowed = words_of(harbour) | PACK_CHECK | {"vigor", "amont", "meny", "bye"}
    assert strays("\n".join(lines), allowed) == []


# ------------------------------------------------------------------ layouts that break


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["full", "short", "cards", "reference"])
def test_longer_words_break_no_layout(layout: str, capital: Ruleset) -> None:
    """German ones: tests/rules/test_games_in_german.py."""
    speak_pseudo()
    view, options = build(made(capital, level=5)), PrintOptions(layout=layout)
    assert check(record(lambda: sheet_pdf(view, options)), view, options) == []


# ------------------------------------------------------------------ what has no language


def test_a_character_file_is_the_same_in_every_language(tmp_path: Path) -> None:
    for code in ("en", "de"):
        file, lang = f"{code}.json", ("--lang", code)
        words = ("new", "--random", "--seed", "9", "--name", "Mo", "--level", "3", "-o", file)
        assert run_command(*words, *lang, folder=tmp_path).code == 0
        for change in (
            ("damage", file, 5),
            ("condition", file, "prone"),
            ("buy", file, "backpack", "--free"),
        ):
            assert run_command(*change, *lang, folder=tmp_path).code == 0
    assert (tmp_path / "de.json").read_bytes() == (tmp_path / "en.json").read_bytes()


def test_json_has_the_same_keys_in_every_language(tmp_path: Path) -> None:
    words = ("new", "--random", "--seed", "9", "--name", "Mo", "-o", "mo.json")
    assert run_command(*words, folder=tmp_path).code == 0
    english, german = (
        run_command("show", "mo.json", "--json", "--lang", code, folder=tmp_path).json
        for code in ("en", "de")
    )
    assert list(english) == list(german)
    assert list(english["values"]) == list(german["values"])
