"""Terminal output that rich draws: characters (``sheet``) and entries of rules (``rules``).

They are printed on the console of ``screen``.
"""

from typing import TYPE_CHECKING

from charforge.lazy import lazy_modules

if TYPE_CHECKING:
    from charforge.cli.terminal import rules as rules, screen as screen, sheet as sheet
else:  # most commands print plain lines, and rich takes 25 ms to import
    __getattr__ = lazy_modules(__name__, "rules", "screen", "sheet")
