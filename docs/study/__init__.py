"""The study of attention: it trains, measures, and fills in `docs/attention-study.md`.

`python -m docs.study` runs what hasn't been run yet and writes the blocks between the document's
markers. The text around them is written by hand. Read `plan.py` (the sizes), `lines.py` (the data),
`quality.py` and `sharpness.py` (the two experiments), and `report.py` (tables and pictures).
"""
