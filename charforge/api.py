"""The public interface for other programs: create, change, play, print and export characters.

Everything that is listed in ``__all__`` stays available under its name; the
modules behind it may change. For example, to create a character at random,
print it and advance it::

    from pathlib import Path
    from charforge.api import (
        CharacterSpec, RandomAnswers, build_sheet, create_character, default_ruleset,
        level_up_character, load_character, load_ruleset, render_html, render_pdf,
        save_changed_character, save_character,
    )

    ruleset = load_ruleset(default_ruleset())
    spec = CharacterSpec(ruleset, seed="7", name="Nix", level=2)
    file = Path("nix.json")
    save_character(create_character(spec, RandomAnswers("7")), file)

    nix = load_character(file)
    print(nix.character.state.level, nix.problems)
    html = render_html(build_sheet(nix.character))
    Path("nix.pdf").write_bytes(render_pdf(html))

    advanced = level_up_character(nix, 3, answers={}, source=RandomAnswers("7"))
    save_changed_character(nix, advanced, file)

The page ``docs/api.md`` has more examples. Every error that a caller can do
something about is a ``CharforgeError``.
"""

from __future__ import annotations

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import read_answers
from charforge.character.files.document import Document
from charforge.character.files.storage import save as save_character
from charforge.errors import CharforgeError
from charforge.export.json import write as export_json
from charforge.export.text_formats import (
    write_markdown as export_markdown,
    write_text as export_text,
)
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.rules.loading.loader import (
    available as available_rulesets,
    default_ruleset,
    load as load_ruleset,
)
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build as build_sheet
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import PrintOptions
from charforge.usecases.advise import Advice, advisable_choices, advise_choice, find_choice
from charforge.usecases.create import create_character
from charforge.usecases.level_up import level_up_character
from charforge.usecases.luck import Luck, WhatIf, measure_luck, what_if
from charforge.usecases.measures import typical_measures
from charforge.usecases.plan import as_planned, change_plan, find_plan
from charforge.verbs.change import PlayResult
from charforge.verbs.history import redo as redo_change, undo as undo_change
from charforge.verbs.inventory import buy_item, drop_item, sell_item
from charforge.verbs.odds import OddsResult, calculate_odds, find_odds_subject
from charforge.verbs.play import (
    apply_damage,
    apply_healing,
    roll_check,
    start_or_end_turn,
    take_rest,
    use_named as use_ability,
)
from charforge.verbs.save import save_character as save_changed_character
from charforge.verbs.typed_inputs import TypedInputs

__all__ = [
    "Advice",
    "CharacterSpec",
    "CharforgeError",
    "Document",
    "LoadedCharacter",
    "Luck",
    "OddsResult",
    "PlayResult",
    "PrintOptions",
    "RandomAnswers",
    "Ruleset",
    "TypedInputs",
    "WhatIf",
    "advisable_choices",
    "advise_choice",
    "apply_damage",
    "apply_healing",
    "as_planned",
    "available_rulesets",
    "build_sheet",
    "buy_item",
    "calculate_odds",
    "change_plan",
    "create_character",
    "default_ruleset",
    "drop_item",
    "embed_fonts",
    "export_json",
    "export_markdown",
    "export_text",
    "find_choice",
    "find_odds_subject",
    "find_plan",
    "level_up_character",
    "load_character",
    "load_ruleset",
    "measure_luck",
    "read_answers",
    "redo_change",
    "render_html",
    "render_pdf",
    "roll_check",
    "save_changed_character",
    "save_character",
    "sell_item",
    "sheet_pdf",
    "start_or_end_turn",
    "take_rest",
    "typical_measures",
    "undo_change",
    "use_ability",
    "what_if",
]
