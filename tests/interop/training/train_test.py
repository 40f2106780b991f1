"""Unmodified TensorFlow trains on our ps and two workers: its own servers' losses.

Every model with every optimizer and both kinds of variables, 50 steps from fixed initial values,
relative error 1e-4.
"""

import sys

import numpy as np
import tensorflow

from interop.programs.models import MODELS, OPTIMIZERS, tf, train
from interop.tools.cluster import Checks, Cluster

tf.disable_v2_behavior()


def main():
    checks = Checks()
    print("TensorFlow", tensorflow.__version__, flush=True)
    chosen = sys.argv[1:] or sorted(MODELS)
    jobs = {"ps": 1, "worker": 2}
    with Cluster(jobs) as ours, Cluster(jobs, kind="tensorflow") as theirs:
        for model in chosen:
            for optimizer in sorted(OPTIMIZERS):
                for use_resource in (False, True):
                    kind = "resource" if use_resource else "ref"
                    name = f"{model} {optimizer} {kind}"
                    worker = "/job:worker/task:%d" % (1 if use_resource else 0)

                    def compare(
                        model=model,
                        optimizer=optimizer,
                        use_resource=use_resource,
                        worker=worker,
                        name=name,
                    ):
                        expected = train(
                            theirs.target(), model, optimizer, use_resource, worker=worker
                        )
                        actual = train(ours.target(), model, optimizer, use_resource, worker=worker)
                        np.testing.assert_allclose(actual, expected, rtol=1e-4, err_msg=name)

                    checks.run(name, compare)
                    for cluster in (ours, theirs):
                        tf.Session.reset(cluster.target())
    checks.finish()


if __name__ == "__main__":
    main()
