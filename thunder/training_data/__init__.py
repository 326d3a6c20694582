"""What taggers learn from: annotations, lists, filling, placeholders, invented judgments, corpora.

``annotation`` reads and writes marked-up judgments; ``filling`` puts invented mentions of the
``lists`` into them; ``datasets`` and ``corpus`` make what training reads. Nothing of it is loaded
to de-identify a judgment.
"""
