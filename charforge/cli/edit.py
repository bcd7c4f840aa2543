"""``edit``: change one decision, with a preview and questions about the consequences."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.answers.file import AnswersFile, read_answer
from charforge.character.files import atomic_write, reader
from charforge.character.files.document import logged_portrait
from charforge.character.files.events import (
    AbilityEvent,
    ConditionEvent,
    ProcedureEvent,
    ResourceEvent,
)
from charforge.character.state import Unit, find_unit
from charforge.cli import console
from charforge.cli.answers_options import (
    Draft,
    Interview,
    ask_with_draft,
    draft_path,
    located_errors,
    parse_table_rule,
    print_examples,
    read_answers_file,
)
from charforge.cli.changes import ChangeCommand, print_differences, save_change
from charforge.cli.check import problem_line, say_remarks, say_similar_options
from charforge.cli.completion import complete_answers, complete_decisions
from charforge.cli.console import FrontEnd, front_end_of
from charforge.cli.options import (
    AnswersOption,
    CharacterFile,
    DryRunOption,
    OverrideOption,
    RandomOption,
    RuleChoices,
    UnitOption,
    YesOption,
    read_override,
    read_pair,
    refuse_together,
)
from charforge.cli.prompt import ask_one_decision, choose_decision
from charforge.decisions.base import Decision
from charforge.errors import CharforgeError, RuleRefusal, UsageError, counted, shorten
from charforge.language import N_, _
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.replay.replay import Problem, history_number
from charforge.rules import loading
from charforge.rules.ruleset import EVENT
from charforge.usecases.edit import (
    Reanswers,
    changes_nothing,
    draft_answer,
    draft_lines,
    draft_name,
    draft_portrait,
    draft_table_rules,
    find_decision,
    preview_edit,
    random_reanswers,
    try_edit,
)
from charforge.verbs.change import EventDraft, TrialChange, change_character, commit_change
from charforge.verbs.history import entries_of, history_entries

app = typer.Typer(add_completion=False)

DecisionArgument = Annotated[
    Optional[str],
    typer.Argument(
        metavar="[DECISION]",
        autocompletion=complete_decisions,
        help=N_("The decision as history shows it, or its id."),
    ),
]
AnswerOption = Annotated[
    Optional[str],
    typer.Option(
        "--answer",
        metavar="ANSWER",
        autocompletion=complete_answers,
        help=N_("The new answer, as history shows it, or in YAML."),
    ),
]
LineOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--line",
        metavar="LABEL=TEXT",
        help=N_("A line at the head of the sheet, such as Player; repeat for several."),
    ),
]
PortraitOption = Annotated[
    Optional[Path],
    typer.Option(
        "--portrait", metavar="FILE", help=N_("A portrait (JPEG, PNG or WebP) for all sheets.")
    ),
]
PLAYED = (AbilityEvent, ConditionEvent, ProcedureEvent, ResourceEvent)


@app.command("edit", cls=ChangeCommand)
def edit(
    ctx: typer.Context,
    file: CharacterFile,
    decision: DecisionArgument = None,
    answer: AnswerOption = None,
    now: Annotated[
        bool, typer.Option("--now", help=N_("Apply from now on, not from the beginning."))
    ] = False,
    override: OverrideOption = None,
    unit: UnitOption = None,
    rule: RuleChoices = None,
    name: Annotated[
        Optional[str], typer.Option("--name", metavar="NAME", help=N_("A new name."))
    ] = None,
    line: LineOption = None,
    portrait: PortraitOption = None,
    no_portrait: Annotated[
        bool, typer.Option("--no-portrait", help=N_("Remove the portrait."))
    ] = False,
    answers: AnswersOption = None,
    random: RandomOption = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Change one decision, with a preview of the consequences.

    You are asked again only about decisions that the change breaks or adds.
    You can undo an edit. Without a terminal, --random rolls dice again that
    have no --answer, and an edit that breaks or closes other answers is saved
    only with --yes, or if --random or --answers settle them.

    \b
    Examples:
      charforge edit nix.json role.plus --answer wis
      charforge edit nix.json level.2.systems --answer "[system/quick]" --dry-run
      charforge edit nix.json personality.goal --answer goal/discovery --now
      charforge edit nix.json asset --answer vehicle/tank --override "GM: a gift of the colony"
      charforge edit nix.json --rule cooldown=or_less
      charforge edit nix.json role --answer "The Tank" --yes
      charforge edit nix.json --line "Player=Mo"
      charforge edit nix.json --portrait nix.jpg
    """
    refuse_together({"--yes": yes, "--dry-run": dry_run})
    if portrait is not None or no_portrait:
        others = (decision, answer, override, unit, rule, name, line, answers)
        if any(x is not None for x in others) or now or random or (portrait and no_portrait):
            raise UsageError(
                _("a portrait cannot be combined with other changes"), _("Change it separately.")
            )
        _change_portrait(front_end_of(ctx), file, portrait, dry_run)
        return
    before = load_character(file)
    answers_file = read_answers_file(answers)
    if decision is None and (answer is not None or now or override is not None):
        raise UsageError(_("--answer, --now and --override need a decision"), _("Name it first."))
    chosen_unit = None if unit is None else find_unit(before.character.state, unit)
    changes = _draft_settings(before, rule or [], line or [], name, chosen_unit)
    new_roll = False
    if decision is not None or not changes:
        edited = (
            _choose_decision(before, chosen_unit)
            if decision is None
            else find_decision(before, decision, chosen_unit)
        )
        new_answer, answers_file, new_roll = _new_answer(
            before, edited, answer, answers_file, random
        )
        if answer is not None and not (yes or dry_run):
            _confirm_own_words(edited, new_answer)
        changes.insert(0, draft_answer(before, edited, new_answer, now, read_override(override)))
    change = _CharacterEdit(
        front_end_of(ctx), file, before, changes,
        random=random, dry_run=dry_run, yes=yes, new_roll=new_roll,
    )  # fmt: skip
    change.run(answers_file)


def _draft_settings(
    before: LoadedCharacter,
    rules: Sequence[str],
    lines: Sequence[str],
    name: str | None,
    unit: Unit | None,
) -> list[EventDraft]:
    """Return the changes of table rules, lines at the head of the sheet, and a name."""
    changes = draft_table_rules(before, dict(map(parse_table_rule, rules)))
    changes += draft_lines(before, dict(map(_parse_line, lines)))
    return changes if name is None else [*changes, draft_name(name, unit)]


def _parse_line(text: str) -> tuple[str, str]:
    """Return label and text of a line of the form LABEL=TEXT. Raises UsageError."""
    return read_pair(f"--line {shorten(text)}", text, "LABEL=TEXT", "Player=Mo.")


def _new_answer(
    before: LoadedCharacter,
    edited: Decision,
    answer: str | None,
    answers_file: AnswersFile,
    random: bool,
) -> tuple[Any, AnswersFile, bool]:
    """Return the new answer, the answers that are left, and whether dice may be rolled for it.

    It is that of ``--answer``, else that in the file, else the player's, or with ``random`` a roll.
    """
    if answer is not None:
        return read_answer(edited, answer), answers_file, False
    left = dict(answers_file.answers)
    if edited.id in left:
        given = left.pop(edited.id)
        return given, replace(answers_file, answers=left), False
    return _ask_or_roll(before, edited, random), answers_file, edited.rolls_dice


def _confirm_own_words(decision: Decision, answer: Any) -> None:
    """Ask about own words that are spelled like an option. Raises UsageError unless they stay."""
    for words, label in decision.similar_options(answer):
        reason = _("{words} is not an option. Did you mean {label}?").format(
            words=shorten(words), label=label
        )
        question = _("{reason} Keep your own text?").format(reason=reason)
        advice = _("To keep your own text, add --yes.")
        console.require_yes(question, reason, advice, _("nothing was changed"))


def _choose_decision(before: LoadedCharacter, unit: Unit | None) -> Decision:
    """Ask which decision to change; without a terminal, raise UsageError with a list of all."""
    asked = [d for d in before.character.asked if unit is None or unit.id in (d.unit, d.holding)]
    if console.is_interactive():
        return choose_decision(before, asked)
    effective = before.character.state.answers
    headings = {decision.id: decision.heading() for decision in asked}
    repeated = {name for name, times in Counter(headings.values()).items() if times > 1}
    names = {id_: id_ if name in repeated else name for id_, name in headings.items()}
    screen = console.screen_width()
    width = min(max(map(len, names.values()), default=0), screen * 3 // 5 - 4)
    lines: list[str] = []
    for decision in asked:
        text = (
            decision.answer_text(effective[decision.id]) if decision.id in effective else _("open")
        )
        first = f"  {names[decision.id]:<{width}}  "
        lines += textwrap.wrap(
            text, screen - 1, initial_indent=first, subsequent_indent=" " * (width + 4)
        )
    raise UsageError(_("which choice do you want to change?\n") + "\n".join(lines))


def _ask_or_roll(before: LoadedCharacter, decision: Decision, random: bool) -> Any:
    """Ask the decision; without a terminal, roll its dice if ``random``, else raise UsageError."""
    if console.is_interactive():
        return ask_one_decision(before, decision)
    if decision.rolls_dice and random:
        return random_reanswers(before.document)(decision)
    raise UsageError(
        _("{heading} needs a new answer").format(heading=decision.heading()),
        _("Add --answer ANSWER, or --random to roll again.")
        if decision.rolls_dice
        else _("Add --answer ANSWER."),
    )


@dataclass(frozen=True)
class _CharacterEdit:
    """An edit of a character: the changes, their preview, and saving them.

    ``random`` rolls what is left open, ``dry_run`` saves nothing, ``yes`` saves without a question.
    After a ``new_roll`` dice that show the same again still used up the attempt.
    """

    front_end: FrontEnd
    file: Path
    before: LoadedCharacter
    changes: list[EventDraft]
    random: bool
    dry_run: bool
    yes: bool
    new_roll: bool

    def run(self, answers_file: AnswersFile) -> None:
        """Try the changes, print the preview, ask what they leave open, and save.

        An edit that changes nothing is not saved, except for a ``new_roll``. Exits with 1
        if decisions stay broken or open.
        """
        random_answers = random_reanswers(self.before.document) if self.random else None
        answers = answers_file.answers
        source = Reanswers(self.before, answers, random_answers, leave=not console.is_interactive())
        with located_errors(answers_file):
            trial = try_edit(self.before, self.changes, source, source.waiting(), every=self.random)
            source.complete()
        if changes_nothing(trial) and not self.new_roll:
            unchanged = _("nothing to change: that is already your choice.")
            console.say(self.front_end.about(self.file, unchanged))
            return
        after, valid = self._print_preview(trial, self._changed() | answers.keys())
        if random_answers is not None:
            print_examples(random_answers, trial.character.state.answers)
        if self.dry_run:
            console.say(_("Nothing was changed."))
        elif self.yes or not console.is_interactive():
            if not self.yes:
                _refuse_broken_answers(trial, settled=self.random or bool(answers))
            self._save(after)
            if not valid:
                preview = preview_edit(trial)
                problems = counted(len(preview.broken) + len(preview.open), "problem", "problems")
                undo = f"charforge undo {console.quoted(self.file)}"
                console.say(
                    _("Saved with {problems}. To undo: {undo}").format(problems=problems, undo=undo)
                )
        elif valid or not console.confirm(_("Answer the open questions now?")):
            valid = not self._confirm_and_save(after) or valid
        else:
            valid = self._ask_remaining(trial)
        raise typer.Exit(0 if valid else 1)

    def _save(self, after: LoadedCharacter) -> None:
        save_change(self.before, after, self.file)
        if not after.problems:
            say_remarks(after.character.state, self.before.character.state, file=self.file)

    def _confirm_and_save(self, after: LoadedCharacter) -> bool:
        agreed = console.confirm(_("Save it?"))
        if agreed:
            self._save(after)
        else:
            console.say(_("Nothing was changed."))
        return agreed

    def _print_preview(
        self, trial: TrialChange, typed: Container[str]
    ) -> tuple[LoadedCharacter, bool]:
        """Print the new answers, their consequences, and what they leave broken or open.

        ``typed`` are the decisions that were not answered in the wizard. Returns the edited
        character, and whether nothing is broken or open.
        """
        after, preview = commit_change(trial, tolerant=True), preview_edit(trial)
        _print_new_events(self.front_end, self.file, self.before, after)
        print_differences(preview.differences, after.ruleset)
        texts, later = map(_texts_by_id, (self.before, after))
        for name in preview.dormant:
            console.print_result(
                _("  will be dropped: {texts}").format(texts=texts.get(name, name))
            )
        for name in preview.revived:
            console.print_result(_("  counts again: {texts}").format(texts=later.get(name, name)))
        elsewhere = {*preview.dormant, *preview.revived, *preview.broken}
        changed = [*self._played_differently(after, elsewhere)]
        for line in changed:
            console.print_result(line)
        labels = {problem.decision: problem.label for problem in trial.problems}
        for name, reasons in preview.broken.items():
            event = f" ({texts[name]})" if EVENT.fullmatch(name) and name in texts else ""
            console.say(
                problem_line(Problem("broken", name, "; ".join(reasons), labels[name] + event))
            )
        broken = any(map(EVENT.fullmatch, preview.broken))
        if (broken or changed) and self._may_count_from_now_on():
            console.say(_("To keep what was played, add --now: the answer counts from now on."))
        for decision in preview.open:
            label = decision.heading()
            console.say(problem_line(Problem("open", decision.id, _("not answered yet"), label)))
        say_similar_options(after.character, typed)
        return after, preview.sound

    def _played_differently(self, after: LoadedCharacter, elsewhere: set[str]) -> Iterator[str]:
        """Yield what happened in play and has another effect with the new answers.

        ``elsewhere`` are ids ``event.N`` that are printed for another reason.
        """
        former = {entry.event.n: entry.text for entry in history_entries(self.before)}
        for entry in history_entries(after):
            event, was = entry.event, former.get(entry.event.n, entry.text)
            if (
                isinstance(event, PLAYED)
                and was != entry.text
                and f"event.{event.n}" not in elsewhere
            ):
                yield _("  {number} was: {was}").format(number=history_number(event), was=was)
                yield _("    and is now: {text}").format(text=entry.text)

    def _may_count_from_now_on(self) -> bool:
        """Return whether the edit would break nothing if its answers counted from now on."""
        if any(change.fields.get("now") for change in self.changes):
            return False
        later = []
        try:
            for change in self.changes:
                if "decision" in change.fields:
                    decision = find_decision(self.before, change.fields["decision"])
                    answer = change.fields["answer"]
                    later.append(draft_answer(self.before, decision, answer, now=True))
                else:
                    later.append(change)
            return not preview_edit(try_edit(self.before, later)).broken
        except CharforgeError:
            return False

    def _changed(self) -> set[str]:
        """Return the ids of the decisions that get a new answer."""
        return {change.fields["decision"] for change in self.changes if "decision" in change.fields}

    def _ask_remaining(self, trial: TrialChange) -> bool:
        """Ask in the wizard what the edit leaves open or broken, and save.

        Returns whether nothing is broken or open, or nothing was saved.
        """
        document, character = self.before.document, trial.character
        log = (*document.log, *trial.events)
        answers = document.model_copy(update={"log": log}).answers
        answers |= {d.id: character.state.answers[d.id] for d in trial.new_decisions}
        fixed = frozenset(answers) - {decision.id for decision in character.open}
        changed = self._changed()
        former = document.answers

        def to_draft(present: CharacterSpec) -> CharacterSpec:
            new = {
                name: answer
                for name, answer in present.answers.items()
                if name not in changed and (name not in former or former[name] != answer)
            }
            return replace(present, answers=new)

        draft = draft_path(self.file.with_name(f"{self.file.stem}.edit.yaml"))
        with ask_with_draft(
            trial.spec(answers),
            Draft(draft, f"{self._same_command()} --answers"),
            to_draft,
            Interview(random_reanswers(document), fixed),
        ) as answered:
            settled = try_edit(self.before, self.changes, answers=answered.answers)
            after, valid = self._print_preview(settled, ())
            return not self._confirm_and_save(after) or valid

    def _same_command(self) -> str:
        """Return the command that makes the same changes, quoted for a shell."""
        words = ["charforge", "edit", str(self.file)]
        for fields in (change.fields for change in self.changes):
            if "decision" in fields:
                words += [
                    fields["decision"],
                    "--answer",
                    loading.yaml_reader.yaml_line(fields["answer"]),
                ]
                words += ["--now"] if fields["now"] else []
                override = fields["override"]
                words += ["--override", f"{override.by}: {override.reason}"] if override else []
            elif "rule" in fields:
                words += ["--rule", f"{fields['rule']}={fields['value']}"]
            elif "line" in fields:
                label = _(self.before.ruleset.head.sheet.plate[fields["line"] - 1])
                words += ["--line", f"{label}={fields['value']}"]
            else:
                words += ["--name", fields["name"]]
                words += ["--unit", fields["unit"]] if fields["unit"] else []
        return shlex.join(words)


def _refuse_broken_answers(trial: TrialChange, settled: bool) -> None:
    """Raise RuleRefusal if an edit without confirmation breaks or closes other answers.

    Closing is allowed if ``settled``: random or explicit answers fill the rest.
    """
    preview = preview_edit(trial)
    counts = {
        _("breaks"): len(preview.broken),
        _("opens"): len(preview.open),
        _("closes"): 0 if settled and preview.sound else len(preview.dormant),
    }
    consequences = [f"{verb} {number}" for verb, number in counts.items() if number]
    if consequences:
        *first, last = consequences
        listed = (
            _("{names} and {last}").format(names=", ".join(first), last=last) if first else last
        )
        raise RuleRefusal(
            _("nothing was changed, because this {listed} of your other choices").format(
                listed=listed
            ),
            _("To save it anyway: --yes. To answer them now: --random or --answers FILE."),
        )


def _change_portrait(front_end: FrontEnd, file: Path, picture: Path | None, dry_run: bool) -> None:
    """Replace the portrait of a character, or remove it if ``picture`` is None.

    The picture is turned upright, scaled and stripped of other data. The
    former file stays, so that the change can be undone. Raises
    DocumentError for a file that is no picture, UsageError if nothing would
    change.
    """
    # Here, because few edits change the portrait: Pillow takes 20 ms to import.
    from charforge.sheet.portraits import read_picture, stored_portrait

    before = load_character(file)
    data = b"" if picture is None else stored_portrait(read_picture(picture), picture)
    name = reader.portrait_name(data) if data else ""
    intact = reader.portrait_is_intact(file, before.document)
    if intact and name == logged_portrait(before.document.log):
        reason = _("this is already the portrait") if name else _("there is no portrait to remove")
        raise UsageError(f"{before.document.name}: {reason}")
    after = change_character(before, draft_portrait(name))
    _print_new_events(front_end, file, before, after)
    if dry_run:
        console.say(_("Nothing was changed."))
        return
    beside = reader.portrait_path(file, after.document)
    if beside is not None:
        atomic_write.write(beside, data)
    save_change(before, after, file)


def _texts_by_id(loaded: LoadedCharacter) -> dict[str, str]:
    """Return each answer and event in words, by the id of its decision or ``event.N``."""
    return {
        getattr(entry.event, "decision", f"event.{entry.event.n}"): entry.text
        for entry in history_entries(loaded)
    }


def _print_new_events(
    front_end: FrontEnd, file: Path, before: LoadedCharacter, after: LoadedCharacter
) -> None:
    """Print file and name of a changed character, then its new events, one per line."""
    console.print_result(front_end.about(file, after.document.name))
    for entry in entries_of(after, after.document.log[len(before.document.log) :]):
        console.print_wrapped(entry.text, "    ", "  ")
