"""The sheet: from a character to something worth holding.

Read in this order: ``view`` (what a sheet shows, resolved: named tuples without rules) and
``build`` (a character becomes a view; ``bearer``, ``attacks``, ``holdings``, ``panels``,
``story``, ``reference``, ``values`` are its parts), ``print_options`` (layout, paper, styles),
``html`` (a view becomes a page), ``playable`` (what that page keeps count of at the table),
``pdf`` (a page becomes a document; ``fonts``, ``form_fields``, ``glyphs``), ``party`` (what a GM
sees of several) and ``party_pdf`` (several sheets in one file). ``blank``, ``offline`` and
``audit`` are other views. ``estimate``, ``cut``, ``spread``, ``tales``, ``foot``, ``short``,
``deck``, ``slip``, ``scales``, ``listing`` and ``tables`` arrange what fits where.
Rules end at the view; templates and everything after it only arrange.
"""
