"""New campaign files: their text, with a comment for each setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import get_args

from charforge.answers.file import yaml_line
from charforge.language import _
from charforge.rules.ruleset import Ruleset
from charforge.sheet.print_options import Style

LONGEST_COMMENT = 90  # of a line


@dataclass(frozen=True)
class CampaignDraft:
    """The contents of a new campaign file."""

    ruleset: Ruleset
    name: str = ""
    rules: Mapping[str, str] | None = None
    paper: str = ""
    styles: tuple[str, ...] = ()


def campaign_text(draft: CampaignDraft) -> str:
    """Return a new campaign file with comments; what is not set is a comment, too."""
    head = draft.ruleset.head
    styles = _("any of {options}").format(options=", ".join(get_args(Style)))
    example = f"# name: {yaml_line(_('The Long Winter'))}"
    lines = [
        *_comment(
            _(
                "The campaign file of this folder. charforge uses it for every command here, and "
                "for every character in this folder. An option that you type always wins."
            )
        ),
        "",
        *_comment(_("The title of your rulebook.")),
        f"name: {yaml_line(draft.name)}" if draft.name else example,
        "",
        *_comment(_("The game (charforge games) and its packs (charforge catalog installed).")),
        f"ruleset: {yaml_line(draft.ruleset.id)}",
        f"packs: {yaml_line([pack.id for pack in draft.ruleset.packs])}",
    ]
    if head.table_rules:
        heading = _("How you play the rules that have options (charforge catalog rulings).")
        lines += ["", *_comment(heading), "table_rules:"]
    chosen = draft.ruleset.table_rule_options(draft.rules or {})
    for rule in head.table_rules:
        lines.append(f"  # {rule.label}")
        lines += (f"  #   {option.id}: {option.label}" for option in rule.options)
        lines.append(f"  {rule.id}: {yaml_line(chosen[rule.id])}")
    lines += [
        "",
        *_comment(_("How sheets are printed.")),
        f"paper: {draft.paper or 'a4'}  # {_('or {option}').format(option='letter')}",
        f"styles: {yaml_line(list(draft.styles))}  # {styles}",
        f"# layout: full  # {_('or short: one page for combat')}",
        f"# reference: short  # {_('or long: the full texts of the rules')}",
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> Iterator[str]:
    """Yield a text as lines of a comment."""
    yield from wrap(text, LONGEST_COMMENT, initial_indent="# ", subsequent_indent="# ")
