"""Lookup by name: holdings, entities, rules and abilities; the reasons against an option."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from charforge.character.requirements import Applicant, is_chosen, unmet_requirements
from charforge.character.state import CHARACTER, Holding, State, Unit, units_named
from charforge.decisions import options
from charforge.decisions.kinds import make_decision
from charforge.describe.held_entities import HeldEntity
from charforge.errors import (
    FILE,
    AmbiguousName,
    MissingInput,
    RefusedAbility,
    RuleRefusal,
    UnknownId,
    UsageError,
    WrongUnit,
    shorten,
)
from charforge.language import _
from charforge.procedures import abilities, use
from charforge.procedures.abilities import Ability
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import LowestDice, values_of
from charforge.replay.replay import Character
from charforge.rules.models import Action, Entity, Procedure, Question
from charforge.rules.names import ambiguous_name, exact_matches, name_matches
from charforge.rules.ruleset import Ruleset

PROCEDURE = "procedure/"  # before the id of a procedure that has the name of an ability
COUNTED = re.compile(r"^\d+ × | × \d+$| †$")  # what is printed beside a name


def find_holding(
    state: State, name: str, unit_id: str | None = None, among: Iterable[Holding] | None = None
) -> Holding:
    """Return the holding that a player means: the last gained of those alike."""
    return find_holdings(state, name, unit_id, among)[0]


def find_holdings(
    state: State,
    name: str,
    unit_id: str | None = None,
    among: Iterable[Holding] | None = None,
    hands: bool = True,
) -> tuple[Holding, ...]:
    """Return the holdings that a player means: all those alike, the last one gained first.

    A name is an instance id, an entity's id or slug, what is printed of the
    holding, or the beginnings of words of its name. ``unit_id`` is the unit
    that has it (None: any), ``among`` limits the holdings. Without ``hands``
    those in hand and those that are not are alike. Raises UnknownId, or
    UsageError that lists holdings that are not alike.
    """
    known = state.holdings if among is None else among
    candidates = [holding for holding in known if unit_id in (None, holding.unit)]
    matches = [holding for holding in candidates if holding.id == name]
    matches = matches or _matching_holdings(state, candidates, name)
    if not matches:
        named = dict.fromkeys(h.name for h in candidates)
        names = (*named, *(h.entity.name for h in candidates))
        raise UnknownId(
            _("item of yours"), name, names, named, _("To list them: {command}"), ["show", FILE]
        )
    if len({_distinction(state, holding, hands) for holding in matches}) == 1:
        return tuple(reversed(matches))
    in_hand = ((h, _(", in hand") if state.in_hand.get(h.id) else "") for h in matches)
    raise ambiguous_name(
        name, ((f"{holding_description(state, h)}{held}", h.id) for h, held in in_hand)
    )


def _matching_holdings(state: State, candidates: list[Holding], name: str) -> list[Holding]:
    """Return the holdings with a name: by name, by label, else by the first words."""

    def names(holding: Holding) -> Iterator[str]:
        yield holding.name
        yield from holding.entity.names

    plain = _without_count(name)
    return (
        exact_matches(candidates, plain, names)
        or labelled_holdings(state, candidates, name)
        or name_matches(candidates, plain, names)
    )


def labelled_holdings(state: State, among: Iterable[Holding], name: str) -> list[Holding]:
    """Return the holdings that are printed with a name, such as ``2 × Torch`` or Rifle (Sharp)."""

    def labels(holding: Holding) -> Iterator[str]:
        yield holding_label(state, holding)
        yield HeldEntity.of(state, holding).unmarked_name()

    return exact_matches(among, _without_count(name), labels)


def _without_count(name: str) -> str:
    return COUNTED.sub("", COUNTED.sub("", name.strip()))


def _distinction(state: State, holding: Holding, hands: bool) -> tuple[object, ...]:
    """Return a key that is equal for identical holdings; units and containers are unique."""
    prefix = f"{holding.id}."
    if state.has_unit(holding.id) or any(h.id.startswith(prefix) for h in state.holdings):
        return (holding.id,)
    held = HeldEntity.of(state, holding)
    chosen = [
        (name.removeprefix(prefix), str(answer))
        for name, answer in (*state.answers.items(), *state.roll_totals.items())
        if name.startswith(prefix)
    ]
    spent = [
        (resource, by)
        for (item, resource), by in state.resource_changes.items()
        if item == holding.id and by
    ]
    used = [
        *spent,
        *(ability for item, ability in state.cooldowns if item == holding.id),
        *((use.key, use.times) for use in state.uses if use.source == holding.id),
    ]
    return (
        holding.entity.id, holding.unit, held.name(), held.trained, str(sorted(chosen)),
        state.is_attached(holding), str(used), holding.quantity if used else 0,
        hands and (bool(state.in_hand.get(holding.id)), bool(state.pieces_worn(holding))),
    )  # fmt: skip


def holding_description(state: State, holding: Holding) -> str:
    """Return the name of a holding with its number, its owner and its choices."""
    times = f"{holding.quantity} × " if holding.quantity > 1 else ""
    return times + holding_label(state, holding)


def holding_label(state: State, holding: Holding) -> str:
    """Return the name of one piece of a holding, with its owner and its choices."""
    chosen = [
        state.ruleset.name_part(question, answer)
        for question in (() if holding.entity.titled else holding.entity.choices)
        if isinstance(answer := state.answers.get(f"{holding.id}.{question.id}"), str)
    ]
    if holding.unit != CHARACTER:
        chosen.append(_("of {name}").format(name=state.unit(holding.unit).name))
    return holding.name + (f" ({', '.join(chosen)})" if chosen else "")


def find_gear(ruleset: Ruleset, name: str) -> Entity:
    """Return the gear that a player means. Raises as ``find_entity`` does."""
    kinds = ruleset.head.gear.kinds
    return find_entity(ruleset, name, lambda entity: entity.kind in kinds, _("gear"))


def find_entity(ruleset: Ruleset, name: str, fits: Callable[[Entity], bool], what: str) -> Entity:
    """Return the entity that a player means, by id, slug, a name or the beginnings of its words.

    ``fits`` says which entities it may be, ``what`` names them in errors. An
    alias stands for the entity that it names. Raises UnknownId, or
    UsageError that lists several.
    """
    candidates = [entity for entity in ruleset.entities.values() if fits(entity)]
    exact = ruleset.entities.get(ruleset.canonical(name.strip().casefold()))
    if exact is not None and fits(exact):
        matches = [exact]
    else:
        matches = name_matches(candidates, name, lambda entity: entity.names)
    aliases = [entity for entity in matches if entity.alias_of]  # an entry of its own has priority
    ids = dict.fromkeys(ruleset.canonical(entity.id) for entity in aliases or matches)
    if not ids:
        known = [word for e in candidates for word in (e.id, e.name, *e.aliases)]
        raise UnknownId(
            _("{what} of {name}").format(what=what, name=ruleset.head.name), name, known
        )
    entities = [ruleset.entity(known) for known in ids]
    if len(entities) > 1:
        raise ambiguous_name(name, ((entity.name, entity.id) for entity in entities))
    return entities[0]


def explain_legality(
    character: Character, name: str, unit_id: str | None = None
) -> tuple[Entity, tuple[str, ...]]:
    """Return an entity and every reason against choosing it now.

    The last choice of ``unit_id`` (None: of any unit) that offers it is asked
    again with the character as it is. Reasons that the pack gives for the
    next level count too. If no choice offers it, the reasons name what grants it.
    For gear no choice is asked: it can be bought.
    """
    state = character.state
    bearers = units_named(state, unit_id)
    entity = state.ruleset.entity(state.ruleset.canonical(name))
    is_gear = entity.kind in state.ruleset.head.gear.kinds
    for bearer in () if is_gear else bearers:
        later = [
            make_decision(question.id, question, state, bearer.id)
            for question in _asked_later(state, bearer)
        ]
        for decision in [*reversed(character.asked), *later]:
            again = replace(decision, before=state)
            if decision.unit == bearer.id and any(o.entity is entity for o in again.options()):
                reasons = again.closed_reasons(entity.id)
                return entity, (*_reasons_of_pack(state, bearer, entity), *reasons)
    reasons = unmet_requirements(entity.requires, Applicant(state, bearers[0].id, entity))
    return entity, (*reasons, *_reasons_unoffered(state, bearers[0], entity))


def _reasons_unoffered(state: State, unit: Unit, entity: Entity) -> Iterator[str]:
    """Yield why no choice of a unit offers an entity: the pack's reason, what grants it.

    Gear needs no choice, and nothing that grants it: it can be bought.
    """
    known = [*_reasons_of_pack(state, unit, entity)]
    if entity.kind not in state.ruleset.head.gear.kinds:
        known.append(options.origin_text(state.ruleset, entity))
        if not any(known):
            known = [_("no choice offers it")]
    yield from filter(None, known)


def _reasons_of_pack(state: State, unit: Unit, entity: Entity) -> Iterator[str]:
    """Yield the reasons that the pack gives for not offering an entity at further levels."""
    for question in _asked_later(state, unit):
        reason = options.pack_reason(question, entity)
        if reason:
            yield reason


def _asked_later(state: State, unit: Unit) -> tuple[Question, ...]:
    """Return the questions of further levels of the character or a unit."""
    return state.ruleset.head.advancement.asks if unit.owner is None else unit.type.asks


# ------------------------------------------------------------------ rules and abilities


def find_rule(ruleset: Ruleset, named: str) -> Procedure | None:
    """Return the procedure with this id or label, or ``procedure/ID``; None for none.

    The label of the turn order, as the sheet has it, means the rule that rolls it.
    """
    found = exact_matches(
        ruleset.procedures.values(), named, lambda rule: (rule.id, PROCEDURE + rule.id, rule.label)
    )
    if found:
        return found[0]
    order = ruleset.head.play.order
    if order and name_matches([order.label], named, lambda label: (label,), beginnings=False):
        return ruleset.procedure((order.rolled or order).procedure)
    return None


def find_procedure(ruleset: Ruleset, named: str) -> Procedure:
    """Return the procedure with this id or label. Raises UnknownId with the nearest one."""
    return find_rule(ruleset, named) or ruleset.procedure(named)


def named_rule(state: State, unit_id: str, named: str, action: str | None) -> Procedure | None:
    """Return the procedure with a name, unless it is also the name of an ability of the unit.

    With ``action``, which selects an ability, it is None.
    """
    rule = find_rule(state.ruleset, named)
    return None if action is not None or has_named(state, unit_id, named) else rule


def find_ability(state: State, unit_id: str, named: str, action: str | None = None) -> Ability:
    """Return the ability with a name: its entity's, its own, or the first words of one.

    ``action`` selects one of several of an entity. Of several that match, the ``preferences`` of a
    search say which one is meant. Raises UnknownId for none, AmbiguousName for several.
    """
    everything = list(abilities.all_abilities(state, unit_id))
    matches: Found = _matching_abilities(state, everything, named)
    if not matches:
        _refuse_other_units(state, unit_id, named)
        _refuse_unusable_holding(state, unit_id, named)
        names = ((a.entity.name, a.name, a.entity.id) for a in everything)
        known = dict.fromkeys(chain.from_iterable(names))
        listed = dict.fromkeys(ability.name for ability in everything)
        value = state.ruleset.value_named(named)
        if value is None or not _is_checked(state.ruleset, value.id):
            raise UnknownId(
                _("ability here"), named, known, listed, _("To list them: {command}"), ["use", FILE]
            )
        raise UnknownId(
            _("ability here"),
            named,
            known,
            (),
            advice=_("To roll a check of it: {command}"),
            command=["roll", FILE, named],
        )
    matches = AbilitySearch(state, unit_id, named, action).preferred(matches)
    if len(matches) > 1:
        reason = _("{named} matches several abilities").format(named=shorten(named))
        ways = _ways_to_name(state, everything, matches, by_name=action is None)
        raise AmbiguousName(reason, named, ways)
    return matches[0]


Found = Sequence[Ability]


class AbilitySearch(NamedTuple):
    """A search for an ability by name; ``action`` selects one of several of an entity.

    Each preference returns which of several abilities that match are meant, none if it cannot tell.
    """

    state: State
    unit_id: str
    named: str
    action: str | None = None

    @property
    def preferences(self) -> tuple[Callable[[Found], Found], ...]:
        """The preferences between several abilities that match, in their order."""
        if self.action is not None:
            return (
                self.effective, self.of_source, self.of_action, self.in_hand, self.without_twins,
            )  # fmt: skip
        return (
            self.effective, self.chosen, self.in_hand,
            self.attacks_of_source, self.usable_of_source, self.waiting_of_source,
            self.named_exactly, self.of_named_entity, self.of_unit_itself,
            self.of_own_name, self.plain_attack, self.without_twins,
        )  # fmt: skip

    def preferred(self, found: Found) -> Found:
        """Return those that all preferences leave: one, if the name says which one is meant."""
        for prefer in self.preferences:
            found = prefer(found) or found
        return found

    def effective(self, found: Found) -> Found:
        """Return those that change anything."""
        return [ability for ability in found if does_something(ability)]

    def chosen(self, found: Found) -> Found:
        """Return those that the choices of their entities give."""
        return [ability for ability in found if _is_chosen(self.state, ability)]

    def of_source(self, found: Found) -> Found:
        """Return those of the source with this id, as the lists of abilities have it."""
        return [ability for ability in found if ability.source == self.named.strip()]

    def of_action(self, found: Found) -> Found:
        """Return those that ``--action`` means. Raises UnknownId for none."""
        state, action = self.state, str(self.action)
        chosen = self.chosen(found) or found
        meant = exact_matches(chosen, action, lambda ability: (ability.key,)) or name_matches(
            chosen, action, lambda ability: (action_word(state, ability), *_own_names(ability))
        )
        if not meant:
            known = dict.fromkeys(action_word(state, ability) for ability in chosen)
            names = dict.fromkeys(ability.entity.name for ability in chosen)
            raise UnknownId(_("action of {name}").format(name=", ".join(names)), action, known)
        return meant

    def in_hand(self, found: Found) -> Found:
        """Return those of items in hand and of no item, if an item in hand is among them."""
        state = self.state
        if not any(state.in_hand.get(ability.source) for ability in found):
            return found
        return [ability for ability in found if abilities.unheld_item(state, ability) is None]

    def attacks_of_source(self, found: Found) -> Found:
        """Return the attacks, if all are of one source."""
        if not _alike(found):
            return found
        return [ability for ability in found if ability.attack is not None]

    def usable_of_source(self, found: Found) -> Found:
        """Return those of one source that can be used; its first one is not replaced by others."""
        if not _alike(found):
            return found
        usable = [ability for ability in found if can_be_used(self.state, ability)]
        return usable if not usable or found[0] in usable else found[:1]

    def waiting_of_source(self, found: Found) -> Found:
        """Return those of one source that a cooldown or limit keeps from being used for now."""
        if not _alike(found):
            return found
        return [ability for ability in found if use.is_waiting(self.state, ability)]

    def named_exactly(self, found: Found) -> Found:
        """Return those with exactly this name: of the modes of a weapon, the one without a name."""
        return exact_matches(found, self.named, lambda ability: (ability.name,))

    def of_named_entity(self, found: Found) -> Found:
        """Return those of an entity with exactly this name, rather than actions with it."""
        return exact_matches(found, self.named, lambda ability: ability.entity.names)

    def of_unit_itself(self, found: Found) -> Found:
        """Return what a unit can do by itself, rather than what it can do with something."""
        return [ability for ability in found if ability.source == self.unit_id]

    def of_own_name(self, found: Found) -> Found:
        """Return those of one source that are named so, rather than all that the source gives."""
        if not _alike(found):
            return found
        return name_matches(found, self.named, lambda ability: (ability.definition.name,))

    def plain_attack(self, found: Found) -> Found:
        """Return the attacks of one source that have no name, rather than its named modes."""
        if not _alike(found):
            return found
        return [one for one in found if one.attack is not None and not one.attack.name]

    def without_twins(self, found: Found) -> Found:
        """Return one ability instead of each of several items that are alike.

        The first that can be used, of those in hand if any are.
        """
        state = self.state
        groups: dict[tuple[str, ...], list[Ability]] = {}
        for ability in found:
            item = ability.holding
            label = ability.source if item is None else holding_label(state, item)
            groups.setdefault((ability.entity.id, ability.key, label), []).append(ability)
        kept: list[Ability] = []
        for alike in groups.values():
            held = [ability for ability in alike if state.in_hand.get(ability.source)] or alike
            usable = (ability for ability in held if can_be_used(state, ability))
            kept.append(held[0] if len(held) == 1 else next(usable, held[0]))
        return kept


def _alike(found: Found) -> bool:
    return len({ability.source for ability in found}) == 1


def _is_checked(ruleset: Ruleset, value: str) -> bool:
    """Return whether the rule of checks can roll a value."""
    check = ruleset.procedures.get(ruleset.head.play.check or "")
    inputs = () if check is None else check.inputs
    return any(i.type == "value" and value in values_of(ruleset, i) for i in inputs)


def action_word(state: State, ability: Ability) -> str:
    """Return the word of ``--action`` for an ability, and its timing if that has two.

    It is the name that players see, or else its key.
    """
    word, *number = ability.key.split("#")
    alike = [
        other
        for other in abilities.all_abilities(state, ability.unit)
        if other.source == ability.source and other.key.split("#")[0] == word
        if _is_chosen(state, other)
    ]
    shown = ability.definition.name or word
    if not number or ability.action is None or alike == [ability]:
        return shown
    return f"{shown} {_timing_label(state, ability.action)}"


def _timing_label(state: State, action: Action) -> str:
    return next(t.label for t in state.ruleset.head.timings if t.id == action.timing)


def _is_chosen(state: State, ability: Ability) -> bool:
    """Return whether the choices of its entity give the ability, such as the hands of a shield."""
    applicant = Applicant(state, ability.unit, ability.entity, ability.source)
    return is_chosen(ability.definition.requires, applicant)


def ability_name(
    state: State, ability: Ability, everything: Iterable[Ability] | None = None
) -> str:
    """Return the name of an ability, with its timing or key if its source has several alike.

    ``everything`` are all abilities of its unit, where they are known already.
    """
    if everything is None:
        everything = abilities.all_abilities(state, ability.unit)
    alike = [
        other
        for other in everything
        if other.source == ability.source
        and other.name == ability.name
        and (other == ability or _is_chosen(state, other))
    ]
    if len(alike) < 2:
        return ability.name
    timings = [other.action.timing for other in alike if other.action is not None]
    if ability.action is None or timings.count(ability.action.timing) > 1:
        return f"{ability.name} ({action_word(state, ability)})"
    return f"{ability.name} ({_timing_label(state, ability.action)})"


def has_named(state: State, unit_id: str, named: str) -> bool:
    """Return whether a unit has an ability with exactly this name."""
    return bool(exact_matches(abilities.all_abilities(state, unit_id), named, _ability_names))


def _refuse_other_units(state: State, unit_id: str, named: str) -> None:
    """Raise WrongUnit if another unit has the ability."""
    for other in state.units:
        if other.id != unit_id and _matching_abilities(
            state, abilities.all_abilities(state, other.id), named
        ):
            whose = other.name or _("the character")
            raise WrongUnit(
                _("{named} is an ability of {whose}").format(named=shorten(named), whose=whose),
                state.unit_word(other) if other.name else "",
            )


def _refuse_unusable_holding(state: State, unit_id: str, named: str) -> None:
    """Raise UsageError for a holding that has no action or attack."""
    unusable = [h for h in state.held(unit_id) if not (h.entity.actions or h.entity.attacks)]
    holdings = exact_matches(unusable, named, lambda h: (h.id,)) or name_matches(
        unusable, named, lambda h: (h.entity.id, h.name)
    )
    if holdings:
        name = holdings[0].name
        reason = _("{name} has no action or attack").format(name=name)
        uses = _uses_with(state, unit_id, holdings[0])
        if uses:
            raise UsageError(reason, _("It is used with: {uses}.").format(uses="; ".join(uses)))
        raise UsageError(reason, _("To see what it does: {command}"), ["explain", FILE, name])


def _uses_with(state: State, unit_id: str, holding: Holding) -> list[str]:
    """Return what to type for the abilities that ask for an item such as this one."""
    return [
        f'"{ability.name}" --set {input_.id}="{holding.name}"'
        for ability in abilities.all_abilities(state, unit_id)
        for input_ in abilities.ability_inputs(state, ability)[0]
        if input_.type == "item" and holding.entity.kind in input_.kind
    ]


def _matching_abilities(state: State, among: Iterable[Ability], named: str) -> list[Ability]:
    """Return the abilities with this name, else those with a printed name that begins with it."""
    among = tuple(among)
    exact = exact_matches(among, named, _ability_names)
    if exact:
        return exact
    items = {a.holding.id: a.holding for a in among if a.holding is not None}
    labelled = {holding.id for holding in labelled_holdings(state, items.values(), named)}
    return [ability for ability in among if ability.source in labelled] or name_matches(
        among, named, _printed_names
    )


def _ability_names(ability: Ability) -> Iterable[str]:
    yield from (ability.source, ability.entity.id, ability.entity.slug)
    yield from _printed_names(ability)
    yield from _own_names(ability)


def _printed_names(ability: Ability) -> Iterable[str]:
    """Yield the names on a sheet."""
    yield from (ability.entity.name, ability.name, *ability.entity.aliases)
    if ability.holding is not None:
        yield ability.holding.name


def _own_names(ability: Ability) -> Iterable[str]:
    yield from (ability.key, f"{ability.entity.name} {ability.key}")
    if ability.definition.name:
        yield ability.definition.name


def does_something(ability: Ability) -> bool:
    """Return whether using the ability changes anything; passive ones do not."""
    action = ability.action
    if action is None or action.uses is not None:
        return True
    runs = action.does or action.inputs or action.procedure
    return bool(action.cost or action.cooldown or runs)


def can_be_used(state: State, ability: Ability) -> bool:
    """Return whether the rules allow its use, once it is off cooldown and within its limits.

    As far as that is known before any dice.
    """
    inputs, _steps = abilities.ability_inputs(state, ability)
    permit = use.Permit(granted=True, overridden=True)
    if any(use.reasons_against(state, ability, permit=permit)):
        return False
    if inputs:
        return True  # it depends on them
    try:
        use.use_ability(state, ability, {}, RunSettings(LowestDice().roll), permit=permit)
    except RuleRefusal:
        return False
    return True


def with_other_abilities(
    state: State,
    named: str,
    ability: Ability,
    refusal: RuleRefusal,
    inputs_not_taken: Callable[[Ability], Mapping[str, str] | None],
) -> RuleRefusal:
    """Return the refusal of an ability, with how to name others of its source that can be used.

    A player who gave only a name may have meant one of those.
    ``inputs_not_taken`` returns which inputs to leave out for one of them, with what was typed
    for them, None if it is refused as well.
    """
    if isinstance(refusal, MissingInput):
        return refusal
    ways = []
    everything = list(abilities.all_abilities(state, ability.unit))
    for other in _matching_abilities(state, everything, named):
        if other.source == ability.source and other != ability and does_something(other):
            not_taken = inputs_not_taken(other)
            if not_taken is not None:
                ((label, words),) = _ways_to_name(state, everything, [other])
                ways.append((label, words, not_taken))
    if not ways:
        return refusal
    return RefusedAbility(refusal.reason, refusal.advice, named, ways, refusal.command)


def _ways_to_name(
    state: State, everything: list[Ability], matches: Found, by_name: bool = True
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the name of each ability, with the words to type for it.

    With ``by_name`` that is the name itself, if it means nothing else of ``everything`` that the
    unit can use.
    """
    ways: list[tuple[str, tuple[str, ...]]] = []
    for ability in matches:
        name = ability_name(state, ability, everything)
        called = _matching_abilities(state, everything, name)
        meant = AbilitySearch(state, ability.unit, name).preferred(called)
        twins = [a for a in matches if (a.entity, a.key) == (ability.entity, ability.key)]
        if by_name and len(twins) == 1 and meant == [ability]:
            ways.append((name, (name,)))
            continue
        labels = {
            a.source if a.holding is None else holding_label(state, a.holding)
            for a in everything
            if a.entity == ability.entity
        }
        source = ability.source if len(labels) > 1 else ability.entity.id
        words = (source, "--action", action_word(state, ability))
        ways.append((name, words))
    return ways
