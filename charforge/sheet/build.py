"""The view of a character, of a saved summary, or a blank one. Nothing after it reads rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from charforge.character import state_changes
from charforge.character.files.document import Document
from charforge.character.files.events import NoteEvent
from charforge.character.state import CHARACTER, State
from charforge.character.state_data import about_subject
from charforge.decisions.base import Decision
from charforge.describe.differences import saved_values
from charforge.describe.entities import ALLOWED
from charforge.describe.held_entities import HeldEntity
from charforge.errors import MissingPack
from charforge.expressions.template import Block, player_text
from charforge.language import N_, _, sort_key, speak, with_colon
from charforge.replay.replay import Character, replay
from charforge.rules.loading import loader
from charforge.rules.models import Entity
from charforge.rules.names import name_from_id
from charforge.rules.ruleset import Ruleset
from charforge.sheet import attacks, holdings, values, view


def build(character: Character) -> view.SheetView:
    """Return the view of a character's sheet, with its problems if it is not legal.

    Raises FormulaError or SheetError when a figure in a text cannot be calculated.
    """
    placed = holdings.PlacedHoldings(character)
    sheet = _head(placed)
    for add_part in (_with_numbers, _with_holdings, _with_story, _with_rules):
        sheet = add_part(sheet, placed)
    return sheet


def _head(placed: holdings.PlacedHoldings) -> view.SheetView:
    """Return a view that says who the character is."""
    character, ruleset = placed.character, placed.state.ruleset
    return view.SheetView(
        name=character.name,
        ruleset=ruleset.head.name,
        packs=tuple(f"{pack.name} {pack.version}" for pack in ruleset.packs),
        credits=tuple(game_credits(ruleset)),
        level_label=ruleset.head.advancement.label,
        level=ruleset.head.advancement.number(placed.state.level),
        levels=ruleset.head.advancement.maximum,
        headline=tuple(map(_headline, placed.headline())),
        theme=game_theme(ruleset, (tag for held in placed.headline() for tag in held.entity.tags)),
        problems=tuple(_problems(character)),
        plate=tuple(
            view.PlateLine(_(label), character.lines.get(number, ""))
            for number, label in enumerate(ruleset.head.sheet.plate, 1)
        ),
        stamp=holdings.stamp(placed.state, CHARACTER),
    )


def _with_numbers(sheet: view.SheetView, placed: holdings.PlacedHoldings) -> view.SheetView:
    """Return a view with the values of the character, and lists and tables of them."""
    ruleset, numbers = placed.state.ruleset, placed.state.values()
    key = {name for held in placed.headline() for name in held.entity.key}
    charts, shared = ruleset.head.sheet.charts, holdings.shared_panel(placed.state)
    return sheet._replace(
        shared=shared,
        attributes_label=ruleset.head.groups.get(ruleset.head.sheet.attributes, ""),
        attributes=values.attributes(numbers, key),
        vitals=values.vitals(numbers),
        figures=tuple(_without_level(values.figures(numbers), sheet)),
        stores=values.stores(numbers),
        combat=values.combat(numbers),
        primer=values.primer(numbers),
        active_conditions=holdings.active_conditions(placed.state, CHARACTER),
        empty_slots=values.empty_slots(numbers),
        pools=values.pools(numbers),
        dice=values.symbol_dice(ruleset),
        trackers=values.trackers(numbers),
        lists=(*holdings.lists(placed, numbers), *holdings.shared_list(shared)),
        charts=tuple(holdings.chart(ruleset.charts[name], numbers) for name in charts),
    )


def _without_level(figures: Iterable[view.Fact], sheet: view.SheetView) -> Iterator[view.Fact]:
    """Yield the figures but one that is the level under another id, which the header prints."""
    level = (sheet.level_label, str(sheet.level))
    for figure in figures:
        if sheet.levels == 1 or (figure.label, figure.text) != level:
            yield figure


def _with_holdings(sheet: view.SheetView, placed: holdings.PlacedHoldings) -> view.SheetView:
    """Return a view with weapons, abilities, equipment and units."""
    ruleset, spec = placed.state.ruleset, placed.state.ruleset.head.sheet
    label, headings = _items_label(ruleset), holdings.list_headings(ruleset)
    items = (holdings.item(stack, label, headings) for stack in holdings.stacks(placed.items()))
    listed_kinds = ruleset.head.listed_kinds
    return sheet._replace(
        attack_rules=_attack_rules(ruleset),
        weapons=tuple(holdings.weapons(placed.armed())),
        cards_label=spec.cards_label or _plural(ruleset, spec.cards[:1]),
        cards=holdings.cards(placed.cards(), ruleset),
        items_label=label,
        items=holdings.in_places(items, ruleset),
        has_equipment=any(kind not in listed_kinds for kind in spec.items) or not spec.items,
        units=tuple(holdings.panel(placed, unit) for unit in placed.state.units[1:]),
        training_label=_plural(ruleset, sorted(placed.training_kinds)),
        training=tuple(_training(held) for held in placed.training()),
    )


def _with_story(sheet: view.SheetView, placed: holdings.PlacedHoldings) -> view.SheetView:
    """Return a view with the story, the notes, and what somebody allowed."""
    character = placed.character
    return sheet._replace(
        story=tuple(_story(character)),
        notes=tuple(map(_note, character.notes)),
        table_rules=tuple(_table_rules(character)),
        allowed=tuple(_allowed(character)),
    )


def _with_rules(sheet: view.SheetView, placed: holdings.PlacedHoldings) -> view.SheetView:
    """Return a view with the rules that its weapons, abilities, equipment and units mention."""
    state, ruleset, spec = placed.state, placed.state.ruleset, placed.state.ruleset.head.sheet
    shown = (sheet.weapons, sheet.cards, sheet.items, sheet.units)
    tags = {tag for holding in state.holdings for tag in holding.entity.tags}
    listed = () if spec.actions in spec.cards else ruleset.of_kind(spec.actions)
    return sheet._replace(
        conditions=tuple(_reference_entry(state, ruleset.entity(name)) for name in spec.conditions),
        actions_label=_plural(ruleset, (spec.actions,) if spec.actions else ()),
        actions=tuple(_reference_entry(state, entity) for entity in listed),
        reference=_reference(state, shown, tags),
    )


def without_current_state(character: Character) -> Character:
    """Return a character before anything happened to it in play, for a clean sheet.

    Resources are full, and there are no conditions, cooldowns or used boxes. Money, which nothing
    restores, stays as it is.
    """
    return replace(character, state=state_changes.without_play(character.state))


def game_credits(ruleset: Ruleset) -> Iterator[view.Credit]:
    """Yield the credits of a game and of its packs."""
    head = ruleset.head
    yield view.Credit(head.name, head.version, head.book, head.authors, head.licence)
    for pack in ruleset.packs:
        yield view.Credit(pack.name, pack.version, "", pack.authors, pack.licence)


def _headline(held: HeldEntity) -> view.Headline:
    ruleset, entity = held.state.ruleset, held.entity
    facts = tuple(values.entity_facts(entity, ruleset))
    return view.Headline(
        kind=ruleset.kinds[entity.kind].label,
        name=(held.holding.name if held.holding is not None else entity.name) + held.mark,
        summary=" · ".join(fact.text for fact in facts[:1]),
        facts=facts,
        text=held.prose(entity.text),
    )


def game_theme(ruleset: Ruleset, tags: Iterable[str] = ()) -> view.Theme:
    """Return the theme of a game's sheets, with the accent of the first tag that has one."""
    spec = ruleset.head.theme
    accent = next((spec.accents[tag] for tag in tags if tag in spec.accents), spec.accent)
    return view.Theme(
        accent.colour, accent.on_dark, accent.mark, header=spec.header, ornament=spec.ornament
    )


def _attack_rules(ruleset: Ruleset) -> view.AttackRules | None:
    rules = ruleset.head.attack_roll
    if rules is None:
        return None
    ammo = any(entity.attacks and entity.capacities for entity in ruleset.entities.values())
    way = ruleset.ways_to_roll.get(rules.roll or "")
    dice = way.dice if way is not None and way.how == "under" else rules.dice
    return view.AttackRules(dice, rules.note, ammo, way is None)


def _plural(ruleset: Ruleset, kinds: tuple[str, ...] | list[str]) -> str:
    return ruleset.kinds[kinds[0]].plural if kinds else ""


def _items_label(ruleset: Ruleset) -> str:
    """Return the heading of the equipment that no list shows; empty if the game has none."""
    sheet, listed_kinds = ruleset.head.sheet, ruleset.head.listed_kinds
    kinds = [kind for kind in sheet.items if kind not in listed_kinds]
    return sheet.items_label or (_("Equipment") if len(kinds) > 1 else _plural(ruleset, kinds))


def _training(held: HeldEntity) -> view.Entry:
    """Return a Training with its text, or with its first fact if it has none."""
    entity = held.entity
    first_fact = next((fact.text for fact in values.entity_facts(entity, held.state.ruleset)), "")
    text = held.prose(entity.text or first_fact)
    short = attacks.held_text(held).short
    return view.Entry(entity.id, held.name(), view.RulesText(text, short))


def _table_rules(character: Character) -> Iterator[view.Fact]:
    """Yield the table rules that differ from the default."""
    for rule in character.state.ruleset.head.table_rules:
        chosen = character.state.rules.get(rule.id, rule.default)
        for option in rule.options:
            if option.id == chosen != rule.default:
                yield view.Fact(rule.label, option.label)


def _allowed(character: Character) -> Iterator[view.Fact]:
    """Yield overrides, and holdings given by the GM."""
    for overridden in character.overridden:
        by = f"{overridden.override.by}: {overridden.override.reason}"
        yield view.Fact(
            character.label(overridden.decision), f"{'; '.join(overridden.reasons)} ({by})"
        )
    for holding in character.state.holdings:
        if holding.granted:
            yield view.Fact(holding.name, holding.note or _("awarded by the GM"))


def _problems(character: Character) -> Iterator[str]:
    """Yield the problems of a character that is not legal or not complete."""
    for problem in character.problems:
        label = with_colon(problem.label) if problem.label else ""
        yield f"{label} {problem.message}".lstrip()
    broken = {problem.decision for problem in character.problems}
    for decision in character.open:
        if decision.id not in broken:
            yield _("Not answered yet: {heading}").format(heading=decision.heading())


# ---------------------------------------------------------------- story


def _story(character: Character) -> Iterator[view.StoryPart]:
    """Yield the questions of the story in the ruleset's order, then the player's other texts."""
    listed = character.state.ruleset.head.sheet.story
    for name in listed:
        decision = character.decision(name)
        if decision is not None:
            yield _story_part(character, decision)
    for decision in character.asked:
        if (
            decision.question.is_text
            and decision.id not in listed
            and _is_unprinted(character, decision)
        ):
            yield _story_part(character, decision)


def _is_unprinted(character: Character, decision: Decision) -> bool:
    """Return whether a player's text is printed nowhere else on the sheet."""
    state = character.state
    holding = state.holding(decision.holding)
    if not state.answers.get(decision.id):
        return False
    if holding is None:
        return True
    entity, name = holding.entity, decision.question.id
    printed = name == entity.titled or f"{{${name}}}" in entity.text
    return entity.kind in state.ruleset.head.sheet.headline and not printed


def _story_part(character: Character, decision: Decision) -> view.StoryPart:
    state = character.state
    listed = decision.sheet_items(state.answers.get(decision.id))
    sections = {section.id: section.label for section in state.ruleset.head.sections}
    answers = tuple(_story_answer(character, decision, item) for item in listed)
    allowed = any(one.decision == decision.id for one in character.overridden)
    marked = any(answer.name.endswith(ALLOWED) for answer in answers)
    return view.StoryPart(
        id=decision.id,
        section=sections.get(decision.section, ""),
        label=state.ruleset.short_label(decision.question)
        + (f" {ALLOWED}" if allowed and not marked else ""),
        form=decision.answer_form,
        answers=answers,
    )


def _story_answer(character: Character, decision: Decision, answer: object) -> view.StoryAnswer:
    """Return one answer: a chosen entity or option with its text, or the player's own text."""
    state, text = character.state, str(answer)
    if decision.question.is_text:
        return view.StoryAnswer("", player_text(text))
    for holding in state.holdings:
        if holding.origin == decision.id and holding.entity.id == text:
            held = HeldEntity.of(state, holding)
            return view.StoryAnswer(held.name(), held.prose(holding.entity.text))
    for option in decision.question.listed_options:
        if option.id == text:
            return view.StoryAnswer(option.label, player_text(option.text))
    return view.StoryAnswer(text, ())


def _note(note: NoteEvent) -> view.Note:
    return view.Note(player_text(note.text), note.at.partition(" ")[0], note.author)


# ---------------------------------------------------------------- reference


def _reference_entry(state: State, entity: Entity) -> view.Entry:
    """Return an entity of the ruleset with its text and actions."""
    held = HeldEntity(state, entity)
    return view.Entry(entity.id, entity.name, attacks.held_text(held), attacks.actions(held))


def _reference(state: State, shown: Iterable[Any], tags: Iterable[str]) -> tuple[view.Entry, ...]:
    """Return the terms that every sheet explains, then by name those that ``shown`` mentions.

    ``shown`` are parts of the view, ``tags`` the tags of the holdings. A name counts as
    mentioned only with its capital letter.
    """
    sheet = state.ruleset.head.sheet
    text = "\n".join(view_texts(list(shown)))
    tagged = {tag.casefold() for tag in tags}
    terms = [state.ruleset.entity(name) for name in sheet.always]
    for kind in sheet.reference:
        for entity in state.ruleset.of_kind(kind):
            names = (entity.name, *entity.aliases)
            mentioned = any(_mentions(text, name) or name.casefold() in tagged for name in names)
            if mentioned and entity not in terms and entity.id not in sheet.conditions:
                terms.append(entity)
    return sorted_reference((_reference_entry(state, entity) for entity in terms), state.ruleset)


def sorted_reference(entries: Iterable[view.Entry], ruleset: Ruleset) -> tuple[view.Entry, ...]:
    """Return terms by name, but first those that every sheet explains, in the order of the game."""
    always = ruleset.head.sheet.always

    def place(entry: view.Entry) -> tuple[int, str]:
        return (
            (always.index(entry.id), "")
            if entry.id in always
            else (len(always), sort_key(entry.name))
        )

    return tuple(sorted(entries, key=place))


def _mentions(text: str, name: str) -> bool:
    # Most names are not in the text at all, which is much faster to find out.
    return name in text and re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", text) is not None


def view_texts(part: Any) -> Iterator[str]:
    """Yield every text in a part of a view; of prose, each paragraph."""
    if isinstance(part, str | Block):
        yield str(part)
    elif isinstance(part, tuple | list):
        for inner in part:
            yield from view_texts(inner)


# ---------------------------------------------------------------- blank sheets


def blank_view(ruleset: Ruleset) -> view.SheetView:
    """Return the view of a blank sheet of a ruleset.

    Figures that remain in it mean nothing; a ``blank`` sheet does not print them. Texts with
    figures are left out.
    """
    character = replay(ruleset, {})
    unfilled, numbers = build(character), character.state.values()
    sheet = ruleset.head.sheet
    kinds = (ruleset.kinds[kind] for kind in sheet.headline)
    return unfilled._replace(
        headline=tuple(view.Headline(kind.label, "", "", (), ()) for kind in kinds),
        vitals=tuple(map(_unknown, unfilled.vitals)),
        pools=tuple(pool._replace(dice=()) for pool in unfilled.pools),
        trackers=tuple(map(_unfilled, unfilled.trackers)),
        lists=holdings.blank_lists(numbers),
        charts=tuple(holdings.blank_chart(ruleset.charts[name], numbers) for name in sheet.charts),
        story=tuple(part._replace(answers=()) for part in unfilled.story),
        weapons=(), cards=(), items=(), units=(), training=(), actions=(), reference=(),
        table_rules=(), problems=(), allowed=(), combat=values.blank_combat(numbers),
        primer=(), active_conditions=(), stamp="",
    )  # fmt: skip


def _unknown(vital: view.SheetVital) -> view.SheetVital:
    """Return a vital without figures; its maximum is 0 if it has one."""
    return vital._replace(current=0, max=None if vital.max is None else 0, half=None, step="")


def _unfilled(tracker: view.Tracker) -> view.Tracker:
    """Return a tracker without filled boxes."""
    steps = tuple(step._replace(here=False) for step in tracker.steps)
    return tracker._replace(current=tracker.low, steps=steps)


HOLDINGS = N_("Holdings")
# A condition of a summary: its id, and how much of it, what it is about and on which unit.
SAVED_CONDITION = re.compile(
    r"(?P<id>\S+)(?P<amount> \d+)?(?: \((?P<about>.*?)\))?(?: on (?P<unit>\S+))?"
)


def offline_view(document: Document, error: MissingPack) -> view.SheetView:
    """Return the view of a character's saved summary: names, values and holdings.

    Its only problem is the missing pack (``error``). Labels come from the ruleset if that is
    installed. A summary has no texts and attacks.
    """
    ruleset = loader.load(document.ruleset) if document.ruleset in loader.available() else None
    if ruleset is not None:
        speak(ruleset.page_language)
    summary = document.character
    group = ruleset.head.sheet.attributes if ruleset is not None else ""
    attributes = ruleset.group(group) if ruleset is not None else ()
    values = saved_values(summary.get("values"))
    names = _SavedNames(ruleset, document.labels, values)
    shown = view.SheetView(
        name=document.name,
        ruleset=names.of(document.ruleset),
        level_label=document.labels.get("level", _("Level")),
        level=document.level,
        levels=document.level,  # of a game without levels nothing is known but level 1
        attributes=tuple(_attribute(names, n, values[n]) for n in attributes if n in values),
        figures=tuple(_fact(names, n, values[n]) for n in values if n not in attributes),
        active_conditions=tuple(_saved_conditions(summary.get("conditions"), names)),
        items_label=_(HOLDINGS),
        items=tuple(_items(summary.get("holdings"), names)),
        units=tuple(_units(summary.get("units"), names)),
        problems=(_("as last saved: {reason}").format(reason=error.reason),),
    )
    if ruleset is None:
        return shown
    return shown._replace(
        ruleset=ruleset.head.name,
        level_label=ruleset.head.advancement.label,
        level=ruleset.head.advancement.number(document.level),
        levels=ruleset.head.advancement.maximum,
        theme=game_theme(ruleset),
        attributes_label=ruleset.head.groups.get(group, ""),
    )


class _SavedNames(NamedTuple):
    """How the ids of a summary read: as the ruleset says if it is installed, else as it was saved.

    ``saved`` are the labels in the file and ``values`` its values. An id without a label reads as
    it is.
    """

    ruleset: Ruleset | None
    saved: Mapping[str, str]
    values: Mapping[str, int]

    def of(self, name: str) -> str:
        """Return the label of a value, or the name of an entity or a game."""
        if self.ruleset is not None and name in self.ruleset.values:
            return self.ruleset.values[name].label
        if self.ruleset is not None and name in self.ruleset.entities:
            return self.ruleset.entities[name].name
        return self.saved.get(name) or name_from_id(name)

    def subject(self, about: str) -> str:
        """Return what a condition is about: the label of a value, or what was noted."""
        return self.of(about) if about in self.values or about in self.saved else about


def _attribute(names: _SavedNames, name: str, number: int) -> view.Attribute:
    label = names.of(name)
    return view.Attribute(name, label, label, number, number, False)


def _fact(names: _SavedNames, name: str, number: int) -> view.Fact:
    return view.Fact(names.of(name), str(number))


def _items(holdings: Any, names: _SavedNames) -> Iterator[view.Item]:
    """Yield the holdings of a summary, saved as ``kind/slug`` or ``kind/slug × 3``."""
    for text in holdings if isinstance(holdings, list) else ():
        name, _sign, number = str(text).partition(" × ")
        quantity = int(number) if number.isdecimal() else 1
        label, text = names.of(name), view.RulesText()
        yield view.Item(label, quantity, "", (), text, (), (), _(HOLDINGS))


def _saved_conditions(conditions: Any, names: _SavedNames) -> Iterator[view.ActiveCondition]:
    """Yield the conditions of a summary, saved as ``kind/slug 2 (about) on unit``."""
    for text in conditions if isinstance(conditions, list) else ():
        found = SAVED_CONDITION.fullmatch(str(text))
        if found is None or names.saved.get(found["id"]) == "":
            continue  # damaged, or hidden from players
        name = f"{names.of(found['id'])}{found['amount'] or ''}"
        named = about_subject(name, names.subject(found["about"] or ""))
        shown = f"{names.of(found['unit'])}: {named}" if found["unit"] else named
        yield view.ActiveCondition(found["id"], shown)


def _units(units: Any, names: _SavedNames) -> Iterator[view.UnitPanel]:
    """Yield the units of a summary with their values and the names of their holdings."""
    for number, unit in enumerate(units if isinstance(units, list) else ()):
        if not isinstance(unit, Mapping):
            continue
        name = names.of(str(unit.get("id", "")))
        level = unit.get("level")
        facts = _facts(unit.get("values"), names)
        holdings = ", ".join(item.name for item in _items(unit.get("holdings"), names))
        facts += [view.Fact(_(HOLDINGS), holdings)] if holdings else []
        shown_level = level if isinstance(level, int) else 1
        yield view.UnitPanel(f"unit-{number}", name, "", shown_level, figures=tuple(facts))


def _facts(values: Any, names: _SavedNames) -> list[view.Fact]:
    return [_fact(names, name, number) for name, number in saved_values(values).items()]
