"""Many characters by chance, each from a seed of its own that the first one gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from charforge.cli import answers_options, batch, console, output as writing, workers

if TYPE_CHECKING:
    from charforge.answers.file import AnswersFile
    from charforge.replay.spec import CharacterSpec
    from charforge.rules.ruleset import Ruleset

ENOUGH = 50  # characters for each process: to start one takes about as long as twenty


@dataclass(frozen=True, slots=True)
class Wanted:
    """One of many characters: what it is to be, where it goes, what may be done for it.

    The rules are named, not carried: a process loads them once.
    """

    ruleset: str
    packs: tuple[str, ...]
    seed: str
    name: str
    level: int
    rules: Mapping[str, str]
    given: AnswersFile
    path: Path
    replace: bool
    sheet: bool


def place(jobs: int | None, cluster: str | None) -> workers.Place:
    """Return where they are made."""
    return workers.Place(jobs, cluster, ENOUGH)


def make(
    plan: CharacterSpec,
    given: AnswersFile,
    count: int,
    output: Path | None,
    force: bool,
    sheet: bool,
    place: workers.Place,
) -> None:
    """Make so many characters of one plan; a failed one is told and the rest go on."""
    wanted = list(_each(plan, given, count, output, force, sheet, place))
    if count == 1:
        console.result(one(wanted[0]))
        return
    paths = [each.path for each in wanted]
    batch.run(one, wanted, paths, paths, place)


def _each(
    plan: CharacterSpec,
    given: AnswersFile,
    count: int,
    output: Path | None,
    force: bool,
    sheet: bool,
    place: workers.Place,
) -> Iterator[Wanted]:
    from charforge.answers.random import RandomAnswers

    packs = tuple(pack.id for pack in plan.ruleset.packs)
    for number in range(1, count + 1):
        seed = f"{plan.seed}-{number}"
        name = plan.name or RandomAnswers(seed).name(plan.ruleset.head.names)
        path = writing.numbered(output, name, number, count)
        yield Wanted(
            plan.ruleset.id, packs, seed, name, plan.level, plan.rules, given, path,
            force or place.may_find(path, count) or writing.agreed(path), sheet,
        )  # fmt: skip


def one(wanted: Wanted) -> str:
    """Make one character, and its sheet if that is wanted; return where they are, a line each."""
    from charforge.answers.random import RandomAnswers
    from charforge.character import storage
    from charforge.replay.spec import CharacterSpec
    from charforge.usecases.create import create_character

    rules, seed = _rules(wanted.ruleset, wanted.packs), wanted.seed
    answers = wanted.given.answers
    plan = CharacterSpec(rules, seed, wanted.name, wanted.level, wanted.rules, answers)
    chance = RandomAnswers(seed)
    made = answers_options.located(wanted.given, lambda: create_character(plan, chance))
    storage.save(made, wanted.path, replace=wanted.replace)
    answers_options.say_examples(chance, made.answers)
    if not wanted.sheet:
        return str(wanted.path)
    from charforge.cli.sheet import one as sheet

    return f"{wanted.path}\n{sheet(wanted.path, wanted.replace)}"


@lru_cache(maxsize=1)
def _rules(ruleset: str, packs: tuple[str, ...]) -> Ruleset:
    from charforge.rules.loader import load

    return load(ruleset, packs)
