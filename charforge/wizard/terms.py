"""Explained pages: every page of the wizard, with the terms that occur on it on request.

Terms are values, entities, timings and the vocabularies of a ruleset. They
are found as they are printed, also in the plural.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from charforge.decisions.base import MenuItem
from charforge.describe.entities import entity_paragraphs
from charforge.expressions.template import as_written
from charforge.language import N_, _, sort_key
from charforge.rules.models import Entity
from charforge.rules.ruleset import Ruleset
from charforge.usecases.advise import reasons
from charforge.wizard.form import Form, OpenField
from charforge.wizard.list_pages import ListPage
from charforge.wizard.pages import AdviceAsked, Back, Prompts, TermsAsked, WizardPage

SHORTEST = 2  # letters of a term


class GameTerm(NamedTuple):
    """A word of a game: its name, what kind of thing it is, and its explanation."""

    name: str
    kind: str
    text: str


@dataclass(frozen=True)
class _TermIndex:
    """All terms of a ruleset by their printed names, and the pattern that finds them."""

    sources: Mapping[str, tuple[Entity | GameTerm, ...]]
    pattern: re.Pattern[str]


def terms_in(text: str, ruleset: Ruleset) -> list[GameTerm]:
    """Return the terms that occur in a text, in alphabetical order."""
    index: _TermIndex = ruleset.cached("terms", lambda: _term_index(ruleset))
    found = dict.fromkeys(match[1] for match in index.pattern.finditer(text))
    terms = {
        (term.name, term.kind): term
        for name in found
        for source in index.sources[name]
        if (term := _explained(source, ruleset)).text
    }
    return sorted(terms.values(), key=lambda term: (sort_key(term.name), term.kind))


def _term_index(ruleset: Ruleset) -> _TermIndex:
    sources: dict[str, list[Entity | GameTerm]] = {}
    for name, source in _sources(ruleset):
        if len(name) >= SHORTEST:
            sources.setdefault(name, []).append(source)
    longest_first = sorted(sources, key=len, reverse=True)
    names = "|".join(map(re.escape, longest_first))
    pattern = re.compile(rf"(?<!\w)({names})(?:s|es)?(?!\w)")
    return _TermIndex({name: tuple(found) for name, found in sources.items()}, pattern)


def _sources(ruleset: Ruleset) -> Iterator[tuple[str, Entity | GameTerm]]:
    """Yield every printed name with what it names."""
    for value in ruleset.values.values():
        title = f"{value.label}: {value.name}" if value.name != value.label else value.label
        term = GameTerm(title, N_("Values"), as_written(value.text))
        for name in {value.label, value.name, value.label.removesuffix("s"), value.unit}:
            yield name, term
    for timing in ruleset.head.timings:
        yield timing.label, GameTerm(timing.label, N_("Timing"), timing.text)
    for terms in ruleset.head.terms.values():
        for known in terms:
            yield known.label, GameTerm(known.label, N_("Words of the game"), known.text)
    for entity in ruleset.entities.values():
        if entity.alias_of is None:
            yield entity.name, entity


def _explained(source: Entity | GameTerm, ruleset: Ruleset) -> GameTerm:
    if isinstance(source, GameTerm):
        return GameTerm(source.name, _(source.kind), source.text)
    text = "\n".join(entity_paragraphs(source, ruleset))
    return GameTerm(source.name, ruleset.kinds[source.kind].plural, text)


QUESTION, KEYS = N_("What do these words mean?"), N_("Keys")
NONE = N_("No word on this page has an explanation.")


@dataclass(frozen=True)
class ExplainedPrompts:
    """Prompts whose pages explain their terms when the player asks: a list, then the page again."""

    prompts: Prompts
    ruleset: Ruleset

    @property
    def keys_help(self) -> str:
        """A text on the keys of every page."""
        return self.prompts.keys_help

    def __enter__(self) -> Self:
        self.prompts.__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        self.prompts.__exit__(*exception)

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        """Show a list until a key leaves it."""
        while True:
            try:
                return self.prompts.menu(replace(page, explains=True), list_page)
            except TermsAsked:
                marked = [i for i in list_page.items() if i.value == list_page.pointed_value]
                self._explain(page, _list_texts(list_page), marked[:1])
            except AdviceAsked:
                self._compare(page, list_page)

    def _compare(self, page: WizardPage, list_page: ListPage) -> None:
        """Show the options of a page ranked by what they change, and take the one selected."""
        assert list_page.advice is not None
        advice = list_page.advice(self.prompts.progress)
        items = [
            MenuItem(
                row.id,
                row.label,
                detail=row.cost,
                about="\n".join(reasons(row)),
                recommended=row.recommended,
            )
            for row in advice.options
        ]
        order = _("The best comes first.")
        if not any(row.is_measurable for row in advice.options):
            order = _("None of these changes a number.")
        help_text = _("{foe} {compared} {order} Enter selects it on the page before.").format(
            foe=advice.foe, compared=advice.compared, order=order
        )
        shown = replace(
            WizardPage(page.title, page.step, page.number, page.total),
            question=_("Compare the options"),
            help=help_text.strip(),
            stop=page.stop,
        )
        try:
            items = items or [MenuItem("", _("No option is legal now."))]
            chosen = self.prompts.menu(shown, ListPage(items, items[0].value))
        except Back:
            return
        for row in advice.options:
            if row.id == chosen:
                list_page.take_advice(row)

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        """Return a line of text without problems."""
        while True:
            try:
                return self.prompts.line(replace(page, explains=True), text, problem, examples)
            except TermsAsked as asked:
                text = asked.start
                self._explain(page, ())

    def progress(self, number: int, count: int, label: str) -> None:
        """Say which option is compared now."""
        self.prompts.progress(number, count, label)

    def form(self, page: WizardPage, form: Form, start: str = "") -> OpenField | None:
        """Let the player fill in a form."""
        while True:
            try:
                return self.prompts.form(replace(page, explains=True), form, start)
            except TermsAsked as asked:
                start = asked.start
                rows = form.rows()
                marked = [MenuItem(r.id, r.label, about=r.about) for r in rows if r.id == start]
                texts = (f"{r.heading} {r.label} {r.text} {r.about}" for r in rows)
                self._explain(page, texts, marked)

    def _explain(
        self, page: WizardPage, texts: Iterable[str], marked: Sequence[MenuItem] = ()
    ) -> None:
        """Show the rule of what was marked, the keys and the terms of a page."""
        answers = (f"{label} {answer}" for label, answer in page.answers)
        labels = (value.label for value in page.values)
        nearest_first = (
            (page.intro, page.question, page.help, page.note, *page.status),
            (f"{item.label} {item.about}" for item in marked),
            texts,
            (page.title, *answers, *labels),
        )
        found = dict.fromkeys(
            term for part in nearest_first for term in terms_in("\n".join(part), self.ruleset)
        )
        items = [MenuItem(term.name, term.name, about=term.text, group=term.kind) for term in found]
        groups = list(dict.fromkeys(item.group for item in items))
        items.sort(key=lambda item: groups.index(item.group))
        first = [MenuItem(item.label, item.label, about=item.about) for item in marked]
        keys = self.prompts.keys_help
        first += [MenuItem(_(KEYS), _(KEYS), about=keys)] if keys else []
        items = [item for item in first if item.about] + items
        shown = WizardPage(page.title, page.step, page.number, page.total, question=_(QUESTION))
        shown = replace(shown, stop=page.stop)
        shown = replace(shown, help=_("Words on the page before. Enter or Esc returns to it."))
        try:
            items = items or [MenuItem("", _(NONE))]
            self.prompts.menu(shown, ListPage(items, items[0].value))
        except Back:
            return


def _list_texts(list_page: ListPage) -> Iterator[str]:
    yield from list_page.status()
    for item in list_page.items():
        yield f"{item.group} {item.label} {item.detail} {item.against} {item.about}"
        yield from (f"{title} {text}" for title, text in item.cells)
