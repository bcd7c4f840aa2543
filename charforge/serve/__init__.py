"""The live table: sheets on the phones of the players, changed by the verbs of the program.

================  ================================================================
table             the characters at the table; the secret links to them
app, guard        pages and changes over HTTP, and the server; what no client may do
player            a player's page: what it shows
forms, actions    a form that a page has sent, turned into a verb
action_forms      what each action asks for, and its odds
odds              odds in a process of their own, which slow down nobody
game_master       the game master's page, whose turn it is, and what players see of others
table_form        a form that the game master has sent, and the result of a change
table_actions     what the game master does, by name: characters, foes,
                  settings and undo
turn_actions      initiative, whose turn it is, and the rules of turns
table_state       foes, turns and the log of the evening, kept in files, with what can be undone
================  ================================================================
"""
