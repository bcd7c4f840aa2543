"""The collection of conditions: a list with fast look-ups."""

from __future__ import annotations

from hypothesis import given, strategies as st

from charforge.character.state_data import Condition, Conditions
from charforge.rules.models import Entity

BURNING = Entity(id="status/burning", name="Burning", source="test")
SHAKEN = Entity(id="status/shaken", name="Shaken", source="test")
CONDITIONS = st.builds(
    Condition,
    st.sampled_from((BURNING, SHAKEN)),
    st.sampled_from(("character", "dog")),
    st.integers(1, 3),
    st.sampled_from(("", "Bo", "Mo")),
)
STEPS = st.lists(st.tuples(st.sampled_from(("add", "replace", "remove")), CONDITIONS), max_size=30)


@given(STEPS)
def test_each_change_is_that_of_a_list(steps: list[tuple[str, Condition]]) -> None:
    expected: list[Condition] = []
    conditions = Conditions()
    for step, condition in steps:
        unit, entity, about = condition.unit, condition.entity.id, condition.about
        found = next(iter(conditions.numbered(unit, entity, about)), None)
        if step == "add" or found is None:
            conditions, before = conditions.add(condition), conditions
            assert list(before) == expected
            expected.append(condition)
            continue
        number, former = found
        place = next(n for n, one in enumerate(expected) if one is former)
        if step == "remove":
            conditions = conditions.replace({number: None})
            del expected[place]
        else:
            expected[place] = former._replace(amount=condition.amount)
            conditions = conditions.replace({number: expected[place]})
    assert list(conditions) == expected
    assert len(conditions) == len(expected)
    for unit in ("character", "dog"):
        assert [c for _n, c in conditions.numbered_of(unit)] == [
            c for c in expected if c.unit == unit
        ]
        for entity in (BURNING, SHAKEN):
            alike = [c for c in expected if (c.unit, c.entity) == (unit, entity)]
            assert [c for _n, c in conditions.numbered(unit, entity.id)] == alike
            assert conditions.amount(unit, entity.id) == sum(c.amount for c in alike)
            for about in ("", "Bo", "Mo"):
                assert [c for _n, c in conditions.numbered(unit, entity.id, about)] == [
                    c for c in alike if c.about == about
                ]
