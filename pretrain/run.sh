#!/usr/bin/env bash
# The whole act, from folders of text to an encoder that transformers reads, in order:
#   pretrain/run.sh [CONFIG] [PROCESSES]    e.g. pretrain/run.sh mini; pretrain/run.sh 370m 8
# CONFIG is a file, or the NAME of one in pretrain/configs. SOURCES says what the corpus is made of:
# pretrain/corpora/NAME.toml where there is one, else public.toml there; docs/how-to/corpora.md
# has how each is got. Start it again after whatever stopped it: each step goes on where it was.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
config=${1:-mini}
[ -f "$config" ] || config=$root/pretrain/configs/$config.toml
config=$(realpath "$config")
own=$root/pretrain/corpora/$(basename "$config")
[ -f "$own" ] || own=$root/pretrain/corpora/public.toml
sources=$(realpath "${SOURCES:-$own}")
processes=${2:-1}
python=${PYTHON:-python}
command -v "${python%% *}" >/dev/null || {
    echo "error: no ${python%% *} here: enter the environment (. .venv/bin/activate), or give PYTHON=.venv/bin/python" >&2
    exit 2
}
cd "$root"                          # relative paths in both files begin here

# The folders that the configuration names; what is wrong in it ends the act here.
places=$($python pretrain/train.py "$config" --places)
{ read -r name; read -r corpus; read -r tokenizer; read -r run; } <<<"$places"

# 1. The corpus. It is cleaned, freed of duplicates, cut into tokens and packed once, before any GPU
#    is paid for; finished shards stay when it is started again, and a finished corpus is left.
$python pretrain/prepare_corpus.py "$sources" --out "$corpus" --tokenizer "$tokenizer"

# 2. The doctor. What would fail after an hour in the queue fails here in a minute: memory, disk,
#    versions, weights that do not add up, a tokenizer that does not fit; and what it will cost.
$python -m thunder doctor "$config" --processes "$processes"

# 3. The training. Alone without a launcher; on one machine by torchrun, with a port that no other
#    run uses. On several machines: pretrain/cluster/. A signal saves and ends it: with status 75
#    where it is alone; torchrun itself ends with 1 then.
if [ "$processes" = 1 ]; then
    $python pretrain/train.py "$config"
else
    port=$($python -c 'from thunder.training.processes import free_port; print(free_port())')
    $python -m torch.distributed.run --nproc_per_node "$processes" --master_port "$port" \
        pretrain/train.py "$config"
fi

# 4. The export: encoder, head and tokenizer as one Hugging Face folder, read back and compared.
[ -d "models/$name" ] || $python pretrain/export.py "$run" "models/$name"
