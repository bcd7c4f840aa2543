"""Faulty packs: each mistake is one error with its file, its line and the nearest right name.

The cases are in ``faulty_packs/*.yaml``; the README beside them explains the keys.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from charforge.errors import PackError, PackProblem
from charforge.expressions.formula import FUNCTIONS
from charforge.packs import install
from charforge.paths import user_data_folder
from charforge.rules.editor.schema import definitions
from charforge.rules.loading import yaml_reader
from charforge.rules.loading.loader import language_files, load_folder, packs_folder
from charforge.rules.loading.translation import check_translations
from tests.pseudo import speak_pseudo
from tests.rules.faulty import faults_of
from tests.rules.pack_files import write_pack
from tests.samples import few
from tests.source import TESTDATA

TABLES = sorted(Path(__file__).with_name("faulty_packs").glob("*.yaml"))
KEYS = {
    "file",
    "old",
    "new",
    "before",
    "page",
    "at",
    "line",
    "reported",
    "message",
    "whole",
    "nearest",
}
Case = dict[str, Any]


def _parts() -> Iterator[Any]:
    """Yield the cases of each chapter with the header of their table, in a fast and a slow part."""
    for path in TABLES:
        table = yaml_reader.read_yaml(path)  # refuses a name that is used twice
        for chapter, cases in table.pop("cases").items():
            first = {name: cases[name] for name in list(cases)[::6]}
            others = {name: case for name, case in cases.items() if name not in first}
            name = f"{path.stem}: {chapter}"
            yield pytest.param(table, first, id=name)
            if others:
                yield pytest.param(table, others, id=f"{name}: others", marks=pytest.mark.slow)


PARTS = list(_parts())


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the toy ruleset and another pack for it where no other test sees them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        user_data_folder.cache_clear()
        shutil.copytree(TESTDATA / "toy", packs_folder() / "toy")
        write_pack(packs_folder() / "full-moon", "entities: []\n")
        yield
    user_data_folder.cache_clear()


def _edit(folder: Path, edit: Case) -> None:
    """Replace a text that occurs exactly once in a file of a pack."""
    path = folder / edit["file"]
    text = path.read_text(encoding="utf-8")
    assert text.count(edit["old"]) == 1, f"{edit['old']!r} occurs {text.count(edit['old'])} times"
    path.write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")


def _faulty_pack(table: Case, case: Case, folder: Path) -> Path:
    """Write the pack of a case and return its folder."""
    if "page" in case:
        return write_pack(folder / "pack", case["page"], table["amends"])
    made = Path(shutil.copytree(TESTDATA / table["pack"], folder / table["pack"]))
    for edit in (*table.get("before", ()), *case.get("before", ()), case):
        _edit(made, edit)
    return made


def _faults(table: Case, folder: Path) -> tuple[PackProblem, ...]:
    """Return the errors of a pack that must be refused."""
    if "amends" not in table:
        return faults_of(folder)
    if "translated" in table:
        _name, reader, ruleset = install.load_checked(folder)
        errors, warnings = check_translations(reader, ruleset, folder, language_files(folder))
        return (*errors, *warnings)
    with pytest.raises(PackError) as refused:
        install.load_checked(folder)
    return refused.value.problems


def check(table: Case, case: Case, folder: Path) -> None:
    """Compare the errors of a case's pack with the one that it must lead to."""
    assert case.keys() <= {*KEYS, "others"}
    made = _faulty_pack(table, case, folder)
    file = made / case.get("reported", case.get("file", "page.yaml"))
    line = case.get("line")
    if line is None:
        text = file.read_text(encoding="utf-8")
        line = text[: text.index(case["at"])].count("\n") + 1
    message = case["message"]
    whole = case.get("whole", False)
    expected = (file.name, line, message, case.get("nearest", ""))
    errors = [
        (
            fault.file.name,
            fault.line,
            message if message in fault.message and not whole else fault.message,
            fault.nearest,
        )
        for fault in _faults(table, made)
    ]
    if case.get("others"):
        assert expected in errors
    else:
        assert errors == [expected]


@pytest.mark.parametrize(("table", "cases"), PARTS)
def test_one_mistake_is_one_error_at_its_line(
    table: Case, cases: dict[str, Case], tmp_path: Path
) -> None:
    failures = []
    for number, (name, case) in enumerate(cases.items()):
        try:
            check(table, case, tmp_path / str(number))
        except AssertionError as failure:
            failures.append(f"{name}: {failure}")
    assert not failures, "\n".join(failures)


# ------------------------------------------------------------------ in other languages

WORD = re.compile(r"[^\W\d_]{3,}")
QUOTED = re.compile(r"\"[^\"]*\"")  # what the author wrote


def _names(schema: Any) -> Iterator[str]:
    """Yield the keys of a pack and the words that they allow, which no language translates."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        yield from schema.get("enum", ())
        yield str(schema.get("const", ""))
        for part in schema.values():
            yield from _names(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _names(part)


@pytest.fixture(scope="module")
def names() -> set[str]:
    """The words of the format of packs."""
    found = [*map(str, _names(definitions())), *FUNCTIONS, "true"]
    return {word for name in found for word in WORD.findall(name)}


@pytest.mark.parametrize(
    ("table", "cases"), few([part for part in PARTS if not part.marks], 5, slow=16)
)
def test_no_error_bypasses_the_catalogue(
    table: Case, cases: dict[str, Case], names: set[str], tmp_path: Path
) -> None:
    amended = list((TESTDATA / table.get("amends", "toy")).glob("*.yaml"))
    speak_pseudo()
    bypassing = []
    for number, (name, case) in enumerate(cases.items()):
        made = _faulty_pack(table, case, tmp_path / str(number))
        own = set(names)
        for page in (*amended, *made.rglob("*.yaml")):
            own.update(WORD.findall(page.name), WORD.findall(page.read_text(encoding="utf-8")))
        for fault in _faults(table, made):
            words = WORD.findall(QUOTED.sub(" ", fault.message))
            if any(word.isascii() and word not in own for word in words):
                bypassing.append(f"{name}: {fault.message}")
    assert bypassing == []


# ------------------------------------------------------------------ the tables themselves


def test_every_table_is_run() -> None:
    assert [path.stem for path in TABLES] == [
        "barrow", "effects", "harbour", "newcomer", "odds", "patches", "reef", "smithy",
        "tide", "tower", "toy", "translations", "turn_order", "watch",
    ]  # fmt: skip
    assert sum(len(part.values[1]) for part in PARTS) >= 650


@pytest.mark.parametrize(
    "path", [path for path in TABLES if path.stem != "patches"], ids=lambda path: path.stem
)
def test_each_pack_is_sound_before_the_edit_of_a_case(path: Path, tmp_path: Path) -> None:
    table = yaml.safe_load(path.read_text(encoding="utf-8"))
    folder = Path(shutil.copytree(TESTDATA / table["pack"], tmp_path / table["pack"]))
    for edit in table.get("before", ()):
        _edit(folder, edit)
    if "amends" in table:
        install.load_checked(folder)
    else:
        load_folder(folder)


SOUND = {"file": "things.yaml", "old": "made_of: Iron", "new": "made_off: Iron", "at": "made_off"}
SOUND |= {"message": "unknown key", "nearest": "made_of"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"at": "entities:"},
        {"message": "another error"},
        {"nearest": ""},
        {"reported": "people.yaml", "at": "entities:"},
        {"new": "made_of: Tin", "at": "made_of: Tin"},
        {"old": "no such text"},
        {"meant": "made_of"},
        {"before": [{"file": "people.yaml", "old": "amount: 1, when:", "new": "amount: 1, wen:"}]},
    ],
    ids=str,
)
def test_a_case_that_does_not_hold_fails(wrong: Case, tmp_path: Path) -> None:
    """So the runner is able to fail."""
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check({"pack": "toy"}, {**SOUND, **wrong}, tmp_path)


def test_the_same_case_unchanged_holds(tmp_path: Path) -> None:
    check({"pack": "toy"}, SOUND, tmp_path)


# ------------------------------------------------------------------ several errors at once

Harbour = Callable[..., Path]


def test_every_error_of_a_procedure_is_reported_at_once(docking: Harbour) -> None:
    faults = faults_of(
        docking(
            ("procedures.yaml", "value: vigour, by: -amount,", "value: vigor, by: -amont,"),
            ("procedures.yaml", "moment: bell", "moment: bel"),
            ("things.yaml", "by: many}", "by: meny}"),
        )
    )
    assert [(fault.file.name, fault.nearest) for fault in faults] == [
        ("procedures.yaml", "vigour"),
        ("procedures.yaml", "amount"),
        ("procedures.yaml", "bell"),
        ("things.yaml", "many"),
    ]


def test_two_procedures_that_run_each_other_are_a_cycle(docking: Harbour) -> None:
    faults = faults_of(
        docking(
            ("procedures.yaml", "{do: pass, moment: dawn}", "{do: call, procedure: bell}"),
            ("procedures.yaml", "{do: pass, moment: bell}", "{do: call, procedure: nap}"),
        )
    )
    assert sorted(fault.message for fault in faults) == [
        'the procedure "bell" runs itself',
        'the procedure "nap" runs itself',
    ]


def test_attacks_are_of_the_types_that_their_procedure_can_be_told(docking: Harbour) -> None:
    margin = "      - {id: crit, label: Margin, default: 0}\n"
    types = "      - {id: type, label: Type, type: word, options: [blunt], default_word: blunt}\n"
    folder = docking(("procedures.yaml", margin, margin + types))
    text = (folder / "things.yaml").read_text(encoding="utf-8")
    lines = [text[: text.index(f"type: {what}")].count("\n") + 1 for what in ("sharp", "[blunt")]
    faults = faults_of(folder)
    assert [fault.line for fault in faults] == lines
    message = "there is no word of the input 'type' \"sharp\""
    assert all(message in one.message for one in faults)
