"""The rules engine: from decisions to a character that explains itself.

Read in this order: ``state`` (what a character is at a moment), ``own``
(what a holding's own choices say in its formulas), ``changes`` and ``derive``
(its values and their steps), ``prerequisites`` ("why can't I?"), ``gain``
(what taking something brings), ``options`` and ``faults`` (what a question
offers, what is wrong with an answer), ``decisions`` (a question at its
place), ``walk`` (asking them in order), ``happen`` (what each event after
creation does), ``replay`` (both together). Beside them stand ``play``
(resources, conditions, cooldowns), ``procedures`` (rules taken step by
step, with ``pools`` of dice and ``charts`` to read), ``use`` (abilities)
and ``gear`` (money, hands). ``once`` keeps what is worked out of the rules alone.
Nothing here knows a game, prints, prompts or reads a file.
"""
