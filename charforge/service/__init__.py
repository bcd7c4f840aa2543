"""The use-cases of the command line: no printing, no prompting.

Each is the same move: load, add events to the log, replay, judge, save.
``creating`` makes a character; ``changing`` is the move itself, with undo
and redo; ``levelling``, ``editing``, ``planning``, ``owning``, ``playing``
and ``marking`` say what is added; ``rolling`` hears what is said and
rolled at the table; ``applying`` takes in what the page of a sheet kept;
``telling`` reads a log back to its player,
``comparing`` says what differs; ``versions`` what another version of a
pack changes, and ``updating`` takes the installed one; ``starting`` begins
a pack, ``checking`` and ``samples`` judge it, ``installing`` takes it in; ``finding``,
``abilities``, ``standing``, ``vocabulary``, ``resolving`` and
``exporting`` only read.
"""

from charforge.opened import (
    Opened as Opened,
    as_of as as_of,
    open_document as open_document,
    open_file as open_file,
    pack_notes as pack_notes,
    pins as pins,
    replayed as replayed,
    summary as summary,
)
from charforge.plan import (
    Plan as Plan,
    check_level as check_level,
    check_name as check_name,
    check_rules as check_rules,
    new_seed as new_seed,
)
from charforge.service.changing import (
    Trial as Trial,
    change as change,
    commit as commit,
    draft as draft,
    redo as redo,
    refuse as refuse,
    trial as trial,
    undo as undo,
)
from charforge.service.creating import (
    by_level as by_level,
    closing as closing,
    complete as complete,
    create as create,
    document as document,
    refuse_unknown as refuse_unknown,
)
from charforge.service.exporting import to_answers as to_answers
from charforge.service.finding import find_unit as find_unit, why as why
from charforge.service.levelling import (
    advances as advances,
    check_advance as check_advance,
    level_up as level_up,
    refused_plan as refused_plan,
    try_level as try_level,
)
