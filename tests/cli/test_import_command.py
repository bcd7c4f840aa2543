"""import: answers files and character files, recognized by their content."""

from __future__ import annotations

import json

import pytest

from charforge.character.files import document, reader
from tests.samples import few

ROLES = ("the-lancer", "the-scout", "the-healer", "the-captain", "the-tank", "the-sentinel")
ASSETS = (
    "vehicle/mechsuit", "special-weapon/pistol", "companion/land-beast", "companion/sky-beast",
    "vehicle/tank", "augmentation/slots",
)  # fmt: skip


# ------------------------------------------------------------------ answers


@pytest.mark.parametrize("role", few(ROLES, 2))
def test_export_and_import_give_the_same_character(run, tmp_path, role):
    asset = ASSETS[ROLES.index(role)]
    (tmp_path / "asset.yaml").write_text(f"answers: {{role: role/{role}, asset: {asset}}}")
    made = ("new", "--random", "--seed", "7", "--level", "10", "--answers", "asset.yaml")
    assert run(*made, "--rule", "cooldown=or_less", "-o", "a.json").code == 0
    assert run("export", "a.json", "-o", "a.yaml").code == 0
    ended = run("import", "a.yaml", "-o", "b.json")
    assert (ended.code, ended.out) == (0, "b.json\n")
    assert ended.err.endswith("level 10: legal\n")
    first, second = (json.loads((tmp_path / f"{n}.json").read_text("utf-8")) for n in "ab")
    assert second["character"] == first["character"]
    assert (tmp_path / "b.json").read_bytes() == (tmp_path / "a.json").read_bytes()


def test_answers_are_known_by_their_content(run, nix, tmp_path):
    """Not by the name of their file; and answers may be JSON, which is YAML too."""
    answers = run("export", nix).out
    (tmp_path / "answers.json").write_text(answers, encoding="utf-8")
    assert run("import", "answers.json", "-o", "b.json").code == 0
    import yaml

    (tmp_path / "answers.txt").write_text(json.dumps(yaml.safe_load(answers)), encoding="utf-8")
    assert run("import", "answers.txt", "-o", "c.json").code == 0
    assert (tmp_path / "b.json").read_bytes() == (tmp_path / "c.json").read_bytes()


def test_every_fault_of_an_answers_file_has_its_line(run, tmp_path):
    (tmp_path / "a.yaml").write_text(
        "name: Nix\nlevl: 2\nanswers:\n  role: role/the-lancer\nseed: [1]\n"
    )
    run("import", "a.yaml").refused(2, 'a.yaml:2: unknown key "levl"; did you mean level?',
                                    "a.yaml:5: seed must be")  # fmt: skip


def test_an_answer_that_nothing_asks_for_has_its_line(run, tmp_path):
    (tmp_path / "a.yaml").write_text("name: Nix\nanswers:\n  rol: role/the-lancer\n")
    run("import", "a.yaml").refused(2, "a.yaml:3:", '"rol"', "did you mean role?")


def test_an_illegal_answer_ends_with_1_and_writes_nothing(run, nix, capital_text, tmp_path):
    nix.write_text(capital_text, "utf-8")
    text = run("export", nix).out
    line = next(line for line in text.splitlines() if line.startswith("  money:"))
    (tmp_path / "a.yaml").write_text(text.replace(line, "  money: 10"), encoding="utf-8")
    number = text.splitlines().index(line) + 1
    said = f"a.yaml:{number}: money: 10 is not between 200 and 400"
    run("import", "a.yaml", "-o", "b.json").refused(1, said)
    assert not (tmp_path / "b.json").exists()


def test_missing_answers_are_listed(run, tmp_path):
    (tmp_path / "a.yaml").write_text("name: Nix\nanswers: {role: role/the-lancer}\n")
    ended = run("import", "a.yaml")
    ended.refused(2, "attributes.roll", "asset", "charforge new --answers a.yaml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yaml"]


# ------------------------------------------------------------------ characters


def test_a_character_keeps_its_bytes(run, text, data, tmp_path):
    """However it is spelt: other spaces, other line ends, a mark of the byte order."""
    for number, spelt in enumerate(
        (
            text.encode(),
            json.dumps(data).encode(),
            b"\xef\xbb\xbf" + text.encode(),
            text.replace("\n", "\r\n").encode(),
        )
    ):
        (tmp_path / "theirs.yaml").write_bytes(spelt)
        ended = run("import", "theirs.yaml", "-o", f"{number}.json")
        assert (ended.code, ended.out) == (0, f"{number}.json\n")
        assert ended.err == f"{number}.json: {data['name']}, level 3: legal\n"
        assert (tmp_path / f"{number}.json").read_bytes() == spelt


def test_without_o_it_has_its_name(run, text, data, tmp_path):
    (tmp_path / "theirs").write_text(text, encoding="utf-8")
    file = f"{data['name'].replace(' ', '-')}.json"
    assert run("import", "theirs").out == f"{file}\n"
    assert (tmp_path / file).read_text("utf-8") == text


def test_an_illegal_character_is_written_and_told(run, capital_text, tmp_path):
    data = json.loads(capital_text)
    for event in data["log"]:
        if event.get("decision") in ("money", "kit.tent"):
            event["answer"] = "nonsense"
    (tmp_path / "odd.json").write_text(json.dumps(data))
    ended = run("import", "odd.json", "-o", "here.json")
    assert (ended.code, ended.out) == (1, "here.json\n")
    head, *lines = ended.err.splitlines()
    assert head == f"here.json: {data['name']}, level 3: 2 problems"
    assert [line.split()[:2] for line in lines] == [
        ["broken", "Adventuring"],
        ["broken", "Starting"],
    ]
    assert (tmp_path / "here.json").read_bytes() == (tmp_path / "odd.json").read_bytes()


def test_an_older_format_is_written_in_the_present_one(run, data, nix, monkeypatch):
    monkeypatch.setattr(document, "MIGRATIONS", {1: lambda found: {**found, "charforge": 2}})
    monkeypatch.setattr(reader, "FILE_FORMAT", 2)
    monkeypatch.setattr(document, "FILE_FORMAT", 2)
    assert run("import", nix, "-o", "new.json").code == 0
    found = json.loads(nix.with_name("new.json").read_text("utf-8"))
    assert found == {**data, "charforge": 2}
    assert json.loads(nix.read_text("utf-8")) == data


def test_an_existing_file_needs_force(run, nix, tmp_path):
    (tmp_path / "mine.json").write_text("mine")
    run("import", nix, "-o", "mine.json").refused(2, "this file already exists", "--force")
    assert (tmp_path / "mine.json").read_text() == "mine"
    assert run("import", nix, "-o", "mine.json", "--force").code == 0
    assert (tmp_path / "mine.json").read_bytes() == nix.read_bytes()


def test_the_file_that_is_read_is_never_written(run, nix, text, data, tmp_path):
    run("import", nix, "-o", nix, "--force").refused(2, "this is also the file to import")
    (tmp_path / "link.json").symlink_to(nix)
    run("import", nix, "-o", "link.json", "--force").refused(2, "this is also the file to import")
    named = nix.rename(tmp_path / f"{data['name'].replace(' ', '-')}.json")
    run("import", named, "--force").refused(2, "this is also the file to import", "Use another -o.")
    assert named.read_text("utf-8") == text


def test_a_name_cannot_lead_out_of_the_folder(run, data, tmp_path):
    evil = "../../evil/x"
    data["name"] = evil
    data["log"][0]["name"] = evil
    (tmp_path / "theirs").write_text(json.dumps(data))
    ended = run("import", "theirs")
    assert "/" not in ended.out
    assert (tmp_path / ended.out.strip()).is_file()


def test_a_game_that_is_not_here(run, data, tmp_path):
    data["ruleset"] = "captial"
    (tmp_path / "theirs.json").write_text(json.dumps(data))
    run("import", "theirs.json").refused(2, "it needs captial, which is not installed.", "capital?")
    assert len(list(tmp_path.iterdir())) == 1


# ------------------------------------------------------------------ anything else

OTHER: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "the file is empty"),
    "blanks": (b" \n\n", "the file is empty"),
    "a PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "this PDF is damaged"),
    "a plain PDF": (b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n", "this PDF is damaged"),
    "a picture": (b"\x89PNG\r\n\x1a\n\xff\xfe", "this is not a JPEG, PNG or WebP picture"),
    "UTF-16": ('{"charforge": 1}'.encode("utf-16"), "this is not a text file"),
    "a page": (b"<!DOCTYPE html>\n<html><body>", "this is an HTML page"),
    "a note": (
        b"# Nix\n\nA lancer, once.\nlevel: 3\n",
        "this is not an answers file or a character file.",
    ),
    "words": (b"Nix is a lancer.\n", "this is not an answers file or a character file."),
    "other JSON": (
        b'{"name": "left-pad", "version": "1"}',
        "this is JSON, but not a character file.",
    ),
    "a list": (b"[1, 2]", "this is JSON, but not a character file."),
    "cut off": (b'{"charforge": 1, "name": ', "the file ends too early, at line 1"),
    "newer": (
        b'{"charforge": 99}',
        "it was saved by a newer charforge (format 99, yours reads up to 1).",
    ),
    "brackets": (b"[" * 100_000, "not an answers file or a character file"),
    "braces": (b'{"charforge":' * 100_000, "too many nested brackets"),
    "YAML that is cut off": (b"name: Nix\nanswers: {role: \n", "a.x:"),
}


@pytest.mark.parametrize(("content", "said"), OTHER.values(), ids=OTHER)
def test_what_cannot_be_imported_says_what_it_is(run, tmp_path, content, said):
    path = tmp_path / "a.x"
    path.write_bytes(content)
    run("import", "a.x", "-o", "out.json").refused(2, "a.x", said)
    assert path.read_bytes() == content
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("format", ["markdown", "text", "statblock"])
def test_notes_cannot_be_imported(run, nix, format):
    assert run("export", nix, "--format", format, "-o", "out").code == 0
    run("import", "out").refused(2, "this is not an answers file or a character file")


def test_results_for_programs_are_named(run, nix, tmp_path):
    assert run("export", nix, "--format", "json", "-o", "out").code == 0
    run("import", "out").refused(
        2,
        "this is the output of export --format json: it has the results but not the choices.",
        "out: this is the output of export --format json: it has the results but not the choices.",
    )
    (tmp_path / "shown").write_text(run("show", nix, "--json").out, encoding="utf-8")
    run("import", "shown").refused(
        2, "this is the output of show --json: it has the results but not the choices."
    )


def test_missing_files_folders_and_devices(run, nix):
    run("import", "nyx.json").refused(2, "this file does not exist", "Did you mean")
    run("import", nix.parent).refused(2, "this is a folder")
    run("import", "/dev/null").refused(2, "this is not a normal file")


def test_several_files_are_refused_unless_they_are_photos(run, nix):
    run("import", nix, nix, "-o", "x.json").refused(2, "Only photos can be imported together")
