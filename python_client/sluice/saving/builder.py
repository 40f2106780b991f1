# SPDX-License-Identifier: Apache-2.0
"""Writes SavedModels."""

import os

from .. import dtypes, logging, messages
from ..files import gfile
from ..files.files import open_file, write_whole
from ..graph.default_graph import get_default_graph
from ..graph.elements import Operation, Tensor
from ..graph.static_values import static_value
from ..messages import AssetFileDef, SavedModel
from ..ops.control_flow.grouping import group
from ..ops.state.initializing import global_variables_initializer, local_variables_initializer
from ..training.saver import Saver
from ..training.scaffold import tables_initializer
from . import keys
from .signatures import check_operation, check_tensor_infos, predict_signature_def


class Builder:
    """Writes a SavedModel: one or several graphs with their signatures, and the variables.

    Args:
        export_dir: The directory, a str. It must be empty, or not exist.

    Raises:
        AssertionError: The directory has files.

    Example:
        >>> import os, tempfile
        >>> folder = os.path.join(tempfile.mkdtemp(), "model")
        >>> builder = sl.saved_model.Builder(folder)
        >>> x = sl.placeholder(sl.float32, [None], name="x")
        >>> signature = sl.saved_model.predict_signature_def({"x": x}, {"y": 2 * x})
        >>> with sl.Session() as session:
        ...     builder.add_meta_graph_and_variables(session, ["serve"], {"double": signature})
        >>> os.path.basename(builder.save())
        b'saved_model.pb'
    """

    def __init__(self, export_dir):
        self._dir = os.fsdecode(export_dir)
        if gfile.exists(self._dir) and gfile.listdir(self._dir):
            raise AssertionError(f"the directory of a SavedModel must be empty: {self._dir}")
        gfile.makedirs(self._dir)
        self._model = SavedModel(saved_model_schema_version=keys.SAVED_MODEL_SCHEMA_VERSION)
        self._has_variables = False

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None,
                                     assets_collection=None, legacy_init_op=None,
                                     clear_devices=False, main_op=None, strip_default_attrs=False,
                                     saver=None):  # fmt: skip
        """Adds the default graph, and writes the values that variables have in a session.

        Args:
            sess: The session.
            tags: Names by which the graph is loaded, a list of str.
            signature_def_map: A dict: name -> SignatureDef. None: none.
            assets_collection: String constants with the paths of files to copy, a list of tensors.
            legacy_init_op: Older name of main_op.
            clear_devices: Whether devices are removed. A bool.
            main_op: Operation that runs when the model is loaded. None: none.
            strip_default_attrs: Whether attributes with default values are removed, so that older
                runtimes can load the graph. A bool.
            saver: The Saver. None: one of all variables.

        Raises:
            AssertionError: Variables were written before, or a signature names no tensor.
        """
        if self._has_variables:
            raise AssertionError("variables were written before: call add_meta_graph()")
        self._prepare(signature_def_map, assets_collection, main_op or legacy_init_op)
        folder = os.path.join(self._dir, keys.VARIABLES_DIRECTORY)
        gfile.makedirs(folder)
        saver = saver or Saver(sharded=True, allow_empty=True)
        saver.save(
            sess, os.path.join(folder, keys.VARIABLES_FILENAME), write_meta_graph=False,
            write_state=False,
        )  # fmt: skip
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)
        self._has_variables = True

    def add_meta_graph(self, tags, signature_def_map=None, assets_collection=None,
                       legacy_init_op=None, clear_devices=False, main_op=None,
                       strip_default_attrs=False, saver=None):  # fmt: skip
        """Adds the default graph with the variables that were written before.

        Args:
            tags: Names by which the graph is loaded, a list of str.
            signature_def_map: A dict: name -> SignatureDef. None: none.
            assets_collection: String constants with the paths of files to copy, a list of tensors.
            legacy_init_op: Older name of main_op.
            clear_devices: Whether devices are removed. A bool.
            main_op: Operation that runs when the model is loaded. None: none.
            strip_default_attrs: Whether attributes with default values are removed, so that older
                runtimes can load the graph. A bool.
            saver: The Saver. None: one of all variables.

        Raises:
            AssertionError: No variables were written, or a signature names no tensor.
        """
        if not self._has_variables:
            raise AssertionError("no variables were written: call add_meta_graph_and_variables()")
        self._prepare(signature_def_map, assets_collection, main_op or legacy_init_op)
        saver = saver or Saver(sharded=True, allow_empty=True)
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)

    def add_train_op(self, train_op):
        """Notes the operation that trains the model.

        Args:
            train_op: An Operation or tensor. None: there is none.

        Raises:
            TypeError: It is neither.
        """
        if train_op is not None:
            if not isinstance(train_op, (Operation, Tensor)):
                raise TypeError(f"train_op must be a tensor or an Operation, not {train_op!r}")
            get_default_graph().add_to_collection(keys.TRAIN_OP_KEY, train_op)

    def save(self, as_text=False):
        """Writes the graphs.

        Args:
            as_text: Whether the file has the text form. A bool.

        Returns:
            The path of the file, bytes.
        """
        name = keys.SAVED_MODEL_FILENAME_PBTXT if as_text else keys.SAVED_MODEL_FILENAME_PB
        path = os.path.join(self._dir, name)
        text = messages.to_text(self._model).encode() if as_text else None
        write_whole(path, self._model.SerializeToString() if text is None else text)
        logging.info("SavedModel written to: %s", path)
        return path.encode()

    def _prepare(self, signature_def_map, assets, main_op):
        check_tensor_infos(signature_def_map or {})
        self._copy_assets(assets)
        if main_op is None:
            return
        check_operation(main_op, "main_op")
        graph = get_default_graph()
        for key in (keys.MAIN_OP_KEY, keys.LEGACY_INIT_OP_KEY):
            if graph.get_collection(key):
                raise ValueError(f"the graph has a main op already, in the collection {key}")
        graph.add_to_collection(keys.MAIN_OP_KEY, main_op)

    def _copy_assets(self, assets):
        copied = {}  # name in the SavedModel -> path
        for tensor in assets or ():
            path = _path_of(tensor)
            name = _free_name(path, copied)
            packed = messages.Any(type_url="type.googleapis.com/tensorflow.AssetFileDef")
            found = AssetFileDef(filename=name)
            found.tensor_info.name = tensor.name
            packed.value = found.SerializeToString()
            get_default_graph().add_to_collection(keys.ASSETS_KEY, packed)
            copied[name] = path
        folder = os.path.join(self._dir, keys.ASSETS_DIRECTORY)
        for name, path in copied.items():
            gfile.makedirs(folder)
            target = os.path.join(folder, name)
            if not gfile.exists(target):
                gfile.copy(path, target)

    def _add(self, saver, tags, signature_def_map, clear_devices, strip_default_attrs):
        graph = saver.export_meta_graph(
            clear_devices=clear_devices, strip_default_attrs=strip_default_attrs
        )
        graph.meta_info_def.tags.extend(tags)
        for key, signature in (signature_def_map or {}).items():
            graph.signature_def[key].CopyFrom(signature)
        self._model.meta_graphs.add().CopyFrom(graph)


def _path_of(tensor):
    if not isinstance(tensor, Tensor) or tensor.op.type != "Const":
        raise TypeError(f"the path of an asset must be a constant, not {tensor!r}")
    if tensor.dtype != dtypes.string:
        raise TypeError(f"the path of an asset must be a string, not {tensor.dtype.name}")
    value = static_value(tensor)
    if value.size != 1:
        raise TypeError(f"the path of an asset must be a scalar: {tensor!r}")
    path = os.fsdecode(value.item())
    if not path:
        raise ValueError(f"the path of an asset is empty: {tensor!r}")
    return path


def _free_name(path, copied):
    """The file's name, with a number where another file has it."""
    name = first = os.path.basename(path)
    number = 0
    while name in copied and copied[name] != path and not _same(copied[name], path):
        number += 1
        name = f"{first}_{number}"
    return name


def _same(path, other):
    with open_file(path, "rb") as one, open_file(other, "rb") as two:
        return one.read() == two.read()


def simple_save(session, export_dir, inputs, outputs, legacy_init_op=None):
    """Writes a SavedModel of the default graph with one signature.

    Args:
        session: The session with the variables.
        export_dir: The directory, a str. It must be empty, or not exist.
        inputs: A dict: name -> tensor.
        outputs: A dict: name -> tensor.
        legacy_init_op: Operation that runs when the model is loaded. None: none.
    """
    signature = predict_signature_def(inputs, outputs)
    builder = Builder(export_dir)
    with session.graph.as_default():
        builder.add_meta_graph_and_variables(
            session, [keys.SERVING], {keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
            assets_collection=get_default_graph().get_collection("asset_filepaths"),
            main_op=legacy_init_op, clear_devices=True,
        )  # fmt: skip
    builder.save()


def main_op():
    """Adds an operation that initialises variables and tables when a SavedModel is loaded.

    Returns:
        The Operation.
    """
    return group(
        global_variables_initializer(), local_variables_initializer(), tables_initializer()
    )


def main_op_with_restore(restore_op_name):
    """Adds an operation that initialises variables and tables, and restores variables after it.

    Args:
        restore_op_name: Name of the operation that restores, a str.

    Returns:
        The Operation.
    """
    graph = get_default_graph()
    with graph.control_dependencies([main_op()]):
        return group(graph.get_operation_by_name(restore_op_name))
