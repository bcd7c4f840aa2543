"""What a sheet prints of an entity is in its entries in the catalog and in the rulebook.

Every field of the models of entities has a line in `PRINTED`: the words that a sheet prints of it,
or the reason why it prints none. So a new field has to be decided on, and whatever an entry leaves
out is listed with its entity and its field.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from rich.console import Console

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.character.holdings import NOT_CHOSEN, add_holding
from charforge.character.requirements import requirement_text
from charforge.character.state import CHARACTER, State
from charforge.cli.terminal.rules import show_entity
from charforge.decisions.unreachable import Obtainable
from charforge.describe.entities import as_played, cooldown_text, field_text, range_text
from charforge.describe.held_entities import HeldEntity
from charforge.errors import CharforgeError
from charforge.expressions.formula import Formula
from charforge.expressions.template import MINUS, NO_BREAK, Block, parse_figure, parse_markup
from charforge.packs import install
from charforge.packs.rulebook import build_rulebook, entity_anchor
from charforge.packs.sources import examples
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import replay
from charforge.rules.loading.loader import built_in, load, load_folder
from charforge.rules.models import Attack, Entity
from charforge.rules.models.entities import Action, Capacity, Crit, LevelTable, OwnFigure
from charforge.rules.models.questions import Assign, Roll
from charforge.rules.ruleset import Ruleset
from charforge.sheet import holdings
from charforge.sheet.build import view_texts
from charforge.sheet.rulebook import BookEntry
from tests.conftest import HARBOUR, REEF, SMITHY, TOWER, TOY
from tests.samples import few
from tests.source import ROOT

EXAMPLES = [f"examples/{name}" for name in sorted(examples())]
PACKS = [f"tests/testdata/{pack.name}" for pack in (HARBOUR, REEF, SMITHY, TOWER, TOY)]
GAMES = [*EXAMPLES, *sorted(built_in()), *PACKS]
FIGURE = re.compile(r"\{[^{}]*\}")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
WORD = re.compile(r"[^\W\d_]{3,}")
# What a sheet has beside words of the rules: ids, places, keys, names of drawings, dice to roll,
# and texts in short.
NO_WORDS = {
    "id", "short", "icons", "kind", "timing", "place", "armed", "worn_keys",
    "tracker_key", "tracker_keys", "roll_dice", "damage_dice", "statblock",
}  # fmt: skip
OF_A_CHARACTER = {"fixed", "none"}  # a score that is a number, and dice of which there are none
SAID_ELSEWHERE = "another field says it in words"
NO_SHEET = "no sheet prints it"
FOR_STEPS = "it is for the steps of procedures"
OF_TEXTS = "a short text for what another says in full"
FOR_CHOOSING = "it helps to choose"


@cache
def game(name: str) -> Ruleset:
    """Load a built-in game, or a pack in a folder of this project."""
    if "/" not in name:
        return load(name)
    return (
        install.load_checked(ROOT / name).ruleset if name in EXAMPLES else load_folder(ROOT / name)
    )


def plain(text: str) -> str:
    """Return a text without markup, in lower case, with ordinary signs and single spaces."""
    line = " ".join(str(block) for block in parse_markup(text))
    return squeezed(line)


def squeezed(text: str) -> str:
    """Return a text in lower case, with ordinary signs and single spaces."""
    return " ".join(text.replace(NO_BREAK, " ").replace(MINUS, "-").split()).casefold()


# ------------------------------------------------------------------ what the entries say


def in_catalog(entity: Entity, ruleset: Ruleset) -> str:
    """Return what ``catalog show`` prints."""
    console = Console(file=io.StringIO(), width=9_999)
    show_entity(entity, ruleset, console)
    return squeezed(console.file.getvalue())


def in_rulebook(ruleset: Ruleset) -> Mapping[str, str]:
    """Return what the rulebook prints in each entry, by its anchor."""
    said: dict[str, str] = {}
    for part in build_rulebook(replace(ruleset, packs=()), {}, odds=False).parts:
        for chapter in part.chapters:
            prices = "\n".join(_texts(chapter.tables))
            for group in chapter.groups:
                for entry in group.entries:
                    said[entry.anchor] = squeezed(f"{_entry(entry)} {group.title} {prices}")
                for row in group.weapons:
                    modes = " ".join(_texts((row.facts, row.modes)))
                    heading = f"{group.title} {group.weapons_title}"
                    said[row.entry.anchor] = squeezed(f"{_entry(row.entry)} {modes} {heading}")
    return said


def _entry(entry: BookEntry) -> str:
    return " ".join(_texts((entry.name, entry.paragraphs, entry.terms, entry.tables)))


def _texts(part: Any) -> Iterator[str]:
    return view_texts(part)


# ------------------------------------------------------------------ what a sheet prints of a field


class Place(NamedTuple):
    """An entity of a ruleset, of which a field is looked at."""

    entity: Entity
    ruleset: Ruleset

    def labels(self, name: str) -> list[str]:
        """Return the words for a name in a formula: of a choice, a figure or a value."""
        choices = [
            self.ruleset.short_label(choice) for choice in self.entity.choices if choice.id == name
        ]
        figures = [figure.label for figure in self.entity.figures if figure.id == name]
        value = self.ruleset.values.get(name)
        return choices or figures or ([value.label] if value else [])


Words = Callable[[Any, Place], Iterable[str]]


def formula(amount: Any, place: Place) -> Iterator[str]:
    """Yield the dice, the numbers and the labels of a formula."""
    figure = parse_figure(str(amount))
    yield from figure.dice
    text = str(figure.formula)
    yield from (number for number in NUMBER.findall(text) if not figure.dice or number != "0")
    for name in figure.formula.names:
        yield from place.labels(name)


def text(written: str, place: Place) -> Iterator[str]:
    """Yield each line of a text, between its figures; one about an empty answer is left out."""
    for line in written.split("\n"):
        if line.strip():
            yield from (plain(part) for part in FIGURE.split(line) if plain(part).strip(" .,:;()"))


def words(written: str, place: Place) -> Iterator[str]:
    """Yield a short text."""
    if written:
        yield from text(written, place)


def ranged(written: str, place: Place) -> Iterator[str]:
    yield from text(range_text(written), place)


def value_label(name: Any, place: Place) -> Iterator[str]:
    """Yield the label of a value or of a choice; a number as it is."""
    yield from place.labels(str(name).removeprefix("$")) or [str(name)]


def types(names: Iterable[str], place: Place) -> Iterator[str]:
    for name in names:
        term = place.ruleset.term(name)
        yield from [term.label] if term else place.labels(name.removeprefix("$"))


def costs(cost: Mapping[str, Any], place: Place) -> Iterator[str]:
    """Yield each cost in the words of a sheet; one that is calculated as its parts."""
    held = HeldEntity(replay(place.ruleset, {}).state, place.entity)
    for name, amount in cost.items():
        if Formula(str(amount)).constant is not None:
            yield from held.costs({name: amount})
        else:
            yield from formula(amount, place)


def required(requirement: Any, place: Place) -> Iterator[str]:
    if requirement is not None:
        yield requirement_text(requirement, place.ruleset)


def timing(id: str, place: Place) -> Iterator[str]:
    yield next(t.label for t in place.ruleset.head.timings if t.id == id)


def changes(modifiers: Any, place: Place) -> Iterator[str]:
    """Yield lasting changes. Of others a sheet prints only the values, and texts say them."""
    for modifier in modifiers:
        if modifier.when is None and modifier.of is None and modifier.layer == "lasting":
            yield from formula(modifier.amount, place)
            yield from place.labels(modifier.value) if modifier.value else ()


def granted(grants: Any, place: Place) -> Iterator[str]:
    for grant in grants:
        yield place.ruleset.entity(grant.id).name
        yield from [f"× {grant.quantity}"] if grant.quantity > 1 else []


def started(values: Mapping[str, Any], place: Place) -> Iterator[str]:
    for name, amount in values.items():
        [label] = place.labels(name)
        yield from together(label, amount, place)


def capacities(held: Iterable[Capacity], place: Place) -> Iterator[str]:
    for capacity in held:
        yield from together(capacity.label, capacity.max, place)


def together(label: str, amount: Formula, place: Place) -> Iterator[str]:
    """Yield a label with its number, or the parts of what is calculated."""
    if amount.constant is None:
        yield from (label, *formula(amount, place))
    else:
        yield f"{label} {amount.constant}"


def dice_counts(counts: Mapping[str, Any], place: Place) -> Iterator[str]:
    labels = {die.id: die.label or die.id for die in place.ruleset.head.dice}
    for die, amount in counts.items():
        yield labels[die]
        yield from formula(amount, place)


def rows(table: Any, place: Place) -> Iterator[str]:
    for row in table:
        for cell in table[row]:
            if isinstance(cell, Formula):
                yield from formula(cell, place)


def asked(questions: Any, place: Place) -> Iterator[str]:
    """Yield what is chosen, the scores that are given out, and the texts of options."""
    for question in questions:
        if isinstance(question, Assign):
            scores = question.scores if isinstance(question.scores, tuple) else ()
            yield from map(str, scores)
            yield from (label for name in question.to for label in place.labels(name))
        if isinstance(question, Roll):
            yield from rolled(question, place)
        for option in question.listed_options:
            yield from words(option.text.removesuffix("."), place)


def rolled(question: Roll, place: Place) -> Iterator[str]:
    yield question.dice
    for amount in (question.plus, question.minimum):
        yield from formula(amount, place) if amount is not None and amount.text != "0" else ()


def grown(questions: Any, place: Place) -> Iterator[str]:
    for question in questions:
        if isinstance(question, Roll) and question.sets_value:
            yield from place.labels(question.sets_value)
            yield from rolled(question, place)


def own_fields(own: Mapping[str, Any], place: Place) -> Iterator[str]:
    """Yield the fields of its kind as a sheet prints them; a flag that is not set is left out."""
    for name, declared in place.ruleset.kinds[place.entity.kind].fields.items():
        value = own.get(name)
        if value not in (None, "", []) and value is not False:
            yield declared.label if declared.type in ("flag", "number") else ""
            if value is not True:
                listed = value if isinstance(value, list) else [value]
                yield from (field_text(str(one), place.ruleset) for one in listed)


def labelled(amount: Any, place: Place) -> Iterator[str]:
    yield str(amount)


def named(id: str, place: Place) -> Iterator[str]:
    yield place.ruleset.entity(id).name


def nothing(_value: Any, _place: Place) -> Iterator[str]:
    yield from ()


PRINTED: dict[type, dict[str, Words | str]] = {
    Entity: {
        "id": NO_SHEET, "name": words, "source": NO_SHEET, "rulings": NO_SHEET, "text": text,
        "digest": OF_TEXTS, "ruled": "in place of its text where a group plays it so",
        "tags": NO_SHEET, "aliases": NO_SHEET, "alias_of": NO_SHEET, "renamed_from": NO_SHEET,
        "by_hand": NO_SHEET,
        "requires": required, "modifies": changes, "grants": granted, "choices": asked,
        "each_level": grown, "replaces": named, "repeatable": nothing, "distinct": NO_SHEET,
        "titled": NO_SHEET, "figures": nothing, "supplies": FOR_STEPS, "slots": labelled,
        "price": labelled, "covers": SAID_ELSEWHERE, "own_training": SAID_ELSEWHERE,
        "values": started, "capacities": capacities, "tables": nothing, "condition": SAID_ELSEWHERE,
        "active_when": SAID_ELSEWHERE, "uses": SAID_ELSEWHERE, "key": FOR_CHOOSING,
        "priority": FOR_CHOOSING, "suits": FOR_CHOOSING, "recommended": FOR_CHOOSING,
        "actions": nothing, "attacks": nothing, "own": own_fields,
    },
    Action: {
        "name": words, "timing": timing, "cost": costs, "trigger": words, "limit": words,
        "uses": SAID_ELSEWHERE, "cooldown": lambda cooldown, _p: [cooldown_text(cooldown)],
        "requires": required, "who": words, "units": SAID_ELSEWHERE, "text": text,
        "digest": OF_TEXTS, "inputs": FOR_STEPS, "free": SAID_ELSEWHERE, "does": FOR_STEPS,
        "procedure": FOR_STEPS, "with_": FOR_STEPS, "only": SAID_ELSEWHERE,
        "played_as": SAID_ELSEWHERE,
        "results": lambda results, place: [w for t in results.values() for w in text(t, place)],
    },
    Attack: {
        "name": words, "range": ranged, "hit": value_label, "defence": value_label,
        "damage": formula, "type": types, "shots": formula, "crit": nothing, "spread": words,
        "cost": costs, "bonus": formula, "with_": FOR_STEPS, "requires": required,
        "only": SAID_ELSEWHERE, "who": words, "text": text, "digest": OF_TEXTS,
        "thrown": SAID_ELSEWHERE, "notes": "one is printed while its formula holds",
    },
    Crit: {
        "margin": lambda margin, _p: [f"Crit {margin}"], "effect": words,
        "damage": SAID_ELSEWHERE, "requires": required,
    },
    Capacity: {
        "id": NO_SHEET, "label": words, "one": "messages have it after 1",
        "max": "its entity has it with its label",
    },
    OwnFigure: {
        "id": NO_SHEET, "label": words, "formula": formula, "dice": dice_counts, "before": words,
    },
    LevelTable: {
        "id": NO_SHEET, "by": NO_SHEET,
        "columns": lambda columns, place: [w for name in columns for w in place.labels(name)],
        "rows": rows, "op": NO_SHEET, "blank": NO_SHEET, "source": NO_SHEET,
    },
}  # fmt: skip


def expected(part: Any, place: Place, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the fields of a part of an entity, each with words that a sheet prints of it."""
    for name, printed in PRINTED[type(part)].items():
        value = getattr(part, name)
        default = type(part).model_fields[name].get_default(call_default_factory=True)
        if value == default and value != 0:
            continue
        inner = value if isinstance(value, tuple) else (value,)
        for number, one in enumerate(inner):
            if type(one) in PRINTED:
                at = f"{name}.{number}" if len(inner) > 1 else name
                yield from expected(one, place, f"{path}{at}.")
        if not isinstance(printed, str) and value is not None and value != default:
            yield from ((f"{path}{name}", one) for one in printed(value, place))


def left_out(said: str, entity: Entity, ruleset: Ruleset) -> list[str]:
    """Return the fields of an entity of which an entry does not say what a sheet prints."""
    rules = ruleset.table_rule_options({})
    return [
        f"{entity.id} {field}: {one}"
        for field, one in expected(as_played(entity, ruleset, rules), Place(entity, ruleset))
        if not says(said, squeezed(one))
    ]


def says(said: str, words: str) -> bool:
    """Whether an entry has some words; a number in it is not a part of another."""
    before = r"(?<!\d)" if words[:1].isdigit() else ""
    after = r"(?!\d)" if words[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(words)}{after}", said) is not None


# ------------------------------------------------------------------ the words on a sheet


def bearers(ruleset: Ruleset) -> list[tuple[State, str]]:
    """Return a character, and it with a unit of each kind."""
    spec = CharacterSpec(ruleset, "seed", "Ada", 1)
    state = spec.replay(leave_out_optional(RandomAnswers("seed"))).state
    found = [(state, CHARACTER)]
    for kind in ruleset.head.kinds:
        for entity in ruleset.of_kind(kind.id) if kind.unit else ():
            try:
                found.append((add_holding(state, entity, kind.id, kind.id), kind.id))
            except CharforgeError:
                continue
            break
    return found


def on_a_sheet(entity: Entity, state: State, unit: str) -> Iterator[str]:
    """Yield the texts of the parts of a sheet that show an entity which a unit has."""
    is_unit = state.ruleset.kinds[entity.kind].unit is not None
    after = add_holding(state, entity, "held", "held", unit)
    held = HeldEntity(after, entity, "held" if is_unit else unit, "held")
    stack = holdings.Stack(held, 1, ("held",))
    weapons = tuple(holdings.weapons([stack]))
    yield from _shown((holdings.card(stack), holdings.item(stack, "", {}), weapons))
    yield from _shown(held.description())


def _shown(part: Any) -> Iterator[str]:
    if isinstance(part, str | Block):
        yield str(part)
    elif hasattr(part, "_fields"):
        for name in part._fields:
            yield from () if name in NO_WORDS else _shown(getattr(part, name))
    elif isinstance(part, tuple):
        for inner in part:
            yield from _shown(inner)


def general_words(ruleset: Ruleset) -> set[str]:
    """Return the words that a sheet has beside those of an entity, such as labels of scores."""
    rules = ruleset.head.attack_roll
    labels = [value.label for value in ruleset.values.values()]
    labels += [rules.trained_label] if rules is not None else []
    labels += [target.label for way in ruleset.head.rolls for target in way.targets]
    return {word.casefold() for label in labels for word in WORD.findall(label)} | OF_A_CHARACTER


# ------------------------------------------------------------------ the laws


def test_every_field_of_an_entity_is_decided_on() -> None:
    for model, fields in PRINTED.items():
        assert fields.keys() == model.model_fields.keys(), model.__name__


@pytest.mark.parametrize("name", few(GAMES, 2, slow=11))
def test_the_catalog_says_what_a_sheet_prints(name: str) -> None:
    ruleset = game(name)
    assert [
        line
        for entity in ruleset.entities.values()
        for line in left_out(in_catalog(entity, ruleset), entity, ruleset)
    ] == []


@pytest.mark.parametrize("name", few(GAMES, 2, slow=11))
def test_the_rulebook_says_what_a_sheet_prints(name: str) -> None:
    ruleset = game(name)
    said = in_rulebook(ruleset)
    assert [
        line
        for entity in ruleset.entities.values()
        if (anchor := entity_anchor(entity.id)) in said
        for line in left_out(said[anchor], entity, ruleset)
    ] == []


@pytest.mark.parametrize("name", few(GAMES, 2, slow=11))
def test_the_catalog_has_every_word_of_a_sheet(name: str) -> None:
    """Words of an entity that are on the sheet of whoever has it, wherever they come from."""
    ruleset = game(name)
    units, obtainable, general = bearers(ruleset), Obtainable(ruleset), general_words(ruleset)
    left: dict[str, set[str]] = {}
    for entity in ruleset.entities.values():
        types = obtainable.bearers(entity)
        state, unit = next(one for one in units if one[0].unit(one[1]).type.id in types)
        said = {*WORD.findall(in_catalog(entity, ruleset))}
        texts = (text.replace(NOT_CHOSEN, " ") for text in on_a_sheet(entity, state, unit))
        words = {w.casefold() for text in texts if "$" not in text for w in WORD.findall(text)}
        if words - said - general:
            left[entity.id] = words - said - general
    assert left == {}
