# SPDX-License-Identifier: Apache-2.0
"""What a checkpoint holds, read without a graph of the program's own."""

from ... import dtypes, errors
from ...files import gfile
from ...files.files import open_file
from ...graph.graph import Graph
from ...ops import raw_ops
from ...session.session import Session
from . import tables
from .state import files_of, latest_checkpoint

_TYPE_NAMES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}


class CheckpointReader:
    """The variables of a checkpoint.

    Args:
        path: Path of the checkpoint without its ending, a str; of version 1, the path or the
            pattern of its files.

    Raises:
        errors.NotFoundError: There is no such checkpoint.
        errors.DataLossError: A file is damaged.
    """

    def __init__(self, path):
        files = files_of(path)
        if not files:
            raise errors.NotFoundError(
                "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for"
                f" {path}"
            )
        self._path, self._entries = path, {}
        for name in files:
            with open_file(name, "rb") as file:
                data = file.read()
            try:
                self._entries.update(tables.entries(data))
            except Exception as e:  # some are the Protocol Buffers library's own
                raise errors.DataLossError(f"{name} is damaged: {e}") from None

    def get_variable_to_shape_map(self):
        """Returns the shapes of all variables.

        Returns:
            A dict: name -> list of ints.
        """
        return {name: [d.size for d in e.shape.dim] for name, e in sorted(self._entries.items())}

    def get_variable_to_dtype_map(self):
        """Returns the dtypes of all variables.

        Returns:
            A dict: name -> DType.
        """
        return {name: dtypes.as_dtype(e.dtype) for name, e in sorted(self._entries.items())}

    def has_tensor(self, tensor_str):
        """Tests whether there is a variable.

        Args:
            tensor_str: Its name, a str.

        Returns:
            A bool.
        """
        return tensor_str in self._entries

    def get_tensor(self, tensor_str):
        """Reads a variable.

        Args:
            tensor_str: Its name, a str.

        Returns:
            An array.

        Raises:
            errors.NotFoundError: There is none of that name.
        """
        if tensor_str not in self._entries:
            raise errors.NotFoundError(f"Key {tensor_str} not found in checkpoint {self._path}")
        with Graph().as_default() as graph:
            kind = dtypes.as_dtype(self._entries[tensor_str].dtype)
            (value,) = raw_ops.RestoreV2(
                prefix=self._path, tensor_names=[tensor_str], shape_and_slices=[""], dtypes=[kind]
            )
            with Session(graph=graph) as session:
                return session.run(value)

    def debug_string(self):
        """Lists the variables.

        Returns:
            Bytes: a line for each.
        """
        kinds = self.get_variable_to_dtype_map()
        shapes = self.get_variable_to_shape_map()
        lines = [
            f"{n} ({_type_name(kinds[n])}) [{','.join(map(str, shapes[n]))}]\n" for n in shapes
        ]
        return "".join(lines).encode()

    def __repr__(self):
        return f"<sluice.train.CheckpointReader of {self._path}: {len(self._entries)} variables>"


def _type_name(dtype):
    return f"DT_{_TYPE_NAMES.get(dtype.name, dtype.name.upper())}"


# ---- the functions


def checkpoint_in(ckpt_dir_or_file):
    """The path of a checkpoint: itself, or the newest one of a directory."""
    if gfile.isdir(ckpt_dir_or_file):
        return latest_checkpoint(ckpt_dir_or_file)
    return ckpt_dir_or_file


def NewCheckpointReader(filepattern):  # noqa: N802, TensorFlow's name
    """Opens a checkpoint.

    Args:
        filepattern: Path of the checkpoint without its ending, a str.

    Returns:
        A CheckpointReader.

    Raises:
        errors.NotFoundError: There is no such checkpoint.

    Example:
        >>> import os, tempfile
        >>> v = sl.Variable([1.0, 2.0], name="v")
        >>> with sl.Session() as session, tempfile.TemporaryDirectory() as folder:
        ...     session.run(v.initializer)
        ...     path = sl.train.Saver().save(session, os.path.join(folder, "model"))
        ...     reader = sl.train.NewCheckpointReader(path)
        ...     print(reader.get_variable_to_shape_map(), reader.get_tensor("v"))
        {'v': [2]} [1. 2.]
    """
    return CheckpointReader(filepattern)


def load_checkpoint(ckpt_dir_or_file):
    """Opens a checkpoint.

    Args:
        ckpt_dir_or_file: Path of the checkpoint without its ending, or of a directory: its newest
            checkpoint. A str.

    Returns:
        A CheckpointReader.

    Raises:
        ValueError: The directory has no checkpoint.
        errors.NotFoundError: There is no such checkpoint.
    """
    path = checkpoint_in(ckpt_dir_or_file)
    if path is None:
        raise ValueError(
            "Couldn't find 'checkpoint' file or checkpoints in given directory"
            f" {ckpt_dir_or_file}"
        )
    return CheckpointReader(path)


def list_variables(ckpt_dir_or_file):
    """Lists the variables of a checkpoint.

    Args:
        ckpt_dir_or_file: Path of the checkpoint without its ending, or of a directory. A str.

    Returns:
        A list of tuples: name, shape.

    Raises:
        ValueError: The directory has no checkpoint.
        errors.NotFoundError: There is no such checkpoint.
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file, name):
    """Reads a variable of a checkpoint.

    Args:
        ckpt_dir_or_file: Path of the checkpoint without its ending, or of a directory. A str.
        name: Name of the variable, a str.

    Returns:
        An array.

    Raises:
        ValueError: The directory has no checkpoint.
        errors.NotFoundError: There is no such checkpoint, or no such variable.
    """
    name = name[:-2] if name.endswith(":0") else name
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name)
