"""A web server with TLS on this machine, with a certificate of its own, for packs from the web."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import trustme

Answer = Callable[[BaseHTTPRequestHandler], None]


class WebServer:
    """Serves ``files`` by path; ``answers`` are paths with a behaviour of their own."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self.files: dict[str, bytes] = {}
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.closed = threading.Event()
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.asked.append(self.path)
                with suppress(OSError):  # the reader may stop at any time
                    web.answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # such as a reader who does not trust the certificate

        self.server = Quiet(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.url = f"https://localhost:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        if handler.path in self.answers:
            self.answers[handler.path](handler)
            return
        data = self.files.get(handler.path)
        handler.send_response(200 if data is not None else 404)
        handler.send_header("Content-Length", str(len(data or b"")))
        handler.end_headers()
        handler.wfile.write(data or b"")

    def drip(self, handler: BaseHTTPRequestHandler, byte: bytes) -> None:
        """Send a byte now and then, until this server closes."""
        while not self.closed.wait(0.05):
            handler.wfile.write(byte)

    def slow(self, handler: BaseHTTPRequestHandler) -> None:
        """Send a body that never ends, a byte now and then."""
        handler.send_response(200)
        handler.end_headers()
        self.drip(handler, b"P")

    def slow_head(self, handler: BaseHTTPRequestHandler) -> None:
        """Send a header that never ends, a byte now and then."""
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
        self.drip(handler, b"x")

    def close(self) -> None:
        self.closed.set()
        self.server.shutdown()
        self.server.server_close()


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for localhost and its key."""
    authority = trustme.CA()
    issued = authority.issue_cert("localhost", "127.0.0.1")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    chain = (*issued.cert_chain_pems, authority.cert_pem)  # the last one is what a client trusts
    certificate.write_bytes(b"".join(blob.bytes() for blob in chain))
    key.write_bytes(issued.private_key_pem.bytes())
    return certificate, key


def redirect(url: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", url)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def endless(handler: BaseHTTPRequestHandler) -> None:
    """Send zeros without stating a size."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(bytes(100_000))


def huge(handler: BaseHTTPRequestHandler) -> None:
    """State a size that no pack has, and send nothing."""
    handler.send_response(200)
    handler.send_header("Content-Length", "9" * 30)
    handler.end_headers()


def cut(handler: BaseHTTPRequestHandler) -> None:
    """State more bytes than are sent."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"PK\x03\x04")
