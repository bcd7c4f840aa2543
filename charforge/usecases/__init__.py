"""Use cases: the work of each command, without printing or prompting.

A change of a character is always the same move (``change``): draft events,
try them on the log, check the result, and commit them. The caller saves the
file.

==============================  =================================================
create, level_up, edit, plan    decisions of a new or an existing character
undo, history, restore          the log, and earlier versions of the file
inventory, awards               buying, selling, hands; gifts of the GM
play, manual_changes            rules, abilities; resources, conditions, notes
initiative, odds, resolve       rolls and odds that change nothing
names, lookup, typed_inputs     what a player typed: names, inputs, dice
compare, unit_status            characters as data for the screen
merge_played                    events played on an HTML sheet
packs, pack_check, pack_diff    installing, checking and comparing packs
pack_samples, sample_*          the samples in a pack
scaffold                        new packs
==============================  =================================================
"""
