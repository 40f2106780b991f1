# SPDX-License-Identifier: Apache-2.0
"""Memory that an ended session used goes back to the system."""

import os
import sys
import time

import numpy as np
import pytest
import sluice as sl

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from interop.tools.cluster import Cluster  # noqa: E402

pytestmark = pytest.mark.alone

MB = 1 << 20
USED_MB = 160  # by each session, at least
LEFT_MB = 80  # threads, and pages that are used in part
ARENAS_MB = 128  # malloc keeps up to 64 MB for each thread that allocated small blocks


def resident_mb(pid):
    with open("/proc/%d/statm" % pid, encoding="utf-8") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // MB


def constants():
    values = [sl.constant(np.full(2 * MB, i, np.float32)) for i in range(10)]
    return [sl.reduce_sum(value) for value in values]


def variables():
    handles = [
        sl.raw_ops.VarHandleOp(dtype=sl.float32, shape=[4 * MB], shared_name="v%d" % i)
        for i in range(10)
    ]
    value = sl.fill([4 * MB], 1.0)
    return sl.group(
        *[sl.raw_ops.AssignVariableOp(resource=h, value=value + float(i + 1))
          for i, h in enumerate(handles)]
    )  # fmt: skip


def strings():
    texts = sl.raw_ops.Fill(dims=sl.constant([2 * MB]), value=sl.constant("x" * 100))
    return sl.reduce_sum(sl.raw_ops.StringLength(input=texts))


@pytest.mark.parametrize(
    "build, left_mb",
    [(constants, LEFT_MB), (variables, LEFT_MB), (strings, LEFT_MB + ARENAS_MB)],
)
def test_it_is_returned(build, left_mb):
    with Cluster({"worker": 1}) as cluster, sl.Graph().as_default():
        pid = cluster.processes["worker", 0].pid
        before = resident_mb(pid)
        step = build()
        config = sl.ConfigProto(isolate_session_state=True)
        with sl.Session(cluster.target(), config=config) as session:
            session.run(step)
            assert resident_mb(pid) > before + max(USED_MB, left_mb)
        deadline = time.time() + 30
        while resident_mb(pid) > before + left_mb and time.time() < deadline:
            time.sleep(0.1)
        assert resident_mb(pid) <= before + left_mb
