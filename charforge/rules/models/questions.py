"""The questions that rules ask: choose, roll, roll on a table, assign, allot, enter, write."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, PrivateAttr, model_validator

from charforge.expressions.dice import parse_dice
from charforge.expressions.formula import Formula, FunctionScope
from charforge.language import _
from charforge.rules.models.base import (
    GROUP,
    DiceText,
    FieldRef,
    Grants,
    GroupRef,
    Ids,
    Label,
    Names,
    Option,
    PackModel,
    Query,
    RollRef,
    SectionRef,
    Slug,
    TagFilter,
    Text,
    ValueRef,
    ValuesOrGroups,
)
from charforge.rules.models.vocabulary import Draws, RandomTable, TableRow, TableRows, follow_draws
from charforge.rules.names import original

FEW, MANY = 3, 1_000  # options, and items of a list, that a row can step through
ROLLED_FACES = "roll"  # the name of the faces rolled, in the condition of a reroll


class Among(PackModel):
    """The source of a choice's options: exactly one key, and optionally ``only``.

    ``kind`` and its companions are a Query. ``values`` names a group of
    values, ``terms`` a vocabulary of the ruleset, ``faces`` a roll whose
    dice are the options. Of values and terms, ``only`` offers some. Of
    entities, ``match`` offers only those that go with an earlier choice: by a
    text field of theirs, or by ``tags``, which names what was chosen there
    (``{school: school}``).
    """

    direct_keys: ClassVar[type[PackModel]] = Query  # its keys can stand here, without ``query``

    query: Query | None = None
    values: GroupRef | None = None
    terms: Annotated[str, Names("vocabulary")] | None = None
    faces: RollRef | None = None
    only: Ids = ()
    match: dict[str, Slug] = {}

    @model_validator(mode="before")
    @classmethod
    def short_query(cls, raw: Any) -> Any:
        """Allow the keys of a query directly."""
        if isinstance(raw, dict) and {"kind", "tags", "where", "ids"} & set(raw):
            match = {"match": raw["match"]} if "match" in raw else {}
            return {"query": {key: raw[key] for key in raw if key != "match"}, **match}
        return raw

    @model_validator(mode="after")
    def one_source(self) -> Self:
        """Refuse a choice without a source, or with several."""
        sources = (self.query, self.values, self.terms, self.faces)
        if sum(source is not None for source in sources) != 1:
            raise ValueError(
                _("name exactly one source of options: kind/ids/tags, values, terms or faces")
            )
        if self.only and self.values is None and self.terms is None:
            raise ValueError(_("'only' is for values and terms"))
        if self.match and self.query is None:
            raise ValueError(_("'match' is only for entities: kind, ids or tags"))
        return self


class Exclusion(Query):
    """Entities that a choice does not offer on purpose, and the reason.

    ``text`` follows the name of the entity: ``is Innate: only at creation``.
    """

    text: Text

    @model_validator(mode="after")
    def selects(self) -> Self:
        """Refuse a reason that would stand against every entity."""
        if not (self.kind or self.ids or self.where or self.tags != TagFilter()):
            raise ValueError(_("name the entities: kind, ids, tags or where"))
        return self


class Budget(PackModel):
    """A limit on the total cost of a list: ``cost`` of each, ``within`` in total.

    ``label`` is the unit of the cost in the plural, ``one`` in the singular.
    """

    cost: FieldRef
    within: Formula
    label: Label
    one: Label = ""

    def counted(self, number: int) -> str:
        """Return an amount of it in words."""
        return f"{number} {self.one or self.label if number == 1 else self.label}"


class Scores(PackModel):
    """The scores of an assignment, made from dice.

    The dice of ``roll`` except those of ``without``, each converted to a
    score by ``table``. Of a roll with ``times`` they are its totals. With
    ``one_swap`` these stay in the order rolled, except that the player may
    swap two of them.
    """

    roll: RollRef
    without: Annotated[str, Names("choice", among="choice of dice")] = ""
    table: dict[int, int] = {}
    one_swap: bool = False


class Question(PackModel):
    """A question of the rules, which becomes a decision wherever it is asked.

    ``section`` is the section of creation that asks it; for a choice of an
    entity, the section that it waits for. ``when`` is evaluated when the
    question would be asked; if it is 0, the question is skipped. ``short`` names
    it in a word or two for the history and for messages; without it, that name
    is made from what it chooses or sets, or from its id.

    Questions of a section that follow one another share a page of the wizard
    if they have the same ``page``. For short ones (numbers, texts, a choice
    from the pack's own options) it is the id of the section, if it is not set;
    any other then has a page of its own. A question for ``later`` is offered
    at the end instead of asked, and may be left empty.
    """

    id: Slug
    label: Label
    short: Label = ""
    help: Text = ""
    section: SectionRef = ""
    source: Label = ""
    when: Formula | None = None
    page: Slug | None = None
    later: bool = False

    rolls_dice: ClassVar[bool] = False
    is_text: ClassVar[bool] = False  # the answer is a text that the player writes
    preset_type: ClassVar[type[str] | type[int] | None] = None  # of a grant's answer, if allowed
    # The wizard asks it in one or a few rows, so that several share a page: a number, a text, or
    # a number for each of some values.
    fits_a_row: ClassVar[bool] = False

    @model_validator(mode="after")
    def later_is_optional(self) -> Self:
        """Refuse to leave a question for later that needs an answer."""
        if self.later and not self.may_stay_open:
            raise ValueError(_("a question for later may be left empty: optional, or up_to"))
        return self

    @property
    def is_short(self) -> bool:
        """Whether it fits in one or a few rows of a page."""
        return self.fits_a_row

    @property
    def may_stay_open(self) -> bool:
        """Whether an empty answer is allowed."""
        return self.may_be_empty

    @property
    def is_list(self) -> bool:
        """Whether the answer is a list."""
        return False

    @property
    def is_numeric(self) -> bool:
        """Whether formulas can read the answer as a number."""
        return False

    @property
    def sets_value(self) -> str:
        """The id of the one value that the answer is added to; empty if there is none."""
        return ""

    @property
    def may_be_empty(self) -> bool:
        """Whether a text may be left empty."""
        return False

    @property
    def is_unprinted(self) -> bool:
        """Whether the answer is missing from the book, so that the player supplies it."""
        return False

    @property
    def named_roll(self) -> "Roll | None":
        """The roll that it is, whose dice or totals other questions can use by its id."""
        return None

    @property
    def assigned(self) -> tuple[str, ...]:
        """The values and groups that get one of several scores each."""
        return ()

    @property
    def scores_roll(self) -> str:
        """The id of the roll that makes the scores to assign; empty if none does."""
        return ""

    @property
    def list_budget(self) -> Budget | None:
        """The limit on the total cost of a list."""
        return None

    @property
    def suggested_option(self) -> str | None:
        """The option to begin with, if the pack suggests one."""
        return None

    @property
    def all_tables(self) -> tuple[RandomTable, ...]:
        """The random tables that it can lead to."""
        return ()

    def share(self, tables: Iterable[RandomTable]) -> None:
        """Take over those tables of the ruleset that it rolls on or that rows lead to."""

    def draws(self, _answer: Any, _named: Mapping[str, Sequence[int]]) -> Draws:
        """Return the results of an answer on its random tables."""
        return Draws(())

    def shown(self, text: str) -> str:
        """Return a text of the player as people read it."""
        return text

    @property
    def allows_own_words(self) -> bool:
        """Whether the player's own text may stand in place of an option."""
        return False

    @property
    def listed_options(self) -> tuple[Option, ...]:
        """The options that the pack lists in the question itself."""
        return ()

    def option_place(self, number: int) -> tuple[str | int, ...]:
        """Return the place of a listed option in the question: its keys and numbers."""
        return ("options", number)

    @property
    def option_source(self) -> Among | None:
        """The source of the options, if they are not listed in the question."""
        return None

    @property
    def exclusions(self) -> tuple[Exclusion, ...]:
        """The reasons of the pack for what is not among the options."""
        return ()

    @property
    def query(self) -> Query | None:
        """The query for the entities to choose from, if they are entities."""
        return self.option_source.query if self.option_source is not None else None

    @property
    def dice_roll(self) -> str:
        """The id of the roll whose dice are the options; empty if the options are no dice."""
        return (self.option_source.faces or "") if self.option_source is not None else ""


class UnprintedQuestion(Question):
    """A question whose answer may be missing from the book.

    With ``unprinted`` the player enters the value, and random characters use
    the example.
    """

    example_key: ClassVar[str] = ""  # the key of the example that an unprinted answer needs

    unprinted: bool = False

    @model_validator(mode="after")
    def exemplified(self) -> Self:
        """Refuse an unprinted answer without an example."""
        needed = self.unprinted and self.example_key and not self.may_be_empty
        if needed and not getattr(self, self.example_key):
            raise ValueError(
                _("a question with unprinted needs an example: {key}").format(key=self.example_key)
            )
        return self

    @property
    def is_unprinted(self) -> bool:
        """Whether the answer is missing from the book, so that the player supplies it."""
        return self.unprinted


class Choose(UnprintedQuestion):
    """Choose from ``among`` or ``options``: one, or a list of ``count``.

    ``up_to`` allows fewer; ``repeats`` allows the same one twice;
    ``own_words`` allows the player's own text. ``why_not`` gives the reason
    for entities that a player may expect among the options: the first that
    selects the entity is printed when somebody tries to choose it.
    """

    preset_type = str

    do: Literal["choose"] = "choose"
    among: Among | None = None
    options: tuple[Option, ...] = ()
    count: Annotated[int, Field(ge=1, le=100)] | None = None
    up_to: bool = False
    repeats: bool = False
    own_words: bool = False
    budget: Budget | None = None
    chance: int = Field(100, ge=0, le=100)
    default: str | None = None
    why_not: tuple[Exclusion, ...] = ()

    @model_validator(mode="after")
    def one_source(self) -> Self:
        """Refuse a choice with nothing, or two kinds of things, to choose from."""
        if bool(self.options) == (self.among is not None):
            raise ValueError(_("a choice needs either 'among' or 'options'"))
        return self

    @property
    def is_list(self) -> bool:
        """Whether the answer is a list."""
        return self.count is not None or self.budget is not None

    @property
    def is_short(self) -> bool:
        """Whether it fits in one row: options of the pack, values or terms, at most a few."""
        if self.is_list:
            listed = len(self.options) <= FEW and (self.count or MANY) <= FEW
            return bool(self.options) and listed and not self.up_to
        return self.query is None and not self.dice_roll

    @property
    def may_stay_open(self) -> bool:
        """Whether an empty list is allowed."""
        return self.is_list and self.up_to

    @property
    def allows_own_words(self) -> bool:
        """Whether the player's own text may stand in place of an option."""
        return self.own_words

    @property
    def listed_options(self) -> tuple[Option, ...]:
        """The options that the pack lists in the question itself."""
        return self.options

    @property
    def option_source(self) -> Among | None:
        """The source of the options, if they are not listed in the question."""
        return self.among

    @property
    def exclusions(self) -> tuple[Exclusion, ...]:
        """The reasons of the pack for what is not among the options."""
        return self.why_not

    @property
    def list_budget(self) -> Budget | None:
        """The limit on the total cost of a list."""
        return self.budget

    @property
    def suggested_option(self) -> str | None:
        """The option to begin with, if the pack suggests one."""
        return self.default

    @property
    def is_numeric(self) -> bool:
        """Whether formulas can read the answer as a number: that of the chosen value."""
        return self.among is not None and self.among.values is not None and not self.is_list


class Roll(Question):
    """Roll dice. The total (dice + ``plus``) is added to ``to``.

    Of ``4d6k3`` only the highest three count, of ``2d20kl1`` the lowest one.
    The total is ``minimum`` at least. All dice are rerolled while ``reroll_all_while``
    holds (``roll`` names the faces).

    For several values (or a ``group:NAME``) in ``to`` the dice are rolled
    once for each. Without ``to`` they can be rolled a number of ``times``,
    for totals to be assigned.
    """

    rolls_dice = True

    do: Literal["roll"] = "roll"
    dice: DiceText
    plus: Formula = Formula(0)
    minimum: Formula | None = None
    reroll_all_while: Annotated[Formula | None, Names("value", among="faces")] = None
    to: ValuesOrGroups = ()
    times: int = Field(1, ge=1, le=20)

    @model_validator(mode="after")
    def times_without_values(self) -> Self:
        """Refuse a number of times where the values decide it."""
        if self.times > 1 and self.to:
            raise ValueError(
                _("the dice are rolled once for each value in 'to': leave out 'times'")
            )
        return self

    @property
    def named_roll(self) -> "Roll | None":
        """The roll that it is, whose dice or totals other questions can use by its id."""
        return self

    @property
    def is_repeated(self) -> bool:
        """Whether the dice are rolled several times: for values, or for totals to assign."""
        return self.times > 1 or len(self.to) > 1 or bool(self.to and self.to[0].startswith(GROUP))

    def must_reroll(self, faces: Sequence[int]) -> bool:
        """Return whether the rules say to reroll these faces. Raises FormulaError."""
        formula = self.reroll_all_while
        if formula is None:
            return False
        return bool(formula.evaluate_exact(FunctionScope({ROLLED_FACES: tuple(faces)}.__getitem__)))

    @property
    def is_numeric(self) -> bool:
        """Whether formulas can read the answer as a number: the one total."""
        return not self.is_repeated

    @property
    def sets_value(self) -> str:
        """The one value that the total is added to."""
        return "" if self.is_repeated or not self.to else self.to[0]


class RollOn(Question):
    """Roll on a random table: the ``dice``, and ``rows`` for all of their totals.

    Instead of these, ``table`` can name one of the ``random_tables`` of the ruleset, which
    several questions share. A row can roll again on another of the ``tables``, on one of the
    ``random_tables``, or on this one by the question's id. With ``times`` it is rolled on
    several times; with ``may_choose`` the player may choose a row instead.
    """

    rolls_dice = True

    do: Literal["roll_on"] = "roll_on"
    table: Annotated[str, Names("random table")] | None = None
    dice: DiceText = ""
    rows: TableRows = ()
    tables: tuple[RandomTable, ...] = ()
    times: int = Field(1, ge=1, le=10)
    may_choose: bool = False
    _shared: tuple[RandomTable, ...] = PrivateAttr(())

    @model_validator(mode="after")
    def one_table(self) -> Self:
        """Refuse a question without a table, or with two."""
        own = (bool(self.dice), bool(self.rows))
        if own != ((True, True) if self.table is None else (False, False)):
            raise ValueError(_("roll on either a shared 'table', or 'dice' with 'rows'"))
        return self

    def share(self, tables: Iterable[RandomTable]) -> None:
        """Take over those tables of the ruleset that it rolls on or that rows lead to."""
        known = {table.id: table for table in tables}
        own, names = {self.id, *(table.id for table in self.tables)}, list[str]()
        waiting = [self.table] if self.table else []
        waiting += [name for row in (*self.rows, *_rows_of(self.tables)) for name in row.roll]
        while waiting:
            name = waiting.pop(0)
            if name in known and name not in names and name not in own:
                names.append(name)
                waiting += [further for row in known[name].rows for further in row.roll]
        self._shared = tuple(known[name] for name in names)

    @property
    def first_table(self) -> RandomTable:
        """The table that is rolled on first."""
        shared = next((table for table in self._shared if table.id == self.table), None)
        dice, rows = (self.dice, self.rows) if shared is None else (shared.dice, shared.rows)
        return RandomTable.model_construct(id=self.id, label=self.label, dice=dice, rows=rows)

    @property
    def all_tables(self) -> tuple[RandomTable, ...]:
        """That table, and those that its rows can lead to."""
        return (self.first_table, *self.tables, *self._shared)

    @property
    def listed_options(self) -> tuple[Option, ...]:
        """The rows of all tables."""
        return tuple(_rows_of(self.all_tables))

    def option_place(self, number: int) -> tuple[str | int, ...]:
        """Return the place of a row in the question; of a shared table only its name."""
        for at, table in enumerate((self.first_table, *self.tables)):
            if number < len(table.rows):
                own = ("rows", number) if self.table is None else ("table",)
                return ("tables", at - 1, "rows", number) if at else own
            number -= len(table.rows)
        return ("table",) if self.table is not None else ("rows",)

    def draws(self, answer: Any, named: Mapping[str, Sequence[int]]) -> Draws:
        """Return the results of an answer: a roll, a row, or a list of them.

        ``named`` are the special dice. Faces in a row are divided by the first dice.
        """
        items = [answer] if isinstance(answer, str | int) else list(answer)
        if items and all(isinstance(item, int) for item in items):
            number = max(parse_dice(self.first_table.dice, named).number, 1)
            items = [items[at : at + number] for at in range(0, len(items), number)]
        items = [[item] if isinstance(item, int) else item for item in items]
        return follow_draws([self.first_table] * self.times, self.all_tables, items, named)


def _rows_of(tables: Iterable[RandomTable]) -> Iterator[TableRow]:
    """Yield the rows of tables."""
    return (row for table in tables for row in table.rows)


class Assign(Question):
    """Give each of ``to`` (value ids, or one ``group:NAME``) one of the scores."""

    do: Literal["assign"] = "assign"
    to: ValuesOrGroups
    scores: tuple[int, ...] | Scores

    @property
    def assigned(self) -> tuple[str, ...]:
        """The values and groups that get one of several scores each."""
        return self.to

    @property
    def scores_roll(self) -> str:
        """The id of the roll that makes the scores to assign; empty if none does."""
        return self.scores.roll if isinstance(self.scores, Scores) else ""


class Allot(UnprintedQuestion):
    """Give each of ``to`` (value ids, ``group:NAME``) a number, which is added to it.

    Each number is between ``minimum`` and ``maximum``, or one of ``only``
    within the bounds that are given. Their sum is exactly ``points``, if
    set. With ``within_maximum`` no number may raise its value above the maximum
    that the value has. ``default`` is the suggestion for each.

    With ``costs`` the numbers are scores, which the values then have, and the
    points are what the scores cost together: ``{8: 0, 9: 1, 10: 2, 11: 4}``.
    A value that is left out gets the cheapest score.
    """

    example_key = "default"

    fits_a_row = True

    do: Literal["allot"] = "allot"
    to: ValuesOrGroups
    minimum: Formula | None = None
    maximum: Formula | None = None
    default: Formula | None = None
    points: Formula | None = None
    only: tuple[int, ...] = ()
    within_maximum: bool = False
    costs: dict[int, int] = {}

    @model_validator(mode="after")
    def bounded(self) -> Self:
        """Refuse numbers without bounds, and prices without points."""
        if self.only and self.costs:
            raise ValueError(_("'costs' lists the possible scores: leave out 'only'"))
        listed = self.only or self.costs
        if not listed and (self.minimum is None or self.maximum is None):
            raise ValueError(_("set 'minimum' and 'maximum', 'only' or 'costs'"))
        if self.points is None and self.costs:
            raise ValueError(_("'costs' needs 'points'"))
        return self


class Enter(UnprintedQuestion):
    """Enter a whole number within bounds."""

    preset_type = int
    fits_a_row = True
    example_key = "default"

    do: Literal["enter"] = "enter"
    minimum: Formula
    maximum: Formula
    default: Formula | None = None
    to: ValueRef | None = None

    @property
    def is_numeric(self) -> bool:
        """Whether formulas can read the answer as a number."""
        return True

    @property
    def sets_value(self) -> str:
        """The value that the number is added to."""
        return self.to or ""


class Write(UnprintedQuestion):
    """Write a text; ``examples`` are for random characters.

    If an entity has as many examples for a text as for its name, they belong together.
    """

    is_text = True
    fits_a_row = True
    preset_type = str
    example_key = "examples"

    do: Literal["write"] = "write"
    optional: bool = False
    longest: int = Field(2000, ge=1, le=20_000)
    examples: tuple[Label, ...] = ()

    @property
    def may_be_empty(self) -> bool:
        """Whether the text may be left empty."""
        return self.optional

    def shown(self, text: str) -> str:
        """Return a text as people read it: one of the examples in their language."""
        return next((one for one in self.examples if original(one) == text), text)

    def saved(self, text: str) -> str:
        """Return a text as files have it: one of the examples in the language of the pack."""
        return next((original(one) for one in self.examples if one == text), text)


class Give(PackModel):
    """A step without a question: every character gets this."""

    do: Literal["give"]
    id: Slug
    section: SectionRef = ""
    grants: Grants
    when: Formula | None = None


QuestionKinds = Choose | Roll | RollOn | Assign | Allot | Enter | Write
AnyQuestion = Annotated[QuestionKinds, Field(discriminator="do")]
AnyStep = Annotated[QuestionKinds | Give, Field(discriminator="do")]
