"""The crew or ship of a group: the file that its campaign names, and what members read of it.

It is a character of a game of its own. The campaign file beside the members names its file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from charforge.character.state import State
from charforge.character.state_data import SharedUnit
from charforge.errors import PackError, UsageError
from charforge.language import N_, _
from charforge.limits import LARGEST_AMOUNT
from charforge.rules.loading import yaml_source
from charforge.rules.models import Computed, SharedSpec
from charforge.rules.models.entities import LEVEL

CAMPAIGN_FILE = "charforge.yaml"
SHARED_KEY = "shared"  # of a campaign file
MAX_CAMPAIGN_BYTES = 1_000_000  # of a campaign file that is looked at
NAME_SHARED_FILE = N_(
    "Name its file in charforge.yaml, in the folder of this character: shared: FILE."
)


def shared_file(folder: Path) -> Path | None:
    """Return the file of what a group owns, as the campaign file of a folder names it, or None.

    Other keys are not checked. Raises UsageError for a campaign file that cannot be read.
    """
    path = folder / CAMPAIGN_FILE
    try:
        if SHARED_KEY.encode() not in path.read_bytes()[:MAX_CAMPAIGN_BYTES]:
            return None  # without reading YAML, which takes long to import
        data = yaml_source.read_yaml(path, plain=True)
    except OSError:
        return None
    except PackError as error:
        message = _("{path} cannot be read").format(path=path)
        raise UsageError(message, error.problems[0].message) from error
    name = data.get(SHARED_KEY) if isinstance(data, Mapping) else None
    return folder / name if isinstance(name, str) and is_plain_name(name) else None


def shared_files(files: Iterable[Path]) -> list[Path]:
    """Return the files of what groups own, as the campaign files beside their members name them."""
    owned = [shared_file(folder) for folder in dict.fromkeys(file.parent for file in files)]
    return [file for file in owned if file is not None and file.exists()]


def is_plain_name(name: str) -> bool:
    """Whether a text names a file in the folder of the campaign file."""
    return Path(name).name == name and "\\" not in name


def is_shared_file(file: Path) -> bool:
    """Whether a character file is what the group in its folder owns."""
    try:
        shared = shared_file(file.parent)
        return shared is not None and shared.exists() and shared.samefile(file)
    except (OSError, UsageError):
        return False


def shared_unit(state: State, id: str, name: str, spec: SharedSpec) -> SharedUnit:
    """Return what members read of what their group owns, which has this state."""
    values, computed = state.values(), state.unit().type.values
    known = [one.id for one in spec.values if one.id in computed]
    figures = {
        name: values.base(name) if computed[name].resource else values.total(name) for name in known
    }
    if any(one.id == LEVEL for one in spec.values):
        figures[LEVEL] = state.ruleset.head.advancement.number(state.level)
    bounds = {name: _bounds(state, computed[name]) for name in known if computed[name].resource}
    return SharedUnit(id, name, figures, bounds)


def _bounds(state: State, computed: Computed) -> tuple[int, int]:
    """Return the least and most of a resource."""
    values = state.values()
    low, high = computed.minimum, computed.maximum
    return (
        -LARGEST_AMOUNT if low is None else values.evaluate(low),
        LARGEST_AMOUNT if high is None else values.evaluate(high),
    )
