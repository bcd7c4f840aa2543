"""Counters without boxes on the sheet."""

from __future__ import annotations

from charforge.rules.loading.loader import load
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from tests.sheet.conftest import made


def test_the_notes_of_counters_without_boxes_are_printed() -> None:
    page = render_html(build(made(load("phase-2d10"))), PrintOptions())
    assert '<p class="note"><b>Behind:</b> Counts as one more layer of armour.</p>' in page
