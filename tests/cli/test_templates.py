"""sheet and export with templates of one's own, and the command that lists them."""

from __future__ import annotations

import json
import os

import pytest
from pypdf import PdfReader

from charforge.cli.printing.printed_sheet import RELOAD
from tests.cli.terminals import CTRL_C, TerminalRun


def test_a_new_page_is_printed(run, nix):
    ended = run("templates", "new", "my-sheet")
    assert ended.out.splitlines() == [
        f"my-sheet/{name}"
        for name in (
            ".schema/template.json",
            "README.md",
            "sheet.html",
            "style.css",
            "template.yaml",
        )
    ]
    assert ended.err == "Try it: charforge sheet FILE --template my-sheet\n"
    run("templates", "new", "my-sheet").refused(2, "exists and is not empty")
    schema = json.loads(run("templates", "--schema").out)
    written = nix.with_name("my-sheet") / ".schema" / "template.json"
    assert json.loads(written.read_text("utf-8")) == schema
    ended = run("sheet", nix, "--template", "my-sheet", "--format", "html", "-o", "own.html")
    assert (ended.code, ended.err) == (0, "")
    page = nix.with_name("own.html").read_text("utf-8")
    assert ", in short</h2>" in page and "text-transform: uppercase; }" in page


def test_templates_in_the_folder_of_the_user_are_listed(run, tmp_path, packs_home):
    run("templates", "new", "my-sheet")
    mine = packs_home.with_name("templates") / "mine"
    mine.parent.mkdir(parents=True)
    (tmp_path / "my-sheet").rename(mine)
    listed = run("templates")
    first, *ours, last = listed.out.splitlines()
    assert (first, last) == ("full · built in: --layout full", "mine · My Sheet")
    assert str(mine.parent) in listed.err
    assert "zine · Zine · The charforge project · MIT · a4, letter" in ours


def test_a_paper_that_a_template_is_not_made_for_is_replaced_and_said(run, nix, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "sheet.html").write_text("{{ options.paper }}", encoding="utf-8")
    (tmp_path / "mine" / "template.yaml").write_text("papers: [letter]\n", encoding="utf-8")
    printed = run("sheet", nix, "--template", "mine", "-o", "a.html", "--paper", "a5")
    assert printed.err.startswith("The template is not made for a5; it is printed on letter.")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("letter")


def test_another_kind_of_text_is_saved_or_exported(run, nix, tmp_path):
    (tmp_path / "a.txt").write_text("{{ view.name }} of {{ view.ruleset }}\n", "utf-8")
    text = "Ada of The Harbour\n"
    assert run("export", nix, "--template", "a.txt").out == text
    ended = run("sheet", nix, "--template", "a.txt")
    assert (ended.code, ended.out) == (0, f"{tmp_path / 'nix.txt'}\n")
    assert (tmp_path / "nix.txt").read_text("utf-8") == text
    run("sheet", nix, "--template", "a.txt").refused(2, "--force")
    assert run("sheet", nix, "--template", "a.txt", "-o", "-").out == text


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("sheet", "nix.json", "--template", "a.txt", "--format", "pdf"),
         "This template makes .txt"),
        (("sheet", "nix.json", "--template", "a.txt", "-o", "a.pdf"), "This template makes .txt"),
        (("sheet", "nix.json", "--template", "a.txt", "--layout", "short"), "layout of its own"),
        (("sheet", "nix.json", "--template", "a.txt", "--audit"), "cannot be used together"),
        (("export", "nix.json", "--template", "a.txt", "--format", "text"), "cannot be combined"),
        (("sheet", "nix.json", "--template", "b.txt"), 'no template named "b.txt"'),
        (("templates", "old"), "templates new FOLDER starts one"),
    ],
)  # fmt: skip
def test_what_does_not_fit_a_template_is_refused(run, nix, tmp_path, packs_home, command, said):
    (tmp_path / "a.txt").write_text("{{ view.name }}", "utf-8")
    run(*command).refused(2, said)


def test_the_mistakes_of_a_template_are_said_and_nothing_is_written(run, nix, tmp_path):
    (tmp_path / "own.html").write_text("\n{{ view.nmae }}", "utf-8")
    for more in ("--format", "html"), ("-o", "own.pdf"):
        run("sheet", nix, "--template", "own.html", *more).refused(
            2, "The template has 1 error", "own.html:2:1", "Did you mean name?"
        )
    assert not [*tmp_path.glob("*.pdf")]
    assert not (tmp_path / "nix.html").exists()


def test_a_template_prints_on_the_paper_that_it_is_for(run, nix, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "sheet.html").write_text("{{ options.paper }}", "utf-8")
    (own / "template.yaml").write_text("papers: [a5, letter]", "utf-8")
    for typed, printed in (("a4", "a5"), ("letter", "letter")):
        command = ("sheet", nix, "--template", own, "--format", "html", "--paper", typed, "-o", "-")
        assert run(*command).out.startswith(printed)


@pytest.mark.needs("pango")
def test_a_template_that_has_more_pages_than_it_says_is_printed_with_a_message(run, nix, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "sheet.html").write_text("<p>a</p><p style='break-before:page'>b</p>", "utf-8")
    (own / "template.yaml").write_text("pages: 1", "utf-8")
    ended = run("sheet", nix, "--template", own, "-o", "own.pdf")
    assert "made for 1 page; this character needs 2" in ended.err
    assert nix.with_name("own.pdf").exists()


@pytest.mark.parametrize("command", [
    ("sheet", "nix.json", "--watch"),
    ("sheet", "nix.json", "nix.json", "--template", "a.md", "--watch"),
])  # fmt: skip
def test_one_character_with_a_template_is_watched(run, nix, tmp_path, command):
    (tmp_path / "a.md").touch()
    run(*command).refused(2, "--watch needs one character and a template")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")
def test_a_watched_sheet_is_printed_again_after_each_change(nix, tmp_path):
    template, page = tmp_path / "own.html", tmp_path / "own.out.html"
    template.write_text("<head></head>one", "utf-8")
    terminal = TerminalRun(
        tmp_path, "sheet", nix, "--template", "own.html", "--watch", "-o", page, columns=200
    )
    terminal.sees(page.name)
    text = page.read_text("utf-8")
    assert text.startswith(f"<head>\n{RELOAD}") and text.endswith("</head>one")
    template.write_text("<head></head>{{ view.nmae }}", "utf-8")
    terminal.sees("Did you mean name?")
    template.write_text("<head></head>{{ view.name }} again", "utf-8")
    terminal.until(lambda: "Ada again" in page.read_text("utf-8"), "the new page")
    terminal.type(CTRL_C)
    assert terminal.ends() == 0
    text = page.read_text("utf-8")
    assert RELOAD not in text and text.endswith("</head>Ada again")


def test_a_campaign_file_names_the_template_of_its_sheets(run, nix, tmp_path):
    (tmp_path / "log.txt").write_text("{{ view.name }} by the campaign\n", "utf-8")
    (tmp_path / "charforge.yaml").write_text("template: log.txt\n", "utf-8")
    ended = run("sheet", nix, "-o", "-")
    assert ended.out.startswith("Ada by the campaign\n\nThe Harbour ")  # with the game's credits
    assert "template log.txt" in ended.err
    typed = run("sheet", nix, "--layout", "full", "--format", "html", "-o", "a.html")
    assert (typed.code, "template" in typed.err) == (0, False)
    assert "Ada by the campaign" not in (tmp_path / "a.html").read_text("utf-8")
    new = ("new", "--random", "--ruleset", "capital", "--seed", "1", "--name", "Bo", "--sheet")
    assert run(*new, "-o", "bo.json").code == 0
    assert (tmp_path / "bo.txt").read_text("utf-8").startswith("Bo by the campaign\n")


def test_a_template_beside_a_campaign_file_may_come_from_anybody(run, nix, tmp_path):
    (tmp_path / "a.txt").write_text("{{ view._fields }}", "utf-8")
    (tmp_path / "charforge.yaml").write_text("template: a.txt\n", "utf-8")
    run("sheet", nix, "-o", "-").refused(2, 'no field "_fields"')
    assert run("sheet", nix, "--template", "a.txt", "-o", "-").code == 0
    (tmp_path / "link.txt").symlink_to("table/../../b.txt")
    (tmp_path.parent / "b.txt").write_text("{{ view._fields }}", "utf-8")
    (tmp_path / "zine").mkdir()
    (tmp_path / "zine" / "sheet.txt").write_text("{{ view._fields }}", "utf-8")
    for named in ("../b.txt", tmp_path.parent / "b.txt", "link.txt"):
        (tmp_path / "charforge.yaml").write_text(f"template: {named}\n", "utf-8")
        run("sheet", nix, "-o", "-").refused(2, "no template named")
    table = tmp_path / "table"
    table.mkdir()
    (table / "charforge.yaml").write_text("template: zine\n", "utf-8")
    (table / "nix.json").write_bytes(nix.read_bytes())
    assert run("sheet", table / "nix.json", "--format", "html", "-o", "b.html").code == 0
    assert "<html" in (tmp_path / "b.html").read_text("utf-8")  # our zine, not the folder here


def test_a_template_named_default_is_for_all_sheets(run, text, tmp_path, monkeypatch):
    folder = tmp_path / "own"
    (folder / "default").mkdir(parents=True)
    (folder / "default" / "sheet.md").write_text("# {{ view.name }}\n", "utf-8")
    monkeypatch.setattr("charforge.sheet.templates.own_templates", lambda: folder)
    nix = tmp_path / "nix.json"
    nix.write_text(text, "utf-8")
    assert run("sheet", nix, "-o", "-").out == "# Ada\n"
    (tmp_path / "default").mkdir()  # no file of the working folder takes its place
    (tmp_path / "default" / "sheet.md").write_text("somebody else's", "utf-8")
    assert run("sheet", nix, "-o", "-").out == "# Ada\n"
    assert run("sheet", nix, "--layout", "short", "--format", "html", "-o", "a.html").code == 0
    assert "<main>" in (tmp_path / "a.html").read_text("utf-8")
    assert "# Ada" not in run("export", nix).out
    (tmp_path / "charforge.yaml").write_text("layout: short\n", "utf-8")
    assert run("sheet", nix, "--format", "html", "-o", "b.html").code == 0


def test_a_party_is_printed_with_a_template(run, nix, tmp_path):
    (tmp_path / "ada.json").write_text(nix.read_text("utf-8"), "utf-8")
    (tmp_path / "a.txt").write_text("{{ view.name }}\n", "utf-8")
    ended = run("party", nix, "ada.json", "--template", "a.txt")
    assert (ended.code, ended.out) == (0, "party.txt\n"), ended.err
    assert (tmp_path / "party.txt").read_text("utf-8") == "Ada\n\nAda\n"
    page = '<head><style>p {}</style></head><body class="a"><p>{{ view.name }}</p></body>'
    (tmp_path / "a.html").write_text(page, "utf-8")
    assert run("party", nix, "ada.json", "--template", "a.html", "-o", "p.html").code == 0
    text = (tmp_path / "p.html").read_text("utf-8")
    assert (text.count("<p>Ada</p>"), text.count("p {}"), text.count("<body")) == (2, 1, 1)
    run("party", nix, "--template", "a.txt", "--layout", "short").refused(2, "layout of its own")
    run("party", nix, "--template", "a.txt", "-o", "a.pdf").refused(2, "This template makes .txt")


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_a_party_is_one_pdf_with_a_page_of_credits_for_a_template_of_others(run, nix, tmp_path):
    (tmp_path / "ada.json").write_text(nix.read_text("utf-8"), "utf-8")
    folder = tmp_path / "pack" / "templates"
    folder.mkdir(parents=True)
    (tmp_path / "pack" / "ruleset.yaml").write_text("id: harbour\n", "utf-8")
    (folder / "a.html").write_text("<p>{{ view.name }}</p>", "utf-8")
    (tmp_path / "b.html").write_text("<p>{{ view.name }}</p>", "utf-8")
    for name, pages in (("pack/templates/a.html", 3), ("b.html", 2)):
        assert run("party", nix, "ada.json", "--template", name, "--force").code == 0
        assert len(PdfReader(tmp_path / "party.pdf").pages) == pages
    ended = run("party", nix, "ada.json", "--template", "pack/templates/a.html", "-o", "p.html")
    text = (tmp_path / "p.html").read_text("utf-8")
    assert (ended.code, text.count("<p>Ada</p>"), text.count('role="contentinfo"')) == (0, 2, 1)
