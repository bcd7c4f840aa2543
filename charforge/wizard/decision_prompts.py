"""Prompts for one decision: each kind of widget, on pages of the wizard.

``Decision.widget`` says how a decision is asked, what can be chosen, and the
reasons why other options cannot. Each function returns an answer that the
decision allows, or raises Back if the player goes back from its first page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from charforge.answers.automatic import RandomAnswers, Recommendation, recommendations
from charforge.character.holdings import NOT_CHOSEN
from charforge.character.state import CHARACTER, State
from charforge.decisions.base import (
    MISSING,
    Answer,
    Decision,
    MenuItem,
    OptionId,
    OptionMenu,
    TextField,
    WholeAnswer,
)
from charforge.describe import entities
from charforge.describe.held_entities import HeldEntity
from charforge.describe.remarks import opposites_held
from charforge.errors import sentence
from charforge.expressions.template import NO_BREAK
from charforge.language import _
from charforge.rules.models import Entity
from charforge.sheet import attacks
from charforge.usecases.advise import advise_choice, is_measurable_now
from charforge.usecases.measures import typical_measures
from charforge.usecases.preview import AnswerTrial
from charforge.wizard.form import question_help
from charforge.wizard.list_pages import ChecklistPage, Leave, ListPage, Trial, page_of
from charforge.wizard.pages import Back, Prompts, Stopped, WizardPage


def ask_decision(
    decision: Decision,
    prompts: Prompts,
    page: WizardPage,
    former: Answer,
    source: RandomAnswers,
    trial: Trial | None = None,
) -> Answer:
    """Ask for an allowed answer to a decision. Raises Back.

    ``former`` is the earlier answer, or MISSING; ``source`` rolls dice and
    makes suggestions. On ``trial``, the effect of each entry is shown.
    """
    page = replace(page, question=decision.title(), help=question_help(decision) or page.help)
    render = _Renderer(prompts, page)
    asked = decision_page(decision, former, source, trial)
    return render.text(asked) if isinstance(asked, TextField) else render.list(asked)


def decision_page(
    decision: Decision, former: Answer, source: RandomAnswers, trial: Trial | None = None
) -> ListPage | TextField:
    """Return the list that asks a decision, with its options described, or its text field."""
    widget = decision.widget(former, source)
    if isinstance(widget, TextField):
        return widget
    list_page = page_of(widget)
    list_page.trial = trial
    if isinstance(trial, AnswerTrial) and is_measurable_now(trial):
        measures = typical_measures(decision.ruleset)
        if measures is not None:
            list_page.advice = lambda progress: advise_choice(
                trial, measures, progress=progress, answer=list_page.begun_answer()
            )
    recommended = recommendations(decision)
    list_page.describe = partial(_described, decision, trial is None, recommended)
    if former is not MISSING and not decision.rule_violations(former):
        list_page.former = decision.canonical(former)
    elif recommended and isinstance(widget, OptionMenu):
        list_page.pointed_value = next(iter(recommended))
    return list_page


def _described(
    decision: Decision,
    choices: bool,
    recommended: Mapping[OptionId, Recommendation],
    item: MenuItem,
) -> MenuItem:
    """Return the entry of an option with its text, and a weapon's figures in a table.

    ``choices``: whether the text lists what there is to choose for it.
    """
    if item.option is None:
        return item
    entity = item.option.entity
    cells = weapon_cells(decision.before, entity, decision.unit) if entity else ()
    text = entities.option_text(item.option, decision.ruleset, choices)
    if entity is not None and (opposites := opposites_held(decision.before, entity)):
        chosen = _("The opposite of {names}, which you have.").format(names=", ".join(opposites))
        text = f"{chosen}\n{text}"
    reason = str(recommended.get(item.value, ""))
    return item._replace(about=text, cells=cells, recommended=reason)


@dataclass(frozen=True)
class _Renderer:
    """Renders the widgets of one decision on its page."""

    prompts: Prompts
    page: WizardPage

    def list(self, list_page: ListPage) -> Answer:
        """Ask on a list; return the answer. Raises Back or Stopped with what was picked."""
        try:
            return self._chosen(list_page)
        except Back:
            raise Back(_picked(list_page)) from None
        except (KeyboardInterrupt, EOFError, OSError) as stopped:
            raise Stopped(_picked(list_page)) from stopped

    def _chosen(self, list_page: ListPage) -> Answer:
        """Ask on a list, and for the texts of its fields; return the answer."""
        while True:
            chosen = self.prompts.menu(self.page, list_page)
            if isinstance(chosen, TextField):
                try:
                    outcome = list_page.text(self.text(chosen))
                except Back:
                    continue
                if isinstance(outcome, Leave):
                    return outcome.value
            else:
                return chosen.answer if isinstance(chosen, WholeAnswer) else chosen

    def text(self, field: TextField) -> Answer:
        """Ask for a text, and then for any text that must follow it."""
        page = replace(
            self.page,
            status=field.status,
            help=self.page.help if field.help is None else field.help,
            note=self.page.note if field.note is None else field.note,
        )

        def problem(text: str) -> str:
            return sentence(field.problems(text))

        while True:
            answer = field.parse(self.prompts.line(page, field.text, problem, field.examples))
            further = field.follow_up(answer)
            if further is None:
                return answer
            try:
                return self.text(further)
            except Back:
                continue


def _picked(list_page: ListPage) -> Sequence[Answer]:
    return list_page.picked if isinstance(list_page, ChecklistPage) else ()


Cells = tuple[tuple[str, str], ...]


def weapon_cells(state: State, entity: Entity, unit: str = CHARACTER, holding: str = "") -> Cells:
    """Return the row of a weapon, with the figures that a unit would have with it.

    The columns that matter most come first: a narrow screen has no room for the others.

    Empty for anything else, and for a weapon whose figures are answers to its own choices.
    """
    is_unit = state.ruleset.kinds[entity.kind].unit is not None
    if not entity.attacks or is_unit or (entity.own_numbers and not holding):
        return ()
    held = HeldEntity(state, entity, unit, holding)
    weapon = attacks.weapon(held, (), ())
    if weapon is None:
        return ()
    modes = weapon.attacks
    shared = weapon.shared
    properties = [*held.short_facts()[1:], *shared.extras]
    types = shared.types if shared.types != _(NOT_CHOSEN) else ""
    cells = (
        (_("Roll"), _joined(mode.roll for mode in modes)),
        (_("Damage"), f"{_joined(mode.damage for mode in modes)} {types}".strip()),
        (_("Range"), _joined(mode.range for mode in modes)),
        (_("Properties"), ", ".join(properties)),
    )
    return tuple((title, text.replace(NO_BREAK, " ")) for title, text in cells)


def _joined(texts: Iterable[str]) -> str:
    """Return the different texts of the modes of a weapon."""
    return " / ".join(dict.fromkeys(filter(None, texts)))
