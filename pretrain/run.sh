#!/usr/bin/env bash
# The whole act, from folders of text to an encoder that transformers reads, in order:
#   pretrain/run.sh [SIZE] [PROCESSES]      e.g. pretrain/run.sh small 1; pretrain/run.sh 370m 8
# Start it again after whatever stopped it: each step goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."

size=${1:-small}
processes=${2:-1}
config=pretrain/configs/$size.toml
python=${PYTHON:-python}
tokenizer=$(sed -n 's/^tokenizer = "\([^"]*\)".*/\1/p' "$config")
sources=${SOURCES:-pretrain/corpora/public.toml}

# 1. The corpus. It is cleaned, freed of duplicates, cut into tokens and packed once, before any GPU
#    is paid for; finished shards stay when it is started again, and a finished corpus is left.
$python pretrain/prepare_corpus.py "$sources" --out "corpus/$tokenizer" \
    --tokenizer "tokenizer/$tokenizer"

# 2. The doctor. What would fail after an hour in the queue fails here in a minute: memory, disk,
#    versions, weights that do not add up, a tokenizer that does not fit; and what it will cost.
$python -c 'from thunder.cli import main; main()' doctor "$config" --processes "$processes"

# 3. The training. Alone without a launcher; on one machine by torchrun, with a port that no other
#    run uses. On several machines: pretrain/cluster/. Status 75 means: stopped by a signal, saved.
if [ "$processes" = 1 ]; then
    $python pretrain/train.py "$config"
else
    port=$($python -c 'from thunder.training.processes import free_port; print(free_port())')
    $python -m torch.distributed.run --nproc_per_node "$processes" --master_port "$port" \
        pretrain/train.py "$config"
fi

# 4. The export: encoder, head and tokenizer as one Hugging Face folder, read back and compared.
[ -d "models/$size" ] || $python pretrain/export.py "runs/$size" "models/$size"
