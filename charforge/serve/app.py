"""The pages of a table over HTTP: who may see them, and changes that everybody sees at once.

A page asks for a fragment of HTML again when the stream of events says that it differs. Rules
run in threads, so that a long one stops nobody else. Nothing is kept here that a restart would
lose, except who is connected.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import time_ns
from types import FrameType
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import uvicorn
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from charforge.errors import CharforgeError, DocumentError, os_reason
from charforge.language import N_, _
from charforge.paths import data_folder
from charforge.replay.loaded_character import LoadedCharacter
from charforge.serve import game_master, player
from charforge.serve.actions import ActionQuestion, action_form, result_title, run_page_action
from charforge.serve.guard import REQUESTS, WRONG_TOKENS, Connections, Guard, Rate
from charforge.serve.odds import OddsCalculator
from charforge.serve.table import GAME_MASTER_SEAT, Seats, Table
from charforge.serve.table_actions import run_table_action
from charforge.serve.table_state import NOT_LOGGED, TableStore
from charforge.serve.turn_actions import end_own_turn, has_ended_turn
from charforge.sheet.html import environment
from charforge.verbs.change import PlayResult

NOT_YOURS = N_("This seat is not yours. Ask the game master for your link.")
COOKIE_SECONDS = 30 * 24 * 3600
STATIC = {
    "htmx.min.js": "text/javascript",
    "serve.js": "text/javascript",
    "serve.css": "text/css",
    "game_master.css": "text/css",
}
BEAT = 1.0  # seconds between two signs of life of the stream of events
LOOK = 0.2  # seconds between two looks at the files, for changes by other programs
WRONG_TOKEN_TIME = 0.25  # seconds until a wrong token is refused
MOST_PAGES = 64  # that listen
MOST_PAGES_OF_SEAT = 8
MOST_WAITING = 200  # events for a page that does not read them
CLOSED = "event: closed\ndata: 0\n\n"  # the last event of a page that gives way to another one
TABLE_EVENT = "table"  # in an event: what belongs to no character
MOST_FIELDS_READ = 120  # of a form; initiative has three for a character and one for a foe
LONGEST_VALUE_READ = 2_000  # letters; actions allow fewer

Endpoint = Callable[[Request], Awaitable[Response]]
ErrorWords = Callable[[Exception, str], str]  # the message of an error, on the page of a seat


class Failure(Exception):
    """A request that is answered with a status and a reason."""

    def __init__(self, status: int, text: str) -> None:
        self.status, self.text = status, text


class Visit(NamedTuple):
    """A request to a character's page, and the seat that it comes from."""

    seat: str
    owner: str


class Page(NamedTuple):
    """A connected page: its seat, its id, the events that wait for it, and whose browser has it.

    Ids begin with the time when the page was opened, so the older one has the lower id. An event
    that is None ends its stream.
    """

    seat: str
    id: str
    events: asyncio.Queue[str | None]
    owner: str


@dataclass
class Server:
    """The pages of a table. ``words`` puts errors into words, ``clock`` tells the time of day."""

    table: Table
    seats: Seats
    store: TableStore
    words: ErrorWords
    clock: Callable[[], str]
    connections: Connections = field(default_factory=Connections)
    calculator: OddsCalculator = field(default_factory=OddsCalculator)
    secure: bool = False
    pages: list[Page] = field(default_factory=list)
    wrong_tokens: Rate = field(default_factory=lambda: Rate(WRONG_TOKENS, 60))
    requests: Rate = field(default_factory=lambda: Rate(REQUESTS, 1))

    def application(self) -> Starlette:
        """Return the ASGI application; it still needs its guard."""
        character = "/c/{seat:str}"
        pages: dict[str, Endpoint] = {
            "/": self.start,
            "/s/{token:str}": self.take_seat,
            "/static/{name:str}": self.static,
            "/events/{seat:str}": self.events,
            "/turns/{seat:str}": self.turns,
            "/gm": self.game_master_page,
            "/gm/live": self.game_master_live,
            "/gm/log.md": self.log,
            character: self.player_page,
            f"{character}/live": self.live,
            f"{character}/others": self.others,
            f"{character}/form/{{name:str}}": self.form,
            f"{character}/odds": self.odds,
        }
        changes: dict[str, Endpoint] = {
            "/gm/do/{name:str}": self.do_at_table,
            f"{character}/do/{{name:str}}": self.do,
        }
        routes = [Route(path, self._dropping(page)) for path, page in pages.items()]
        routes += [
            Route(path, self._dropping(change), methods=["POST"])
            for path, change in changes.items()
        ]
        handlers: dict[Any, Any] = {
            Failure: self._failed, CharforgeError: self._refused, OSError: self._refused,
        }  # fmt: skip
        return Starlette(routes=routes, exception_handlers=handlers, lifespan=self._running)

    # ------------------------------------------------------------------ who may

    async def _seat(self, request: Request, *allowed: str) -> str:
        """Return the seat that a request comes from: one of those allowed, or the game master.

        Raises Failure.
        """
        seat = await self._first_seat(request, (*allowed, GAME_MASTER_SEAT))
        if seat is None:
            raise Failure(403, _(NOT_YOURS))
        if self.requests.is_full(seat):
            raise Failure(429, _("Too many requests: wait a second."))
        self.requests.count(seat)
        return seat

    async def _first_seat(self, request: Request, seats: Iterable[str]) -> str | None:
        """Return the first of some seats that a browser has the cookie of.

        Cookies that are not valid any more are dropped; they count as wrong links only for a
        browser that has no valid one. Raises Failure as ``_seat_of`` does.
        """
        cookies = {seat: self.seats.cookie(seat) for seat in seats}
        given = {seat: request.cookies.get(cookie, "") for seat, cookie in cookies.items()}
        request.state.stale = stale = []
        for seat in filter(given.get, given):
            if self.seats.seat_of(given[seat]) == seat:
                return seat
            stale.append(cookies[seat])
        if stale:
            await self._seat_of(request, request.cookies[stale[0]])
        return None

    def _dropping(self, endpoint: Endpoint) -> Endpoint:
        """Return what answers a request as ``endpoint`` does, and drops cookies of no use."""

        async def answered(request: Request) -> Response:
            answer = await endpoint(request)
            self._drop(request, answer)
            return answer

        return answered

    def _drop(self, request: Request, answer: Response) -> None:
        for cookie in getattr(request.state, "stale", ()):
            answer.delete_cookie(cookie, httponly=True, samesite="strict", secure=self.secure)

    async def _seat_of(self, request: Request, token: str) -> str | None:
        """Return the seat of a token. Raises Failure for too many wrong ones from an address."""
        address = request.client.host if request.client else ""
        if self.wrong_tokens.is_full(address):
            raise Failure(429, _("Too many wrong links: wait a minute."))
        seat = self.seats.seat_of(token)
        if seat is None:
            self.wrong_tokens.count(address)
            await asyncio.sleep(WRONG_TOKEN_TIME)
        return seat

    async def _visit(self, request: Request) -> Visit:
        """Return the character of an address, if the request may see and change it."""
        seat: str = request.path_params["seat"]
        if seat not in self.table.seats:
            raise Failure(403, _(NOT_YOURS))
        return Visit(seat, await self._seat(request, seat))

    async def _form(self, request: Request, seat: str) -> dict[str, list[str]]:
        """Return the fields of a change. Raises Failure without the token of one of our pages."""
        given = request.headers.get("x-page-token", "")
        if not secrets.compare_digest(given.encode(), self.seats.page_token(seat).encode()):
            raise Failure(403, _("This page is out of date: reload it."))
        try:
            return parse_qs(
                (await request.body()).decode(), keep_blank_values=True, strict_parsing=False,
                max_num_fields=MOST_FIELDS_READ,
            )  # fmt: skip
        except ValueError as error:  # bytes that are no text, or too many fields
            raise Failure(400, _("The form cannot be read.")) from error

    async def _failed(self, request: Request, error: Exception) -> Response:
        """Answer with a reason, as a page or as part of one."""
        assert isinstance(error, Failure)  # Starlette's types do not say so
        answer = self._message(request, error.text, error.status)
        self._drop(request, answer)
        return answer

    async def _refused(self, request: Request, error: Exception) -> Response:
        """Answer with the message of an error that a player can do something about."""
        if isinstance(error, OSError):  # its own words can have the path of a file
            text = _("The table cannot be read or saved: {reason}.")
            return self._message(request, text.format(reason=os_reason(error)), 422)
        seat = request.path_params.get("seat", "")
        return self._message(request, self.words(error, seat), 422)

    def _message(self, request: Request, text: str, status: int) -> Response:
        part = "hx-request" in request.headers
        template = "serve/message.html" if part else "serve/message_page.html"
        return HTMLResponse(_render(template, text=text, status=status), status)

    # ------------------------------------------------------------------ coming in

    async def start(self, request: Request) -> Response:
        """Lead to the only seat that a browser has."""
        seat = await self._first_seat(request, (GAME_MASTER_SEAT, *self.table.seats))
        if seat is not None:
            return RedirectResponse(_address(seat), 303)
        raise Failure(403, _("Open the link or scan the code that the game master has for you."))

    async def take_seat(self, request: Request) -> Response:
        """Take the seat of a link: its token becomes a cookie, and the page leads on.

        A redirection would come without the cookie if another app opened the link.
        """
        token: str = request.path_params["token"]
        seat = await self._seat_of(request, token)
        if seat is None:
            raise Failure(403, _("This link is not valid. Ask the game master for a new one."))
        answer = HTMLResponse(_render("serve/welcome.html", address=_address(seat)))
        answer.set_cookie(
            self.seats.cookie(seat), token, COOKIE_SECONDS, httponly=True, samesite="strict",
            secure=self.secure,
        )  # fmt: skip
        return answer

    async def static(self, request: Request) -> Response:
        """Send a script or a style, which browsers keep."""
        name: str = request.path_params["name"]
        if name not in STATIC:
            raise Failure(404, _("There is no such page."))
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(_static(name), media_type=STATIC[name], headers=headers)

    # ------------------------------------------------------------------ a character

    async def player_page(self, request: Request) -> Response:
        """Return the page of a character."""
        _seat, owner = await self._visit(request)

        def content() -> dict[str, Any]:
            return {"viewer": owner, **self._live(request)}

        return await self._page(request, owner, "serve/player.html", content)

    async def _page(
        self, request: Request, owner: str, template: str, content: Callable[[], dict[str, Any]]
    ) -> Response:
        """Return a page in its frame, for the seat that asked for it."""

        def render() -> str:
            return _render(
                template, **content(), csrf=self.seats.page_token(owner),
                page_id=f"{time_ns():016x}{secrets.token_hex(4)}", names=self._links(request),
            )  # fmt: skip

        return HTMLResponse(await run_in_threadpool(render))

    def _links(self, request: Request) -> list[tuple[str, str]]:
        """Return the other pages that a browser may open: address and name."""

        def has(seat: str) -> bool:
            return request.cookies.get(self.seats.cookie(seat)) == self.seats.token(seat)

        names, everything = self.table.names(), has(GAME_MASTER_SEAT)
        own = [(_address(seat), name) for seat, name in names.items() if everything or has(seat)]
        return [*([(_address(GAME_MASTER_SEAT), _("Game master"))] if everything else []), *own]

    def _live(self, request: Request) -> dict[str, Any]:
        """Return what the templates of a character show; ``live`` is the part that changes.

        It is made once for each state of the file: every page of the character asks for it.
        """
        seat: str = request.path_params["seat"]
        unit = request.query_params.get("unit", "")
        shown = (unit,) if self.table.load(seat).character.state.has_unit(unit) else ()
        return {
            "seat": seat,
            "turns": game_master.turn_order(self.table, self.store),
            "page": self.table.derive(seat, player.player_page, *shown),
            "live": self.table.derive(seat, self._character, seat, *shown),
        }

    def _character(self, _opened: LoadedCharacter, seat: str, *unit: str) -> Markup:
        page = self.table.derive(seat, player.player_page, *unit)
        file = self.table.file(seat).name
        return Markup(_render("serve/character.html", seat=seat, file=file, page=page))  # noqa: S704  # nosec B704

    async def live(self, request: Request) -> Response:
        """Return the part of a character's page that changes."""
        await self._visit(request)
        return HTMLResponse(await run_in_threadpool(lambda: str(self._live(request)["live"])))

    async def _part(self, template: str, content: Callable[[], dict[str, Any]]) -> Response:
        def render() -> str:
            return _render(template, **content())

        return HTMLResponse(await run_in_threadpool(render))

    async def others(self, request: Request) -> Response:
        """Return the others as a player may see them."""
        seat, _owner = await self._visit(request)

        def content() -> dict[str, Any]:
            return {"seat": seat, "others": game_master.others(self.table, self.store, seat)}

        return await self._part("serve/others.html", content)

    async def turns(self, request: Request) -> Response:
        """Whose turn it is."""
        seat: str = request.path_params["seat"]
        viewer = await self._seat(request, *([seat] if seat in self.table.seats else []))

        def content() -> dict[str, Any]:
            return {"viewer": viewer, "turns": game_master.turn_order(self.table, self.store)}

        return await self._part("serve/turns.html", content)

    async def form(self, request: Request) -> Response:
        """Return the form of an action that needs inputs."""
        seat, _owner = await self._visit(request)
        name: str = request.path_params["name"]
        fields = _single(parse_qs(request.url.query, keep_blank_values=True))

        def content() -> dict[str, Any]:
            form = action_form(self.table.load(seat), name, fields)
            return {"seat": seat, "form": form}

        return await self._part("serve/form.html", content)

    async def odds(self, request: Request) -> Response:
        """Return the odds of an ability or a check."""
        seat, owner = await self._visit(request)
        fields = _single(parse_qs(request.url.query, keep_blank_values=True))

        def content() -> dict[str, Any]:
            odds = self.calculator.odds(self.table.load(seat), fields, owner)
            return {"seat": seat, "odds": odds}

        return await self._part("serve/odds.html", content)

    async def do(self, request: Request) -> Response:
        """Run an action of a character; the answer comes when the file is saved.

        Players who end their turn pass it on.
        """
        seat, owner = await self._visit(request)
        fields = _single(await self._form(request, owner))
        name: str = request.path_params["name"]
        changed = [seat]

        def run() -> str:
            at = self.clock()
            ends: list[bool] = []

            def act(opened: LoadedCharacter) -> PlayResult:
                result = run_page_action(opened, name, fields, at)
                ends[:] = [has_ended_turn(opened, result.after)]
                return result

            try:
                result = self.table.change(seat, act)
            except ActionQuestion as question:
                return _render("serve/form.html", seat=seat, form=question.form)
            lines = [line.text for line in result.lines]
            if ends[0]:
                passed = end_own_turn(self.table, self.store, seat)
                lines += [*passed.lines, *passed.refused]
                changed.extend([TABLE_EVENT, *passed.changed] if passed.lines else [])
            logged = self.store.log(at, self.table.names()[seat], lines)
            missing = "" if logged else _(NOT_LOGGED)
            live = self._live(request)
            title = result_title(result.after, name, fields)
            return _render(
                "serve/result.html", **live, result=result, title=title, missing=missing,
                undone=name == "undo",
            )  # fmt: skip

        return await self._done(request, run, changed)

    async def _done(
        self, request: Request, run: Callable[[], str], changed: Iterable[str]
    ) -> Response:
        """Answer a change, and tell everybody: it can be saved although the answer fails."""
        try:
            return HTMLResponse(await run_in_threadpool(run))
        finally:
            self.tell(changed, request.headers.get("x-page", ""))

    # ------------------------------------------------------------------ the game master

    async def game_master_page(self, request: Request) -> Response:
        """Return the page of the game master."""
        await self._seat(request)
        return await self._page(request, GAME_MASTER_SEAT, "serve/game_master_page.html", self._all)

    def _all(self) -> dict[str, Any]:
        return {
            "seat": GAME_MASTER_SEAT,
            "page": game_master.game_master_page(self.table, self.store),
            "turns": game_master.turn_order(self.table, self.store),
        }

    async def game_master_live(self, request: Request) -> Response:
        """Return the part of the game master's page that changes."""
        await self._seat(request)
        return await self._part("serve/game_master.html", self._all)

    async def do_at_table(self, request: Request) -> Response:
        """Run an action of the game master."""
        await self._seat(request)
        fields = await self._form(request, GAME_MASTER_SEAT)
        name: str = request.path_params["name"]

        changed = [TABLE_EVENT]

        def run() -> str:
            at = self.clock()
            result = run_table_action(self.table, self.store, name, fields, at)
            changed.extend(result.changed)
            return _render("serve/table_result.html", result=result, **self._all())

        return await self._done(request, run, changed)

    async def log(self, request: Request) -> Response:
        """Return the log of the evening, to be saved."""
        await self._seat(request)
        text = await run_in_threadpool(self.store.markdown)
        headers = {"Content-Disposition": 'attachment; filename="evening.md"'}
        return Response(text, media_type="text/markdown", headers=headers)

    # ------------------------------------------------------------------ events

    async def events(self, request: Request) -> Response:
        """Return the stream of events of a page, with a sign of life every second."""
        seat: str = request.path_params["seat"]
        known = seat in self.table.seats or seat == GAME_MASTER_SEAT
        owner = await self._seat(request, *([seat] if known else []))
        id = request.query_params.get("page", "")
        page = Page(seat, id, asyncio.Queue(MOST_WAITING), owner)
        remaining = len(self.pages) - len(self._replaced(page))
        if remaining >= MOST_PAGES and owner != GAME_MASTER_SEAT:  # who always has room
            raise Failure(503, _("Too many pages of this table are open: close some."))
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(
            self._stream(page), media_type="text/event-stream", headers=headers
        )

    def _replaced(self, page: Page) -> Collection[tuple[Page, str | None]]:
        """Return the pages that a page replaces, each with the event that ends its stream.

        They are its own former stream, or the oldest of its seat if these are too many: a page that
        was disconnected for a while and comes back may itself be one of them.
        """
        own = [one for one in self.pages if (one.owner, one.seat) == (page.owner, page.seat)]
        others = [one for one in own if one is not page]
        former = [(one, None) for one in others if page.id and one.id == page.id]
        by_age = sorted([*others, page], key=lambda one: one.id)
        return former or [(one, CLOSED) for one in by_age[:-MOST_PAGES_OF_SEAT]]

    def _end(self, page: Page, last: str | None = None) -> None:
        self.pages.remove(page)
        with suppress(asyncio.QueueFull):  # then it ends when it is read
            page.events.put_nowait(last)

    def end_streams(self) -> None:
        """End the streams of all pages, which come back when the server does."""
        for page in list(self.pages):
            self._end(page)

    async def _stream(self, page: Page) -> AsyncIterator[str]:
        self.pages.append(page)
        try:
            for one, last in self._replaced(page):
                self._end(one, last)
            yield "retry: 1000\nevent: beat\ndata: 0\n\n"
            while page in self.pages or not page.events.empty():  # the last says why it ends
                try:
                    event = await asyncio.wait_for(page.events.get(), BEAT)
                    if event is not None:
                        yield event
                except TimeoutError:
                    yield "event: beat\ndata: 0\n\n"
        finally:
            with suppress(ValueError):
                self.pages.remove(page)

    def tell(self, changed: Iterable[str], by: str = "") -> None:
        """Tell every page what changed, except the page that did it and shows it already.

        A page that reads nothing is disconnected; it asks for everything when it comes back.
        """
        changed = list(changed)
        for page in list(self.pages):
            for seat in changed:
                if page.id == by and by and page.seat in (seat, GAME_MASTER_SEAT):
                    continue
                own = seat in (page.seat, TABLE_EVENT) or page.seat == GAME_MASTER_SEAT
                try:
                    page.events.put_nowait(f"event: changed\ndata: {seat if own else 'others'}\n\n")
                except asyncio.QueueFull:
                    self._end(page)
                    break

    @asynccontextmanager
    async def _running(self, _app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watching.cancel()
            self.end_streams()
            self.calculator.close()

    async def _watch(self) -> None:
        """Tell the pages of changes by other programs, and close connections that only wait."""
        while True:
            await asyncio.sleep(LOOK)
            self.tell(self.table.changed())
            self.connections.close_idle()


def _address(seat: str) -> str:
    return "/gm" if seat == GAME_MASTER_SEAT else f"/c/{seat}"


def _single(fields: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the last value of each field. Raises Failure for a long one."""
    if any(len(value) > LONGEST_VALUE_READ for values in fields.values() for value in values):
        raise Failure(400, _("A field of the form is too long."))
    return {name: values[-1] for name, values in fields.items()}


def _render(template: str, **names: Any) -> str:
    return environment().get_template(template).render(names, static=_static_address)


@cache
def _static(name: str) -> bytes:
    return (data_folder("templates") / "serve" / name).read_bytes()


@cache
def _static_address(name: str) -> str:
    """Return the address of a script or a style, which changes with its content."""
    return f"/static/{name}?{sha256(_static(name)).hexdigest()[:12]}"


# ------------------------------------------------------------------ serving


WAIT = 2  # seconds for the pages that are open when it ends


def run(
    server: Server,
    listening: socket.socket,
    hosts: Collection[str],
    cert: Path | None = None,
    key: Path | None = None,
) -> None:
    """Answer requests on a socket until Ctrl-C."""
    app = Guard(server.application(), hosts, server.connections)
    protocol: Any = server.connections.protocol
    config = uvicorn.Config(
        app, http=protocol, ws="none", log_level="error", access_log=False, proxy_headers=False,
        server_header=False, timeout_graceful_shutdown=WAIT,
        ssl_certfile=cert, ssl_keyfile=key,
    )  # fmt: skip
    _PageServer(config, server).run([listening])


def check_certificate(cert: Path, key: Path) -> None:
    """Raise DocumentError, about the right file, unless a certificate and its key are of use."""
    for file in (cert, key):
        try:
            file.read_bytes()
        except OSError as error:
            raise DocumentError(file, os_reason(error).lower()) from error
    try:
        ssl.create_default_context().load_verify_locations(cert)
    except ssl.SSLError as error:
        raise DocumentError(cert, _("it cannot be used for https")) from error
    asked = []

    def passphrase() -> str:
        asked.append(key)
        return ""  # nobody is asked

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, passphrase)
    except OSError as error:  # SSLError is one, too
        reason = _("it has a passphrase") if asked else _("it is not the key of the certificate")
        raise DocumentError(key, reason) from error


class _PageServer(uvicorn.Server):
    """uvicorn's server, which ends the streams of the pages first: it waits for every answer."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._pages = server

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End, and say nothing of the requests that end with it."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)
        self._pages.end_streams()
        super().handle_exit(sig, frame)
