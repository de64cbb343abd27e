"""Shows a `Translation`: as a table in the terminal, an HTML page, SVG, PNG, CSV or JSON."""
