"""Other names of commands: aliases, former names, and words that players try."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence

from charforge.errors import UsageError, nearest, shorten
from charforge.language import N_, _

ALIASES = {"print": "sheet"}
RENAMED = {"part": "drop", "order": "initiative", "gain": "award"}
# What players type for a command, or for a command with an option; several commands if the word
# can mean them all.
SYNONYMS = {
    "new": "create make build generate character wizard start begin add",
    "new --resume": "resume continue draft drafts",
    "show": "view display open info inventory status stats read cat sheet-text",
    "explain": "why what whats how describe breakdown can",
    "edit": "change modify set respec retrain",
    "edit FILE --name NAME": "rename name",
    "edit FILE --portrait IMAGE": "portrait picture photo image avatar",
    "undo": "revert back rollback",
    "undo FILE --to-level N": "reset restart",
    "redo": "again",
    "check": "validate verify legal valid lint",
    "level-up": "level levelup lvl lvlup advance upgrade up",
    "play": "session game fight combat table encounter",
    "use": "attack hit shoot fire strike cast action act ability activate move",
    "roll": "dice throw test skill save",
    "damage": "hit hurt wound harm lose",
    "heal": "cure recover repair restore-hp",
    "spend": "pay subtract minus",
    "condition": "conditions effect effects apply",
    "rest": "sleep camp break",
    "turn": "round next",
    "note": "notes comment journal write",
    "shop": "store market browse gear equipment items weapons",
    "buy": "purchase get",
    "sell": "trade",
    "drop": "discard remove give lose-item delete",
    "hold": "equip wield draw inventory hands carry",
    "stow": "unequip sheathe holster unwield",
    "wear": "don put on clothes armour worn",
    "take-off": "doff undress unwear",
    "sheet": "pdf html paper record",
    "sheet FILE --layout cards": "card cards",
    "sheet --blank": "blank empty",
    "export": "share markdown text json answers statblock foundry save-as",
    "import": "load upload",
    "party": "group gm team crew",
    "initiative": "init turns turn-order",
    "award": "reward grant gift give xp loot",
    "odds": "probability probabilities chance chances simulate statistics",
    "resolve": "rule procedure calculate try",
    "games": "rulesets systems game ruleset",
    "catalog search": "search find lookup rules",
    "catalog add": "add install homebrew pack packs mod plugin",
    "catalog list": "list browse feats talents spells options",
    "history": "log events timeline",
    "diff": "compare difference",
    "restore": "backup backups recover",
    "doctor": "diagnose troubleshoot setup debug",
    "--version": "version",
}


def refuse_old_name(words: Sequence[str], program: str = "charforge ") -> None:
    """Raise UsageError with the present name if the words are those of a renamed command.

    ``program`` is what comes before a command: in a session, nothing.
    """
    name, *rest = words
    if name in RENAMED:
        old, new = name, RENAMED[name]
    elif name == "undo" and "--redo" in rest:
        old, new = "undo --redo", "redo"
        rest = [word for word in rest if word != "--redo"]
    else:
        return
    raise UsageError(
        _("`{old}` is now `{new}`:").format(old=old, new=new)
        + f"\n  {program}{shlex.join([new, *rest])}"
    )


def unknown_command(
    name: str, known: Collection[str], program: str = "charforge ", what: str = N_("command")
) -> UsageError:
    """Return the error for a word that is no command, with those close in meaning or spelling."""
    meant = [
        command
        for command, words in SYNONYMS.items()
        if name.casefold() in words.split() and command.partition(" ")[0] in {*known, "--version"}
    ]
    if not program:  # the session has its character
        meant = [command.replace(" FILE", "") for command in meant]
    meant = meant or [near for near in [nearest(name, known)] if near]
    listing = f"{program}--help" if program else "help"
    commands = _(" or ").join(f"{program}{command}" for command in meant)
    advice = (
        _("Did you mean {commands}?").format(commands=commands)
        if meant
        else _("{listing} lists all of them.").format(listing=listing)
    )
    return UsageError(
        _("there is no {what} {name}").format(what=_(what), name=shorten(name)), advice
    )
