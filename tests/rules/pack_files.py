"""Write packs that amend a ruleset."""

from __future__ import annotations

from pathlib import Path

HEAD = "id: {name}\nname: {title}\nversion: '{version}'\nruleset: {ruleset}\n{more}"


def write_pack(
    folder: Path, page: str, ruleset: str = "toy", version: str = "1.0", more: str = ""
) -> Path:
    """Write a pack of one page, ``page.yaml``, that is called as its folder."""
    folder.mkdir(parents=True)
    name = folder.name
    head = HEAD.format(
        name=name, title=name.replace("-", " ").title(), version=version, ruleset=ruleset, more=more
    )
    (folder / "pack.yaml").write_text(head, encoding="utf-8")
    (folder / "page.yaml").write_text(page, encoding="utf-8")
    return folder
