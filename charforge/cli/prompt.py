"""Questions outside the wizard: which draft, character or decision; and the start screen."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import typer

from charforge import wizard
from charforge.answers.file import AnswersFile
from charforge.cli import console
from charforge.cli.files import character_paths, character_summary, saved_name
from charforge.decisions.base import MISSING, Decision, MenuItem
from charforge.errors import UsageError, counted
from charforge.language import N_, _
from charforge.paths import DRAFT_ENDING, first_line, latest_first
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.ruleset import Ruleset
from charforge.usecases.edit import random_reanswers
from charforge.usecases.preview import loaded_trial

WHICH_AGAIN = N_("Which decision do you want to answer again?")
NOTHING_ELSE = N_("You are asked again only about what the change breaks or adds.")


def choose_decision(loaded: LoadedCharacter, asked: Sequence[Decision]) -> Decision:
    """Return the decision to change, chosen from a list with search; Esc exits."""
    effective = loaded.character.state.answers
    labels = {section.id: section.label for section in loaded.ruleset.head.sections}
    level_text = loaded.ruleset.head.advancement.text
    items = []
    for decision in asked:
        answer_text = (
            decision.answer_text(effective[decision.id]) if decision.id in effective else _("open")
        )
        label, level = decision.title(), level_text(decision.level)
        group = labels.get(decision.section, level)
        text = f"{label} {answer_text}"
        items.append(MenuItem(decision, label, answer_text, text, group=group, search=decision.id))
    chosen: Decision | None = _menu(
        items,
        title=_title(loaded),
        step=_("Edit"),
        intro=_(NOTHING_ELSE),
        question=_(WHICH_AGAIN),
        stop=N_("cancel"),
    )
    return _cancel() if chosen is None else chosen


def choose_draft(drafts: Sequence[AnswersFile]) -> Path | None:
    """Return the draft of a new character to continue, or None for another character.

    Enter alone starts a new one, so nobody continues a draft by mistake.
    """
    items = [MenuItem(None, _("Start a new character"))]
    for draft in drafts:
        name = draft.name or draft.path.name.removesuffix(DRAFT_ENDING)
        answers = counted(len(draft.answers), "answer", "answers")
        detail = " · ".join(filter(None, (draft.ruleset, answers, draft.path.name)))
        items.append(MenuItem(draft.path, _("Continue {name}").format(name=name), detail))
    help_text = _("These drafts are in this folder.")
    chosen: Path | None = choose(_("A new character, or an unfinished one?"), items, help_text)
    return chosen


def choose_level_up_draft(drafts: Sequence[AnswersFile], name: str) -> Path | None:
    """Return the draft of a level-up to continue, or None to begin the level again."""
    items = [
        MenuItem(d.path, str(d.path.name), counted(len(d.answers), "answer", "answers"))
        for d in drafts
    ]
    items.append(MenuItem(None, _("Start the level-up again")))
    question = _("Continue an unfinished level-up of {name}?").format(name=name)
    chosen: Path | None = choose(question, items)
    return chosen


def ask_game(games: Sequence[Ruleset]) -> str | None:
    """Ask for one of these games and return its id; None if there is only one.

    Esc ends the program.
    """
    if len(games) < 2:
        return None
    items = [MenuItem(game.id, game.head.name, about=game.head.text) for game in games]
    chosen: str | None = choose(_("Which game?"), items)
    if chosen is None:
        raise typer.Exit(0)
    return chosen


def choose_character() -> Path:
    """Ask which character of this folder is meant. Raises UsageError if there is none.

    The only one is meant without a question.
    """
    files = character_paths(Path())
    if not files:
        raise UsageError(
            _("there are no characters in this folder"),
            _("Create one: charforge new. Or give a file or a folder."),
        )
    if len(files) == 1:
        return files[0]
    items = [MenuItem(file, saved_name(file) or file.stem, str(file)) for file in files]
    chosen: Path | None = choose(_("Which character?"), items)
    if chosen is None:
        raise UsageError(_("no character is chosen"), _("Give a file or a folder."))
    return chosen


def choose(question: str, items: Sequence[MenuItem], help_text: str = "") -> Any:
    """Return the value of the entry that the player selects from a menu; None for Esc.

    Ctrl-C ends the program.
    """
    try:
        return _menu(items, title="charforge", question=question, help=help_text, stop=N_("quit"))
    except (KeyboardInterrupt, EOFError):
        raise typer.Exit(130) from None


def _menu(items: Sequence[MenuItem], **page: Any) -> Any:
    """Return the value of the entry that is selected on a page of its own; None for Esc."""
    prompts = wizard.screen.terminal()
    try:
        with prompts:
            return prompts.menu(
                wizard.pages.WizardPage(**page), wizard.list_pages.ListPage(items, items[0].value)
            )
    except wizard.pages.Back:
        return None


def ask_one_decision(loaded: LoadedCharacter, decision: Decision) -> Any:
    """Return a new answer to a decision, which starts with the present one; Esc exits."""
    former = loaded.document.answers.get(decision.id, MISSING)
    prompts = wizard.terms.ExplainedPrompts(wizard.screen.terminal(), loaded.ruleset)
    try:
        with prompts:
            sections = {section.id: section.help for section in loaded.ruleset.head.sections}
            page = wizard.pages.WizardPage(
                title=_title(loaded),
                step=_("Edit"),
                intro=wizard.pages.first_sentence(sections.get(decision.section, "")),
                stop=N_("cancel"),
            )
            source = random_reanswers(loaded.document)
            trial = loaded_trial(loaded, decision)
            return decision.canonical(
                wizard.decision_prompts.ask_decision(decision, prompts, page, former, source, trial)
            )
    except wizard.pages.Back:
        _cancel()


def _title(loaded: LoadedCharacter) -> str:
    return f"{loaded.ruleset.head.name} · {loaded.document.name}"


def _cancel() -> NoReturn:
    console.say(_("Nothing was changed."))
    raise typer.Exit(0)


MOST_RECENT = 5  # characters
MAX_DRAFTS = 5
# The first line of a draft names the command that goes on with it.
DRAFT_COMMAND = re.compile(r"`charforge ((?:new|level-up|edit|plan) .*) THIS-FILE`")
FOR_A_CHARACTER = (
    (N_("Show the character"), "show"),
    (N_("Play a session"), "play"),
    (N_("Level up"), "level-up"),
    (N_("Open the shop"), "shop"),
    (N_("Create the sheet (PDF)"), "sheet"),
)


def ask_what_to_do() -> list[str] | None:
    """Return the words of a command, chosen on the start screen; None for Esc."""
    while True:
        chosen = choose(_("What would you like to do?"), [*_drafts(), *_characters(), *_others()])
        words = _ask_command(chosen) if isinstance(chosen, Path) else chosen
        if words is not None or chosen is None:
            return words


def _entry(label: str, words: list[str], detail: str = "") -> MenuItem:
    """Return the entry of a command, which is shown while the entry is pointed at."""
    return MenuItem(words, label, detail, f"charforge {shlex.join(words)}")


def _drafts() -> Iterator[MenuItem]:
    """Yield the drafts of this folder, the latest first."""
    for file in latest_first(Path().glob(f"*{DRAFT_ENDING}"))[:MAX_DRAFTS]:
        try:
            match = DRAFT_COMMAND.search(first_line(file))
        except OSError:
            continue
        if match:
            words = [*shlex.split(match[1]), str(file)]
            yield _entry(_("Continue the draft {file}").format(file=file), words)


def _characters() -> Iterator[MenuItem]:
    """Yield the characters of this folder, the latest first."""
    files = latest_first(character_paths(Path()))
    found = ((file, summary) for file in files if (summary := character_summary(file)))
    for file, summary in islice(found, MOST_RECENT):
        name, level = summary["name"], summary["level"]
        above = isinstance(level, int) and level > 1  # some games have no levels
        at_level = _("level {level}, ").format(level=level) if above else ""
        yield MenuItem(file, str(name), f"{at_level}{file}")


def _others() -> Iterator[MenuItem]:
    """Yield what can be done without a character."""
    yield _entry(_("Create a character"), ["new"])
    yield _entry(_("List the games"), ["games"])
    yield _entry(_("List all commands"), ["help"])


def _ask_command(file: Path) -> list[str] | None:
    """Ask what to do with a character; None for Esc."""
    items = [_entry(_(label), [command, str(file)]) for label, command in FOR_A_CHARACTER]
    summary = character_summary(file) or {}
    chosen: list[str] | None = choose(str(summary.get("name", file.stem)), items)
    return chosen
