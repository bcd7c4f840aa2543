"""Translations of a pack: ``lang/de.yaml`` holds its texts in German.

A text is named by the path that a patch would use: the entity's id (or
``ruleset``, ``procedures``, ``rulings``, ``charts``), then keys, and the ids,
names or numbers of items. What is not translated stays in the language of
the pack. Rules are never translated: ids, formulas and dice stay as they are,
so that a character file is the same in every language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, TypeAdapter, ValidationError

from charforge.errors import PackFindings, PackProblem, UntranslatedText, nearest, shorten
from charforge.expressions.template import FIGURE
from charforge.language import _, ngettext
from charforge.rules.errors import KeyPath, schema_errors
from charforge.rules.loading import yaml_reader
from charforge.rules.loading.parser import PackReader, PlacedPart, resolve_aliases
from charforge.rules.loading.patches import PATCHES, patches_by_target
from charforge.rules.models import (
    RULESET,
    Chart,
    ChartRow,
    Entity,
    Input,
    Procedure,
    Question,
    RulesetHead,
    Ruling,
)
from charforge.rules.models.base import Text, annotated_fields
from charforge.rules.names import Translated
from charforge.rules.ruleset import Ruleset, id_in_words

LISTS = {Procedure: "procedures", Ruling: "rulings", Chart: "charts"}  # where paths begin
WHY = "why"  # the last key of the path of a reason
NOUNS_BY_NUMBER = re.compile(r"\|.*\}")  # after a figure
NUMBER = re.compile(r"\d+")
MARKS = re.compile(r"\*+|^[ \t]*- ", re.MULTILINE)
TEXT: TypeAdapter[str] = TypeAdapter(Text)
PathNames = tuple[str, ...]  # a path in words, as a patch has it


class PackText(NamedTuple):
    """A text of a pack that players read.

    ``key_path`` is its path in the model of its part, ``names`` its path in
    words. ``owner`` is the number of the pack that wrote it: 0 for the
    ruleset, 1 for the first pack that amends it.
    """

    part: PlacedPart
    key_path: KeyPath
    names: PathNames
    text: str
    owner: int


class ReasonText(NamedTuple):
    """Why a patch of a pack changes something, with its path in words; ``owner`` is the pack."""

    names: PathNames
    text: str
    owner: int


class TranslatedText(NamedTuple):
    """A text in a language file, with its place there."""

    key_path: KeyPath
    text: str


@dataclass(frozen=True)
class Translation:
    """The texts of a language file by their paths in words; empty ones are left out."""

    path: Path
    texts: Mapping[PathNames, TranslatedText]

    def problem(self, key_path: KeyPath, message: str, near: str = "") -> PackProblem:
        """Return a problem of this file with its line."""
        line, column = yaml_reader.locate(self.path, key_path)
        return PackProblem(self.path, line, column, "", message, near)


def read_translation(path: Path) -> Translation:
    """Read a language file. Raises PackError if it is not YAML."""
    return Translation(path, dict(_flat(yaml_reader.read_page(path, plain=True), (), ())))


def _flat(
    data: Any, names: PathNames, key_path: KeyPath
) -> Iterator[tuple[PathNames, TranslatedText]]:
    """Yield the texts below a part of a language file with their paths."""
    if isinstance(data, dict):
        for key, part in data.items():
            yield from _flat(part, (*names, str(key)), (*key_path, str(key)))
    elif isinstance(data, list):
        for number, part in enumerate(data):
            yield from _flat(part, (*names, str(number + 1)), (*key_path, number))
    elif data is not None and str(data).strip():
        yield names, TranslatedText(key_path, str(data).strip())


# ------------------------------------------------------------------ the texts of a pack


def pack_texts(reader: PackReader, ruleset: Ruleset) -> Iterator[PackText]:
    """Yield every text of a ruleset that players read, in the order of the files."""
    for placed in reader.parts:
        part = placed.part
        start: PathNames = (RULESET,)
        if isinstance(part, Entity):
            start = (part.id,)
        elif not isinstance(part, RulesetHead):
            start = (LISTS[type(part)], part.id)
        for key_path, text in _texts(part, (), ruleset):
            if key_path[0] not in part.model_fields_set and isinstance(part, RulesetHead):
                continue  # a default that the pack did not even begin to change
            words = FIGURE.sub(lambda figure: figure[0].partition("|")[2], text)
            if any(sign.isalpha() for sign in words):
                inner = reader.path_in_words(placed, key_path)
                owner = reader.writer(placed, key_path, inner, text)
                yield PackText(placed, key_path, (*start, *inner), text, owner)


def _texts(part: Any, key_path: KeyPath, ruleset: Ruleset) -> Iterator[tuple[KeyPath, str]]:
    """Yield the texts in a part of a model with their paths."""
    if isinstance(part, tuple):
        for number, item in enumerate(part):
            yield from _texts(item, (*key_path, number), ruleset)
    elif isinstance(part, BaseModel):
        for name, key, _annotation, _values, readable in annotated_fields(type(part)):
            value = getattr(part, name)
            place = (*key_path, key)
            if readable:
                yield from _strings(value, place)
            elif value is not None and key != "own":
                yield from _texts(value, place, ruleset)
        for inner, text in _implied_texts(part, ruleset):
            yield (*key_path, *inner), text
    elif isinstance(part, dict):
        for key, item in part.items():
            yield from _texts(item, (*key_path, key), ruleset)


def _strings(value: Any, key_path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yield the texts of a field: one, or those in a list or map."""
    if isinstance(value, str):
        yield key_path, value
    elif isinstance(value, tuple | dict):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _strings(item, (*key_path, key))


def _implied_texts(part: BaseModel, ruleset: Ruleset) -> Iterator[tuple[KeyPath, str]]:
    """Yield texts that players read without the pack writing them, such as an id in words."""
    if isinstance(part, Entity):
        kind = ruleset.kinds[part.kind]
        for key, value in part.own.items():
            if kind.fields[key].type == "text" and key not in ruleset.naming_fields:
                yield ("own", key), value
    elif isinstance(part, Input):
        for option in part.options:
            if option not in part.words:
                yield ("words", option), part.word(option)
        if part.type == "text":
            yield ("default_word",), part.default_word
    elif isinstance(part, ChartRow):
        if isinstance(part.at, str) and not part.label:
            yield ("label",), part.at
    elif isinstance(part, Question):
        short = id_in_words(part.id)
        if not part.short and ruleset.short_label(part) == short:
            yield ("short",), short


def texts_to_translate(reader: PackReader, ruleset: Ruleset) -> Iterator[PackText | ReasonText]:
    """Yield the texts of a ruleset, and at the end why patches of its packs change something."""
    yield from pack_texts(reader, ruleset)
    for owner, pack in enumerate(reader.packs, 1):
        pages = map(reader.data.get, pack.pages)
        patches = (patch for page in pages for patch in (page or {}).get(PATCHES) or ())
        for name, patch in patches_by_target(patches).items():
            if why := " ".join(str(patch.get(WHY, "")).split()):
                yield ReasonText((PATCHES, name, WHY), why, owner)


# ------------------------------------------------------------------ translating


def translate_ruleset(
    reader: PackReader, ruleset: Ruleset, language: str, translations: Sequence[Translation | None]
) -> Ruleset:
    """Return a ruleset with the texts of translations: of the ruleset, then of each pack.

    A later pack may translate what an earlier one wrote. A text with an error
    is left out: ``catalog check`` reports it. Packs alone do not give a game
    another language: without a translated text of the ruleset all stays as it is.
    """
    translated_game = False
    parts: dict[int, dict[KeyPath, str]] = {}
    for text in pack_texts(reader, ruleset):
        found = _translated(text, translations)
        if found is not None:
            parts.setdefault(id(text.part), {})[text.key_path] = Translated(found, text.text)
            translated_game = translated_game or text.owner == 0
    if not translated_game:
        return ruleset
    translated = [
        _replaced(placed.part, parts[id(placed)]) if id(placed) in parts else placed.part
        for placed in reader.parts
    ]
    entities = {part.id: part for part in translated if isinstance(part, Entity)}
    return replace(
        ruleset,
        head=next(part for part in translated if isinstance(part, RulesetHead)),
        entities=resolve_aliases(entities),
        rulings={part.id: part for part in translated if isinstance(part, Ruling)},
        procedures={part.id: part for part in translated if isinstance(part, Procedure)},
        charts={part.id: part for part in translated if isinstance(part, Chart)},
        language=language,
    )


def _translated(text: PackText, translations: Sequence[Translation | None]) -> str | None:
    """Return the translation of a text by the last pack that has one; None for none."""
    for translation in reversed(translations[text.owner :]):
        found = translation.texts.get(text.names) if translation is not None else None
        if found is not None:
            return None if error_in(text.text, found.text) else found.text
    return None


def _replaced(part: Any, texts: Mapping[KeyPath, str]) -> Any:
    """Return a part of a model with other texts at some paths."""
    if () in texts:
        return texts[()]
    below: dict[str | int, dict[KeyPath, str]] = {}
    for (first, *rest), text in texts.items():
        below.setdefault(first, {})[tuple(rest)] = text
    if isinstance(part, BaseModel):
        names = {field.key: field.name for field in annotated_fields(type(part))}
        fields = {names[str(key)]: inner for key, inner in below.items()}
        update = {name: _replaced(getattr(part, name), inner) for name, inner in fields.items()}
        return part.model_copy(update=update)
    if isinstance(part, dict):
        return {**part, **{key: _replaced(part.get(key), inner) for key, inner in below.items()}}
    return tuple(
        _replaced(item, below[number]) if number in below else item
        for number, item in enumerate(part)
    )


# ------------------------------------------------------------------ checking


def error_in(text: str, translated: str) -> str:
    """Return what is wrong with the translation of a text; empty if nothing is.

    Figures, numbers and markup must be those of the original, in any order.
    """
    try:
        TEXT.validate_python(translated)
    except ValidationError as error:
        return next(schema_errors(error, translated)).sentence
    for parts_of in (_figures, _marks, _numbers):
        before, after = parts_of(text), parts_of(translated)
        different = [*(before - after), *(after - before)]
        if different:
            return _difference(different[0], before[different[0]], after[different[0]])
    return ""


def _difference(part: str, before: int, after: int) -> str:
    """Return the message about something that is not as often in a translation."""
    if not after:
        return _("the original has {part}, this text does not").format(part=shorten(part.strip()))
    if not before:
        return _("this text has {part}, the original does not").format(part=shorten(part.strip()))
    return ngettext(
        "the original has {part} {before} time, this text {after}",
        "the original has {part} {before} times, this text {after}",
        before,
    ).format(part=shorten(part.strip()), before=before, after=after)


def _figures(text: str) -> Counter[str]:
    """Return the figures of a text, without the words after them: other languages have others."""
    plain = (NOUNS_BY_NUMBER.sub("}", match[0]) for match in FIGURE.finditer(text))
    return Counter(figure.replace(" ", "") for figure in plain)


def _marks(text: str) -> Counter[str]:
    return Counter(MARKS.findall(FIGURE.sub("", text)))


def _numbers(text: str) -> Counter[str]:
    return Counter(NUMBER.findall(FIGURE.sub("", text)))


def check_translations(
    reader: PackReader, ruleset: Ruleset, folder: Path, paths: Sequence[Path]
) -> PackFindings:
    """Return the errors and the warnings of language files of the pack in a folder.

    Raises PackError for a file that is not YAML.
    """
    errors: list[PackProblem] = []
    warnings: list[PackProblem] = []
    texts = {text.names: text for text in texts_to_translate(reader, ruleset)} if paths else {}
    own = own_number(reader, folder)
    for path in paths:
        translation = read_translation(path)
        for names, found in translation.texts.items():
            text = texts.get(names)
            if text is None:
                near = nearest(names[-1], [n[-1] for n in texts if n[:-1] == names[:-1]])
                message = _("the pack has no text {key_path}").format(key_path=in_yaml(names))
                warnings.append(translation.problem(found.key_path, message, near))
            elif error := error_in(text.text, found.text):
                errors.append(translation.problem(found.key_path, error))
        for text in texts.values():
            if text.owner == own and text.names not in translation.texts:
                line, column = yaml_reader.locate(path, text.names)
                place = in_yaml(text.names)
                message = _("not translated: {key_path}, {text}").format(
                    key_path=place, text=shorten(text.text)
                )
                warnings.append(UntranslatedText(path, line, column, place, message))
    return PackFindings(errors, warnings)


def own_number(reader: PackReader, folder: Path) -> int:
    """Return the number of the pack in a folder: 0 for a ruleset."""
    return next((at for at, pack in enumerate(reader.packs, 1) if pack.folder == folder), 0)


def in_yaml(names: PathNames) -> str:
    """Return a path in words as YAML."""
    return f"[{', '.join(names)}]"
