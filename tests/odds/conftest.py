"""Characters whose odds are reckoned."""

from __future__ import annotations

import pytest

from charforge.answers.chance import Chance
from charforge.content.ruleset import Ruleset
from charforge.engine.replay import replay
from charforge.engine.state import State


@pytest.fixture(scope="session")
def keeper(toy: Ruleset) -> State:
    """A keeper of the light, made by chance."""
    return replay(toy, {}, source=Chance("seed 7")).state
