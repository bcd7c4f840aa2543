"""Characters of all kinds, and one with hostile texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.packs import install
from charforge.packs.sources import examples
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Character
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from tests.source import EXAMPLES

HOSTILE = (
    "<b>x</b> | *s* _u_ `c` [a](b) # &amp; \\| ```` ~~d~~ $m$ %%c%% ==h== 漢字 {{x}} 'q' \"q\": 1"
)
GAMES = ("capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20")
SHAPES: dict[str, dict[str, Any]] = {
    "lancer": {"role": "role/the-lancer", "asset": "vehicle/mechsuit"},
    "scout": {"role": "role/the-scout", "asset": "special-weapon/sniper-rifle"},
    "healer": {"role": "role/the-healer", "asset": "companion/land-beast"},
    "captain": {"role": "role/the-captain", "asset": "companion/sky-beast"},
    "tank": {"role": "role/the-tank", "asset": "vehicle/tank"},
    "sentinel": {"role": "role/the-sentinel", "asset": "augmentation/weapon"},
    "hostile": {
        "role": "role/the-captain",
        "asset": "companion/sky-beast",
        "name": HOSTILE,
        "rules": {"cooldown": "or_less"},
        "story.background": f"# No heading\n- no list\n1. none\n> no quote\n---\n```\n{HOSTILE}",
        "story.origin": "+ none\n\n    no code\n| no | table |\n===\n<!-- -->\n@all #tag [[link]]",
        "personality.goal": HOSTILE,
        "strengths": [f"{sign} {HOSTILE}" for sign in ("#", "-", "1.")],
    },
}


def made(
    ruleset: Ruleset,
    level: int = 10,
    name: str = "Nix Calloway",
    rules: Mapping[str, str] | None = None,
    **answers: Any,
) -> Character:
    """Make a character by chance, what is given apart."""
    plan = CharacterSpec(ruleset, "export", name, level, rules or {}, answers)
    return plan.replay(leave_out_optional(RandomAnswers("export")))


@pytest.fixture(scope="session")
def make(capital: Ruleset) -> Callable[..., Character]:
    """Make characters of the main game."""
    return lambda **given: made(capital, **given)


@pytest.fixture(scope="session", params=SHAPES)
def character(request: pytest.FixtureRequest, capital: Ruleset) -> Character:
    """Each role at Level 10 with its own sort of asset, and a hostile one."""
    found = made(capital, **SHAPES[request.param])
    assert found.legal, found.problems
    return found


@pytest.fixture(scope="session")
def hostile(capital: Ruleset) -> Character:
    """The character whose player means harm."""
    return made(capital, **SHAPES["hostile"])


@pytest.fixture(scope="session", params=[*GAMES, *sorted(examples())])
def played(request: pytest.FixtureRequest) -> Character:
    """A character of each game and each example."""
    name = request.param
    ruleset = load(name) if name in GAMES else install.load_checked(EXAMPLES / name).ruleset
    return made(ruleset, level=min(3, ruleset.head.advancement.maximum))
