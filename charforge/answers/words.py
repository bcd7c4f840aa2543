"""Questions, options and answers in the words of their ruleset.

Everything here is read from the pack: nothing knows a game, and nothing
asks or prints. Texts keep the pack's small markup.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from charforge.content.models import Action, Assign, Attack, Choose, Enter, Entity, Modifier, Roll
from charforge.content.ruleset import Ruleset
from charforge.engine import prerequisites
from charforge.engine.decisions import Answer, Decision, Offer, rolled
from charforge.text import MINUS, as_written

NAME = re.compile(r"[a-z_][a-z0-9_]*", re.IGNORECASE)
SIGNS = {"set": "=", "add": "+", "multiply": "×", "at_least": "at least", "at_most": "at most"}
FEW = 4
NOTHING = "none"
EMPTY = "left empty"


def question(decision: Decision) -> str:
    """Return what is asked, with the name of the thing whose choice it is."""
    label = decision.ask.label
    holding = decision.before.holding(decision.holding)
    if holding is None or holding.entity.name in label:
        return label
    return f"{holding.entity.name}: {label}"


def answer(decision: Decision, given: Answer) -> str:
    """Return an answer in words; it need not be an allowed one."""
    ask = decision.ask
    if isinstance(ask, Roll):
        sound = not decision.faults(given)
        return _dice(decision, ask, rolled(given)) if sound else json.dumps(given)
    if isinstance(ask, Assign) and isinstance(given, dict):
        names = [name for name in decision.targets() if name in given]
        return ", ".join(f"{value(decision, name)} {given[name]}" for name in names)
    if isinstance(ask, Enter):
        unit = decision.before.ruleset.values[ask.to].unit if ask.to else ""
        return f"{given} {unit}".strip()
    if isinstance(given, list | tuple):
        counted = Counter(label(decision, item) for item in given)
        shown = (name if times == 1 else f"{name} × {times}" for name, times in counted.items())
        return ", ".join(shown) or NOTHING
    if not isinstance(ask, Choose):
        return str(given) or EMPTY
    return label(decision, given)


def label(decision: Decision, item: Answer) -> str:
    """Return the name of one option; own words and numbers are their own."""
    ruleset, ask = decision.before.ruleset, decision.ask
    for option in ask.options if isinstance(ask, Choose) else ():
        if option.id == item:
            return option.label
    if not isinstance(item, str):
        return str(item)
    if item in ruleset.entities:
        return ruleset.entities[item].name
    if item in ruleset.values:
        return ruleset.values[item].name
    term = ruleset.term(item)
    return term.label if term else item


def value(decision: Decision, name: str) -> str:
    """Return the short label of a value."""
    return decision.before.ruleset.values[name].label


def _dice(decision: Decision, ask: Roll, rolls: list[list[int]]) -> str:
    """Show the dice that count, what they bring, and those that were rolled again."""
    *before, last = rolls
    shown = faces(last)
    if ask.to is not None:
        total, _note = decision.result(last)
        shown += f" → {value(decision, ask.to)} {signed(total)}"
    if before:
        shown += f" (rolled again after {'; '.join(map(faces, before))})"
    return shown


def faces(rolls: Iterable[int]) -> str:
    """Show the faces of some dice."""
    return " ".join(map(str, rolls))


def signed(amount: int) -> str:
    """Show a change with its sign."""
    return f"{amount:+d}".replace("-", MINUS)


def dice(decision: Decision) -> str:
    """Return what a roll adds up to, with this character's figures: ``1d6 + 7, at least 11``."""
    ask = decision.ask
    assert isinstance(ask, Roll)
    values = decision.before.values(decision.unit)
    plus = values.evaluate(ask.plus)
    shown = ask.dice
    if plus:
        shown += f" {'+' if plus > 0 else MINUS} {abs(plus)}"
    if ask.minimum is not None:
        shown += f", at least {values.evaluate(ask.minimum)}"
    if ask.maximum is not None:
        shown += f", at most {values.evaluate(ask.maximum)}"
    return f"{value(decision, ask.to)}: {shown}" if ask.to else shown


def about(offer: Offer, ruleset: Ruleset) -> str:
    """Return all a player should know of an option, a line a paragraph."""
    if offer.entity is not None:
        return "\n".join(entity(offer.entity, ruleset))
    if offer.text or offer.option is None:
        return as_written(offer.text)
    lines = [_changes(offer.option.modifies, ruleset)]
    for grant in offer.option.grants:
        given = ruleset.entity(grant.id)
        heading = f"**{given.name}**" + (f" × {grant.quantity}" if grant.quantity > 1 else "")
        lines += [heading, *entity(given, ruleset, grant.with_)]
    return "\n".join(filter(None, lines))


def entity(found: Entity, ruleset: Ruleset, settled: Collection[str] = ()) -> Iterator[str]:
    """Yield the paragraphs that tell what an entity is, does and brings.

    Choices that are ``settled`` are not named.
    """
    paragraphs = [
        _facts(found, ruleset),
        as_written(found.text),
        _figures(found, ruleset),
        *(action(item, found, ruleset) for item in found.actions),
        *(attack(item, ruleset) for item in found.attacks),
        *_each_level(found, ruleset),
        *_brings(found, ruleset),
        *_asks(found, ruleset, settled),
    ]
    return filter(None, paragraphs)


def _facts(found: Entity, ruleset: Ruleset) -> str:
    shown = []
    for name, field in ruleset.kinds[found.kind].fields.items():
        fact = found.own.get(name)
        if fact is True:
            shown.append(field.label)
        elif isinstance(fact, list):
            shown.append(f"{field.label}: {', '.join(map(str, fact))}")
        elif fact not in (None, False, ""):
            known = ruleset.entities.get(str(fact))
            shown.append(f"{field.label}: {known.name if known else fact}")
    return " · ".join(shown)


def _figures(found: Entity, ruleset: Ruleset) -> str:
    """Say what it changes, and the figures that a unit starts with."""
    start = dict(found.values)
    for table in found.tables:
        row = next(iter(table.rows))
        start |= {name: table.cell(row, column) for column, name in enumerate(table.columns)}
    shown = [f"{_label(ruleset, name)} {said(str(f), ruleset)}" for name, f in start.items()]
    changes = _changes(found.modifies, ruleset)
    return ", ".join([*shown, changes] if changes else shown)


def _changes(modifiers: Iterable[Modifier], ruleset: Ruleset) -> str:
    """Say the lasting changes that depend on nothing else."""
    shown = []
    for modifier in modifiers:
        if modifier.when is not None or modifier.layer != "lasting" or modifier.value[0] == "$":
            continue
        amount = modifier.amount.constant
        if modifier.op == "add" and amount is not None:
            change = signed(amount)
        else:
            change = f"{SIGNS[modifier.op]} {said(str(modifier.amount), ruleset)}"
        shown.append(f"{_label(ruleset, modifier.value)} {change}")
    return ", ".join(shown)


def _label(ruleset: Ruleset, name: str) -> str:
    if name.startswith("group:"):
        return ruleset.head.groups.get(name[6:], name[6:])
    found = ruleset.values.get(name)
    return found.label if found else name


def said(formula: str, ruleset: Ruleset) -> str:
    """Write a formula with labels in place of ids."""
    found = NAME.sub(lambda match: _label(ruleset, match[0].lower()), formula)
    return found.replace(" * ", " × ")


def action(found: Action, bearer: Entity, ruleset: Ruleset) -> str:
    """Tell an action in one paragraph: when, at what price, and what it does."""
    timing = next((t.label for t in ruleset.head.timings if t.id == found.timing), found.timing)
    capacities = {capacity.id: capacity.label for capacity in bearer.capacities}
    parts = [f"**{timing}{f' {found.name}' if found.name else ''}**"]
    for name, amount in found.cost.items():
        parts.append(f"{amount} {capacities.get(name) or _label(ruleset, name)}")
    if found.cooldown:
        numbered = found.cooldown[0].isdigit()
        parts.append(f"Cooldown {found.cooldown}" if numbered else found.cooldown.capitalize())
    parts += [part for part in (found.limit, found.trigger, found.who) if part]
    if found.requires is not None:
        parts.append(f"needs {prerequisites.words(found.requires, ruleset)}")
    return f"{' · '.join(as_written(part) for part in parts)}: {as_written(found.text)}"


def attack(found: Attack, ruleset: Ruleset) -> str:
    """Tell an attack in one paragraph."""
    terms = (ruleset.term(name) for name in found.type if not name.startswith("$"))
    types = " or ".join(term.label for term in terms if term)
    shots = f" × {found.shots} shots" if found.shots is not None else ""
    parts = [
        f"**{found.name or 'Attack'}** {found.range}",
        f"{_label(ruleset, str(found.hit))} against {_label(ruleset, found.defence)}",
        f"{found.damage}{shots} {types}".strip(),
    ]
    if found.crit is not None:
        parts.append(f"by {found.crit.margin} or more: {found.crit.effect}")
    text = f": {found.text}" if found.text else ""
    return as_written(" · ".join(parts) + text)


def _each_level(found: Entity, ruleset: Ruleset) -> Iterator[str]:
    for ask in found.each_level:
        if isinstance(ask, Roll) and ask.to is not None:
            shown = f"{ask.dice} + {said(str(ask.plus), ruleset)}"
            if ask.minimum is not None:
                shown += f", at least {said(str(ask.minimum), ruleset)}"
            level = ruleset.head.advancement.label
            yield f"Each further {level}: {_label(ruleset, ask.to)} + {shown}"


def _brings(found: Entity, ruleset: Ruleset) -> Iterator[str]:
    """Name what is granted, by kind."""
    by_kind: dict[str, list[str]] = {}
    for grant in found.grants:
        given = ruleset.entity(grant.id)
        name = given.name + (f" × {grant.quantity}" if grant.quantity > 1 else "")
        if grant.level > 1:
            name += f" ({ruleset.head.advancement.label} {grant.level})"
        by_kind.setdefault(given.kind, []).append(name)
    for kind, names in by_kind.items():
        heading = ruleset.kinds[kind].label if len(names) == 1 else ruleset.kinds[kind].plural
        yield f"{heading}: {', '.join(names)}"


def _asks(found: Entity, ruleset: Ruleset, settled: Collection[str]) -> Iterator[str]:
    """Name the choices that it will ask for, and their options where they are few."""
    for ask in found.choices:
        if ask.id in settled:
            continue
        options = list(_few(ask, ruleset)) if isinstance(ask, Choose) else []
        shown = f" {' or '.join(options)}" if 0 < len(options) <= FEW else ""
        yield f"To choose: {ask.label}{'' if not shown or ask.label.endswith('?') else ':'}{shown}"


def _few(ask: Choose, ruleset: Ruleset) -> Iterator[str]:
    """Yield the options that the pack itself lists."""
    yield from (option.label for option in ask.options)
    if ask.among is not None and ask.among.terms:
        terms = ruleset.head.terms.get(ask.among.terms, ())
        yield from (term.label for term in terms if term.id in (ask.among.only or (term.id,)))
