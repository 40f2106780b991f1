# SPDX-License-Identifier: Apache-2.0
"""Summaries for plugins of TensorBoard: precision-recall curves, hyper-parameters, the projector.

    import sluice.tensorboard
    curve = sluice.tensorboard.pr_curve("test", labels, predictions)
    writer.add_summary(sluice.tensorboard.hparams({"rate": 0.1, "depth": 3}))

The messages of the plugins are encoded here, because their package requires TensorFlow.
"""

import os
import struct
import time

from .. import dtypes, messages
from ..files import varints
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import name_scope
from ..ops import array, math
from ..training.summary import tensor_summary

# ---- messages


def _encode(*fields):
    """A message of (field number, value): an int, a float, a str, or the bytes of a message."""
    data = b""
    for number, value in fields:
        if isinstance(value, float):
            data += varints.encode(number << 3 | 1) + struct.pack("<d", value)
        elif isinstance(value, int):
            data += varints.encode(number << 3) + varints.encode(int(value))
        else:
            value = value.encode() if isinstance(value, str) else value
            data += varints.encode(number << 3 | 2) + varints.encode(len(value)) + value
    return data


def _value(value):
    """The bytes of a google.protobuf.Value."""
    if isinstance(value, bool):
        return _encode((4, int(value)))
    if isinstance(value, (int, float)):
        return _encode((2, float(value)))
    return _encode((3, str(value)))


def _metadata(plugin, content):
    metadata = messages.SummaryMetadata()
    metadata.plugin_data.plugin_name = plugin
    metadata.plugin_data.content = content
    return metadata


# ---- precision-recall curves


def pr_curve(name, labels, predictions, num_thresholds=201, weights=None, display_name=None,
             description=None, collections=None):  # fmt: skip
    """Makes a summary of a precision-recall curve.

    Args:
        name: Name of the summary, a str. It is the tag, with "/pr_curves" after it.
        labels: A bool tensor.
        predictions: A float tensor of the same shape, with elements in [0, 1].
        num_thresholds: Number of thresholds between 0 and 1, an int.
        weights: A float tensor of that shape, or one that is broadcast to it. None: 1.
        display_name: Name under which it is shown, a str.
        description: Description in Markdown, a str.
        collections: Collections that get the summary, a list of str. None: SUMMARIES.

    Returns:
        A string scalar: a serialised Summary. Its tensor is [6, num_thresholds]: true positives,
        false positives, true negatives, false negatives, precision, recall.
    """
    with name_scope(name):
        labels = array.reshape(array.cast(labels, dtypes.bool_), [-1])
        predictions = array.reshape(array.cast(predictions, dtypes.float32), [-1])
        weight = convert_to_tensor(1.0 if weights is None else weights, dtypes.float32)
        weight = array.reshape(weight, [-1]) * array.ones_like(predictions)
        positive = array.where(labels, weight, array.zeros_like(weight))
        negative = weight - positive
        # The element n counts the predictions that are at least n / (num_thresholds - 1).
        places = array.cast(
            math.floor(predictions * float(num_thresholds - 1)), dtypes.int32
        )  # fmt: skip

        def at_least(weights_of):
            sums = math.unsorted_segment_sum(weights_of, places, num_thresholds)
            return math.cumsum(sums, reverse=True)

        tp, fp = at_least(positive), at_least(negative)
        fn, tn = tp[0] - tp, fp[0] - fp
        smallest = 1e-7
        rows = [tp, fp, tn, fn, tp / math.maximum(smallest, tp + fp),
                tp / math.maximum(smallest, tp + fn)]  # fmt: skip
        metadata = _metadata("pr_curves", _encode((2, num_thresholds)))
        return tensor_summary(
            "pr_curves", array.stack(rows), description, collections, metadata,
            display_name=name if display_name is None else display_name,
        )  # fmt: skip


# ---- hyper-parameters


def _hparams_summary(tag, content):
    """A Summary whose content is in its metadata."""
    made = messages.Summary()
    value = made.value.add(tag=f"_hparams_/{tag}")
    value.metadata.CopyFrom(_metadata("hparams", content))
    value.tensor.dtype = 1  # DT_FLOAT
    value.tensor.tensor_shape.dim.add(size=1)
    value.tensor.float_val.append(0.0)
    return made


def hparams(values, trial_id=None, start_time_secs=None):
    """Says with which hyper-parameters the run of this folder began.

    Args:
        values: A dict: name -> number, bool or str.
        trial_id: Name of the trial, a str. None: it follows from the values.
        start_time_secs: When it began, in seconds since 1970. None: now.

    Returns:
        A Summary for FileWriter.add_summary().
    """
    pairs = sorted(values.items())
    trial_id = repr(pairs) if trial_id is None else trial_id
    began = float(time.time() if start_time_secs is None else start_time_secs)
    entries = [(1, _encode((1, name), (2, _value(value)))) for name, value in pairs]
    info = _encode(*entries, (4, trial_id), (5, began))
    return _hparams_summary("session_start_info", _encode((3, info)))


def hparams_config(values, metrics, time_created_secs=None):
    """Says which hyper-parameters and metrics an experiment has. It goes to the folder above those
    of the runs.

    Args:
        values: A dict: name -> list of possible values, or (lowest, highest) of floats.
        metrics: Tags of scalar summaries, a list of str.
        time_created_secs: In seconds since 1970. None: now.

    Returns:
        A Summary for FileWriter.add_summary().
    """
    made = float(time.time() if time_created_secs is None else time_created_secs)
    fields = [(3, made)]
    for name, domain in values.items():
        if isinstance(domain, tuple):
            limits = _encode((1, float(domain[0])), (2, float(domain[1])))
            fields.append((4, _encode((1, name), (4, 3), (6, limits))))
            continue
        kind = 2 if isinstance(domain[0], bool) else 1 if isinstance(domain[0], str) else 3
        listed = _encode(*((1, _value(value)) for value in domain))
        fields.append((4, _encode((1, name), (4, kind), (5, listed))))
    fields += [(5, _encode((1, _encode((2, tag))))) for tag in metrics]
    return _hparams_summary("experiment", _encode((2, _encode(*fields))))


def hparams_end(succeeded=True, end_time_secs=None):
    """Says that the run of this folder ended.

    Args:
        succeeded: Whether it did what it should. A bool.
        end_time_secs: When, in seconds since 1970. None: now.

    Returns:
        A Summary for FileWriter.add_summary().
    """
    ended = float(time.time() if end_time_secs is None else end_time_secs)
    info = _encode((1, 1 if succeeded else 2), (2, ended))
    return _hparams_summary("session_end_info", _encode((4, info)))


# ---- projector


def visualize_embeddings(logdir, embeddings, model_checkpoint_path=None):
    """Has the projector show variables of the checkpoint in a folder.

    Args:
        logdir: The folder, a str, or a FileWriter.
        embeddings: A list of dicts: tensor_name, and if they are there metadata_path, sprite (the
            path of an image) with image_dim ([width, height] of a part), bookmarks_path.
        model_checkpoint_path: The checkpoint, a str. None: the latest one of the folder.

    Raises:
        ValueError: An entry has another key, or no tensor_name.
    """
    logdir = logdir.get_logdir() if hasattr(logdir, "get_logdir") else logdir
    lines = []
    if model_checkpoint_path is not None:
        lines.append(f"model_checkpoint_path: {_quoted(model_checkpoint_path)}\n")
    for entry in embeddings:
        lines.append("embeddings {\n" + _embedding(dict(entry)) + "}\n")
    os.makedirs(logdir, exist_ok=True)
    with open(os.path.join(logdir, "projector_config.pbtxt"), "w", encoding="utf-8") as file:
        file.write("".join(lines))


def _embedding(entry):
    if "tensor_name" not in entry:
        raise ValueError(f"an embedding has a tensor_name: {entry}")
    sprite, size = entry.pop("sprite", None), entry.pop("image_dim", None)
    unknown = set(entry) - {"tensor_name", "metadata_path", "bookmarks_path"}
    if unknown:
        raise ValueError(f"an embedding has no {sorted(unknown)}")
    lines = [f"  {key}: {_quoted(value)}\n" for key, value in entry.items()]
    if sprite is not None:
        sizes = "".join(f"    single_image_dim: {int(one)}\n" for one in size or ())
        lines.append(f"  sprite {{\n    image_path: {_quoted(sprite)}\n{sizes}  }}\n")
    return "".join(lines)


def _quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
