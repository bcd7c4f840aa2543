"""Effects without their required Training cost 4 Grit, or 2 for your Ideal or Goal."""

from __future__ import annotations

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import AcquireEvent, CarryEvent
from charforge.errors import RuleRefusal
from charforge.replay.loaded_character import LoadedCharacter
from charforge.verbs import manual_changes, play
from charforge.verbs.change import change_character, draft_event
from charforge.verbs.inventory import stow_items
from charforge.verbs.manual_changes import award_entity, award_resource, draft_award
from charforge.verbs.typed_inputs import TypedInputs

UNTRAINED = play.UseTerms(untrained=True)


@pytest.fixture
def shielded(make) -> LoadedCharacter:
    """A Lancer with a buckler and a whip in hand, without Training with either."""
    opened = stow_items(make("the-lancer").opened, (), everything=True).after
    for name in ("primitive-buckler", "primitive-whip"):
        draft = draft_event(
            AcquireEvent, entity=f"equipment/{name}", unit="character", granted=True
        )
        opened = change_character(opened, draft)
        held = opened.character.state.holdings[-1].id
        opened = change_character(opened, draft_event(CarryEvent, how="hold", holding=held))
    return opened


@pytest.mark.parametrize("ability", ["primitive buckler", "primitive whip"])
@pytest.mark.parametrize(("doubled", "price"), [("no", 4), ("yes", 2)])
def test_grit_pays_for_training(
    shielded: LoadedCharacter, ability: str, doubled: str, price: int
) -> None:
    """An attack, and an Action (Grapple): the price is paid before the roll, which succeeds."""
    action = "Grapple" if "whip" in ability else None
    words = {"opposed": "2", "doubled": doubled}
    typed = TypedInputs(words, {"own": (3, 4)})
    with pytest.raises(RuleRefusal, match=f"--untrained pays {price} Grit instead"):
        play.use_named(shielded, ability, action, typed=typed)
    with pytest.raises(RuleRefusal, match=f"needs {price} Grit; you have {price - 1}"):
        poor = manual_changes.spend_resource(rich(shielded, price), "grit", 1).after
        play.use_named(poor, ability, action, typed=typed, terms=UNTRAINED)
    done = play.use_named(rich(shielded, 5), ability, action, typed=typed, terms=UNTRAINED)
    assert not done.after.problems
    assert done.after.character.state.values().total("grit") == 5 - price


def rich(opened: LoadedCharacter, grit: int) -> LoadedCharacter:
    """Return the character with so much Grit."""
    return award_resource(opened, "grit", grit, opened.character.state.units[0]).after


def test_an_action_that_asks_nothing_asks_about_the_ideal(make) -> None:
    """A Healer reloads a pistol as an Instant; what was asked is saved and replays."""
    opened = make("the-healer").opened
    state = opened.character.state
    pistol = state.ruleset.entity("equipment/standard-pistol")
    gift = draft_award(state, pistol, 1, state.units[0])
    opened = award_entity(opened, gift, source=RandomAnswers("1")).after
    held = opened.character.state.holdings[-1].id
    opened = change_character(rich(opened, 4), draft_event(CarryEvent, how="hold", holding=held))
    typed = TypedInputs({"doubled": "yes"})
    done = play.use_named(opened, held, "Reload#2", typed=typed, terms=UNTRAINED)
    assert done.after.character.state.values().total("grit") == 2
    assert done.after.document.log[-1].inputs == {"doubled": 1}
