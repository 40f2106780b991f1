"""The same program gives the same losses wherever its parts stand.

On three tasks, on two CPU devices of one task, and on two devices of the asynchronous double
(kernels run later, memory reads as poison until they have).
"""

import numpy as np

from interop.programs.models import MODELS, tf, train
from interop.tools.cluster import Checks, Cluster

tf.disable_v2_behavior()


def main():
    checks = Checks()
    two = {
        "ps_device": "/job:worker/task:0/device:CPU:1",
        "worker": "/job:worker/task:0/device:CPU:0",
    }
    with Cluster({"ps": 1, "worker": 2}) as cluster, Cluster(
        {"worker": 1}, extra=["--cpu_devices", "2"]
    ) as two_devices, Cluster(
        {"worker": 1}, extra=["--cpu_devices", "2", "--asynchronous_devices"]
    ) as asynchronous:
        for model in sorted(MODELS):
            for use_resource in (False, True):
                name = "{} {}".format(model, "resource" if use_resource else "ref")
                expected = train(cluster.target(), model, "adam", use_resource, steps=20)

                def same(place, model=model, use_resource=use_resource, expected=expected):
                    actual = train(place.target(), model, "adam", use_resource, steps=20, **two)
                    np.testing.assert_allclose(actual, expected, rtol=1e-5)

                checks.run(name + " on two devices", lambda: same(two_devices))
                checks.run(name + " on asynchronous devices", lambda: same(asynchronous))
                for place in (cluster, two_devices, asynchronous):
                    tf.Session.reset(place.target())
    checks.finish()


if __name__ == "__main__":
    main()
