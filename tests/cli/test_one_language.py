"""A page that shows a game has one language: that of the reader if the game has it, or its own.

The program speaks the language for tests and the game does not, and the other way round.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple

import pytest

from charforge.cli.commands import CatalogGroup, ProgramGroup
from charforge.paths import user_data_folder
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from tests.cli.test_words_of_verbs import LINES
from tests.command_runner import CommandResult, run_command
from tests.conftest import HARBOUR
from tests.pseudo import PSEUDO, add_pseudo
from tests.translations import installed_games

WORD = re.compile(r"[^\W\d_]{3,}")
PSEUDO_LETTERS = re.compile("[áéíóúýÁÉÍÓÚçñšž]")
FILE = "nix.json"
PAGES = {  # what shows the game and is no verb
    "text": f"export {FILE} --format text",
    "Markdown": f"export {FILE} --format markdown",
    "Discord": f"export {FILE} --format discord",
    "a stat block": f"export {FILE} --format statblock",
    "the sheet": f"sheet {FILE} --format html -o -",
    "cards": f"sheet {FILE} --format html --layout cards -o -",
    "the party": f"party {FILE} -o party.html",
    "an empty sheet": "sheet --blank --ruleset harbour --format html -o -",
    "the rulebook": "rulebook --ruleset harbour -o rules.html",
    "initiative": f"initiative {FILE} --with Raider=3",
    "a rule": f"resolve harbour lifting {FILE} --seed 1",
    "all rules": f"resolve harbour {FILE}",
    "the questions": "new --ruleset harbour --questions",
    "an entry": "catalog show knack/ox --ruleset harbour",
    "all entries": "catalog list --ruleset harbour",
    "the rulings": "catalog rulings --ruleset harbour",
    "what is found": "catalog search a --ruleset harbour",
    "the session": f"play {FILE}",
    "refusals in the session": f"play {FILE} ",
}  # fmt: skip
SESSION = (
    "abilities\nconditions\nstatus\nattack\nshow\nuse roar\ndamage 1\nheal 1\nturn\nunit\nquit\n"
)
REFUSED = "\n".join((
    "use no such", "use shout", "use breathe", "use mend 99", "use roar 1", "damage x", "heal 1 2",
    "spend luck 99", "spend no such", "condition soaked off", "condition bleeding --turns 0",
    "condition soaked --amount 2", "condition no such", "rest no such", "buy anvil 99",
    "buy no such", "sell lantern 99", "drop no such", "hold lantern crossbow hook", "hold no such",
    "stow crossbow", "wear lantern", "take-off lantern", "award no such", "roll no such",
    "roll arm x", "turn --unit no-such", "undo --to-level 9", "level-up --to 9", "odds no such",
    "explain no such", "note", "unit no such", "attack no such", "quit\n",
))  # fmt: skip
QUICK = {"show", "explain", "the sheet", "the session"}
GAMES = ("plain", "translated", "foreign")
# A translated game has all of a page, or words of the other language would be found nowhere; the
# other two take turns, but for the quick ones, and have one line of a verb: they choose a language
# before it prints anything.
TESTED = [
    pytest.param(name, game, marks=() if name in QUICK else pytest.mark.slow)
    for number, name in enumerate((*LINES, *PAGES))
    for game in GAMES
    if name in QUICK or game in ("translated", ("plain", "foreign")[number % 2])
]  # fmt: skip


class Shown(NamedTuple):
    """What a command prints, its code, and the line that was typed."""

    line: str
    ended: CommandResult
    pages: str

    @property
    def text(self) -> str:
        """What a reader gets."""
        return seen(self.ended.out) + seen(self.pages)


def seen(text: str) -> str:
    """Return what a reader gets of a page or of plain text."""
    if "<html" not in text:
        return text
    body = re.sub(r"<(style|script)\b.*?</\1>|<!--.*?-->|\{\".*?\}\}", " ", text, flags=re.DOTALL)
    labels = re.findall(r'(?:title|aria-label|alt)="([^"]*)"', body)
    return unescape(" ".join([re.sub(r"<[^>]*>", " ", body), *labels]))


class Table(NamedTuple):
    """A game where only its own packs are installed, and the file of an armed dockhand."""

    data: Path
    text: str


@pytest.fixture(scope="module")
def tables(dockhand_text: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Table]:
    """Return a function that installs a game once for all tests."""

    @cache
    def installed(game: str) -> Table:
        data, folder = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("armed")
        (folder / FILE).write_text(dockhand_text, encoding="utf-8")
        with installed_games(game, ["harbour"], data):
            for line in ("award crossbow", "award lantern --with glass=clear"):
                first, *rest = shlex.split(line)
                assert run_command(first, FILE, *rest, folder=folder).code == 0
        return Table(data, (folder / FILE).read_text(encoding="utf-8"))

    return installed


@pytest.fixture(params=GAMES)
def game(
    request: pytest.FixtureRequest,
    tables: Callable[[str], Table],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """A game without another language, one that has that of the reader, one in another language."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tables(request.param).data))
    user_data_folder.cache_clear()
    yield request.param
    user_data_folder.cache_clear()


def shown(
    name: str, reader: str, text: str, folder: Path, number: int | None = None
) -> Iterator[Shown]:
    """Yield what is printed on a page, or for a verb by so many of its lines."""
    (folder / FILE).write_text(text, encoding="utf-8")
    lines = [PAGES[name]] if name in PAGES else [_with_file(line) for line in LINES[name][:number]]
    for line in lines:
        words = shlex.split(line)
        if {"json", "--json"} & {*words}:
            continue
        typed = REFUSED if name.startswith("refusals") else SESSION
        ended = run_command(*words, "--lang", reader, folder=folder, stdin=typed)
        files = list(folder.glob("*.html"))
        yield Shown(line, ended, "".join(file.read_text(encoding="utf-8") for file in files))
        for file in files:
            file.unlink()


def _with_file(line: str) -> str:
    first, _space, rest = line.partition(" ")
    return f"{first} {FILE} {rest}".rstrip()


def typed_words(line: str, ruleset: Ruleset) -> set[str]:
    """Return what stays as it is: names, ids, commands and what was typed."""
    known = [*ruleset.entities, *ruleset.values, *ruleset.procedures, *ruleset.head.groups]
    known += [*ProgramGroup().modules, *CatalogGroup().modules, line, SESSION, REFUSED]
    known += [decision.id for decision in ruleset.head.creation_questions]
    known += [each.id for rule in ruleset.procedures.values() for each in rule.inputs]
    return {word.casefold() for name in known for word in WORD.findall(name)} | KEPT


KEPT = {
    "ada", "character", "charforge", "harbour", "json", "raider", "ferryman", "inputs", "onward",
    "score",
    "daily",  # the word of the pack for a cooldown
    "answers", "name", "seed", "table", "rules", "tide", "ebb", "flow",  # of an answers file
    "statblock", "type", "traits", "actions", "desc",  # of a stat block
    "markdown", "text", "discord", "foundry", "roll",  # the names of formats
}  # fmt: skip


def plain_words(text: str, kept: set[str]) -> list[str]:
    """Return the words of a text that are in no language but English, and are not kept."""
    typed = r"\b[A-Z]{3,}\b|--[\w-]+|[\w.]+[=:]…|\S+\.(?:json|html|yaml)|\b[0-9a-f]{16}\b"
    text = re.sub(typed, " ", text)
    found = dict.fromkeys(WORD.findall(text))
    return [word for word in found if word.isascii() and word.casefold() not in kept]


@pytest.mark.parametrize(("name", "game"), TESTED, indirect=["game"])
def test_a_page_about_a_game_has_one_language(
    name: str, game: str, tables: Callable[[str], Table], tmp_path: Path
) -> None:
    add_pseudo()
    reader = "en" if game == "foreign" else PSEUDO
    ruleset = load("harbour", language=reader)
    files = [file.read_text(encoding="utf-8") for file in HARBOUR.glob("*.yaml")]
    words = {word.casefold() for text in files for word in WORD.findall(text)}
    number = None if game == "translated" else 1
    for one in shown(name, reader, tables(game).text, tmp_path, number):
        kept = typed_words(one.line, ruleset)
        pseudo = PSEUDO_LETTERS.search(one.text)
        if game == "plain":
            assert pseudo is None, f"{one.line}: {one.text[pseudo.start() - 40 :][:80]}"
        elif one.ended.code == 0 and "discord" not in one.line:  # which is JSON
            kept |= words if game == "foreign" else set()
            assert plain_words(one.text, kept) == [], one.line
        for line in one.ended.err.splitlines():  # a message is in one language, whichever it is
            if PSEUDO_LETTERS.search(line):
                assert plain_words(line, kept | words) == [], one.line


@pytest.mark.parametrize("game", ["translated"], indirect=True)
def test_refusals_list_labels_and_no_ids(game: str, dockhand_text: str, tmp_path: Path) -> None:
    """What there is to spend or to roll with reads as on the sheet, in the reader's language."""
    add_pseudo()
    (tmp_path / FILE).write_text(dockhand_text, encoding="utf-8")
    for line, label in (("spend nothing", "Luckön"), ("roll no such", "ARM")):
        first, *rest = line.split()
        ended = run_command(first, FILE, *rest, "--lang", PSEUDO, folder=tmp_path)
        assert ended.code != 0
        assert label in ended.err
        assert not {"luck", "coins", "arm", "wit"} & {*re.findall(r"\w+", ended.err)}


@pytest.mark.parametrize("game", ["plain", "translated"], indirect=True)
def test_a_party_of_two_games_has_one_language(
    game: str, dockhand_text: str, tmp_path: Path
) -> None:
    """That of the reader only if both games have it."""
    add_pseudo()
    (tmp_path / FILE).write_text(dockhand_text, encoding="utf-8")
    words = ("--ruleset", "shields-biotics", "--random", "--seed", 1, "--name", "Kas")
    assert run_command("new", *words, "-o", "kas.json", folder=tmp_path).code == 0
    pages = []
    for reader in ("en", "de" if game == "plain" else PSEUDO):
        party = ("party", FILE, "kas.json", "-o", "party.html", "--force", "--lang", reader)
        assert run_command(*party, folder=tmp_path).code == 0
        pages.append(seen((tmp_path / "party.html").read_text(encoding="utf-8")))
    assert pages[0] == pages[1]
