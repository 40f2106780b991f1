# SPDX-License-Identifier: Apache-2.0
"""Sixty random programs, always the same: ours and TensorFlow's answers are equal.

`./run random N` runs as many as wanted, with other seeds.
"""

import sys

import tensorflow

from interop.tools.cluster import Cluster
from interop.tools.random_programs import TASKS, run_all

COUNT = 60
SECONDS = 200  # a slow machine runs fewer


def main():
    print("TensorFlow", tensorflow.__version__, flush=True)
    with Cluster({"worker": len(TASKS)}) as cluster:
        passed, failed, _ = run_all(range(COUNT), cluster.target(), print, seconds=SECONDS)
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
