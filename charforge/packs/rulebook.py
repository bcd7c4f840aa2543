"""The contents of a rulebook: the rules of a game with packs and table rules, in chapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from unicodedata import normalize

from charforge.character.state import State
from charforge.decisions.kinds import decision_class
from charforge.decisions.unreachable import unreachable_entities
from charforge.describe import entities, formulas
from charforge.expressions.template import Prose, parse_markup
from charforge.language import N_, _
from charforge.packs.diff import FieldDiff, FieldPath, PackDiff, pack_marks
from charforge.rules.loading import loader
from charforge.rules.models import Entity, LevelTable, Question, Ruling, UnitType
from charforge.rules.models.vocabulary import Chart
from charforge.rules.ruleset import Ruleset, id_in_words
from charforge.sheet import rulebook as book
from charforge.sheet.build import game_credits, game_theme
from charforge.sheet.odds import rulebook_tables

SHORT = 170  # letters of an entry, on average, of a chapter that is set narrower
HOW = {
    "added": N_("added"), "removed": N_("removed"), "changed": N_("changed"),
    "renamed": N_("renamed"),
}  # fmt: skip
MOST_CHOICES = 4  # of an entity, that are printed as questions
LONG_LIST = 9  # options that a step of creation lists by name


def build_rulebook(
    ruleset: Ruleset, rules: Mapping[str, str], title: str = "", odds: bool = True
) -> book.Rulebook:
    """Return the rulebook of a game with its packs and with table rules, option id by rule id."""
    return _Builder(ruleset, ruleset.table_rule_options(rules)).build(title, odds)


def entity_anchor(entity: str) -> str:
    """Return the anchor of an entity's entry."""
    return f"e-{entity.replace('/', '-')}"


class _Builder:
    """Builds a rulebook; it keeps which rulings are printed already."""

    def __init__(self, ruleset: Ruleset, rules: Mapping[str, str]) -> None:
        self.ruleset = ruleset
        self.rules = rules
        self.state = State(ruleset, rules=rules)
        self.marks = pack_marks(ruleset)
        self.printed_rulings: set[str] = set()
        self.reachable = {e.entity: e.never for e in unreachable_entities(ruleset)}

    def build(self, title: str, odds: bool) -> book.Rulebook:
        """Return the rulebook."""
        ruleset, head = self.ruleset, self.ruleset.head
        parts = tuple(part for part in self._parts() if part.chapters)
        return book.Rulebook(
            title=title or head.name,
            game=head.name,
            text=head.text,
            packs=tuple(f"{pack.name} {pack.version}" for pack in ruleset.packs),
            theme=game_theme(ruleset, (tag for entity in self._listed for tag in entity.tags)),
            credits=tuple(game_credits(ruleset)),
            changes=tuple(self._changes(parts)),
            table_rules=tuple(self._table_rules()),
            parts=parts,
            odds=rulebook_tables(ruleset, self.rules) if odds else (),
            rulings=tuple(
                self._ruling(ruling)
                for ruling in ruleset.rulings.values()
                if ruling.id not in self.printed_rulings
            ),
            names=tuple(_index(parts)),
            ruling_ids=tuple((one.id, one.title) for one in ruleset.rulings.values()),
        )

    # ------------------------------------------------------------------ chapters

    @cached_property
    def _listed(self) -> tuple[Entity, ...]:
        """The entities that the book has: those that can come up at the table."""
        used = self._mentioned
        return tuple(
            entity
            for entity in self.ruleset.entities.values()
            if entity.alias_of is None
            and not self.reachable.get(entity.id, False)
            and (entity.condition is None or entity.id in used)
        )

    @cached_property
    def _mentioned(self) -> set[str]:
        """The conditions that something in the rules causes or names."""
        ruleset = self.ruleset
        parts = {entity.id: repr(entity) for entity in ruleset.entities.values()}
        rest = repr((ruleset.head, *ruleset.procedures.values()))
        slugs = {entity.id: entity.slug for entity in ruleset.conditions}
        return {
            id
            for id in slugs
            if id in rest or any(id in text for other, text in parts.items() if other != id)
        } | {entity.id for entity in ruleset.derived_conditions}

    def _parts(self) -> Iterator[book.BookPart]:
        """Yield the parts of the book, each with its kinds of entity."""
        gear = [kind for kind in self.ruleset.head.gear.kinds if kind in self._by_kind]
        chosen = [kind for kind in self._chosen_kinds() if kind not in gear]
        conditions = [
            kind
            for kind, found in self._by_kind.items()
            if sum(entity.condition is not None for entity in found) * 2 > len(found)
            and kind not in (*gear, *chosen)
        ]
        rest = [kind for kind in self._by_kind if kind not in (*gear, *chosen, *conditions)]
        yield book.BookPart("part-characters", _("Your character"), (
            *self._creation(), *self._values(), *map(self._kind_chapter, chosen),
        ))  # fmt: skip
        yield book.BookPart("part-rules", _("Playing the game"), (
            *map(self._kind_chapter, sorted(rest, key=self._rank)), *self._tables(),
        ))  # fmt: skip
        yield book.BookPart(
            "part-conditions", _("Conditions and effects"),
            tuple(map(self._kind_chapter, conditions)),
        )  # fmt: skip
        yield book.BookPart("part-gear", _("Equipment"), tuple(map(self._kind_chapter, gear)))

    @cached_property
    def _by_kind(self) -> dict[str, list[Entity]]:
        by_kind: dict[str, list[Entity]] = {}
        for entity in self._listed:
            by_kind.setdefault(entity.kind, []).append(entity)
        return by_kind

    def _chosen_kinds(self) -> list[str]:
        """Return the kinds that players choose, in the order of creation, then what these grant."""
        head = self.ruleset.head
        questions: list[object] = [*head.creation_questions, *head.advancement.asks]
        questions += [question for unit in head.units for question in unit.asks]
        offered = [
            entity.kind
            for question in questions
            if isinstance(question, Question)
            for entity in self.ruleset.offered(question)
        ]
        granted = [
            self.ruleset.entity(grant.id).kind
            for kind in dict.fromkeys(offered)
            for entity in self._by_kind.get(kind, ())
            for grant in entity.all_grants
        ]
        return [kind for kind in dict.fromkeys([*offered, *granted]) if kind in self._by_kind]

    def _rank(self, kind: str) -> tuple[int, ...]:
        """Return the place of a kind of rules: the most important ones come first."""
        sheet = self.ruleset.head.sheet
        always = [id.partition("/")[0] for id in sheet.always]
        order = [*always, *([sheet.actions] if sheet.actions else []), *sheet.reference]
        known = list(dict.fromkeys(order))
        return (known.index(kind) if kind in known else len(known),)

    def _kind_chapter(self, kind: str) -> book.BookChapter:
        """Return the chapter of a kind: its entities by name, or in the order of the rules."""
        declared = self.ruleset.kinds[kind]
        ruled = kind in {id.partition("/")[0] for id in self.ruleset.head.sheet.always}
        found = self._by_kind[kind]
        ordered = found if ruled else sorted(found, key=lambda entity: _sort_key(entity.name))
        groups = tuple(self._groups(kind, ordered))
        entries = [entry for group in groups for entry in group.entries]
        letters = sum(len(str(block)) for e in entries for prose in e.paragraphs for block in prose)
        armed = self._armed(kind)
        priced = [e for e in ordered if e.price is not None and e not in armed]
        return book.BookChapter(
            f"kind-{kind}",
            declared.plural,
            groups,
            tuple(self._prices(priced)) if len(priced) > 2 else (),
            short=letters < SHORT * len(entries) and not any(e.tables for e in entries),
        ).with_one_level_table()

    def _armed(self, kind: str) -> list[Entity]:
        """Return the entities of a kind that are printed in a table, as rows with their attacks.

        These are weapons: gear, or what is of a kind of which most have attacks. Where players
        decide nearly everything, there are no figures for a table.
        """
        found = self._by_kind[kind]
        armed = [
            entity
            for entity in found
            if entity.attacks
            and self.ruleset.unit_type(entity) is None
            and len(entity.choices) <= MOST_CHOICES
        ]
        gear = kind in self.ruleset.head.gear.kinds
        enough = len(armed) > 2 and (gear or len(armed) * 2 > len(found))
        return armed if enough else []

    def _groups(self, kind: str, ordered: Sequence[Entity]) -> Iterator[book.Group]:
        """Yield what players can get, then what only the GM can award."""
        armed = self._armed(kind)
        fields = self._shared_fields(armed, self._by_kind[kind])
        title = ", ".join(str(armed[0].own[name]) for name in fields) or _("Attacks")
        open = [entity for entity in ordered if entity.id not in self.reachable]
        awarded = [entity for entity in ordered if entity.id in self.reachable]
        for entities_of_group, heading, note in (
            (open, "", ""),
            (awarded, _("Only from the GM"), _("No choice offers these: your GM can award them.")),
        ):
            entries = tuple(self._entry(e) for e in entities_of_group if e not in armed)
            weapons = tuple(self._weapon(e, fields) for e in entities_of_group if e in armed)
            if entries or weapons:
                yield book.Group(heading, note, entries, weapons, title if entries else "")

    def _shared_fields(self, some: Sequence[Entity], found: Iterable[Entity]) -> list[str]:
        """Return the fields that some entities of a kind have in common and no others have."""
        others = [entity for entity in found if entity not in some]
        return [
            name
            for name, value in (some[0].own.items() if some else ())
            if all(entity.own.get(name) == value for entity in some)
            and not any(entity.own.get(name) == value for entity in others)
        ]

    def _weapon(self, entity: Entity, leave_out: Iterable[str]) -> book.BookWeapon:
        """Return an entity as a row of a table, without fields that all rows have."""
        own = {name: value for name, value in entity.own.items() if name not in leave_out}
        shown = entity.model_copy(update={"own": own})
        facts = entities.short_facts(shown, self.ruleset)
        capacities = entities.capacity_texts(entity, self.ruleset)
        attacks = entities.attack_texts(entity, self.ruleset)
        return book.BookWeapon(
            self._entry(entity, in_table=True),
            ", ".join((*facts, *capacities)),
            tuple(
                book.Mode(a.name, a.range, a.roll, a.damage, parse_markup(a.notes)) for a in attacks
            ),
        )

    def _prices(self, priced: Iterable[Entity]) -> Iterator[book.BookTable]:
        money = self.ruleset.values.get(self.ruleset.head.gear.money or "")
        heading = money.unit if money and money.unit else _("Price")
        rows = tuple(
            (entity.name, ", ".join(entities.short_facts(entity, self.ruleset)), str(entity.price))
            for entity in priced
        )
        yield book.BookTable(_("Prices"), (), (_("Name"), "", heading), rows)

    # ------------------------------------------------------------------ entries

    def _entry(self, entity: Entity, in_table: bool = False) -> book.BookEntry:
        """Return the entry of an entity, with the text of this table's rules."""
        described = entities.as_played(entity, self.ruleset, self.rules)
        terms = list(entities.entity_terms(entity, self.ruleset))
        if not in_table:
            short = entities.with_short_fields(entity, self.ruleset)
            terms = [*entities.short_facts(short, self.ruleset), *terms]
        few = len(entity.choices) <= MOST_CHOICES
        paragraphs = list(
            entities.entity_paragraphs(
                described, self.ruleset, questions=few, facts=False, in_table=in_table
            )
        )
        if not few:
            questions = ", ".join(self.ruleset.short_label(choice) for choice in entity.choices)
            paragraphs.append(_("You decide: {questions}.").format(questions=questions))
        new = [r for r in entity.rulings if r not in self.printed_rulings]
        self.printed_rulings.update(new)
        return book.BookEntry(
            entity_anchor(entity.id),
            entity.name,
            "",
            tuple(map(parse_markup, paragraphs)),
            tuple(terms),
            tuple(
                other.name
                for other in self.ruleset.entities.values()
                if other.alias_of == entity.id and other.name != entity.name
            ),
            tuple(map(self._level_table, entity.tables)),
            tuple(self.marks.of_entity(entity.id)),
            tuple(self._ruling(self.ruleset.rulings[name]) for name in new),
            tuple(name for name in entity.rulings if name not in new),
        )

    def _ruling(self, ruling: Ruling) -> book.RulingNote:
        rule = self.ruleset.table_rules.get(ruling.table_rule)
        options = {option.id: option.label for option in rule.options} if rule else {}
        option = options.get(self.rules.get(ruling.table_rule, ""), "")
        return book.RulingNote(ruling.id, ruling.title, parse_markup(ruling.ruling), option)

    def _level_table(self, table: LevelTable) -> book.BookTable:
        """Return a table by level, with every cell in words."""
        by = self.ruleset.values.get(table.by)
        first = by.label if by else self.ruleset.head.advancement.label
        columns = [self.ruleset.values[name].label for _n, name in table.value_columns]
        gains: list[str] = []
        rows = []
        for number in table.rows:
            granted = [self.ruleset.entity(grant.id).name for grant in table.granted_at(number)]
            gains.append(", ".join(granted))
            cells = [
                formulas.formula_text(str(table.cell(number, column)), self.ruleset)
                for column, _name in table.value_columns
            ]
            heading = number if by else self.ruleset.head.advancement.number(number)
            rows.append((str(heading), *cells))
        if any(gains):
            rows = [(*row, gained) for row, gained in zip(rows, gains, strict=True)]
        heads = (first, *columns, *([_("Gains")] if any(gains) else []))
        return book.BookTable("", (), heads, tuple(rows))

    # ------------------------------------------------------------------ characters

    def _creation(self) -> Iterator[book.BookChapter]:
        """Yield the chapter on creating a character: an entry for each section."""
        head = self.ruleset.head
        questions = head.creation_questions
        steps: list[book.BookEntry] = []
        for section in head.sections:
            asked = [question for question in questions if question.section == section.id]
            if asked:
                prose = [section.help, *(self._question(question) for question in asked)]
                marks = self.marks.of_fields(*(("creation", question.id) for question in asked))
                steps.append(
                    book.BookEntry(
                        f"step-{section.id}",
                        f"{len(steps) + 1}. {section.label}",
                        "",
                        tuple(parse_markup(text) for text in prose if text),
                        marks=tuple(marks),
                    )
                )
        if steps:
            yield book.BookChapter(
                "creation", _("Creating a character"), (book.Group("", "", tuple(steps)),)
            )

    def _question(self, question: Question) -> str:
        """Return a question of creation in the markup of packs."""
        query = question.query
        options = list(decision_class(question).listed_labels(question, self.ruleset))
        offered = self.ruleset.offered(question)
        if query is not None and len(offered) > LONG_LIST:
            options = [self.ruleset.kinds[kind].plural for kind in query.kind]
        elif offered:
            options = [entity.name for entity in offered]
        listed = ", ".join(options) if len(options) <= LONG_LIST else ""
        parts = [f"**{question.label}**", question.help, f"*{listed}.*" if listed else ""]
        return " ".join(filter(None, parts))

    def _values(self) -> Iterator[book.BookChapter]:
        """Yield the chapter on values, with the tables by level of each type of unit."""
        entries: list[book.BookEntry] = []
        known: set[tuple[str, str]] = set()
        for unit in self.ruleset.units.values():
            first = unit is next(iter(self.ruleset.units.values()))
            of_unit = "" if first else unit.label
            for name in unit.values:
                value = self.ruleset.values[name]
                text = self._calculation(unit, name)
                described = text or (first and value.text)
                if value.hide_zero or not described or (value.title, text) in known:
                    continue
                known.add((value.title, text))
                paragraphs = (parse_markup(value.text),) if first and value.text else ()
                entries.append(
                    book.BookEntry(
                        f"value-{unit.id}-{name}", value.title, of_unit, paragraphs,
                        (text,) if text else (),
                        marks=tuple(self.marks.of_value(unit.id, name)),
                    )
                )  # fmt: skip
        tables = [
            table._replace(label=unit.label if len(self.ruleset.units) > 1 else "")
            for unit in self.ruleset.units.values()
            for table in map(self._level_table, unit.tables)
        ]
        if entries or tables:
            yield book.BookChapter(
                "values",
                _("Your numbers"),
                (book.Group("", "", tuple(entries)),),
                tuple(tables),
                short=True,
            )

    def _calculation(self, unit: UnitType, name: str) -> str:
        """Return how a unit type calculates a value, in words."""
        computed = unit.values[name]
        parts = []
        if computed.formula is not None and computed.formula.constant != 0:
            parts.append(f"= {formulas.formula_text(str(computed.formula), self.ruleset)}")
        for word, bound in ((N_("at least"), computed.minimum), (N_("at most"), computed.maximum)):
            if bound is not None and str(bound) != "0":
                parts.append(f"{_(word)} {formulas.formula_text(str(bound), self.ruleset)}")
        return ", ".join(parts)

    def _tables(self) -> Iterator[book.BookChapter]:
        """Yield the chapter of the book's tables, and of words with a meaning of their own."""
        head = self.ruleset.head
        tables = [self._chart(chart) for chart in self.ruleset.charts.values()]
        for name, terms in head.terms.items():
            rows = tuple((term.label, self._plain(term.text)) for term in terms if term.text)
            if rows:
                tables.append(book.BookTable(id_in_words(name), (), ("", ""), rows))
        timings = tuple((t.label, self._plain(t.text)) for t in head.timings if t.text)
        if timings:
            tables.append(book.BookTable(_("Timing"), (), ("", ""), timings))
        if tables:
            yield book.BookChapter("tables", _("Tables"), (), tuple(tables))

    def _chart(self, chart: Chart) -> book.BookTable:
        shown = [number for number, column in enumerate(chart.columns) if not column.hidden]
        heads = (chart.key, *(chart.columns[number].label for number in shown))
        rows = tuple(
            (self._plain(row.heading), *(self._plain(str(row.cells[number])) for number in shown))
            for row in chart.rows
        )
        return book.BookTable(chart.label, self._prose(chart.text), heads, rows)

    def _prose(self, text: str) -> Prose:
        return parse_markup(entities.rules_text(text, self.ruleset))

    def _plain(self, text: str) -> str:
        return " ".join(str(block) for block in self._prose(text))

    # ------------------------------------------------------------------ what is different

    def _table_rules(self) -> Iterator[book.TableRuleChoice]:
        base = loader.load(self.ruleset.id).table_rules if self.ruleset.packs else {}
        for rule in self.ruleset.head.table_rules:
            labels = {option.id: option.label for option in rule.options}
            original = base.get(rule.id, rule).default
            chosen = self.rules[rule.id]
            usual = "" if chosen == original else labels.get(original, "")
            yield book.TableRuleChoice(rule.label, labels.get(chosen, chosen), usual, rule.ruling)

    def _changes(self, parts: Iterable[book.BookPart]) -> Iterator[book.BookChanges]:
        """Yield what each pack changes, with the places in the book."""
        anchors = {entry.anchor for part in parts for c in part.chapters for entry in c.entries}
        for pack in self.ruleset.packs:
            found: dict[tuple[str, str], book.Change] = {}
            for effect in self.marks.effects:
                for change in self._pack_changes(pack.id, effect, anchors):
                    place = (change.anchor, change.name)
                    former = found.get(place)
                    if former is not None and change.why not in former.why:
                        change = change._replace(why=f"{former.why} {change.why}")
                    found[place] = change
            yield book.BookChanges(f"{pack.name} {pack.version}", tuple(found.values()))

    def _pack_changes(
        self, pack: str, effect: PackDiff, anchors: set[str]
    ) -> Iterator[book.Change]:
        """Yield a difference that a pack makes; of the ruleset, each thing that it changes."""
        if effect.part == "ruleset":
            for field in effect.fields:
                if pack in field.packs:
                    anchor, name, thing = self._place(field)
                    known = anchor if anchor in anchors else ""
                    how = field.how if field.path == thing else "changed"
                    yield book.Change(known, name, _(HOW[how]), field.reason)
            return
        if pack in effect.packs:
            entity = effect.id if effect.part == "entity" else self._rule_of(effect)
            anchor = entity_anchor(entity) if entity else ""
            known = anchor if anchor in anchors else ""
            name = effect.name or effect.id
            yield book.Change(known, name, _(HOW[effect.how]), effect.reason)

    def _rule_of(self, effect: PackDiff) -> str:
        procedure = self.ruleset.procedures.get(effect.id)
        return procedure.source if procedure is not None else ""

    def _place(self, field: FieldDiff) -> tuple[str, str, FieldPath]:
        """Return the anchor, the name and the path of what a field of the ruleset is about."""
        kind, *rest = field.path
        questions = {q.id: q for q in self.ruleset.head.creation_questions}
        if kind == "creation" and rest and rest[0] in questions:
            question = questions[rest[0]]
            label = self.ruleset.short_label(question)
            return f"step-{question.section}", label, field.path[:2]
        if kind == "units" and len(rest) > 2 and rest[2] in self.ruleset.values:
            title = self.ruleset.values[rest[2]].title
            return f"value-{rest[0]}-{rest[2]}", title, field.path[:4]
        if kind == "table_rules" and rest and rest[0] in self.ruleset.table_rules:
            return "", self.ruleset.table_rules[rest[0]].label, field.path[:2]
        return "", id_in_words(kind), field.path[:1]


# ------------------------------------------------------------------ index


def _sort_key(name: str) -> str:
    """Return a name as the index sorts it: without accents, in lower case."""
    plain = normalize("NFKD", name).casefold()
    return "".join(sign for sign in plain if sign.isalnum() or sign == " ")


def _index(parts: Iterable[book.BookPart]) -> Iterator[book.IndexLetter]:
    """Yield the index: every entry by its name and other names, by letter.

    A name with several entries in a chapter leads to the first: companions share many values.
    """
    places: dict[str, list[str]] = {}
    for part in parts:
        for chapter in part.chapters:
            first: dict[str, str] = {}
            for entry in chapter.entries:
                for name in (entry.name.lstrip("0123456789. "), *entry.aliases):
                    first.setdefault(name, entry.anchor)
            for name, anchor in first.items():
                places.setdefault(name, []).append(anchor)
    entries = [book.BookIndexEntry(name, tuple(anchors)) for name, anchors in places.items()]
    entries.sort(key=lambda entry: _sort_key(entry.name))
    for letter, group in groupby(entries, key=lambda entry: _sort_key(entry.name)[:1].upper()):
        yield book.IndexLetter(letter, tuple(group))
