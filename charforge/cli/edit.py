"""``edit``: change one decision, with a preview and questions about the consequences."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.answers.file import AnswersFile, parse_answer, yaml_line
from charforge.character import storage
from charforge.character.document import logged_portrait
from charforge.character.events import Override
from charforge.character.state import Unit
from charforge.cli import answers_options, console
from charforge.cli.answers_options import draft_path, keep_draft
from charforge.cli.changes import difference_lines, problem_line
from charforge.cli.options import AnswersOption, CharacterFile, Command, RandomOption, UnitOption
from charforge.decisions.base import Decision
from charforge.errors import RuleRefusal, UsageError
from charforge.expressions.template import has_unprintable
from charforge.replay.loaded import LoadedCharacter, load_character
from charforge.replay.replay import Problem
from charforge.replay.spec import CharacterSpec
from charforge.usecases import history
from charforge.usecases.change import EventDraft, TrialChange, change_character, commit_change
from charforge.usecases.edit import (
    Reanswers,
    changes_nothing,
    draft_answer as draft_answer,
    draft_name,
    draft_portrait,
    draft_table_rules,
    find_decision,
    preview_edit,
    random_reanswers,
    try_edit,
)
from charforge.usecases.lookup import find_unit

app = typer.Typer(add_completion=False)


@app.command("edit", cls=Command)
def edit(
    file: CharacterFile,
    decision: Annotated[
        Optional[str],
        typer.Argument(metavar="[DECISION]", help="The id of the decision, as shown in history."),
    ] = None,
    answer: Annotated[
        Optional[str],
        typer.Option(
            "--answer",
            metavar="A",
            help="The new answer: an id, list, map, number or text in YAML.",
        ),
    ] = None,
    now: Annotated[
        bool, typer.Option("--now", help="Apply from now on, not from the beginning.")
    ] = False,
    override: Annotated[
        Optional[str],
        typer.Option("--override", metavar="BY: REASON", help="Allow something the rules forbid."),
    ] = None,
    unit: UnitOption = None,
    rule: Annotated[
        Optional[list[str]],
        typer.Option("--rule", metavar="K=V", help="A table rule to use from now on."),
    ] = None,
    name: Annotated[Optional[str], typer.Option("--name", metavar="N", help="A new name.")] = None,
    portrait: Annotated[
        Optional[Path],
        typer.Option(
            "--portrait", metavar="F", help="A portrait (JPEG, PNG or WebP) for all sheets."
        ),
    ] = None,
    no_portrait: Annotated[
        bool, typer.Option("--no-portrait", help="Remove the portrait.")
    ] = False,
    answers: AnswersOption = None,
    random: RandomOption = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Preview the changes without saving.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Save without asking, whatever it breaks.")
    ] = False,
) -> None:
    """Change one decision, with a preview of the consequences.

    You are asked again only about decisions that the change breaks or adds.
    Dice without --answer are rolled again. You can undo an edit. Without a
    terminal, an edit that breaks or closes other answers is saved only with
    --yes, or if --random or --answers settle them.

    \b
    Examples:
      charforge edit nix.json role.plus --answer str
      charforge edit nix.json level.3.systems --answer "[system/quick]" --dry-run
      charforge edit nix.json personality.goal --answer goal/discovery --now
      charforge edit nix.json asset --answer vehicle/tank --override "GM: a gift of the colony"
      charforge edit nix.json --rule cooldown=or_less
      charforge edit nix.json role --answer "The Tank" --yes
      charforge edit nix.json --portrait nix.jpg
    """
    if yes and dry_run:
        raise UsageError("--yes and --dry-run do not go together", "Give one of them.")

    if portrait is not None or no_portrait:
        others = (decision, answer, override, unit, rule, name, answers)
        if any(one is not None for one in others) or now or random or (portrait and no_portrait):
            raise UsageError("a portrait is changed by itself", "Leave out what else is given.")
        _change_portrait(file, portrait, dry_run)
        return
    before = load_character(file)
    answers_file = answers_options.read_answers_file(answers)
    if decision is None and (answer is not None or now or override is not None):
        raise UsageError("--answer, --now and --override are about a decision", "Name it.")
    rules = dict(map(answers_options.parse_table_rule, rule or []))
    state = before.character.state
    chosen_unit = None if unit is None else find_unit(state, unit)
    changes = [
        *draft_table_rules(before, rules),
        *([draft_name(name, chosen_unit)] if name is not None else []),
    ]
    rolled = False
    if decision is not None or not changes:
        chosen = (
            _choose_decision(before, chosen_unit)
            if decision is None
            else find_decision(before, decision, chosen_unit)
        )
        rolled = _is_new_roll(chosen, answer, answers_file)
        new, answers_file = _new_answer(before, chosen, answer, answers_file)
        changes.insert(0, answered_again(before, chosen, new, now, override))
    _try_and_save(file, before, changes, answers_file, random, dry_run, yes, rolled)


def answered_again(
    before: LoadedCharacter, decision: Decision, answer: Any, now: bool, override: str | None
) -> EventDraft:
    """Return the draft of the new answer."""
    return draft_answer(before, decision, answer, now, _read_override(override))


def _read_override(text: str | None) -> Override | None:
    """Read who allows it, and why. Raises UsageError."""
    if text is None:
        return None
    by, _colon, reason = (part.strip() for part in text.partition(":"))
    if not by or not reason or has_unprintable(text) or "\n" in text:
        raise UsageError(
            f"--override {text!r} does not say who allows it, and why",
            'For example --override "GM: a gift of the colony".',
        )
    return Override(by=by, reason=reason)


def _choose_decision(before: LoadedCharacter, unit: Unit | None) -> Decision:
    """Ask which decision to change; without a terminal, raise UsageError with a list of all."""
    asked = [d for d in before.character.asked if unit is None or unit.id in (d.unit, d.holding)]
    if console.somebody_there():
        # Here, because answers from options need no prompts, which take long to import.
        from charforge.cli.prompt import choose_decision

        return choose_decision(before, asked)
    effective = before.character.state.answers
    width = max((len(d.id) for d in asked), default=0)
    lines = []
    for decision in asked:
        text = decision.answer_text(effective[decision.id]) if decision.id in effective else "open"
        lines.append(f"  {decision.id:<{width}}  {text}")
    raise UsageError("name the decision to answer again:\n" + "\n".join(lines))


def _is_new_roll(decision: Decision, typed: str | None, answers_file: AnswersFile) -> bool:
    """Whether a new answer is a roll of now: neither given with the command nor in the file."""
    return decision.rolls_dice and typed is None and decision.id not in answers_file.answers


def _new_answer(
    before: LoadedCharacter, decision: Decision, typed: str | None, answers_file: AnswersFile
) -> tuple[Any, AnswersFile]:
    """Return the new answer, and the file without it: typed, given, rolled or asked."""
    other_answers = {
        name: answer for name, answer in answers_file.answers.items() if name != decision.id
    }
    if typed is not None:
        return parse_answer(typed), answers_file
    if decision.id in answers_file.answers:
        return answers_file.answers[decision.id], replace(answers_file, answers=other_answers)
    if console.somebody_there():
        # Here, because answers from options need no prompts, which take long to import.
        from charforge.cli.prompt import ask_one_decision

        return ask_one_decision(before, decision), answers_file
    if decision.rolls_dice:
        return random_reanswers(before.document)(decision), answers_file
    raise UsageError(
        f"no new answer for {decision.id} is given: {decision.question.label}",
        "Give it with --answer.",
    )


def _try_and_save(
    file: Path,
    before: LoadedCharacter,
    changes: list[EventDraft],
    answers_file: AnswersFile,
    random: bool,
    dry_run: bool,
    yes: bool,
    rolled: bool,
) -> None:
    """Try the changes, show what they make, settle what they ask, and save.

    What changes nothing is not saved, unless dice were ``rolled`` for it:
    the same that fall once more are a try that was taken.
    """
    random_answers = random_reanswers(before.document) if random else None
    source = Reanswers(
        before, answers_file.answers, random_answers, leave=not console.somebody_there()
    )
    trial = answers_options.locate_errors(
        answers_file, lambda: _try_changes(before, changes, source)
    )
    if changes_nothing(trial) and not rolled:
        console.say(f"{file}: nothing is changed, for it is so already.")
        return
    after, valid = _print_preview(file, before, trial)
    if random_answers is not None:
        answers_options.say_examples(random_answers, trial.character.state.answers)
    if dry_run:
        console.say("Nothing is changed.")
    elif yes or not console.somebody_there():
        if not yes:
            _refuse_broken_answers(trial, settled=random or bool(answers_file.answers))
        storage.save_changed(before.document, after.document, file)
        if not valid:
            console.say(_saved_with_problems(file, trial))
    elif valid or not console.agreed("Answer what is left to be asked?"):
        valid = not _confirm_and_save(file, before, after) or valid
    else:
        valid = _ask_remaining(file, before, changes, trial)
    raise typer.Exit(0 if valid else 1)


def _try_changes(
    before: LoadedCharacter, changes: list[EventDraft], source: Reanswers
) -> TrialChange:
    trial = try_edit(before, changes, source, source.waiting(), mend=source.chance is not None)
    source.complete()
    return trial


def _refuse_broken_answers(trial: TrialChange, settled: bool) -> None:
    """Raise RuleRefusal if a change without confirmation breaks or closes other answers.

    What closes where the rest is ``settled`` by chance or a file is meant.
    """
    preview = preview_edit(trial)
    counted = {
        "breaks": len(preview.broken),
        "leaves open": len(preview.open),
        "closes": 0 if settled and preview.sound else len(preview.dormant),
    }
    consequences = [f"{what} {number}" for what, number in counted.items() if number]
    if consequences:
        *first, last = consequences
        listed = f"{', '.join(first)} and {last}" if first else last
        raise RuleRefusal(
            f"nothing is changed: of other answers this {listed}",
            "--yes saves it so; --random, or --answers FILE, settles what it breaks or opens.",
        )


def _saved_with_problems(file: Path, trial: TrialChange) -> str:
    preview = preview_edit(trial)
    number = len(preview.broken) + len(preview.open)
    problems = "1 problem" if number == 1 else f"{number} problems"
    return f"Saved with {problems}; charforge undo {console.quoted(file)} takes it back."


def _confirm_and_save(file: Path, before: LoadedCharacter, after: LoadedCharacter) -> bool:
    """Save where that is agreed to; return whether it was."""
    agreed = console.agreed("Save it?")
    if agreed:
        storage.save_changed(before.document, after.document, file)
    else:
        console.say("Nothing is changed.")
    return agreed


def _print_preview(
    file: Path, before: LoadedCharacter, trial: TrialChange
) -> tuple[LoadedCharacter, bool]:
    """Say what is decided and what that changes; what is left broken or open beside it.

    Returns the character that would be, and whether nothing is left.
    """
    after, preview = commit_change(trial, tolerant=True), preview_edit(trial)
    console.result(f"{file}: {after.document.name}")
    for told in history.entries_of(after, after.document.log[len(before.document.log) :]):
        console.result(f"  {told.text}")
    for line in difference_lines(preview.differences):
        console.result(f"  {line}")
    texts = {
        getattr(told.event, "decision", f"event.{told.event.n}"): told.text
        for told in history.history_entries(before)
    }
    for heading, names in (
        ("no effect any more", preview.dormant),
        ("counts again", preview.revived),
    ):
        for name in names:
            console.result(f"  {heading}: {texts.get(name, name)}")
    for name, reasons in preview.broken.items():
        console.say(problem_line(Problem("broken", name, "; ".join(reasons))))
    for decision in preview.open:
        console.say(problem_line(Problem("open", decision.id, decision.question.label)))
    return after, preview.sound


def _ask_remaining(
    file: Path, before: LoadedCharacter, changes: list[EventDraft], trial: TrialChange
) -> bool:
    """Let the wizard ask what an edit leaves open or broken, and save; return whether all is well.

    Until then the answers are in a draft.
    """
    # Here, because answers from options need no prompts, which take long to import.
    from charforge import wizard

    document, character = before.document, trial.character
    log = (*document.log, *trial.events)
    answers = document.model_copy(update={"log": log}).answers
    answers |= {
        decision.id: character.state.answers[decision.id] for decision in trial.new_decisions
    }
    fixed = frozenset(answers) - {decision.id for decision in character.open}
    level = character.state.level
    plan = CharacterSpec(before.ruleset, document.seed, document.name, level, {}, answers, log)
    changed = {change.fields.get("decision") for change in changes}

    def new_answers(present: CharacterSpec) -> dict[str, Any]:
        former = document.answers
        return {
            name: answer
            for name, answer in present.answers.items()
            if name not in changed and (name not in former or former[name] != answer)
        }

    draft_answer = draft_path(file.with_name(f"{file.stem}.edit.yaml"))
    with keep_draft(draft_answer, f"{_same_command(file, changes)} --answers") as keep:
        done = wizard.run(
            plan,
            lambda present: keep(replace(present, answers=new_answers(present))),
            random_reanswers(document),
            fixed=fixed,
        )
        settled = try_edit(before, changes, answers=new_answers(done))
        after, valid = _print_preview(file, before, settled)
        return not _confirm_and_save(file, before, after) or valid


def _same_command(file: Path, changes: list[EventDraft]) -> str:
    """Return the command that makes the same changes, as a shell takes it."""
    words = ["charforge", "edit", str(file)]
    for fields in (change.fields for change in changes):
        if "decision" in fields:
            words += [fields["decision"], "--answer", yaml_line(fields["answer"])]
            words += ["--now"] if fields["now"] else []
            override = fields["override"]
            words += ["--override", f"{override.by}: {override.reason}"] if override else []
        elif "rule" in fields:
            words += ["--rule", f"{fields['rule']}={fields['value']}"]
        else:
            words += ["--name", fields["name"]]
            words += ["--unit", fields["unit"]] if fields["unit"] else []
    return shlex.join(words)


def _change_portrait(file: Path, picture: Path | None, dry_run: bool) -> None:
    """Make a picture the portrait of a character; None takes away the one it has.

    The picture is kept upright, scaled and without its other data. That of
    before stays where it lies, so that the change can be undone. Raises
    DocumentError for what is no picture, UsageError where nothing would change.
    """
    # Here, because only portraits need Pillow, which takes long to import.
    from charforge.sheet.portraits import read_picture, stored_portrait

    before = load_character(file)
    data = b"" if picture is None else stored_portrait(read_picture(picture), picture)
    name = storage.portrait_name(data) if data else ""
    intact = storage.portrait_is_intact(file, before.document)
    if intact and name == logged_portrait(before.document.log):
        reason = "this is the portrait already" if name else "there is no portrait to take away"
        raise UsageError(f"{before.document.name}: {reason}")
    after = change_character(before, draft_portrait(name))
    console.result(f"{file}: {after.document.name}")
    for entry in history.entries_of(after, after.document.log[len(before.document.log) :]):
        console.result(f"  {entry.text}")
    if dry_run:
        console.say("Nothing is changed.")
        return
    beside = storage.portrait_path(file, after.document)
    if beside is not None:
        storage.write(beside, data)
    storage.save_changed(before.document, after.document, file)
