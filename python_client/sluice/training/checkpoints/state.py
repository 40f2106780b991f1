# SPDX-License-Identifier: Apache-2.0
"""The file `checkpoint` of a folder, which names its checkpoints, and the checkpoints' files."""

import os
import re
import time

from ... import errors, messages
from ...files import gfile
from ...files.files import open_file, write_whole
from ...messages import CheckpointState


def _state_file(folder, latest_filename):
    return os.path.join(folder, latest_filename or "checkpoint")


def generate_checkpoint_state_proto(save_dir, model_checkpoint_path,
                                    all_model_checkpoint_paths=None,
                                    all_model_checkpoint_timestamps=None,
                                    last_preserved_timestamp=None):  # fmt: skip
    """Makes the message that names the checkpoints of a directory.

    Args:
        save_dir: The directory, a str.
        model_checkpoint_path: Path of the newest checkpoint, a str.
        all_model_checkpoint_paths: Paths of all checkpoints, the oldest first. None: the newest
            only.
        all_model_checkpoint_timestamps: When each was written, seconds since 1970. None: not known.
        last_preserved_timestamp: When the last one that stays was written, seconds since 1970.

    Returns:
        A CheckpointState. If save_dir is relative, paths in it are written without it.
    """
    paths = list(all_model_checkpoint_paths or ())
    if model_checkpoint_path not in paths:
        paths.append(model_checkpoint_path)
    if not os.path.isabs(save_dir):
        paths = [p if os.path.isabs(p) else os.path.relpath(p, save_dir) for p in paths]
        if not os.path.isabs(model_checkpoint_path):
            model_checkpoint_path = os.path.relpath(model_checkpoint_path, save_dir)
    state = CheckpointState(
        model_checkpoint_path=model_checkpoint_path, all_model_checkpoint_paths=paths
    )
    _set_times(state, all_model_checkpoint_timestamps, last_preserved_timestamp)
    return state


def _set_times(state, times, last_preserved):
    """When each of the paths was written, and the last one that is kept for good."""
    if times is not None:
        if len(times) != len(state.all_model_checkpoint_paths):
            raise ValueError(
                "Checkpoint timestamps, if provided, must match checkpoint paths: there are"
                f" {len(times)} times of {len(state.all_model_checkpoint_paths)} checkpoints"
            )
        state.all_model_checkpoint_timestamps.extend(times)
    if last_preserved is not None:
        state.last_preserved_timestamp = last_preserved


def update_checkpoint_state(save_dir, model_checkpoint_path, all_model_checkpoint_paths=None,
                            latest_filename=None, all_model_checkpoint_timestamps=None,
                            last_preserved_timestamp=None,
                            save_relative_paths=False):  # fmt: skip
    """Writes the file that names the checkpoints of a directory.

    Args:
        save_dir: The directory, a str.
        model_checkpoint_path: Path of the newest checkpoint, a str.
        all_model_checkpoint_paths: Paths of all checkpoints, the oldest first. None: the newest
            only.
        latest_filename: Name of the file that names checkpoints, a str. None: "checkpoint".
        all_model_checkpoint_timestamps: When each was written, seconds since 1970. None: not known.
        last_preserved_timestamp: When the last one that stays was written, seconds since 1970.
        save_relative_paths: Whether paths are relative, so that the directory can be moved. A bool.
    """
    paths = list(all_model_checkpoint_paths or ())
    if save_relative_paths:
        model_checkpoint_path = os.path.relpath(model_checkpoint_path, save_dir)
        paths = [os.path.relpath(p, save_dir) for p in paths]
        state = CheckpointState(model_checkpoint_path=model_checkpoint_path)
        state.all_model_checkpoint_paths.extend(paths)
        _set_times(state, all_model_checkpoint_timestamps, last_preserved_timestamp)
    else:
        state = generate_checkpoint_state_proto(
            save_dir, model_checkpoint_path, paths, all_model_checkpoint_timestamps,
            last_preserved_timestamp,
        )  # fmt: skip
    name = _state_file(save_dir, latest_filename)
    if model_checkpoint_path == name:
        raise RuntimeError(f"a checkpoint must not have the name of the state file, {name}")
    write_whole(name, messages.to_text(state).encode())


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    """Reads which checkpoints a directory has.

    Args:
        checkpoint_dir: The directory, a str.
        latest_filename: Name of the file that names checkpoints, a str. None: "checkpoint".

    Returns:
        A CheckpointState with paths that can be opened; None if nothing was saved.
    """
    try:
        with open_file(_state_file(checkpoint_dir, latest_filename), "r") as file:
            state = messages.parse(CheckpointState, file.read())
    except errors.UnimplementedError:
        raise
    except (errors.OpError, ValueError):
        return None
    if not state.model_checkpoint_path:
        return None
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    for i, path in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(checkpoint_dir, path)
    return state


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    """Finds the newest checkpoint of a directory.

    Args:
        checkpoint_dir: The directory, a str.
        latest_filename: Name of the file that names checkpoints, a str. None: "checkpoint".

    Returns:
        Its path, a str; None if there is none.

    Example:
        >>> sl.train.latest_checkpoint("/no/such/directory") is None
        True
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    path = state.model_checkpoint_path if state else None
    return path if path and checkpoint_exists(path) else None


def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    """Waits for new checkpoints of a directory, and yields the newest one each time.

    Args:
        checkpoint_dir: The directory, a str.
        min_interval_secs: The least time between two checkpoints, in seconds.
        timeout: How long a new checkpoint is waited for, in seconds. None: for ever.
        timeout_fn: A function that is called when the time is over; the iteration goes on if it
            returns False. None: it ends.

    Returns:
        An iterator of paths, each a str.
    """
    newest = None
    while True:
        begin = time.monotonic()
        path = latest_checkpoint(checkpoint_dir)
        while path in (None, newest):
            if timeout is not None and time.monotonic() + 1 > begin + timeout:
                break
            time.sleep(1)
            path = latest_checkpoint(checkpoint_dir)
        else:
            begin, newest = time.monotonic(), path
            yield newest
            time.sleep(max(0, begin + min_interval_secs - time.monotonic()))
            continue
        if not timeout_fn or timeout_fn():
            return


def checkpoint_exists(checkpoint_prefix):
    """Tests whether the files of a checkpoint exist.

    Args:
        checkpoint_prefix: Path of the checkpoint without its ending, a str.

    Returns:
        A bool.
    """
    return bool(files_of(checkpoint_prefix))


def files_of(prefix):
    """The files that tell a checkpoint from others: its index; of version 1, all that the path,
    which may be the pattern of shards, fits to."""
    for path in (f"{prefix}.index", prefix):
        if gfile.exists(path):
            return [path]
    return gfile.glob(prefix)


def get_checkpoint_mtimes(checkpoint_prefixes):
    """Returns when checkpoints were written.

    Args:
        checkpoint_prefixes: Paths of checkpoints, a list of str.

    Returns:
        A list of floats, seconds since 1970; those that do not exist are left out.
    """
    found = [files_of(prefix) for prefix in checkpoint_prefixes]
    return [gfile.stat(files[0]).st_mtime for files in found if files]


def meta_graph_path(checkpoint_prefix, suffix="meta"):
    """The path of the graph of a checkpoint; one file for all shards of version 1."""
    return re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_prefix) + f".{suffix}"


def remove_checkpoint(checkpoint_prefix, checkpoint_format_version=2, meta_graph_suffix="meta"):
    """Removes the files of a checkpoint.

    Args:
        checkpoint_prefix: Path of the checkpoint without its ending, a str.
        checkpoint_format_version: Accepted. The files of every version are removed.
        meta_graph_suffix: Ending of the file with the graph, a str.
    """
    folder, base = os.path.split(checkpoint_prefix)
    ends = re.compile(re.escape(base) + r"(\.index|\.data-\d+-of-\d+)?$")
    names = gfile.listdir(folder or ".")
    files = {os.path.join(folder, name) for name in names if ends.match(name)}
    files.update(gfile.glob(checkpoint_prefix))
    graph = meta_graph_path(checkpoint_prefix, meta_graph_suffix)
    for path in (*sorted(files), *([graph] if gfile.exists(graph) else ())):
        gfile.remove(path)
