# SPDX-License-Identifier: Apache-2.0
"""Operations that write a summary."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import (
    control_dependencies,
    device,
    get_default_graph,
    get_name_scope,
    name_scope,
)
from ...layers.choices import chosen
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.control_flow.grouping import no_op
from ...training.global_step import get_or_create_global_step
from ...training.tags import tag_scope
from . import recording

_SUMMARIES = "_SUMMARY_V2"


def all_summary_ops():
    """Returns the operations that write the graph's summaries.

    Returns:
        A list of bool scalars.
    """
    return get_default_graph().get_collection(_SUMMARIES)


def _step(step):
    if step is None:
        return arrays.cast(convert_to_tensor(get_or_create_global_step()), dtypes.int64)
    return arrays.cast(convert_to_tensor(step), dtypes.int64)


def _written(name, family, write):
    """The operation that calls write(resource, tag, scope) if summaries are recorded."""
    scope = get_name_scope()
    writer = recording.current.writer
    if writer is None:
        return no_op()

    def record():
        with name_scope(scope + "/" if scope else None), tag_scope(name, family) as (tag, within):
            with control_dependencies([write(writer.resource, tag, within)]):
                return constant(True)

    with device("cpu:0"):
        done = chosen(recording.should_record_summaries(), record, lambda: constant(False))
        get_default_graph().add_to_collection(_SUMMARIES, done)
    return done


def generic(name, tensor, metadata=None, family=None, step=None):
    """Writes a tensor.

    Args:
        name: Name of the summary, a str.
        tensor: The tensor.
        metadata: A SummaryMetadata, or its bytes. None: none.
        family: Prefix of the tag, a str. None: none.
        step: Number of the step, an integer scalar. None: the global step.

    Returns:
        An Operation.
    """
    if hasattr(metadata, "SerializeToString"):
        metadata = metadata.SerializeToString()

    def write(resource, tag, scope):
        return raw_ops.WriteSummary(
            writer=resource, step=_step(step), tensor=arrays.identity(tensor), tag=tag,
            summary_metadata=b"" if metadata is None else metadata, name=scope,
        )  # fmt: skip

    return _written(name, family, write)


def scalar(name, tensor, family=None, step=None):
    """Writes a number.

    Args:
        name: Name of the summary, a str.
        tensor: A real scalar.
        family: Prefix of the tag, a str. None: none.
        step: Number of the step, an integer scalar. None: the global step.

    Returns:
        An Operation.
    """

    def write(resource, tag, scope):
        return raw_ops.WriteScalarSummary(
            writer=resource, step=_step(step), tag=tag, value=arrays.identity(tensor), name=scope
        )

    return _written(name, family, write)


def histogram(name, tensor, family=None, step=None):
    """Writes a histogram.

    Args:
        name: Name of the summary, a str.
        tensor: The values, a real tensor.
        family: Prefix of the tag, a str. None: none.
        step: Number of the step, an integer scalar. None: the global step.

    Returns:
        An Operation.
    """

    def write(resource, tag, scope):
        return raw_ops.WriteHistogramSummary(
            writer=resource, step=_step(step), tag=tag, values=arrays.identity(tensor), name=scope
        )

    return _written(name, family, write)


def image(name, tensor, bad_color=None, max_images=3, family=None, step=None):
    """Writes images.

    Args:
        name: Name of the summary, a str.
        tensor: The images, [batch, height, width, channels].
        bad_color: The colour of values that are not finite, a uint8 vector. None: red.
        max_images: How many images are written, an int.
        family: Prefix of the tag, a str. None: none.
        step: Number of the step, an integer scalar. None: the global step.

    Returns:
        An Operation.
    """

    def write(resource, tag, scope):
        red = constant([255, 0, 0, 255], dtypes.uint8) if bad_color is None else bad_color
        return raw_ops.WriteImageSummary(
            writer=resource, step=_step(step), tag=tag, tensor=arrays.identity(tensor),
            bad_color=red, max_images=max_images, name=scope,
        )  # fmt: skip

    return _written(name, family, write)


def audio(name, tensor, sample_rate, max_outputs, family=None, step=None):
    """Writes sounds.

    Args:
        name: Name of the summary, a str.
        tensor: The sounds, [batch, frames] or [batch, frames, channels].
        sample_rate: Frames per second, a float scalar.
        max_outputs: How many are written, an int.
        family: Prefix of the tag, a str. None: none.
        step: Number of the step, an integer scalar. None: the global step.

    Returns:
        An Operation.
    """

    def write(resource, tag, scope):
        return raw_ops.WriteAudioSummary(
            writer=resource, step=_step(step), tag=tag, tensor=arrays.identity(tensor),
            sample_rate=sample_rate, max_outputs=max_outputs, name=scope,
        )  # fmt: skip

    return _written(name, family, write)


def graph(param, step=None, name=None):
    """Writes a graph.

    Args:
        param: A serialised GraphDef, a string scalar.
        step: Number of the step, an integer scalar. None: the global step.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An Operation.

    Raises:
        TypeError: param is not a tensor.
    """
    writer = recording.current.writer
    if writer is None:
        return no_op()
    if hasattr(param, "as_graph_def") or hasattr(param, "SerializeToString"):
        raise TypeError(
            "graph() needs a argument `tensor` (e.g. tf.placeholder(tf.string)), but received "
            f"instead: {type(param).__name__}"
        )
    with device("cpu:0"):
        return raw_ops.WriteGraphSummary(
            writer=writer.resource, step=_step(step), tensor=param, name=name
        )


def import_event(tensor, name=None):
    """Writes an event.

    Args:
        tensor: A serialised Event, a string scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An Operation.
    """
    return raw_ops.ImportEvent(writer=recording.current.writer.resource, event=tensor, name=name)


__all__ = "all_summary_ops audio generic graph histogram image import_event scalar".split()
