#!/bin/sh
# Train both shipped tokenizers on a million sentences (two to three minutes each on two cores).
#   tokenizer/scripts/train.sh [DATA] [OUT]
set -eu
data="${1:-../shared/data}"
out="${2:-tokenizer}"
for size in 32 128; do
    # Half of it judgments, as that is what the tokens are for; the English keeps English words
    # in pieces of some letters.
    python -m thunder tokenizer train --vocabulary "${size}000" --out "$out/${size}k" --seed 1 \
        "$data/judgments/judgments-other.jsonl.xz=440000" \
        "$data/judgments/judgments-letters.jsonl.xz=60000" \
        "$data/text/ko-wikipedia.jsonl.xz=300000" \
        "$data/text/ko-statutes.jsonl.xz=100000" \
        "$data/text/en-wikipedia.jsonl.xz=100000"
done
