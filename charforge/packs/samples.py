"""Samples of a pack: reading and checking their files, and running them.

A sample describes characters and scenes and says what to expect of them.
``sample_characters`` and ``sample_scenes`` compare the results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from charforge.errors import (
    PackError,
    PackProblem,
    UnknownId,
    UnusedAnswers,
    UsageError,
    nearest,
    shorten,
)
from charforge.export.catalog_json import entity_json
from charforge.language import ENGLISH, _, in_language
from charforge.limits import MAX_ERRORS
from charforge.packs.sample_characters import (
    TEXT_WORDS,
    BuiltCharacter,
    Mismatch,
    entity_mismatches,
    kind_mismatches,
)
from charforge.packs.sample_scenes import scene_mismatches
from charforge.replay.character_spec import CharacterSpec, check_level, check_name, check_rules
from charforge.rules.checks.references import Linter
from charforge.rules.checks.symbols import PartProblem, unknown_name
from charforge.rules.errors import KeyPath
from charforge.rules.loading.parser import read_sample, sorted_problems
from charforge.rules.models import Expected, ExpectedFigures, Sample, SampleBuild, Scene
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import refuse_unknown_answers

FOLDER = "tests"  # of a pack: one file a sample
# The fields that define a character, which a case can take from its sample or from another.
BUILD_FIELDS = tuple(name for name in SampleBuild.model_fields if name != "like")
MERGED_FIELDS = ("answers", "table_rules")  # their keys are merged, not replaced
Build = TypeVar("Build", bound=SampleBuild)


# ------------------------------------------------------------------ reading


def sample_files(folder: Path) -> list[Path]:
    """Return the files of samples of the pack in a folder."""
    return sorted((folder / FOLDER).glob("*.yaml"))


def read_samples(folder: Path, ruleset: Ruleset) -> dict[Path, Sample]:
    """Return the samples of the pack in a folder. Raises PackError with all their problems."""
    samples: dict[Path, Sample] = {}
    problems: list[PackProblem] = []
    for path in sample_files(folder):
        try:
            samples[path] = read_checked_sample(path, ruleset)
        except PackError as error:
            problems += error.problems
            if len(problems) >= MAX_ERRORS:
                break
    if problems:
        raise PackError(problems)
    return samples


def read_checked_sample(path: Path, ruleset: Ruleset) -> Sample:
    """Return a sample, complete with what it takes from others of its folder.

    Raises PackError with every problem: in the format, and names and
    answers that the ruleset does not have.
    """
    sample, reader = read_sample(path)
    completion = _SampleCompletion(path, ruleset)
    complete = completion.complete(sample)
    found = islice(chain(completion.problems, _unknown_names(sample, ruleset)), MAX_ERRORS)
    problems = [reader.problem(path, one.key_path, one.message, one.nearest) for one in found]
    if problems:
        raise PackError(sorted_problems(problems))
    return complete


class _SampleCompletion:
    """Completes the characters of a sample file.

    A case without a field takes it from the sample that ``like`` names, or
    from its own file. ``problems`` collects what no character can be.
    """

    def __init__(self, path: Path, ruleset: Ruleset) -> None:
        self.path = path
        self.ruleset = ruleset
        self.problems: list[PartProblem] = []
        self._others: dict[str, dict[str, Any]] = {}

    def complete(self, sample: Sample) -> Sample:
        """Return the sample with everything that its cases take from it and from other files."""
        complete = self._complete_case(sample, {}, ())
        own = {
            name: getattr(complete, name)
            for name in ("like", *BUILD_FIELDS)
            if name in complete.model_fields_set
        }
        cases = {
            key: tuple(self._complete_case(case, own, (key, n)) for n, case in enumerate(listed))
            for key, listed in (("characters", sample.characters), ("scenes", sample.scenes))
        }
        return complete.model_copy(update=cases)

    def _complete_case(self, case: Build, base: Mapping[str, Any], key_path: KeyPath) -> Build:
        """Return a case with the fields that it lacks, from ``base`` or from ``like``."""
        if "like" in case.model_fields_set:
            base = {**base, **self._fields_of(case.like, key_path)}
        build = _merged(base, _build_fields(case))
        for key in MERGED_FIELDS:  # an entry without a value removes one
            entries = build.get(key, {})
            build[key] = {name: value for name, value in entries.items() if value is not None}
        self._check(case, build, key_path)
        return case.model_copy(update=build)

    def _fields_of(
        self, name: str, key_path: KeyPath, above: tuple[str, ...] = ()
    ) -> Mapping[str, Any]:
        """Return the fields that another sample of the folder gives its character."""
        path = self.path.with_name(f"{name}.yaml")
        if name in self._others:
            return self._others[name]
        if path == self.path or name in above:
            self.problems.append(PartProblem((*key_path, "like"), _("it is based on itself")))
            return {}
        if not path.is_file():
            known = {other.stem for other in self.path.parent.glob("*.yaml")}
            message = _("there is no sample {name}").format(name=shorten(name))
            self.problems.append(PartProblem((*key_path, "like"), message, nearest(name, known)))
            return {}
        other, _reader = read_sample(path)
        fields = _build_fields(other)
        if other.like:
            fields = _merged(self._fields_of(other.like, key_path, (*above, name)), fields)
        self._others[name] = fields
        return fields

    def _check(self, case: SampleBuild, build: Mapping[str, Any], key_path: KeyPath) -> None:
        """Collect what a case itself says that no character of these rules can be."""
        ruleset, problems = self.ruleset, self.problems
        if len(problems) >= MAX_ERRORS:
            return
        for rule, option in case.table_rules.items():
            try:
                check_rules(ruleset, {rule: option})
            except UnknownId as error:
                problems.append(
                    PartProblem((*key_path, "table_rules", rule), str(error), error.nearest)
                )
        for key, check in (("name", check_name), ("level", lambda n: check_level(ruleset, n))):
            try:
                check(getattr(case, key))
            except UsageError as error:
                problems.append(PartProblem((*key_path, key), error.reason))
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
                    problems.append(PartProblem((*key_path, "answers", name), reason))


def _build_fields(case: SampleBuild) -> dict[str, Any]:
    """Return the fields that a case itself gives its character."""
    return {name: getattr(case, name) for name in BUILD_FIELDS if name in case.model_fields_set}


def _merged(base: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a character, those of ``base`` where ``fields`` has none."""
    entries = {key: {**base.get(key, {}), **fields.get(key, {})} for key in MERGED_FIELDS}
    return {**base, **fields, **entries}


def _unknown_names(sample: Sample, ruleset: Ruleset) -> Iterator[PartProblem]:
    """Yield the names in a sample that the rules do not have."""
    yield from Linter(ruleset).check(sample)
    for name, facts in sample.entities.items():
        entity = ruleset.entities.get(name)
        if entity is not None:
            known = {*entity_json(entity, ruleset).model_dump(), TEXT_WORDS}
            for key in facts:
                yield from unknown_name("fact of the catalog", key, known, ("entities", name, key))
    figures = {"level", *ruleset.values}
    for key_path, expected in _expectations(sample):
        for unit, values in expected.units.items():
            unit_path = (*key_path, "units", unit)
            if "/" in unit:
                yield from unknown_name("entity", unit, ruleset.entities, unit_path)
            for name in values:
                what = "condition" if "/" in name else "value"
                names = ruleset.entities if "/" in name else figures
                yield from unknown_name(what, name, names, (*unit_path, name))
    for number, scene in enumerate(sample.scenes):
        yield from _unknown_names_in_scene(scene, ruleset, ("scenes", number))


def _unknown_names_in_scene(
    scene: Scene, ruleset: Ruleset, key_path: KeyPath
) -> Iterator[PartProblem]:
    """Yield the outputs and options of rules in a scene that the rules do not have."""
    for number, step in enumerate(scene.steps):
        step_path = (*key_path, "steps", number)
        procedure = ruleset.procedures.get(step.run or step.odds or "")
        for rule, option in step.rule.items():
            known = ruleset.table_rules.get(rule)
            options = [other.id for other in known.options] if known else [option]
            yield from unknown_name(
                "option of this rule", option, options, (*step_path, "rule", rule)
            )
        if procedure is None:
            continue
        outputs = {output.id for output in procedure.outputs}
        expected = step.expect
        for key in ("outputs", "chances", "chances_given") if expected is not None else ():
            for name in getattr(expected, key):
                path = (*step_path, "expect", key, name)
                yield from unknown_name("output of this procedure", name, outputs, path)


def _expectations(sample: Sample) -> Iterator[tuple[KeyPath, ExpectedFigures]]:
    """Yield the figures that a sample expects, each with its path in the file."""
    cases: list[tuple[KeyPath, Expected]] = (
        [((), sample.expect)] if sample.expect is not None else []
    )
    cases += [(("characters", n), case.expect) for n, case in enumerate(sample.characters)]
    for key_path, expected in cases:
        yield (*key_path, "expect"), expected
        for level, figures in expected.levels.items():
            yield (*key_path, "expect", "levels", level), figures
    for number, scene in enumerate(sample.scenes):
        for index, step in enumerate(scene.steps):
            if step.expect is not None:
                yield ("scenes", number, "steps", index, "expect"), step.expect


# ------------------------------------------------------------------ running


@in_language(ENGLISH)
def run_sample(sample: Sample, ruleset: Ruleset) -> tuple[Mismatch, ...]:
    """Return everything that is not as a sample expects.

    Samples contain messages in English, so they are the same in every language.
    """
    mismatches = [*kind_mismatches(sample, ruleset), *entity_mismatches(sample, ruleset)]
    if sample.expect is not None:
        mismatches += BuiltCharacter(sample, ruleset).mismatches(sample.expect)
    characters: dict[str, BuiltCharacter] = {}

    def character_of(case: SampleBuild) -> BuiltCharacter:
        """Return the character of a case; equal cases share it."""
        key = json.dumps(case.model_dump(mode="json", include={*BUILD_FIELDS}), sort_keys=True)
        if key not in characters:
            characters[key] = BuiltCharacter(case, ruleset)
        return characters[key]

    for number, case in enumerate(sample.characters, 1):
        label = f"characters {number}" + (f" ({case.text})" if case.text else "")
        mismatches += _labelled(label, character_of(case).mismatches(case.expect))
    for number, scene in enumerate(sample.scenes, 1):
        label = f"scenes {number} ({scene.text})"
        mismatches += _labelled(label, scene_mismatches(scene, character_of(scene)))
    return tuple(mismatches)


def _labelled(label: str, mismatches: Iterable[Mismatch]) -> Iterator[Mismatch]:
    return (replace(mismatch, what=f"{label}: {mismatch.what}") for mismatch in mismatches)
