"""``thunder evaluate``: taggers, rules or anybody's output, asked about gold and measured."""
