"""The sheet: the view of a character, and the HTML and PDF made from it.

Read in this order:

- ``view``: everything that a sheet shows, as named tuples. No module after it knows rules.
- ``build``: a character as a view; parts are built by ``values``, ``holdings``,
  ``attacks`` and ``odds``.
- ``print_options``: layout, paper, sections and styles; ``portraits``.
- ``html``: a view as a page of HTML, by the templates, whose style sheets lay it out; ``drawings``;
  ``trackers`` has the trackers of a page to play from.
- ``pdf``: a page as a PDF; ``fit`` lays out again what must fit a page or a card; ``fonts``;
  ``form_fields`` for fillable sheets.
- ``party``: the GM's page, and several sheets in one file.
"""
