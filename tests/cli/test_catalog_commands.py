"""catalog list, search, show and rulings, as text and as JSON."""

from __future__ import annotations

import io
import json
import re

import pytest
from rich.console import Console

from charforge.cli.terminal.rules import list_entities, show_entity
from tests.command_runner import run_command

ENTITY = {
    "id", "kind", "name", "source", "tags", "slots", "price", "rarity", "requires", "actions",
    "attacks",
}  # fmt: skip
ACTION = {"timing", "cost", "trigger", "limit", "cooldown", "text"}
ATTACK = {"range", "hit", "defence", "damage", "type", "shots", "crit", "ammo", "requires"}


def test_list_as_json_has_the_keys_other_programs_count_on(run, capital):
    found = run("catalog", "list", "capital", "--json").json
    assert [entity["id"] for entity in found] == list(capital.entities)
    for entity in found:
        assert set(entity) >= ENTITY
        assert set(capital.kinds[entity["kind"]].fields) <= set(entity)
        assert entity["id"].startswith(f"{entity['kind']}/")
        assert entity["source"]
        for action in entity["actions"]:
            assert set(action) >= ACTION
        for attack in entity["attacks"]:
            assert set(attack) >= ATTACK


def test_list_without_a_ruleset_is_the_default_one(run):
    assert run("catalog", "list", "--json").out == run("catalog", "list", "capital", "--json").out


def test_list_of_one_kind(run, capital):
    found = run("catalog", "list", "--kind", "role", "--json").json
    assert [entity["id"] for entity in found] == [role.id for role in capital.of_kind("role")]


def test_list_in_words_names_everything(run, capital):
    ended = run("catalog", "list", "--kind", "system")
    assert (ended.code, ended.err) == (0, "")
    systems = list(capital.of_kind("system"))
    assert ended.out.startswith(f"Systems ({len(systems)})\n")
    for system in systems:
        assert re.search(rf"^  {re.escape(system.id)} +{re.escape(system.name)}", ended.out, re.M)


def test_show_as_json_is_the_entry_of_the_list(run, capital):
    listed = {entity["id"]: entity for entity in run("catalog", "list", "--json").json}
    for name in ("system/focus-ii", "equipment/auto-rifle", "role/the-tank", "companion/droid"):
        assert run("catalog", "show", name, "--json").json == listed[name]
        assert run("catalog", "show", f"capital:{name}", "--json").json == listed[name]


def test_show_as_json_has_digests_as_written(run):
    shown = run("catalog", "show", "system/jury-rig", "--json").json
    assert (shown["digest"], shown["text"]) == ("", "")
    assert "regains 1d6 + KNW - 5 HP" in shown["actions"][0]["digest"]


def test_a_price_or_a_damage_that_the_book_gives_is_a_number(run):
    shown = run("catalog", "show", "system/focus-ii", "--json").json
    assert shown["slots"] == 1
    assert shown["requires"] == {"has": "system/focus-i"}
    assert [action["cost"] for action in shown["actions"]] == [{"energy": 1}, {"energy": 2}]
    assert [action["cooldown"] for action in shown["actions"]] == ["5+", ""]


@pytest.mark.parametrize("width", [30, 80])
def test_every_entity_can_be_shown(capital, width):
    """Nothing of a pack's own notation is left in what is printed."""
    for entity in capital.entities.values():
        console = Console(file=io.StringIO(), width=width)
        show_entity(entity, capital, console)
        out = console.file.getvalue()
        assert " ".join(out.split()).startswith(entity.name)
        assert not re.search(r"\*\w|[{}]|\$\w|\[/?(bold|dim|italic)", out), out


def test_show_finds_by_name_slug_or_id(run):
    shown = run("catalog", "show", "equipment/auto-rifle").out
    for name in ("Auto Rifle", "auto rifle", "auto-rifle", "capital:equipment/auto-rifle"):
        assert run("catalog", "show", name).out == shown
    assert "Sharp or Heat" in shown


def test_a_name_that_several_have_lists_them(run, capital):
    names = [entity.name for entity in capital.entities.values()]
    twice = next(name for name in names if names.count(name) > 1)
    ended = run("catalog", "show", twice)
    ended.refused(2, " matches ", "Use the id.")
    for entity in capital.entities.values():
        if entity.name == twice:
            assert entity.id in ended.err


def test_search_finds_words_wherever_they_stand(run, capital):
    found = {entity["id"] for entity in run("catalog", "search", "OVERWATCH", "--json").json}
    assert "action/overwatch" in found
    both = {e["id"] for e in run("catalog", "search", "overwatch", "energy", "--json").json}
    assert both < found
    assert "Overwatch" in run("catalog", "search", "overwatch").out


def test_search_without_a_find(run):
    ended = run("catalog", "search", "zyzzyva")
    assert (ended.code, ended.out.strip()) == (1, "")
    assert "Nothing found with all these words." in ended.err
    assert json.loads(run("catalog", "search", "zyzzyva", "--json").out) == []
    assert "Did you mean Overwatch?" in run("catalog", "search", "overwach").err


def test_a_game_in_place_of_a_ruling_names_the_option_for_it(run):
    advice = "To list the rulings of a game: charforge catalog rulings --ruleset squad-d20"
    run("catalog", "rulings", "squad-d20").refused(2, advice)


def test_rulings_in_json_and_words(run, capital):
    found = run("catalog", "rulings", "--json").json
    assert [ruling["id"] for ruling in found] == list(capital.rulings)
    out = run("catalog", "rulings").out
    for ruling in capital.rulings.values():
        assert re.search(rf"^{ruling.id}  ", out, re.M)


def test_a_ruling_that_a_table_may_switch_says_how(run, capital):
    for rule in capital.table_rules.values():
        ended = run("catalog", "rulings", rule.ruling.lower())
        assert (ended.code, ended.err) == (0, "")
        for option in rule.options:
            assert f"--rule {rule.id}={option.id}" in ended.out
            if option.id == rule.default:
                assert f"{option.label} (default)" in " ".join(ended.out.split())
        [shown] = run("catalog", "rulings", rule.ruling, "--json").json
        assert shown["table_rule"] == rule.id


@pytest.mark.parametrize("command", ["list", "show", "search", "rulings"])
def test_ids_of_the_catalog_are_its_own(run, command):
    """Asking for JSON never prints anything before or after it."""
    arguments = {"show": ["role/the-tank"], "search": ["energy"]}.get(command, [])
    ended = run("catalog", command, *arguments, "--json")
    assert (ended.code, ended.err) == (0, "")
    json.loads(ended.out)


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_a_list_is_wrapped_and_never_cut(capital, columns):
    listed = [entity for entity in capital.entities.values() if entity.kind == "equipment"]
    page = io.StringIO()
    list_entities(listed, capital, Console(file=page, width=columns))
    assert "\N{HORIZONTAL ELLIPSIS}" not in page.getvalue()
    first, *_more = (line.rstrip() for line in page.getvalue().splitlines())
    assert first == f"Equipment ({len(listed)})"
    if columns > 40:
        for entity in listed:
            assert re.search(rf"^  {entity.id} +{re.escape(entity.name)}", page.getvalue(), re.M)


def test_the_paths_into_an_entry_are_listed_for_patches(run, nix):
    lines = run("catalog", "paths", "Crossbow", "--ruleset", "harbour").out.splitlines()
    assert lines[0].startswith("gear/crossbow: name, source")
    assert "[gear/crossbow, attacks, 1, cost]: bolts" in lines
    parts = run("catalog", "paths", "gear/crossbow", "--ruleset", "harbour", "--json").json
    assert {"at": ["gear/crossbow", "attacks", "1", "cost"], "keys": {"bolts": 1}} in parts


def test_the_paths_into_rules_and_the_ruleset_are_listed_for_patches(run):
    lines = run("catalog", "paths", "ruleset").out.splitlines()
    assert "[ruleset, creation, money]: " in "".join(x[:29] for x in lines if "money" in x)
    lines = run("catalog", "paths", "short-break").out.splitlines()
    assert lines[0].startswith("[procedures, short-break]: label")
    run("catalog", "paths", "no-such-rule").refused(2, "no-such-rule")


def test_paths_are_those_of_the_game_that_one_writes(run, tmp_path, monkeypatch):
    run("catalog", "new", "my-game", "--game")
    ruleset = tmp_path / "my-game" / "ruleset.yaml"
    named = run("catalog", "paths", "ruleset", "--ruleset", "my-game").out
    assert "[ruleset, creation, " in named
    assert "[ruleset, creation, role" not in named  # not those of Capital
    ruleset.write_text(ruleset.read_text("utf-8") + "nonsense: 1\n", "utf-8")  # while it is written
    monkeypatch.chdir(ruleset.parent)
    listed = run_command("catalog", "paths", "ruleset", folder=ruleset.parent)
    assert listed.out.replace(", nonsense", "") == named
