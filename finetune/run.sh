#!/usr/bin/env bash
# The whole act, from judgments with placeholders to the paper's tables, in order:
#   finetune/run.sh [SIZE] [PROCESSES]      e.g. finetune/run.sh small 1; finetune/run.sh 370m 8
# JUDGMENTS are annotated files (without it data:annotated, see thunder data list; none:
# JUDGMENTS= with RAW), RAW files of published judgments,
# SEEDS the runs (the paper's 1200 1203 1205 for its tables), SET changes of the configuration
# (table.key=value …). WORK is where datasets/, runs/, models/ and tables/ come to lie (here).
# Start it again after whatever stopped it: what is finished is left, and a run goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."

size=${1:-small}
processes=${2:-1}
config=finetune/configs/$size.toml
if [ ! -f "$config" ]; then
    echo "error: no configuration $config; there are: $(ls finetune/configs)" >&2
    exit 1
fi
python=${PYTHON:-python}
command -v "${python%% *}" >/dev/null || {
    echo "error: no ${python%% *} here: enter the environment (. .venv/bin/activate), or give PYTHON=.venv/bin/python" >&2
    exit 2
}
thunder="$python -m thunder"
seeds=${SEEDS:-1200}
raw=${RAW:-}
work=${WORK:-.}
tokenizer=$(sed -n 's/^tokenizer = "\([^"]*\)".*/\1/p' "$config")
data=$work/datasets/$tokenizer
export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"  # a checkout needs no installation

judgments=${JUDGMENTS-}
if [ -z "${JUDGMENTS+given}" ] && [ ! -f "$data/manifest.json" ]; then
    judgments=$($thunder data path annotated) || {
        echo "error: no annotated judgments, see above; or name your own: JUDGMENTS=FILE" >&2
        exit 1
    }
fi

# 1. Annotated judgments. Hand-annotated ones are there; RAW names files of published judgments whose
#    placeholders are marked by rules (letters and omissions become labels).
mkdir -p "$work/datasets"
for file in $raw; do
    marked=$work/datasets/$(basename "${file%%.*}").marked.jsonl
    [ -f "$marked" ] || $thunder annotation placeholders "$file" -o "$marked"
    judgments="$judgments $marked"
done

# 2. The dataset: split by near-duplicates, filled anew each epoch (the paper's better way), with
#    texts, on which thresholds are set. Development and test get mentions held out from training.
#    A build that was killed goes on.
# shellcheck disable=SC2086  # several files
[ -f "$data/manifest.json" ] || $thunder dataset build $judgments --output "$data" \
    --tokenizer "tokenizer/$tokenizer" --replacement per-epoch

taggers=
for seed in $seeds; do
    run=$work/runs/tagger-$size-$seed
    tagger=$work/models/tagger-$size-$seed

    # 3. The fine-tuning. Status 75 means: stopped by a signal, saved.
    changes="--set seed=$seed --set checkpoints.folder=$run --set data.folder=$data"
    for change in ${SET:-}; do changes="$changes --set $change"; done
    if [ -d "$tagger" ]; then
        echo "$tagger is there: its run is left as it is"
    elif [ "$processes" = 1 ]; then
        # shellcheck disable=SC2086
        $python finetune/train.py "$config" $changes
    else
        port=$($python -c 'from thunder.training.processes import free_port; print(free_port())')
        # shellcheck disable=SC2086
        $python -m torch.distributed.run --nproc_per_node "$processes" --master_port "$port" \
            finetune/train.py "$config" $changes
    fi

    # 4. The best checkpoint as a tagger's folder, its thresholds set for a recall on development.
    [ -d "$tagger" ] || $python finetune/export.py "$run" "$tagger"
    taggers=$taggers${taggers:+,}$tagger

    # 5. Predictions, a JSON object a document (id, entities), for other programs.
    [ -f "$run/test.jsonl" ] ||
        $thunder tagger predict "$tagger" "$run/test.jsonl" --dataset "$data" --part test
done

# 6. The tables of the test part: all seeds as one system, the recognisers alone beside it.
mkdir -p "$work/tables"
$thunder evaluate "$data" "$size=$taggers" rules --part test \
    --markdown "$work/tables/$size.md" --csv "$work/tables/$size"
