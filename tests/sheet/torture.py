"""Difficult characters for layouts: the most, the least and the strangest content.

Each is made in the program's own ways: planned, answered and changed as a
player would, its choices left to chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import AcquireEvent, ConditionEvent, NoteEvent, ResourceEvent
from charforge.decisions.base import Answer, Decision
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.replay.replay import Character
from charforge.rules.loading.loader import load
from charforge.rules.models import Choose, Entity
from charforge.rules.ruleset import Ruleset
from charforge.sheet import portraits
from charforge.sheet.build import build
from charforge.sheet.view import SheetView
from charforge.usecases.create import create_character
from charforge.verbs.change import change_character, draft_event

Maker = Callable[[Ruleset], Character]

SEED = "torture"
SENTENCE = (
    "Under the third moon nobody asked who had paid for the engines, and so the crew slept badly. "
)
STORY = " ".join((SENTENCE * 125).split()[:2000])
MARKS = "Z̴̛̗a̸̡͝l̷̨̈́g̶̢̛o̵͖͌ Ńȩ̈ẋ̱ Ǻ̧ṡ̤ Q̃r̥̄g̊ạ̈"  # combining marks, many without a sign of their own

NAMES = {
    "arabic": "نجمة الصباح الطويل",
    "hebrew": "כוכב הבוקר מִדְבָּר",
    "japanese": "銀河ナイト・ひかり 七号",
    "cyrillic": "Ярослава Щукина-Журавлёва",
    "marks": MARKS,
    "emoji": "Nova 🚀 Star 👩‍🚀 👨‍👩‍👧‍👦 🏴‍☠️ ⚔️",
}


class Wordy(RandomAnswers):
    """Takes the options with the most to read, as long as any is legal."""

    def __call__(self, decision: Decision) -> Answer:
        """Return the wordiest legal answer to a choice from a budget, else one by chance."""
        question = decision.question
        if not isinstance(question, Choose) or not question.is_list or question.budget is None:
            return super().__call__(decision)
        picked: list[Any] = []
        while offers := [offer for offer in decision.options(picked) if offer.legal]:
            fresh = [offer for offer in offers if offer.id not in picked and offer.entity]
            if not fresh:
                break
            picked.append(max(fresh, key=lambda o: _length(o.entity) / max(o.cost, 1)).id)
        return picked


def _length(entity: Entity | None) -> int:
    if entity is None:
        return 0
    return len(entity.text) + sum(len(one.text) + len(one.trigger) for one in entity.actions)


def _opened(ruleset: Ruleset, name: str, level: int = 1, **given: Any) -> LoadedCharacter:
    answers = {key.replace("__", "."): answer for key, answer in given.items()}
    plan = CharacterSpec(ruleset, SEED, name, level, {}, answers)
    return replay_document(create_character(plan, RandomAnswers(SEED)), ruleset)


def _plan(ruleset: Ruleset, name: str = "Nix Calloway", level: int = 1, **given: Any) -> Character:
    return _opened(ruleset, name, level, **given).character


def nothing(ruleset: Ruleset) -> Character:
    """Nothing but a name: every decision is open."""
    return CharacterSpec(ruleset, SEED, "Nix").replay()


def wordy(ruleset: Ruleset) -> Character:
    """Level 10, every Slot full of the longest texts."""
    plan = CharacterSpec(ruleset, SEED, "Verbosa Longwind", 10, {}, {"innate": []})
    return replay_document(create_character(plan, Wordy(SEED)), ruleset).character


def owner(ruleset: Ruleset, kinds: tuple[str, ...], times: int, name: str) -> Character:
    """Whoever owns everything of some kinds, ``times`` things at least."""
    plan = CharacterSpec(ruleset, SEED, name, 10)
    opened = replay_document(create_character(plan, RandomAnswers(SEED)), ruleset)
    entities = [entity.id for kind in kinds for entity in ruleset.of_kind(kind)]
    given = (
        draft_event(AcquireEvent, entity=entities[number % len(entities)], granted=True)
        for number in range(max(times, len(entities)))
    )
    opened = change_character(opened, *given, source=RandomAnswers(SEED))
    return opened.character


SIZE, TURNED, MAKE = (6000, 4000), 6, "Lens and Sons"
ABOVE, BELOW = (200, 30, 30), (30, 160, 40)
ORIENTATION, MAKER = 0x0112, 0x010F


@cache
def photograph() -> bytes:
    """Return 24 million pixels lying on their side: upright, one colour is above the other."""
    image = Image.new("RGB", SIZE, ABOVE)
    image.paste(BELOW, (SIZE[0] // 2, 0, *SIZE))
    told = Image.Exif()
    told[ORIENTATION], told[MAKER] = TURNED, MAKE
    made = BytesIO()
    image.save(made, "JPEG", exif=told)
    return made.getvalue()


@cache
def pictured(grey: bool = False) -> str:
    """Return the photograph as a sheet prints it."""
    return portraits.printed_portrait(photograph(), Path("photograph.jpg"), grey)


PICTURED = "pictured"  # whose sheet has the photograph


def struck(ruleset: Ruleset) -> Character:
    """Level 10 with a vehicle: hurt, prone, taunted by a named enemy, with spent ammunition."""
    opened = _opened(ruleset, "Brass Nine", 10, asset="vehicle/tank", role="role/the-tank")
    drafts = [
        draft_event(ResourceEvent, value="hp", by=-31),
        draft_event(ResourceEvent, value="energy", by=-3),
        draft_event(ConditionEvent, condition="status/prone"),
        draft_event(ConditionEvent, condition="status/taunted", about=NAMES["arabic"]),
        draft_event(NoteEvent, text=SENTENCE * 4),
        draft_event(NoteEvent, text=NAMES["hebrew"]),
    ]
    return change_character(opened, *drafts, source=RandomAnswers(SEED)).character


def dead(ruleset: Ruleset) -> Character:
    """Dead, with a companion."""
    opened = _opened(ruleset, "Ash Merrow", 4, asset="companion/drone")
    event = draft_event(ConditionEvent, condition="effect/dead")
    return change_character(opened, event, source=RandomAnswers(SEED)).character


def changed(changes: Mapping[str, int], seed: str = SEED, name: str = "Ash Merrow") -> Maker:
    """Return a maker of a character at the highest level with some resources changed."""

    def make(ruleset: Ruleset) -> Character:
        level = ruleset.head.advancement.maximum
        document = create_character(
            CharacterSpec(ruleset, seed, name, level, {}, {}), RandomAnswers(seed)
        )
        opened = replay_document(document, ruleset)
        drafts = [draft_event(ResourceEvent, value=v, by=by) for v, by in changes.items()]
        if not drafts:
            return opened.character
        return change_character(opened, *drafts, source=RandomAnswers(seed)).character

    return make


TORTURE: dict[str, Maker] = {
    "nothing": nothing,
    "first": lambda rules: _plan(rules, role="role/the-healer"),
    "wordy": wordy,
    "sixty": lambda rules: owner(rules, ("equipment",), 60, "Magpie"),
    "units": lambda rules: owner(rules, ("companion", "vehicle"), 0, "Menagerie"),
    "weapons": lambda rules: owner(rules, ("special-weapon",), 0, "Arsenal"),
    "stories": lambda rules: _plan(
        rules, level=5, story__background=STORY, story__origin=STORY, story__further=STORY
    ),
    "struck": struck,
    "dead": dead,
    PICTURED: lambda rules: _plan(
        rules, name="Wolfeschlegelsteinhausen-Bergerdorff of the Ring", role="role/the-tank"
    ),
    "long": lambda rules: _plan(rules, name="Abcdefghijklmnop" * 5, role="role/the-captain"),
    **{
        script: lambda rules, name=name: _plan(  # type: ignore[misc]
            rules, name=name, level=3, story__origin=f"{name}: {name}.", personality__goal=name
        )
        for script, name in NAMES.items()
    },
}

# Characters of other games, each with something of what that game counts.
OTHER_GAMES: dict[str, tuple[str, Maker]] = {
    "squad": ("squad-d20", changed({"morale": -2, "wounds_core": 2, "bleed": 1})),
    "squad again": ("squad-d20", changed({"hp": -9}, "x0", NAMES["hebrew"])),
    "narrative": ("narrative-dice", changed({"condition": 2, "stamina": -1})),
    "narrative again": ("narrative-dice", changed({}, "n7", NAMES["japanese"])),
    "phase": ("phase-2d10", changed({"chest": 1, "eye_left": 2})),
    "shields": ("shields-biotics", changed({"markers": 3, "wounds": 1})),
}
CHARACTERS = (*TORTURE, *OTHER_GAMES)


@cache
def torture_view(who: str) -> SheetView:
    """Return the view of one of the characters."""
    if who in OTHER_GAMES:
        name, make = OTHER_GAMES[who]
        return build(make(load(name)))
    return build(TORTURE[who](load("capital")))
