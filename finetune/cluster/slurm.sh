#!/usr/bin/env bash
# Fine-tuning under Slurm, from the checkout's root:
#   sbatch finetune/cluster/slurm.sh finetune/configs/370m.toml [--set table.key=value …]
# A batch of 32 documents in micro-batches of 4 is eight shares: one node of eight GPUs. More nodes:
#   sbatch --nodes=4 finetune/cluster/slurm.sh finetune/configs/370m.toml --set schedule.micro_batch=1
#
#SBATCH --job-name=thunder-finetune
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8         # a process per GPU
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=8           # the process and its workers
#SBATCH --mem=0                     # all of a node
#SBATCH --exclusive
#SBATCH --time=08:00:00
#SBATCH --signal=USR1@300           # five minutes before the end every process is told, and saves
#SBATCH --requeue                   # started again, it goes on from the last whole checkpoint
#SBATCH --open-mode=append
#SBATCH --output=slurm-%j.log
exec bash pretrain/cluster/slurm.sh "$@"    # meeting, signals and requeue are the same
