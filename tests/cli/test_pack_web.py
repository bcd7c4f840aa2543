"""Packs from the web, from an index and from the examples; newer versions of them."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest

from charforge.packs import download
from charforge.packs.install import zip_bytes
from charforge.packs.sources import SOURCE_FILE, examples, version_key
from charforge.rules.loading import loader
from tests.cli import web_server
from tests.cli.web_server import WebServer
from tests.rules.pack_files import write_pack
from tests.samples import few

MORE = "authors: [Ann Rae]\nlicence: CC BY 4.0\ntext: Deep water and its dwellers.\n"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return web_server.make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
def web(certificate, monkeypatch, packs_home):
    """A server that is trusted, as with a certificate of one's own: SSL_CERT_FILE."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    monkeypatch.setenv("no_proxy", "*")
    server = WebServer(*certificate)
    yield server
    server.close()


@pytest.fixture
def pack(tmp_path):
    return make_pack(tmp_path / "packs" / "deep-water")


def make_pack(folder: Path, version: str = "1.0") -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return write_pack(folder, "entities: []\n", "shields-biotics", version, MORE)


def zipped(folder: Path) -> bytes:
    return zip_bytes({path.name: path.read_bytes() for path in sorted(folder.iterdir())})


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# ------------------------------------------------------------------ add URL


def test_a_pack_is_added_from_a_url_and_its_hash_shown_and_stored(run, web, pack):
    data = zipped(pack)
    web.files["/deep-water.zip"] = data
    url = f"{web.url}/deep-water.zip"
    added = run("catalog", "add", url)
    assert added.out == "deep-water 1.0 is installed: Deep Water, for Shields and Biotics\n"
    assert f"SHA-256: {digest(data)}\n" in added.err
    listed = {one["id"]: one for one in run("catalog", "installed", "--json").json}
    assert listed["deep-water"]["source"] == {"origin": url, "sha256": digest(data), "index": ""}
    assert listed["deep-water"]["authors"] == ["Ann Rae"]
    assert listed["capital"]["source"] is None
    assert "by Ann Rae, CC BY 4.0" in run("catalog", "installed").out


@pytest.mark.parametrize("name", few(["..", "a" * 300 + ".zip", "D:evil.zip", ""], 2))
def test_a_url_that_ends_in_no_possible_file_name_is_downloaded_all_the_same(run, web, pack, name):
    web.files[f"/packs/{name}"] = zipped(pack)
    added = run("catalog", "add", f"{web.url}/packs/{name}")
    assert added.out == "deep-water 1.0 is installed: Deep Water, for Shields and Biotics\n"


def test_the_hash_can_be_required(run, web, pack, tmp_path):
    data = zipped(pack)
    web.files["/deep-water.zip"] = data
    (tmp_path / "deep-water.zip").write_bytes(data)
    for where in (f"{web.url}/deep-water.zip", "deep-water.zip"):
        wrong = run("catalog", "add", where, "--sha256", digest(b""))
        wrong.refused(2, "is not the file that was expected", digest(data))
        assert loader.installed() == {}
        right = run("catalog", "add", where, "--sha256", digest(data).upper())
        assert right.code == 0
        assert run("catalog", "remove", "deep-water").code == 0
    run("catalog", "add", pack, "--sha256", digest(data)).refused(2, "this is a folder")
    run("catalog", "add", "deep-water.zip", "--sha256", "abc").refused(2, "64 hexadecimal")


def test_redirects_are_followed_to_https_only(run, web, pack):
    web.files["/deep-water.zip"] = zipped(pack)
    web.answers["/moved"] = web_server.redirect("/again")
    web.answers["/again"] = web_server.redirect(f"{web.url}/deep-water.zip")
    assert run("catalog", "add", f"{web.url}/moved").code == 0
    for other in (f"http://localhost:{web.port}/x.zip", "http://example.org/", "HTTP://h/"):
        web.answers["/plain"] = web_server.redirect(other)
        ended = run("catalog", "add", f"{web.url}/plain", "--replace")
        ended.refused(2, "which is not https")
    for other in ("file:///etc/passwd", "ftp://example.org/x", "data:,x"):
        web.answers["/plain"] = web_server.redirect(other)
        run("catalog", "add", f"{web.url}/plain", "--replace").refused(2, f"{web.url}/plain: ")
    web.answers["/round"] = web_server.redirect("/round")
    run("catalog", "add", f"{web.url}/round", "--replace").refused(2, "answers 302")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://localhost/x.zip", "only downloaded from https://"),
        ("file:///etc/passwd", "only downloaded from https://"),
        ("ftp://localhost/x.zip", "only downloaded from https://"),
        ("https:///x.zip", "not a valid URL"),
        ("https://[::1/x.zip", "not a valid URL"),
        ("https://local host/x.zip", "not a valid URL"),
        ("https://ann:secret@localhost/x.zip", "would be stored"),
    ],
)
def test_other_urls_are_refused_before_anything_is_asked(run, web, url, message):
    run("catalog", "add", url).refused(2, message)
    assert web.asked == []


def test_a_limit_of_size(run, web):
    """The endless answer never ends: a download that is not stopped keeps this test running."""
    web.answers |= {
        "/endless": web_server.endless, "/huge": web_server.huge, "/cut": web_server.cut,
    }  # fmt: skip
    for path, message in (
        ("/endless", "it is larger than 4 MB"),
        ("/huge", "it is larger than 4 MB"),
        ("/cut", "the connection ended too early"),
        ("/gone", "the server answers 404"),
    ):
        run("catalog", "add", f"{web.url}{path}").refused(2, f"{web.url}{path}: {message}")
    assert loader.installed() == {}


def test_a_limit_of_time(run, web, monkeypatch):
    """These answers never end, as above. No other answer could keep so short a limit under load."""
    monkeypatch.setattr(download, "DOWNLOAD_SECONDS", 0.6)
    web.answers |= {"/slow": web.slow, "/slow-head": web.slow_head}
    for path in web.answers:
        run("catalog", "add", f"{web.url}{path}").refused(
            2, "the server takes more than 0.6 seconds"
        )
    assert loader.installed() == {}


def test_a_server_that_is_not_trusted_or_not_there(run, web, monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    run("catalog", "add", f"{web.url}/x.zip").refused(2, "the certificate of the server is not")
    web.close()
    run("catalog", "add", f"{web.url}/x.zip").refused(2, "no connection")


def test_what_is_no_pack_is_not_installed(run, web, pack):
    def with_files(**files: bytes) -> bytes:
        data = io.BytesIO(zipped(pack))
        with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return data.getvalue()

    web.files |= {
        "/page.zip": b"<html>Log in</html>",
        "/empty.zip": b"",
        "/bomb.zip": with_files(**{"zeros.md": b"0" * 20_000_000}),
        "/code.zip": with_files(**{"run.py": b"print(1)"}),
        "/up.zip": with_files(**{"../up.md": b""}),
        "/faulty.zip": with_files(**{"more.yaml": b"entities: [1]"}),
    }
    for path, code, message in (
        ("/page.zip", 1, "page.zip:1:1: this is a web page, not a zip file; open its address"),
        ("/empty.zip", 1, "this file is empty; get it again"),
        ("/bomb.zip", 1, "bomb.zip:1:1: it is larger than 4 MB"),
        ("/code.zip", 1, "a pack can only contain text files"),
        ("/up.zip", 1, "cannot be the name of a file"),
        ("/faulty.zip", 1, "faulty.zip/more.yaml:1:"),
    ):
        run("catalog", "add", web.url + path).refused(code, message)
    assert loader.installed() == {}


# ------------------------------------------------------------------ index, find, update --check


def test_an_index_is_written_searched_and_installed_from(run, web, pack, tmp_path):
    (pack.parent / "deep-water.png").write_bytes(b"picture")
    (pack.parent / ".hidden").mkdir()
    written = run("catalog", "index", "packs")
    data = (pack.parent / "deep-water-1.0.zip").read_bytes()
    assert written.out == f"deep-water 1.0  deep-water-1.0.zip  {digest(data)}\n"
    index = json.loads((pack.parent / "index.json").read_text("utf-8"))
    assert index == {
        "charforge_index": 1,
        "packs": [
            {
                "id": "deep-water", "name": "Deep Water", "version": "1.0",
                "game": "shields-biotics", "url": "deep-water-1.0.zip", "sha256": digest(data),
                "authors": ["Ann Rae"], "licence": "CC BY 4.0",
                "text": "Deep water and its dwellers.", "picture": "deep-water.png",
            }
        ],
    }  # fmt: skip
    publish(web, pack.parent)
    where = f"{web.url}/packs/index.json"
    found = run("catalog", "find", "dwellers", "ANN", "--index", where)
    assert found.out.splitlines() == [
        "deep-water 1.0  Deep Water, for shields-biotics, by Ann Rae, CC BY 4.0",
        "  Deep water and its dwellers.",
        f"  charforge catalog add deep-water --index {where}",
    ]
    (entry,) = run("catalog", "find", "--index", where, "--json").json
    assert entry["url"] == f"{web.url}/packs/deep-water-1.0.zip"
    assert entry["picture"] == f"{web.url}/packs/deep-water.png"
    assert run("catalog", "find", "--index", f"{web.url}/packs/", "--json").json == [entry]
    nothing = run("catalog", "find", "desert", "--index", where)
    assert (nothing.code, nothing.out) == (0, "")
    added = run("catalog", "add", "deep-water", "--index", where)
    assert (added.code, digest(data) in added.err) == (0, True)
    run("catalog", "add", "deep-wter", "--index", where).refused(2, "Did you mean deep-water?")
    assert run("catalog", "find", "--index", "packs").out.startswith("deep-water 1.0 ")


def publish(web: WebServer, folder: Path) -> None:
    files = [path for path in folder.iterdir() if path.is_file()]
    web.files |= {f"/packs/{path.name}": path.read_bytes() for path in files}


def test_an_index_cannot_install_another_pack_than_it_names(run, pack):
    """Otherwise --replace would replace a pack that nobody asked for."""
    run("catalog", "index", "packs")
    path = pack.parent / "index.json"
    index = json.loads(path.read_text("utf-8"))
    index["packs"][0]["id"] = "shallow-water"
    path.write_text(json.dumps(index), "utf-8")
    run("catalog", "add", "shallow-water", "--index", "packs", "--replace").refused(
        2, "The index says that this is shallow-water, but it is deep-water"
    )
    assert "deep-water" not in loader.installed()


def test_an_index_can_have_whole_urls_and_games(run, pack, tmp_path):
    run("catalog", "new", "packs/tiny", "--game", "--name", "Tiny")
    written = run("catalog", "index", "packs", "--url", "https://example.org/packs")
    assert " https://example.org/packs/tiny-0.1.0.zip " in written.out
    games = run("catalog", "find", "tiny", "--index", "packs").out
    assert games.startswith("tiny 0.1.0  Tiny, a game\n")
    run("catalog", "index", "packs", "--url", "http://example.org").refused(2, "must be an https")


def test_a_replaced_zip_is_noticed(run, web, pack):
    run("catalog", "index", "packs")
    publish(web, pack.parent)
    web.files["/packs/deep-water-1.0.zip"] = zipped(make_pack(pack, "6.6"))
    where = f"{web.url}/packs/index.json"
    refused = run("catalog", "add", "deep-water", "--index", where)
    refused.refused(2, "is not the file that was expected")


def test_newer_versions_are_listed_with_the_command(run, web, pack, tmp_path):
    run("catalog", "index", "packs")
    publish(web, pack.parent)
    where = f"{web.url}/packs/index.json"
    assert run("catalog", "add", "deep-water", "--index", where).code == 0
    assert run("catalog", "add", "example:night-post").code == 0
    current = run("update", "--check")
    assert (current.code, current.out) == (0, "")
    assert current.err == "None of your packs has a newer version at its source.\n"
    make_pack(pack, "1.10")
    run("catalog", "index", "packs")
    publish(web, pack.parent)
    newer = run("update", "--check")
    command = f"charforge catalog add deep-water --index {where} --replace"
    assert newer.out == f"deep-water 1.0 → 1.10: {command}\n"
    assert run(*command.split()[1:]).code == 0
    assert run("update", "--check").out == ""
    web.files.clear()
    run("update", "--check").refused(2, f"{where}: the server answers 404")


def test_newer_versions_at_a_url_and_in_a_folder(run, web, pack, tmp_path):
    url = f"{web.url}/deep-water.zip"
    web.files["/deep-water.zip"] = zipped(pack)
    run("catalog", "add", url)
    web.files["/deep-water.zip"] = zipped(make_pack(pack, "2.0"))
    command = f"charforge catalog add {url} --replace"
    assert run("update", "--check").out == f"deep-water 1.0 → 2.0: {command}\n"
    run("catalog", "add", pack, "--replace")
    assert run("update", "--check").out == ""
    make_pack(pack, "2.1")
    assert f"deep-water 2.0 → 2.1: charforge catalog add {pack} " in run("update", "--check").out
    shutil.rmtree(pack)
    gone = run("update", "--check")
    assert (gone.code, gone.out) == (0, "")
    assert gone.err == "Not checked, because their source is unknown or gone: deep-water\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not an index of packs"),
        ("[]", "this is not an index of packs"),
        ('{"packs": []', "this is not an index of packs"),
        ('{"packs": [{"id": "a"}]}', "packs 0 name: this key is missing"),
        ('{"charforge_index": 2, "packs": []}', "charforge_index"),
    ],
)
def test_what_is_no_index(run, tmp_path, text, message):
    (tmp_path / "index.json").write_text(text, "utf-8")
    run("catalog", "find", "--index", "index.json").refused(2, "index.json", message)


def test_an_index_cannot_lead_to_files_or_steer_a_terminal(run, web, tmp_path):
    entry = {
        "id": "deep-water", "name": "Deep", "version": "1", "game": "capital",
        "url": "file:///etc/passwd", "sha256": "0" * 64, "text": "\x1b[2J",
    }  # fmt: skip
    web.files["/index.json"] = json.dumps({"charforge_index": 1, "packs": [entry]}).encode()
    where = f"{web.url}/index.json"
    assert "\x1b" not in run("catalog", "find", "--index", where).out
    run("catalog", "add", "deep-water", "--index", where).refused(2, "only downloaded from https")
    run("catalog", "find").refused(2, "Name the index")
    run("catalog", "index", "nothing").refused(2, "There is no folder")
    (tmp_path / "bare").mkdir()
    run("catalog", "index", "bare").refused(2, "has no packs in it")


def test_versions_are_compared_by_their_numbers():
    ordered = ["0.9", "1.0-beta", "1.0-beta2", "1.0", "1.0.1", "1.2", "1.9", "1.10", "2", "10.0"]
    keys = [version_key(version) for version in ordered]
    assert keys == sorted(keys)
    assert len({repr(key) for key in keys}) == len(keys)
    assert version_key("1.0.0") == version_key("1")


# ------------------------------------------------------------------ examples


def test_an_example_is_added_by_its_name(run, packs_home):
    assert {"house-rules", "night-post"} <= {*examples()}
    added = run("catalog", "add", "example:night-post")
    assert (added.code, (packs_home / "night-post" / SOURCE_FILE).is_file()) == (0, True)
    run("catalog", "add", "example:night-pots").refused(2, "Did you mean night-post?")
    run("catalog", "add", "example:").refused(2, "There are: ", "cinderwell")
    run("catalog", "add", "example:").refused(2, "There are: ", "under-the-ice")


def test_an_address_that_has_no_index_is_told_as_it_was_typed(run, web):
    """A path of an https address would have one slash less."""
    web.files["/index.json"] = b"{}"
    where = f"{web.url}/index.json"
    run("catalog", "find", "--index", where).refused(2, where, "not an index of packs")


def test_an_index_offers_a_missing_game_together_with_its_pack(run, packs_home):
    run("catalog", "new", "packs/tiny", "--game", "--name", "Tiny")
    run("catalog", "add", "packs/tiny")
    run("catalog", "new", "packs/more", "--ruleset", "tiny", "--name", "More")
    run("catalog", "index", "packs")
    run("catalog", "remove", "tiny")
    run("catalog", "add", "more", "--index", "packs").refused(2, "More is for Tiny", "--yes")
    assert loader.installed() == {}
    both = run("catalog", "add", "more", "--index", "packs", "--yes")
    assert (both.code, [*loader.installed()]) == (0, ["more", "tiny"])
    run("catalog", "remove", "more")
    alone = run("catalog", "add", "more", "--index", "packs")  # the game is here now
    assert (alone.code, "not installed" in alone.err) == (0, False)
