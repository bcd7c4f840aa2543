"""Choose: one option, or a list of them, with its menu; of entities, values, terms or dice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain
from typing import Any

from charforge.character.state import CHARACTER, State
from charforge.decisions import options
from charforge.decisions.base import (
    MISSING,
    Answer,
    Checklist,
    DecisionOption,
    MenuItem,
    OptionId,
    OptionMenu,
    RandomSource,
    Reason,
    TextField,
    Widget,
    is_sequence,
    is_whole_number,
    text_violations,
)
from charforge.decisions.options import OptionDecision
from charforge.errors import shorten
from charforge.expressions import dice
from charforge.expressions.template import signed_number
from charforge.language import N_, _, either
from charforge.rules.models import Choose, Entity
from charforge.rules.models.base import BEARER
from charforge.rules.names import TypedText, original
from charforge.rules.ruleset import Ruleset, are_opposed

MAX_OWN_WORDS = 200  # characters of an option in the player's own words
NEAR_ID = 0.8  # own words this similar to an id are taken for a mistyped id
LIKE_AN_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
MAX_EXAMPLES = 2  # random items of a list that the book leaves open
MOST_IN_SHORT = 4  # options listed where a decision is named
OPTIONS_PER_LINE = 6  # in an answers file


class ChooseDecision(OptionDecision):
    """Choose from options: one id, or a list of ids (of faces, where dice are chosen)."""

    # ------------------------------------------------------------ options

    def has_legal_option(self) -> bool:
        """Return whether a single choice has an allowed option; a list may stay empty."""
        return self.question.is_list or any(option.legal for option in self.options())

    def why_nothing_is_left(self) -> str:
        """Return why every option of a choice is closed; empty if there is an answer."""
        if self.has_legal_option() or self.question.own_words:
            return ""
        closed: dict[str, list[str]] = {}
        for option in self.options():
            closed.setdefault(", ".join(option.reasons), []).append(option.label)
        listed = [f"{', '.join(labels)}: {reason}" for reason, labels in closed.items()]
        return "; ".join(listed) or _("there are no options at all")

    def closed_reasons(self, entity_id: str) -> tuple[str, ...]:
        """Return why an entity can no longer be chosen here; empty if it can."""
        reasons = next(option.reasons for option in self.options(only=entity_id))
        if reasons or self.question.budget is not None:
            return reasons
        answer, count = self.before.answers.get(self.id), self.question.count
        if answer is None or (self.question.is_list and (count is None or len(answer) < count)):
            return ()
        return (_("{heading}: already chosen").format(heading=self.heading()),)

    def reads(self) -> tuple[str, ...]:
        """Return the ids of the roll whose dice are the options, and of choices to match."""
        roll, among = self.question.dice_roll, self.question.among
        matched = among.match.values() if among is not None else ()
        return (*((roll,) if roll else ()), *map(self.matched_decision, matched))

    # ------------------------------------------------------------ checking answers

    def refused_entities(self, answer: Answer) -> tuple[str, ...]:
        """Return the ids of the chosen entities that the rules do not allow."""
        if self.question.query is None:
            return ()
        return tuple(map(str, self._refused_items(answer)))

    def refused_values(self, answer: Answer) -> frozenset[str]:
        """Return the ids of the values that the refused options change directly."""
        changed = (
            self.ruleset.target_values(modifier.value)
            for item in self._refused_items(answer)
            if (option := self.plain_option(item)) is not None
            for modifier in option.modifies
        )
        return frozenset(chain.from_iterable(changed))

    def broken_rules(self, answer: Answer) -> tuple[str, ...]:
        """Return the rules that an answer breaks, without advice on what to choose instead."""
        return replace(self, advises=False).rule_violations(answer)

    def _refused_items(self, answer: Answer) -> list[OptionId]:
        """Return the chosen items that the rules do not allow: of a list too long, the last."""
        if not self.question.is_list:
            return [self.item(answer)] if any(self._item_violations(answer, ())) else []
        if not is_sequence(answer):
            return []
        picked: list[OptionId] = []
        refused: list[OptionId] = []
        count = self.question.count
        for item in self.in_order([self.item(name) for name in answer]):
            too_many = count is not None and len(picked) >= count
            if too_many or any(self._item_violations(item, picked)):
                refused.append(item)
            else:
                picked.append(item)
        return refused

    def _violations(self, answer: Answer) -> Iterator[str]:
        if not self.question.is_list:
            yield from self._item_violations(answer, ())
            return
        if not is_sequence(answer):
            yield _("it must be a list")
            return
        number, count, up_to = len(answer), self.question.count, self.question.up_to
        if count is not None and (number > count or (number < count and not up_to)):
            pick = (
                _("pick at most {count} (you picked {number})")
                if up_to
                else _("pick exactly {count} (you picked {number})")
            )
            yield Reason(pick.format(count=count, number=number), "count")
            yield from (_joined(item) for item in answer if self._are_options(item))
            return
        picked: list[OptionId] = []
        for item in self.in_order(answer):
            reasons = list(self._item_violations(item, picked))
            yield from reasons
            if not reasons:
                picked.append(self.item(item))

    def _malformed(self, answer: Answer) -> Iterator[str]:
        if self.question.is_list and not is_sequence(answer):
            yield _("it must be a list")
            return
        entities = self.ruleset.entities if self.question.query else {}
        for item in answer if self.question.is_list else [answer]:
            if isinstance(item, str):
                known = item in self.options_by_id or self.question.own_words
                known = known or self.item(item) in entities or self.is_unlisted(self.item(item))
            else:
                known = is_whole_number(item) and item in self.options_by_id
            if not known:
                yield from self._item_violations(item, ())

    def _item_violations(self, item: Answer, picked: Sequence[OptionId]) -> Iterator[str]:
        """Yield the reasons against one item of a list, or against a single choice."""
        if isinstance(item, bool) or not isinstance(item, str | int):
            yield _("{item} is not an option").format(item=shorten(item))
            return
        item = self.item(item)
        for option in self.options(picked, item):
            yield from (reason.about(option.label) for reason in option.reasons)
            return
        if self._are_options(item):
            yield _joined(item)
        elif self.question.own_words and isinstance(item, str) and not self._looks_like_id(item):
            yield from text_violations(item, MAX_OWN_WORDS, optional=False)
            chosen = {name.casefold() for name in picked if isinstance(name, str)}
            if item.casefold() in chosen and not self.question.repeats:
                yield Reason(_("{item}: already chosen").format(item=item), "taken")
        else:
            yield Reason(options.unknown_option(self, item, picked), "unlisted")

    def _are_options(self, item: OptionId) -> bool:
        """Return whether one item is several options in a row: a list without its commas."""
        parts = item.split() if isinstance(item, str) else ()
        return len(parts) > 1 and all(part in self.options_by_id for part in parts)

    def _looks_like_id(self, item: str) -> bool:
        """Return whether the player's own words look like an id, or like a mistyped option."""
        written = item.casefold()
        if not LIKE_AN_ID.fullmatch(written):
            return False
        ids = map(str, self.options_by_id)
        known = written.split("/", 1)[0] in self.ruleset.kinds
        return known or bool(get_close_matches(written, ids, n=1, cutoff=NEAR_ID))

    def resolve_names(self, answer: Answer) -> Answer:
        """Return an answer with names and aliases replaced by ids, allowed or not."""
        if self.question.is_list and isinstance(answer, list):
            return [self.item(item) for item in answer]
        return self.item(answer)

    def in_words(self, text: str) -> Answer:
        """Return the names in a list, counted ones repeated; a single choice as it is."""
        if not self.question.is_list:
            return TypedText(text)
        empty = super().in_words(text)
        if empty is not MISSING:
            return empty
        labels = map(self.option_label, self.options_by_id)
        known = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
        names = re.findall(rf"\s*({known}|[^,]+?)(?: × (\d{{1,2}}))?\s*(?:,|$)", text)
        return [
            int(name) if self.question.dice_roll and name.isdecimal() else TypedText(name)
            for name, times in names
            for _again in range(int(times or 1))
        ]

    def canonical(self, answer: Answer) -> Answer:
        """Return an allowed answer as ids; chosen dice in ascending order."""
        if not self.question.is_list:
            return self.item(answer)
        items = [self.item(item) for item in answer]
        return sorted(items) if self.question.dice_roll else items

    def right_form(self, answer: Answer) -> Answer:
        """Return a list where one id was given, or one id for a list; MISSING if it is right."""
        is_list = isinstance(answer, list | tuple)
        if is_list if self.question.is_list else isinstance(answer, str | int):
            return MISSING
        answers = answer if is_list else [answer]
        items = [self.item(item) for item in answers if isinstance(item, str | int)]
        legal = dict.fromkeys(option.id for option in self.options() if option.legal)
        names = [*(n for n in items if n in legal), *(n for n in legal if n not in items)]
        if not names:
            return MISSING
        if not self.question.is_list:
            return names[0]
        return names[:1] if self.question.up_to else names[: self.question.count or 1]

    def empty_answer(self) -> Answer:
        """Return the empty list for a list that may stay empty, else MISSING."""
        return [] if self.question.is_list and self.question.up_to else MISSING

    # ------------------------------------------------------------ effects of an answer

    def state_after(self, answer: Answer) -> State:
        """Return the state after an allowed, canonical answer, without asking further."""
        state = self.before.with_changes(answers={**self.before.answers, self.id: answer})
        for item in self.in_order(answer) if self.question.is_list else [answer]:
            state = self.with_option(state, item)
        return state

    def in_order(self, answer: Sequence[OptionId]) -> list[OptionId]:
        """Return a list of entities, each after the items that it requires.

        The order is unchanged if it cannot matter or nothing is legal.
        """
        if self.question.query is None or len(answer) < 2:
            return list(answer)
        waiting, ordered = list(answer), []
        state = self.before
        while waiting:
            chosen = next((i for i in waiting if self._is_open(i, state)), waiting[0])
            waiting.remove(chosen)
            ordered.append(chosen)
            state = self.with_option(state, self.item(chosen))
        return ordered

    def _is_open(self, name: OptionId, state: State) -> bool:
        known = isinstance(name, str | int)
        option = self.option(self.item(name)) if known else None
        return option is not None and not any(self.unmet(option, state))

    def kept_items(self, state: State, answer: Answer) -> list[OptionId]:
        """Return the items of a list with a budget that are kept when it is answered again.

        They are still held, or were replaced by an item that is kept. Only
        the other items are checked again.
        """
        former = state.answers.get(self.id) if self.question.budget is not None else None
        if not isinstance(former, list) or not isinstance(answer, list):
            return []
        held = [h.entity.id for h in state.holdings if h.origin == self.id]
        kept: list[OptionId] = []
        replaced: set[str | None] = set()
        for item in reversed(without_items(former, without_items(former, answer))):
            if item in held:
                held.remove(item)
            elif item not in replaced:
                continue
            kept.insert(0, item)
            replaced.add(state.ruleset.entities[item].replaces)
        return kept

    # ------------------------------------------------------------ random answers

    def random_answer(self, source: RandomSource) -> Answer:
        """Return a weighted random option, or a list of them."""
        default = self.question.default
        example: Answer = [default] if self.question.is_list else default
        if self.unprinted and default is not None and not self.rule_violations(example):
            return example
        numbers = dice.random_stream(source.seed, f"{self.id} choice")
        if not self.question.is_list:
            return self._random_option(self.options(), source, numbers)
        if self.question.dice_roll:
            return sorted(self.faces())[: self.question.count]
        picked: list[Answer] = []
        most = self.question.count
        if self.unprinted and self.question.up_to:
            most = min(self.question.count or MAX_EXAMPLES, MAX_EXAMPLES)
        while most is None or len(picked) < most:
            options = [option for option in self.options(picked) if option.legal]
            if not self.question.repeats and self.question.budget is None:
                options = [option for option in options if option.id not in picked]
            if not options or dice.draw_below(numbers, 100) >= self.question.chance:
                break
            picked.append(self._random_option(options, source, numbers, picked))
        return picked

    def _random_option(
        self,
        options: Sequence[DecisionOption],
        source: RandomSource,
        numbers: Iterator[int],
        picked: Sequence[Answer] = (),
    ) -> Answer:
        """Return a random legal option; if it is the opposite of something held, another one."""
        legal = {option.id: option for option in options if option.legal}
        answer = self._weighted_option(list(legal.values()), source, numbers)
        if not self._is_opposed(legal[answer], picked):
            return answer
        suitable = [option for option in legal.values() if not self._is_opposed(option, picked)]
        return self._weighted_option(suitable, source, numbers) if suitable else answer

    def _is_opposed(self, option: DecisionOption, picked: Sequence[Answer]) -> bool:
        """Return whether an option is the opposite of something that the unit has or is to have."""
        entity, entities = option.entity, self.ruleset.entities
        if entity is None or not self.ruleset.opposed_by:
            return False
        held = [holding.entity for holding in self.before.held(self.unit)]
        others = [*held, *(entities[name] for name in picked if name in entities)]
        return any(
            are_opposed(entity, other, field)
            for field in self.ruleset.opposed_by
            for other in others
        )

    def _weighted_option(
        self, legal: Sequence[DecisionOption], source: RandomSource, numbers: Iterator[int]
    ) -> OptionId:
        weights = [source.weight(option, self) for option in legal]
        number = dice.draw_below(numbers, sum(weights))
        for option, weight in zip(legal, weights, strict=True):
            number -= weight
            if number < 0:
                return option.id
        raise AssertionError("the weights do not add up")

    # ------------------------------------------------------------ the wizard

    def widget(self, former: Answer, _source: RandomSource) -> Widget:
        """Return the menu of the options, or the checklist of a list."""
        return ChooseMenu(self).widget(former)

    # ------------------------------------------------------------ words

    def gain_text(self) -> str:
        """Return the budget that can be spent: ``2 Slots to fill``."""
        budget = self.question.budget
        if budget is None:
            return super().gain_text()
        return _("{count} to fill").format(count=budget.counted(self.free_budget() or 0))

    @property
    def answer_form(self) -> str:
        """``many`` for a list, else ``one``."""
        return "many" if self.question.is_list else "one"

    def in_short(self) -> str:
        """Return the few options there are: ``+1 STR or VSN``, ``Damage type: Sharp or Heat``."""
        options = [option for option in self.options() if option.legal]
        if self.question.is_list or not 0 < len(options) <= MOST_IN_SHORT:
            return super().in_short()
        raised = [self._raised(option) for option in options]
        amounts = {amount for amount, _label in raised}
        if len(amounts) == 1 and amounts != {""}:
            return f"{amounts.pop()} {either(label for _amount, label in raised)}"
        return f"{super().in_short()}: {either(option.label for option in options)}"

    def _raised(self, option: DecisionOption) -> tuple[str, str]:
        """Return what an option adds to its one value, and the label of that value."""
        changes = option.option.modifies if option.option is not None else ()
        if (
            len(changes) != 1
            or changes[0].op != "add"
            or changes[0].value not in self.ruleset.values
        ):
            return "", option.label
        amount = changes[0].amount.constant
        label = self.ruleset.values[changes[0].value].label
        return ("" if amount is None else signed_number(amount)), label

    def answer_text(self, answer: Answer) -> str:
        """Return the labels of the chosen options."""
        if isinstance(answer, list | tuple):
            return self.list_text(answer)
        return self.option_label(answer)

    @classmethod
    def possible_answers(cls, question: Choose, ruleset: Ruleset) -> tuple[str, ...] | None:
        """Return the ids of the options of a single choice; None for dice and own words."""
        if question.own_words or question.is_list or question.dice_roll:
            return None
        return ruleset.option_ids(question)

    @classmethod
    def question_lines(cls, question: Choose, ruleset: Ruleset) -> Iterator[str]:
        """Yield the ids of the options, six to a line."""
        entities = ruleset.offered(question)
        if question.is_list and any(e.repeatable and e.choices for e in entities):
            example = f"{question.id}.NAME#2"
            yield _("for the second of the same kind, add #2 to the id: {example}").format(
                example=example
            )
        if question.own_words:
            yield _("one of these, or your own words:")
        names = list(ruleset.option_ids(question))
        if question.query is not None and question.query.asks_bearer:
            where = str(question.query.where).replace(BEARER, "")
            yield _("of these those with {condition}:").format(condition=where)
        if question.dice_roll:
            names.append(_("faces of {dice_roll}").format(dice_roll=question.dice_roll))
        if question.among is not None and question.among.match:
            yield _("of these what goes with {values}:").format(
                values=", ".join(question.among.match.values())
            )
        for start in range(0, len(names), OPTIONS_PER_LINE):
            yield ", ".join(names[start : start + OPTIONS_PER_LINE])

    @classmethod
    def example_answer(cls, question: Choose, ruleset: Ruleset) -> Answer:
        """Return an empty list, or the default where the book leaves it open."""
        if question.is_list:
            return []
        return question.default or None if question.unprinted else None

    @classmethod
    def listed_labels(cls, question: Choose, ruleset: Ruleset) -> Iterator[str]:
        """Yield the labels of the options that the pack lists itself: not entities or values."""
        yield from (option.label for option in question.options)
        if question.among is not None:
            yield from (term.label for term in ruleset.terms_among(question.among))


def without_items(items: Iterable[OptionId], removed: Iterable[OptionId]) -> list[OptionId]:
    """Return a list without some items; each removes one equal item."""
    remaining = list(items)
    for item in removed:
        if item in remaining:
            remaining.remove(item)
    return remaining


def _joined(item: OptionId) -> str:
    return _("{item}: put a comma between options").format(item=shorten(item))


OWN_WORDS = N_("Write my own …")


@dataclass(frozen=True)
class ChooseMenu:
    """The widget of a choice."""

    decision: OptionDecision

    @property
    def question(self) -> Choose:
        """The question of the choice."""
        return self.decision.question

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the character."""
        return self.decision.ruleset

    def widget(self, former: Answer) -> Widget:
        """Return the menu of the options, or the checklist of a list."""
        if self.question.is_list:
            return Checklist(
                start=list(self._still_legal(former)),
                items=self._list_items,
                status=lambda picked: tuple(self._progress(picked)),
                missing=self._missing,
                remaining=lambda picked: list(self._still_legal(picked)),
                label=self.decision.option_label,
                answered=former is not MISSING or self.question.up_to,
            )
        items = self._in_groups([self._menu_item(option) for option in self.decision.options()])
        start = former
        if self.question.own_words:
            is_own = isinstance(former, str) and former not in self.decision.options_by_id
            begun = str(former) if is_own else ""
            own_words = self._own_words(begun, self.decision.rule_violations)
            items.append(MenuItem(own_words, _(OWN_WORDS)))
            if start is not MISSING and not any(item.value == start for item in items):
                start = own_words
        return OptionMenu(items, start)

    def _still_legal(self, former: Answer) -> Iterator[Answer]:
        """Yield the items of the former list that are still legal."""
        picked: list[Answer] = []
        for item in former if isinstance(former, list | tuple) else ():
            if not self.decision.of_length(len(picked) + 1).rule_violations([*picked, item]):
                picked.append(item)
                yield item

    def _missing(self, picked: Sequence[Answer]) -> Sequence[str]:
        """Return what is still to do before a list is complete."""
        count = self.question.count
        if count is not None and len(picked) < count and not self.question.up_to:
            return [_("pick {count} more").format(count=count - len(picked))]
        return self.decision.rule_violations(picked)

    def _list_items(self, picked: Sequence[Answer]) -> list[MenuItem]:
        """Return the entries of a list, with what is picked and why others cannot be."""
        chosen = Counter(picked)
        full = self.decision.is_full(picked)
        why_full = _("{count} of {count} picked").format(count=len(picked)) if full else ""
        items = []
        for option in self.decision.options(picked):
            times = chosen[option.id]
            again = self._more_than_once(option)
            reasons = "; ".join(option.reasons) or why_full
            item = self._menu_item(option._replace(reasons=()))
            against = "" if times and not again else reasons
            items.append(item._replace(picked=times, again=again, against=against))
        items = self._in_groups(items)
        if self.question.own_words:
            own = [item for item in chosen if item not in self.decision.options_by_id]
            items += [MenuItem(item, str(item), picked=chosen[item]) for item in own]
            field = self._own_item(picked, tuple(self._progress(picked)))
            items.append(MenuItem(field, _(OWN_WORDS), against=why_full, picked=0))
        return items

    def _more_than_once(self, option: DecisionOption) -> bool:
        """Return whether a list may contain an option several times."""
        if option.number is not None:
            return option.number > 1
        counted = self.question.repeats or self.question.budget is not None
        return counted and not self.decision.only_once(option)

    def _own_words(self, text: str, problems: Any, status: tuple[str, ...] = ()) -> TextField:
        """Return the field for an option in the player's own words.

        Words that are spelled like an option are asked once more.
        """

        def parse(typed: str) -> Answer:
            return self.decision.item(typed.strip())

        def follow_up(answer: Answer) -> TextField | None:
            label = self.decision.similar_option(answer)
            if not label:
                return None
            question = _("Did you mean {label}? Press Enter to keep your own text.")
            return TextField(
                problems, parse, answer, status, (label,), note=question.format(label=label)
            )

        help = _("In your own words.")
        return TextField(problems, parse, text, status, help=help, follow_up=follow_up)

    def _own_item(self, picked: Sequence[Answer], status: tuple[str, ...]) -> TextField:
        longer = self.decision.of_length(len(picked) + 1)
        return self._own_words("", lambda text: longer.rule_violations([*picked, text]), status)

    def _menu_item(self, option: DecisionOption) -> MenuItem:
        """Return the entry of an option: its cost, its description, why it cannot be chosen."""
        question, entity = self.question, option.entity
        names = (original(entity.name), *entity.aliases) if entity else ()
        detail = question.budget.counted(option.cost) if question.budget else ""
        if option.number is not None and option.number > 1:
            detail = f"× {option.number}"
        return MenuItem(
            option.id,
            option.label,
            detail,
            against="; ".join(option.reasons),
            group=self._group(entity) if entity else "",
            search=" ".join((*names, *entity.tags)) if entity else "",
            option=option,
        )

    def _owner(self, entity: Entity) -> Entity | None:
        """Return what an entity belongs to, such as the Role of a System."""
        field = self.ruleset.kinds[entity.kind].group_by
        return self.ruleset.entities.get(str(entity.own.get(field))) if field else None

    def _group(self, entity: Entity) -> str:
        """Return the heading of an entity in a list: what it belongs to, or else its kind."""
        kind, owner = self.ruleset.kinds[entity.kind], self._owner(entity)
        if not kind.group_by:
            return kind.plural
        if owner is None:
            return _("{plural} for everyone").format(plural=kind.plural)
        return _("{name} (yours)").format(name=owner.name) if self._has(owner) else owner.name

    def _has(self, entity: Entity) -> bool:
        """Return whether the unit or the character has an entity."""
        units = {self.decision.unit, CHARACTER}
        return any(self.decision.before.unit_has(unit, entity.id) for unit in units)

    def _in_groups(self, items: list[MenuItem]) -> list[MenuItem]:
        """Return entries group by group: what belongs to what the character has comes first."""

        def rank(item: MenuItem) -> int:
            entity = item.option.entity if item.option else None
            owner = self._owner(entity) if entity else None
            return 1 if owner is None else 0 if self._has(owner) else 2

        groups = list(dict.fromkeys(item.group for item in items))
        return sorted(items, key=lambda item: (rank(item), groups.index(item.group)))

    def _progress(self, picked: Sequence[Answer]) -> Iterator[str]:
        """Yield the progress of a list, in words."""
        if self.question.dice_roll:
            yield _("Your dice: {faces}").format(
                faces=dice.faces_text(sorted(self.decision.faces(), reverse=True))
            )
        names = self.decision.answer_text(list(picked))
        items = f": {names}" if picked else ""
        if self.question.budget is not None:
            left = self._budget_left(picked)
            yield _("{left}; picked: {names}").format(left=left, names=names) if picked else left
        elif self.question.up_to:
            yield _("{count} picked, up to {question_count}{items}").format(
                count=len(picked), question_count=self.question.count, items=items
            )
        else:
            yield _("{count} of {question_count} picked{items}").format(
                count=len(picked), question_count=self.question.count, items=items
            )

    def _budget_left(self, picked: Sequence[Answer]) -> str:
        free, budget = self.decision.free_budget() or 0, self.question.budget
        left = free - self.decision.spent(picked)
        return _("{left} of {count} left").format(
            left=left, count=budget.counted(free) if budget else free
        )
