"""sheet: layouts, styles, empty sheets, audit, and options that cannot be used together."""

from __future__ import annotations

import pytest


def test_each_layout_and_style_changes_the_page(run, nix):
    options = {
        "full": (),
        "short": ("--layout", "short"),
        "cards": ("--layout", "cards"),
        "reference": ("--layout", "reference"),
        "landscape": ("--orientation", "landscape"),
        "ink": ("--style", "ink-saver"),
        "large": ("--style", "large-print"),
        "both": ("--style", "large-print", "--style", "grey"),
        "audit": ("--audit",),
    }
    pages = set()
    for name, more in options.items():
        assert run("sheet", nix, "--format", "html", "-o", f"{name}.html", *more).code == 0
        pages.add(nix.with_name(f"{name}.html").read_text("utf-8"))
    assert len(pages) == len(options)


def test_an_empty_sheet_needs_no_character(run, tmp_path):
    ended = run("sheet", "--blank", "--ruleset", "capital", "--format", "html")
    assert (ended.code, ended.out, ended.err) == (0, "capital-blank.html\n", "")
    assert "Blank sheet · Capital" in (tmp_path / "capital-blank.html").read_text("utf-8")
    run("sheet", "--blank", "--ruleset", "capital", "--format", "html").refused(2, "--force")
    ended = run("sheet", "--blank", "--layout", "short", "-o", "mine.html")
    assert (ended.code, ended.out) == (0, "mine.html\n")


def test_an_unknown_game_is_named_with_the_nearest(run):
    run("sheet", "--blank", "--ruleset", "capitol").refused(2, "capitol", "capital")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Which character? Give a file or a folder, or --blank for an empty sheet."),
        (("nix.json", "--blank"), "--blank prints an empty sheet, and nix.json is a character"),
        (("nix.json", "--ruleset", "capital"), "--ruleset is for --blank"),
        (("--blank", "--layout", "cards"), "cannot be used with --layout cards"),
        (("--blank", "--layout", "reference"), "cannot be used with --layout reference"),
        (("--blank", "--at-level", "2"), "--blank and --at-level cannot be used together"),
        (("--blank", "--audit"), "--blank and --audit cannot be used together"),
        (("--blank", "--portrait", "a.png"), "--blank and --portrait cannot be used together"),
        (("nix.json", "--audit", "--layout", "cards"), "cannot be used with --layout cards"),
        (("nix.json", "--fillable", "--layout", "cards"), "no room for --fillable"),
        (("nix.json", "--only", "geer"), "Did you mean gear?"),
        (("nix.json", "--without", "gear,storey"), "Did you mean story?"),
        (("nix.json", "--only", "gear", "--without", "story"), "cannot be used together"),
        (("--blank", "--clean"), "--blank and --clean cannot be used together"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(run, nix, tmp_path, options, said):
    run("sheet", *options).refused(2, said)
    assert {path.suffix for path in tmp_path.iterdir()} == {".json"}


@pytest.mark.parametrize(
    ("option", "wrong", "right"),
    [("--layout", "card", "did you mean cards?"), ("--style", "gray", "did you mean grey?"),
     ("--orientation", "wide", "one of portrait,")],
)  # fmt: skip
def test_what_an_option_may_be_is_said(run, nix, option, wrong, right):
    run("sheet", nix, option, wrong).refused(2, right)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("--layout", "large-print"), "--style large-print"),
        (("--large-print",), "--style large-print"),
        (("--paper", "landscape"), "--orientation landscape"),
    ],
)
def test_the_word_of_another_option_is_recognized(run, nix, typed, meant):
    run("sheet", nix, *typed).refused(2, f"Did you mean {meant}?")


def test_a_clean_sheet_shows_no_damage(run, nix):
    run("damage", nix, "3")
    for options, marked in (((), True), (("--clean",), False)):
        assert run("sheet", nix, "--format", "html", "-o", "a.html", "--force", *options).code == 0
        page = nix.with_name("a.html").read_text("utf-8")
        assert ("data-play" in page or "<script" in page) is marked
