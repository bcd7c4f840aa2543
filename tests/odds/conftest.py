"""Characters for tests of odds."""

from __future__ import annotations

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import State
from charforge.replay.replay import replay
from charforge.rules.ruleset import Ruleset


@pytest.fixture(scope="session")
def keeper(toy: Ruleset) -> State:
    """A keeper of the light, made by chance."""
    return replay(toy, {}, source=RandomAnswers("seed 7")).state
