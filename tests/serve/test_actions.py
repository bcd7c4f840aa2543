"""A tap on a player's page and the same line typed into ``play`` change and show the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import Document, to_text
from charforge.character.files.reader import parse_document
from charforge.character.files.storage import save
from charforge.character.state import CHARACTER
from charforge.errors import CharforgeError, UsageError
from charforge.packs import install
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.loading.loader import load
from charforge.serve.actions import (
    ACTIONS,
    ANSWER,
    ActionQuestion,
    action_form,
    run_page_action,
)
from charforge.serve.forms import THROWN, ActionForm, PageField, Tap
from charforge.serve.player import PlayerPage, player_page
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes
from charforge.verbs.change import PlayResult
from charforge.verbs.unit_status import unit_status
from tests.samples import law
from tests.serve.session_lines import Typed, type_lines
from tests.source import EXAMPLES

GAMES = ("capital", "capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20")
TAPS = 6  # one after the other
AT = "2026-11-28 20:00+00:00"


class Change(NamedTuple):
    """A form that a page sends, and the numbers chosen on the way."""

    name: str
    fields: Mapping[str, str]
    answers: tuple[int, ...] = ()


@cache
def character(game: str, seed: int) -> Document:
    rules = load(game)
    level = min(3, rules.head.advancement.maximum)
    spec = CharacterSpec(rules, f"{game} {seed}", "Nix", level)
    return create_character(spec, RandomAnswers(f"{seed}"))


def taps(page: PlayerPage) -> Iterator[Tap]:
    """Yield everything that can be tapped on a page."""
    yield from (*page.turns, *page.rests, *page.changes, *page.changes)
    yield from (line.tap for group in page.abilities for line in group.lines)
    yield from (one.tap for one in page.scores if one.tap is not None and one.tap.action == "roll")
    gauges = (*page.gauges, *page.stores, *(held for one in page.items for held in one.capacities))
    yield from (gauge.tap for gauge in gauges if gauge.tap is not None)
    yield from (tap for item in page.items for tap in item.taps)
    yield from (one.remove for one in page.conditions if one.remove is not None)
    yield from (Tap(name, name, {}) for name in ("undo", "redo"))
    yield Tap("note", "Note", {"unit": page.unit}, True)


def filled(field: PageField, random: Random) -> str:
    """Return something that a player may type into a field, or nothing."""
    if field.type == "check":
        return random.choice(["", "1"])
    if field.type == "select":
        return random.choice(field.options)[0] if field.options else ""
    if field.type == "number":
        low = 1 if field.low is None else field.low
        high = low + 8 if field.high is None else max(low, min(field.high, low + 8))
        return str(random.randint(low, high))
    if field.type == "long":
        return "Owes the ferryman 20."
    return field.usual


def change(opened: LoadedCharacter, tap: Tap, random: Random) -> Change:
    """Return the form of a tap, filled in: what is asked first, and some of the rest."""
    form = action_form(opened, tap.action, tap.fields) if tap.opens_form else None
    if form is None:
        return Change(tap.action, tap.fields)
    fields = dict(form.hidden)
    for field in form.all_fields:
        if field in form.fields or random.random() < 0.1:
            fields |= {field.name: text} if (text := filled(field, random)) else {}
    name = random.choice(form.submits)[0]
    return Change(name, fields)


def words(change: Change) -> list[str]:
    """Return the line for a form, as somebody types it into ``play``."""
    name, fields = change.name, change.fields
    unit = fields.get("unit", "character")
    line = [name]
    inputs = {field[3:]: text for field, text in fields.items() if field.startswith("in.")}
    match name:
        case "use":
            line += [fields["source"], "--action", fields["key"]]
        case "damage" | "heal":
            line += [fields["amount"], *filter(None, [inputs.pop("type", "")])]
        case "rest":
            line.append(fields["kind"])
            hours = inputs.pop("hours", "")
            line += [f"--hours={hours}"] if hours else []
        case "roll":
            line.append(fields["what"])
        case "spend" | "gain":
            line = ["spend" if name == "spend" else "award", fields["what"], fields["amount"]]
            line += [f"--item={fields['item']}"] if "item" in fields else []
        case "condition":
            line += [fields["condition"], *(["--off"] if "off" in fields else [])]
            line += [f"--{option}={fields[option]}" for option in ("amount", "turns", "about")
                     if fields.get(option)]  # fmt: skip
        case "hold" | "stow" | "wear" | "take-off":
            line.append(fields["item"])
        case "drop":
            line += [fields["item"], "--quantity", fields.get("quantity", "1")]
        case "note":
            line += [fields["text"]]
        case "turn" | "undo" | "redo":
            pass
        case _:
            raise AssertionError(f"{name}: write here what is typed in a session instead")
    if "end" in fields:
        line.append("--end")
    against = inputs.pop("vs", "") if name in ("use", "roll") else ""
    line += [f"--set={input_}={text}" for input_, text in inputs.items()]
    line += [f"--dice={n[5:]}={text}" for n, text in fields.items() if n.startswith("dice.")]
    line += [f"--vs={against}"] if against else []
    has_unit = name not in ("hold", "stow", "wear", "take-off", "undo", "redo")
    return [*line, *([f"--unit={unit}"] if unit != "character" and has_unit else [])]


def on_page(
    opened: LoadedCharacter, change: Change, random: Random
) -> tuple[Change, PlayResult | None]:
    """Run a change on the page, answering its questions; return it with its result, if any."""
    fields = change.fields
    while True:
        try:
            return change, run_page_action(opened, change.name, fields, AT)
        except ActionQuestion as question:
            form = question.form
            if [field.name for field in form.fields] != [ANSWER]:
                return change, None
            (asked,) = form.fields
            assert asked.low is not None
            assert asked.high is not None
            number = random.randint(asked.low, min(asked.high, asked.low + 9))
            change = change._replace(answers=(*change.answers, number))
            fields = {**form.hidden, ANSWER: str(number)}
        except CharforgeError:
            return change, None


def in_session(file: Path, change: Change) -> Typed:
    """Type a change into a session on a terminal."""
    answers = ["y"] if change.fields.get("hold") else ["n"] if change.name == "use" else []
    numbers = [str(number) for number in change.answers]

    def ask(question: str) -> str:
        taken = answers if "Take it in hand" in question else numbers
        return taken.pop(0) if taken else ""

    return type_lines(file, [shlex.join(words(change))], ask, AT)


def expected_lines(done: PlayResult) -> list[str]:
    """Return the lines of a result as ``play`` prints them, apart from the spaces."""
    if done.heading:
        return [done.heading, *(" ".join(line.text.split()) for line in done.lines)]
    lines = (f"{line.text} [{line.rule}]" if line.rule else line.text for line in done.lines)
    status = unit_status(done.after.character.state, done.unit).line
    return [" ".join(line.split()) for line in (*lines, *([status] if status else []))]


@law(examples=27, few=2)
@given(st.sampled_from(GAMES), st.integers(1, 3), st.integers(0, 1000))
def test_taps_do_the_same_as_the_lines_of_a_session(
    tmp_path_factory: pytest.TempPathFactory, game: str, who: int, seed: int
) -> None:
    random = Random(seed)
    file = tmp_path_factory.mktemp("taps") / "nix.json"
    save(character(game, who), file)
    opened = load_document(character(game, who), file)
    done = 0
    for _tap in range(TAPS):
        units = [unit.id for unit in opened.character.state.units]
        page = player_page(opened, random.choice(units))
        tap = random.choice(list(taps(page)))
        wanted = change(opened, tap, random)
        before = file.read_text("utf-8")
        wanted, expected = on_page(opened, wanted, random)
        typed = in_session(file, wanted)
        code, after = typed.codes[0], file.read_text("utf-8")
        told = f"{shlex.join(words(wanted))} → {code}, page: {expected is not None}"
        assert after == (before if expected is None else to_text(expected.after.document)), told
        if expected is not None:
            done += 1
            assert code == 0, told
            printed = [" ".join(line.split()) for line in typed.printed.splitlines()]
            assert printed == expected_lines(expected), told
            opened = load_document(parse_document(after, file), file, opened.ruleset)


def test_what_only_shows_something_is_no_change(armed: LoadedCharacter) -> None:
    shown = [name for name, action in ACTIONS.items() if action.run is None]
    assert shown == ["rules", "explain", "features", "history"]
    for name in shown:
        with pytest.raises(UsageError, match="there is no such action"):
            run_page_action(armed, name, {}, AT)


# ------------------------------------------------------------------ questions and permissions


@pytest.fixture(scope="module")
def courier() -> LoadedCharacter:
    """A courier of The Night Post, who may spend a stamp once the dice are known."""
    rules = install.load_checked(EXAMPLES / "night-post").ruleset
    made = create_character(CharacterSpec(rules, "3", "Ada"), RandomAnswers("3"))
    return load_document(made, Path("ada.json"), rules)


@pytest.fixture(scope="module")
def armed() -> LoadedCharacter:
    """A character of Capital in combat, whose turn it is."""
    made = load_document(character("capital", 1), Path("nix.json"))
    return run_page_action(made, "turn", {}, AT).after


def ability(opened: LoadedCharacter, name: str) -> Tap:
    """Return the button of an ability."""
    groups = player_page(opened).abilities
    return next(line.tap for group in groups for line in group.lines if line.name == name)


def asked(opened: LoadedCharacter, name: str, fields: Mapping[str, str]) -> ActionForm:
    """Return the form with which an action asks for more."""
    with pytest.raises(ActionQuestion) as question:
        run_page_action(opened, name, fields, AT)
    return question.value.form


def last(opened: LoadedCharacter) -> dict[str, Any]:
    """Return the last event of a character."""
    return opened.document.log[-1].model_dump()


def test_an_answer_goes_on_with_the_dice_that_were_seen(courier):
    """Another change in between would otherwise roll others."""
    form = asked(courier, "use", ability(courier, "Dash").fields)
    (number,) = form.fields
    assert (number.name, number.low, number.high, number.required) == (ANSWER, 0, 1, True)
    (rolled,) = [step.faces for step in form.steps if step.faces]
    assert form.hidden[f"{THROWN}dice"] == ",".join(map(str, rolled))
    later = run_page_action(courier, "note", {"text": "Meanwhile."}, AT).after
    done = run_page_action(later, "use", {**form.hidden, ANSWER: "1"}, AT).after
    assert last(done)["faces"] == {"dice": [list(rolled)]}
    assert last(done)["inputs"] == {"spent": 1}


def test_dice_typed_at_the_table_are_kept_for_the_rest_of_the_roll(courier):
    fields = {**ability(courier, "Dash").fields, "dice.dice": "6,5"}
    form = asked(courier, "use", fields)
    assert "dice.dice" not in form.hidden
    assert form.hidden[f"{THROWN}dice"] == "6,5"
    done = run_page_action(courier, "use", {**form.hidden, ANSWER: "0"}, AT).after
    assert last(done)["faces"] == {"dice": [[6, 5]]}
    assert last(done)["inputs"] == {}  # what a session suggests is not recorded either


@pytest.mark.parametrize("answer", ["2", "-1", "many", ""])
def test_an_answer_out_of_bounds_changes_nothing(courier, answer):
    form = asked(courier, "use", ability(courier, "Dash").fields)
    with pytest.raises(CharforgeError):
        run_page_action(courier, "use", {**form.hidden, ANSWER: answer}, AT)


def test_the_first_of_the_list_can_be_used_although_its_source_has_the_name_of_a_rule(courier):
    """All moves of The Night Post have the key of the first one's source."""
    form = asked(courier, "use", ability(courier, "Snuff").fields)
    assert form.title == "Snuff"


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(armed):
    unarmed = ability(armed, "Unarmed").fields
    form = asked(armed, "use", {**unarmed, "in.vs": "many", "in.block": "1", "dice.own": "9,9"})
    known = {field.name: field for field in form.all_fields}
    assert known["in.vs"].error == '"many" is not a whole number'
    assert (known["in.vs"].value, known["in.block"].value) == ("many", "1")
    assert form.wrong_more
    missing = asked(armed, "use", unarmed)
    assert "rolling against" in {f.name: f for f in missing.all_fields}["in.vs"].error
    wrong = asked(armed, "use", {**unarmed, "in.vs": "5", "dice.own": "9,9"})
    assert "9" in {field.name: field for field in wrong.dice}["dice.own"].error
    assert wrong.wrong_dice


def test_the_game_master_may_allow_what_the_rules_refuse(armed):
    """Two Actions a turn: a third needs a permission, and is recorded as one."""
    move = ability(armed, "Move").fields
    for _action in range(2):
        armed = run_page_action(armed, "use", move, AT).after
    form = asked(armed, "use", move)
    assert "Actions left" in form.message
    assert [tap.label for tap in form.taps] == ["Another ability grants it", "Allow it (GM)"]
    assert [tap.permission for tap in form.taps] == [False, True]
    granted, allowed = (run_page_action(armed, "use", tap.fields, AT).after for tap in form.taps)
    assert last(granted)["granted"] is True
    assert last(allowed)["override"] == {"by": "GM", "reason": "Allowed at the table."}


def test_what_no_permission_lifts_is_refused_without_one(armed):
    form = asked(armed, "heal", {"amount": "3"})
    assert (form.message, form.taps) == ("there is nothing to heal", ())


def test_an_item_can_be_taken_in_hand_and_used_at_once(armed):
    name = ability(armed, "Primitive first aid kit: Large Bandage").fields
    form = asked(armed, "use", name)
    assert [tap.label for tap in form.taps] == ["Take it in hand first"]
    hold, *_others = action_form(armed, "use", name).fields
    assert (hold.name, hold.type, hold.value) == ("hold", "check", "1")
    held = armed.character.state.in_hand
    for_whom = asked(armed, "use", form.taps[0].fields)
    assert [field.label for field in for_whom.fields] == ["Do you use it on yourself?"]
    after = run_page_action(armed, "use", {**form.taps[0].fields, ANSWER: "1"}, AT).after
    assert sum(after.character.state.in_hand.values()) > sum(held.values())


def test_what_is_too_heavy_can_be_lifted_and_used():
    """A heavy item that is not in hand: the refusal offers the roll, and keeps what was typed."""
    made = load_document(character("capital", 1), Path("nix.json"))
    state = made.character.state
    hammer = made.ruleset.entity("special-weapon/warhammer")
    award = manual_changes.draft_award(state, hammer, 1, state.unit(CHARACTER))
    made = manual_changes.award_entity(made, award, source=RandomAnswers("1")).after
    attack = next(
        line.tap.fields
        for group in player_page(made).abilities
        for line in group.lines
        if "Warhammer" in line.name
    )
    form = asked(made, "use", {**attack, "hold": "1", "in.vs": "5"})
    assert form.message
    lift = next(tap for tap in form.taps if tap.label == "Roll to lift it")
    told = [step.text for step in run_page_action(made, "use", lift.fields, AT).steps]
    assert told[0].startswith("Your dice: ")


def test_dice_that_were_shown_are_those_of_the_next_try(courier):
    """A panel that is closed after the dice gains nothing: the same dice fall again."""
    fields = ability(courier, "Snuff").fields
    assert asked(courier, "use", fields).steps == asked(courier, "use", fields).steps
    question = asked(courier, "use", fields).fields[0]
    assert question.label == "Spend a stamp for +1?"
    assert question.options == (("1", "yes"), ("0", "no"))


# ------------------------------------------------------------------ whatever a client sends

NASTY = (
    "", "0", "-1", "1", "9" * 300, "1e9", "NaN", "0x10", "\0", "\x1b[31m", "\ud800", "<script>",
    "../../etc/passwd", "{{ 7*7 }}", "{0.__class__}", "%s", "character", "event.1", "None", "١",
    "1,2,3", ",", "hp", "a=b", "--override", "x" * 301, "\u202e", " ", "1\n2",
)  # fmt: skip


NAMES = (
    "unit", "source", "key", "item", "what", "answers", "answer", "thrown.x", "in.vs", "dice.own",
    "rule", "kind", "override", "in.", "in", "dice.", "\0",
)  # fmt: skip


@law(examples=100, few=15)
@given(st.sampled_from(GAMES), st.integers(0, 10**6))
def test_nothing_that_a_client_sends_is_more_than_an_error(game: str, seed: int) -> None:
    random = Random(seed)
    opened = load_document(character(game, 1), Path("nix.json"))
    page = player_page(opened)
    for _request in range(8):
        wanted = change(opened, random.choice(list(taps(page))), random)
        fields = dict(wanted.fields)
        known = [*fields, *NAMES]
        for name in random.sample(known, min(len(known), random.randint(1, 4))):
            fields[name] = random.choice(NASTY)
        name = random.choice([wanted.name, *ACTIONS, "__class__", "../use"])
        for act in (
            lambda n=name, f=fields: run_page_action(opened, n, f, AT),
            lambda n=name, f=fields: action_form(opened, n, f),
            lambda f=fields: player_page(opened, f.get("unit", "")),
        ):
            with suppress(CharforgeError):
                act()


def test_only_what_the_character_has_can_be_named(armed):
    for name, fields in (
        ("use", {"source": "system/flight", "key": "use"}),
        ("use", {"source": "special-weapon/rifle", "key": "rifle"}),
        ("roll", {"what": "hp"}),
        ("spend", {"what": "str", "amount": "1"}),
        ("gain", {"what": "max_hp", "amount": "1"}),
        ("hold", {"item": "nobody"}),
        ("rest", {"kind": "eternal"}),
        ("rule", {"rule": "nothing"}),
        ("condition", {"condition": "status/nothing"}),
        ("damage", {"amount": "1", "unit": "vehicle"}),
    ):
        with pytest.raises(CharforgeError):
            run_page_action(armed, name, fields, AT)


def test_the_form_of_damage_asks_only_what_can_matter(armed):
    """Strengths and Weaknesses count in the check to keep up Overwatch, Grit in a death check."""

    def labels(opened: LoadedCharacter) -> list[str]:
        return [field.label for field in action_form(opened, "damage", {}).fields]

    assert labels(armed) == ["Amount", "Damage type"]
    left_out = {"in.helps": "2", "in.weakness": "1", "in.doubled": "1", "in.bonus": "3"}
    plain = run_page_action(armed, "damage", {"amount": "3"}, AT)
    assert run_page_action(armed, "damage", {"amount": "3", **left_out}, AT).steps == plain.steps
    watching = run_page_action(armed, "condition", {"condition": "effect/overwatch"}, AT).after
    assert len(labels(watching)) == 6
    dying = run_page_action(armed, "damage", {"amount": "99"}, AT).after
    assert labels(dying)[2:] == ["Does it embody your Ideal or advance your Goal?"]
