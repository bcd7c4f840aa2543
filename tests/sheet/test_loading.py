"""WeasyPrint is loaded without what no sheet needs, and all the same does everything."""

from __future__ import annotations

import ctypes.util
import os
import subprocess
import sys

import pytest

from charforge.sheet import loading


def python(script: str) -> str:
    """Run a script in a process that has imported nothing."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    return done.stdout


@pytest.mark.slow
def test_no_compiler_and_no_linker_is_started_for_libraries_known_by_name() -> None:
    """Each search for a library by another system's name starts three programs."""
    script = (
        "import subprocess, sys\n"
        "started = []\n"
        "sys.addaudithook(lambda event, given: started.append(given[0])\n"
        "                 if event == 'subprocess.Popen' else None)\n"
        "from charforge.sheet.loading import load\n"
        "load()\n"
        "print(started)\n"
    )
    assert python(script).strip() == "[]"


@pytest.mark.slow
def test_what_waits_is_not_imported_by_a_pdf_and_is_all_there_when_some_is_used() -> None:
    script = (
        "import io, sys\n"
        "from charforge.sheet.pdf import render_pdf\n"
        "render_pdf('<html lang=\"en\"><title>t</title><body>Barlow</body></html>')\n"
        "from charforge.sheet.loading import LATER\n"
        "assert not [name for name in LATER if name in sys.modules]\n"
        "from weasyprint.pdf import fonts\n"
        "try:\n"
        "    fonts.TTFont(io.BytesIO(b'no font at all'))\n"
        "except fonts.TTLibError as error:\n"  # as WeasyPrint itself catches it
        "    assert str(error).startswith('Not a TrueType')\n"
        "import fontTools.subset, fontTools.ttLib, fontTools.varLib.instancer, PIL.ImageCms\n"
        "import weasyprint, weasyprint.css\n"
        "assert fonts.subset is fontTools.subset\n"
        "assert fonts.ttFont is fontTools.ttLib.ttFont\n"
        "assert fonts.instantiateVariableFont is "
        "fontTools.varLib.instancer.instantiateVariableFont\n"
        "assert weasyprint.css.ImageCmsProfile is PIL.ImageCms.ImageCmsProfile\n"
        "assert weasyprint.text.fonts.woff2 is fontTools.ttLib.woff2\n"
        "print(weasyprint.tinyhtml5.__spec__.name)\n"
    )
    assert python(script).strip() == "tinyhtml5"


@pytest.mark.slow
def test_a_page_that_is_no_xml_and_a_module_that_waits_are_read_at_their_first_use() -> None:
    """Each way to a stand-in: called, and looked into."""
    script = (
        "from charforge.sheet.loading import load\n"
        "page = load().HTML(string='<p>a<p>b')\n"
        "print(len(list(page.etree_element.iter('p'))))\n"
    )
    looked_into = (
        "from charforge.sheet.loading import load\n"
        "load()\n"
        "from weasyprint.pdf import fonts\n"
        "print(fonts.subset.Options(hinting=False).hinting)\n"
    )
    assert (python(script).strip(), python(looked_into).strip()) == ("2", "False")


@pytest.mark.slow
def test_what_waits_can_be_imported_by_others_at_once_and_waits_for_nobody_who_has_it() -> None:
    """A stand-in is gone before anybody else could meet it."""
    script = (
        "import sys\n"
        "from charforge.sheet import loading\n"
        "if {there}:\n"
        "    import fontTools\n"
        "loading.load()\n"
        "waits = 'fontTools.ttLib' not in sys.modules\n"
        "from fontTools.subset import Subsetter, ttLib\n"
        "print(waits, Subsetter.__name__, ttLib.TTFont.__name__)\n"
    )
    assert python(script.replace("{there}", "False")).split() == ["True", "Subsetter", "TTFont"]
    assert python(script.replace("{there}", "True")).split() == ["False", "Subsetter", "TTFont"]


@pytest.mark.slow
def test_a_version_that_uses_at_once_what_waits_here_is_loaded_all_the_same() -> None:
    """No module of a package can be imported below a stand-in for it."""
    script = (
        "from charforge.sheet import loading\n"
        "loading.LATER = ('tinycss2', 'cssselect2')\n"
        "page = loading.load().HTML(string='<p>a<p>b')\n"
        "print(len(page.render().pages), loading.import_module('tinycss2').__spec__.name)\n"
    )
    assert python(script).split() == ["1", "tinycss2"]


def test_a_library_with_another_name_is_searched_for_as_usual(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def usual(name: str) -> str:
        asked.append(name)
        return f"/opt/{name}"

    monkeypatch.setattr(ctypes.util, "find_library", usual)
    with loading._names_known():
        assert ctypes.util.find_library("pango-1.0") is None
        assert ctypes.util.find_library("something") == "/opt/something"
    assert ctypes.util.find_library("pango-1.0") == "/opt/pango-1.0"
    monkeypatch.setattr(loading, "_loads", lambda name: "harfbuzz" not in name)
    with loading._names_known():
        assert ctypes.util.find_library("harfbuzz") == "/opt/harfbuzz"
    assert asked == ["something", "pango-1.0", "harfbuzz"]


def test_a_rule_for_what_no_sheet_has_is_spared_whole_and_no_other() -> None:
    spared = (
        '::footnote-call { content: counter(footnote) }\n'
        ':is(ol, ul)[dir=ltr i][dir] { padding-left: 40px }\n'
        "table:is([rules], [frame]):is([frame=box i]) { border-width: thin }\n"
        '@counter-style hebrew { system: additive; additive-symbols: 1 א } @counter-style thai {}\n'
    )  # fmt: skip
    kept = (
        "/* Notes */\n"
        "ul { list-style-type: disc }\n"
        '@counter-style decimal { system: numeric; symbols: "0" "1" }\n'
        "@page {\n  @footnote { margin-top: 1em }\n}\n"
        "::marker { white-space: pre }\n"
    )
    assert loading.SPARED.sub("", spared + kept + spared) == kept


@pytest.mark.slow
def test_a_page_made_with_all_of_weasyprint_s_rules_has_the_same_bytes() -> None:
    """Headings, lists, tables and inputs as pages have them."""
    script = (
        "import hashlib, re, sys\n"
        "from charforge.sheet import loading\n"
        "loading.SPARED = loading.SPARED if sys.argv[1:] else re.compile('(?!)')\n"
        "loading.HINTS = loading.HINTS if sys.argv[1:] else ''\n"
        "from charforge.sheet.pdf import render_pdf\n"
        'page = \'<html lang="en"><head><title>A</title></head><body><h1>A</h1><h2>B</h2>'
        '<ul><li>c<ul><li>d</li></ul></li></ul><ol><li>e</li></ol><p>f <b>g</b><br/><a href="#h">'
        "h</a></p><table><thead><tr><th>i</th></tr></thead><tbody><tr><td>j</td></tr></tbody></table>"
        '<p id="h"><input type="checkbox" name="k" title="l"/></p></body></html>\'\n'
        "made = hashlib.sha256(render_pdf(page, fillable=True))\n"
        "from weasyprint.html import UA\n"
        "print('::footnote-call' in UA, made.hexdigest())\n"
    )
    whole, short = python(script).split(), python(script.replace("sys.argv[1:]", "True")).split()
    assert (whole[0], short[0]) == ("True", "False")
    assert whole[1] == short[1]
