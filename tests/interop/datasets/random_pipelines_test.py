# SPDX-License-Identifier: Apache-2.0
"""Some random data sets of interop.tools.random_pipelines; ./run random-pipelines draws more."""

from interop.tools import random_pipelines
from interop.tools.cluster import Cluster

SEEDS = sorted(set(range(60)) - set(random_pipelines.WRONG_THERE))


def test_random_pipelines_agree(checks):
    with Cluster({"worker": 1}) as cluster:
        for seed in SEEDS:
            difference = random_pipelines.compare(seed, cluster)
            checks.check(seed, difference is None, difference)
