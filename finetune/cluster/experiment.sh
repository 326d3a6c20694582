#!/usr/bin/env bash
# The grid as an array of jobs, from the checkout's root, after 'experiment.py data':
#   sbatch --array=0-29 finetune/cluster/experiment.sh finetune/experiments/paper.toml
# Each job is one cell on the GPUs of one node; one that was stopped is requeued and goes on.
#
#SBATCH --job-name=thunder-experiment
#SBATCH --nodes=1
#SBATCH --ntasks=1                  # torchrun starts a process per GPU
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=64
#SBATCH --mem=0
#SBATCH --exclusive
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=slurm-%A-%a.log
exec ${PYTHON:-python} finetune/experiment.py run "${1:?an experiment}" "$SLURM_ARRAY_TASK_ID" \
    --processes "${PROCESSES:-8}"
