# SPDX-License-Identifier: Apache-2.0
"""The names of TensorFlow's tpu that programs import, and do not use without TPUs."""


from .refusing import refused


def _all(names):
    return {name: refused(name, "the servers have no TPUs") for name in names.split()}


class Topology:
    """The places of TPUs, which nothing makes here.

    Args:
        serialized: Accepted.
        mesh_shape: Accepted.
        device_coordinates: Accepted.

    Raises:
        NotImplementedError: Always.
    """

    def __init__(self, serialized=None, mesh_shape=None, device_coordinates=None):
        del serialized, mesh_shape, device_coordinates
        raise NotImplementedError("there is no Topology: the servers have no TPUs")


NAMES = {
    "tpu.topology": {"Topology": Topology},
    "tpu.ops.tpu_ops": _all("""
        all_to_all collective_permute cross_replica_sum infeed_dequeue infeed_dequeue_tuple
        infeed_enqueue infeed_enqueue_tuple outfeed_dequeue outfeed_dequeue_tuple outfeed_enqueue
        outfeed_enqueue_tuple tpu_replicated_input tpu_replicated_output
    """),
    "tpu.device_assignment": _all("DeviceAssignment device_assignment"),
    "tpu.tpu_feed": _all("InfeedQueue"),
    "tpu.tpu": _all("""
        initialize_system outside_compilation replicate rewrite shard shutdown_system
    """),
}
