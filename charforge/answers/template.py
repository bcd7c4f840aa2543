"""The template: a commented answers file with every decision and its options."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.answers.file import header, yaml_line
from charforge.decisions.index import PossibleDecision, possible_decisions
from charforge.decisions.kinds import decision_class
from charforge.describe import unasked_reason
from charforge.language import N_, _
from charforge.rules.models import Question
from charforge.rules.ruleset import Ruleset

LATER = N_("  for level-up --unit: a new unit has level 1")


def template(ruleset: Ruleset, level: int) -> str:
    """Return a commented answers file with every decision and its options."""
    lines = [
        _("# {name}: all choices up to level {level}, with their options.").format(
            name=ruleset.head.name, level=level
        ),
        _("# To make a choice, remove the # in front of it. You are asked for everything else,"),
        _("# or use --random. [Brackets] say when a choice comes up."),
        *header(ruleset, "", level, "", {}),
        "# table_rules:",
    ]
    for rule in ruleset.head.table_rules:
        ways = ", ".join(option.id for option in rule.options)
        lines.append(f"#   {rule.id}: {rule.default}    # {ways}")
    lines.append("answers:")
    grouped: dict[str, list[PossibleDecision]] = {}
    for decision in possible_decisions(ruleset, level):
        grouped.setdefault(decision.id, []).append(decision)
    for name, decisions in grouped.items():
        lines.append("")
        for label, asked, body in _merged(ruleset, decisions):
            lines.append(f"  # {label}{f' [{asked}]' if asked else ''}")
            lines += (f"  # {line}" for line in body)
        lines.append(f"  # {yaml_line(name)}: {_example(ruleset, decisions[0].question)}")
    return "\n".join(lines) + "\n"


def _merged(
    ruleset: Ruleset, decisions: list[PossibleDecision]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield label, condition and description of decisions with one id; equal ones only once."""
    options: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for decision in decisions:
        question = decision.question
        condition = unasked_reason.condition_text(ruleset, question)
        later = (_(LATER),) if decision.unit_level else ()
        entry = (question.label, condition, (*_described(ruleset, question), *later))
        options.setdefault(entry, []).append(" > ".join(decision.option_labels))
    for (label, condition, body), only in options.items():
        parts = (
            _("only for {names}").format(names="; ".join(only)) if all(only) else "",
            condition,
        )
        yield label, _(", and ").join(filter(None, parts)), body


def _described(ruleset: Ruleset, question: Question) -> Iterator[str]:
    """Yield the help of a question and its possible answers."""
    kind = decision_class(question)
    if question.help:
        yield f"  {question.help}"
    if question.is_unprinted:
        yield f"  {_(kind.unprinted_hint)}"
    yield from (f"  {line}" for line in kind.template_lines(question, ruleset))


def _example(ruleset: Ruleset, question: Question) -> str:
    """Return an example answer in YAML."""
    answer = decision_class(question).template_answer(question, ruleset)
    if answer is None:
        return ""
    return '""' if answer == "" else yaml_line(answer)
