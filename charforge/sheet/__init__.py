"""The sheet: the view of a character, and the HTML and PDF made from it.

Read in this order: ``view`` (everything a sheet shows: named tuples without rules), ``build``
(a character becomes a view; its parts are made by ``values``, ``lists``, ``holdings`` and
``actions``), ``print_options`` (layout, paper, styles), ``html`` (a view becomes a page),
``playable`` (the trackers of a page that is played from),
``pdf`` (a page becomes a PDF; ``fonts``, ``form_fields``), ``party`` (the GM's page) and
``party_pdf`` (several sheets in one file). ``offline`` and ``audit`` are other views.
``estimate``, ``cut``, ``spread``, ``tales``, ``foot``, ``short``, ``deck``, ``slip``, ``scales``,
``listing``, ``panels`` and ``tables`` estimate sizes and arrange the parts of a page.
Rules end at the view; templates and everything after it only arrange.
"""
