"""``campaign``: write a campaign file, or print what is in it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from charforge.cli import console
from charforge.cli.answers_options import parse_table_rule
from charforge.cli.files import (
    character_paths,
    character_summary,
    make_folder,
    may_write,
    print_path,
    write_result,
)
from charforge.cli.options import Command, ForceOption, PackOption, RuleChoices, RulesetOption
from charforge.cli.packs.campaign_defaults import campaign_of, choose_game
from charforge.cli.printing.options import PaperOption, StyleOption
from charforge.errors import UsageError
from charforge.language import N_, _
from charforge.packs.campaign import CAMPAIGN_FILE, CampaignDraft, campaign_schema, campaign_text
from charforge.replay.character_spec import check_rules

app = typer.Typer(add_completion=False)


@app.command("campaign", cls=Command)
def campaign(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help=N_("The folder of the characters."))
    ] = Path(),
    ruleset: RulesetOption = None,
    pack: PackOption = None,
    rule: RuleChoices = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help=N_("The name of the campaign."))
    ] = "",
    paper: PaperOption = "a4",
    style: StyleOption = None,
    schema: Annotated[
        bool, typer.Option("--schema", help=N_("Print the JSON Schema of campaign files instead."))
    ] = False,
    force: ForceOption = False,
) -> None:
    """Write a campaign file: the game, packs and table rules of your group.

    charforge.yaml is a short text file to edit. It sets defaults for every
    command in its folder and for the characters there; an option that you
    type always wins. check lists the characters that differ from it. Without
    options, the game and the packs are those of the characters in the folder;
    with --ruleset, a folder that does not exist is created.

    \b
    Examples:
      charforge campaign
      charforge campaign campaign/ --pack house-rules --rule cooldown=or_less
      charforge campaign --paper letter --style ink-saver --name "The Long Winter"
      charforge campaign --schema > campaign.schema.json
    """
    if schema:
        console.print_result(json.dumps(campaign_schema(), ensure_ascii=False, indent=1))
        return
    if ruleset is not None:
        make_folder(folder)
    if not folder.is_dir():
        raise UsageError(
            _("there is no folder {folder}").format(folder=folder),
            _("Name the folder of your characters; --ruleset begins a new one."),
        )
    if ruleset is None and not pack:
        ruleset, pack = _played_in(folder)
    loaded = choose_game(ruleset, pack).ruleset
    rules = dict(map(parse_table_rule, rule or []))
    check_rules(loaded, rules)
    target = folder / CAMPAIGN_FILE
    allowed = may_write(target, force)
    styles = tuple(one.value for one in style or ())
    draft = CampaignDraft(loaded, name, rules, paper, styles)
    write_result(target, campaign_text(draft).encode(), allowed)
    campaign_of(folder)  # a name that the file cannot hold is an error here
    print_path(target)
    console.say(_("Edit it with any text editor. To compare your characters with it:"))
    console.say(f"  charforge check {console.quoted(folder)}")


def _played_in(folder: Path) -> tuple[str | None, list[str] | None]:
    """Return the game and the packs that most characters of a folder have."""
    summaries = (character_summary(file) for file in character_paths(folder))
    games = Counter((data["ruleset"], tuple(data["packs"])) for data in summaries if data)
    if not games:
        return None, None
    [((game, packs), _number)] = games.most_common(1)
    return str(game), list(packs)
