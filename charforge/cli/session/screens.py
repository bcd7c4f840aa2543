"""The screens of a session: what a unit can do, its conditions and status, and the help."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import typer

from charforge.character.state import State
from charforge.cli import console
from charforge.cli.commands import ProgramGroup
from charforge.cli.console import KNOWN, Line, Styled
from charforge.cli.usage import EXAMPLE_LINES, help_paragraphs
from charforge.describe.held_entities import HeldEntity
from charforge.errors import FILE
from charforge.expressions.template import NO_BREAK
from charforge.language import N_, _
from charforge.rules.models import Procedure
from charforge.sheet.holdings import active_conditions
from charforge.sheet.phrases import plain_line
from charforge.sheet.view import shown_conditions
from charforge.verbs.unit_status import AbilityRow, CompletionWords, UnitStatus, player_conditions

READY = N_("ready")
INDENT = " " * 5  # below the name of a numbered row
Numbered = tuple[int, AbilityRow]


def opening_lines(
    title: str, status: str, rows: Sequence[AbilityRow], room: int
) -> tuple[Line, ...]:
    """Return the first screen: the state, attacks and abilities, and what everybody can do.

    What has no room of so many lines is listed by name only: first the abilities, then the attacks.
    """
    numbered = list(enumerate(rows, 1))
    attacks = [(n, row) for n, row in numbered if row.is_attack]
    own = [(n, row) for n, row in numbered if not row.is_attack and not row.common]
    common = [(n, row) for n, row in numbered if not row.is_attack and row.common]
    if not (attacks or own):
        own, common = common, own
    head = [(Styled(title, "bold"),), *console.indented_lines(status)]
    rest = list(_short_group(_("Everyone can"), common))
    lines: tuple[Line, ...] = ()
    for of_attacks, of_own in ((_group, _group), (_group, _short_group), (_short_group,) * 2):
        shown = (*of_attacks(_("Your attacks"), attacks), *of_own(_("Your abilities"), own))
        lines = (*head, *shown, *rest)
        if len(lines) <= room:
            break
    return lines


def _short_group(title: str, rows: Sequence[Numbered]) -> Iterator[Line]:
    """Yield a heading and numbered names in running text."""
    if rows:
        yield ("",)
        yield (Styled(title, "bold"),)
        not_now = _(" (not now)").replace(" ", NO_BREAK)
        marks = (f"{n}{NO_BREAK}{row.name}{not_now if row.reasons else ''}" for n, row in rows)
        yield from console.indented_lines(f"{NO_BREAK}· ".join(marks), "  ")


def ability_lines(rows: Sequence[AbilityRow]) -> Iterator[Line]:
    """Yield every attack and ability with its facts and whether it is ready."""
    groups: dict[str, list[Numbered]] = {
        _("Your attacks"): [],
        _("Your abilities"): [],
        _("Everyone can"): [],
    }
    for number, row in enumerate(rows, 1):
        title = (
            _("Your attacks")
            if row.is_attack
            else _("Everyone can")
            if row.common
            else _("Your abilities")
        )
        groups[title].append((number, row))
    yield from _groups(groups)


def _groups(groups: Mapping[str, Sequence[Numbered]]) -> Iterator[Line]:
    for title, rows in groups.items():
        yield from _group(title, rows)


def _group(title: str, rows: Sequence[Numbered]) -> Iterator[Line]:
    """Yield an empty line, a heading and numbered rows in columns."""
    if rows:
        yield ("",)
        yield from group_lines(title, rows)


def group_lines(title: str, rows: Sequence[Numbered]) -> Iterator[Line]:
    """Yield a heading and numbered rows in columns; a row that is not ready is dim."""
    if not rows:
        return
    yield (Styled(title, "bold"),)
    facts = [" · ".join(row.facts) for _number, row in rows]
    names = min(max(len(row.name) for _number, row in rows), console.screen_width() * 3 // 8)
    columns = min(max(map(len, facts)), console.screen_width() * 3 // 8)
    for (number, row), text in zip(rows, facts, strict=True):
        state = "; ".join(row.reasons) or _(READY)
        cells = (f"{number:>3}  {row.name:<{names}}", f"{text:<{columns}}", state)
        for line in _columns(cells):
            yield (Styled(line, "dim") if row.reasons else line,)


def _columns(cells: Sequence[str]) -> Iterator[str]:
    """Yield cells beside each other; those that do not fit go on below the first."""
    most, line = console.screen_width() - 1, ""
    for cell in cells:
        beside = f"{line}  {cell}" if line else cell
        if not line or len(beside.rstrip()) <= most:
            line = beside
            continue
        yield line.rstrip()
        *above, line = textwrap.wrap(
            cell.strip(), most, initial_indent=INDENT, subsequent_indent=INDENT
        )
        yield from above
    yield line.rstrip()


def condition_lines(state: State, unit_id: str, add: str) -> Iterator[Line]:
    """Yield the conditions of a unit with their effects, and the names that can be set.

    ``add`` is the command for that.
    """
    active = shown_conditions(active_conditions(state, unit_id))
    if not active:
        yield (_("No conditions."),)
    for condition in active:
        yield (Styled(condition.text, "bold"),)
        yield from console.indented_lines(plain_line(condition.effect), "  ")
        if condition.ends:
            yield from console.indented_lines(_("Until {ends}.").format(ends=condition.ends), "  ")
    settable = [entity.name for entity in player_conditions(state, unit_id)]
    if settable:
        yield ("",)
        yield (_("To add or remove one:"),)
        yield (f"  {add} [off]",)
        yield from console.indented_lines(", ".join(dict.fromkeys(settable)), "  ")


def status_lines(name: str, shown: UnitStatus, others: Iterable[UnitStatus]) -> Iterator[Line]:
    """Yield the whole status of a unit, and a line for each other unit."""
    yield (Styled(name, "bold"),)
    rows = (
        ("", " · ".join(shown.figure_texts)),
        (_("Conditions"), ", ".join(shown.conditions)),
        (_("On cooldown"), ", ".join(shown.cooling)),
        (_("Items"), "; ".join(shown.items)),
    )
    for label, text in rows:
        if text:
            yield from console.indented_lines(f"{label}: {text}" if label else text, "    ", "  ")
    for status in others:
        yield from console.indented_lines(status.line, "    ")


def about_lines(state: State, unit_id: str, row: AbilityRow) -> Iterator[Line]:
    """Yield the name, facts, readiness and text of an ability."""
    ability = row.ability
    yield (Styled(row.name, "bold"),)
    yield from console.indented_lines(
        " · ".join((*row.facts, "; ".join(row.reasons) or _(READY))), "  "
    )
    held = HeldEntity(state, ability.entity, unit_id, getattr(ability.holding, "id", ""))
    text = held.line(ability.definition.text or ability.entity.text)
    yield from console.indented_lines(text, "  ")


def rule_lines(state: State, rule: Procedure) -> Iterator[Line]:
    """Yield the label of a rule, and what it says."""
    yield (Styled(rule.label, "bold"),)
    entity = state.ruleset.entities.get(rule.source)
    text = rule.text or ("" if entity is None else state.digest(entity))
    yield from console.indented_lines(state.values().plain_text(text), "  ")


class SessionWords(NamedTuple):
    """The words that Tab knows in a session: its verbs, what a unit can do, and other names."""

    verbs: tuple[str, ...]
    abilities: tuple[str, ...]
    attacks: tuple[str, ...]
    names: CompletionWords


class SessionVerb(NamedTuple):
    """A verb of a session, with what its command does not say.

    Its help lists it in a ``group``. ``usage`` and ``text`` are for a verb that only a session has,
    or takes in its own way; other commands have their own. ``examples`` come before those of the
    command. Tab completes the words that ``completed`` returns after the verb. A verb with
    ``hides_abilities`` is meant even if an ability has its name.
    """

    group: str
    usage: str = ""
    text: str = ""
    examples: tuple[str, ...] = ()
    completed: Callable[[SessionWords], Iterable[str]] | None = None
    hides_abilities: bool = False


ACT, CHANGE, LOOK, GEAR, SESSION = N_("Act"), N_("Change"), N_("Look"), N_("Gear"), N_("Session")
_ITEM = SessionVerb(GEAR, completed=lambda words: words.names.items)
VERBS = {  # in the order of the help
    "use": SessionVerb(
        ACT,
        "[use] ABILITY [SCORE]",
        N_("Use an attack or ability by name or number."),
        ("3", "3 vs 8 aim=1"),
        lambda words: words.abilities,
        hides_abilities=True,
    ),
    "attack": SessionVerb(
        ACT,
        "attack [NAME] [SCORE]",
        N_("Attack; without a name, choose from a list."),
        ("attack", "attack pistol 8"),
        lambda words: words.attacks,
    ),
    "roll": SessionVerb(ACT, completed=lambda words: words.names.attributes, hides_abilities=True),
    "turn": SessionVerb(ACT),
    "rest": SessionVerb(ACT, completed=lambda words: words.names.rests),
    "damage": SessionVerb(CHANGE, completed=lambda _words: ()),
    "heal": SessionVerb(CHANGE, completed=lambda _words: ()),
    "spend": SessionVerb(CHANGE, completed=lambda words: words.names.resources),
    "award": SessionVerb(CHANGE, completed=lambda words: words.names.resources),
    "condition": SessionVerb(
        CHANGE, completed=lambda words: words.names.conditions, hides_abilities=True
    ),
    "note": SessionVerb(CHANGE),
    "abilities": SessionVerb(
        LOOK, "abilities", N_("List attacks and abilities with cost and readiness.")
    ),
    "conditions": SessionVerb(
        LOOK, "conditions", N_("Explain your conditions; list those you can add.")
    ),
    "status": SessionVerb(LOOK, "status", N_("Show resources, conditions, cooldowns and items.")),
    "show": SessionVerb(LOOK),
    "explain": SessionVerb(LOOK, completed=lambda words: (*words.names.values, *words.abilities)),
    "odds": SessionVerb(LOOK, hides_abilities=True),
    "history": SessionVerb(LOOK),
    "hold": _ITEM,
    "stow": _ITEM,
    "wear": _ITEM,
    "take-off": _ITEM,
    "buy": SessionVerb(GEAR),
    "sell": _ITEM,
    "drop": _ITEM,
    "undo": SessionVerb(SESSION),
    "redo": SessionVerb(SESSION),
    "unit": SessionVerb(
        SESSION,
        "unit [NAME]",
        N_("Switch to a companion or vehicle, or back to you."),
        ("unit land beast", "unit"),
        lambda words: words.names.units,
    ),
    "help": SessionVerb(
        SESSION,
        "help [VERB|ABILITY]",
        N_("Explain a verb or an ability."),
        ("help damage", "help pistol"),
        lambda words: (*words.verbs, *words.abilities),
    ),
    "quit": SessionVerb(SESSION, "quit", N_("End the session (or Ctrl-D). Everything is saved.")),
}
LISTED_BY_INPUTS = ("--set", "--dice")  # what the word `inputs` lists
SHORT_FORMS = {  # options that have a shorter form in a session
    ("--set", "NAME=VALUE"): (
        "NAME=VALUE",
        N_("Another detail of the rule; the word `inputs` at the end lists them."),
    ),
    ("--dice", "[ROLL=]3,4"): (
        "dice=3,4",
        N_("Your own dice for the first roll; the word `inputs` at the end names the others."),
    ),
    ("--vs", "N"): (
        "vs N",
        N_("The difficulty, or the opponent's score. The number alone will do."),
    ),
}
# What a line hardly ever needs.
HIDDEN = (
    "ctx", "file", "files", "words", "ruleset", "by", "dated", "help", "unit", "inputs", "as_json",
)  # fmt: skip


def overview() -> Iterator[Line]:
    """Yield the usual verbs in groups, each with what it does."""
    program = ProgramGroup()
    usages = {verb: verb_usage(program, verb) for verb in VERBS}
    wide = max(map(len, usages.values()))
    for group, verbs in groupby(VERBS, lambda verb: VERBS[verb].group):
        yield (Styled(_(group), "bold"),)
        for verb in verbs:
            text = _(VERBS[verb].text or str(program.commands[verb].help))
            first = f"  {usages[verb]:<{wide}}  "
            yield from console.indented_lines(text, " " * len(first), first)
    yield from console.indented_lines(
        _(
            "The number or name of an ability uses it; Enter alone lists them. Other commands of "
            "charforge work as well, without the file. An empty line or Esc cancels a question."
        )
    )


def verb_usage(program: ProgramGroup, verb: str) -> str:
    """Return a verb with what it takes: ``damage AMOUNT [TYPE]``."""
    known = VERBS.get(verb)
    if known is not None and known.usage:
        return known.usage
    command = program.load(verb)
    pieces = command.collect_usage_pieces(typer.Context(command, info_name=verb))
    return " ".join([verb, *(piece for piece in pieces if piece not in KNOWN)])


def verb_lines(program: ProgramGroup, verb: str) -> Iterator[Line]:
    """Yield what a verb does and takes, with examples."""
    yield (Styled(verb_usage(program, verb), "bold"),)
    known = VERBS.get(verb, SessionVerb(""))
    if known.usage and verb != "use":
        yield from console.indented_lines(_(known.text), "  ")
        yield from _example_lines(known.examples)
        return
    command = program.load(verb)
    for paragraph in help_paragraphs(getattr(command, "description", command.help)):
        if not paragraph.startswith(EXAMPLE_LINES):
            yield from console.indented_lines(_(paragraph), "  ")
    rows = list(_part_rows(command))
    wide = max((len(word) for word, _help in rows), default=0)
    for word, help_ in rows:
        first = f"    {word:<{wide}}  "
        yield from console.indented_lines(help_, " " * len(first), first)
    own = (f"{verb} {example}" for example in getattr(command, "examples", ()))
    lines = (" ".join(word for word in line.split() if word != FILE) for line in own)
    yield from _example_lines((*known.examples, *lines))


def _example_lines(examples: tuple[str, ...]) -> Iterator[Line]:
    if examples:
        yield from console.indented_lines(
            _("Examples: {examples}").format(examples=" · ".join(examples)), "    ", "  "
        )


def _part_rows(command: Any) -> Iterator[tuple[str, str]]:
    """Yield what a line of the verb can have, each as it is typed, with its help."""
    shown = [part for part in command.params if part.name not in HIDDEN]
    arguments = [part for part in shown if part.param_type_name == "argument"]
    words = [str(part.metavar or part.name).strip("[]") for part in arguments]
    lists_inputs = any(part.name == "inputs" for part in command.params)
    yield from zip(words, (_(str(part.help)) for part in arguments), strict=True)
    for part in shown:
        if part in arguments or str(part.metavar) in words:
            continue
        name, help_ = part.opts[0], _(str(part.help))
        word = name.removeprefix("--") if part.is_flag else f"{name} {part.metavar}"
        short, text = SHORT_FORMS.get((name, str(part.metavar)), (word, help_))
        yield short, help_ if name in LISTED_BY_INPUTS and not lists_inputs else _(text)
