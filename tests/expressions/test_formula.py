"""Formulas: arithmetic over values and nothing else, whatever a pack contains."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import TypeAdapter, ValidationError

from charforge.errors import CharforgeError, FormulaError
from charforge.expressions.formula import (
    FUNCTIONS,
    LARGEST,
    MAX_LENGTH,
    Formula,
    FunctionScope,
    NoFacts,
)

VALUES: dict[str, Any] = {
    "str": 3, "knw": -2, "max_hp": 17, "zero": 0, "level": 4,
    "owner.level": 9, "owner.max_energy": 12, "operator.agi": 5, "roll": (1, 5, 6, 6),
}  # fmt: skip
HELD = {"gear/rope": 2, "pet/cat": 1}


class Held(NoFacts):
    """A character who has two ropes and a cat."""

    def has(self, name: str) -> bool:
        return name in HELD

    def number(self, name: str) -> int:
        return HELD.get(name, 0)


def whole(text: str | int | bool) -> int:
    return Formula(text).evaluate(FunctionScope(VALUES.__getitem__, Held()))


# ----------------------------------------------------------------------- what they say


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("7", 7),
        (7, 7),
        (-7, -7),
        ("-7", -7),
        ("+7", 7),
        (True, 1),
        (False, 0),
        ("str + 4", 7),
        ("2 * str - 1", 5),
        ("max_hp // 2", 8),
        ("max_hp % 5", 2),
        ("max_hp / 17", 1),
        ("-str", -3),
        ("2 - -2", 4),
        ("(str + 1) * 2", 8),
        ("min(str, 1)", 1),
        ("max(str, level, 1)", 4),
        ("half_up(max_hp)", 9),
        ("half_down(max_hp)", 8),
        ("half_up(knw)", -1),
        ("half_up(-3)", -1),
        ("half_down(-3)", -2),
        ("floor(max_hp / 10)", 1),
        ("floor(-7 / 2)", -4),
        ("count(roll, 6)", 2),
        ("count(roll, 5, 6)", 3),
        ("count(roll, 2)", 0),
        ("owner.level + 1", 10),
        ("operator.agi", 5),
        ("has('gear/rope')", 1),
        ("has('gear/oar')", 0),
        ("number('gear/rope') * 3", 6),
        ("str == 3", 1),
        ("str != 3", 0),
        ("str < level", 1),
        ("1 < str < level", 1),
        ("str >= 3 and level <= 4", 1),
        ("zero or str", 3),
        ("not zero", 1),
        ("5 if str > 2 else 6", 5),
        ("5 if str > 3 else max_hp", 17),
        ("1 < str < 3", 0),
        ("5 < str < 9", 0),
        ("9 < str < 5", 0),
        ("str < level < max_hp", 1),
        ("str < level == 4 != 5", 1),
        ("1.5 * 2", 3),
        ("0x10", 16),
    ],
    ids=str,
)
def test_a_formula_is_arithmetic_over_values(text: str | int | bool, figure: int) -> None:
    found = whole(text)
    assert found == figure
    assert type(found) is int


@pytest.mark.parametrize("text", ["STR + Max_HP", "str + max_hp", "Str+MAX_HP"])
def test_the_case_of_a_name_is_ignored(text: str) -> None:
    assert whole(text) == 20


def test_the_case_of_a_scope_is_ignored() -> None:
    assert whole("OWNER.Max_Energy") == 12


def test_a_formula_knows_the_names_it_reads_and_no_functions() -> None:
    found = Formula("max(STR, owner.level) + half_up(knw) + number('gear/rope')")
    assert found.names == {"str", "owner.level", "knw"}
    assert found.referred == ("gear/rope",)


@pytest.mark.parametrize(
    ("text", "constant"), [("7", 7), ("-7", -7), ("str", None), ("3 + 4", None), ("1.5", None)]
)
def test_a_number_alone_is_constant(text: str, constant: int | None) -> None:
    assert Formula(text).constant == constant


def test_formulas_are_equal_when_their_texts_are() -> None:
    assert Formula("str + 1") == Formula(" str + 1 ")
    assert len({Formula("str"), Formula("str"), Formula("knw")}) == 2
    assert Formula("str") != Formula("STR")
    assert Formula("1") != 1
    assert str(Formula(" str ")) == "str"
    assert repr(Formula("str")) == "Formula('str')"


def test_without_a_character_nothing_is_held() -> None:
    assert Formula("has('gear/rope')").evaluate(FunctionScope(VALUES.__getitem__)) == 0
    assert Formula("number('gear/rope')").evaluate(FunctionScope(VALUES.__getitem__)) == 0


# --------------------------------------------------------------------------- no value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("max_hp / 2", "not a whole number"),
        ("1.5", "not a whole number"),
        ("nobody + 1", "nobody"),
        ("str / zero", "it divides by zero"),
        ("str // zero", "it divides by zero"),
        ("str % zero", "it divides by zero"),
        ("min()", "at least 1 argument"),
        ("min(str)", "not iterable"),
        ("count(str, 1)", "not iterable"),
        ("half_up()", "missing"),
        ("half_up(1, 2)", "positional"),
        ("roll + 1", "can only concatenate"),
        ("roll * 2", r"\(1, 5, 6, 6\) is not a number"),
        ("2 * roll", r"\(1, 5, 6, 6\) is not a number"),
        ("roll % 2", r"\(1, 5, 6, 6\) is not a number"),
    ],
)
def test_a_formula_without_a_value_says_why(text: str, reason: str) -> None:
    with pytest.raises(FormulaError, match=reason) as refused:
        whole(text)
    assert refused.value.text == text


def test_an_error_in_a_part_of_a_formula_knows_what_was_written() -> None:
    written = Formula("str + half / zero")
    replaced = written.with_variables({"half": Formula("str // 2")})
    with pytest.raises(FormulaError, match="it divides by zero") as refused:
        replaced.summands[1].evaluate(FunctionScope(VALUES.__getitem__))
    assert (refused.value.text, refused.value.written) == ("str // 2 / zero", written.text)


def test_an_error_of_the_names_themselves_comes_through() -> None:
    def names(name: str) -> int:
        raise FormulaError(name, "a boat does not have this value")

    with pytest.raises(FormulaError, match="a boat does not have this value"):
        Formula("str + 1").evaluate(FunctionScope(names))


# ---------------------------------------------------------------------------- hostile

REFUSED = {
    "nothing": "",
    "blanks": "   ",
    "half a sum": "str +",
    "two statements": "1; 2",
    "an assignment": "str = 3",
    "a walrus": "(x := 3)",
    "a line break": "1 +\n2",
    "a null byte": "1\x00",
    "a power": "9 ** 9",
    "a tower of powers": "9 ** 9 ** 9 ** 9",
    "a shift": "1 << 99999999",
    "an or of bits": "1 | 2",
    "a matrix product": "1 @ 2",
    "an inversion": "~1",
    "import": "__import__('os')",
    "import and call": "__import__('os').system('true')",
    "eval": "eval('1')",
    "open": "open('/etc/passwd')",
    "random": "rand()",
    "a random number": "randint(6)",
    "a conversion": "int('3')",
    "a range": "max(range(9))",
    "an attribute": "str.real",
    "a dunder attribute": "str.__class__",
    "a chain of dunders": "().__class__.__base__.__subclasses__()",
    "a dunder of a scope": "owner.__class__.__mro__",
    "a scope in a scope": "owner.owner.level",
    "a method of a text": "'a'.join('b')",
    "a method of a function": "floor.__globals__",
    "a call of a call": "min(1, 2)()",
    "a lambda": "lambda: 1",
    "a called lambda": "(lambda: 1)()",
    "a list comprehension": "[n for n in roll]",
    "a generator": "max(n for n in roll)",
    "a dict": "{1: 2}",
    "a set": "{1, 2}",
    "a list": "[1, 2]",
    "a tuple": "(1, 2)",
    "an index": "roll[0]",
    "a slice": "roll[:1]",
    "spread arguments": "min(*roll)",
    "a named argument": "min(1, 2, key=str)",
    "spread names": "min(1, **roll)",
    "an f-string": "f'{str}'",
    "await": "await str",
    "yield": "(yield 1)",
    "identity": "str is 3",
    "membership": "3 in roll",
    "none": "None",
    "an ellipsis": "...",
    "a complex number": "3j",
    "bytes": "b'a'",
    "a text": "'gear/rope'",
    "a text times a number": "'a' * 999999999",
    "a number times a text": "999999999 * 'a'",
    "a text that is filled in": "'%99999999d' % 1",
    "texts added": "'a' + 'b'",
    "texts compared": "'a' < 'b'",
    "a text counted": "count('aaa', 'a')",
    "a text to a function of numbers": "max('a', 'b')",
    "a number to a function of ids": "has(3)",
    "a name to a function of ids": "number(str)",
    "too long": "1" + " + 1" * MAX_LENGTH,
    "too deep": "(" * 150 + "1" + ")" * 40,
    "a comment": "# 3",
    "a full stop": ".",
    "another script's sign": "str × 2",
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in REFUSED.items()])
def test_what_is_no_arithmetic_is_refused_when_it_is_read(text: str) -> None:
    with pytest.raises(FormulaError):
        Formula(text)


@pytest.mark.parametrize(
    "text", ["1e999", "-1e999", "1e999 - 1e999", "1e308 * 10", "1e999 if 1 else 0"]
)
def test_a_figure_beyond_all_numbers_is_an_error_of_the_formula(text: str) -> None:
    with pytest.raises(FormulaError):
        whole(text)


@pytest.mark.parametrize("text", ["floor(1e999)", "half_up(1e999)"])
def test_a_figure_beyond_all_numbers_cannot_be_rounded(text: str) -> None:
    with pytest.raises(FormulaError):
        whole(text)


@pytest.mark.parametrize("name", ["__class__", "__builtins__", "owner.__class__", "min", "eval"])
def test_a_name_that_no_value_has_has_no_figure(name: str) -> None:
    with pytest.raises(FormulaError):
        whole(name)


def test_the_longest_formula_is_read_and_one_sign_more_is_not() -> None:
    longest = "1+" * (MAX_LENGTH // 2 - 1) + "11"
    assert len(longest) == MAX_LENGTH
    assert whole(longest) == MAX_LENGTH // 2 - 1 + 11
    with pytest.raises(FormulaError, match="longer than 200"):
        Formula(longest + "1")


def test_the_error_of_a_long_formula_is_short() -> None:
    with pytest.raises(FormulaError) as refused:
        Formula("x" * 100_000)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("text", ["-" * 199 + "1", "(" * 90 + "1" + ")" * 90, "not " * 49 + "1"])
def test_depth_within_the_length_is_no_danger(text: str) -> None:
    assert whole(text) in (-1, 0, 1)


@pytest.mark.parametrize("text", ["1000000 * 1000000", "0 - 1000000 * 1000000"])
def test_a_million_millions_is_the_largest_figure(text: str) -> None:
    assert abs(whole(text)) == LARGEST


@pytest.mark.parametrize("text", ["*".join(["99999999"] * 22), "9" * 200, "1000000 * 1000001"])
def test_a_larger_figure_is_refused_before_anything_multiplies_it_again(text: str) -> None:
    with pytest.raises(FormulaError, match="gives more than 1,000,000,000,000"):
        whole(text)


SIGNS = "strknowe.()'\"+-*/%<>=!,0123456789 _[]{}:;~@ifelsandort\n\\\x00é"


@given(text=st.one_of(st.text(SIGNS, max_size=40), st.text(max_size=40)))
def test_any_text_at_all_has_a_whole_figure_or_is_refused(text: str) -> None:
    try:
        figure = whole(text)
    except CharforgeError:
        return
    assert type(figure) is int


PARTS = st.recursive(
    st.sampled_from(["1", "7", "str", "knw", "zero", "max_hp"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["<", "<=", "==", "!="]), inner),
        st.builds("min({}, {})".format, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("-{}".format, inner),
    ),
    max_leaves=8,
)


@given(text=PARTS)
def test_arithmetic_means_what_it_means_everywhere(text: str) -> None:
    """Python's own reading of the same text is the oracle."""
    if len(text) > MAX_LENGTH:
        return
    try:
        wanted = eval(text, {"__builtins__": {}, "min": min}, VALUES)
    except ZeroDivisionError:
        with pytest.raises(FormulaError):
            whole(text)
        return
    assert whole(text) == int(wanted)


@given(amount=st.integers(-(10**9), 10**9))
def test_the_two_halves_of_a_number_are_the_number(amount: int) -> None:
    up, down = Formula("half_up(n)"), Formula("half_down(n)")
    names: Callable[[str], int] = {"n": amount}.__getitem__
    assert up.evaluate(FunctionScope(names)) + down.evaluate(FunctionScope(names)) == amount
    assert up.evaluate(FunctionScope(names)) == math.ceil(amount / 2)


# --------------------------------------------------------------------------- in a pack

IN_A_PACK: TypeAdapter[Formula] = TypeAdapter(Formula)


def test_a_pack_may_write_a_number_or_a_text() -> None:
    assert IN_A_PACK.validate_python("str + 1") == Formula("str + 1")
    assert IN_A_PACK.validate_python(3) == Formula("3")
    assert IN_A_PACK.validate_python(Formula("str")) == Formula("str")


@pytest.mark.parametrize("raw", [None, [], {}, 1.5, "sqrt(2)"])
def test_what_a_pack_may_not_write_is_a_fault_of_the_pack(raw: object) -> None:
    with pytest.raises(ValidationError):
        IN_A_PACK.validate_python(raw)


def test_a_formula_is_written_back_as_it_was_read() -> None:
    assert IN_A_PACK.dump_python(Formula("STR + 1")) == "STR + 1"
    assert IN_A_PACK.dump_python(Formula("-3")) == -3
    assert IN_A_PACK.json_schema()["type"] == ["string", "integer", "boolean"]


def test_the_functions_are_the_few_that_are_documented() -> None:
    assert FUNCTIONS == (
        "min", "max", "half_up", "half_down", "floor", "count", "nth", "length", "has", "number",
        "held", "worn", "used", "chose",
    )  # fmt: skip


UNREADABLE = "it cannot be read as arithmetic"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it must not be empty"),
        ("str +", f"{UNREADABLE}; a number or a name is missing beside a sign"),
        ("ftd + + * 14", f"{UNREADABLE}; a number or a name is missing beside a sign"),
        ("str ftd", UNREADABLE),
        (
            "1w6 + 4",
            f"{UNREADABLE}; a formula cannot roll dice: give the roll a step or a question",
        ),
        ("2str", f"{UNREADABLE}; to multiply, write *"),
        ("9 ** 9", "formulas cannot use **; multiply instead"),
        ("str is 3", "formulas cannot use is; write =="),
        ("str & 3", "formulas cannot use &; write and"),
        (
            "lambda: 3",
            'only numbers, names, arithmetic and comparisons are allowed in a formula: "lambda: 3"',
        ),
        (
            "'a'",
            '"a" is not a number; text is only allowed as an id in '
            "has(), number(), held(), worn(), used() or chose()",
        ),
        ("rand()", f"the only functions are {', '.join(FUNCTIONS)}"),
        ("min(1, 2)()", f"the only functions are {', '.join(FUNCTIONS)}"),
        ("min(1, 2, key=str)", "functions cannot have named arguments"),
        ("has(3)", "has() needs the id of one entity, in quotes"),
        ("number(str)", "number() needs the id of one entity, in quotes"),
        ("number('gear/rope', 2)", "number() needs the id of one entity, in quotes"),
    ],
)
def test_what_is_refused_says_why(text: str, reason: str) -> None:
    with pytest.raises(FormulaError) as refused:
        Formula(text)
    assert (refused.value.text, refused.value.reason) == (text, reason)
    with pytest.raises(ValidationError, match=re.escape(f"Value error, {reason}")):
        IN_A_PACK.validate_python(text)


def test_what_is_no_text_and_no_number_says_so() -> None:
    with pytest.raises(ValidationError, match="Value error, a formula is a number or a text"):
        IN_A_PACK.validate_python(None)
