"""Summaries: serialised values for dashboards, and the event files they go to."""

import threading
import time
import warnings

from . import _sluice, dtypes, messages, raw_ops
from .building import with_names
from .convert import convert_to_tensor
from .graph import Graph, GraphKeys, get_default_graph, name_scope
from .meta_graph import export_meta_graph


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
                   summary_metadata=None, family=None, display_name=None):  # fmt: skip
    """Any tensor. summary_metadata: a SummaryMetadata, which says who shows it; display_name: under
    which name."""
    metadata = summary_metadata or messages.SummaryMetadata()
    metadata = messages.take(messages.SummaryMetadata, metadata)
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    serialized = metadata.SerializeToString()
    return _tagged(
        name, family,
        lambda tag, scope: raw_ops.TensorSummaryV2(
            tag=tag, tensor=tensor, serialized_summary_metadata=serialized, name=scope
        ),
        collections,
    )  # fmt: skip


def text(name, tensor, collections=None):
    """A string tensor, shown as Markdown."""
    metadata = messages.SummaryMetadata()
    metadata.plugin_data.plugin_name = "text"
    tensor = convert_to_tensor(tensor, dtypes.string)
    return tensor_summary(name, tensor, collections=collections, summary_metadata=metadata)


def merge(inputs, collections=None, name=None):
    """One summary of several. InvalidArgumentError when it runs: a tag occurs twice."""
    merged = raw_ops.MergeSummary(inputs=list(inputs), name=name or "Merge/MergeSummary")
    for key in collections or ():
        get_default_graph().add_to_collection(key, merged)
    return merged


def merge_all(key=GraphKeys.SUMMARIES, scope=None, name=None):
    """One summary of all in a collection (whose names begin with `scope`), or None where it is
    empty."""
    found = get_default_graph().get_collection(key, scope)
    return merge(found, name=name) if found else None


# ---- event files


class FileWriter:
    """Writes an event file `<logdir>/events.out.tfevents...`, which TensorBoard shows.

    graph: a Graph (or GraphDef) that stands at its beginning. flush_secs: how long an event may
    wait; max_queue: how many. Closed at the end of a `with`; what is added then is lost, with a
    warning.
    Raises errors.OpError classes when the file cannot be written.
    """

    def __init__(self, logdir, graph=None, max_queue=10, flush_secs=120, graph_def=None,
                 filename_suffix=None, session=None):  # fmt: skip
        del session  # events are written here, not by the session
        self._logdir, self._suffix = logdir, filename_suffix or ""
        self._max_queue, self._flush_secs = max_queue, flush_secs
        self._lock = threading.Lock()
        self._file = _sluice.EventFile(logdir, self._suffix)
        self._waiting, self._flushed, self._tags = 0, time.time(), set()
        graph = graph_def if graph is None else graph
        if graph is not None:
            self.add_graph(graph)
        if isinstance(graph, Graph):
            graph_def = graph.as_graph_def(add_shapes=True)
            self.add_meta_graph(export_meta_graph(graph=graph, graph_def=graph_def))

    def get_logdir(self):
        return self._logdir

    def add_summary(self, summary, global_step=None):
        """summary: what a run gave for a summary tensor, or a Summary."""
        self._add(global_step, summary=messages.take(messages.Summary, summary))

    def add_graph(self, graph, global_step=None, graph_def=None):
        """A Graph, which TensorBoard draws."""
        graph = graph_def if graph is None else graph
        graph_def = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
        data = messages.take(messages.GraphDef, graph_def).SerializeToString()
        self._add(global_step, graph_def=data)
        self.flush()

    def add_meta_graph(self, meta_graph_def, global_step=None):
        data = messages.take(messages.MetaGraphDef, meta_graph_def).SerializeToString()
        self._add(global_step, meta_graph_def=data)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        """What a run reported of itself. ValueError: the tag was used before."""
        if tag in self._tags:
            raise ValueError(f'the tag "{tag}" was used before')
        self._tags.add(tag)
        data = messages.take(messages.RunMetadata, run_metadata).SerializeToString()
        tagged = messages.TaggedRunMetadata(tag=tag, run_metadata=data)
        self._add(global_step, tagged_run_metadata=tagged)

    def add_session_log(self, session_log, global_step=None):
        """A SessionLog: a session began, ended, or wrote a checkpoint."""
        log = messages.take(messages.SessionLog, session_log)
        self._add(global_step, session_log=log)

    def add_event(self, event):
        """event: an Event, or its bytes."""
        data = event if isinstance(event, bytes) else event.SerializeToString()
        with self._lock:
            if self._file is None:
                warnings.warn("an event is lost: the FileWriter is closed", stacklevel=3)
                return
            self._file.append(data)
            self._waiting += 1
            late = time.time() - self._flushed > self._flush_secs
        if self._waiting >= self._max_queue or late:
            self.flush()

    def _add(self, step, **what):
        event = messages.Event(wall_time=time.time(), **what)
        if step is not None:
            event.step = int(step)
        self.add_event(event)

    def flush(self):
        with self._lock:
            if self._file is not None:
                self._file.flush()
            self._waiting, self._flushed = 0, time.time()

    def close(self):
        self.flush()
        self._file = None

    def reopen(self):
        """Goes on after close(), in a new file."""
        with self._lock:
            if self._file is None:
                self._file = _sluice.EventFile(self._logdir, self._suffix)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.close()


class FileWriterCache:
    """One FileWriter for each folder."""

    _writers = {}

    @staticmethod
    def get(logdir):
        writers = FileWriterCache._writers
        if logdir not in writers:
            writers[logdir] = FileWriter(logdir, get_default_graph())
        return writers[logdir]

    @staticmethod
    def clear():
        """Flushes and forgets all."""
        for writer in FileWriterCache._writers.values():
            writer.flush()
        FileWriterCache._writers.clear()


__all__ = with_names(globals())
