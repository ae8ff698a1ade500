#!/usr/bin/env python3
"""Describes and checks many files on the workers of a Dask cluster.

    with_dask.py LIST RESULT [--scheduler ADDRESS] [--workers N]

LIST contains one file name per line. When all files are finished, RESULT contains one line of JSON for each, in the same order. Without
the address of a scheduler, N workers run on this machine (default: one per processor). Every worker needs the Python package diorama,
and the files under the same names. If a worker ends, Dask repeats its work on the others.
"""
import argparse, json, os
from pathlib import Path

import diorama
from dask.distributed import Client, LocalCluster

FILES_PER_TASK = 50


def examine(name):
    """Returns the result for a file."""
    try:
        with diorama.open(name) as file:
            row = {"file": name, "format": file.format, "findings": [str(finding) for finding in file.check()]}
            return {**row, "info": file.info().info} if file.ok else {**row, "error": str(file.error)}
    except (OSError, diorama.DioramaError) as error:
        return {"file": name, "error": str(error)}


def examine_all(names):
    return [examine(name) for name in names]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("list", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--scheduler")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    told = parser.parse_args()
    names = told.list.read_text().splitlines()
    tasks = [names[i:i + FILES_PER_TASK] for i in range(0, len(names), FILES_PER_TASK)]
    cluster = told.scheduler or LocalCluster(n_workers=told.workers, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        found = client.gather(client.map(examine_all, tasks))  # in the order of the tasks
    part = told.result.with_name(f"{told.result.name}.part")
    part.write_text("".join(json.dumps(row) + "\n" for rows in found for row in rows))
    os.replace(part, told.result)


if __name__ == "__main__":
    main()
