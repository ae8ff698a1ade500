#!/bin/sh
# One task of a Slurm job array: runs dio on its part of a list of files.
#
#     sbatch --array=1-20 slurm_task.sh 20 LIST RESULTS VERB [OPTION...]
#
# The number of parts, here 20, is also the number of tasks. Task K writes RESULTS/K.out and RESULTS/K.err. They get these names only
# when dio has finished: a task that was killed leaves no result, and a task that ran twice leaves one. If results are missing, run
# the same command again: tasks that have a result end at once. LIST must not change until all results exist; another LIST, VERB or
# number of parts needs another folder for RESULTS. Do not use --manifest here: a restarted task would skip files whose results are lost.
#
#SBATCH --job-name=dio
#SBATCH --requeue
#SBATCH --output=slurm-%A.log --open-mode=append
set -u
if [ $# -lt 4 ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  echo "usage: sbatch --array=1-PARTS slurm_task.sh PARTS LIST RESULTS VERB [OPTION...]" >&2
  exit 2
fi
parts=$1 list=$2 task=$3/$SLURM_ARRAY_TASK_ID
mkdir -p "$3" || exit
shift 3
[ ! -e "$task.out" ] || exit 0
part=$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0}.part  # the first start of a requeued task may still be running

dio "$@" -j 1 --files-from "$list" --share "$SLURM_ARRAY_TASK_ID/$parts" >"$task.out.$part" 2>"$task.err.$part"
code=$?
case $code in
  0 | 1 | 3 | 4) ;;  # finished; RESULTS/K.err lists the files with errors
  *)
    echo "task $SLURM_ARRAY_TASK_ID on $(hostname): dio exited with $code: $(tail -n 1 "$task.err.$part")" >&2
    exit "$code"
    ;;
esac
mv "$task.err.$part" "$task.err" && mv "$task.out.$part" "$task.out"
