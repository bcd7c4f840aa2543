"""Checks of actions and attacks: what nobody could use in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

from charforge.errors import FormulaError, PackProblem, nearest, shorten
from charforge.expressions.dice import parse_dice, possible_totals
from charforge.expressions.formula import FunctionScope
from charforge.expressions.template import parse_figure
from charforge.language import _
from charforge.rules.checks.symbols import all_steps
from charforge.rules.loading.parser import PackReader, PartPlace
from charforge.rules.models import Recover
from charforge.rules.models.base import original
from charforge.rules.models.procedures import NUMBER, cooldown_number
from charforge.rules.ruleset import Ruleset


def endless_cooldowns(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the cooldowns of the entities at ``places`` that no step, or no roll of dice, ends."""
    every_step = chain.from_iterable(all_steps(ruleset))
    steps = [step for step in every_step if isinstance(step, Recover)]
    words = {step.of for step in steps} - {NUMBER}
    for name, (file, path) in places.items():
        for number, action in enumerate(ruleset.entities[name].actions):
            cooldown = original(action.cooldown)
            ending = [step for step in steps if step.is_for(cooldown)]
            rolled = [step for step in ending if step.dice and _by_default(ruleset, step)]
            if not cooldown or any(_can_end(ruleset, step, cooldown) for step in rolled):
                continue
            if not ending:
                message = _(
                    "this stays on cooldown forever: no step (do: recover) is for {cooldown}"
                )
            elif rolled:
                message = _("no roll of {dice} ends the cooldown {cooldown}")
            else:
                continue
            dice = _(" or ").join(sorted({step.dice for step in rolled}))
            message = message.format(cooldown=shorten(cooldown), dice=dice)
            place = (*path, "actions", number, "cooldown")
            yield reader.problem(file, place, message, nearest(cooldown, words))


def attacks_without_rule(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the first attack of the entities at ``places`` if the game has no rule for attacks."""
    if ruleset.head.play.attack is not None:
        return
    for name, (file, path) in places.items():
        if ruleset.entities[name].attacks:
            message = _(
                "this is only printed: the game has no rule for attacks (set play.attack in "
                "ruleset.yaml to the id of a procedure)"
            )
            yield reader.problem(file, (*path, "attacks", 0), message)
            return


def attacks_with_typos(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the attacks of the entities at ``places`` with damage below 0 or a misspelled range.

    A range in words is probably misspelled if no other entity has it, and several have one like it.
    """
    having = Counter(
        words
        for entity in ruleset.entities.values()
        for words in {original(attack.range).strip() for attack in entity.attacks}
    )
    shared = [words for words, times in having.items() if times > 1 and words]
    for name, (file, path) in places.items():
        for number, attack in enumerate(ruleset.entities[name].attacks):
            place, words = (*path, "attacks", number), original(attack.range).strip()
            figure = parse_figure(str(attack.damage))
            if not figure.dice and (figure.formula.constant or 0) < 0:
                yield reader.problem(file, (*place, "damage"), _("damage cannot be below 0"))
            is_rare = having[words] == 1 and not any(map(str.isdecimal, words))
            if is_rare and (near := nearest(words, shared)):
                message = _("no other attack has this range")
                yield reader.problem(file, (*place, "range"), message, near)


def group_typos(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the entities at ``places`` that lists group below a misspelled id of another entity."""
    for name, (file, path) in places.items():
        entity = ruleset.entities[name]
        field = ruleset.kinds[entity.kind].group_by
        group = original(str(entity.own.get(field) or ""))
        if ruleset.canonical(group) in ruleset.entities:
            continue
        if group and (near := nearest(group, ruleset.entities)):
            message = _("nothing has the id {name}").format(name=shorten(group))
            yield reader.problem(file, (*path, field), message, near)


def _by_default(ruleset: Ruleset, step: Recover) -> bool:
    """Return whether a step applies when a group has not changed any table rule."""
    return all(ruleset.table_rules[rule].default == option for rule, option in step.ruled.items())


def _can_end(ruleset: Ruleset, step: Recover, cooldown: str) -> bool:
    """Return whether some roll of the dice of a step can end a cooldown."""
    number = cooldown_number(cooldown) or 0
    if step.judged.asks_facts or step.judged.names - {"roll", "number"}:
        return True
    try:
        return any(
            step.judged.evaluate(FunctionScope({"roll": total, "number": number}.__getitem__))
            for total in possible_totals(parse_dice(step.dice, ruleset.dice))
        )
    except FormulaError:
        return True  # that is another error
