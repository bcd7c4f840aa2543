"""Templates of other people: rendered by a process with little time, little memory and no network.

Jinja's sandbox keeps a template from Python's objects, but not from loops without end and texts
without a limit, and a page can keep WeasyPrint busy for as long. So a separate process renders and
prints it, and is ended if it takes too much. The credits of the game are printed where the template
has no reach.

Its pages are checked for what could run or reach out, and written anew: only elements and
attributes that lay out a sheet are allowed. A page that passes is not given on as it was, but
written again from what the parser understood, so that no browser reads it in another way; its
policy comes first and forbids scripts and every address.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote_to_bytes
from xml.etree.ElementTree import Element

import tinycss2
import tinyhtml5

from charforge.errors import FaultyTemplate, MissingLibraryError, PackProblem, SheetError, shorten
from charforge.language import N_, _, language, set_language
from charforge.process import limit_process
from charforge.sheet import pdf
from charforge.sheet.fit import fit_template
from charforge.sheet.form_fields import draw_fields
from charforge.sheet.html import environment
from charforge.sheet.party import PartyPart, merge_pdf
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.template_rendering import join_pages, render_here
from charforge.sheet.templates import OwnTemplate
from charforge.sheet.view import SheetView

SHEET_POLICY = (
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
TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
EMPTY = _words("br hr wbr col img input meta")  # HTML elements without an end
ATTRIBUTE_NAME = re.compile(r"[A-Za-z][\w.:-]*")  # of an attribute
ADDRESSES = _words(
    "href xlink:href src srcset action formaction poster background data cite ping longdesc"
)
REFUSED = _words("rel download srcdoc popover popovertarget command commandfor http-equiv is")
MAY_NOT = N_("it contains {name}, which only your own templates may use")
LINK_SCHEME = re.compile(r"(https?|mailto):", re.IGNORECASE)
SCRIPT = re.compile(r"(java|vb|live)script:", re.IGNORECASE)
IGNORED_SIGNS = re.compile(r"[\x00-\x20\x7f]+")  # which browsers leave out of an address
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml)[;,]", re.IGNORECASE)
FONT_DATA = re.compile(
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
PLAIN_STYLE = (
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
    plain = _important(PLAIN_STYLE) if credits else ""
    head, body = page.find("head"), page.find("body")
    yield f'<!DOCTYPE html>\n<html{_attributes(page, plain)}>\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{SHEET_POLICY}">\n'
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
    if not ATTRIBUTE_NAME.fullmatch(name) or lower.startswith("on"):
        yield _("it contains the attribute {name}, which can run a script").format(name=shown)
    elif lower in REFUSED and not is_policy:
        yield _(MAY_NOT).format(name=shown)
    elif SCRIPT.match(address):
        yield _("the attribute {name} contains a script").format(name=shown)
    elif element == "a" and lower in ("href", "xlink:href"):
        if not (address.startswith("#") or LINK_SCHEME.match(address)):
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
    if not address or address.startswith("#") or FONT_DATA.match(address):
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
            yield TAG_START.sub(r"\\3c ", text)  # as CSS writes it: never the start of a tag
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


MAX_SECONDS = 10  # of processor time for a sheet
MAX_MEMORY = 300_000_000  # bytes more than the program itself needs
MAX_PAGES = 100  # of a sheet
MAX_TEXT = 5_000_000  # characters of a sheet
# What a template of somebody else may make: nothing that opens as a program or runs scripts.
ENDINGS = (".html", ".md", ".txt", ".csv", ".json", ".yaml")
WITH_CREDITS = (".md", ".txt")  # the others are read by programs
# Events of Python (PEP 578) that no template needs.
FORBIDDEN_HTML = (
    "socket.",
    "subprocess.",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "os.fork",
)

Sheet = tuple[SheetView, PrintOptions]


class _Job(NamedTuple):
    """The work of the other process: sheets of a template as texts, as one page or as one PDF."""

    template: OwnTemplate
    sheets: Sequence[Sheet]
    kind: Literal["texts", "page", "pdf"]
    attached: Mapping[str, bytes]
    title: str
    language: str


def render_template(template: OwnTemplate, view: SheetView, options: PrintOptions) -> str:
    """Return what a template makes of a view.

    A template of somebody else is rendered in another process. Raises FaultyTemplate.
    """
    if template.sandboxed:
        return render_texts(template, [(view, options)])[0]
    return render_here(template, view, options)


def render_texts(template: OwnTemplate, sheets: Sequence[Sheet]) -> list[str]:
    """Return what a template makes of each view; a page is checked and written anew.

    Raises FaultyTemplate, also if it takes too long, needs too much memory or makes what only a
    user's own template may make.
    """
    texts = json.loads(_ask(_Job(template, sheets, "texts", {}, "", language())))
    return [str(text) for text in texts]


def render_page(template: OwnTemplate, sheets: Sequence[Sheet]) -> str:
    """Return the pages of several views as one. Raises as ``render_texts``."""
    return _ask(_Job(template, sheets, "page", {}, "", language())).decode()


def sandboxed_pdf(
    template: OwnTemplate, sheets: Sequence[Sheet], attached: Mapping[str, bytes], title: str = ""
) -> bytes:
    """Return the PDF of the views, with the credits of their games on a last page.

    Raises as ``render_texts``, and SheetError without the libraries for a PDF.
    """
    return _ask(_Job(template, sheets, "pdf", attached, title, language()))


def _ask(job: _Job) -> bytes:
    """Return the answer of the other process. Raises FaultyTemplate and SheetError."""
    seconds = MAX_SECONDS * len(job.sheets)
    main = job.template.folder / job.template.file
    try:
        process = subprocess.run(  # noqa: S603 - this very module  # nosec B603
            [sys.executable, "-P", "-m", __name__, str(seconds)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            input=pickle.dumps(job, pickle.HIGHEST_PROTOCOL),
            capture_output=True,
            timeout=3 * seconds,  # a busy machine gives a process less of its time
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise FaultyTemplate.at(main, _too_slow()) from error
    if process.returncode == 0:
        head, _end, answer = process.stdout.partition(b"\n")
        _raise_error(json.loads(head))
        return answer
    if process.returncode in (-getattr(signal, "SIGXCPU", 0), -getattr(signal, "SIGKILL", 0)):
        raise FaultyTemplate.at(main, _too_slow())
    if process.returncode == OUT_OF_MEMORY or process.returncode < 0:  # of a library: it aborts
        raise FaultyTemplate.at(main, _too_large())
    raise RuntimeError(process.stderr.decode(errors="replace"))


def _too_slow() -> str:
    return _("this takes more than {seconds} seconds").format(seconds=MAX_SECONDS)


def _too_large() -> str:
    return _("this needs more than {size} MB of memory").format(size=MAX_MEMORY // 1_000_000)


def _raise_error(head: dict[str, Any]) -> None:
    """Raise the error that the other process has reported, if any."""
    if problems := head.get("problems"):
        raise FaultyTemplate(PackProblem(Path(found.pop("file")), **found) for found in problems)
    for kind in (MissingLibraryError, SheetError):
        if kind.__name__ in head:
            raise kind(*head[kind.__name__])


# ------------------------------------------------------------------ in the other process

OUT_OF_MEMORY = 3  # exit code


def _answer(job: _Job) -> bytes:
    """Return the answer to a job: a line of JSON with its errors, then the result."""
    try:
        refuse_unfit(job.template)
        if job.kind == "pdf":
            result = _pdf(job)
        elif job.kind == "page":
            pages = [_text(job.template, view, options) for view, options in job.sheets]
            result = _checked(job.template, join_pages(pages), _all_credits(job)).encode()
        else:
            result = json.dumps([*_texts(job)]).encode()
    except FaultyTemplate as error:
        return _faults(error.problems)
    except SheetError as error:
        return json.dumps({type(error).__name__: [error.reason, error.advice]}).encode() + b"\n"
    return b"{}\n" + result


def _faults(problems: Iterable[PackProblem]) -> bytes:
    """Return the answer with the errors of a template."""
    listed = [{**asdict(found), "file": str(found.file)} for found in problems]
    return json.dumps({"problems": listed}).encode() + b"\n"


def refuse_unfit(template: OwnTemplate) -> None:
    """Raise FaultyTemplate for a template that makes a kind of file that may run."""
    main = template.folder / template.file
    if template.ending not in ENDINGS:
        raise FaultyTemplate.at(
            main, _("a template of others can make {endings}").format(endings=", ".join(ENDINGS))
        )


def _texts(job: _Job) -> Iterator[str]:
    """Yield the text of each sheet, with the credits of its game."""
    for view, options in job.sheets:
        text, credits = _text(job.template, view, options), credit_lines(job.template, view)
        if job.template.is_page:
            yield _checked(job.template, text, credits)
        elif job.template.ending in WITH_CREDITS:
            yield "\n".join((text.rstrip("\n"), "", *credits, "")) if credits else text
        else:
            yield text


def _text(template: OwnTemplate, view: SheetView, options: PrintOptions) -> str:
    """Return what a template makes of a view, which has no credits: they are printed elsewhere."""
    text = render_here(template, view._replace(credits=()), options)
    if len(text) > MAX_TEXT:
        message = _("this makes more than {size} MB").format(size=MAX_TEXT // 1_000_000)
        raise FaultyTemplate.at(template.folder / template.file, message)
    return text


def _checked(template: OwnTemplate, text: str, credits: Sequence[str] = ()) -> str:
    try:
        return safe_page(text, credits)
    except UnsafePage as error:
        main = template.folder / template.file
        raise FaultyTemplate(PackProblem(main, 1, 1, "", part) for part in error.parts) from error


def credit_lines(template: OwnTemplate, view: SheetView) -> list[str]:
    """Return the credits of a sheet: of its game and packs, and of the template."""
    about = template.about
    by = _("by {authors}").format(authors=about.author) if about.author else ""
    own = ", ".join(
        filter(None, (_("Sheet: {name}").format(name=template.name), by, about.licence))
    )
    return [credit.line for credit in view.credits] + ([own] if by or about.licence else [])


def _all_credits(job: _Job) -> list[str]:
    lines = (line for view, _options in job.sheets for line in credit_lines(job.template, view))
    return [*dict.fromkeys(lines)]


def _pdf(job: _Job) -> bytes:
    """Return the sheets as one PDF, with the credits on a page of their own at the end."""
    parts, documents = [], []
    for view, options in job.sheets:

        def render(options: PrintOptions, view: SheetView = view) -> str:
            return _checked(job.template, _text(job.template, view, options))

        html, document = fit_template(render, options, job.template.about.pages)
        if len(document.pages) > MAX_PAGES:
            message = _("this makes more than {count} pages").format(count=MAX_PAGES)
            raise FaultyTemplate.at(job.template.folder / job.template.file, message)
        parts.append(PartyPart(html, view.name))
        documents.append(document)
    credits = _all_credits(job)
    if credits:
        view, options = job.sheets[0]
        html = (
            environment()
            .get_template("credits.html")
            .render(view=view, options=options, audit=(), play=None, lines=credits)
        )
        parts.append(PartyPart(html, _("Credits")))
        documents.append(pdf.lay_out(html))
    if job.title:
        return merge_pdf(
            [*zip(parts, documents, strict=True)], job.title, job.sheets[0][1].on_both_sides
        )
    whole = documents[0].copy([page for document in documents for page in document.pages])
    fillable = job.sheets[0][1].fillable
    return pdf.write(
        whole, [part.html for part in parts], job.attached, draw_fields if fillable else None
    )


def refuse_outside(event: str, _arguments: object) -> None:
    """Refuse what no template needs: programs and the network (an audit hook)."""
    if event.startswith(FORBIDDEN_HTML):
        raise PermissionError(event)


def main() -> None:
    """Do the job on stdin in as many seconds as the argument says; write the answer to stdout."""
    job: _Job = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - from our parent  # nosec B301
    out = os.dup(1)
    os.dup2(2, 1)  # whatever a library prints is not the answer
    set_language(job.language)
    with suppress(MissingLibraryError):
        if job.kind == "pdf":
            pdf.load()
            pdf.fonts()
    limit_process(MAX_MEMORY, int(sys.argv[1]), more=True)
    sys.addaudithook(refuse_outside)
    answer = b""
    try:
        answer = _answer(job)
    except MemoryError:
        pass  # the memory is free again below, where the error is forgotten
    except Exception as error:  # of a library that somebody wrote a page for
        message = _("this cannot be printed: {error}").format(error=type(error).__name__)
        template = job.template.folder / job.template.file
        answer = _faults([PackProblem(template, 1, 1, "", message)])
    if not answer:
        sys.exit(OUT_OF_MEMORY)
    with os.fdopen(out, "wb") as file:
        file.write(answer)


if __name__ == "__main__":
    # The pickled job names the classes of the module itself, not those of this program.
    from charforge.sheet import sandbox

    sandbox.main()
