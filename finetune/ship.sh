#!/usr/bin/env bash
# The taggers that ship, from ../shared/data to finetune/taggers, in order:
#   finetune/ship.sh
# SEEDS are the runs over the hand annotations; the average of their weights is shipped. Start it
# again after whatever stopped it: what is finished is left, and a run goes on where it was.
# Two cores of a shared CPU: an hour and a half for the encoder (pretrain/run.sh mini), 25 minutes
# for the first part, 35 for the second with two seeds side by side, 15 to export. On a GPU it was
# never run.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python}
thunder="$python -m thunder"
seeds=${SEEDS:-1200 1203}
shared=${SHARED:-../shared/data}
hand=$shared/public-judgments/annotated_judgments.jsonl
tokenizer=tokenizer/32k
work=datasets/ship              # what a step leaves for the next
mkdir -p "$work" models

# 1. The encoder.
[ -d models/mini ] || pretrain/run.sh mini

# 2. Annotated judgments without annotators: whole ones, in which the courts' own placeholders are
#    marked by rules, and invented ones.
whole=$work/whole.jsonl marked=$work/whole.marked.jsonl invented=$work/invented.jsonl
[ -f "$whole" ] || $python finetune/draw.py "$shared"/judgments/judgments-letters.jsonl.xz \
    "$shared"/judgments/judgments-other.jsonl.xz --number 5600 --output "$whole"
[ -f "$marked" ] || $thunder annotation placeholders "$whole" -o "$marked" --companies
[ -f "$invented" ] || $thunder dataset invent "$invented" -n 1900

# 3. The first half: free of the hand annotations.
free=datasets/ship-free
[ -f $free/manifest.json ] ||
    $thunder dataset build "$marked" "$invented" --output $free --tokenizer $tokenizer
$python finetune/train.py finetune/configs/mini-free.toml
[ -d models/mini-free ] || $python finetune/export.py runs/tagger-mini-free models/mini-free

# 4. The hand annotations, and some of the others again, once for each seed; then the average. A
#    judgment stays in the part in which it was: what was trained on is never measured on.
only=datasets/ship-hand-only both=datasets/ship-hand splits=$work/splits.tsv
[ -f $only/manifest.json ] ||
    $thunder dataset build "$hand" --output $only --tokenizer $tokenizer
{ cat $only/splits.tsv; tail -n +2 $free/splits.tsv; } >"$splits"
{ head -n 400 "$marked"; head -n 200 "$invented"; } >"$work/replay.jsonl"
[ -f $both/manifest.json ] || $thunder dataset build "$hand" "$work/replay.jsonl" \
    --splits "$splits" --output $both --tokenizer $tokenizer
train() {                       # train SEED: a tagger of its own
    $python finetune/train.py finetune/configs/mini-hand.toml --set seed="$1" \
        --set checkpoints.folder="runs/tagger-mini-hand-$1"
    [ -d "models/mini-hand-$1" ] ||
        $python finetune/export.py "runs/tagger-mini-hand-$1" "models/mini-hand-$1"
}
runs=()
for seed in $seeds; do
    train "$seed" &
    runs+=($!)
done
for run in "${runs[@]}"; do wait "$run"; done
taggers=()
for seed in $seeds; do taggers+=("models/mini-hand-$seed"); done
[ -d models/mini-hand ] || $python finetune/average.py models/mini-hand "${taggers[@]}"

# 5. What ships: int8, without torch, spans compared with the original's, thresholds set anew.
shipped=finetune/taggers
[ -d $shipped/mini-free ] || $python finetune/export.py models/mini-free \
    --onnx $shipped/mini-free --int8 --dataset $free --recall 0.95 --licence apache-2.0
[ -d $shipped/mini-cc-by-nc-sa-4.0 ] || $python finetune/export.py models/mini-hand \
    --onnx $shipped/mini-cc-by-nc-sa-4.0 --int8 --dataset $both --recall 0.95 \
    --licence cc-by-nc-sa-4.0
