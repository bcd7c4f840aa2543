"""Samples of a pack: read, run, and compared with what they say must come of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from charforge.errors import (
    PackError,
    PackProblem,
    UnknownId,
    UnusedAnswers,
    UsageError,
    nearest,
)
from charforge.export import report
from charforge.replay.character_spec import CharacterSpec, check_level, check_name, check_rules
from charforge.rules.errors import KeyPath
from charforge.rules.models import Expected, ExpectedFigures, Sample, SampleBuild, Scene
from charforge.rules.parser import read_sample, sorted_problems
from charforge.rules.references import Linter
from charforge.rules.ruleset import Ruleset
from charforge.rules.symbols import PartProblem, unknown_name
from charforge.usecases.create import refuse_unknown_answers
from charforge.usecases.sample_characters import (
    WORDS,
    BuiltCharacter,
    Mismatch,
    entity_differences,
    kind_differences,
)
from charforge.usecases.sample_scenes import scene_differences

FOLDER = "tests"
BUILD = tuple(name for name in SampleBuild.model_fields if name != "like")
Build = TypeVar("Build", bound=SampleBuild)


# ------------------------------------------------------------------ reading


def sample_files(folder: Path) -> list[Path]:
    """Return the samples of the pack in a folder."""
    return sorted((folder / FOLDER).glob("*.yaml"))


def read_samples(folder: Path, ruleset: Ruleset) -> dict[Path, Sample]:
    """Read the samples of the pack in a folder. Raises PackError with every fault of them all."""
    samples: dict[Path, Sample] = {}
    faults: list[PackProblem] = []
    for path in sample_files(folder):
        try:
            samples[path] = read_checked_sample(path, ruleset)
        except PackError as error:
            faults += error.problems
    if faults:
        raise PackError(faults)
    return samples


def read_checked_sample(path: Path, ruleset: Ruleset) -> Sample:
    """Return a sample, complete with what it takes from others of its folder.

    Raises PackError with every fault: of the format, and of names and
    answers that the ruleset does not have.
    """
    sample, reading = read_sample(path)
    checked = _Checked(path, ruleset)
    complete = checked.complete(sample)
    for found in (*checked.faults, *_unknown(sample, ruleset)):
        reading.add(path, found.where, found.message, found.nearest)
    if reading.problems:
        raise PackError(sorted_problems(reading.problems))
    return complete


class _Checked:
    """Completes the characters of a sample file, and collects what no character can be."""

    def __init__(self, path: Path, ruleset: Ruleset) -> None:
        self.path = path
        self.ruleset = ruleset
        self.faults: list[PartProblem] = []
        self._others: dict[str, dict[str, Any]] = {}

    def complete(self, sample: Sample) -> Sample:
        """Return the sample with everything that its cases take from it and from other files."""
        whole = self._build(sample, {}, ())
        own = {name: getattr(whole, name) for name in ("like", *BUILD)}
        own = {name: value for name, value in own.items() if name in whole.model_fields_set}
        more = {
            key: tuple(self._build(case, own, (key, n)) for n, case in enumerate(cases))
            for key, cases in (("characters", sample.characters), ("scenes", sample.scenes))
        }
        return whole.model_copy(update=more)

    def _build(self, case: Build, base: Mapping[str, Any], where: KeyPath) -> Build:
        """Return a case with what it does not say itself, from ``base`` or from ``like``."""
        said = {name: getattr(case, name) for name in BUILD if name in case.model_fields_set}
        if "like" in case.model_fields_set:
            base = {**base, **self._other(case.like, where)}
        for key in ("answers", "table_rules"):
            joined = {**base.get(key, {}), **said.get(key, {})}
            said[key] = {name: one for name, one in joined.items() if one is not None}
        self._check(case, {**base, **said}, where)
        return case.model_copy(update={**base, **said})

    def _other(self, name: str, where: KeyPath, above: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return what another sample of the folder says of its character."""
        path = self.path.with_name(f"{name}.yaml")
        if name in self._others:
            return self._others[name]
        if path == self.path or name in above:
            self.faults.append(PartProblem((*where, "like"), "it is like itself"))
            return {}
        if not path.is_file():
            known = {other.stem for other in self.path.parent.glob("*.yaml")}
            message = f"no sample is named {name!r}"
            self.faults.append(PartProblem((*where, "like"), message, nearest(name, known)))
            return {}
        other, _reading = read_sample(path)
        said = {key: getattr(other, key) for key in BUILD if key in other.model_fields_set}
        if other.like:
            base = self._other(other.like, where, (*above, name))
            for key in ("answers", "table_rules"):
                said[key] = {**base.get(key, {}), **said.get(key, {})}
            said = {**base, **said}
        self._others[name] = said
        return said

    def _check(self, case: SampleBuild, build: Mapping[str, Any], where: KeyPath) -> None:
        """Collect what a case says itself that no character of these rules can be."""
        ruleset, found = self.ruleset, self.faults
        for rule, option in case.table_rules.items():
            try:
                check_rules(ruleset, {rule: option})
            except UnknownId as error:
                found.append(PartProblem((*where, "table_rules", rule), str(error), error.nearest))
        for key, check in (("name", check_name), ("level", lambda n: check_level(ruleset, n))):
            try:
                check(getattr(case, key))
            except UsageError as error:
                found.append(PartProblem((*where, key), error.reason))
        if not case.answers:
            return
        level = min(build.get("level", 1), ruleset.head.advancement.maximum)
        try:
            refuse_unknown_answers(
                CharacterSpec(ruleset, "", level=level, answers=build["answers"])
            )
        except UnusedAnswers as error:
            for name, reason in error.unused:
                if name in case.answers:
                    found.append(PartProblem((*where, "answers", name), reason))


def _unknown(sample: Sample, ruleset: Ruleset) -> Iterator[PartProblem]:
    """Yield what a sample names that the rules do not have."""
    yield from Linter(ruleset).check(sample)
    for name, facts in sample.entities.items():
        entity = ruleset.entities.get(name)
        if entity is not None:
            known = {*report.entity(entity, ruleset), WORDS}
            for key in facts:
                yield from unknown_name("fact of the catalog", key, known, ("entities", name, key))
    figures = {"level", *ruleset.values}
    for where, expected in _expectations(sample):
        for unit, values in expected.units.items():
            here = (*where, "units", unit)
            if "/" in unit:
                yield from unknown_name("entity", unit, ruleset.entities, here)
            for name in values:
                what = "condition" if "/" in name else "value"
                pool = ruleset.entities if "/" in name else figures
                yield from unknown_name(what, name, pool, (*here, name))
    for number, scene in enumerate(sample.scenes):
        yield from _unknown_in(scene, ruleset, ("scenes", number))


def _unknown_in(scene: Scene, ruleset: Ruleset, where: KeyPath) -> Iterator[PartProblem]:
    """Yield the outputs and options of rules that a scene names and that there are not."""
    for number, step in enumerate(scene.steps):
        here = (*where, "steps", number)
        procedure = ruleset.procedures.get(step.run or step.odds or "")
        for rule, option in step.rule.items():
            known = ruleset.table_rules.get(rule)
            options = [one.id for one in known.options] if known else [option]
            yield from unknown_name("option of this rule", option, options, (*here, "rule", rule))
        if procedure is None:
            continue
        outputs = {one.id for one in procedure.outputs}
        expected = step.expect
        for key in ("outputs", "chances", "chances_given") if expected is not None else ():
            for name in getattr(expected, key):
                way = (*here, "expect", key, name)
                yield from unknown_name("output of this procedure", name, outputs, way)


def _expectations(sample: Sample) -> Iterator[tuple[KeyPath, ExpectedFigures]]:
    """Yield everything that a sample expects of figures, with its way from the top."""
    cases: list[tuple[KeyPath, Expected]] = (
        [((), sample.expect)] if sample.expect is not None else []
    )
    cases += [(("characters", n), case.expect) for n, case in enumerate(sample.characters)]
    for where, expected in cases:
        yield (*where, "expect"), expected
        for level, figures in expected.levels.items():
            yield (*where, "expect", "levels", level), figures
    for number, scene in enumerate(sample.scenes):
        for index, step in enumerate(scene.steps):
            if step.expect is not None:
                yield ("scenes", number, "steps", index, "expect"), step.expect


# ------------------------------------------------------------------ running


def run_sample(sample: Sample, ruleset: Ruleset) -> tuple[Mismatch, ...]:
    """Return everything that is not as a sample says."""
    found = [*kind_differences(sample, ruleset), *entity_differences(sample, ruleset)]
    if sample.expect is not None:
        found += BuiltCharacter(sample, ruleset).differences(sample.expect)
    seated: dict[str, BuiltCharacter] = {}

    def built(case: SampleBuild) -> BuiltCharacter:
        """Return the character of a case; cases of the same build share it."""
        key = json.dumps(case.model_dump(mode="json", include={*BUILD}), sort_keys=True)
        if key not in seated:
            seated[key] = BuiltCharacter(case, ruleset)
        return seated[key]

    for number, case in enumerate(sample.characters, 1):
        label = f"characters {number}" + (f" ({case.text})" if case.text else "")
        found += _labelled(label, built(case).differences(case.expect))
    for number, scene in enumerate(sample.scenes, 1):
        label = f"scenes {number} ({scene.text})"
        found += _labelled(label, scene_differences(scene, built(scene)))
    return tuple(found)


def _labelled(label: str, found: Iterable[Mismatch]) -> Iterator[Mismatch]:
    return (replace(one, what=f"{label}: {one.what}") for one in found)
