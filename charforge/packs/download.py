"""Downloads of packs and indexes: https only, within limits of size and time."""

from __future__ import annotations

import ssl
import threading
import time
from http.client import HTTPException, HTTPMessage
from queue import Empty, Queue
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from charforge.errors import DownloadError
from charforge.language import _

DOWNLOAD_SECONDS = 60.0  # of a whole download, from the name of the server to the last byte
MAX_SILENCE = 15.0  # seconds that the server may send nothing
MAX_REDIRECTS = 5
BLOCK = 65_536  # bytes
SCHEME = "https"
AGENT = {"User-Agent": "charforge", "Accept": "*/*"}


def download(url: str, most: int) -> bytes:
    """Return what is at a URL, at most ``most`` bytes. Raises DownloadError."""
    _refuse_unfit(url, url)
    outcome: Queue[bytes | Exception] = Queue()
    # A thread, because neither the search for the name of the server nor a server that sends one
    # byte a second can be stopped otherwise; it ends with the program.
    work = threading.Thread(target=_fetch_into, args=(outcome, url, most), daemon=True)
    work.start()
    try:
        result = outcome.get(timeout=DOWNLOAD_SECONDS)
    except Empty:
        reason = _("the server takes more than {seconds:g} seconds")
        raise DownloadError(url, reason.format(seconds=DOWNLOAD_SECONDS)) from None
    if isinstance(result, Exception):
        raise result
    return result


def _fetch_into(outcome: Queue[bytes | Exception], url: str, most: int) -> None:
    try:
        outcome.put(_fetch(url, most))
    except Exception as error:  # it is raised again where somebody waits
        outcome.put(error)


class _OnlyHttps(HTTPRedirectHandler):
    """Follows redirects to https and to nothing else."""

    max_redirections = MAX_REDIRECTS

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """Return the request of a redirect. Raises DownloadError."""
        fp.close()
        _refuse_unfit(newurl, req.full_url)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refuse_unfit(url: str, asked: str) -> None:
    """Raise DownloadError for a URL that is not https, or that has a password."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError as error:
        raise DownloadError(asked, _("this is not a valid URL")) from error
    if parts.scheme != SCHEME:
        reason = _("packs are only downloaded from https:// addresses")
        if url != asked:
            reason = _("it leads to {url}, which is not https").format(url=url)
        raise DownloadError(asked, reason)
    if not host or not url.isprintable() or " " in url:
        raise DownloadError(asked, _("this is not a valid URL"))
    if parts.username is not None:
        reason = _("a user name or password in a URL would be stored")
        raise DownloadError(asked, reason, _("Leave it out, or download the file yourself."))


def _opener() -> OpenerDirector:
    """Return an opener that knows https only: no files, no ftp, no data URLs."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPSHandler(context=ssl.create_default_context()),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
        _OnlyHttps(),
    ):
        opener.add_handler(handler)
    return opener


def _fetch(url: str, most: int) -> bytes:
    """Return what is at a URL. Raises DownloadError."""
    end = time.monotonic() + DOWNLOAD_SECONDS
    try:
        request = Request(url, headers=AGENT)  # noqa: S310  # the opener knows https only
        with _opener().open(request, timeout=MAX_SILENCE) as answer:
            size = answer.headers.get("Content-Length", "")
            if size.isdecimal() and int(size[:12]) > most:
                raise _too_large(url, most)
            data = bytearray()
            while block := answer.read1(BLOCK):
                data += block
                if len(data) > most:
                    raise _too_large(url, most)
                if time.monotonic() > end:  # nobody waits any more
                    break
            if size.isdecimal() and len(data) < int(size[:12]):
                raise DownloadError(url, _("the connection ended too early"), _("Try again."))
            return bytes(data)
    except HTTPError as error:
        error.close()
        reason = _("the server answers {code} {reason}")
        raise DownloadError(url, reason.format(code=error.code, reason=error.reason)) from error
    except URLError as error:
        raise DownloadError(url, _cause(error.reason)) from error
    except (OSError, ValueError, HTTPException) as error:
        raise DownloadError(url, _cause(error)) from error


def _too_large(url: str, most: int) -> DownloadError:
    return DownloadError(url, _("it is larger than {size} MB").format(size=most // 1_000_000))


def _cause(error: object) -> str:
    """Return in words why a connection failed."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _("the certificate of the server is not valid: {reason}").format(
            reason=error.verify_message
        )
    if isinstance(error, TimeoutError):
        return _("the server does not answer")
    if isinstance(error, OSError) and error.strerror:
        return _("no connection: {reason}").format(reason=error.strerror.lower())
    return _("no connection: {reason}").format(reason=error)
