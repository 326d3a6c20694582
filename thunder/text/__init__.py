"""Text as such: spans and their algebra, folding with offsets, particles, Mecab-ko's morphemes."""
