"""The sheet: from a character to something worth holding.

Read in this order: ``view`` (what a sheet shows, resolved), ``prose``
(texts of a pack as spans), ``speaker`` (texts and names with one bearer's
own figures), ``attacks``, ``holdings``, ``story``, ``reference`` (the
parts), ``build`` (a character becomes a view), ``track`` (rows of pips),
``estimate`` and ``spread`` (columns), ``html`` (a view becomes a page), ``fonts``, ``pdf``
(the page becomes a document), ``glyphs`` (what no font could draw).
Rules end at the view; templates and everything after it only arrange.
"""
