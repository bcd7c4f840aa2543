"""Campaign files: the game, packs, table rules and print options of one table.

A ``charforge.yaml`` next to characters sets defaults for every command there.
A new one has a comment for each setting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from charforge.errors import CampaignError, PackError, PackProblem, UsageError, nearest, shorten
from charforge.language import N_, _, with_colon
from charforge.replay.loaded_character import (
    CAMPAIGN_FILE as CAMPAIGN_FILE,
    LoadedCharacter,
    is_plain_name,
)
from charforge.rules import loading
from charforge.rules.errors import KeyPath, schema_errors
from charforge.rules.loading import loader
from charforge.rules.ruleset import Ruleset
from charforge.sheet.print_options import Paper, Style

GAME, PACKS = N_("game"), N_("packs")  # topics of a mismatch; no update changes the game


def _text(value: Any) -> Any:
    """Allow a number where a word is expected: an option's id can be one."""
    return str(value) if type(value) is int else value


CampaignWord = Annotated[str, BeforeValidator(_text)]


class Campaign(BaseModel):
    """A campaign file. A key that it leaves out changes nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="charforge.yaml", defer_build=True)

    name: CampaignWord = Field(
        "", description="The name of the campaign, the title of its rulebook."
    )
    ruleset: CampaignWord = Field("", description="The game, by id: see charforge games.")
    packs: tuple[CampaignWord, ...] = Field(
        (), description="The packs that you use, in this order: see charforge catalog installed."
    )
    table_rules: dict[str, CampaignWord] = Field(
        {}, description="How you play rules that have options: see charforge catalog rulings."
    )
    shared: CampaignWord = Field(
        "", description="What the group owns: the name of a character file in this folder."
    )
    paper: Paper | None = Field(None, description="The paper size.")
    styles: tuple[Style, ...] = Field((), description="The styles of sheets; any can be combined.")
    layout: Literal["full", "short"] | None = Field(None, description="The layout of sheets.")
    reference: Literal["short", "long"] | None = Field(
        None, description="The length of the rules texts on sheets."
    )

    template: CampaignWord = Field(
        "", description="The template of sheets: a name, or a path in this folder."
    )

    @property
    def plays(self) -> bool:
        """Whether it says what game is played, and not only how it is printed."""
        return bool(self.ruleset or self.packs or self.table_rules)

    @property
    def used_packs(self) -> tuple[str, ...] | None:
        """Its packs; None if it leaves the game open."""
        return self.packs if self.ruleset or self.packs else None

    def fits(self, ruleset: str) -> bool:
        """Return whether a character of a game can belong to the campaign."""
        return self.used_packs is None or self.game == ruleset

    @property
    def game(self) -> str:
        """The id of its game: the one it names, else that of its first pack, else the default."""
        return loader.ruleset_for(self.ruleset or None, self.packs)


def campaign_schema() -> dict[str, Any]:
    """Return the JSON Schema of campaign files, with the games and packs that are installed."""
    schema = Campaign.model_json_schema()
    properties = schema["properties"]
    properties["ruleset"]["enum"] = loader.available()
    packs = [*loader.installed_packs()]
    if packs:
        properties["packs"]["items"]["enum"] = packs
    return schema


def read_campaign(folder: Path) -> Campaign | None:
    """Return the campaign file of a folder; None without one.

    Raises CampaignError with every error and its line.
    """
    path = folder / CAMPAIGN_FILE
    if not path.is_file():
        return None
    try:
        data = loading.yaml_reader.read_yaml(path, plain=True)
    except PackError as error:
        raise CampaignError(error.problems) from error
    problems = _Problems(path)
    try:
        campaign = Campaign.model_validate({} if data is None else data)
    except ValidationError as error:
        for found in schema_errors(error, data, Campaign.model_fields):
            problems.add(found.key_path, found.sentence, found.near)
        valid = {
            key: value
            for key, value in (data.items() if isinstance(data, dict) else ())
            if key in Campaign.model_fields and not problems.has(key)
        }
        campaign = Campaign.model_validate(valid)
    _check_names(campaign, problems)
    if problems.found:
        raise CampaignError(sorted(problems.found, key=lambda p: (p.line, p.column)))
    return campaign


class _Problems:
    """Collects the errors of a campaign file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[PackProblem] = []
        self.keys: set[str | int] = set()

    def has(self, *keys: str) -> bool:
        """Return whether one of these keys has an error."""
        return not self.keys.isdisjoint(keys)

    def add(self, key_path: KeyPath, message: str, near: str = "") -> None:
        """Add the error at a path of keys."""
        self.keys.update(key_path[:1])
        self.found.append(loading.yaml_reader.problem_at(self.path, key_path, message, near))


def _check_names(campaign: Campaign, problems: _Problems) -> None:
    """Add an error for each game, pack, table rule or option that does not exist."""
    games, packs = loader.available(), loader.installed_packs()
    if campaign.ruleset and campaign.ruleset not in games:
        message = _("there is no game {ruleset}").format(ruleset=shorten(campaign.ruleset))
        problems.add(("ruleset",), message, nearest(campaign.ruleset, games))
    for number, pack in enumerate(campaign.packs):
        if pack not in packs:
            near = nearest(pack, packs)
            advice = "" if near else _("; install it: charforge catalog add PACK")
            problems.add(
                ("packs", number),
                _("there is no installed pack {pack}{advice}").format(
                    pack=shorten(pack), advice=advice
                ),
                near,
            )
    if campaign.shared and not is_plain_name(campaign.shared):
        message = _("{shared} must be the name of a file in this folder, such as crew.json").format(
            shared=shorten(campaign.shared)
        )
        problems.add(("shared",), message)
    if not campaign.plays or problems.has("ruleset", "packs"):
        return
    try:
        ruleset = loader.load(campaign.game, campaign.packs)
    except UsageError as error:
        problems.add(("packs",), error.reason)
        return
    for name, option in campaign.table_rules.items():
        rule = ruleset.table_rules.get(name)
        if rule is None:
            message = _("{name} has no table rule {rule}").format(
                name=ruleset.head.name, rule=shorten(name)
            )
            problems.add(("table_rules", name), message, nearest(name, ruleset.table_rules))
        elif option not in (options := [o.id for o in rule.options]):
            message = _("{option} is not one of {options}").format(
                option=shorten(option), options=", ".join(options)
            )
            problems.add(("table_rules", name), message, nearest(option, options))


# ------------------------------------------------------------------ a character of the campaign


class CampaignMismatch(NamedTuple):
    """A difference between a character and the campaign file, in words."""

    topic: str
    character: str
    campaign: str

    @property
    def sentence(self) -> str:
        """The difference as a sentence for a list."""
        topic = _(self.topic) if self.topic in (GAME, PACKS) else self.topic
        return _("{topic} {character} (in the campaign: {campaign})").format(
            topic=with_colon(topic), character=self.character, campaign=self.campaign
        )


def mismatches(campaign: Campaign, loaded: LoadedCharacter) -> tuple[CampaignMismatch, ...]:
    """Return in what the rules of a character differ from the campaign file."""
    return tuple(_mismatches(campaign, loaded)) if campaign.plays else ()


def _mismatches(campaign: Campaign, loaded: LoadedCharacter) -> Iterator[CampaignMismatch]:
    ruleset = loaded.ruleset
    if not campaign.fits(ruleset.id):
        yield CampaignMismatch(GAME, ruleset.head.name, loader.load(campaign.game).head.name)
        return
    own, used = tuple(pack.id for pack in ruleset.packs), campaign.used_packs
    if used not in (None, own):
        yield CampaignMismatch(PACKS, _listed(own), _listed(used))
        ruleset = loader.load(ruleset.id, used)
    chosen = ruleset.table_rule_options(loaded.character.state.rules)
    for name, option in campaign.table_rules.items():
        rule = ruleset.table_rules.get(name)
        labels = {o.id: o.label for o in rule.options} if rule is not None else {}
        # Without a game in the file, another one can have a rule with this id, and other options.
        if rule is not None and option in labels and chosen[name] != option:
            yield CampaignMismatch(
                rule.label, labels.get(chosen[name], chosen[name]), labels[option]
            )


def _listed(packs: Iterable[str]) -> str:
    return ", ".join(packs) or _("none")


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
    paper = draft.paper or "a4"
    papers = _(" or ").join(size for size in get_args(Paper) if size != paper)
    example = f"# name: {loading.yaml_reader.yaml_line(_('The Long Winter'))}"
    lines = [
        *_comment(
            _(
                "The campaign file of this folder. charforge uses it for every command here, and "
                "for every character in this folder. An option that you type always wins."
            )
        ),
        "",
        *_comment(_("The title of your rulebook.")),
        f"name: {loading.yaml_reader.yaml_line(draft.name)}" if draft.name else example,
        "",
        *_comment(_("The game (charforge games) and its packs (charforge catalog installed).")),
        f"ruleset: {loading.yaml_reader.yaml_line(draft.ruleset.id)}",
        f"packs: {loading.yaml_reader.yaml_line([pack.id for pack in draft.ruleset.packs])}",
    ]
    if head.shared is not None:
        command = f"charforge new --ruleset {head.shared.ruleset} -o FILE"
        heading = _("{label}: its file in this folder; to create it: {command}").format(
            label=head.shared.label, command=command
        )
        lines += ["", *_comment(heading), "# shared: FILE"]
    if head.table_rules:
        heading = _("How you play the rules that have options (charforge catalog rulings).")
        lines += ["", *_comment(heading), "table_rules:"]
    chosen = draft.ruleset.table_rule_options(draft.rules or {})
    for rule in head.table_rules:
        lines.append(f"  # {rule.label}")
        lines += (f"  #   {option.id}: {option.label}" for option in rule.options)
        lines.append(f"  {rule.id}: {loading.yaml_reader.yaml_line(chosen[rule.id])}")
    lines += [
        "",
        *_comment(_("How sheets are printed.")),
        f"paper: {paper}  # {_('or {option}').format(option=papers)}",
        f"styles: {loading.yaml_reader.yaml_line(list(draft.styles))}  # {styles}",
        f"# layout: full  # {_('or short: one page for combat')}",
        f"# reference: short  # {_('or long: the full texts of the rules')}",
        f"# template: my-sheet  # {_('a name of charforge templates, or a path in this folder')}",
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> Iterator[str]:
    """Yield a text as lines of a comment."""
    yield from wrap(text, LONGEST_COMMENT, initial_indent="# ", subsequent_indent="# ")
