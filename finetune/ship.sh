#!/usr/bin/env bash
# The taggers that ship, from public data to finetune/taggers, in order:
#   finetune/ship.sh
# It reads data:judgments (id, kind, text of public judgments) and data:annotated; thunder data list
# says where they lie. SEEDS are the runs over the hand annotations; the average of their weights
# goes on. Start it again after whatever stopped it: what is finished is left, and a run goes on
# where it was; to begin anew, remove datasets/, runs/ and models/. SMALL=1 walks through all of it
# in minutes, with a hundredth of the judgments, from models/mini on: in a copy of the repository,
# since what comes out is no tagger to use. FROM=shipped goes on from what finetune/taggers holds,
# where the models of steps 1 to 6 are not at hand: it draws their data, trains none of them, and
# begins with step 7; the scores of what it starts from differ by some hundredths from the original's.
# On a shared CPU: two hours of one core for the encoder (pretrain/run.sh mini), then of two cores 25
# minutes for the first part, 40 for the second with two seeds side by side (they all start at once:
# SEEDS names fewer), 40 of one for the third, 100 of two for the fourth, an hour of two for the last,
# half an hour to export.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"     # this checkout's code, whatever is installed

python=${PYTHON:-python}
command -v "${python%% *}" >/dev/null || {
    echo "error: no ${python%% *} here: enter the environment (. .venv/bin/activate), or give PYTHON=.venv/bin/python" >&2
    exit 2
}
from=${FROM:-}
[ -z "$from" ] || [ "$from" = shipped ] || {
    echo "error: FROM=$from: give FROM=shipped, or leave it out" >&2
    exit 2
}
before() { [ -n "$from" ] || "$@"; }    # before COMMAND...: what made the taggers that it goes on from

thunder="$python -m thunder"
seeds=${SEEDS:-1200 1203 1205}
published=$($thunder data path judgments)       # a file, or a folder of them
hand=$($thunder data path annotated)
tokenizer=tokenizer/32k
work=datasets/ship              # what a step leaves for the next
mkdir -p "$work" models

small=${SMALL:+1} few=()
if [ -n "$small" ]; then
    few=(--set schedule.epochs=1 --set schedule.batch=8 --set schedule.micro_batch=8)
    [ -f $work/hand.jsonl ] || { awk 'NR % 50 == 1' "$hand" >$work/hand.new && mv $work/hand.new $work/hand.jsonl; }
    hand=$work/hand.jsonl
fi
some() { [ -n "$small" ] && echo $(($1 / 100 + 1)) || echo "$1"; }     # some N: so many judgments

# draw NAME OPTION...: judgments that no draw before had, nor near duplicates of them, the courts' own
# placeholders in them marked.
draw() {
    local file=$work/drawn-$1.jsonl marked=$work/marked-$1.jsonl before=() one
    shift
    for one in "$work"/drawn-*.jsonl; do
        [ ! -f "$one" ] || [ "$one" = "$file" ] || before+=(--without "$one")
    done
    [ -f "$file" ] || $python finetune/draw.py "$published" "$@" "${before[@]}" --output "$file"
    [ -f "$marked" ] || $thunder annotation placeholders "$file" -o "$marked" --companies
}

# build FOLDER OPTION-OR-FILE...: a dataset, unless it is there.
build() {
    local folder=$1
    shift
    [ -f "$folder/manifest.json" ] ||
        $thunder dataset build "$@" --output "$folder" --tokenizer $tokenizer
}

# train CONFIG NAME OPTION...: the tagger models/NAME, trained in runs/tagger-NAME.
train() {
    local config=$1 name=$2
    shift 2
    $python finetune/train.py "finetune/configs/$config.toml" "${few[@]}" "$@" \
        --set checkpoints.folder="runs/tagger-$name"
    [ -d "models/$name" ] || $python finetune/export.py "runs/tagger-$name" "models/$name"
}

# Runs are jobs, side by side or alone. Told to end, this ends them and waits: each saves, and goes on
# when started again. (A job is a shell of its own: what it runs would live on without it.)
trap 'for job in $(jobs -p); do pkill -TERM -P "$job" || kill "$job" || true; done; wait || true' EXIT
runs=()
together() {                    # wait for all of runs; the status of one that failed
    local run failed=0
    for run in "${runs[@]}"; do wait "$run" || failed=$?; done
    runs=()
    [ "$failed" = 0 ] || exit "$failed"
}

# 1. The encoder.
[ -d models/mini ] || before pretrain/run.sh mini

# 2. Annotated judgments without annotators: whole ones, and invented ones.
invented=$work/invented.jsonl whole=$work/marked-whole.jsonl
draw whole --number "$(some 5600)"
[ -f "$invented" ] || $thunder dataset invent "$invented" -n "$(some 1900)"

# 3. The first half: free of the hand annotations.
free=datasets/ship-free
build $free "$whole" "$invented"
before train mini-free mini-free &
runs=($!)
together

# 4. The hand annotations, and some of the others again, once for each seed; then the average. A
#    judgment stays in the part in which it was: what was trained on is never measured on.
only=datasets/ship-hand-only both=datasets/ship-hand splits=$work/splits.tsv
build $only "$hand"
{ cat $only/splits.tsv; tail -n +2 $free/splits.tsv; } >"$splits"
{ head -n 400 "$whole"; head -n 200 "$invented"; } >"$work/replay.jsonl"
before build $both "$hand" "$work/replay.jsonl" --splits "$splits"
taggers=()
for seed in $seeds; do
    before train mini-hand "mini-hand-$seed" --set seed="$seed" &
    runs+=($!) taggers+=("models/mini-hand-$seed")
done
together
[ -d models/mini-hand ] || before $python finetune/average.py models/mini-hand "${taggers[@]}"

# 5. The average goes on over whole judgments that no part before it had (all criminal ones of that
#    length that are left, and civil ones), and the hand annotations again.
draw more --number "$(some 2700)"
before build datasets/ship-more "$hand" "$work/replay.jsonl" $work/marked-more.jsonl --splits "$splits"
before train mini-more mini-more &
runs=($!)
together

# 6. Again, over longer ones of all kinds: two runs side by side, each with other judgments, averaged.
taggers=()
for seed in 1208 1209; do
    draw "$seed" --number "$(some 1300)" --longest 15000 --share 형사=0.34 --share 민사=0.27
    before build "datasets/ship-$seed" "$hand" "$work/replay.jsonl" "$work/marked-$seed.jsonl" \
        --splits "$splits"
    before train mini-more "mini-$seed" --set seed=$seed --set model.start=models/mini-more \
        --set data.folder="datasets/ship-$seed" &
    runs+=($!) taggers+=("models/mini-$seed")
done
together
[ -d models/mini-last ] || before $python finetune/average.py models/mini-last "${taggers[@]}"

# 7. Both go on over writings that are no judgments (decisions, indictments, pleadings, petitions,
#    questions to legal aid, news), with judgments, so that these get no worse: the free one with
#    those of steps 5 and 6, which it never had, the other with the hand annotations and some of them.
#    What ships is the mean of where it went on from and where it came to: the end alone masks more
#    persons in other writings, and leaks more of the rare kinds of thing in judgments (LOG.md).
for name in mini-free mini-last; do
    shipped=finetune/taggers/mini-free
    [ $name = mini-free ] || shipped=finetune/taggers/mini-cc-by-nc-sa-4.0
    [ -z "$from" ] || [ -d models/$name ] ||
        $python finetune/export.py "$shipped" --torch models/$name
done
writings=$work/writings.jsonl anew=$work/invented-anew.jsonl
[ -f "$writings" ] || $thunder dataset invent "$writings" -n "$(some 6000)" --kinds writings
[ -f "$anew" ] || $thunder dataset invent "$anew" -n "$(some 600)" --seed 1
head -n 500 "$whole" >"$work/replay-free.jsonl"
{ head -n "$(some 4500)" "$writings"; head -n "$(some 300)" "$anew"; } >"$work/other.jsonl"
build datasets/ship-wide-free "$work/replay-free.jsonl" "$anew" "$writings" \
    "$work"/marked-{more,1208}.jsonl --splits "$splits"
build datasets/ship-wide "$hand" "$work/replay.jsonl" "$work/other.jsonl" $work/marked-1209.jsonl \
    --splits "$splits"
for name in mini-wide-free mini-wide; do
    train $name $name &
    runs+=($!)
done
together
for pair in mini-free:mini-wide-free mini-last:mini-wide; do
    mean=models/${pair#*:}-mean
    [ -d "$mean" ] || $python finetune/average.py "$mean" "models/${pair%:*}" "models/${pair#*:}"
done

# 8. What ships: int8, without torch, spans compared with the original's; thresholds set on
#    development parts, whole judgments among them, as they are what will be read; the scorecard,
#    which says what of all that is found is masked, fitted on the same: of the courts' own
#    placeholders the gold is partial, and what is masked beside it was read by people; of the rest
#    it is whole. Then what the dial gives is measured again, by the scorecard.
#    RECALL is where neither recall nor precision falls behind what shipped before.
read=benchmarks/readings.tsv
ship() {                        # ship NAME TAGGER LICENCE RECALL PARTIAL WHOLE...
    local place="models/ship/$1" tagger=$2 licence=$3 recall=$4 partial=$5
    shift 5
    if [ ! -d "$place" ]; then
        $python finetune/export.py "$tagger" --onnx "$place.new" --int8 --dataset "$1"
        $thunder tagger thresholds "$place.new" "${@/#/--dataset=}" --dataset="$partial" --recall "$recall"
        $thunder tagger scorecard "$place.new" "${@/#/--dataset=}" --partial="$partial" --read=$read
        $thunder tagger thresholds "$place.new" "${@/#/--dataset=}" --dataset="$partial" --keep
        $python finetune/export.py "$place.new" --licence "$licence"
        mv "$place.new" "$place"
    fi
    rm -rf "finetune/taggers/${place##*/}"
    cp -r "$place" "finetune/taggers/${place##*/}"
}
rm -rf models/ship/*.new models/ship/.*.new-*       # of an export that was broken off
invent=datasets/ship-invented
build $invent "$invented" "$anew" --splits "$splits"
ship mini-free models/mini-wide-free-mean apache-2.0 0.98 $free $invent
ship mini-cc-by-nc-sa-4.0 models/mini-wide-mean cc-by-nc-sa-4.0 0.985 $free $only $invent
$thunder tagger scorecard taxonomy --rules-alone --dataset $only --dataset $invent --partial $free
