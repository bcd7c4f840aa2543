"""Discord: messages within the documented limits, in which texts stay text."""

from __future__ import annotations

import json
import re

from hypothesis import given, strategies as st

from charforge.export.text_formats import write
from charforge.sheet import phrases
from charforge.sheet.build import build
from charforge.sheet.text_filters import FIELD_VALUE, discord
from tests.sheet.test_page_differences import created, digger_with

# https://discord.com/developers/docs/resources/message: the limits of an embed
LIMITS = {"title": 256, "description": 4096}
ALLOWED = {"title", "description", "fields", "footer", "color"}


def units(text: str) -> int:
    """Return the length of a text as Discord counts it."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2


def test_every_message_keeps_the_limits(character):
    message = json.loads(write("discord", character))
    assert message.keys() == {"embeds", "allowed_mentions"}
    assert message["allowed_mentions"] == {"parse": []}
    assert 1 <= len(message["embeds"]) <= 10
    total = 0
    for embed in message["embeds"]:
        assert embed.keys() <= ALLOWED
        assert 0 <= embed["color"] <= 0xFFFFFF
        assert len(embed["fields"]) <= 25
        for key, most in LIMITS.items():
            assert 1 <= units(embed.get(key, "-")) <= most
        for field in embed["fields"]:
            assert field.keys() == {"name", "value"}
            assert 1 <= units(field["name"]) <= 256
            assert 1 <= units(field["value"]) <= 1024
            total += units(field["name"]) + units(field["value"])
        total += units(embed["title"]) + units(embed.get("description", ""))
        total += units(embed.get("footer", {}).get("text", ""))
    assert total <= 6000


def test_scores_attacks_and_systems_are_there(character):
    shown = build(character)
    first = json.loads(write("discord", character))["embeds"][0]
    values = {field["name"]: field["value"] for field in first["fields"]}
    for score in shown.attributes:
        assert f"**{score.label}** {phrases.score_text(score)}".replace("(", r"\(") in values[
            shown.attributes_label
        ].replace(r"\)", ")")
    for weapon in shown.weapons:
        assert discord(weapon.name) in values["Attacks"]
    lists = [field["value"] for field in first["fields"] if field["name"] == shown.cards_label]
    named = [name for card in shown.cards if (name := f"**{discord(card.name)}**")]
    assert [name for name in named if name not in "\n".join(lists)] == []
    assert all(len(value) <= FIELD_VALUE for value in lists)


@given(st.text(alphabet="a*_~`|<>[]()#\\ @", max_size=30))
def test_no_sign_of_a_text_has_a_meaning(text):
    escaped = discord(text)
    assert re.sub(r"\\([\\*_~`|<>\[\]()#])", r"\1", escaped) == phrases.plain(text)
    assert not re.search(r"(?<!\\)(\\\\)*[*_~`|<>\[\]()#]", escaped)


def test_worn_gear_and_the_results_of_moves_are_carried_over() -> None:
    digger = digger_with("armour/apron", "armour/plates").character
    packed = [
        field["value"] for field in fields_of(write("discord", digger)) if field["name"] == "Pack"
    ]
    assert packed
    assert "Leather Apron † \\(Worn\\)" in packed[0]
    assert "Ember Plates † \\(Packed\\)" in packed[0]
    assert "10+: You are there first." in write("discord", created("night-post").character)


def fields_of(text: str) -> list[dict[str, str]]:
    return [field for embed in json.loads(text)["embeds"] for field in embed.get("fields", ())]
