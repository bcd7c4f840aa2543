"""The sheet: from a character to something worth holding.

Read in this order: ``view`` (what a sheet shows, resolved), ``prose``
(texts of a pack as spans), ``speaker`` (texts and names with one bearer's
own figures), ``attacks``, ``holdings``, ``story``, ``reference`` (the
parts), ``build`` (a character becomes a view), ``look`` (layout, paper,
styles), ``track`` (rows of pips), ``estimate``, ``cut``, ``spread`` and
``tales`` (columns), ``short`` with its ``foot`` and ``deck`` (the other
layouts), ``blank``, ``audit``,
``html`` (a view becomes a page), ``playable`` (what it keeps count of at
the table), ``night`` (its colours in the dark), ``fonts``, ``loading``
(WeasyPrint, without what no sheet needs), ``garbage`` (when it is picked
up), ``parsing``, ``pdf`` and ``objects`` (the page becomes a document),
``glyphs`` (what no font could draw), ``party`` (what a GM sees of several),
``leaf`` (a part drawn by itself), ``binding`` (several become one file).
Rules end at the view; templates and everything after it only arrange.
"""
