"""The options of a choice: entities, values, terms, dice, or those that the pack lists.

An option that is not listed, although it is of the same sort, is only allowed by an override.

Why an existing entity is not among them, and what grants it, is here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import Any, Self, TypeGuard

from charforge.character.gear import newly_exceeded
from charforge.character.holdings import add_grant, add_holding, has_all
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import ChosenOption, Holding, State
from charforge.character.values import Values
from charforge.decisions.base import Answer, Decision, DecisionOption, OptionId, Reason, is_sequence
from charforge.decisions.roll import last_faces
from charforge.errors import nearest, shorten
from charforge.expressions.formula_text import FactText, FormulaText
from charforge.language import _, either
from charforge.limits import MAX_LISTED
from charforge.rules.checks.cycles import granted_entities
from charforge.rules.models import Choose, Entity, Give, Option, Query, Question
from charforge.rules.models.base import BEARER
from charforge.rules.names import TypedText, answer_matches, exact_matches, original
from charforge.rules.ruleset import Ruleset, figure, matches


@dataclass(frozen=True)
class OptionDecision(Decision):
    """The options of a choice: which there are, by which names, and what each brings."""

    question: Choose
    advises: bool = True  # whether a refusal says what to choose instead
    looks_ahead: bool = True  # whether an option must leave something to choose in its own choices

    is_comparable = True

    def similar_options(self, answer: Answer) -> Iterator[tuple[str, str]]:
        """Yield the player's own words that are spelled like an option, with its label."""
        for item in answer if is_sequence(answer) else [answer]:
            if label := self.similar_option(item):
                yield item, label

    def similar_option(self, item: Answer) -> str:
        """Return the label of the option that own words are spelled like; empty if none is."""
        is_own = self.question.own_words and isinstance(item, str)
        if not is_own or self.item(item) in self.options_by_id:
            return ""
        return nearest(item.strip(), [option.label for option in self.options_by_id.values()])

    def of_length(self, number: int) -> Self:
        """Return this decision with another required length of its list."""
        return replace(self, question=self.question.model_copy(update={"count": number}))

    # ------------------------------------------------------------ what can be chosen

    @cached_property
    def options_by_id(self) -> Mapping[OptionId, DecisionOption]:
        """All options by id, without the reasons against them."""
        ruleset, among = self.ruleset, self.question.among
        if among is None:
            listed = self.question.options
            return {o.id: DecisionOption(o.id, o.label, o.text, option=o) for o in listed}
        if among.query is not None:
            found = _entity_options(ruleset, among.query, self._cost_field)
            if not among.match and not among.query.asks_bearer:
                return found
            return {
                name: option
                for name, option in found.items()
                if option.entity is not None and self._goes_with(among.query, option.entity)
            }
        if among.faces is not None:
            faces = Counter(self.faces())
            return {n: DecisionOption(n, str(n), number=faces[n]) for n in sorted(faces)}
        options = []
        for name in ruleset.values_among(among):
            value = ruleset.values[name]
            names = (value.name, value.label)
            options.append(DecisionOption(name, value.title, value.text, names=names))
        for term in ruleset.terms_among(among):
            options.append(DecisionOption(term.id, term.label, term.text))
        return {option.id: option for option in options}

    def option(self, name: OptionId) -> DecisionOption | None:
        """Return an option by id, without the reasons against it; None if there is none.

        To check one entity, the others that could be chosen need not be read.
        """
        query = self.question.query
        if query is None:
            return self.options_by_id.get(name)
        entity = self.ruleset.entities.get(name) if isinstance(name, str) else None
        if entity is None or not self._goes_with(query, entity):
            return None
        return _entity_option(self.ruleset, entity, self._cost_field)

    def _goes_with(self, query: Query, entity: Entity) -> bool:
        """Return whether an entity is an option of the unit that fits earlier choices."""
        return matches(query, entity, self.values) and self.unmatched_choice(entity) is None

    @property
    def values(self) -> Values:
        """The values of the unit that chooses, before the answer."""
        return self.before.values(self.unit)

    def unmatched_choice(self, entity: Entity) -> str | None:
        """Return the id of an earlier choice that an entity does not go with; None if it fits."""
        among = self.question.among
        for field, question in among.match.items() if among is not None else ():
            value = entity.tags if field == "tags" else entity.own.get(field, ())
            named = {value} if isinstance(value, str) else set(value)
            if not named & self._chosen_words(question):
                return self.matched_decision(question)
        return None

    def matched_decision(self, question: str) -> str:
        """Return the id of the decision that a question of ``match`` is: own ones come first."""
        holding = self.before.holding(self.holding)
        own = {choice.id for choice in holding.entity.choices} if holding is not None else set()
        return f"{self.holding}.{question}" if question in own else question

    def _chosen_words(self, question: str) -> frozenset[str]:
        """Return what was chosen at an earlier choice: its ids, and the slugs of entities."""
        return self.before.chosen_words(self.matched_decision(question))

    @property
    def _cost_field(self) -> str:
        """The field with each option's share of the budget, if there is a budget."""
        return self.question.budget.cost if self.question.budget else ""

    def options(
        self, picked: Sequence[OptionId] = (), only: OptionId | None = None
    ) -> tuple[DecisionOption, ...]:
        """Return all options (or ``only`` one), with the reasons against them after ``picked``."""
        known = self.options_by_id.values() if only is None else [self.option(only)]
        options = [option for option in known if option is not None]
        return tuple(self._checked(options, picked)) if options else ()

    def _checked(
        self, options: Iterable[DecisionOption], picked: Sequence[OptionId]
    ) -> Iterator[DecisionOption]:
        state, chosen, budget = self.state_with(picked), Counter(picked), self.question.budget
        free = (self.free_budget() or 0) - self.spent(picked)
        for option in options:
            reasons = [*self.unmet(option, state)]
            if not reasons and self.ruleset.head.limits:
                more = newly_exceeded(state, self.with_option(state, option.id))
                reasons += [Reason(one.text, "limit") for one in more]
            if budget is not None and option.cost > free:
                count = budget.counted(option.cost)
                needs = _("needs {count}; you have {free} left").format(count=count, free=free)
                reasons.append(Reason(needs, "cost"))
            if option.number is not None and chosen[option.id] >= option.number:
                reasons.append(Reason(_("no more dice with this number"), "taken"))
            elif (
                not reasons
                and option.number is None
                and chosen[option.id]
                and self.only_once(option)
            ):
                reasons.append(Reason(_("already chosen"), "taken"))
            yield option._replace(reasons=tuple(dict.fromkeys(reasons))) if reasons else option

    def only_once(self, option: DecisionOption) -> bool:
        """Return whether a list may contain an option only once."""
        repeatable = option.entity is not None and option.entity.repeatable
        return not self.question.repeats and not repeatable

    def unmet(self, option: DecisionOption, state: State) -> Iterator[Reason]:
        """Yield the reasons of the rules against an option, in ``state``."""
        if option.option is not None:
            for text in unmet_requirements(option.option.requires, Applicant(state, self.unit)):
                yield Reason(text, "requires")
        if option.id in self._taken_elsewhere():
            yield Reason(_("already chosen"), "taken")
        entity = option.entity
        if entity is None:
            return
        if entity.repeatable and entity.distinct and not _choices_left(state, entity):
            yield Reason(_("you already have all variants"), "taken")
        elif has_all(state, entity, self.unit):
            often = _("{repeatable} times (the maximum)").format(repeatable=entity.repeatable)
            taken = _("already taken {often}").format(
                often=often if entity.repeatable else _("(not Repeatable)")
            )
            yield Reason(taken, "taken")
        else:
            yield from self._unmet_by_entity(entity, state)

    def _unmet_by_entity(self, entity: Entity, state: State) -> Iterator[Reason]:
        """Yield the reasons against an entity that the unit does not have yet."""
        for text in unmet_requirements(entity.requires, Applicant(state, self.unit, entity)):
            yield Reason(text, "requires")
        if label := self._dead_end(entity, state):
            yield Reason(_("nothing is left to choose for {label}").format(label=label), "dead_end")

    def _dead_end(self, entity: Entity, state: State) -> str:
        """Return the label of a choice that an entity would ask without any option; empty if none.

        Only a single choice among entities is tried, and of its options not the choices in turn.
        """
        asked = [one for one in entity.choices if _may_run_out(one)] if self.looks_ahead else []
        if not asked:
            return ""
        gained = self.with_option(state, entity.id)
        held = {holding.id for holding in state.holdings}
        for holding in gained.holdings:
            if holding.id in held or holding.entity.id != entity.id:
                continue
            for question in asked:
                if self._has_no_option(question, gained, holding):
                    return self.ruleset.short_label(question)
        return ""

    def _has_no_option(self, question: Choose, state: State, holding: Holding) -> bool:
        """Return whether a choice of a new holding is asked now and has no allowed option."""
        decision = replace(
            self,
            id=f"{holding.id}.{question.id}",
            question=question,
            before=state,
            unit=state.bearer(holding),
            holding=holding.id,
            root="",
            looks_ahead=False,
        )
        if decision.id in state.answers or question.section not in ("", self.section):
            return False
        ready = all(name in state.answers for name in decision.reads())
        return ready and decision.applies() and not any(o.legal for o in decision.options())

    def _taken_elsewhere(self) -> set[object]:
        """Return the choices of other holdings of the same entity, if they must differ."""
        holding = self.before.holding(self.holding)
        if holding is None or holding.entity.distinct != self.question.id:
            return set()
        others = (h for h in self.before.holdings if h.entity.id == holding.entity.id)
        answers = self.before.answers
        return {answers.get(f"{h.id}.{self.question.id}") for h in others if h.id != holding.id}

    def is_full(self, picked: Sequence[OptionId]) -> bool:
        """Return whether a list has as many items as it may have."""
        return self.question.count is not None and len(picked) >= self.question.count

    def list_answers(self) -> list[list[OptionId]]:
        """Return every possible answer of a list of a few options that the pack lists."""
        question = self.question
        if not (question.is_list and question.is_short):
            return []
        combine = combinations_with_replacement if question.repeats else combinations
        names = sorted(option.id for option in question.options)
        return [list(answer) for answer in combine(names, question.count or 0)]

    def ways_to_pick_dice(self) -> Iterator[tuple[int, ...]]:
        """Yield the different faces that can be picked, where dice are the options."""
        if self.question.dice_roll:
            yield from sorted({*combinations(sorted(self.faces()), self.question.count or 1)})

    def faces(self) -> list[int]:
        """Return the faces of the earlier roll whose dice are the options."""
        return last_faces(self.before.answers[self.question.dice_roll])

    def free_budget(self) -> int | None:
        """Return the budget for the whole list, None if there is none."""
        return None if self.question.budget is None else self.evaluate(self.question.budget.within)

    def spent(self, picked: Sequence[OptionId]) -> int:
        """Return how much of the budget a list costs."""
        return sum(option.cost for option in map(self.option, picked) if option is not None)

    # ------------------------------------------------------------ names

    def item(self, name: OptionId) -> OptionId:
        """Return the id of the option that an item names, by id, alias or name."""
        if not isinstance(name, str):
            return name
        known = self.ruleset.canonical(name.strip())
        if known in self.ruleset.entities or known in self.options_by_id:
            return known
        if isinstance(name, TypedText) and not self.question.own_words:
            known = TypedText(known)
        matching = self.options_named(known)
        if len(matching) == 1:
            return matching[0]
        return known if matching or self.question.own_words else self.unlisted_id(known) or known

    def options_named(self, name: str) -> list[str]:
        """Return the ids of the options with a name; of one that is typed, the beginnings count."""
        named = (option for option in self.options_by_id.values() if isinstance(option.id, str))
        found = answer_matches(named, name, DecisionOption.all_names)
        return [str(option.id) for option in found]

    # ------------------------------------------------------------ not listed

    def unlisted_id(self, name: str) -> str:
        """Return the id of an entity or value that is not listed, by its name; empty if none.

        So a refusal can say why it is not listed, and an override can allow it.
        """
        query = self.question.query
        if query is not None:
            kinds = [
                entity
                for entity in self.ruleset.entities.values()
                if entity.alias_of is None and entity.kind in (query.kind or (entity.kind,))
            ]
            named = exact_matches(kinds, name, lambda entity: (entity.slug, entity.name))
            return named[0].id if len(named) == 1 else ""
        value = self.ruleset.value_named(name)
        return value.id if value is not None and self.is_unlisted(value.id) else ""

    def is_unlisted(self, item: OptionId) -> bool:
        """Return whether something without an entity could be an option, but is not listed.

        It is a term of the same vocabulary, or a value of the same group. Only
        an override allows it.
        """
        among = self.question.among
        if among is None:
            return self.unlisted_value(item) is not None
        if among.terms is not None:
            return any(term.id == item for term in self.ruleset.head.terms.get(among.terms, ()))
        return among.values is not None and self._has_value(item)

    def _has_value(self, item: OptionId) -> bool:
        """Return whether the unit has a value with this id."""
        return isinstance(item, str) and item in self.before.values(self.unit)

    def unlisted_value(self, item: OptionId) -> Option | None:
        """Return the option of a value that is not listed, with the effect of those that are.

        It exists if each listed option changes the value of its own id, all
        alike, and the value belongs to the same group. Otherwise None.
        """
        listed = self.question.options
        if not listed or not isinstance(item, str) or not self._has_value(item):
            return None
        values, first = self.ruleset.values, listed[0]
        value = values[item]
        for option in listed:
            alike = [m.model_copy(update={"value": option.id}) for m in first.modifies]
            same_group = option.id in values and values[option.id].group == value.group
            if not alike or list(option.modifies) != alike or not same_group:
                return None
        modifies = tuple(m.model_copy(update={"value": item}) for m in first.modifies)
        return Option(id=item, label=value.name, modifies=modifies)

    # ------------------------------------------------------------ what an option brings

    def state_with(self, picked: Sequence[OptionId]) -> State:
        """Return the state with the first items of a list."""
        state = self.before
        for item in picked:
            state = self.with_option(state, item)
        return state

    def with_option(self, state: State, item: OptionId) -> State:
        """Return the state after one option is chosen; own words have no effect."""
        if self.question.query is not None:
            entity = state.ruleset.entities.get(item) if isinstance(item, str) else None
            if entity is None:
                return state
            return add_holding(state, entity, self.instance_id(entity), self.id, self.unit)
        option = self.plain_option(item)
        if option is None:
            return state
        holding = state.holding(self.holding)
        source = holding.entity.id if holding else self.id
        chosen = ChosenOption(self.unit, source, option, self.id, self.holding)
        state = state.with_changes(chosen_options=(*state.chosen_options, chosen))
        for grant in option.grants:
            state = add_grant(state, grant, self.id, self.unit)
        return state

    def plain_option(self, item: OptionId) -> Option | None:
        """Return an option without an entity, listed or not; None if there is none."""
        listed = next((o for o in self.question.options if o.id == item), None)
        return listed or self.unlisted_value(item)

    def instance_id(self, entity: Entity) -> str:
        """Return the id of the holding that choosing an entity adds.

        It is the decision's id, followed by the slug for a list, or by the
        kind if the options are of several kinds.
        """
        if self.question.is_list:
            return f"{self.id}.{entity.slug}"
        root, query = self.root or self.id, self.question.query
        if query is not None and len(query.kind) != 1:
            return f"{root}.{self.ruleset.kinds[entity.kind].path or entity.kind}"
        return root


def _entity_options(ruleset: Ruleset, query: Query, cost: str) -> Mapping[OptionId, DecisionOption]:
    """Return the entities to choose from as options; ``cost`` is the field with their cost."""

    def options() -> dict[OptionId, DecisionOption]:
        return {one.id: _entity_option(ruleset, one, cost) for one in ruleset.select(query)}

    return ruleset.cached(("options", query, cost), options)


def _entity_option(ruleset: Ruleset, entity: Entity, cost: str) -> DecisionOption:
    """Return an entity as an option; ``cost`` is the field with its cost."""
    return DecisionOption(
        entity.id, entity.name, entity.text, ruleset.kinds[entity.kind].label,
        entity=entity, cost=figure(entity, cost) if cost else 0,
    )  # fmt: skip


def _may_run_out(question: Question) -> TypeGuard[Choose]:
    """Return whether a question is a single choice among entities, without own words."""
    return question.query is not None and not (question.is_list or question.allows_own_words)


def _choices_left(state: State, entity: Entity) -> bool:
    """Return whether the choice that must differ has an option left for one more holding."""
    question = next(choice for choice in entity.choices if choice.id == entity.distinct)
    if question.dice_roll or not (question.listed_options or question.option_source):
        return True  # dice, a number or a text: there is no list that could run out
    held = sum(holding.entity.id == entity.id for holding in state.holdings)
    return held < len(state.ruleset.option_ids(question))


def unknown_option(decision: OptionDecision, item: OptionId, picked: Sequence[OptionId]) -> str:
    """Return the error for an unknown option, with the nearest option or the first ones."""
    written = item if isinstance(item, str) else shorten(item)
    known = decision.ruleset.name_of(written.casefold())
    reason = (
        _not_offered(decision, written)
        if known
        else _("{item} is not an option").format(item=shorten(item))
    )
    if not decision.advises:
        return reason
    meant = decision.options_named(item) if isinstance(item, TypedText) and not known else []
    if len(meant) > 1:
        names = ", ".join(decision.options_by_id[name].label for name in meant[:MAX_LISTED])
        return _("{item} matches several: {names}").format(item=shorten(item), names=names)
    labels = {name: o.label for o in decision.options_by_id.values() for name in o.all_names()}
    near = "" if known else nearest(written, labels)
    if near:
        return _("{reason}. Did you mean {labels}?").format(reason=reason, labels=labels[near])
    legal = [option.label for option in decision.options(picked) if option.legal]
    if not legal:
        return reason
    if len(legal) > MAX_LISTED:
        others = len(legal) - MAX_LISTED + 1
        legal[MAX_LISTED - 1 :] = [_("one of {count} others").format(count=others)]
    return _("{reason}. Choose {names}").format(reason=reason, names=either(legal))


def _not_offered(decision: OptionDecision, written: str) -> str:
    """Return why something of the rules is not among the options."""
    option = decision.ruleset.name_of(written.casefold())
    entity = decision.ruleset.entities.get(decision.ruleset.canonical(written.casefold()))
    query = decision.question.query
    if entity is not None and query is not None:
        unmatched = decision.unmatched_choice(entity)
        if unmatched is not None and matches(query, entity):
            answer = decision.before.answers.get(unmatched, "")
            label = decision.ruleset.answer_label_by_id(unmatched, str(answer))
            return _("{name} does not go with {label}").format(name=entity.name, label=label)
        return reason_not_offered(decision, entity)
    holding = decision.before.holding(decision.holding)
    if holding is not None:
        return _("{option} is not an option for {name}").format(option=option, name=holding.name)
    return _("{option} is not an option here").format(option=option)


def reason_not_offered(decision: OptionDecision, entity: Entity) -> str:
    """Return why a choice among entities does not offer this one, as a sentence.

    The pack's own reason (``why_not``) comes first, then a wrong kind, what
    grants the entity, and what it lacks; for gear what it lacks comes before
    what grants it. Empty if the choice offers it.
    """
    ruleset, question, query = decision.ruleset, decision.question, decision.question.query
    if query is None or matches(query, entity, decision.values):
        return ""
    own = pack_reason(question, entity)
    if own:
        return own
    if query.kind and entity.kind not in query.kind:
        kinds = either(ruleset.kinds[kind].plural for kind in query.kind)
        return _("{name} belongs to {plural}, not to {kinds}").format(
            name=entity.name, plural=ruleset.kinds[entity.kind].plural, kinds=kinds
        )
    unmet = [*_unmet_conditions(decision, query, entity)]
    lacking, origin = (
        either(unmet) if unmet else "",
        origin_text(ruleset, entity),
    )
    is_bought = entity.kind in ruleset.head.gear.kinds  # so nothing has to grant it
    return (lacking or origin) if is_bought else (origin or lacking)


def pack_reason(question: Any, entity: Entity) -> str:
    """Return the reason that the pack itself gives for not offering an entity; empty if none."""
    reasons = (part.text for part in question.exclusions if matches(part, entity))
    return next((f"{entity.name} {text}" for text in reasons), "")


def origin_text(ruleset: Ruleset, entity: Entity) -> str:
    """Return what grants an entity, as a sentence: ``Surge comes with The Lancer at Level 3``.

    Empty if nothing grants it.
    """
    origins = ruleset.cached("origins", lambda: _origins(ruleset)).get(entity.id, ())
    return (
        _("{name} comes with {names}").format(name=entity.name, names=either(origins))
        if origins
        else ""
    )


def _origins(ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return what grants each entity, by its id."""
    origins: dict[str, tuple[str, ...]] = {}
    for granted, origin in _grants(ruleset):
        origins[granted] = tuple(dict.fromkeys((*origins.get(granted, ()), origin)))
    return origins


def _grants(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield every granted entity with what grants it, in words."""
    head = ruleset.head
    for step in head.creation:
        if isinstance(step, Give):
            for _where, name in granted_entities(ruleset, step.grants):
                yield name, _("every new character")
            continue
        for option in step.listed_options:
            for _where, name in granted_entities(ruleset, option.grants):
                yield name, f"“{option.label}”"
    for entity in ruleset.entities.values():
        if entity.alias_of is not None:
            continue
        for grant in entity.all_grants:
            at = (
                _(" at {level}").format(level=head.advancement.text(grant.level))
                if grant.level > 1
                else ""
            )
            yield ruleset.canonical(grant.id), f"{entity.name}{at}"
        for question in entity.choices:
            for option in question.listed_options:
                for _where, name in granted_entities(ruleset, option.grants):
                    yield (
                        name,
                        _("“{label}” of {name}").format(label=option.label, name=entity.name),
                    )


def _unmet_conditions(decision: OptionDecision, query: Query, entity: Entity) -> Iterator[str]:
    """Yield the first condition of a query that an entity of the right kind does not meet."""
    ruleset, name, tags = decision.ruleset, entity.name, query.tags
    missing = [tag for tag in tags.all if tag not in entity.tags]
    has_any = any(tag in entity.tags for tag in tags.any)
    excluded = [tag for tag in tags.none if tag in entity.tags]
    if query.ids and entity.id not in query.ids:
        yield _("{name} is not one of {names}").format(
            name=name, names=either(map(ruleset.name_of, query.ids))
        )
    elif missing:
        yield _("{name} is not {tag_labels}").format(
            name=name,
            tag_labels=_(" or ").join(_tag_label(ruleset, entity, tag) for tag in missing),
        )
    elif tags.any and not has_any:
        yield _("{name} is not {names}").format(
            name=name, names=either(_tag_label(ruleset, entity, tag) for tag in tags.any)
        )
    elif excluded:
        yield _("{name} is {tag}").format(name=name, tag=_tag_label(ruleset, entity, excluded[0]))
    elif query.where is not None:
        named = sorted(query.where.names)
        labels = {field: _label(ruleset, entity, field) for field in named}
        own = [field for field in named if not field.startswith(BEARER)]
        present = ", ".join(f"{labels[field]} {figure(entity, field)}" for field in own)
        for field in named:
            if field not in own:  # a value of the bearer
                labels[field] += f" ({decision.values.read(field.removeprefix(BEARER))})"
        words = FormulaText(labels.__getitem__, _called, lambda call, name: f"{call} {name}")
        condition = words.text(str(query.where))
        if not present:  # it asks only about the bearer, whose figures the condition has
            yield _("{name} has a condition: {condition}").format(name=name, condition=condition)
            return
        yield _("{name} has {present}; the condition here: {condition}").format(
            name=name, present=present, condition=condition
        )


def _called(function: str, names: Sequence[str], negated: bool) -> FactText:
    """Return a function of a condition with its names."""
    return FactText(_("not {name}") if negated else "{name}", f"{function} {', '.join(names)}")


def _tag_label(ruleset: Ruleset, entity: Entity, tag: str) -> str:
    """Return a tag as a reader knows it: by the field, term, kind or range of its name."""
    declared = ruleset.kinds[entity.kind].fields.get(tag.replace("-", "_"))
    if declared is not None:
        return declared.label
    kind = ruleset.kinds.get(tag)
    named = kind.label if kind is not None else ruleset.name_of(tag)
    ranges = (attack.range for other in ruleset.entities.values() for attack in other.attacks)
    named = named or next((text for text in ranges if original(text).casefold() == tag), "")
    return named or tag.replace("-", " ").capitalize()


def _label(ruleset: Ruleset, entity: Entity, field: str) -> str:
    """Return the label of a field of an entity, or of a value of the bearer."""
    if field.startswith(BEARER):
        value = ruleset.values.get(field.removeprefix(BEARER))
        return _("your {label}").format(
            label=ruleset.head.advancement.label if value is None else value.label
        )
    declared = ruleset.kinds[entity.kind].fields.get(field)
    return declared.label if declared is not None else field.capitalize()
