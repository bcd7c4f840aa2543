"""The sheet: the view of a character, and the HTML and PDF made from it.

Read in this order:

- ``view``: everything that a sheet shows, as named tuples. No module after it knows rules.
- ``build``: a character as a view; parts are built by ``values``, ``lists``, ``holdings``,
  ``attacks``, ``actions`` and ``odds``. ``offline`` and ``audit`` build other views.
- ``print_options``: layout, paper, sections and styles; ``portraits``.
- ``html``: a view as a page of HTML, by the templates, whose style sheets lay it out; ``pips`` and
  ``dice`` are drawings, ``trackers`` has the trackers of a page to play from.
- ``pdf``: a page as a PDF; ``fit`` lays out again what must fit a page or a card; ``fonts``;
  ``form_fields`` and ``form_names`` for fillable sheets.
- ``party`` and ``party_pdf``: the GM's page, and several sheets in one file.
"""
