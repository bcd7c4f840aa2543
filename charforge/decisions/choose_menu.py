"""The menu of a choice: its options as entries of a list, in groups, and what is picked so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from charforge.character.state import CHARACTER
from charforge.decisions.base import (
    MISSING,
    Answer,
    Checklist,
    DecisionOption,
    MenuItem,
    OptionMenu,
    TextField,
    Widget,
)
from charforge.decisions.options import OptionDecision
from charforge.expressions import dice
from charforge.language import N_, _
from charforge.rules.models import Choose, Entity
from charforge.rules.models.base import original
from charforge.rules.ruleset import Ruleset

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
            return self._checklist(former)
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

    def _checklist(self, former: Answer) -> Checklist:
        return Checklist(
            start=list(self._still_legal(former)),
            items=self._list_items,
            status=lambda picked: tuple(self._progress(picked)),
            missing=self._missing,
            remaining=lambda picked: list(self._still_legal(picked)),
            label=self.decision.option_label,
            answered=former is not MISSING or self.question.up_to,
        )

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
        """Whether a list may contain an option several times."""
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
        """Whether the unit or the character has an entity."""
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
        items = f": {self.decision.answer_text(list(picked))}" if picked else ""
        if self.question.budget is not None:
            yield f"{self._budget_left(picked)}{items}"
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
        return _("{left} of {count} free").format(
            left=left, count=budget.counted(free) if budget else free
        )
