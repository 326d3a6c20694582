"""Two commits over the same inputs: what ``guard.py`` is made of; only the standard library."""
