"""From the YAML of packs to a ruleset.

``loader`` finds the folders and keeps compiled rulesets. Only what is not compiled yet is read:
``yaml_reader`` reads a file, ``parser`` makes models of it, ``translation`` replaces their texts.
"""

from typing import TYPE_CHECKING

from charforge.lazy import lazy_modules

if TYPE_CHECKING:
    from charforge.rules.loading import (
        loader as loader,
        parser as parser,
        translation as translation,
        yaml_reader as yaml_reader,
    )
else:  # help needs no rules, most commands find them compiled, and these take 20 ms to import
    __getattr__ = lazy_modules(__name__, "loader", "parser", "translation", "yaml_reader")
