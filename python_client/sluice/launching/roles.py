# SPDX-License-Identifier: Apache-2.0
"""The tasks of a job with parameter servers, and what TF_CONFIG says to each."""

import json
from typing import NamedTuple, Optional


class Role(NamedTuple):
    """One task. `rank` is its number among those that train; None: it does not train."""

    job: str
    index: int
    rank: Optional[int]

    @property
    def name(self):
        return f"{self.job}:{self.index}"


def roles(ps, workers, chief=False, evaluator=False):
    """Lists the tasks: parameter servers, those that train, and the evaluator.

    Args:
      ps: number of parameter servers.
      workers: number of tasks that train.
      chief: whether the first of these is the job "chief", as estimators require. Without it, the
        first is worker 0.
      evaluator: whether there is an evaluator, which is not in the cluster.

    Returns:
      A list of Role.
    """
    made = [Role("ps", index, None) for index in range(ps)]
    made += [Role("chief", 0, 0)] if chief else []
    made += [Role("worker", rank - chief, rank) for rank in range(int(chief), workers)]
    made += [Role("evaluator", 0, None)] if evaluator else []
    return made


def cluster_of(tasks, addresses):
    """The cluster of some roles, a dict: job -> list of addresses.

    Args:
      tasks: a list of Role, as of roles().
      addresses: the address of each, a list of str.
    """
    cluster = {}
    for role, address in zip(tasks, addresses):
        if role.job != "evaluator":
            cluster.setdefault(role.job, []).append(address)
    return cluster


def tf_config(cluster, role):
    """The text of TF_CONFIG for a task."""
    return json.dumps({"cluster": cluster, "task": {"type": role.job, "index": role.index}})
