"""The look of a game's sheets: its accent colours, the head of a page, an ornament."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, StringConstraints

from charforge.language import _, format_number
from charforge.rules.models.base import Names, PackModel

PAPER = "#ffffff"
DARK = "#22384a"  # the lightest ground of dark screens; name plates are darker
LEAST_CONTRAST = 4.5  # what WCAG 2 asks of text

Header = Literal["plate", "band", "rule"]
Ornament = Literal["none", "chevrons", "dots", "hatching", "diamonds"]
Mark = Literal["triangle", "cross", "shield", "diamond"]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it: from 1 (none) to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb``, from 0 (black) to 1 (white)."""
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _quoted(raw: object) -> object:
    """Refuse a colour that YAML has read as a comment, with the reason."""
    if raw is None:
        raise ValueError(_('put a colour in quotes, such as "#b4281e": YAML reads # as a comment'))
    return raw


def _readable_on(ground: str, name: str) -> AfterValidator:
    """Refuse a colour whose contrast to a ground is too low for text."""

    def check(colour: str) -> str:
        found = contrast(colour, ground)
        if found < LEAST_CONTRAST:
            raise ValueError(
                _(
                    "{colour} is hard to read on {name}: its contrast is {found}, "
                    "and must be at least {least_contrast}"
                ).format(
                    colour=colour,
                    name=name,
                    found=format_number(found, ".2f"),
                    least_contrast=LEAST_CONTRAST,
                )
            )
        return colour

    return AfterValidator(check)


Colour = Annotated[str, BeforeValidator(_quoted), StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]


class Accent(PackModel):
    """An accent colour, on paper and on dark screens."""

    colour: Annotated[Colour, _readable_on(PAPER, "white paper")] = "#444444"
    on_dark: Annotated[Colour, _readable_on(DARK, "dark screens")] = "#c6c6c6"
    mark: Mark = "diamond"


class LookSpec(PackModel):
    """The look of a game's sheets."""

    accent: Accent = Accent.model_construct()
    accents: dict[Annotated[str, Names("tag")], Accent] = {}
    header: Header = "plate"
    ornament: Ornament = "none"
