"""The study of attention: its trainings, its measurements, and the tables and pictures of `docs/attention-study.md`.

`python -m docs.study` runs what hasn't been run yet and writes the blocks between the document's markers; the sentences around them are written
by hand. Read `plan.py` (how much of everything), `lines.py` (the data), `quality.py` and `sharpness.py` (the two experiments), and `report.py`.
"""
