"""A character for Foundry VTT: an actor of the system *Custom System Builder* with its template.

The file is a package for that system's *Import templates*: an actor of type ``_template``, made
from the ruleset alone, so that all characters of a game share it, and the actor of the character.
A field of the template has a key, under which the actor's ``props`` have its value; a dynamic table
has rows there. In a formula ``[2d6]`` rolls dice, and ``sameRow`` reads a column of the same row.
Ids are always the same for the same game and name, so a new import fits tokens on the map.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from markupsafe import Markup

from charforge.export import tabletop
from charforge.export.tabletop import Actor, TabletopNumber, TabletopText
from charforge.language import _
from charforge.replay.replay import Character, Problem
from charforge.sheet import phrases, view
from charforge.sheet.build import blank_view, build

SYSTEM, SYSTEM_VERSION = "custom-system-builder", "6.0.2"
ID_ALPHABET = string.ascii_letters + string.digits
ACTIVE = re.compile(r"\[(?=\[)|[@&](?=\w+\[)")  # where Foundry would see a roll or a link in a text
WORD_JOINER = "\u2060"
ROLL_MESSAGE = (
    "<strong>${!sameRow('rolls_name')}$</strong>: "
    "${[:sameRow('rolls_dice'):] + sameRow('rolls_bonus', 0)}$"
)
Component = dict[str, Any]


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the package as JSON."""
    ruleset = character.state.ruleset
    blank = blank_view(ruleset)
    template = _template(blank)
    template_id = tabletop.derived_id(ID_ALPHABET, 16, SYSTEM, ruleset.id)
    sheet = build(character)
    props = _props(tabletop.actors(sheet, problems), _keys(blank))
    name, game = (
        tabletop.without_tags(phrases.keyboard(name)) for name in (sheet.name, ruleset.head.name)
    )
    actor_id = tabletop.derived_id(ID_ALPHABET, 16, SYSTEM, ruleset.id, name)
    actor = {**template, "template": template_id, "props": props}
    package = {
        "isCustomSystemExport": True,
        "actors": [
            _entry(template_id, "_template", f"{game} (charforge)", template),
            _entry(actor_id, "character", name, actor),
        ],
        "items": [],
    }
    return json.dumps(package, ensure_ascii=False, indent=1) + "\n"


def _entry(id: str, type: str, name: str, data: dict[str, Any]) -> dict[str, Any]:
    flags = {SYSTEM: {"version": SYSTEM_VERSION}}
    return {"id": id, "type": type, "name": name, "data": data, "flags": flags}


# ------------------------------------------------------------------ template


def _template(blank: view.SheetView) -> dict[str, Any]:
    """Return the template of a game: its scores and resources, and tables for everything else."""
    scores = [TabletopNumber(s.label, 0, s.full, s.id) for s in blank.attributes]
    vitals = [TabletopNumber(v.label, 0, v.max, v.id) for v in blank.vitals]
    label = blank.attributes_label or _("Values")
    panels = [
        _panel("scores", label, "grid-4", _number_fields("score", scores)),
        _panel("vitals", _("Now"), "grid-4", _number_fields("vital", vitals)),
        *(
            _panel(f"panel_{key}", label, "vertical", [_table(key, columns)])
            for key, label, columns in _tables()
        ),
    ]
    settings = {
        "hidden": [],
        "display": {"width": 800, "height": 900, "fix_size": False},
        "attributeBar": {},
    }
    header, body = _container("custom_header", []), _container("custom_body", panels)
    parts: dict[str, Any] = dict(header=header, body=body, **settings)
    version = tabletop.derived_id(string.digits, 9, json.dumps(parts))
    return {**parts, "templateSystemUniqueVersion": int(version) + 1}


def _tables() -> Iterator[tuple[str, str, list[Component]]]:
    """Yield the key, the heading and the columns of each table."""
    name = _column(_("Name"), _text_field("name"))
    about = _column(_("About"), _text_field("about"))
    group = _column(_("Kind"), _text_field("group"))
    rich = _column(_("Text"), _input("text", "textArea", style="dialog"))
    roll = _component(
        "roll", "label", style="button", size="full-size", icon="dice", value=_("Roll"), prefix="",
        suffix="", rollMessage=ROLL_MESSAGE, altRollMessage="", rollMessageToChat=True,
        altRollMessageToChat=True,
    )  # fmt: skip
    dice = _column(_("Dice"), _text_field("dice"))
    bonus = _column(_("Bonus"), _number_field("bonus"))
    yield "rolls", _("Rolls"), [name, dice, bonus, about, _column("", roll)]
    now, most = _number_field("now"), _number_field("most")
    yield "numbers", _("Numbers"), [name, _column(_("Now"), now), _column(_("Maximum"), most)]
    yield "facts", _("Values"), [group, name, _column(_("Text"), _text_field("text"))]
    yield "cards", _("Abilities and gear"), [group, name, rich]
    yield "story", _("Story"), [group, name, rich]


def _component(key: str, type: str, **fields: Any) -> Component:
    """Return a component with the fields that all of them have."""
    return dict(
        key=key, type=type, colSpan=1, rowSpan=1, cssClass="", role=0, editRole=0, permission=0,
        tooltip="", visibilityFormula="", editableFormula="", escapeHTML=False, **fields,
    )  # fmt: skip


def _container(key: str, contents: list[Component]) -> Component:
    return {"key": key, "type": "panel", "contents": contents}


def _panel(key: str, title: str, flow: str, contents: Iterable[Component]) -> Component:
    return _component(
        key, "panel", flow=flow, align="left", verticalAlign="top", collapsible=True,
        defaultCollapsed=False, title=_label(title), titleStyle="title", contents=list(contents),
    )  # fmt: skip


def _table(key: str, columns: list[Component]) -> Component:
    return _component(
        key, "dynamicTable", head=True, deleteWarning=True, canPlayerAdd=True, hiddenColumns=[],
        predefinedLines=[], contents=[],
        rowLayout=[{**column, "key": f"{key}_{column['key']}"} for column in columns],
    )  # fmt: skip


def _column(label: str, component: Component) -> Component:
    return {**component, "align": "left", "colName": _label(label)}


def _input(key: str, type: str, label: str = "", **fields: Any) -> Component:
    """Return a component that players fill in."""
    return _component(key, type, size="full-size", label=_label(label), defaultValue="", **fields)


def _text_field(key: str) -> Component:
    return _input(key, "textField", charList="", maxLength="")


def _number_field(key: str, label: str = "", most: str = "") -> Component:
    return _input(
        key, "numberField", label, allowDecimal=False, minVal="", maxVal=most, allowRelative=True,
        showControls=True, controlsStyle="hover", inputStyle="text",
    )  # fmt: skip


def _number_fields(prefix: str, numbers: Iterable[TabletopNumber]) -> Iterator[Component]:
    """Yield the field of each number; one with a maximum has that beside it, and a token bar."""
    for number in numbers:
        key = _key(prefix, number)
        if number.most is None:
            yield _number_field(key, number.label)
        else:
            yield _number_field(key, number.label, f"${{{key}_max}}$")
            yield _number_field(f"{key}_max", _("{value}, maximum").format(value=number.label))


def _label(text: str) -> str:
    """Return a text of the rules as HTML, in which no character starts a formula."""
    return escape(phrases.keyboard(text), quote=False).replace("{", "&#123;")


def _key(prefix: str, number: TabletopNumber) -> str:
    return re.sub(r"\W", "_", f"{prefix}_{number.id}")


def _keys(blank: view.SheetView) -> set[str]:
    """Return the keys of the fields for scores and resources."""
    scores = {_key("score", TabletopNumber("", 0, id=score.id)) for score in blank.attributes}
    return scores | {_key("vital", TabletopNumber("", 0, id=vital.id)) for vital in blank.vitals}


# ------------------------------------------------------------------ values


def _props(figures: Sequence[Actor], keys: set[str]) -> dict[str, Any]:
    """Return the values of the actor; a number without a field in the template is in a table."""
    props: dict[str, Any] = {}
    numbers: list[TabletopNumber] = []
    for figure in figures:
        for prefix, listed in (("score", figure.scores), ("vital", figure.vitals)):
            for number in listed:
                key = _key(prefix, number)
                if figure.name or key not in keys:
                    numbers.append(number._replace(label=figure.named(number.label)))
                    continue
                props[key] = number.now
                if number.most is not None:
                    props[f"{key}_max"] = number.most
        numbers += (n._replace(label=figure.named(n.label)) for n in figure.numbers)
    rolls = [
        {"name": figure.named(r.label), "dice": r.dice, "bonus": r.bonus, "about": r.about}
        for figure in figures
        for r in figure.rolls
    ]
    return {
        **props,
        "rolls": _rows("rolls", rolls),
        "numbers": _rows(
            "numbers",
            (
                {"name": n.label, "now": n.now, "most": "" if n.most is None else n.most}
                for n in numbers
            ),
        ),
        "facts": _rows("facts", _text_rows(figures, "fact")),
        "cards": _rows("cards", _text_rows(figures, "card")),
        "story": _rows("story", _text_rows(figures, "story")),
    }


def _rows(table: str, rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the rows of a table as the system numbers them, with the keys of its columns.

    Cells that are no HTML yet contain none.
    """

    def cell(value: Any) -> Any:
        return tabletop.without_tags(value) if type(value) is str else value

    return {
        str(number): {f"{table}_{key}": cell(value) for key, value in row.items()}
        | {"$deleted": False}
        for number, row in enumerate(rows)
    }


def _text_rows(figures: Iterable[Actor], kind: tabletop.TextKind) -> Iterator[dict[str, Any]]:
    for figure in figures:
        for text in figure.texts:
            if text.kind == kind:
                shown = text.line if kind == "fact" else _rich(text)
                yield {"group": text.group, "name": figure.named(text.label), "text": shown}


def _rich(text: TabletopText) -> Markup:
    """Return a text as HTML in which Foundry finds no roll and no link."""
    return Markup(ACTIVE.sub(rf"\g<0>{WORD_JOINER}", text.html))  # noqa: S704  # nosec B704
