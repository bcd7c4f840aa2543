"""What the parts of a pack must agree on beyond the names that they use.

Each check yields the faults of one model; ``CHECKS`` says which models it
is for, and holds those of every module here.
"""

from charforge.rules.consistency import charts, entities, procedures, questions, vocabulary
from charforge.rules.symbols import Checks

CHECKS: Checks = {
    **questions.CHECKS,
    **entities.CHECKS,
    **procedures.CHECKS,
    **charts.CHECKS,
    **vocabulary.CHECKS,
}
