"""HTML: one self-contained page from a view, for screens and for paper.

Text by players and packs is always escaped, and never placed in a style sheet or an
unquoted attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    Undefined,
    select_autoescape,
)
from jinja2.bccache import Bucket
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEscapeFormatter
from markupsafe import Markup, escape

from charforge.errors import UsageError
from charforge.expressions.template import Block, Prose, plain_text, true_minus
from charforge.language import N_, _, dice_notation, format_number, language, ngettext
from charforge.paths import (
    cache_folder,
    data_folder,
    is_inside,
    read_cache_file,
    remove_old_cache_files,
    write_cache_file,
)
from charforge.sheet import drawings, form_fields, text_filters
from charforge.sheet.build import view_texts
from charforge.sheet.cards import FittedCard, print_cards, variants
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.qr_codes import draw_code
from charforge.sheet.trackers import PageTrackers, script_texts
from charforge.sheet.values import UnitAudit
from charforge.sheet.view import (
    SheetView,
    equal_weapons,
    grouped_cards,
    shared_modes,
    without_shared,
)

MOST_TEXTS = 4_000  # of a sheet, paragraphs and names together
MOST_LETTERS = 250_000
LONGEST_WORD = 2_500  # letters
FOOTER_LENGTH = 48  # characters of a name at the foot of a page
NAME_STEPS = (22, 34, 60, 110)  # a name longer than these is printed in smaller and smaller type
BESIDE = 1.25  # a portrait leaves a name a fifth less room


def render_html(
    view: SheetView,
    options: PrintOptions | None = None,
    audit: Sequence[UnitAudit] = (),
    play: PageTrackers | None = None,
    cards: Sequence[FittedCard] | None = None,
) -> str:
    """Return the sheet of a view as a self-contained HTML page.

    ``audit`` adds pages that list the steps of each value. ``play`` adds trackers, which
    are shown on screens only and need the page's script. ``cards`` are those of a layout of
    cards, if ``charforge.sheet.fit_cards`` has measured them; otherwise a card may be higher than
    the others.
    """
    options = options or PrintOptions()
    _refuse_long(view)
    context = {"view": view, "options": options, "audit": audit, "play": play}
    if options.layout == "cards":
        context["fitted"] = cards is not None
        if cards is None:
            cards = [variants(card, options)[0] for card in print_cards(view, options)]
        context["cards"] = cards
    return environment().get_template(f"{options.layout}.html").render(context)


def _refuse_long(view: SheetView) -> None:
    """Raise UsageError for a sheet with far more text than a game has.

    Each paragraph takes time and memory to be placed on a page, and so does
    each letter of a word that is longer than a line.
    """
    texts = [*islice(view_texts(view), MOST_TEXTS + 1)]
    longest = max((len(word) for text in texts for word in text.split()), default=0)
    for number, most, what in (
        (len(texts), MOST_TEXTS, _("texts")),
        (sum(map(len, texts)), MOST_LETTERS, _("letters")),
        (longest, LONGEST_WORD, _("letters in one word")),
    ):
        if number > most:
            raise UsageError(
                _("the sheet of {name} has more than {most} {what}").format(
                    name=view.name, most=format_number(most, ","), what=what
                ),
                _("Shorten the longest texts."),
            )


def qr_code(text: str) -> str:
    """Return a text, such as an address, as a QR code: an SVG drawing without a size."""
    return draw_code(text.encode())


# Names for templates, which arrange the contents of a view.
TEMPLATE_NAMES: dict[str, Any] = {
    "field_name": form_fields.field_name,
    "notes_name": form_fields.notes_name,
    "blank_name": form_fields.blank_name,
    "plate_name": form_fields.plate_name,
    "equal_weapons": equal_weapons,
    "shared_modes": shared_modes,
    "grouped_cards": grouped_cards,
    "without_shared": without_shared,
    "tile_rows": drawings.tile_rows,
    "shared_row": drawings.shared_row,
    "is_low": drawings.is_low,
    "ticks": drawings.ticks,
    "box_room": drawings.BOX_ROOM,
    "box_label": drawings.box_label,
    "used_boxes": drawings.used_boxes,
    "filled_pips": drawings.filled_pips,
    "marked_path": drawings.marked_path,
    "tracker_boxes": drawings.tracker_boxes,
    "filled_path": drawings.filled_path,
    "die_size": drawings.die_size,
    "dice_row": drawings.dice_row,
    "dice_text": drawings.pool_dice_text,
    "dice_notation": dice_notation,
    "single_die": drawings.single_die,
    "die_symbols": drawings.die_symbols,
    "face_counts": drawings.face_counts,
    "symbol_letters": drawings.symbol_letters,
    "die_faces": drawings.faces_json,
    "script_texts": script_texts,
    **text_filters.TEMPLATE_FUNCTIONS,
    "qr_code": qr_code,
}


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the Jinja environment of the built-in templates."""
    return template_environment()


def template_environment(
    folder: Path | None = None,
    missing: type[Undefined] = StrictUndefined,
    sandboxed: bool = False,
    alone: str = "",
) -> Environment:
    """Return a Jinja environment of the built-in templates, in which a missing name is an error.

    Templates in ``folder`` stand in front of those built in, and replace one with the same name; if
    one file there is a template ``alone``, only it does, whatever else its folder contains.
    ``missing`` is the class of a missing name. A ``sandboxed`` environment is for templates of
    other people: what they compile to is not kept, and they reach no attribute of Python's.
    """
    folders = [*([folder] if folder else []), data_folder("templates")]
    jinja = (ImmutableSandboxedEnvironment if sandboxed else Environment)(
        loader=_Loader(folders, alone, sandboxed),
        undefined=missing,
        autoescape=select_autoescape(["html", "html.j2", "html.jinja"]),
        trim_blocks=True,
        keep_trailing_newline=folder is not None,  # a text file ends with one
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=None if sandboxed else _CompiledTemplates(),
        extensions=["jinja2.ext.i18n"],
    )
    jinja.filters.update(
        prose=prose_html,
        continued=continued_html,
        inline=inline_html,
        step=name_step,
        shortened=shorten_name,
        isolated=isolate_direction,
        plain=plain_text,
        true_minus=true_minus,
        **text_filters.FILTERS,
    )
    jinja.filters["fill"] = partial(_fill_sandboxed, jinja) if sandboxed else fill_html
    jinja.globals.update(TEMPLATE_NAMES, _=_, ngettext=ngettext, N_=N_, language=language)
    return jinja


class _Loader(FileSystemLoader):
    """A loader of a template's folder and the built-in ones, in this order.

    Of a template ``alone``, the other files of its folder come last. A loader that stays ``inside``
    follows no link out of the folders.
    """

    def __init__(self, folders: Sequence[Path], alone: str, inside: bool) -> None:
        super().__init__(folders)
        self.alone, self.inside = alone, inside
        self.others = FileSystemLoader(folders[::-1] if alone else folders)

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        own = super().get_source if template == self.alone else self.others.get_source
        found = own(environment, template)
        file, folders = Path(found[1]), map(Path, self.searchpath)
        if self.inside and not any(is_inside(file, folder) for folder in folders):
            raise TemplateNotFound(template)
        return found


class _CompiledTemplates(BytecodeCache):
    """Compiled templates, kept in the user's cache folder.

    Jinja checks that a compiled template belongs to its source. A missing or read-only
    folder is harmless.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            bucket.bytecode_from_string(read_cache_file(self._path(bucket)))

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            write_cache_file(self._path(bucket), bucket.bytecode_to_string())
            remove_old_cache_files(self._path(bucket).parent)

    def _path(self, bucket: Bucket) -> Path:
        return cache_folder() / "templates" / f"{bucket.key}.bin"


def _one_length(text: Prose) -> Prose:
    """Return a formatted text. Raises UsageError for one that has several lengths."""
    if hasattr(text, "full"):
        raise UsageError(_("this text has several lengths: add .full, .short or .digest"))
    return text


def prose_html(prose: Prose) -> Markup:
    """Return prose as paragraphs, and runs of list items as lists."""
    prose = _one_length(prose)
    parts: list[Markup] = []
    for listed, blocks in groupby(prose, key=lambda block: block.listed):
        texts = [_block_html(block) for block in blocks]
        if listed:
            items = Markup("").join(Markup("<li>{}</li>").format(text) for text in texts)
            parts.append(Markup("<ul>{}</ul>").format(items))
        else:
            parts += [Markup("<p>{}</p>").format(text) for text in texts]
    return Markup("").join(parts)


def continued_html(prose: Prose) -> Markup:
    """Return prose whose first paragraph continues the line that it is in."""
    prose = _one_length(prose)
    if not prose or prose[0].listed:
        return prose_html(prose)
    return _block_html(prose[0]) + prose_html(prose[1:])


def inline_html(prose: Prose) -> Markup:
    """Return prose as one run of text, without paragraphs."""
    return Markup(" ").join(_block_html(block) for block in _one_length(prose))


def _block_html(block: Block) -> Markup:
    """Return the text of a block with its bold and italic parts.

    A space at the end of a part is behind its tag: otherwise WeasyPrint may break the line at the
    first space of the part.
    """
    parts = []
    for (bold, italic), spans in groupby(block.spans, key=lambda span: (span.bold, span.italic)):
        whole = "".join(span.text for span in spans)
        inner = whole.rstrip(" ")
        text = escape(inner)
        if italic and inner:
            text = Markup("<em>{}</em>").format(text)
        if bold and inner:
            text = Markup("<strong>{}</strong>").format(text)
        parts.append(text + whole[len(inner) :])
    return Markup("").join(parts)


def fill_html(text: str, **values: object) -> Markup:
    """Return a text with its placeholders filled in; what is not HTML already is escaped."""
    return escape(text).format(**values)


def _fill_sandboxed(jinja: Environment, text: str, **values: object) -> Markup:
    """Return a text as ``fill_html`` does, but a placeholder reaches no attribute of Python's."""
    formatter = SandboxedEscapeFormatter(jinja, escape=escape)
    return Markup(formatter.vformat(escape(text), (), values))  # noqa: S704  # nosec B704


def name_step(name: str, with_portrait: bool = False) -> int:
    """Return how much smaller a long name is printed: 0 (full size) to 4 (smallest).

    A portrait beside the name leaves less room for it.
    """
    return sum(len(name) * (BESIDE if with_portrait else 1) > limit for limit in NAME_STEPS)


def shorten_name(name: str) -> str:
    """Return a name short enough for the foot of a page."""
    return name if len(name) <= FOOTER_LENGTH else name[: FOOTER_LENGTH - 1].rstrip() + "…"


def isolate_direction(text: str) -> str:
    """Return a text between marks that keep its direction out of the text around it.

    For the foot of a page, where ``<bdi>`` cannot be: a name from right to left would otherwise
    turn the page number round. The marks print nothing.
    """
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
