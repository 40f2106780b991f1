"""Checkpoints of variables: TensorFlow reads ours, and we read TensorFlow's."""

import os
import re

from . import arrays, raw_ops
from .device_spec import DeviceSpec
from .graph import (
    GraphKeys,
    control_dependencies,
    device,
    get_collection,
    get_default_graph,
    name_scope,
)


class CheckpointState:
    """What the file `checkpoint` of a folder says: the newest checkpoint and those before it."""

    def __init__(self, model_checkpoint_path, all_model_checkpoint_paths):
        self.model_checkpoint_path = model_checkpoint_path
        self.all_model_checkpoint_paths = all_model_checkpoint_paths


class Saver:
    """Saves variables to files and restores them.

    var_list: variables, or a dict name -> variable; default: all global ones. sharded: a file for
    each device, written by its task. max_to_keep: how many checkpoints stay (0: all). Files that
    the tasks cannot reach raise errors.NotFoundError when restoring.
    """

    def __init__(self, var_list=None, sharded=False, max_to_keep=5, name=None, allow_empty=False,
                 pad_step_number=False):  # fmt: skip
        self._max_to_keep, self._pad = max_to_keep, pad_step_number
        self._kept = []
        variables = var_list
        if variables is None:
            variables = get_collection(GraphKeys.GLOBAL_VARIABLES)
        if not isinstance(variables, dict):
            variables = {v.op.name: v for v in variables}
        self._empty = not variables
        if self._empty and not allow_empty:
            raise ValueError("there are no variables to save")
        if not self._empty:
            with name_scope(name, "save"), control_dependencies(None):
                filename = arrays.placeholder_with_default("model", [], "filename")
                self._filename = arrays.placeholder_with_default(filename, [], "Const")
                groups = _by_device(variables) if sharded else [(None, dict(variables))]
                self._save = self._sharded(groups) if sharded else self._save_one(variables)
                restores = [_restore(self._filename, group, on) for on, group in groups]
                self._restore = arrays.group(*restores, name="restore_all")

    def _save_one(self, variables):
        save = _save(self._filename, variables)
        with control_dependencies([save]):
            return arrays.identity(self._filename, "control_dependency")

    def _sharded(self, groups):
        parts = f"_temp_{os.urandom(16).hex()}/part"
        prefix = raw_ops.StringJoin(inputs=[self._filename, parts])
        files = []
        for shard, (on, variables) in enumerate(groups):
            with device(_cpu_of(on)):
                path = raw_ops.ShardedFilename(basename=prefix, shard=shard, num_shards=len(groups))
                with control_dependencies([_save(path, variables)]):
                    files.append(arrays.identity(path, "control_dependency"))
        with device(_cpu_of(groups[-1][0])), control_dependencies(files):
            merge = raw_ops.MergeV2Checkpoints(
                checkpoint_prefixes=arrays.stack(files), destination_prefix=self._filename
            )
            with control_dependencies([merge]):
                return arrays.identity(self._filename)

    @property
    def last_checkpoints(self):
        return list(self._kept)

    def save(self, sess, save_path, global_step=None, latest_filename=None, write_state=True):
        """Writes a checkpoint; its path, save_path or save_path-<step>.

        The folder must be there. write_state: names it in the folder's file `checkpoint`.
        """
        if self._empty:
            return None
        if global_step is not None:
            if not isinstance(global_step, int):
                global_step = int(sess.run(global_step))
            step = f"{global_step:08d}" if self._pad else str(global_step)
            save_path = f"{save_path}-{step}"
        path = sess.run(self._save, {self._filename: save_path})
        path = os.fsdecode(path.item() if hasattr(path, "item") else path)
        if write_state:
            self._note(path, latest_filename)
        return path

    def _note(self, path, latest_filename):
        if path in self._kept:
            self._kept.remove(path)
        self._kept.append(path)
        while self._max_to_keep and len(self._kept) > self._max_to_keep:
            _remove(self._kept.pop(0))
        _write_state(path, self._kept, latest_filename)

    def restore(self, sess, save_path):
        """Gives the variables the values of a checkpoint."""
        if not save_path:
            raise ValueError("no checkpoint was named")
        if not self._empty:
            sess.run(self._restore, {self._filename: save_path})


def _value(variable):
    """What is saved of a variable: itself, so that a reference one is read without a copy."""
    return variable._as_tensor(as_ref=not variable._is_resource)


def _save(filename, variables):
    with name_scope("SaveV2"):
        tensors = [arrays.identity(_value(v)) for v in variables.values()]
    return raw_ops.SaveV2(
        prefix=filename, tensor_names=list(variables), shape_and_slices=[""] * len(variables),
        tensors=tensors,
    )  # fmt: skip


def _restore(filename, variables, on):
    with device(_cpu_of(on)):
        values = raw_ops.RestoreV2(
            prefix=filename, tensor_names=list(variables),
            shape_and_slices=[""] * len(variables),
            dtypes=[v.dtype for v in variables.values()],
        )  # fmt: skip
    assigns = []
    for variable, value in zip(variables.values(), values):
        if variable._is_resource:
            value = raw_ops.EnsureShape(input=value, shape=variable.shape.as_list())
        assigns.append(variable.assign(value))
    return arrays.group(*assigns, name="restore_shard")


def _by_device(variables):
    groups = {}
    for name, variable in variables.items():
        groups.setdefault(variable.device, {})[name] = variable
    return sorted(groups.items())


def _cpu_of(name):
    """The CPU of the task that a device is of."""
    if name is None:
        return get_default_graph()._devices[-1] if get_default_graph()._devices else ""
    spec = DeviceSpec.from_string(name)
    spec.device_type, spec.device_index = "CPU", 0
    return spec.to_string()


# ---- the file `checkpoint` of a folder


def _write_state(path, kept, latest_filename):
    folder = os.path.dirname(path)
    lines = [f'model_checkpoint_path: "{os.path.basename(path)}"']
    for item in kept:
        near = os.path.dirname(item) == folder
        lines.append(f'all_model_checkpoint_paths: "{os.path.basename(item) if near else item}"')
    name = os.path.join(folder, latest_filename or "checkpoint")
    with open(name + ".tmp", "w") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(name + ".tmp", name)


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    """The CheckpointState of a folder, or None where nothing was saved."""
    try:
        with open(os.path.join(checkpoint_dir, latest_filename or "checkpoint")) as file:
            found = re.findall(r'^(\w+): "(.*)"', file.read(), re.M)
    except FileNotFoundError:
        return None
    paths = [(k, os.path.join(checkpoint_dir, p)) for k, p in found]
    newest = [p for k, p in paths if k == "model_checkpoint_path"]
    kept = [p for k, p in paths if k == "all_model_checkpoint_paths"]
    return CheckpointState(newest[0], kept) if newest else None


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    """The path of a folder's newest checkpoint, or None."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    path = state.model_checkpoint_path if state else None
    return path if path and checkpoint_exists(path) else None


def checkpoint_exists(checkpoint_prefix):
    """Are there files of this checkpoint?"""
    return any(os.path.exists(checkpoint_prefix + end) for end in ("", ".index"))


def _remove(prefix):
    folder, base = os.path.split(prefix)
    ends = re.compile(re.escape(base) + r"(\.index|\.data-\d+-of-\d+|\.meta)?$")
    for name in os.listdir(folder or "."):
        if ends.match(name):
            os.remove(os.path.join(folder, name))
