"""Assign: each of several values gets one of the scores, fixed or rolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from charforge.character.state import FixedModifier
from charforge.decisions.base import RandomSource, is_whole_number, value_priority
from charforge.decisions.option import MISSING, Answer
from charforge.decisions.roll import last_faces
from charforge.decisions.value_map import ValueMapDecision
from charforge.decisions.widgets import Checklist, MenuItem, OptionMenu, WholeAnswer
from charforge.errors import shorten
from charforge.expressions.dice import faces_text
from charforge.expressions.template import as_written
from charforge.rules.models import Assign, Scores
from charforge.rules.ruleset import Ruleset


@dataclass(frozen=True)
class AssignDecision(ValueMapDecision):
    """Hand out scores: a map of every value id and its score."""

    question: Assign

    settled_once = "scores were handed out"

    def scores(self) -> tuple[int, ...]:
        """Return the scores to hand out, highest first."""
        scores = self.question.scores
        if not isinstance(scores, Scores):
            return tuple(sorted(scores, reverse=True))
        faces = Counter(last_faces(self.before.answers[scores.roll]))
        faces.subtract(self.before.answers[scores.without] if scores.without else ())
        rolled_scores = (scores.table.get(face, face) for face in faces.elements())
        return tuple(sorted(rolled_scores, reverse=True))

    def reads(self) -> tuple[str, ...]:
        """Return the ids of the roll that makes the scores, and of the choice of dice."""
        scores = self.question.scores
        if not isinstance(scores, Scores):
            return ()
        return tuple(filter(None, (scores.roll, scores.without)))

    # ------------------------------------------------------------ checking answers

    def _violations(self, answer: Answer) -> Iterator[str]:
        errors = list(self.not_a_map(answer, "score"))
        yield from errors
        if not isinstance(answer, dict):
            return
        numbers = self.by_value(answer)
        missing = [name for name in self.targets() if name not in numbers]
        if missing:
            yield f"no score is given to {', '.join(missing)}"
        if errors or missing:
            return
        scores = [numbers[name] for name in self.targets()]
        if not all(map(is_whole_number, scores)):
            yield "scores are whole numbers"
        elif sorted(scores, reverse=True) != list(self.scores()):
            have = ", ".join(map(shorten, sorted(scores, reverse=True)))
            yield f"the scores to hand out are {', '.join(map(str, self.scores()))}, not {have}"

    def _malformed(self, answer: Answer) -> Iterator[str]:
        yield from self.not_all_numbers(answer, complete=True)

    def modifiers(self, answer: Answer) -> Iterator[FixedModifier]:
        """Yield each value set to its score."""
        for name in self.targets():
            yield FixedModifier(self.unit, name, "set", answer[name], self.id)

    def random_answer(self, source: RandomSource) -> Answer:
        """Give the highest scores to the most important values, the rest in pack order."""
        targets = self.targets()
        first = [name for name in value_priority(self.before, self.unit) if name in targets]
        order = [*first, *(name for name in targets if name not in first)]
        numbers = dict(zip(order, self.scores(), strict=True))
        return {name: numbers[name] for name in targets}

    # ------------------------------------------------------------ the wizard

    def widget(self, former: Answer, source: RandomSource) -> Checklist:
        """Return the checklist of the values, in the order of the scores, highest first."""
        next_menu = partial(self._next_menu, tuple(self._complete_items(former, source(self))))
        return Checklist((), next_menu, self._answer)

    def _complete_items(self, former: Answer, suggested: Answer) -> Iterator[MenuItem]:
        """Yield entries for complete assignments: the former one and a suggestion."""
        may_keep = former is not MISSING and not self.rule_violations(former)
        if may_keep:
            yield MenuItem(WholeAnswer(former), "Keep", self.answer_text(former))
        if not may_keep or self.canonical(former) != suggested:
            about = "The highest scores where they serve this character best."
            detail = self.answer_text(suggested)
            yield MenuItem(WholeAnswer(suggested), "Suggest for me", detail, about)

    def _next_menu(
        self,
        ready_items: Sequence[MenuItem],
        picked: Sequence[Answer],
        _last: Answer,
        _added: int,
    ) -> OptionMenu | None:
        """Return the menu for the next score; None when the rest are all equal."""
        scores = self.scores()
        remaining = scores[len(picked) :]
        if len(set(remaining)) <= 1:
            return None
        assigned = dict(zip(picked, scores, strict=False))
        items = [self._menu_item(name, assigned.get(name)) for name in self.targets()]
        free = next(name for name in self.targets() if name not in assigned)
        return OptionMenu(
            items if picked else [*ready_items, *items],
            free if picked else None,
            (f"Scores to give: {faces_text(remaining)}",),
            f"Which one gets {remaining[0]}?",
        )

    def _menu_item(self, name: str, score: int | None) -> MenuItem:
        value = self.ruleset.values[name]
        against = "" if score is None else "has its score"
        detail = "" if score is None else str(score)
        return MenuItem(name, value.title, detail, as_written(value.text), against=against)

    def _answer(self, picked: Sequence[Answer]) -> Answer:
        free = [name for name in self.targets() if name not in picked]
        return dict(zip([*picked, *free], self.scores(), strict=True))

    # ------------------------------------------------------------ words

    def answer_text(self, answer: Answer) -> str:
        """Return each value with its score."""
        if not isinstance(answer, dict):
            return super().answer_text(answer)
        names = (name for name in self.targets() if name in answer)
        return ", ".join(self.number_text(name, answer[name]) for name in names)

    @classmethod
    def template_lines(cls, question: Assign, ruleset: Ruleset) -> Iterator[str]:
        """Yield the scores to hand out."""
        scores = (
            "the rolled scores" if isinstance(question.scores, Scores) else list(question.scores)
        )
        yield f"{scores}, one to each"

    @classmethod
    def template_answer(cls, question: Assign, ruleset: Ruleset) -> Answer:
        """Return an empty map."""
        return {}
