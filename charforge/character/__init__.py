"""The character: its file (``files``), and its state at one moment.

The state, which ``replay`` calculates from the log: ``state_data`` (units,
holdings, conditions, answers), ``modifiers`` (what changes a value),
``values`` (values that explain themselves), ``state`` (all of it together).

Changes of the state, each a function that returns a new one: ``holdings``
(gain, lose), ``gear`` (in hand, worn), ``state_changes`` (resources, money,
conditions, cooldowns, uses). ``requirements`` says why something is not allowed.
"""
