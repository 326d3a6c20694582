#!/usr/bin/env bash
# The taggers that ship, from ../shared/data to finetune/taggers, in order:
#   finetune/ship.sh
# SEEDS are the runs over the hand annotations; the average of their weights goes on. Start it
# again after whatever stopped it: what is finished is left, and a run goes on where it was; to
# begin anew, remove datasets/, runs/ and models/.
# On a shared CPU: two hours of one core for the encoder (pretrain/run.sh mini), then of two cores 25
# minutes for the first part, 40 for the second with two seeds side by side (they all start at once:
# SEEDS names fewer), 40 of one for the last, 15 to export. On a GPU it was never run.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python}
thunder="$python -m thunder"
seeds=${SEEDS:-1200 1203 1205}
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
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT   # training saves, and goes on when started again
runs=() failed=0 taggers=()
for seed in $seeds; do
    train "$seed" &
    runs+=($!) taggers+=("models/mini-hand-$seed")
done
for run in "${runs[@]}"; do wait "$run" || failed=$?; done
[ "$failed" = 0 ] || exit "$failed"
[ -d models/mini-hand ] || $python finetune/average.py models/mini-hand "${taggers[@]}"

# 5. The average goes on over whole judgments that no part before it had (all criminal ones of that
#    length that are left, and civil ones), and the hand annotations again.
more=$work/more.jsonl last=datasets/ship-more
[ -f "$more" ] || $python finetune/draw.py "$shared"/judgments/judgments-letters.jsonl.xz \
    "$shared"/judgments/judgments-other.jsonl.xz --number 2700 --without "$whole" --output "$more"
[ -f "$work/more.marked.jsonl" ] ||
    $thunder annotation placeholders "$more" -o "$work/more.marked.jsonl" --companies
[ -f $last/manifest.json ] ||
    $thunder dataset build "$hand" "$work/replay.jsonl" "$work/more.marked.jsonl" \
        --splits "$splits" --output $last --tokenizer $tokenizer
$python finetune/train.py finetune/configs/mini-more.toml
[ -d models/mini-more ] || $python finetune/export.py runs/tagger-mini-more models/mini-more

# 6. What ships: int8, without torch, spans compared with the original's; thresholds set on the
#    development parts named, whole judgments among them, as they are what will be read; the card.
ship() {                        # ship NAME TAGGER LICENCE DATASET...
    local place="models/ship/$1" tagger=$2 licence=$3
    shift 3
    if [ ! -d "$place" ]; then
        $python finetune/export.py "$tagger" --onnx "$place.new" --int8 --dataset "$1"
        $thunder tagger thresholds "$place.new" "${@/#/--dataset=}" --recall 0.98
        $python finetune/export.py "$place.new" --licence "$licence"
        mv "$place.new" "$place"
    fi
    rm -rf "finetune/taggers/${place##*/}"
    cp -r "$place" "finetune/taggers/${place##*/}"
}
rm -rf models/ship/*.new        # of an export that was broken off
ship mini-free models/mini-free apache-2.0 $free
ship mini-cc-by-nc-sa-4.0 models/mini-more cc-by-nc-sa-4.0 $both $free
