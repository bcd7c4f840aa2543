"""Use cases: the decisions of a new or an existing character, without printing or prompting.

==============================  =================================================
create, level_up, edit, plan    answers: of a new character, a level, earlier ones
advise, preview, measures       what an option changes, tried on a copy
luck                            recorded rolls against fair dice, and after other choices
sheet_import                    what was played on an HTML sheet or filled in on a PDF
==============================  =================================================
"""
