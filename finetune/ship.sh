#!/usr/bin/env bash
# The taggers that ship, from ../shared/data to finetune/taggers, in order:
#   finetune/ship.sh
# SEEDS are the runs over the hand annotations; the first one's tagger is shipped. Start it again
# after whatever stopped it: what is finished is left, and a run goes on where it was.
# One core of a shared CPU: an hour for the encoder (pretrain/run.sh mini), 25 minutes for the first
# part, 30 and 40 minutes for the other two, for each seed. On a GPU it was never run.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python}
thunder="$python -m thunder"
seeds=${SEEDS:-1200}
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
    "$shared"/judgments/judgments-other.jsonl.xz --output "$whole"
[ -f "$marked" ] || $thunder annotation placeholders "$whole" -o "$marked" --companies
[ -f "$invented" ] || $thunder dataset invent "$invented" -n 1900

# 3. The first half: free of the hand annotations.
free=datasets/ship-free
[ -f $free/manifest.json ] ||
    $thunder dataset build "$marked" "$invented" --output $free --tokenizer $tokenizer
$python finetune/train.py finetune/configs/mini-free.toml
[ -d models/mini-free ] || $python finetune/export.py runs/tagger-mini-free models/mini-free

# 4. The hand annotations, and some of the others again; then longer, with fewer of the others; then
#    the average of both, which is better than each (the longer one masks headings). A
#    judgment stays in the part in which it was: what was trained on is never measured on.
only=datasets/ship-hand-only splits=$work/splits.tsv
[ -f $only/manifest.json ] ||
    $thunder dataset build "$hand" --output $only --tokenizer $tokenizer
{ cat $only/splits.tsv; tail -n +2 $free/splits.tsv; } >"$splits"
mixed() {                       # mixed FOLDER MARKED INVENTED: with so many of the others
    { head -n "$2" "$marked"; head -n "$3" "$invented"; } >"$work/replay-$2.jsonl"
    [ -f "$1/manifest.json" ] || $thunder dataset build "$hand" "$work/replay-$2.jsonl" \
        --splits "$splits" --output "$1" --tokenizer $tokenizer
}
mixed datasets/ship-hand 380 250
mixed datasets/ship-long 120 80
for seed in $seeds; do
    for step in hand long; do
        run=runs/tagger-mini-$step-$seed tagger=models/mini-$step-$seed
        start=models/mini-free
        [ $step = hand ] || start=models/mini-hand-$seed
        $python finetune/train.py finetune/configs/mini-$step.toml --set model.start="$start" \
            --set seed="$seed" --set checkpoints.folder="$run"
        [ -d "$tagger" ] || $python finetune/export.py "$run" "$tagger"
    done
    [ -d "models/mini-$seed" ] || $python finetune/average.py "models/mini-$seed" \
        "models/mini-hand-$seed" "models/mini-long-$seed"
done

# 5. What ships: int8, without torch, spans compared with the original's, thresholds set anew.
first=${seeds%% *}
shipped=finetune/taggers
[ -d $shipped/mini-free ] || $python finetune/export.py models/mini-free \
    --onnx $shipped/mini-free --int8 --windows 128 32 \
    --dataset $free --recall 0.95 --licence apache-2.0
[ -d $shipped/mini-cc-by-nc-sa-4.0 ] || $python finetune/export.py "models/mini-$first" \
    --onnx $shipped/mini-cc-by-nc-sa-4.0 --int8 \
    --dataset datasets/ship-hand --recall 0.95 --licence cc-by-nc-sa-4.0
