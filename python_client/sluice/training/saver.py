# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of variables: TensorFlow reads ours, and we read TensorFlow's."""

import os
import time
from numbers import Integral

from .. import errors, messages
from ..files import gfile
from ..graph.default_graph import control_dependencies, device, get_default_graph, name_scope
from ..graph.keys import GraphKeys
from ..messages import SaverDef
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.control_flow.grouping import group
from ..session.session import BaseSession
from . import meta_graph
from .checkpoints import save_nodes as nodes
from .checkpoints.state import (
    checkpoint_exists,
    get_checkpoint_mtimes,
    meta_graph_path,
    remove_checkpoint,
    update_checkpoint_state,
)
from .imported_meta_graph import (
    import_scoped_meta_graph_with_return_elements,
    read_meta_graph,
)
from .saveables import all_of

_NAMES = ("filename_tensor_name", "save_tensor_name", "restore_op_name")  # of a SaverDef


class Saver:
    """Saves variables and tables to checkpoints, and restores them.

    Args:
        var_list: A list of variables, or a dict: name -> variable. None: all that can be saved.
        reshape: Whether values of another shape are restored. A bool.
        sharded: Whether each device writes a file of its own. A bool.
        max_to_keep: How many checkpoints stay, an int. 0 or None: all.
        keep_checkpoint_every_n_hours: A checkpoint of every so many hours stays too, a float.
        name: Name of the operation, a str. None: a default name.
        restore_sequentially: Whether variables are restored one after the other. A bool.
        saver_def: The result of to_proto(), instead of all other arguments.
        builder: Accepted. It has no effect.
        defer_build: Whether build() makes the operations later. A bool.
        allow_empty: Whether there may be no variables. A bool.
        write_version: Version of the checkpoints: Saver.V2, or Saver.V1 for programs that read the
            older format only.
        pad_step_number: Whether steps in names have 8 digits. A bool.
        save_relative_paths: Whether the directory can be moved. A bool.
        filename: Path of the checkpoint if none is given, a str.

    Raises:
        RuntimeError: write_version is another one.
        ValueError: There are no variables, or two of one name.

    Example:
        >>> import os, tempfile
        >>> v = sl.Variable(1.0, name="v")
        >>> saver = sl.train.Saver()
        >>> with sl.Session() as session, tempfile.TemporaryDirectory() as folder:
        ...     session.run(v.initializer)
        ...     path = saver.save(session, os.path.join(folder, "model"))
        ...     session.run(v.assign(5.0))
        ...     saver.restore(session, path)
        ...     print(session.run(v))
        5.0
        1.0
    """

    V1, V2 = SaverDef.V1, SaverDef.V2

    def __init__(self, var_list=None, reshape=False, sharded=False, max_to_keep=5,
                 keep_checkpoint_every_n_hours=10000.0, name=None, restore_sequentially=False,
                 saver_def=None, builder=None, defer_build=False, allow_empty=False,
                 write_version=SaverDef.V2, pad_step_number=False, save_relative_paths=False,
                 filename=None):  # fmt: skip
        if defer_build and var_list:
            raise ValueError("with defer_build, var_list must not be given")
        self._var_list, self._reshape, self._name = var_list, reshape, name
        self._sequential, self._allow_empty = restore_sequentially, allow_empty
        self._pad, self._relative, self._filename = pad_step_number, save_relative_paths, filename
        self._def = SaverDef(
            max_to_keep=max_to_keep or 0, sharded=sharded, version=write_version,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
        )  # fmt: skip
        self._built = self._empty = False
        self._saved_names = None  # of what build() found
        self._kept = []  # (path, when), the oldest first
        if saver_def is not None:
            self._def.CopyFrom(messages.take(SaverDef, saver_def))
            self._built = True
        elif not defer_build:
            self.build()
        self._next_to_stay = time.time() + self._def.keep_checkpoint_every_n_hours * 3600

    def build(self):
        """Makes the operations, if the Saver was made with defer_build.

        Raises:
            ValueError: There are no variables, or two of one name.
        """
        if self._built:
            return
        saved = all_of(self._var_list)
        self._saved_names = [s.name for s in saved]
        self._built, self._empty = True, not saved
        if self._empty:
            if not self._allow_empty:
                raise ValueError("No variables to save")
            return
        of_graph = name_scope(self._name, "save", [s.op for s in saved])
        with of_graph, control_dependencies(None):
            filename = arrays.placeholder_with_default(self._filename or "model", [], "filename")
            filename = arrays.placeholder_with_default(filename, [], "Const")
            if self._def.sharded:
                groups = nodes.by_device(saved)
                save = nodes.save_shards(filename, groups, self._def.version)
                restores = [self._restore(filename, group, on) for on, group in groups]
                restore = group(*restores, name="restore_all")
            else:
                save = nodes.save(filename, saved, self._def.version)
                restore = self._restore(filename, saved, None)
        self._def.filename_tensor_name, self._def.save_tensor_name = filename.name, save.name
        self._def.restore_op_name = restore.name

    def _restore(self, filename, saved, on):
        names, pieces, types = nodes.entries_of(saved)
        with device("/device:CPU:0" if on is None else nodes.cpu_of(on)):
            values = raw_ops.RestoreV2(
                prefix=filename, tensor_names=names, shape_and_slices=pieces, dtypes=types
            )
        assigns, values = [], iter(values)
        for one in saved:
            with control_dependencies(assigns[-1:] if self._sequential else []):
                assign = one.restore([next(values) for _ in one.entries], self._reshape)
            assigns.append(assign)
        return group(*assigns, name="restore_all" if on is None else "restore_shard")

    # ---- descriptions

    @property
    def saver_def(self):
        """The Saver as a protocol message, a SaverDef. None before build()."""
        return self._def if self._built else None

    def as_saver_def(self):
        """Converts the Saver to a protocol message.

        Returns:
            A SaverDef.
        """
        return self._def

    def to_proto(self, export_scope=None):
        """Converts the Saver to a protocol message, with which it can be found again.

        Args:
            export_scope: Name scope to export without its own name, a str. None: everything.

        Returns:
            A SaverDef; None if it is not within export_scope.
        """
        if not export_scope:
            return self._def
        found, scope = SaverDef(), export_scope.rstrip("/") + "/"
        found.CopyFrom(self._def)
        if not found.save_tensor_name.startswith(scope):
            return None
        for field in _NAMES:
            setattr(found, field, getattr(found, field).removeprefix(scope))
        return found

    @staticmethod
    def from_proto(saver_def, import_scope=None):
        """Finds the Saver that a message of to_proto() describes.

        Args:
            saver_def: The SaverDef.
            import_scope: Name scope to put in front of names, a str. None: none.

        Returns:
            A Saver.
        """
        found = SaverDef()
        found.CopyFrom(messages.take(SaverDef, saver_def))
        for field in _NAMES:
            if import_scope:
                setattr(found, field, f"{import_scope}/{getattr(found, field)}")
        return Saver(saver_def=found)

    def export_meta_graph(self, filename=None, collection_list=None, as_text=False,
                          export_scope=None, clear_devices=False, clear_extraneous_savers=False,
                          strip_default_attrs=False, save_debug_info=False):  # fmt: skip
        """Converts the graph with this Saver to a protocol message, and writes it to a file.

        Args:
            filename: The path, a str. None: no file.
            collection_list: Names of the collections, a list of str. None: all.
            as_text: Whether the file has the text form. A bool.
            export_scope: Name scope to export without its own name, a str. None: everything.
            clear_devices: Whether devices are removed. A bool.
            clear_extraneous_savers: Whether other Savers are removed. A bool.
            strip_default_attrs: Whether attributes with default values are removed. A bool.
            save_debug_info: Accepted. It has no effect.

        Returns:
            A MetaGraphDef.
        """
        del save_debug_info
        return meta_graph.export_meta_graph(
            filename, graph_def=get_default_graph().as_graph_def(add_shapes=True),
            saver_def=self._def, collection_list=collection_list, as_text=as_text,
            export_scope=export_scope, clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs,
        )  # fmt: skip

    # ---- checkpoints

    @property
    def last_checkpoints(self):
        """The paths of the checkpoints that stay, the oldest first."""
        return [path for path, _ in self._kept]

    def set_last_checkpoints(self, last_checkpoints):
        """Sets which checkpoints stay, as if this Saver had written them.

        Args:
            last_checkpoints: Their paths, the oldest first.
        """
        assert isinstance(last_checkpoints, list)
        self._kept = [(path, float("inf")) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time):
        """Sets which checkpoints stay, and when each was written.

        Args:
            last_checkpoints_with_time: Pairs (path, seconds since 1970), the oldest first.
        """
        assert isinstance(last_checkpoints_with_time, list)
        self._kept = list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths):
        """Adopts checkpoints of an earlier program that still exist.

        Args:
            checkpoint_paths: Their paths, the oldest first.
        """
        there = [p for p in checkpoint_paths if checkpoint_exists(p)]
        self._kept = list(zip(there, get_checkpoint_mtimes(there)))

    def save(self, sess, save_path, global_step=None, latest_filename=None,
             meta_graph_suffix="meta", write_meta_graph=True, write_state=True,
             strip_default_attrs=False, save_debug_info=False):  # fmt: skip
        """Writes a checkpoint.

        Args:
            sess: The session.
            save_path: Path of the checkpoint without step, a str.
            global_step: The step that is added to the path, an int, tensor or variable. None: none.
            latest_filename: Name of the file that names checkpoints, a str. None: "checkpoint".
            meta_graph_suffix: Ending of the file with the graph, a str.
            write_meta_graph: Whether the graph is written too. A bool.
            write_state: Whether the file that names checkpoints is written. A bool.
            strip_default_attrs: Whether the graph is written without attributes that have default
                values. A bool.
            save_debug_info: Accepted. It has no effect.

        Returns:
            The path with the step, a str; None if there are no variables.

        Raises:
            TypeError: sess is not a session.
            ValueError: save_path or latest_filename is not valid.
        """
        self._check_built()
        if os.path.split(latest_filename or "checkpoint")[0]:
            raise ValueError("'latest_filename' must not contain path components")
        if not isinstance(sess, BaseSession):
            raise TypeError(f"'sess' must be a Session; {sess!r} is none")
        if not isinstance(save_path, (str, os.PathLike)) or not os.fspath(save_path):
            raise ValueError(f"save_path must be a path, not {save_path!r}")
        path = os.fspath(save_path)
        name = latest_filename or "checkpoint"
        if os.path.basename(path) == name:
            raise ValueError(f"'latest_filename' collides with 'save_path': {name!r} and {path!r}")
        if self._empty:
            return None
        if global_step is not None:
            if not isinstance(global_step, Integral):
                global_step = int(sess.run(global_step))
            path += f"-{global_step:08d}" if self._pad else f"-{global_step}"
        feed = {self._def.filename_tensor_name: path}
        try:
            path = os.fsdecode(sess.run(self._def.save_tensor_name, feed))
        except (errors.FailedPreconditionError, errors.NotFoundError):
            folder = os.path.dirname(path)
            if not folder or gfile.isdir(folder):
                raise
            text = f"Parent directory of {path} doesn't exist, can't save."
            raise ValueError(text) from None
        if write_state:
            self._note(path, latest_filename, meta_graph_suffix)
        if write_meta_graph:
            with sess.graph.as_default():
                self.export_meta_graph(
                    meta_graph_path(path, meta_graph_suffix),
                    strip_default_attrs=strip_default_attrs,
                )
        return path

    def _note(self, path, latest_filename, meta_graph_suffix):
        if self._def.max_to_keep:
            self._kept = [kept for kept in self._kept if kept[0] != path] + [(path, time.time())]
        while self._def.max_to_keep and len(self._kept) > self._def.max_to_keep:
            oldest, when = self._kept.pop(0)
            if when > self._next_to_stay:
                self._next_to_stay += self._def.keep_checkpoint_every_n_hours * 3600
            else:
                remove_checkpoint(oldest, meta_graph_suffix=meta_graph_suffix)
        update_checkpoint_state(
            os.path.dirname(path),
            path,
            self.last_checkpoints,
            latest_filename,
            save_relative_paths=self._relative,
        )

    def restore(self, sess, save_path):
        """Restores the variables from a checkpoint.

        Args:
            sess: The session.
            save_path: The result of save(), a str.

        Raises:
            ValueError: There is no such checkpoint.
            errors.NotFoundError: It lacks a variable.
        """
        self._check_built()
        if self._empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        if not checkpoint_exists(save_path):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {save_path}")
        try:
            sess.run(self._def.restore_op_name, {self._def.filename_tensor_name: save_path})
        except errors.NotFoundError as e:
            raise _explained(e, "a Variable name or other graph key that is missing") from e
        except errors.InvalidArgumentError as e:
            raise _explained(e, "a mismatch between the current graph and the graph") from e

    def _check_built(self):
        if not self._built:
            raise RuntimeError("`build()` should be called before save if defer_build==True")

    def __repr__(self):
        if not self._built:
            return "<sluice.train.Saver, not built>"
        names = self._saved_names
        of = f"{len(names)} variables" if names is not None else "variables of a SaverDef"
        shown = "" if not names else ": " + ", ".join(names[:3]) + ", ..." * (len(names) > 3)
        return f"<sluice.train.Saver of {of}{shown}; {len(self._kept)} checkpoints>"


def _explained(error, cause):
    """An error of restore(), with what is the likely cause."""
    return type(error)(
        error.node_def, error.op,
        f"Restoring from checkpoint failed. This is most likely due to {cause} from the checkpoint."
        " Please ensure that you have not altered the graph expected based on the checkpoint."
        f" Original error:\n\n{error.message}",
    )  # fmt: skip


def import_meta_graph(meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs):
    """Adds a graph with its collections that export_meta_graph() or Saver.save() wrote.

    Args:
        meta_graph_or_file: A MetaGraphDef, or the path of a file.
        clear_devices: Whether devices are removed. A bool.
        import_scope: Name scope to put in front of names, a str. None: none.
        **kwargs: input_map, return_elements: as of import_graph_def(); and the other arguments of
            import_scoped_meta_graph_with_return_elements().

    Returns:
        The Saver of the graph, or a new one; None if it has no variables.

    Raises:
        OSError: The file does not exist.
    """
    definition = read_meta_graph(meta_graph_or_file)
    found, _ = import_scoped_meta_graph_with_return_elements(
        definition, clear_devices, import_scope=import_scope, **kwargs
    )
    if definition.HasField("saver_def"):
        for key, variable in found.items():  # the scope may have got a number
            import_scope = variable.name[: -len(key)].rstrip("/")
            break
        return Saver.from_proto(definition.saver_def, import_scope)
    variables = get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)
    return Saver() if variables else None


meta_graph.register_proto_function(GraphKeys.SAVERS, SaverDef, from_proto=Saver.from_proto)
