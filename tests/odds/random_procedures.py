"""Random procedures for tests: all kinds of dice, rerolls, pools, choices and calls."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from charforge.rules.models import Die, Procedure, Symbol
from charforge.rules.ruleset import Ruleset

DICE = ("1d2", "2d2", "1d3", "2d3", "3d2", "1d4", "2d4", "1d6", "2d6", "1dgull", "2dgull")
SYMBOLS = (
    Symbol(id="sun", label="Sun", plural="Suns", cancels="rain"),
    Symbol(id="rain", label="Rain", plural="Rains", cancels="sun"),
    Symbol(id="bow", label="Bow", plural="Bows", counts="sun"),
)
POOL_DICE = (
    Die(id="day", symbols=((), ("sun",), ("sun", "sun"), ("bow",))),
    Die(id="night", symbols=((), ("rain",), ("rain", "bow"))),
)


def with_symbols(ruleset: Ruleset) -> Ruleset:
    """A ruleset that has symbol dice as well."""
    head = ruleset.head
    head = head.model_copy(update={"symbols": SYMBOLS, "dice": (*head.dice, *POOL_DICE)})
    return replace(ruleset, head=head)


class Drawing:
    """Draws the steps of one procedure; ``names`` are its numbers so far."""

    def __init__(self, random: Random, calls: str = "") -> None:
        self.random = random
        self.calls = calls
        self.names = ["told"]
        self.rolls: list[str] = []

    def procedure(self, name: str, steps: int, least: int = 1) -> Procedure:
        made = [self.roll() for _ in range(least)]
        made += [self.step() for _ in range(steps)]
        outputs = self.random.sample(self.names, min(len(self.names), 3))
        when = self.condition() if self.random.random() < 0.3 else None
        raw = {
            "id": name,
            "label": name,
            "source": "rule/keeping",
            "inputs": [{"id": "told", "label": "Told", "default": self.random.randint(0, 3)}],
            "steps": made,
            "outputs": [
                {"id": one, "label": one, "when": when if one == outputs[0] else None}
                for one in outputs
            ],
        }
        return Procedure.model_validate(raw)

    def step(self) -> dict[str, Any]:
        sorts = [self.roll, self.let, self.let, self.let, self.choose, self.change, self.pool]
        sorts += [self.reroll] * bool(self.rolls) * 2 + [self.call] * bool(self.calls) * 2
        sorts += [self.stop]
        made = self.random.choice(sorts)()
        if self.random.random() < 0.35 and made["do"] != "say":
            made["when"] = self.condition()
        if self.random.random() < 0.12 and made["do"] in ("let", "change", "call", "reroll"):
            made["repeat"] = {"while": self.condition(), "at_most": self.random.randint(1, 3)}
        return made

    def _new(self, name: str) -> str:
        """A fresh name, or (sometimes) one that is made anew."""
        if self.random.random() < 0.3 and len(self.names) > 1:
            return self.random.choice(self.names[1:])
        self.names.append(f"{name}{len(self.names)}")
        return self.names[-1]

    def roll(self) -> dict[str, Any]:
        name = self._new("roll")
        self.rolls.append(name)
        made: dict[str, Any] = {"do": "roll", "id": name}
        if self.random.random() < 0.15:
            return {**made, "sides": "2 + min(max(told, 0), 2)"}
        made["dice"] = self.random.choice(DICE)
        if self.random.random() < 0.15:
            made["times"] = self.random.choice(["told > 1", "1 + (told == 2)"])
        return made

    def let(self) -> dict[str, Any]:
        to = self.number() if self.random.random() < 0.7 else self.condition()
        return {"do": "let", "id": self._new("let"), "to": to}

    def choose(self) -> dict[str, Any]:
        high = self.random.choice(["2", "min(max(savings, 0), 2)", "told"])
        return {"do": "choose", "id": self._new("pick"), "label": "Pick", "maximum": high}

    def change(self) -> dict[str, Any]:
        return {
            "do": "change",
            "value": self.random.choice(["savings", "warmth"]),
            "by": f"0 - ({self.number()})" if self.random.random() < 0.7 else self.number(),
            "id": self._new("paid"),
        }

    def pool(self) -> dict[str, Any]:
        name = f"pool{self.random.randint(0, 1)}"
        self.names += [f"{name}_sun", f"{name}_bow"]
        counts = {"day": self.random.randint(0, 2), "night": self.random.choice([1, "told > 0"])}
        return {"do": "pool", "id": name, "dice": counts}

    def reroll(self) -> dict[str, Any]:
        return {
            "do": "reroll",
            "id": self.random.choice(self.rolls),
            "which": self.random.choice(["lowest", "highest", "all"]),
            "times": self.random.choice([1, 1, 2, "told > 1"]),
        }

    def call(self) -> dict[str, Any]:
        return {
            "do": "call",
            "procedure": self.calls,
            "with": {"told": self.number()},
            "take": {self._new("got"): "result"},
        }

    def stop(self) -> dict[str, Any]:
        return {"do": "say", "say": "Enough.", "stop": True, "when": self.condition()}

    def number(self) -> str:
        if self.rolls and self.random.random() < 0.3:
            faces = ", ".join(map(str, self.random.sample(range(1, 7), 2)))
            return f"count({self.random.choice(self.rolls)}_dice, {faces})"
        one, other = self._read(), self._read()
        sign = self.random.choice(["+", "-", "*"])
        return self.random.choice(
            [
                f"{one} {sign} {other}",
                f"min({one}, {other})",
                f"max({one}, 2)",
                one,
                f"{one} + savings",
            ]
        )

    def condition(self) -> str:
        return f"{self.number()} {self.random.choice(['>', '<', '==', '>='])} {self._read()}"

    def _read(self) -> str:
        return self.random.choice([*self.names, "1", "2", "3", "warmth", "told"])


def draw_procedure(ruleset: Ruleset, seed: int) -> tuple[Ruleset, Procedure]:
    """A procedure with the ruleset that it and what it calls belong to."""
    random = Random(seed)
    inner = Drawing(random)
    made = inner.procedure("inner", random.randint(0, 2))
    last = {"do": "let", "id": "result", "to": inner.number()}
    called = Procedure.model_validate(
        {**made.model_dump(by_alias=True, exclude_unset=True),
         "steps": [*(s.model_dump(by_alias=True, exclude_unset=True) for s in made.steps), last]}
    )  # fmt: skip
    outer = Drawing(random, "inner").procedure("outer", random.randint(2, 6))
    found = with_symbols(ruleset)
    return replace(found, procedures={"inner": called, "outer": outer}), outer
