"""Summaries: serialised values for dashboards, and the event files they go to."""

import struct
import time

from . import _sluice, dtypes, messages, raw_ops
from .building import with_names
from .convert import convert_to_tensor
from .graph import Graph, GraphKeys, get_default_graph, name_scope


def _collect(summary, collections):
    graph = get_default_graph()
    for key in [GraphKeys.SUMMARIES] if collections is None else collections:
        graph.add_to_collection(key, summary)
    return summary


def _tagged(name, family, make, collections):
    """make(tag, scope) under the summary's name; the tag is its scope's name."""
    with name_scope(name if family is None else f"{family}/{name}") as scope:
        tag = scope.rstrip("/")
        tag = tag if family is None else f"{family}/{tag}"
        return _collect(make(tag, scope), collections)


def scalar(name, tensor, collections=None, family=None):
    """A real number, a scalar tensor; the result is a string scalar."""
    return _tagged(
        name, family, lambda tag, scope: raw_ops.ScalarSummary(tags=tag, values=tensor, name=scope),
        collections,
    )  # fmt: skip


def histogram(name, values, collections=None, family=None):
    """How the numbers of a tensor are distributed. InvalidArgumentError: NaN or infinity."""
    return _tagged(
        name, family,
        lambda tag, scope: raw_ops.HistogramSummary(tag=tag, values=values, name=scope),
        collections,
    )  # fmt: skip


def image(name, tensor, max_outputs=3, collections=None, family=None):
    """Up to max_outputs images of [batch, height, width, 1, 3 or 4 channels]; uint8, or floats,
    which are scaled."""
    return _tagged(
        name, family,
        lambda tag, scope: raw_ops.ImageSummary(
            tag=tag, tensor=tensor, max_images=max_outputs, name=scope
        ),
        collections,
    )  # fmt: skip


def audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None):
    """Up to max_outputs sounds of [batch, frames] or [batch, frames, channels], in [-1, 1]."""
    return _tagged(
        name, family,
        lambda tag, scope: raw_ops.AudioSummaryV2(
            tag=tag, tensor=tensor, sample_rate=sample_rate, max_outputs=max_outputs, name=scope
        ),
        collections,
    )  # fmt: skip


def tensor_summary(name, tensor, summary_description=None, collections=None,
                   summary_metadata=b"", family=None):  # fmt: skip
    """Any tensor. summary_metadata: a serialised SummaryMetadata, which says who shows it."""
    del summary_description
    return _tagged(
        name, family,
        lambda tag, scope: raw_ops.TensorSummaryV2(
            tag=tag, tensor=tensor, serialized_summary_metadata=summary_metadata, name=scope
        ),
        collections,
    )  # fmt: skip


def text(name, tensor, collections=None):
    """A string tensor, shown as Markdown."""
    plugin = _field(1, _field(1, b"text"))  # SummaryMetadata.plugin_data.plugin_name
    tensor = convert_to_tensor(tensor, dtypes.string)
    return tensor_summary(name, tensor, collections=collections, summary_metadata=plugin)


def merge(inputs, collections=None, name=None):
    """One summary of several. InvalidArgumentError when it runs: a tag occurs twice."""
    merged = raw_ops.MergeSummary(inputs=list(inputs), name=name or "Merge/MergeSummary")
    for key in collections or ():
        get_default_graph().add_to_collection(key, merged)
    return merged


def merge_all(key=GraphKeys.SUMMARIES, name=None):
    """One summary of all in a collection, or None where it is empty."""
    found = get_default_graph().get_collection(key)
    return merge(found, name=name) if found else None


# ---- event files


def _varint(number):
    out = bytearray()
    number &= (1 << 64) - 1
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def _field(number, value):
    """A field of a protocol message: of bytes or an int."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


class FileWriter:
    """Writes an event file `<logdir>/events.out.tfevents...`, which TensorBoard shows.

    graph: a Graph (or a GraphDef's bytes) that stands at its beginning. flush_secs: how long an
    event may wait; max_queue: how many. One thread at a time. Closed at the end of a `with`.
    Raises errors.OpError classes when the file cannot be written.
    """

    def __init__(self, logdir, graph=None, max_queue=10, flush_secs=120, filename_suffix=""):
        self._logdir, self._suffix = logdir, filename_suffix
        self._max_queue, self._flush_secs = max_queue, flush_secs
        self._file = _sluice.EventFile(logdir, filename_suffix)
        self._waiting, self._flushed = 0, time.time()
        if graph is not None:
            self.add_graph(graph)

    def get_logdir(self):
        return self._logdir

    def add_summary(self, summary, global_step=None):
        """summary: what a run gave for a summary tensor."""
        self._add(5, bytes(summary), global_step)

    def add_graph(self, graph, global_step=None):
        graph = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
        self._add(4, messages.take(messages.GraphDef, graph).SerializeToString(), global_step)
        self.flush()

    def add_event(self, event):
        """event: a serialised Event."""
        if self._file is None:
            raise ValueError("the writer is closed")
        self._file.append(event)
        self._waiting += 1
        if self._waiting >= self._max_queue or time.time() - self._flushed > self._flush_secs:
            self.flush()

    def _add(self, field, payload, step):
        event = _varint(1 << 3 | 1) + struct.pack("<d", time.time())
        if step is not None:
            event += _field(2, int(step))
        self.add_event(event + _field(field, payload))

    def flush(self):
        if self._file is not None:
            self._file.flush()
        self._waiting, self._flushed = 0, time.time()

    def close(self):
        self.flush()
        self._file = None

    def reopen(self):
        """Goes on after close(), in a new file."""
        if self._file is None:
            self._file = _sluice.EventFile(self._logdir, self._suffix)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.close()


__all__ = with_names(globals())
