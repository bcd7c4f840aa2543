"""The story of a character: its answers to the questions that the ruleset lists for it."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.decisions.base import Decision
from charforge.describe.entities import HeldEntity
from charforge.expressions.markup import player_text
from charforge.replay.replay import Character
from charforge.sheet import view


def story_parts(character: Character) -> Iterator[view.StoryPart]:
    """Yield the questions of the story in the ruleset's order, then the player's other texts."""
    listed = character.state.ruleset.head.sheet.story
    for name in listed:
        decision = character.decision(name)
        if decision is not None:
            yield _part(character, decision)
    for decision in character.asked:
        if (
            decision.question.is_text
            and decision.id not in listed
            and _unprinted(character, decision)
        ):
            yield _part(character, decision)


def _unprinted(character: Character, decision: Decision) -> bool:
    """Whether a player's text is printed nowhere else on the sheet."""
    state = character.state
    holding = state.holding(decision.holding)
    if not state.answers.get(decision.id):
        return False
    if holding is None:
        return True
    entity, name = holding.entity, decision.question.id
    printed = name == entity.titled or f"{{${name}}}" in entity.text
    return entity.kind in state.ruleset.head.sheet.headline and not printed


def _part(character: Character, decision: Decision) -> view.StoryPart:
    state = character.state
    answer = state.answers.get(decision.id)
    listed = answer if isinstance(answer, list | tuple) else (answer,) if answer else ()
    sections = {section.id: section.label for section in state.ruleset.head.sections}
    return view.StoryPart(
        id=decision.id,
        section=sections.get(decision.section, ""),
        label=_label(character, decision),
        form=decision.answer_form,
        answers=tuple(_answer(character, decision, item) for item in listed),
    )


def _label(character: Character, decision: Decision) -> str:
    """Return the label of a question: the kind it chooses from, or the end of its id."""
    query = decision.question.query
    if query is not None and len(query.kind) == 1:
        kind = character.state.ruleset.kinds[query.kind[0]]
        return kind.plural if decision.question.is_list else kind.label
    return decision.id.rsplit(".", 1)[-1].replace("-", " ").replace("_", " ").capitalize()


def _answer(character: Character, decision: Decision, answer: object) -> view.StoryAnswer:
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
