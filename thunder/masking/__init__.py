"""One judgment: what is masked, by which letter, and the record of it. Start at ``deidentify``."""
