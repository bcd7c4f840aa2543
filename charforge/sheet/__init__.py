"""The sheet: from a character to something worth holding.

Read in this order: ``view`` (what a sheet shows, resolved), ``prose``
(texts of a pack as spans), ``speaker`` (texts and names with one bearer's
own figures), ``attacks``, ``holdings``, ``story``, ``reference`` (the
parts), ``build`` (a character becomes a view), ``look`` (layout, paper,
styles), ``track`` (rows of pips),
``estimate``, ``cut`` and ``spread`` (columns),
``short`` and ``deck`` (the other layouts), ``blank``, ``audit``,
``html`` (a view becomes a page), ``playable`` (what it keeps count of at
the table), ``night`` (its colours in the dark), ``fonts``, ``pdf``
(the page becomes a document), ``glyphs`` (what no font could draw).
Rules end at the view; templates and everything after it only arrange.
"""
