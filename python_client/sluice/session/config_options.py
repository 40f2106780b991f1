# SPDX-License-Identifier: Apache-2.0
"""Threads, placement and rewrites of sessions that are given no config of their own."""

from .devices import list_logical_devices, settings, settings_so_far

THREADS = (
    "get_inter_op_parallelism_threads", "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads", "set_intra_op_parallelism_threads",
)  # fmt: skip
_OF_REWRITES = """
    arithmetic_optimization auto_mixed_precision constant_folding debug_stripper
    dependency_optimization function_optimization implementation_selector layout_optimizer
    loop_optimization pin_to_host_optimization remapping scoped_allocator_optimization
    shape_optimization
""".split()
_PLAIN = ("disable_meta_optimizer", "disable_model_pruning", "min_graph_nodes")
_DEFAULT, _ON, _OFF = 0, 1, 2  # of RewriterConfig.Toggle


def get_inter_op_parallelism_threads():
    """Returns how many operations run at once.

    Returns:
        An int; 0: as many as there are cores.
    """
    return settings_so_far().inter_op_parallelism_threads


def set_inter_op_parallelism_threads(num_threads):
    """Sets how many operations run at once in sessions that are made from now on.

    Args:
        num_threads: An int; 0: as many as there are cores.
    """
    settings().inter_op_parallelism_threads = num_threads


def get_intra_op_parallelism_threads():
    """Returns how many threads one operation uses.

    Returns:
        An int; 0: as many as there are cores.
    """
    return settings_so_far().intra_op_parallelism_threads


def set_intra_op_parallelism_threads(num_threads):
    """Sets how many threads one operation uses in sessions that are made from now on.

    Args:
        num_threads: An int; 0: as many as there are cores.
    """
    settings().intra_op_parallelism_threads = num_threads


def get_soft_device_placement():
    """Returns whether operations may run on the CPU where they cannot run on the device that the
    program names.

    Returns:
        A bool.
    """
    return settings_so_far().allow_soft_placement


def set_soft_device_placement(enabled):
    """Sets whether operations may run on the CPU where they cannot run on the device that the
    program names.

    Args:
        enabled: A bool.
    """
    settings().allow_soft_placement = bool(enabled)


def get_jit():
    """Returns whether graphs are compiled by XLA.

    Returns:
        Whether set_jit() turned it on, a bool.
    """
    return settings_so_far().graph_options.optimizer_options.global_jit_level > 0


def set_jit(enabled):
    """Sets whether graphs are compiled by XLA.

    Args:
        enabled: A bool. It has no effect: the servers have no XLA, and run the graphs as they are.
    """
    settings().graph_options.optimizer_options.global_jit_level = int(bool(enabled))


def get_experimental_options():
    """Returns which rewrites of graphs are turned on or off.

    Returns:
        A dict: name of a rewrite -> a bool. A rewrite that is not there has its default.
    """
    rewrites = settings_so_far().graph_options.rewrite_options
    found = {name: getattr(rewrites, name) == _ON for name in _OF_REWRITES
             if getattr(rewrites, name) != _DEFAULT}  # fmt: skip
    if rewrites.min_graph_nodes:
        found["min_graph_nodes"] = rewrites.min_graph_nodes
    for name in ("disable_model_pruning", "disable_meta_optimizer"):
        found[name] = getattr(rewrites, name)
    return found


def set_experimental_options(options):
    """Sets which rewrites of graphs are turned on or off in sessions that are made from now on.

    Args:
        options: A dict: name of a rewrite -> a bool.

    Raises:
        ValueError: A name is not known.
    """
    unknown = set(options) - {*_OF_REWRITES, *_PLAIN}
    if unknown:
        raise ValueError(f"there is no rewrite {sorted(unknown)[0]!r}")
    rewrites = settings().graph_options.rewrite_options
    for name, value in options.items():
        if name in _PLAIN:
            setattr(rewrites, name, value)
        else:
            setattr(rewrites, name, _ON if value else _OFF)


OPTIMIZER = ("get_experimental_options", "get_jit", "set_experimental_options", "set_jit")


def get_synchronous_execution():
    """Returns whether operations run at once when they are made: see set_synchronous_execution().

    Returns:
        True.
    """
    return True


def set_synchronous_execution(enable):
    """Sets whether operations run at once when they are made, in eager mode.

    Args:
        enable: A bool. It has no effect: there are graphs only.
    """


def get_device_policy():
    """Returns how eager mode treats tensors on other devices: see set_device_policy().

    Returns:
        "silent".
    """
    return "silent"


def set_device_policy(device_policy):
    """Sets how eager mode treats tensors on other devices.

    Args:
        device_policy: "silent", "silent_for_int32", "warn", "explicit" or None. It has no effect:
            graphs copy tensors to the devices where they are used.

    Raises:
        ValueError: It is another one.
    """
    if device_policy not in ("silent", "silent_for_int32", "warn", "explicit", None):
        raise ValueError(f"Not a valid device policy: {device_policy!r}")


def list_devices():
    """Returns the names of the devices that graphs of this process can name.

    Returns:
        A list of str.
    """
    return [d.name for d in list_logical_devices()]
