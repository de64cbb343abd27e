"""A `Translation` as a table, a page, a figure, a picture, CSV or JSON."""
