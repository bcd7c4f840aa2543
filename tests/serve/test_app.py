"""A table over HTTP: who sees and changes what, and that everybody sees it at once."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from charforge.character.files.storage import save_changed
from charforge.replay.loaded_character import load_character
from charforge.serve.app import Page
from charforge.serve.guard import HEADERS
from charforge.serve.table import GAME_MASTER_SEAT
from charforge.serve.table_state import TurnPlace, Turns
from charforge.verbs.manual_changes import add_note
from tests.serve.clients import Browser, Listener, Running

Opened = Callable[..., Browser]


@pytest.fixture
def listening(opened: Opened, running: Running) -> Iterator[Callable[..., Listener]]:
    """Open a page of a seat that listens."""
    with ExitStack() as ending:

        def listen(name: str, page: str = "") -> Listener:
            browser, seat = opened(name), running.seats.get(name, GAME_MASTER_SEAT)
            return ending.enter_context(closing(Listener(browser, seat, page)))

        yield listen


def noted(file: Path) -> list[str]:
    log = json.loads(file.read_text())["log"]
    return [event["text"] for event in log if event["do"] == "note"]


# ---------------------------------------------------------------- who may


def test_a_link_leads_to_the_page_of_its_seat(running: Running, opened: Opened) -> None:
    browser = opened()
    answer = browser.get(f"/s/{running.token('nix')}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    page = browser.get(running.path("nix"))
    assert (page.status, "Nix" in page.text, "Kas" in page.text) == (200, True, False)
    assert {name: page.headers[name.lower()] for name in HEADERS} == HEADERS
    start = browser.get("/")
    assert (start.status, start.headers["location"]) == (303, running.path("nix"))


def test_a_player_reaches_no_other_seat(running: Running, opened: Opened) -> None:
    browser = opened("nix")
    token = running.server.seats.page_token(running.seats["kas"])
    browser.headers["X-Page-Token"] = token
    closed = [
        browser.get(running.path("kas", rest))
        for rest in ("", "/live", "/others", "/form/damage", "/odds")
    ]
    closed += [browser.get(path) for path in ("/gm", "/gm/live", "/gm/log.md")]
    closed += [browser.get(f"/events/{seat}") for seat in (running.seats["kas"], GAME_MASTER_SEAT)]
    closed += [browser.get("/c/nix.json")]
    closed += [browser.post(running.path("kas", "/do/note"), text="mine")]
    closed += [browser.post("/gm/do/next")]
    assert {answer.status for answer in closed} == {403}, closed
    assert noted(running.files["kas"]) == []


def test_the_game_master_reaches_every_seat(running: Running, opened: Opened) -> None:
    browser = opened("gm")
    assert browser.get("/gm").status == 200
    assert browser.open(running.path("kas")).status == 200
    assert browser.post(running.path("kas", "/do/note"), text="a gift").status == 200
    assert noted(running.files["kas"]) == ["a gift"]


def test_wrong_links_are_counted(
    running: Running, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charforge.serve.app.WRONG_TOKEN_TIME", 0.01)
    browser, other = opened(), opened(source="127.0.0.2")
    statuses = [browser.get(f"/s/{number:032x}").status for number in range(11)]
    assert statuses == [403] * 10 + [429]
    assert browser.get(f"/s/{running.token('nix')}").status == 429
    assert other.get(f"/s/{running.token('nix')}").status == 200


def test_a_cookie_that_is_not_valid_any_more_is_dropped(running: Running, opened: Opened) -> None:
    browser = opened()
    browser.cookies[running.server.seats.cookie(running.seats["nix"])] = "f" * 32
    answer = browser.get(running.path("nix"))
    assert answer.status == 403
    assert "max-age=0" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("rest", ["/live", "/others", "/form/damage", "/do/note"])
def test_every_answer_drops_a_cookie_of_no_use(running: Running, opened: Opened, rest: str) -> None:
    browser = opened("gm")
    browser.cookies[running.server.seats.cookie(running.seats["nix"])] = "f" * 32
    ask = browser.post if "/do/" in rest else browser.get
    assert "max-age=0" in ask(running.path("nix", rest)).headers["set-cookie"].lower()


def test_a_cookie_of_no_use_is_no_hindrance_beside_a_valid_one(
    running: Running, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charforge.serve.app.WRONG_TOKEN_TIME", 60)
    browser = opened("gm")
    stale = running.server.seats.cookie(running.seats["nix"])
    for _number in range(12):
        browser.cookies[stale] = "f" * 32
        answer = browser.get(running.path("nix"))
        assert answer.status == 200
        assert stale in answer.headers["set-cookie"]
    browser = opened("kas")
    browser.cookies[running.server.seats.cookie(GAME_MASTER_SEAT)] = "f" * 32
    assert browser.get("/").headers["location"] == running.path("kas")


def test_a_seat_has_so_many_requests_a_second(running: Running, opened: Opened) -> None:
    running.server.requests.seconds = 60
    browser, other = opened("nix"), opened("kas")
    statuses = [browser.get(running.path("nix", "/live")).status for _number in range(25)]
    assert (statuses[0], statuses[-1]) == (200, 429)
    assert other.get(running.path("kas", "/live")).status == 200


# ---------------------------------------------------------------- changes


def test_a_change_needs_a_page_of_the_table(running: Running, opened: Opened) -> None:
    browser = opened("nix")
    for headers in ({}, {"X-Page-Token": running.token("nix")}, {"X-Page-Token": "é"}):
        browser.headers = headers
        assert browser.post(running.path("nix", "/do/note"), text="forged").status == 403
    assert noted(running.files["nix"]) == []


def test_a_tap_is_answered_when_the_file_is_saved(running: Running, opened: Opened) -> None:
    browser = opened("nix")
    answer = browser.post(running.path("nix", "/do/note"), text="Owes the <b>ferryman</b> 20.")
    assert answer.status == 200
    assert "Owes the &lt;b&gt;ferryman&lt;/b&gt; 20." in answer.text
    assert noted(running.files["nix"]) == ["Owes the <b>ferryman</b> 20."]
    assert browser.post(running.path("nix", "/do/undo")).status == 200
    assert noted(running.files["nix"]) == []
    assert [entry.who for entry in running.server.store.entries] == ["Nix", "Nix"]


@pytest.mark.parametrize("name", ["nix", "gm"])
def test_what_is_saved_is_done_although_the_log_of_the_evening_cannot_be_written(
    running: Running, opened: Opened, listening: Callable[..., Listener], tmp_path: Path, name: str
) -> None:
    (tmp_path / "table" / "log-1.jsonl").mkdir()
    browser, second = opened(name), listening("gm")
    if name == "nix":
        answer = browser.post(running.path("nix", "/do/note"), text="paid")
        assert noted(running.files["nix"]) == ["paid"]
    else:
        answer = browser.post("/gm/do/foe-add", name="Wolf", count="1")
        assert running.server.store.state.foes
    assert answer.status == 200
    assert "but the log of the evening could not be written" in answer.text
    assert str(tmp_path) not in answer.text
    second.until("event: changed\ndata: ")


def test_a_reason_of_the_system_shows_no_path(
    running: Running, opened: Opened, tmp_path: Path
) -> None:
    (tmp_path / "table" / "evening").unlink(missing_ok=True)
    (tmp_path / "table" / "evening").mkdir()
    answer = opened("gm").post("/gm/do/foe-add", name="Wolf", count="1")
    assert answer.status == 422
    assert "directory" in answer.text
    assert str(tmp_path) not in answer.text


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("nonsense", {}),
        ("note", {}),
        ("damage", {"amount": "x" * 100}),
        ("damage", {"amount": "-1"}),
        ("use", {"source": "../nix.json", "key": "none"}),
        ("hold", {"item": "kas"}),
        ("redo", {}),
    ],
)
def test_what_cannot_be_done_says_why(
    running: Running, opened: Opened, name: str, fields: dict[str, str]
) -> None:
    browser, before = opened("nix"), running.files["nix"].read_bytes()
    answer = browser.post(running.path("nix", f"/do/{name}"), **fields)
    assert answer.status in (200, 422)
    assert re.search(r'class="(refused|help|reason)', answer.text), answer.text
    assert running.files["nix"].read_bytes() == before


@pytest.mark.parametrize("body", [b"\xff\xfe=1", b"&" * 5000, b"a=" + b"x" * 9000, b"text=%00"])
def test_a_form_that_no_page_sends_is_refused(
    running: Running, opened: Opened, body: bytes
) -> None:
    browser = opened("nix")
    origin = {"Origin": f"http://{browser.host}"}
    answer = browser.ask("POST", running.path("nix", "/do/note"), body, origin | browser.headers)
    assert answer.status in (200, 400, 422)
    assert noted(running.files["nix"]) == []


def test_a_player_who_ends_the_turn_passes_it_on(
    running: Running, opened: Opened, listening: Callable[..., Listener]
) -> None:
    seats, store = running.seats, running.server.store
    places = [TurnPlace(id=name, name=name, seat=seats[name]) for name in ("nix", "kas")]
    store.change(lambda state: (state.model_copy(update={"turns": Turns.of(places)}), "combat"))
    nix, kas = opened("nix"), opened("kas")
    own = listening("nix", nix.headers["X-Page"])
    kas.post(running.path("kas", "/do/turn"), unit="character", end="1")
    assert store.state.turns.key == "1-0"  # it was not hers
    nix.post(running.path("nix", "/do/turn"), unit="character", end="1")
    assert store.state.turns.key == "1-1"
    own.until("event: changed\ndata: table")
    last = load_character(running.files["kas"]).document.log[-1]
    assert getattr(last, "procedure", "") == "phase"  # her turn has started by the rules
    assert store.entries[-1].lines[-2] == "Round 1: Kas"
    assert store.state.turns.acting == places[1]
    nix.post(running.path("nix", "/do/undo"))
    assert store.state.turns.key == "1-1"


def test_a_change_of_the_game_master_is_told_although_the_answer_fails(
    running: Running,
    opened: Opened,
    listening: Callable[..., Listener],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browser, second = opened("gm"), listening("gm")
    monkeypatch.setattr("charforge.serve.app.game_master.game_master_page", lambda *_given: 1 / 0)
    assert browser.post("/gm/do/foe-add", name="Wolf", count="1").status == 500
    assert running.server.store.state.foes
    second.until("event: changed\ndata: table")


def test_a_game_master_who_looks_at_a_character_is_not_its_player(
    running: Running, opened: Opened
) -> None:
    places = [TurnPlace(id="nix", name="nix", seat=running.seats["nix"])]
    running.server.store.change(
        lambda state: (state.model_copy(update={"turns": Turns.of(places)}), "combat")
    )
    path = f"/turns/{running.seats['nix']}"
    assert "Your turn" in opened("nix").get(path).text
    master = opened("gm")
    for address in (path, running.path("nix")):
        assert "Your turn" not in master.get(address).text


# ---------------------------------------------------------------- what everybody sees


def test_a_change_is_told_to_everybody_but_the_page_that_made_it(
    running: Running, opened: Opened, listening: Callable[..., Listener]
) -> None:
    browser, seat = opened("nix"), running.seats["nix"]
    own = listening("nix", browser.headers["X-Page"])
    second, game_master, other = listening("nix"), listening("gm"), listening("kas")
    browser.post(running.path("nix", "/do/note"), text="first")
    for page in (second, game_master):
        assert "changed" not in page.until(f"event: changed\ndata: {seat}")
    seen = other.until("event: changed\ndata: others")
    assert seat not in seen
    assert "changed" not in own.until("event: beat")


def test_a_change_by_the_command_line_is_told_too(
    running: Running, listening: Callable[..., Listener], opened: Opened
) -> None:
    page = listening("nix")
    before = load_character(running.files["nix"])
    after = add_note(before, "from elsewhere", "").after
    save_changed(before.document, after.document, running.files["nix"])
    page.until(f"event: changed\ndata: {running.seats['nix']}")
    assert "from elsewhere" in opened("nix").get(running.path("nix", "/form/history")).text


def test_so_many_pages_can_listen(
    running: Running, opened: Opened, listening: Callable[..., Listener]
) -> None:
    full = Page(running.seats["kas"], "", asyncio.Queue(), running.seats["kas"])
    running.server.pages += [full] * 64
    assert opened("nix").get(f"/events/{running.seats['nix']}").status == 503
    listening("gm")


def test_a_page_that_listens_again_replaces_itself_and_the_oldest_of_a_seat_give_way(
    listening: Callable[..., Listener], running: Running
) -> None:
    def ids() -> list[str]:
        return [page.id for page in running.server.pages]

    other = listening("kas", "other")
    first, again = listening("nix", "0"), listening("nix", "0")
    assert first.ends()
    assert ids() == ["other", "0"]
    for number in range(1, 9):
        listening("nix", str(number))
    assert ids() == ["other", *map(str, range(1, 9))]
    again.until("event: closed")  # it is told, and does not come back by itself
    assert again.ends()
    other.until("event: beat")


def test_a_page_that_comes_back_is_as_old_as_before(running: Running, opened: Opened) -> None:
    """Ids tell which of two pages was opened first; a lost connection makes no page newer."""
    browser, address = opened("nix"), running.path("nix")
    older, newer = (
        re.findall('data-page="(.+?)"', browser.get(address).text)[0] for _page in range(2)
    )
    assert older < newer
    others = [f"{newer}{number}" for number in range(8)]
    with ExitStack() as ending:
        for id in (*others, older):
            last = ending.enter_context(closing(Listener(browser, running.seats["nix"], id)))
        assert [page.id for page in running.server.pages] == others
        last.until("event: closed")


def test_a_page_that_reads_nothing_is_disconnected(running: Running) -> None:
    page = Page(running.seats["nix"], "", asyncio.Queue(2), running.seats["nix"])
    running.server.pages.append(page)
    for _number in range(3):
        running.server.tell([running.seats["nix"]])
    assert page not in running.server.pages
