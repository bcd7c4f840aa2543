"""Hostile texts, and every field that can contain a text."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, cycle
from typing import Any

Way = tuple[str | int, ...]
Shape = tuple[str, ...]

PRODUCT = "7919 * 104729"
WORKED_OUT = str(7919 * 104729)  # nobody writes it, so whoever reads it has run a template
WORDS = "Some plain words"


def payloads(canary: str, address: str) -> dict[str, str]:
    """Return texts by what they try: to read the file ``canary``, to ask ``address``, to run.

    Each is short enough for a name. Texts that the same places refuse, for their markup or their
    braces, stand in one: a place takes all of it or nothing.
    """
    asked = f"{address}/x"
    return {
        "words": f"x link={asked} {canary} javascript:alert(1) data:text/html,x"
        " ../../../../x ..\\..\\x /etc/passwd C:\\x \\\\host\\x con nul.txt -rf ~",
        "marks": f"[link={asked}]x[/link] [/bold] [/] [@click=x]y[/] \\ [bold \\",
        "markdown": f"![x]({asked}) [x]({canary}) <{asked}> ![[{canary}]] `=x` $x$ ~~~ ```",
        "css": f"x\\'\\\"; }} @import url('{asked}'); a {{ background: url({canary}) }} /* */"
        " x\" onload=\"window.ran=1\" x=' onerror='window.ran=1' style='x:y' `${ran=1}`",
        "script": "</script></style></title><script>window.ran=1;alert(1)</script><!-- ]]>"
        f"<img src={asked} onerror=window.ran=1><iframe src={canary}></iframe>",
        "object": f"<object data={canary}></object><embed src={asked}><base href={address}>",
        "meta": f"<meta http-equiv=refresh content='0;url={asked}'><form action={asked}>"
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "{canary}">]><svg><text>&e;',
        "attached": f"<link rel=attachment href='{canary}'><a rel=attachment href={canary}>x</a>"
        f"<link rel=stylesheet href={asked}>",
        "svg": f"<svg onload=window.ran=1><image href='{canary}'/><use href='{asked}#x'/>"
        f"<script>window.ran=1</script></svg>",
        "styled": f"<style>@import '{asked}'; *{{background:url({canary})}}</style>"
        '\\u003cscript>window.ran=1</script> ","do":"x"} -->',
        "template": f"{{{{ {PRODUCT} }}}} {{{{ ''.__class__.__mro__ }}}} {{{{ view }}}}",
        "block": f"{{% include '{canary}' %}} {{% for x in y %}} {{# x #}}"
        " {0.__class__} {} {name!r} {0[0]} %s %(name)s %d $HOME `id` $(id)",
        "formula": "{().__class__.__base__} {__import__('os').system('id')} } { {{ {% }}",
    }


def strings(data: Any, way: Way = ()) -> Iterator[tuple[Way, str]]:
    """Yield every text in lists and maps with the way to it; keys are none."""
    if isinstance(data, str):
        yield way, data
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from strings(value, (*way, key))


def shape(data: Any, way: Way) -> Shape:
    """Return what places of one sort have in common: their keys, and of what an event is one."""
    found, inside = [], data
    for key in way:
        inside = inside[key]
        found.append("*" if isinstance(key, int) else str(key))
        if isinstance(inside, dict) and isinstance(inside.get("do"), str):
            found[-1] += f":{inside['do']}"
    return tuple(found)


def shapes(data: Any) -> dict[Shape, list[Way]]:
    """Return the places of texts by their shape."""
    found: dict[Shape, list[Way]] = {}
    for way, _text in strings(data):
        found.setdefault(shape(data, way), []).append(way)
    return found


def replaced(data: Any, texts: Mapping[Way, str]) -> Any:
    """Return data with other texts at some places."""
    made = copy.deepcopy(data)
    for way, text in texts.items():
        inside = made
        for key in way[:-1]:
            inside = inside[key]
        inside[way[-1]] = text
    return made


class Tried(ABC):
    """Data of which some texts are others, again and again: which places take which."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.shapes = shapes(data)
        ways = chain.from_iterable(self.shapes.values())
        self.order = {way: number for number, way in enumerate(ways)}

    @abstractmethod
    def takes(self, texts: Mapping[Way, str]) -> bool:
        """Whether the data with these texts is still good."""

    def free(self) -> list[Shape]:
        """Return where plain words may stand."""
        return [shape for shape in self.shapes if self.takes(self.everywhere(shape, WORDS))]

    def everywhere(self, shape: Shape, text: str) -> dict[Way, str]:
        """Return a text for every place of a shape, told apart by a number."""
        return {way: f"{text} n{self.order[way]}" for way in self.shapes[shape]}

    def in_turn(self, shape: Shape, texts: Sequence[str]) -> dict[Way, str]:
        """Return one of some texts for each place of a shape."""
        turns = zip(self.shapes[shape], cycle(texts), strict=False)
        return {way: f"{text} n{self.order[way]}" for way, text in turns}

    def takers(self, shapes: list[Shape], text: str) -> list[Shape]:
        """Return those of some places that take a text, tried together and then apart."""
        if not shapes:
            return []
        together: dict[Way, str] = {}
        for shape in shapes:
            together |= self.everywhere(shape, text)
        if self.takes(together):
            return shapes
        if len(shapes) == 1:
            return []
        middle = len(shapes) // 2
        return self.takers(shapes[:middle], text) + self.takers(shapes[middle:], text)

    def hostile(self, payloads: Mapping[str, str]) -> dict[Shape, list[str]]:
        """Return which payloads each place where plain words may stand takes: each, somewhere.

        Places that refused one, such as a short name, often refuse more: they are tried apart,
        so that all others take a text in one trial.
        """
        free = self.free()
        found: dict[Shape, list[str]] = {shape: [] for shape in free}
        apart: list[Shape] = []
        for text in payloads.values():
            takers = self.takers([shape for shape in free if shape not in apart], text)
            takers += [shape for shape in apart if self.takes(self.everywhere(shape, text))]
            apart += [shape for shape in free if shape not in takers and shape not in apart]
            for shape in takers:
                found[shape].append(text)
        assert {*chain.from_iterable(found.values())} == {*payloads.values()}
        return found

    def whole(self, found: Mapping[Shape, list[str]]) -> dict[Way, str]:
        """Return all that each place takes; one of it where together it is too long."""
        texts: dict[Way, str] = {}
        for shape, taken in found.items():
            together = self.everywhere(shape, " ".join(taken))
            texts |= together if self.takes(together) else self.in_turn(shape, taken)
        return texts

    def one_each(self, found: Mapping[Shape, list[str]]) -> dict[Way, str]:
        """Return one of what it takes for each place."""
        texts: dict[Way, str] = {}
        for shape, taken in found.items():
            texts |= self.in_turn(shape, taken)
        return texts
