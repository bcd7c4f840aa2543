"""A faulty pack: each mistake is named with its file, its line and the nearest right name.

Every case is the toy pack with one edit. ``at`` is a text that stands, for the first time, on
the line that must be reported.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rules.faulty import Case

HEAD, PEOPLE, THINGS, RULINGS = "ruleset.yaml", "people.yaml", "things.yaml", "rulings.yaml"

KEYS = {
    "unknown key of an entity": Case(
        THINGS, "made_of: Iron", "made_off: Iron", "made_off", "unknown key", "made_of"
    ),
    "unknown key of a modifier": Case(
        PEOPLE, "amount: 1, when:", "amount: 1, wehn:", "wehn:", "unknown key", "when"
    ),
    "unknown key of a question": Case(
        HEAD, "    up_to: true\n", "    upto: true\n", "upto", "unknown key", "up_to"
    ),
    "unknown key of a ruling": Case(
        RULINGS, "table_rule:", "tabel_rule:", "tabel_rule", "unknown key", "table_rule"
    ),
    "unknown key at the top of a page": Case(
        RULINGS, "rulings:", "rullings:", "rullings", "unknown key", "rulings"
    ),
    "unknown key at the top of ruleset.yaml": Case(
        HEAD, "\ntimings:", "\ntimmings:", "timmings:", "unknown key", "timings"
    ),
    "missing key of an entity": Case(
        THINGS, "{id: pet/gull, name: Gull, ", "{id: pet/gull, ", "pet/gull", "is missing"
    ),
    "missing key of ruleset.yaml": Case(HEAD, "version: 0.1.0\n", "", "id: toy", "is missing"),
    "key written twice": Case(
        PEOPLE,
        "tags: [shore]",
        "tags: [shore]\n    tags: [beach]",
        "tags: [beach]",
        "written twice",
    ),
}
TYPES = {
    "text for a number of a kind's own": Case(
        THINGS, "weight: 7", "weight: heavy", "weight: heavy", "it must be a whole number"
    ),
    "flag for a number of a kind's own": Case(
        THINGS, "weight: 7", "weight: true", "weight: true", "it must be a whole number"
    ),
    "number for a flag": Case(
        THINGS, "    fragile: true\n", "    fragile: 1\n", "fragile: 1", "it must be true or false"
    ),
    "text for a list": Case(
        THINGS, "parts: [wick, chimney]", "parts: wick", "parts: wick", "must be a list"
    ),
    "number for a text of a kind's own": Case(
        THINGS, "made_of: Iron", "made_of: 3", "made_of: 3", "must be a text"
    ),
    "text for a number": Case(
        THINGS, "price: 6", "price: six", "price: six", "a whole number, not the text 'six'"
    ),
    "text for a flag": Case(
        PEOPLE, "repeatable: true", "repeatable: sometimes", "sometimes", "it must be true or false"
    ),
    "number for a name": Case(THINGS, "name: Lantern", "name: 12", "name: 12", "it must be a text"),
    "list where a map belongs": Case(
        HEAD, "groups: {knacks: Knacks}", "groups: [knacks]", "groups: [", "it must be a map"
    ),
    "map where a list belongs": Case(
        HEAD,
        "  - {id: gull, faces: [1, 1, 3, 5, 8]}",
        "  gull: [1, 3]",
        "dice:\n",
        "not a map; begin",
    ),
    "text where an entity belongs": Case(
        THINGS,
        "  - {id: gear/candle, name: Candle, source: Gear}",
        "  - candle",
        "- candle",
        "it must be a map",
    ),
    "a level below 1": Case(
        THINGS,
        "quantity: 2",
        "quantity: 0",
        "quantity: 0",
        "it must be at least 1, not the number 0",
    ),
    "an id that is no slug": Case(
        THINGS, "id: boat/skiff", "id: boat/The Skiff", "boat/The Skiff", "it must be an id"
    ),
    "a control character in a text": Case(
        PEOPLE,
        "text: The light is yours",
        'text: "The\\x07 light is yours"  #',
        "The\\x07",
        "a control character",
    ),
    "an unknown operation": Case(
        PEOPLE, "op: multiply", "op: mutliply", "mutliply", "is none of set", "multiply"
    ),
    "an unknown kind of question": Case(
        HEAD, "do: enter", "do: type", "id: savings\n    do", "enter, write, give"
    ),
    "an empty list of faces": Case(
        HEAD, "faces: [1, 1, 3, 5, 8]", "faces: []", "id: gull", "a die has either 'faces'"
    ),
    "a table rule whose default is no option": Case(
        HEAD, "default: crown", "default: king", "id: wrecks", "none of the options"
    ),
    "a requirement that says two things": Case(
        PEOPLE,
        "{has: habit/night-watch}",
        "{has: habit/night-watch, trained: self}",
        "trained: self}",
        "exactly one of",
    ),
    "a requirement that says nothing": Case(
        PEOPLE,
        "requires: {has: habit/night-watch}",
        "requires: {}",
        "requires: {}",
        "exactly one of",
    ),
    "a choice between nothing": Case(
        HEAD, "    among: {kind: charm}\n", "", "id: superstition", "'among' or 'options'"
    ),
    "a choice with two sources of options": Case(
        PEOPLE,
        "{values: knacks}",
        "{values: knacks, terms: signals}",
        "terms: signals",
        "one source of options",
    ),
}
NAMES = {
    "unknown entity in a requirement": Case(
        PEOPLE,
        "{has: habit/night-watch}",
        "{has: habit/nigth-watch}",
        "nigth",
        "no entity is named",
        "habit/night-watch",
    ),
    "unknown entity deep in a requirement": Case(
        PEOPLE, "{has: gear/rope}", "{has: gear/roep}", "gear/roep", "no entity", "gear/rope"
    ),
    "unknown entity held": Case(
        PEOPLE,
        "{has: gear/signal-lamp}",
        "{has: gear/signal-lam}",
        "gear/signal-lam}",
        "no entity",
        "gear/signal-lamp",
    ),
    "unknown entity granted": Case(
        PEOPLE,
        "grants: [training/signals,",
        "grants: [training/signal,",
        "training/signal,",
        "no entity",
        "training/signals",
    ),
    "unknown entity granted by an option": Case(
        HEAD,
        "grants: [gear/spyglass]",
        "grants: [gear/spy-glass]",
        "gear/spy-glass",
        "no entity",
        "gear/spyglass",
    ),
    "unknown entity replaced": Case(
        PEOPLE,
        "replaces: habit/night-watch",
        "replaces: habit/night-wach",
        "night-wach",
        "no entity",
        "habit/night-watch",
    ),
    "alias of nothing": Case(
        THINGS,
        "alias_of: gear/oilskin",
        "alias_of: gear/oil-skin",
        "gear/oil-skin",
        "no entity",
        "gear/oilskin",
    ),
    "unknown entity in a formula": Case(
        PEOPLE,
        "number('gear/candle')",
        "number('gear/candel')",
        "gear/candel",
        "no entity",
        "gear/candle",
    ),
    "unknown entity on the sheet": Case(
        HEAD,
        "always: [rule/keeping]",
        "always: [rule/keepin]",
        "rule/keepin]",
        "no entity",
        "rule/keeping",
    ),
    "unknown source of a table": Case(
        HEAD,
        "source: rule/keeping\n        blank",
        "source: rule/kepin\n        blank",
        "rule/kepin",
        "no entity",
        "rule/keeping",
    ),
    "unknown source of bounds that values share": Case(
        HEAD,
        "maximum: 9, source: rule/knacks",
        "maximum: 9, source: rule/knack",
        "rule/knack}",
        "no entity",
        "rule/knacks",
    ),
    "unknown value modified": Case(
        PEOPLE, "{value: oil, op", "{value: oill, op", "oill", "no value is named", "oil"
    ),
    "unknown value demanded": Case(
        PEOPLE, "{id: luck, at_most: 8}", "{id: luk, at_most: 8}", "{id: luk,", "no value", "luck"
    ),
    "unknown value in a formula": Case(
        HEAD, "formula: nerve + 4", "formula: nerves + 4", "nerves", "no value", "nerve"
    ),
    "unknown value in a condition": Case(
        HEAD, "when: warmth == 0", "when: warmht == 0", "warmht", "no value", "warmth"
    ),
    "unknown value in a table's head": Case(
        HEAD, "columns: [oil, reach]", "columns: [oil, raech]", "raech", "no value", "reach"
    ),
    "unknown value in a table's cell": Case(
        HEAD, "eyes + 4]", "eye + 4]", "eye + 4", "no value", "eyes"
    ),
    "unknown value a roll is added to": Case(
        HEAD, "to: luck", "to: lukc", "lukc", "no value", "luck"
    ),
    "unknown value a figure is entered into": Case(
        HEAD, "to: savings", "to: saving", "to: saving\n", "no value", "savings"
    ),
    "unknown value a table is read by": Case(
        HEAD, "blank: carry", "blank: carry\n        by: lvel", "by: lvel", "no value", "level"
    ),
    "unknown value that chance prefers": Case(
        PEOPLE, "priority: [hands, nerve]", "priority: [hand, nerve]", "[hand,", "no value", "hands"
    ),
    "unknown value shown as a vital": Case(
        HEAD, "{current: warmth,", "{current: warmht,", "warmht", "no value", "warmth"
    ),
    "unknown value shown as a figure": Case(
        HEAD, "figures: [reach, oil]", "figures: [reach, oill]", "oill", "no value", "oil"
    ),
    "unknown group of a value": Case(
        HEAD,
        "name: Nerve, group: knacks",
        "name: Nerve, group: knack",
        "name: Nerve",
        "no group",
        "knacks",
    ),
    "unknown group on the sheet": Case(
        HEAD, "attributes: knacks", "attributes: knack", "attributes: knack\n", "no group", "knacks"
    ),
    "unknown value of a unit type": Case(
        HEAD, "hull: {formula", "hulk: {formula", "hulk", "no value", "hull"
    ),
    "unknown value whose name stands within another": Case(
        HEAD, "      luck: {}\n", "      arm: {}\n", "arm: {}", "no value is named", "warmth"
    ),
    "unknown value of an entity": Case(
        THINGS, "values: {hull: 4}", "values: {hul: 4}", "{hul:", "no value", "hull"
    ),
    "unknown value an attack hits with": Case(
        THINGS, "hit: hands", "hit: hand", "hit: hand,", "no value", "hands"
    ),
    "unknown value an attack is met with": Case(
        THINGS, "defence: nerve", "defence: never", "never", "no value", "nerve"
    ),
    "unknown group modified": Case(
        PEOPLE, "group:knacks", "group:knack", 'group:knack"', "no group is named", "knacks"
    ),
    "unknown group chosen from": Case(
        PEOPLE, "{values: knacks}", "{values: knack}", "{values: knack}", "no group", "knacks"
    ),
    "unknown group assigned to": Case(
        HEAD, "to: group:knacks", "to: group:knaks", "knaks", "no group", "knacks"
    ),
    "unknown kind in a query": Case(
        PEOPLE, "{has: {kind: boat}}", "{has: {kind: boot}}", "boot}", "no kind is named", "boat"
    ),
    "unknown kind chosen from": Case(
        HEAD, "among: {kind: habit}", "among: {kind: habits}", "{kind: habits}", "no kind", "habit"
    ),
    "unknown kind on the sheet": Case(
        HEAD, "cards: [habit]", "cards: [habbit]", "habbit", "no kind", "habit"
    ),
    "unknown kind in an id": Case(
        THINGS, "id: pet/gull", "id: pett/gull", "pett/gull", "no kind of entity", "pet"
    ),
    "unknown tag": Case(
        PEOPLE, "tags: {any: [watch]}", "tags: {any: [wacth]}", "wacth", "no tag", "watch"
    ),
    "unknown vocabulary": Case(
        THINGS, "terms: signals", "terms: signls", "signls", "no vocabulary", "signals"
    ),
    "unknown term": Case(THINGS, "red, horn]", "red, hron]", "hron", "no term is named", "horn"),
    "unknown type of an attack": Case(
        THINGS, "type: [white, red]", "type: [white, redd]", "redd", "type is named", "red"
    ),
    "unknown section of a step": Case(
        HEAD,
        "section: stores\n    minimum",
        "section: store\n    minimum",
        "section: store\n",
        "no section",
        "stores",
    ),
    "unknown section of an entity's choice": Case(
        THINGS, "section: evening", "section: evenings", "evenings", "no section", "evening"
    ),
    "unknown timing": Case(PEOPLE, "timing: watch", "timing: wacht", "wacht", "no timing", "watch"),
    "unknown resource": Case(
        THINGS, "cost: {wicks: 1}", "cost: {wick: 1}", "{wick:", "no resource", "wicks"
    ),
    "unknown ruling": Case(
        PEOPLE, "rulings: [L1]", "rulings: [L11]", "L11", "no ruling is named", "L1"
    ),
    "unknown table rule of a ruling": Case(
        RULINGS, "table_rule: wrecks", "table_rule: wreck", "wreck\n", "no table rule", "wrecks"
    ),
    "unknown ruling of a table rule": Case(
        HEAD, "ruling: L1", "ruling: L11", "L11", "no ruling is named", "L1"
    ),
    "unknown unit type": Case(
        HEAD, "unit: boat}", "unit: boats}", "unit: boats}", "no unit type", "boat"
    ),
    "unknown field that is summed": Case(
        HEAD,
        "minimum: 1}     # a boat has no nerve: its keeper's counts\n"
        "      load: {total_of: weight}",
        "minimum: 1}\n      load: {total_of: wieght}",
        "wieght",
        "no field",
        "weight",
    ),
    "unknown choice modified": Case(
        PEOPLE, "{value: $knack, amount", "{value: $knak, amount", "$knak,", "no choice", "knack"
    ),
    "unknown choice in a text": Case(
        PEOPLE, "Your {$knack}", "Your {$knackk}", "$knackk", "no choice", "knack"
    ),
    "unknown choice that must differ": Case(
        PEOPLE, "distinct: knack", "distinct: knac", "distinct: knac\n", "no choice", "knack"
    ),
    "unknown choice settled by a grant": Case(
        HEAD, "with: {colour: red}", "with: {color: red}", "color:", "no choice", "colour"
    ),
    "unknown question of the story": Case(
        HEAD, "story: [story,", "story: [stroy,", "stroy", "no question", "story"
    ),
    "unknown value that a group's table sets": Case(
        THINGS, "values: {hull: 4}", "values: {hull: nerves}", "nerves", "no value", "nerve"
    ),
    "unknown die": Case(HEAD, "dice: 5dgull", "dice: 5dgul", "5dgul\n", "no die is named", "gull"),
    "no dice at all": Case(HEAD, "dice: 2d6", "dice: 0d6", "0d6", "at least one die"),
    "unknown value of a track": Case(
        HEAD, "value: weather", "value: wether", "value: wether", "no value is named", "weather"
    ),
    "unknown roll whose faces are options": Case(
        HEAD,
        "faces: storm.roll",
        "faces: storm.rol",
        "faces: storm.rol}",
        "no roll is named",
        "storm.roll",
    ),
    "unknown roll whose dice are assigned": Case(
        HEAD,
        "scores: {roll: storm.roll,",
        "scores: {roll: storm.rol,",
        "storm.rol,",
        "no roll is named",
        "storm.roll",
    ),
    "unknown choice of dice left out": Case(
        HEAD, "without: storm.drop", "without: storm.dorp", "storm.dorp", "no choice", "storm.drop"
    ),
    "a question whose faces are options but which is no roll": Case(
        HEAD,
        "faces: storm.roll",
        "faces: superstition",
        "faces: superstition",
        "no roll is named",
        "",
    ),
    "unknown field a budget counts": Case(
        HEAD, "cost: weight, within", "cost: wieght, within", "cost: wieght", "no field", "weight"
    ),
    "unknown option settled by a grant": Case(
        HEAD, "with: {colour: red}", "with: {colour: rde}", "rde}", "no option", "red"
    ),
    "unknown option suggested": Case(
        PEOPLE,
        "among: {values: knacks}}",
        "among: {values: knacks}, default: eys}",
        "eys}",
        "no option",
        "eyes",
    ),
    "unknown figure in a trigger": Case(
        PEOPLE, "when the fog comes down", "up to {EYE} km away", "{EYE} km", "no value", "eyes"
    ),
    "unknown figure in a text": Case(
        PEOPLE, "{1d6 + EYES}", "{1d6 + EYE}", "EYE}", "no value", "eyes"
    ),
}
FORMULAS = {
    "unreadable": Case(HEAD, "nerve + 4", "nerve +", "nerve +,", "cannot be read"),
    "empty": Case(HEAD, "plus: nerve", 'plus: ""', 'plus: ""', "it is empty"),
    "too long": Case(
        HEAD, "plus: nerve", f"plus: nerve{' + nerve' * 40}", "plus: nerve", "longer than 200"
    ),
    "unknown function": Case(
        HEAD, "half_down(owner.hands)", "sqrt(owner.hands)", "sqrt", "only functions are"
    ),
    "attribute": Case(
        HEAD, "half_down(owner.hands)", "hands.real", "hands.real", "Attribute is not allowed"
    ),
    "power": Case(HEAD, "nerve + 4", "9 ** 9 ** 9", "9 ** 9", "Pow is not allowed"),
    "lambda": Case(HEAD, "nerve + 4", '"(lambda: 4)()"', "lambda", "only functions are"),
    "comprehension": Case(
        HEAD, "nerve + 4", '"max([n for n in (1, 2)])"', "for n in", "ListComp is not allowed"
    ),
    "text": Case(HEAD, "nerve + 4", "\"'a' * 4\"", "'a' * 4", "text"),
    "a list": Case(HEAD, "nerve + 4", "[1, 2]", "[1, 2]", "a number or a text"),
    "in a text of the pack": Case(
        PEOPLE, "{1d6 + EYES}", "{1d6 + sqrt(EYES)}", "sqrt", "only functions are"
    ),
    "a stray brace": Case(
        PEOPLE, "{{Only tonight.}}", "Only tonight.}", "Only tonight.}", "a single brace"
    ),
    "an empty figure": Case(PEOPLE, "Your {$knack}", "Your {}", "Your {}", "it is empty"),
    "computed from itself": Case(
        HEAD,
        "formula: nerve + 4",
        "formula: max_warmth + 4",
        "max_warmth + 4",
        "computed from itself",
    ),
    "computed from itself by way of another": Case(
        HEAD,
        "formula: nerve + 4",
        "formula: warmth + 4",
        "max_warmth: {formula",
        "computed from itself",
    ),
    "computed from itself by way of a table": Case(
        HEAD,
        "1: [3, eyes + 2]",
        "1: [reach, oil + 2]",
        "      oil: {}",
        "computed from itself",
    ),
    "computed from itself by way of what is held": Case(
        PEOPLE,
        "{value: max_load, amount: 3}",
        "{value: max_load, amount: max_load}",
        "amount: max_load",
        "computed from itself",
    ),
    "computed from itself by way of two things held": Case(
        PEOPLE,
        "amount: half_up(nerve)}",
        "amount: half_up(nerve)}\n      - {value: nerve, amount: luck}\n"
        "      - {value: luck, amount: nerve}",
        "{value: luck, amount: nerve}",
        "computed from itself",
    ),
    "computed from itself by way of a choice": Case(
        PEOPLE,
        "{value: $knack, amount: 1}",
        "{value: $knack, amount: max_load}",
        "amount: max_load",
        "computed from itself",
    ),
    "computed from itself by way of an option": Case(
        HEAD,
        "modifies: [{value: eyes, amount: 1}]",
        "modifies: [{value: eyes, amount: eyes}]",
        "amount: eyes}",
        "computed from itself",
    ),
    "dice that are not simply added": Case(
        PEOPLE, "{1d6 + EYES}", "{1d6 * EYES}", "{1d6 * EYES}", "dice come first"
    ),
    "dice of an attack": Case(
        THINGS, "damage: 1d6 + hands", "damage: 1d6 + hand", "hand,", "no value", "hands"
    ),
    "an id without quotes": Case(
        PEOPLE, "number('gear/candle')", "number(eyes)", "number(eyes)", "takes the id"
    ),
    "dice of a roll by a wrong name": Case(
        HEAD, "count(roll, 8)", "count(rol, 8)", "count(rol,", "no value", "roll"
    ),
    "the faces of a roll outside of one": Case(
        HEAD, "nerve + 4", '"count(roll, 4)"', "count(roll, 4)", "no value"
    ),
    "a value while dice are rolled": Case(
        HEAD, "count(roll, 8) == 0", "nerve == 0", "nerve == 0", "no value"
    ),
    "a field of an entity outside of a query": Case(
        HEAD, "nerve + 4", "weight + 4", "weight + 4", "no value"
    ),
    "a value where an entity's own figures count": Case(
        HEAD, "where: weight >= 1", "where: hands >= 1", "hands >= 1", "no value"
    ),
    "an owner that the character has not": Case(
        HEAD, "nerve + 4", "owner.nerve + 4", "owner.nerve + 4", "no value", "nerve"
    ),
}
TABLES = {
    "a gap between the rows": Case(
        HEAD, "          3: [5, null]", "          4: [5, null]", "id: watches", "without a gap"
    ),
    "rows out of order": Case(
        HEAD,
        "          1: [3, eyes + 2]\n          2: [null, eyes + 4]",
        "          2: [null, eyes + 4]\n          1: [3, eyes + 2]",
        "id: watches",
        "in order",
    ),
    "a blank cell that carries nothing": Case(
        HEAD, "1: [3, eyes + 2]", "1: [null, eyes + 2]", "id: watches", "nothing to carry"
    ),
    "a blank cell in a table without carry": Case(
        HEAD, "        blank: carry\n", "", "id: watches", "nothing to carry"
    ),
    "a row that is too short": Case(
        HEAD, "3: [5, null]", "3: [5]", "id: watches", "row 3 has 1 cells for 2 columns"
    ),
}
FILES = {
    "indented with a tab": Case(
        PEOPLE, "    name: Boatman", "\tname: Boatman", "\tname: Boatman", "tab"
    ),
    "a bracket left open": Case(
        THINGS, "parts: [wick, chimney]", "parts: [wick, chimney", "[wick, chimney", "no ]"
    ),
    "an anchor that holds itself": Case(
        PEOPLE,
        "requires: {has: {kind: boat}}",
        "requires: &loop {not: *loop}",
        "*loop",
        "an alias inside the very part that it stands for",
    ),
    "an anchor nobody set": Case(
        HEAD, "eyes: *knack", "eyes: *knak", "*knak", "stands nowhere before it"
    ),
    "a value id that exists already": Case(
        HEAD,
        "\ngroups:",
        "\n  - {id: luck, label: More, name: More luck}\ngroups:",
        "More luck",
        "exists already",
    ),
    "a kind that exists already": Case(
        HEAD,
        "  - id: gear\n",
        "  - {id: boat, label: Ship, plural: Ships}\n  - id: gear\n",
        "label: Ship",
        "exists already",
    ),
    "a unit type that exists already": Case(
        HEAD,
        "\nkinds:",
        "  - {id: boat, label: Ship, values: {}}\n\nkinds:",
        "label: Ship",
        "exists already",
    ),
    "a section that exists already": Case(
        HEAD,
        "\ncreation:",
        "  - {id: stores, label: More stores}\n\ncreation:",
        "More stores",
        "exists already",
    ),
    "a question that exists already": Case(
        HEAD,
        "\nsheet:",
        "  - {id: story, do: write, section: post, label: And then?}\n\nsheet:",
        "And then?",
        "exists already",
    ),
    "a choice that exists already": Case(
        PEOPLE,
        "    modifies:\n      - {value: $knack",
        "      - {id: knack, do: write, label: Why that?}\n    modifies:\n      - {value: $knack",
        "Why that?",
        "exists already",
    ),
    "an option that exists already": Case(
        HEAD,
        "      - id: spyglass\n",
        "      - {id: bell, label: Two}\n      - id: spyglass\n",
        "label: Two",
        "exists already",
    ),
    "a term that exists already": Case(
        HEAD, "\ndice:", "    - {id: red, label: Deep red}\n\ndice:", "Deep red", "exists already"
    ),
    "a table rule that exists already": Case(
        HEAD,
        "\nsections:",
        "  - {id: wrecks, label: Whose?, default: a, options: [{id: a, label: A}, "
        "{id: b, label: B}]}\n\nsections:",
        "Whose?",
        "exists already",
    ),
    "a ruling that exists already": Case(
        RULINGS,
        "    table_rule: wrecks\n",
        "    table_rule: wrecks\n  - {id: L1, title: Again, question: Whose?, ruling: Ours.}\n",
        "{id: L1,",
        "exists already",
    ),
    "an old id that is in use": Case(
        THINGS,
        "renamed_from: gear/hawser",
        "renamed_from: gear/candle",
        "renamed_from: gear/candle",
        "exists already",
    ),
    "an alias of an alias": Case(
        THINGS,
        "name: Gull, source: Pets}",
        "name: Gull, source: Pets}\n  - {id: gear/cape, name: Cape, source: Gear, "
        "alias_of: gear/sou-wester}",
        "alias_of: gear/sou-wester",
        "is an alias itself",
        "gear/oilskin",
    ),
    "a step that no section asks": Case(
        HEAD, "    section: stores\n    minimum", "    minimum", "id: savings\n", "section"
    ),
    "too few scores for what is assigned": Case(
        HEAD,
        "{roll: storm.roll, without: storm.drop, table: {1: 2, 3: 3, 5: 4, 8: 6}}",
        "[5, 4]",
        "  - id: knacks",
        "2 scores for 3",
    ),
    "an id that exists already": Case(
        THINGS, "id: pet/gull", "id: pet/cat", "pet/cat, name: Gull", "exists already"
    ),
}
CASES = {
    f"{chapter}: {name}": case
    for chapter, cases in {
        "keys": KEYS,
        "types": TYPES,
        "names": NAMES,
        "formulas": FORMULAS,
        "tables": TABLES,
        "files": FILES,
    }.items()
    for name, case in cases.items()
}


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES.items()])
def test_one_mistake_is_one_fault_at_its_line(edited: Callable[..., Path], case: Case) -> None:
    folder = edited((case.file, case.old, case.new))
    assert case.found(folder) == [case.expected(folder)]
