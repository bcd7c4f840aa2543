"""The campaign file of a command: what it sets for options that are not typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from charforge.character.state_data import SharedUnit
from charforge.cli import console
from charforge.cli.messages import error_message
from charforge.errors import CharforgeError
from charforge.language import _, speak
from charforge.packs.campaign import CAMPAIGN_FILE, Campaign, read_campaign
from charforge.paths import is_inside
from charforge.replay.loaded_character import load_shared
from charforge.rules.loading.loader import load, ruleset_for
from charforge.rules.ruleset import Ruleset
from charforge.sheet.templates import DEFAULT_TEMPLATE, CampaignPath, TemplateName, named_templates

# The options that a campaign file sets directly, with its key.
PRINT_OPTIONS = {
    "paper": "paper", "style": "styles", "layout": "layout", "reference": "reference",
}  # fmt: skip

# A template is not taken from elsewhere if one of these options is typed.
INSTEAD_OF_TEMPLATE = {"template", "layout", "audit"}


@dataclass
class CampaignUse:
    """The use of a campaign file by a command.

    It is looked for in ``folders``, in order; ``unsaid`` is what it has set and was not printed.
    """

    folders: tuple[Path, ...] = ()
    unsaid: tuple[str, ...] = ()


# Of the command that runs. Nearly every command chooses a game, some of them deep in a helper.
IN_USE: ContextVar[CampaignUse | None] = ContextVar("IN_USE", default=None)


class Game(NamedTuple):
    """The rules that a command uses: a ruleset with its packs, and table rules."""

    ruleset: Ruleset
    rules: Mapping[str, str]


@lru_cache(maxsize=8)
def _read(folder: Path, _absolute: Path, _changed: int) -> Campaign | None:
    return read_campaign(folder)


def campaign_of(folder: Path) -> Campaign | None:
    """Return the campaign file of a folder; None without one. Raises CampaignError."""
    try:
        changed = (folder / CAMPAIGN_FILE).stat().st_mtime_ns
    except OSError:
        return None
    return _read(folder, folder.absolute(), changed)


def current_campaign() -> tuple[Path, Campaign] | None:
    """Return the campaign file of the command that runs, with its path. Raises CampaignError."""
    use = IN_USE.get()
    for folder in use.folders if use is not None else ():
        campaign = campaign_of(folder)
        if campaign is not None:
            return folder / CAMPAIGN_FILE, campaign
    return None


@contextmanager
def campaign_folder(command: Any, ctx: Any) -> Iterator[None]:
    """Set where the campaign file is looked for while a command runs, and fill its options.

    It is in the folder of the characters; for a command without any in the
    folder of its result, or else in the current one.
    """
    use = CampaignUse(_folders(ctx.params))
    token = IN_USE.set(use)
    try:
        use.unsaid = tuple(_fill_options(command, ctx))
        yield
    finally:
        _say_source()  # of a command that does not choose a game
        IN_USE.reset(token)


def _folders(params: Mapping[str, Any]) -> tuple[Path, ...]:
    named = params.get("files") or params.get("file")
    paths = [named] if isinstance(named, Path) else list(named or ())
    if paths:
        return (_folder(paths[0]),)
    output = params.get("output")
    outside = output if isinstance(output, Path) and output != Path("-") else None
    return (Path(),) if outside is None else (_folder(outside), Path())


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _fill_options(command: Any, ctx: Any) -> Iterator[str]:
    """Set the print options that are not typed; yield those that the campaign file has set."""
    options = [p for p in command.params if p.name in PRINT_OPTIONS]
    found = current_campaign() if options else None
    if ctx.params.keys() >= INSTEAD_OF_TEMPLATE and not any(
        ctx.get_parameter_source(name).name != "DEFAULT" for name in INSTEAD_OF_TEMPLATE
    ):
        template = usual_template(*((None, Campaign()) if found is None else found))
        ctx.params["template"] = template or None
        if template and found is not None and found[1].template:
            yield f"template {found[1].template}"
    if found is None:
        return
    for option in options:
        value = getattr(found[1], PRINT_OPTIONS[option.name])
        if value and ctx.get_parameter_source(option.name).name == "DEFAULT":
            several = isinstance(value, tuple)
            ctx.params[option.name] = option.process_value(ctx, list(value) if several else value)
            words = ", ".join(value) if several else value
            yield f"{PRINT_OPTIONS[option.name]} {words}"


def usual_template(path: Path | None, campaign: Campaign) -> str:
    """Return the template for sheets when none is typed; empty for the built-in sheet.

    It is that of the campaign file at a path, else the user's default. A campaign file names a path
    inside its folder, or a template by its name: never a path elsewhere, because nobody typed it.
    """
    if path is not None and campaign.template:
        template = path.parent / campaign.template
        if is_inside(template, path.parent) and template.exists():
            return CampaignPath(template)
        return TemplateName(campaign.template)
    return TemplateName(
        DEFAULT_TEMPLATE if not campaign.layout and DEFAULT_TEMPLATE in named_templates() else ""
    )


def shared_of_campaign(ruleset: Ruleset) -> SharedUnit | None:
    """Return what the group of the campaign file owns, for a new member; None without one.

    If its file cannot be read, that is printed: members can be created before it.
    """
    found = current_campaign() if ruleset.head.shared is not None else None
    if found is None:
        return None
    try:
        owned = load_shared(found[0].parent, ruleset)
    except CharforgeError as error:
        console.say(error_message(error))
        return None
    return None if owned is None else owned.reading


def _say_source(more: Iterable[str] = ()) -> None:
    """Say on stderr what comes from the campaign file and was not said; nothing if nothing does."""
    use = IN_USE.get() or CampaignUse()
    listed = "; ".join([*more, *use.unsaid])
    use.unsaid = ()
    found = current_campaign() if listed else None
    if found is not None:
        console.say(_("From {path}: {listed}.").format(path=found[0], listed=listed))


def names_game() -> bool:
    """Return whether the campaign file of the command says which game is played."""
    found = current_campaign()
    return found is not None and bool(found[1].ruleset or found[1].packs)


def choose_game(
    ruleset: str | None = None,
    packs: Iterable[str] | None = None,
    rules: Mapping[str, str] | None = None,
) -> Game:
    """Return the rules that a command uses: what is typed, else what the campaign file says.

    Packs and table rules of the campaign file are for its game; other packs
    replace those of the campaign file. What the command prints from now on is
    in the language of the game. Raises CampaignError, UnknownId,
    UsageError and PackError.
    """
    typed = tuple(packs or ())
    found = current_campaign()
    campaign = Campaign() if found is None else found[1]
    applies = (
        campaign.plays
        and (ruleset_for(ruleset, typed) if ruleset or typed else campaign.game) == campaign.game
    )
    used = typed or (campaign.packs if applies else ())
    game = campaign.game if applies else ruleset_for(ruleset, used)
    loaded = load(game, used)
    speak(loaded.page_language)
    known = campaign.table_rules.items() if applies else ()
    campaign_rules = {name: option for name, option in known if name in loaded.table_rules}
    if applies:
        changed = (n for n, o in campaign_rules.items() if o != loaded.table_rules[n].default)
        _say_game(
            "" if ruleset else loaded.head.name,
            () if typed else used,
            set(changed) - (rules or {}).keys(),
        )
    return Game(loaded, {**campaign_rules, **(rules or {})})


def _say_game(name: str, packs: Sequence[str], rules: Iterable[str]) -> None:
    """Say which game, packs and table rules come from the campaign file."""
    listed = [name] if name else []
    listed += [_("packs {names}").format(names=", ".join(packs))] if packs else []
    names = ", ".join(sorted(rules))
    _say_source([*listed, *([_("table rules {names}").format(names=names)] if names else [])])
