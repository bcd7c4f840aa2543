"""Templates of other people: rendered by a process with little time, little memory and no network.

Jinja's sandbox keeps a template from Python's objects, but not from loops without end and texts
without a limit, and a page can keep WeasyPrint busy for as long. So a separate process renders and
prints it, and is ended if it takes too much. Its pages are checked by ``safe_page``, and the
credits of the game are printed where the template has no reach.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, NamedTuple

from charforge.errors import FaultyTemplate, MissingLibraryError, PackProblem, SheetError
from charforge.language import _, language, set_language
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.safe_page import UnsafePage, safe_page
from charforge.sheet.templates import OwnTemplate, join_pages, render_here
from charforge.sheet.view import SheetView

MAX_SECONDS = 10  # of processor time for a sheet
MAX_MEMORY = 300_000_000  # bytes more than the program itself needs
MAX_PAGES = 100  # of a sheet
MAX_TEXT = 5_000_000  # characters of a sheet
# What a template of somebody else may make: nothing that opens as a program or runs scripts.
ENDINGS = (".html", ".md", ".txt", ".csv", ".json", ".yaml")
WITH_CREDITS = (".md", ".txt")  # the others are read by programs
# Events of Python (PEP 578) that no template needs.
FORBIDDEN = (
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


def render_pdf(
    template: OwnTemplate,
    sheets: Sequence[Sheet],
    attached: Mapping[str, bytes],
    title: str = "",
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
            [sys.executable, "-P", "-m", __name__],
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
        _refuse_unfit(job.template)
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


def _refuse_unfit(template: OwnTemplate) -> None:
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
    # Here, because only a PDF needs WeasyPrint.
    from charforge.sheet.fit import fit_template
    from charforge.sheet.form_fields import draw_fields
    from charforge.sheet.html import environment
    from charforge.sheet.party import PartyPart, merge_pdf
    from charforge.sheet.pdf import lay_out, write

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
        documents.append(lay_out(html))
    if job.title:
        return merge_pdf([*zip(parts, documents, strict=True)], job.title)
    whole = documents[0].copy([page for document in documents for page in document.pages])
    fillable = job.sheets[0][1].fillable
    return write(
        whole, [part.html for part in parts], job.attached, draw_fields if fillable else None
    )


def _limit_process(seconds: int) -> None:
    """Limit the memory and time of this process from now on, on systems that can."""
    with suppress(ImportError, ValueError, OSError):  # Windows does not have this module
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        memory = pages * resource.getpagesize() + MAX_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _refuse_outside(event: str, _arguments: object) -> None:
    """Refuse what no template needs: programs and the network (an audit hook)."""
    if event.startswith(FORBIDDEN):
        raise PermissionError(event)


def main() -> None:
    """Do the job on stdin and write the answer to stdout."""
    job: _Job = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - from our parent  # nosec B301
    out = os.dup(1)
    os.dup2(2, 1)  # whatever a library prints is not the answer
    set_language(job.language)
    with suppress(MissingLibraryError):
        if job.kind == "pdf":
            from charforge.sheet import pdf

            pdf.load()
            pdf.fonts()
    _limit_process(MAX_SECONDS * len(job.sheets))
    sys.addaudithook(_refuse_outside)
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
