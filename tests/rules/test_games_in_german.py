"""Games have all of their texts in German, and play by the same numbers in it; so do examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from charforge.describe.entities import cooldown_text
from charforge.errors import UntranslatedText
from charforge.language import set_language
from charforge.packs.check import check_pack
from charforge.packs.samples import read_checked_sample, run_sample, sample_files
from charforge.packs.sources import examples
from charforge.rules.loading.loader import built_in, load
from charforge.rules.loading.translation import read_translation
from charforge.rules.names import original
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from tests.samples import few
from tests.sheet.conftest import made
from tests.sheet.print_check import check
from tests.sheet.printed import record

GERMAN = [
    *built_in().values(),
    *(path for path in examples().values() if (path / "lang" / "de.yaml").is_file()),
]
PACKS = [path for path in GERMAN if (path / "pack.yaml").is_file()]
# Words that every English sentence has one of, and no German text.
ENGLISH = re.compile(r"\b(the|you|your|of|and|with|to|is|are|it|for|from|at|a|or)\b")
# What a sample expects in words, at the end of a mismatch; all else are numbers, ids and rules.
IN_WORDS = re.compile(
    r"(^|: )(messages?|refused \S+|refused|problems|sheet|working of \w+|\S+ is about)$"
)
SAMPLES = [
    pytest.param(file, id=f"{name}-{file.stem}")
    for name, folder in sorted(built_in().items())
    for file in sample_files(folder)
    if not file.stem.startswith("catalog-")  # these compare the texts themselves
]


@pytest.mark.parametrize("folder", few(PACKS[::-1], 1), ids=lambda folder: folder.name)
def test_no_text_is_missing_or_differs_in_its_numbers(folder: Path) -> None:
    """In packs that amend a game; a whole game has no warning at all: test_check, example games."""
    checked = check_pack(folder)
    untranslated = [one for one in checked.warnings if isinstance(one, UntranslatedText)]
    assert (checked.errors, untranslated) == ((), [])


@pytest.mark.parametrize("folder", GERMAN, ids=lambda folder: folder.name)
def test_texts_are_german(folder: Path) -> None:
    """No English words, and German quotation marks."""
    path = folder / "lang" / "de.yaml"
    texts = {names: found.text for names, found in read_translation(path).texts.items()}
    assert [
        (names, text)
        for names, text in texts.items()
        if len(ENGLISH.findall(text)) > 1
        or re.search(r"(?<!condition )[\"“‚‘][A-Za-zÄÖÜäöü]", text)
    ] == []


@pytest.mark.parametrize("sample", few(SAMPLES[::-1], 1, slow=10))
def test_samples_have_the_same_numbers_in_german(sample: Path) -> None:
    """What is allowed, rolled, paid and put depends on no word of the texts."""
    name = sample.parents[1].name
    mismatches = run_sample(read_checked_sample(sample, load(name)), load(name, language="de"))
    assert [one for one in mismatches if not IN_WORDS.search(one.what)] == []


def test_words_of_rules_are_found_in_either_language() -> None:
    """The word of a cooldown is shown in German and still means the same; values keep all names."""
    german = load("capital", language="de")
    rally = next(one for one in german.entities["system/rally"].actions if one.cooldown)
    assert (cooldown_text(rally.cooldown), original(rally.cooldown)) == ("Signatur", "signature")
    assert german.subject_names("knw") == {"knw", "bil", "bildung", "knowledge"}


@pytest.mark.parametrize(("language", "wide"), [("en", False), ("de", True)])
def test_the_column_of_ranges_fits_its_longest_word(language: str, wide: bool) -> None:
    """Nahkampf is longer than Melee."""
    character = made(load("capital", language=language))
    assert ('class="attacks long-ranges"' in render_html(build(character))) == wide


@pytest.mark.slow
def test_a_german_sheet_is_whole() -> None:
    """The layout with the least room; test_longer_words prints each in words that are longer."""
    set_language("de")
    ruleset = load("capital", language="de")
    view = build(made(ruleset, seed="cards", level=ruleset.head.advancement.maximum))
    options = PrintOptions("short")
    assert check(record(lambda: sheet_pdf(view, options)), view, options) == []
