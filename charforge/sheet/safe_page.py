"""Pages of other people's templates: checked for what could run or reach out, and written anew.

Only elements and attributes that lay out a sheet are allowed. A page that passes is not given on
as it was, but written again from what the parser understood, so that no browser reads it in
another way; its policy comes first and forbids scripts and every address.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from urllib.parse import unquote_to_bytes
from xml.etree.ElementTree import Element  # only a type: tinyhtml5 parses

import tinycss2
import tinyhtml5

from charforge.errors import shorten
from charforge.language import N_, _

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "script-src 'none'; base-uri 'none'; form-action 'none'"
)
SVG, XLINK, XML = (
    "{http://www.w3.org/2000/svg}",
    "{http://www.w3.org/1999/xlink}",
    "{http://www.w3.org/XML/1998/namespace}",
)
XMLNS = "{http://www.w3.org/2000/xmlns/}"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HTML_ELEMENTS = _words(
    "html head title meta style body header footer main nav section article aside h1 h2 h3 h4 "
    "h5 h6 hgroup address p div span b i em strong small s u br hr wbr bdi bdo blockquote q "
    "cite code pre kbd samp var sub sup mark abbr dfn time data ins del ruby rb rt rp rtc a ul "
    "ol li dl dt dd menu table caption colgroup col thead tbody tfoot tr th td figure "
    "figcaption img fieldset legend label input textarea select option optgroup output progress "
    "meter details summary"
)
SVG_ELEMENTS = _words(
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath "
    "title desc linearGradient radialGradient stop clipPath mask pattern marker image"
)
TAG = re.compile(r"<(?=[A-Za-z/!?])")
EMPTY = _words("br hr wbr col img input meta")  # HTML elements without an end
NAME = re.compile(r"[A-Za-z][\w.:-]*")  # of an attribute
ADDRESSES = _words(
    "href xlink:href src srcset action formaction poster background data cite ping longdesc"
)
REFUSED = _words("rel download srcdoc popover popovertarget command commandfor http-equiv is")
MAY_NOT = N_("it contains {name}, which only your own templates may use")
LINK = re.compile(r"(https?|mailto):", re.IGNORECASE)
SCRIPT = re.compile(r"(java|vb|live)script:", re.IGNORECASE)
IGNORED_SIGNS = re.compile(r"[\x00-\x20\x7f]+")  # which browsers leave out of an address
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml)[;,]", re.IGNORECASE)
FONT = re.compile(
    r"data:(font/[\w.+-]+|application/(octet-stream|(x-)?font[\w.+-]*|vnd\.ms-(opentype|fontobject)))"
    r"[;,]",
    re.IGNORECASE,
)
SVG_DATA = re.compile(r"data:image/svg\+xml([^,]*),(.*)", re.IGNORECASE | re.DOTALL)
# In a picture: entities, which can grow without end, scripts, and what holds another document.
UNSAFE_SVG = re.compile(
    rb"<!(?!--|\[CDATA\[)|<\?xml-stylesheet|<([\w.-]+:)?(script|foreignObject|animate|set|handler)\b"
    rb"|[\s/\"']on\w+\s*=|script:|\x1b",
    re.IGNORECASE,
)
# What the page around the credits may not have, or they could be hidden with it.
PLAIN = (
    "display: block; visibility: visible; opacity: 1; position: static; float: none; transform: "
    "none; translate: none; rotate: none; scale: none; filter: none; backdrop-filter: none; "
    "clip: auto; clip-path: none; mask: none; mask-border: none; -webkit-mask: none; "
    "-webkit-mask-box-image: none; -webkit-box-reflect: none; offset: none; transform-style: "
    "flat; contain: none; content-visibility: visible; perspective: none; will-change: auto; "
    "overflow: visible; mix-blend-mode: normal; zoom: 1; animation: none; transition: none; "
    "container-type: normal; content: normal"
)
CREDITS = (
    "all: initial; display: flex; position: fixed; inset: auto 0 0 0; z-index: 2147483647; "
    "padding: 3px 12px; background: #fff; color: #222; font: 11px/1.3 sans-serif; "
    "border-top: 1px solid #999; animation: none; transition: none"
)
# Important rules of the first layer win over all others; without a name, nobody can add to it.
# There are none for ::first-line: a flex container has none.
FIRST_LAYER = (
    "@layer { html::before, html::after, body::before, body::after, "
    "[role=contentinfo]::before, [role=contentinfo]::after "
    "{ content: none !important; display: none !important; } "
    "body { padding-bottom: 4em !important; } "
    # Each by itself: a browser that does not know one leaves out its whole rule.
    "html::scroll-button(*), body::scroll-button(*) { content: none !important; } "
    "html::scroll-marker-group, body::scroll-marker-group { display: none !important; } "
    "html::scroll-marker, body::scroll-marker { content: none !important; } }"
)
PLAIN_PAGE = N_("the style of <html> and <body> stands in <style>, not in an attribute")


class UnsafePage(Exception):
    """A page with parts that may not be in it; each is a sentence."""

    def __init__(self, parts: Iterable[str]) -> None:
        super().__init__()
        self.parts = tuple(dict.fromkeys(parts))


def safe_page(html: str, credits: Sequence[str] = ()) -> str:
    """Return a page written again, with its policy. Raises UnsafePage.

    ``credits`` are printed at the foot of the window and of each printed page, where no style of
    the page hides them.
    """
    page = tinyhtml5.parse(html, namespace_html_elements=False)
    unsafe = [*_unsafe_in(page)]
    if unsafe:
        raise UnsafePage(unsafe)
    return "".join(_page(page, credits))


def _page(page: Element, credits: Sequence[str]) -> Iterator[str]:
    """Yield a page with its policy in front of everything else, and the credits at the end."""
    plain = _important(PLAIN) if credits else ""
    head, body = page.find("head"), page.find("body")
    yield f'<!DOCTYPE html>\n<html{_attributes(page, plain)}>\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    if credits:
        yield f"<style>{FIRST_LAYER}</style>\n"
    for part in head if head is not None else ():
        if part.tag != "meta" or not {"charset", "http-equiv"} & part.attrib.keys():
            yield from _written(part)
    yield "</head>\n"
    if body is not None:
        yield f"<body{_attributes(body, plain)}>{escape(body.text or '', quote=False)}"
        for part in body:
            yield from _written(part)
    if credits:
        lines = " · ".join(escape(line) for line in credits)
        yield f'<div role="contentinfo" style="{_important(CREDITS)}">{lines}</div>\n'
    yield "</body>\n</html>\n"


def _important(styles: str) -> str:
    return "; ".join(f"{style} !important" for style in styles.split("; "))


# ------------------------------------------------------------------ what is refused


def _unsafe_in(page: Element) -> Iterator[str]:
    for element in page.iter():
        if not isinstance(element.tag, str):  # a comment: it is not written
            continue
        name = element.tag.removeprefix(SVG)
        if name not in (SVG_ELEMENTS if element.tag.startswith(SVG) else HTML_ELEMENTS):
            yield _(MAY_NOT).format(name=shorten(f"<{element.tag.rpartition('}')[2]}>"))
        if element.tag == "style":
            yield from _unsafe_css(tinycss2.parse_component_value_list("".join(element.itertext())))
        if element.tag in ("html", "body") and "style" in element.attrib:
            yield _(PLAIN_PAGE)
        for key, value in element.attrib.items():
            yield from _unsafe_attribute(name, _plain_name(key), value)


def _plain_name(key: str) -> str:
    return key.replace(XLINK, "xlink:").replace(XML, "xml:")


def _unsafe_attribute(element: str, name: str, value: str) -> Iterator[str]:
    if name.startswith(XMLNS):  # not written
        return
    lower, address = name.lower(), IGNORED_SIGNS.sub("", value)
    shown = shorten(name)
    is_policy = (
        lower == "http-equiv" and address.lower() == "content-security-policy"
    )  # there is one already
    if not NAME.fullmatch(name) or lower.startswith("on"):
        yield _("it contains the attribute {name}, which can run a script").format(name=shown)
    elif lower in REFUSED and not is_policy:
        yield _(MAY_NOT).format(name=shown)
    elif SCRIPT.match(address):
        yield _("the attribute {name} contains a script").format(name=shown)
    elif element == "a" and lower in ("href", "xlink:href"):
        if not (address.startswith("#") or LINK.match(address)):
            yield _(
                "a link may lead to a place of the page or to the web, not to {address}"
            ).format(address=shorten(address))
    elif lower in ADDRESSES:
        yield from _unsafe_address(value)
    elif lower == "style" or "url(" in value.lower():  # of SVG: fill, clip-path
        yield from _unsafe_css(tinycss2.parse_component_value_list(value))


def _unsafe_address(written: str) -> Iterator[str]:
    """Yield why an address may not be used: it is neither in the page nor a picture or font."""
    address = IGNORED_SIGNS.sub("", written)
    if not address or address.startswith("#") or FONT.match(address):
        return
    if not PICTURE.match(address):
        message = _("it reads {address}: a picture or font of the template needs data_uri")
        yield message.format(address=shorten(address))
        return
    if "svg" in address[:16].lower() and _unsafe_svg(written):
        yield _("a picture in it contains a script, an entity or another document")


def _unsafe_svg(address: str) -> bool:
    picture = SVG_DATA.fullmatch(address.strip())
    if picture is None:
        return True
    if "charset" in (kind := picture[1].lower()) and "utf-8" not in kind:
        return True
    content = unquote_to_bytes(picture[2])
    try:
        text = b64decode(content) if "base64" in picture[1].lower() else content
        text.decode("utf-8")
    except ValueError:
        return True
    return b"\0" in text or UNSAFE_SVG.search(text) is not None


def _unsafe_css(tokens: Iterable[tinycss2.ast.Node]) -> Iterator[str]:
    """Yield what a style would read, at any depth."""
    for token in tokens:
        match token.type:
            case "at-keyword" if token.lower_value == "import":
                yield _("its style uses @import")
            case "url":
                yield from _unsafe_address(token.value)
            case "function" if token.lower_name in ("url", "src", "image-set", "-webkit-image-set"):
                for part in token.arguments:
                    if part.type == "string":
                        yield from _unsafe_address(part.value)
                    if part.type == "function" and part.lower_name in ("var", "env", "attr"):
                        yield _("its style makes an address with {name}()").format(
                            name=part.lower_name
                        )
                yield from _unsafe_css(token.arguments)
            case "function":
                yield from _unsafe_css(token.arguments)
            case "() block" | "[] block" | "{} block":
                yield from _unsafe_css(token.content)


# ------------------------------------------------------------------ writing


def _written(element: Element) -> Iterator[str]:
    """Yield an element as HTML, with the text after it."""
    tail = escape(element.tail or "", quote=False)
    if not isinstance(element.tag, str):
        yield tail
        return
    name = element.tag.removeprefix(SVG)
    yield f"<{name}{_attributes(element)}>"
    if element.tag not in EMPTY:
        text = element.text or ""
        if element.tag == "style":
            yield TAG.sub(r"\\3c ", text)  # as CSS writes it: never the start of a tag
        else:
            yield "\n" if element.tag in ("pre", "textarea") else ""  # the first is not counted
            yield escape(text, quote=False)
            for part in element:
                yield from _written(part)
        yield f"</{name}>"
    yield tail


def _attributes(element: Element, style: str = "") -> str:
    """Return the attributes of an element, and a ``style``."""
    found = {_plain_name(key): value for key, value in element.attrib.items()}
    if style:
        found["style"] = style
    return "".join(
        f' {name}="{escape(value)}"' for name, value in found.items() if not name.startswith(XMLNS)
    )
