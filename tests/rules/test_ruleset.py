"""Look-ups over a loaded ruleset: vocabulary, groups, queries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from charforge.errors import UnknownId
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.models import Query, Value
from charforge.rules.ruleset import Ruleset, figure, matches, named_value
from tests.source import EXAMPLES


def query(**keys: object) -> Query:
    return Query.model_validate(keys)


def found(rules: Ruleset, **keys: object) -> list[str]:
    return [entity.id for entity in rules.select(query(**keys))]


def test_the_first_unit_type_is_the_characters(toy: Ruleset, capital: Ruleset) -> None:
    assert next(iter(toy.units)) == "keeper"
    assert next(iter(capital.units)) == "character"


def test_a_group_is_its_values_in_the_order_of_the_vocabulary(toy: Ruleset) -> None:
    assert toy.group("knacks") == ("hands", "eyes", "nerve")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("shoot", "shoot"), ("SHOOT", "shoot"), ("Aim", "aim"), ("aimed", "aim"), ("rank", "rank")],
)
def test_an_id_or_a_name_means_its_value_before_a_label_does(word: str, meant: str) -> None:
    """The rank of a skill often stands on the sheet by the name of the skill, before it."""
    values = [
        Value(id="rank", label="Shoot", name="Aim of old"),
        Value(id="other", label="Aim", name="Other"),
        Value(id="shoot", label="Shoot", name="Shooting"),
        Value(id="aim", label="Aimed", name="Aim"),
    ]
    found = named_value(word, values)
    assert found is not None
    assert found.id == meant


def test_a_value_names_a_question_unless_two_questions_set_it(
    smithy: Ruleset, reforged: Callable[..., Ruleset]
) -> None:
    def names(rules: Ruleset) -> list[str]:
        asked = (q for q in rules.head.creation_questions if q.sets_value == "guard")
        return [rules.short_label(question) for question in asked]

    assert names(smithy) == ["Guard"]
    oath = "  - {id: oath, do: write"
    shield = "  - {id: shield, do: enter, section: self, label: How large is your shield?, " + (
        "minimum: 0, maximum: 9, default: 2, to: guard}\n"
    )
    assert names(reforged(("ruleset.yaml", oath, shield + oath))) == ["Guard", "Shield"]


def test_a_group_without_values_is_empty(toy: Ruleset) -> None:
    assert toy.group("nobody") == ()


def test_a_named_die_shows_its_own_faces(toy: Ruleset) -> None:
    assert toy.dice == {"gull": (1, 1, 3, 5, 8)}


def test_a_term_is_found_in_any_vocabulary(toy: Ruleset) -> None:
    term = toy.term("horn")
    assert term is not None
    assert term.label == "Fog horn"
    assert toy.term("trumpet") is None


def test_a_query_by_kind_leaves_aliases_out(toy: Ruleset) -> None:
    assert "gear/oilskin" in found(toy, kind="gear")
    assert "gear/sou-wester" not in found(toy, kind="gear")


def test_all_of_a_kind_includes_its_aliases(toy: Ruleset) -> None:
    assert "gear/sou-wester" in [entity.id for entity in toy.of_kind("gear")]


def test_a_query_by_two_kinds_takes_either(toy: Ruleset) -> None:
    assert found(toy, kind=["boat", "pet"]) == [
        "boat/dinghy", "boat/skiff", "pet/cat", "pet/gull",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tags", "posts"),
    [
        ({"all": ["tower"]}, ["post/head-keeper", "post/lamplighter"]),
        ({"all": ["tower", "shore"]}, []),
        ({"any": ["tower", "shore"]}, ["post/head-keeper", "post/boatman", "post/lamplighter"]),
        ({"none": ["tower"]}, ["post/boatman"]),
        ({"any": ["tower"], "none": ["tower"]}, []),
    ],
)
def test_a_query_by_tags(toy: Ruleset, tags: dict[str, list[str]], posts: list[str]) -> None:
    assert found(toy, kind="post", tags=tags) == posts


def test_a_query_by_ids_takes_only_those(toy: Ruleset) -> None:
    assert found(toy, ids=["pet/cat", "gear/rope"]) == ["gear/rope", "pet/cat"]


def test_a_query_by_figures_takes_what_an_entity_lacks_for_0(toy: Ruleset) -> None:
    assert found(toy, kind="gear", where="weight >= 4") == ["gear/boathook", "gear/anchor"]
    assert "gear/candle" in found(toy, kind="gear", where="weight == 0")


def test_an_empty_query_takes_everything_but_aliases(toy: Ruleset) -> None:
    names = {entity.id for entity in toy.entities.values() if entity.alias_of is None}
    assert set(found(toy)) == names


def test_select_and_matches_agree(rules: Ruleset) -> None:
    for kind in rules.kinds:
        asked = query(kind=kind)
        chosen = rules.select(asked)
        assert chosen == tuple(e for e in rules.entities.values() if matches(asked, e))


def test_a_figure_reads_common_and_own_numbers(toy: Ruleset) -> None:
    oilskin = toy.entity("gear/oilskin")
    assert (figure(oilskin, "price"), figure(oilskin, "weight")) == (6, 2)
    assert figure(oilskin, "slots") == figure(oilskin, "made_of") == 0


def test_an_unknown_entity_names_the_nearest_one(toy: Ruleset) -> None:
    with pytest.raises(UnknownId) as refused:
        toy.entity("gear/roap")
    assert refused.value.nearest == "gear/rope"


def test_the_nearest_one_is_found_without_its_kind(toy: Ruleset) -> None:
    with pytest.raises(UnknownId) as refused:
        toy.entity("boathok")
    assert refused.value.nearest == "gear/boathook"


def test_a_name_like_nothing_has_no_nearest_one(toy: Ruleset) -> None:
    with pytest.raises(UnknownId) as refused:
        toy.entity("zzzzzz")
    assert refused.value.nearest == ""


@pytest.mark.parametrize(
    "word", ["threshold-by-damage-type", " Threshold by Damage Type", "damage-types"]
)
def test_a_chart_is_found_by_its_id_or_all_words_of_its_label(word: str) -> None:
    rules = load("narrative-dice")
    chart = rules.chart_named(word)
    assert chart is not None
    assert chart.id == "damage-types"
    assert rules.chart_named("threshold") is None  # that can be something else


@pytest.mark.parametrize("word", ["heat", "Heat (Crew)", "heat crew", "shared.heat"])
def test_what_a_group_owns_is_found_by_its_words(word: str) -> None:
    rules = load_folder(EXAMPLES / "low-tide")
    assert rules.shared_named(word) == "shared.heat"
    assert rules.shared_named("hea") is None
