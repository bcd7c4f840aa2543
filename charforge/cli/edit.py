"""``edit``: one decision answered again, shown in advance, and only what that asks anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from charforge.cli import answered, drafts, screen
from charforge.cli.options import AnswersOption, CharacterFile, RandomOption, UnitOption

if TYPE_CHECKING:
    from charforge import service
    from charforge.answers.file import AnswersFile
    from charforge.document.events import Override
    from charforge.engine.decisions import Decision
    from charforge.engine.state import Unit
    from charforge.service.changing import Draft, Trial
    from charforge.service.editing import Again


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("edit")(edit)


def edit(
    file: CharacterFile,
    decision: Annotated[
        Optional[str], typer.Argument(metavar="[DECISION]", help="Its id, as history shows it.")
    ] = None,
    answer: Annotated[
        Optional[str],
        typer.Option("--answer", metavar="A", help="An id, list, map, number or text, as YAML."),
    ] = None,
    now: Annotated[
        bool, typer.Option("--now", help="Count from here on, not from the beginning.")
    ] = False,
    override: Annotated[
        Optional[str],
        typer.Option("--override", metavar="BY: REASON", help="Allow what the rules forbid."),
    ] = None,
    unit: UnitOption = None,
    rule: Annotated[
        Optional[list[str]],
        typer.Option("--rule", metavar="K=V", help="A table rule from here on."),
    ] = None,
    name: Annotated[Optional[str], typer.Option("--name", metavar="N", help="A new name.")] = None,
    answers: AnswersOption = None,
    random: RandomOption = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
    ] = False,
) -> None:
    """Answer one decision again; see in advance what that changes or breaks.

    Only what it breaks or asks anew is asked again. Dice without --answer
    take their next roll. Undo takes an edit back.

    \b
    Examples:
      charforge edit nix.json role.plus --answer str
      charforge edit nix.json level.3.systems --answer "[system/quick]" --dry-run
      charforge edit nix.json personality.goal --answer goal/discovery --now
      charforge edit nix.json asset --answer vehicle/tank --override "GM: a gift of the colony"
      charforge edit nix.json --rule cooldown=or_less
    """
    from charforge import service
    from charforge.errors import UsageError
    from charforge.service.editing import find_decision, renamed, ruled

    before = service.open_file(file)
    given = answered.read(answers)
    if decision is None and (answer is not None or now or override is not None):
        raise UsageError("--answer, --now and --override are about a decision", "Name it.")
    rules = dict(map(answered.rule, rule or []))
    state = before.character.state
    whose = None if unit is None else service.find_unit(state, unit)
    changes = [*ruled(before, rules), *([renamed(name, whose)] if name is not None else [])]
    if decision is not None or not changes:
        meant = _choose(before, whose) if decision is None else find_decision(before, decision, whose)
        new, given = _answer(before, meant, answer, given)
        changes.insert(0, answered_again(before, meant, new, now, override))
    _carry_out(file, before, changes, given, random, dry_run)


def answered_again(
    before: service.Opened, decision: Decision, answer: Any, now: bool, override: str | None
) -> Draft:
    """Return the draft of the new answer."""
    from charforge.service.editing import answered as draft

    return draft(before, decision, answer, now, _override(override))


def _override(text: str | None) -> Override | None:
    """Read who allows it, and why. Raises UsageError."""
    from charforge.document.events import Override
    from charforge.errors import UsageError
    from charforge.text import unprintable

    if text is None:
        return None
    by, _colon, reason = (part.strip() for part in text.partition(":"))
    if not by or not reason or unprintable(text) or "\n" in text:
        raise UsageError(
            f"--override {text!r} does not say who allows it, and why",
            'For example --override "GM: a gift of the colony".',
        )
    return Override(by=by, reason=reason)


def _choose(before: service.Opened, unit: Unit | None) -> Decision:
    """Let one be chosen from all; where nobody can be asked, name them all."""
    from charforge.answers import words
    from charforge.errors import UsageError

    asked = [d for d in before.character.asked if unit is None or unit.id in (d.unit, d.holding)]
    if screen.somebody_there():
        from charforge.cli.asking import choose

        return choose(before, asked)
    effective = before.character.state.answers
    width = max((len(d.id) for d in asked), default=0)
    lines = []
    for one in asked:
        told = words.answer(one, effective[one.id]) if one.id in effective else "open"
        lines.append(f"  {one.id:<{width}}  {told}")
    raise UsageError("name the decision to answer again:\n" + "\n".join(lines))


def _answer(
    before: service.Opened, decision: Decision, typed: str | None, given: AnswersFile
) -> tuple[Any, AnswersFile]:
    """Return the new answer, and the file without it: typed, given, rolled or asked."""
    from charforge.answers.file import read_one
    from charforge.content.models import Roll
    from charforge.errors import UsageError
    from charforge.service.editing import rolled_again

    left = {name: answer for name, answer in given.answers.items() if name != decision.id}
    if typed is not None:
        return read_one(typed), given
    if decision.id in given.answers:
        return given.answers[decision.id], replace(given, answers=left)
    if screen.somebody_there():
        from charforge.cli.asking import ask

        return ask(before, decision), given
    if isinstance(decision.ask, Roll):
        return rolled_again(before, decision), given
    raise UsageError(
        f"{decision.id} needs its new answer: {decision.ask.label}",
        f"Give it with --answer; charforge history {before.document.name}.json shows the old one."
        if False
        else "Give it with --answer.",
    )


def _carry_out(
    file: Path,
    before: service.Opened,
    changes: list[Draft],
    given: AnswersFile,
    random: bool,
    dry_run: bool,
) -> None:
    """Try the changes, show what they make, settle what they ask, and save."""
    from charforge import service
    from charforge.answers.chance import Chance
    from charforge.document import store
    from charforge.service.editing import Again, outlook, tried

    source = Again(before, given.answers, Chance(before.document.seed) if random else None)
    found = answered.located(given, lambda: _tried(before, changes, source))
    after = service.commit(found, tolerant=True)
    _show(file, before, after, found)
    asks = screen.somebody_there() and not dry_run
    if asks and not outlook(found).sound and screen.agreed("Answer what is left to be asked?"):
        found = _settle(file, before, changes, found)
        after = service.commit(found, tolerant=True)
        _show(file, before, after, found)
    if dry_run or (asks and not screen.agreed("Save it?")):
        screen.say("Nothing is changed.")
        raise typer.Exit(0 if outlook(found).sound or asks else 1)
    store.update(before.document, after.document, file)
    raise typer.Exit(0 if outlook(found).sound else 1)


def _tried(before: service.Opened, changes: list[Draft], source: Again) -> Trial:
    from charforge.service.editing import tried

    found = tried(before, changes, source, source.waiting())
    source.complete()
    return found


def _show(file: Path, before: service.Opened, after: service.Opened, found: Trial) -> None:
    """Say what is decided and what that changes; what is left broken or open beside it."""
    from charforge.cli.diff import lines
    from charforge.cli.read import line
    from charforge.engine.replay import Problem
    from charforge.service import telling
    from charforge.service.editing import outlook

    seen = outlook(found)
    screen.result(f"{file}: {after.document.name}")
    for told in telling.events(after, after.document.log[len(before.document.log) :]):
        screen.result(f"  {told.text}")
    for said in lines(seen.differences):
        screen.result(f"  {said}")
    texts = {
        getattr(told.event, "decision", f"event.{told.event.n}"): told.text
        for told in telling.tell(before)
    }
    for heading, names in (("no effect any more", seen.dormant), ("counts again", seen.revived)):
        for name in names:
            screen.result(f"  {heading}: {texts.get(name, name)}")
    for name, reasons in seen.broken.items():
        screen.say(line(Problem("broken", name, "; ".join(reasons))))
    for decision in seen.open:
        screen.say(line(Problem("open", decision.id, decision.ask.label)))


def _settle(
    file: Path, before: service.Opened, changes: list[Draft], found: Trial
) -> Trial:
    """Let the wizard ask what the edit leaves open or broken, and try it with that."""
    from charforge import service
    from charforge.answers import wizard
    from charforge.service.editing import tried

    loaded, character = before.document, found.character
    log = (*loaded.log, *found.events)
    known = loaded.model_copy(update={"log": log}).answers
    known |= {decision.id: character.state.answers[decision.id] for decision in found.fresh}
    waiting = {decision.id for decision in character.open}
    fixed = frozenset(known) - waiting
    level = character.state.level
    plan = service.Plan(before.ruleset, loaded.seed, loaded.name, level, {}, known, log)

    def fresh(present: service.Plan) -> dict[str, Any]:
        return {n: a for n, a in present.answers.items() if loaded.answers.get(n, fixed) != a}

    draft = drafts.place(file.with_name(f"{file.stem}.edit.yaml"))
    with drafts.kept(draft, f"charforge edit {drafts.quoted(file)} … --answers") as keep:
        done = wizard.run(
            plan, lambda present: keep(replace(present, answers=fresh(present))), fixed=fixed
        )
        mine = {one.fields.get("decision") for one in changes}
        chosen = {name: answer for name, answer in fresh(done).items() if name not in mine}
        return tried(before, changes, answers=chosen)
