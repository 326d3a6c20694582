#!/usr/bin/env bash
# Several nodes under Slurm, from the checkout's root:
#   sbatch pretrain/cluster/slurm.sh pretrain/configs/370m.toml [--set table.key=value …]
#
#SBATCH --job-name=thunder-pretrain
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8         # a process per GPU: srun starts them, no other launcher, so
#SBATCH --gpus-per-node=8           # that signals reach them and a dead one ends all
#SBATCH --cpus-per-task=8           # the process, its workers, and NCCL's threads
#SBATCH --mem=0                     # all of a node
#SBATCH --exclusive
#SBATCH --time=24:00:00
#SBATCH --signal=USR1@300           # five minutes before the end every process is told, and saves
#SBATCH --requeue                   # after preemption and after a node's failure, Slurm starts the
#SBATCH --open-mode=append          # job again; it goes on from the last whole checkpoint
#SBATCH --output=slurm-%j.log       # beside the checkout: Slurm makes no folders
set -uo pipefail

# What trains follows from where the configuration lies; TRAIN says it for one that lies elsewhere.
case "${1:?a configuration}" in
    *finetune/configs/*) train=${TRAIN:-finetune/train.py} ;;
    *) train=${TRAIN:-pretrain/train.py} ;;
esac

# One address that all processes meet at; the port follows from the job, so that two jobs that
# share a node do not meet each other.
MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
MASTER_PORT=$((20000 + SLURM_JOB_ID % 20000))
export MASTER_ADDR MASTER_PORT
export OMP_NUM_THREADS=1            # workers do the CPU's work, one thread each
export TORCH_NCCL_ASYNC_ERROR_HANDLING=1  # a peer that is gone ends its partners after the timeout
# Where nodes have several networks, name the one that all share:
# export GLOO_SOCKET_IFNAME=ib0 NCCL_SOCKET_IFNAME=ib0

# --wait: a minute after the first process has ended, srun ends those that are left. Not
# --kill-on-bad-exit=1: after a signal all of them end with 75 at about the same time, and the first
# would have the others killed, whose status (143) is no 75.
srun --kill-on-bad-exit=0 --wait=60 ${PYTHON:-python} "$train" "$@"
status=$?

# 75: stopped by a signal after saving. Preemption requeues by itself; the time limit does not.
if [ "$status" -eq 75 ]; then
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$status"
