"""How a table is reached: addresses, names, certificates, and one server for each folder."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives import serialization

from charforge.cli import serve
from charforge.errors import DocumentError, UsageError
from charforge.serve.app import check_certificate
from charforge.serve.table import only_server


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    refused = pytest.raises(UsageError, match="served already")
    with only_server(folder), refused, only_server(folder):
        pass
    with only_server(folder):
        pass


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, None, None, "", (a, 0)) for a in ("127.0.1.1", "10.1.2.3")]
    monkeypatch.setattr(socket, "gethostname", lambda: "Table.home")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_given: found)


@pytest.mark.usefixtures("names")
def test_a_network_without_a_way_to_the_internet_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = {"192.168.0.1": "192.168.0.7"}
    monkeypatch.setattr(serve, "address_towards", lambda to: ways.get(to, "127.0.0.1"))
    assert serve.own_addresses() == ["192.168.0.7", "10.1.2.3"]
    ways.clear()
    assert serve.own_addresses() == ["10.1.2.3"]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_given: [])
    with pytest.raises(UsageError, match="no network"):
        serve.own_addresses()


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize(("port", "secure", "usual"), [
    (80, False, True), (443, True, True), (80, True, False), (8250, False, False),
])  # fmt: skip
def test_the_usual_port_can_be_left_out(port: int, secure: bool, usual: bool) -> None:
    hosts = serve.own_hosts(["10.1.2.3", "10.1.2.4"], port, secure)
    assert {f"{one}:{port}" for one in ("10.1.2.3", "10.1.2.4", "table.local")} <= {*hosts}
    assert ("10.1.2.4" in hosts) == usual


def test_what_is_wrong_with_a_certificate_is_said_of_the_right_file(tmp_path: Path) -> None:
    cert, key, other, broken, secret = (tmp_path / name for name in "abcde")
    authority = trustme.CA()
    made = authority.issue_cert("localhost")
    made.cert_chain_pems[0].write_to_path(cert)
    made.private_key_pem.write_to_path(key)
    authority.issue_cert("localhost").private_key_pem.write_to_path(other)
    broken.write_text("nothing")
    loaded = serialization.load_pem_private_key(key.read_bytes(), None)
    secret.write_bytes(
        loaded.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"open"),
        )
    )  # fmt: skip
    check_certificate(cert, key)
    wrong = {
        (broken, key): broken, (cert, broken): broken, (cert, other): other, (cert, secret): secret,
        (tmp_path / "none", key): tmp_path / "none", (cert, tmp_path / "none"): tmp_path / "none",
    }  # fmt: skip
    for given, file in wrong.items():
        with pytest.raises(DocumentError) as refused:
            check_certificate(*given)
        assert refused.value.path == file
    with pytest.raises(DocumentError, match="passphrase"):
        check_certificate(cert, secret)
