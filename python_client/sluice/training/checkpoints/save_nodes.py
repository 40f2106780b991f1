# SPDX-License-Identifier: Apache-2.0
"""The operations that write checkpoints: one file, or one file of each device.

Version 2 is a table of names and files with the values. Version 1 is a table that has the values
too, and a checkpoint of shards is the pattern of their names.
"""

import os

from ...graph.default_graph import colocate_with, control_dependencies, device, get_default_graph
from ...graph.device_spec import DeviceSpec
from ...graph.state import state_of
from ...messages import SaverDef
from ...ops import array as arrays
from ...ops import raw_ops


def entries_of(saved):
    """The names, the pieces and the dtypes of all tensors that are saved."""
    return [list(row) for row in zip(*(entry for s in saved for entry in s.entries))]


def save(filename, saved, version):
    """Writes what is saved to one file: the name of the file, a tensor."""
    written = _write(filename, saved, version)
    with colocate_with(filename.op), control_dependencies([written]):
        return arrays.identity(filename, "control_dependency")


def save_shards(filename, groups, version):
    """Writes one file of each group of by_device(): the name of the checkpoint, a tensor."""
    of_version = _save_shards_v1 if version == SaverDef.V1 else _save_shards_v2
    return of_version(filename, groups)


def by_device(saved):
    """Groups what is saved: pairs of a device and a list, sorted by device."""
    groups = {}
    for one in saved:
        groups.setdefault(one.device, []).append(one)
    return sorted(groups.items())


def cpu_of(name):
    """The CPU of the task that a device is of."""
    if name is None:
        devices = state_of(get_default_graph()).devices
        return devices[-1] if devices else ""
    spec = DeviceSpec.from_string(name)
    spec.device_type, spec.device_index = "CPU", 0
    return spec.to_string()


def _write(filename, saved, version):
    names, pieces, _ = entries_of(saved)
    tensors = [tensor for s in saved for tensor in s.tensors()]
    if version == SaverDef.V2:
        return raw_ops.SaveV2(
            prefix=filename, tensor_names=names, shape_and_slices=pieces, tensors=tensors
        )
    if version == SaverDef.V1:
        return raw_ops.SaveSlices(
            filename=filename, tensor_names=names, shapes_and_slices=pieces, data=tensors,
            name="save",
        )  # fmt: skip
    raise RuntimeError(f"Unexpected write_version: {version}")


def _save_shards_v1(filename, groups):
    files = []
    for shard, (on, saved) in enumerate(groups):
        with device(cpu_of(on)):
            path = raw_ops.ShardedFilename(basename=filename, shard=shard, num_shards=len(groups))
            files.append(save(path, saved, SaverDef.V1))
    with control_dependencies(files):
        return raw_ops.ShardedFilespec(basename=filename, num_shards=len(groups))


def _save_shards_v2(filename, groups):
    parts = f"_temp_{os.urandom(16).hex()}/part"
    prefix = raw_ops.StringJoin(inputs=[filename, parts])
    files = []
    for shard, (on, saved) in enumerate(groups):
        with device(cpu_of(on)):
            path = raw_ops.ShardedFilename(basename=prefix, shard=shard, num_shards=len(groups))
            files.append(save(path, saved, SaverDef.V2))
    with device(cpu_of(groups[-1][0])), control_dependencies(files):
        merge = raw_ops.MergeV2Checkpoints(
            checkpoint_prefixes=arrays.stack(files), destination_prefix=filename
        )
        with control_dependencies([merge]):
            return arrays.identity(filename)
