"""What taggers learn from: annotations, lists, filling, placeholders, invented judgments, corpora.

Nothing of it is loaded to de-identify a judgment.
"""
