# SPDX-License-Identifier: Apache-2.0
"""Loads SavedModels into sessions."""

import os

from .. import logging, messages
from ..files import gfile
from ..files.files import open_file
from ..graph.default_graph import get_default_graph
from ..messages import AssetFileDef, SavedModel
from ..training import saver as savers
from . import keys
from .signatures import element_of


def maybe_saved_model_directory(export_dir):
    """Tests whether a directory has a SavedModel.

    Args:
        export_dir: The directory, a str.

    Returns:
        A bool.
    """
    return any(gfile.exists(path) for path in _files(export_dir))


def _files(export_dir):
    folder = os.fsdecode(export_dir)
    names = keys.SAVED_MODEL_FILENAME_PB, keys.SAVED_MODEL_FILENAME_PBTXT
    return [os.path.join(folder, name) for name in names]


def read(export_dir):
    """The SavedModel of a directory. OSError: there is none, or its file is damaged."""
    binary, text = _files(export_dir)
    path = binary if gfile.exists(binary) else text
    if not gfile.exists(path):
        raise OSError(f"SavedModel file does not exist at: {os.fsdecode(export_dir)}")
    with open_file(path, "rb") as file:
        data = file.read()
    try:
        if path == binary:
            return SavedModel.FromString(data)
        return messages.parse(SavedModel, data.decode())
    except Exception as e:  # the library's own class, which moved between its versions
        raise OSError(f"cannot parse file {path}: {e}") from None


def meta_graph_of(model, tags):
    """The graph of a SavedModel with exactly these tags. RuntimeError: there is none."""
    there = [set(graph.meta_info_def.tags) for graph in model.meta_graphs]
    if set(tags) not in there:
        raise RuntimeError(
            f"MetaGraphDef associated with tags {str(tags).strip('[]')} could not be found in"
            f" SavedModel: available tags are {there}"
        )
    return model.meta_graphs[there.index(set(tags))]


def load(sess, tags, export_dir, import_scope=None, **saver_kwargs):
    """Adds the graph of a SavedModel to the graph of a session, restores its variables, and runs
    its main operation.

    Args:
        sess: The session.
        tags: The tags of the graph, a list of str.
        export_dir: Directory of the SavedModel, a str.
        import_scope: Name scope to put in front of names, a str. None: none.
        **saver_kwargs: As of train.import_meta_graph().

    Returns:
        The MetaGraphDef, whose signature_def names inputs and outputs.

    Raises:
        OSError: The directory has no SavedModel, or a damaged one.
        RuntimeError: No graph has these tags.

    Example:
        >>> import os, tempfile
        >>> folder = os.path.join(tempfile.mkdtemp(), "model")
        >>> x = sl.placeholder(sl.float32, [], name="x")
        >>> with sl.Session() as session:
        ...     sl.saved_model.simple_save(session, folder, {"x": x}, {"y": x * 2})
        >>> with sl.Graph().as_default(), sl.Session() as session:
        ...     model = sl.saved_model.load(session, ["serve"], folder)
        ...     outputs = model.signature_def["serving_default"].outputs
        ...     print(session.run(outputs["y"].name, {"x:0": 3.0}))
        6.0
    """
    graph_def = meta_graph_of(read(export_dir), tags)
    with sess.graph.as_default():
        saver = savers.import_meta_graph(graph_def, import_scope=import_scope, **saver_kwargs)
        if saver is not None and graph_def.saver_def.restore_op_name:
            saver.restore(
                sess,
                os.path.join(
                    os.fsdecode(export_dir), keys.VARIABLES_DIRECTORY, keys.VARIABLES_FILENAME
                ),
            )
        else:
            logging.info("The SavedModel has no variables: nothing is restored.")
        init_op = _init_op(graph_def, import_scope)
        if init_op is not None:
            sess.run([init_op], _assets(export_dir, graph_def, import_scope))
    return graph_def


def _init_op(graph_def, import_scope):
    if keys.INIT_OP_SIGNATURE_KEY in graph_def.signature_def:
        outputs = graph_def.signature_def[keys.INIT_OP_SIGNATURE_KEY].outputs
        return element_of(outputs[keys.INIT_OP_SIGNATURE_KEY], import_scope)
    for key in (keys.MAIN_OP_KEY, keys.LEGACY_INIT_OP_KEY):
        if key in graph_def.collection_def:
            names = graph_def.collection_def[key].node_list.value
            if len(names) != 1:
                raise RuntimeError(f"a SavedModel has one init operation, not {list(names)}")
            return get_default_graph().get_collection(key)[-1]
    return None


def _assets(export_dir, graph_def, import_scope):
    """Where the copied files lie: tensor with the path -> the path."""
    found = list(graph_def.asset_file_def)
    if not found and keys.ASSETS_KEY in graph_def.collection_def:
        packed = graph_def.collection_def[keys.ASSETS_KEY].any_list.value
        found = [AssetFileDef.FromString(item.value) for item in packed]
    folder = os.path.join(os.fsdecode(export_dir), keys.ASSETS_DIRECTORY)
    prefix = f"{import_scope}/" if import_scope else ""
    return {prefix + a.tensor_info.name: os.path.join(folder, a.filename) for a in found}
