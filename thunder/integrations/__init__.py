"""Thunder-DeID in other people's tools: pandas, Polars, datasets and whatever else calls it.

A module a tool, imported only when it is asked for; each needs the tool's package, which
``foreign`` names with the versions that were tried. They use the library as everybody can
(``Deidentifier``), and decide nothing of their own: what is masked, and by which letter, is what
``thunder deid`` would have done with the same text.
"""
