"""Every number below 0 that a player reads has the same minus sign, and both can be typed."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.rules.loading import loader
from tests.cli.conftest import CommandResult

pytestmark = pytest.mark.usefixtures("games_of_tests")

Run = Callable[..., CommandResult]
HYPHEN = re.compile(r"(?<![\w)\]-])-(?=\d)|(?<=\d )- (?=\d)")  # of a keyboard, before a number
PACKAGED = loader.built_in()
HIDDEN = re.compile(r"<(style|script|template)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.DOTALL)
OUTPUTS = {  # what players read of a character: the command, and numbers that it shows
    "show": (
        ("show", "{file}"),
        ("−8", "−3", "normally −1", "13 − 3", "1d6 − 3", "−35", "HP −2 / 6"),
    ),
    "text": (("export", "{file}", "--format", "text"), ("−8", "13 − 3", "1d6 − 3", "HP −2/6")),
    "Markdown": (("export", "{file}", "--format", "markdown"), ("−8", "13 − **3**", "−2 | 6")),
    "stat block": (("export", "{file}", "--format", "statblock"), ("−8", "1d6 − 3")),
    "Discord": (("export", "{file}", "--format", "discord"), ("−8", "13 − 3", "HP −2/6")),
    "explain a value": (("explain", "{file}", "warmth"), ("−5 (now −8)", "−3  = −8")),
    "explain an attack": (("explain", "{file}", "icicle"), ("−8", "Skill − 2 against")),
    "catalog": (("catalog", "show", "curse/ice", "--ruleset", "frost"), ("−2 to thaw",)),
    "odds": (("odds", "{file}", "thaw"), ("mean −5.50", "−8 ")),
    "odds of an input": (("odds", "{file}", "thaw", "--vary", "mod=−3..−1"), ("−3", "−7.50")),
    "a rule": (("resolve", "frost", "thaw", "{file}", "--dice", "own=2"), ("by −7", "Total: −7")),
    "a use": (("use", "{file}", "icicle", "--vs", "-3", "--dice", "own=3"), ("rolled = −5",)),
    "history": (("history", "{file}"), ("Coins: −5 crowns", "HP −8", "warmth −3")),
    "refusal": (("spend", "{file}", "3", "coins"), ("−35 Coins left",)),
    "sheet": (("sheet", "{file}", "--format", "html", "-o", "-"), ("−8", "13 − 3", "−35")),
}  # fmt: skip


@pytest.fixture
def ilmar(run: Run) -> Path:
    """A wanderer whose numbers are below 0, some of them in play alone."""
    new = ("new", "--ruleset", "frost", "--name", "Ilmar", "--random", "--seed", "3")
    assert run(*new, "--with", "debt=-5", "-o", "ilmar.json").code == 0
    assert run("damage", "ilmar.json", "8").code == 0
    assert run("condition", "ilmar.json", "numb").code == 0
    assert run("note", "ilmar.json", "warmth −3 again").code == 0
    return Path("ilmar.json")


@pytest.mark.parametrize(("words", "numbers"), OUTPUTS.values(), ids=OUTPUTS)
def test_numbers_below_0_have_a_true_minus(
    run: Run, ilmar: Path, words: tuple[str, ...], numbers: tuple[str, ...]
) -> None:
    ended = run(*(word.format(file=ilmar) for word in words))
    text = ended.out + ended.err
    if words[0] == "sheet":
        text = html.unescape(HIDDEN.sub("", text))
    shown = " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())
    assert [shown[max(m.start() - 30, 0) : m.end() + 10] for m in HYPHEN.finditer(shown)] == []
    assert [
        number for number in numbers if number not in text.replace("\N{NO-BREAK SPACE}", " ")
    ] == []


@pytest.mark.parametrize("minus", ["-", "−"])
def test_both_minus_signs_can_be_typed(run: Run, ilmar: Path, tmp_path: Path, minus: str) -> None:
    def made(*words: str) -> str:
        ended = run("new", "--ruleset", "frost", "--random", "--seed", "3", *words, "-o", "x.json")
        assert ended.code == 0, ended.err
        return run("explain", "x.json", "coins").out.splitlines()[0]

    answers = tmp_path / "answers.yaml"
    answers.write_text(f"ruleset: frost\nanswers: {{debt: {minus}4}}\n", encoding="utf-8")
    assert made("--with", f"debt={minus}7") == "Coins: −37"
    assert made("--answers", str(answers), "--force") == "Coins: −34"
    rolled = run("resolve", "frost", "thaw", ilmar, "--set", f"mod={minus}3", "--dice", "own=2")
    assert "Total: −9" in rolled.out
    swung = run("use", ilmar, "icicle", "--vs", f"{minus}3", "--dice", "own=3")
    assert swung.code == 0, swung.err
    assert "at least 1" in run("heal", ilmar, f"{minus}2").err
    varied = json.loads(
        run("odds", ilmar, "thaw", "--vary", f"mod={minus}2,{minus}1", "--json").out
    )
    assert varied


@pytest.mark.parametrize("game", sorted(PACKAGED))
def test_labels_of_the_games_have_a_true_minus(game: str) -> None:
    """The inputs, choices and results of rules, as odds, resolve and --inputs print them."""
    ruleset = loader.load_folder(PACKAGED[game])
    labels = [ruling.title for ruling in ruleset.rulings.values()]
    for procedure in ruleset.procedures.values():
        labels += [one.label for one in (*procedure.inputs, *procedure.outputs)]
        labels += [str(getattr(step, "label", "")) for step in procedure.steps]
    assert [label for label in labels if HYPHEN.search(label)] == []
