"""Korean text and places in it, before anybody asks what they mean.

``spans`` are labelled stretches and what can be done with them; ``korean`` folds disguised
characters and keeps their places; ``particles`` fits 은/는, 이/가 to a word; ``morphology`` asks
Mecab-ko for morphemes; ``letters`` is the series A, B … AA; ``tables`` reads cells by their heads.
"""
