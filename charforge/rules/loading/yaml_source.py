"""YAML files: the functions of ``yaml_reader``, which is imported when the first one is used.

PyYAML takes an eighth of a short command's time to import, and most commands find their rules
compiled and read no YAML.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from charforge.rules.loading.yaml_reader import (
        comments as comments,
        dump as dump,
        locate as locate,
        locate_in as locate_in,
        parse as parse,
        places_of_text as places_of_text,
        problem_at as problem_at,
        read_page as read_page,
        read_yaml as read_yaml,
        unsupported as unsupported,
        yaml_line as yaml_line,
    )
else:

    def __getattr__(name: str) -> object:
        """Return a function of ``yaml_reader``."""
        # Here, because most commands read no YAML: PyYAML takes 11 ms to import.
        from charforge.rules.loading import yaml_reader

        return getattr(yaml_reader, name)
