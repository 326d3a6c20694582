"""Annotated judgments into training data: split, filled, tokenised, labelled, stored in shards.

``building.build`` makes a dataset of annotated files, ``dataset.Dataset.open`` gives its parts,
and a part its examples by epoch and position; ``frames`` shows them to people.
"""
