# SPDX-License-Identifier: Apache-2.0
"""Summaries: serialised values for dashboards, and the event files they go to."""

import threading
import time
import warnings

from .. import _sluice, dtypes, messages
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import get_default_graph
from ..graph.graph import Graph
from ..graph.keys import GraphKeys
from ..ops import raw_ops
from ..ops.building import with_names
from ..strategies import contexts
from .meta_graph import export_meta_graph
from .tags import tag_scope


def _collect(summary, collections):
    graph = get_default_graph()
    for key in [GraphKeys.SUMMARIES] if collections is None else collections:
        graph.add_to_collection(key, summary)
    return summary


def _tagged(name, family, make, collections):
    """make(tag, scope) under the summary's name; the tag is its scope's name. The first replica of
    a strategy makes the summaries."""
    replica = contexts.get_replica_context()
    if replica is not None and replica.number > 0:
        return constant("")
    with tag_scope(name, family) as (tag, scope):
        return _collect(make(tag, scope), collections)


def scalar(name, tensor, collections=None, family=None):
    """Makes a summary of a number.

    Args:
        name: Name of the summary, a str. It is the tag.
        tensor: A real scalar.
        collections: Collections that get the summary, a list of str. None: SUMMARIES.
        family: Prefix of the tag, a str. None: none.

    Returns:
        A string scalar: a serialised Summary.

    Example:
        >>> text = sl.Session().run(sl.summary.scalar("loss", 0.5))
        >>> sl.Summary.FromString(text).value[0].simple_value
        0.5
    """
    return _tagged(
        name, family, lambda tag, scope: raw_ops.ScalarSummary(tags=tag, values=tensor, name=scope),
        collections,
    )  # fmt: skip


def histogram(name, values, collections=None, family=None):
    """Makes a summary of how numbers are distributed.

    Args:
        name: Name of the summary, a str. It is the tag.
        values: A real tensor.
        collections: Collections that get the summary, a list of str. None: SUMMARIES.
        family: Prefix of the tag, a str. None: none.

    Returns:
        A string scalar: a serialised Summary.

    Raises:
        errors.InvalidArgumentError: In run(): an element is NaN or infinite.
    """
    return _tagged(
        name, family,
        lambda tag, scope: raw_ops.HistogramSummary(tag=tag, values=values, name=scope),
        collections,
    )  # fmt: skip


def image(name, tensor, max_outputs=3, collections=None, family=None):
    """Makes a summary of images.

    Args:
        name: Name of the summary, a str. It is the tag.
        tensor: A uint8 or float tensor [batch, height, width, channels] with 1, 3 or 4 channels.
            Floats are scaled.
        max_outputs: The most elements of the batch that are shown, an int.
        collections: Collections that get the summary, a list of str. None: SUMMARIES.
        family: Prefix of the tag, a str. None: none.

    Returns:
        A string scalar: a serialised Summary.
    """
    return _tagged(
        name, family,
        lambda tag, scope: raw_ops.ImageSummary(
            tag=tag, tensor=tensor, max_images=max_outputs, name=scope
        ),
        collections,
    )  # fmt: skip


def audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None):
    """Makes a summary of sounds.

    Args:
        name: Name of the summary, a str. It is the tag.
        tensor: A float32 tensor [batch, frames] or [batch, frames, channels] within [-1, 1].
        sample_rate: Samples in a second, a number or a scalar.
        max_outputs: The most elements of the batch that are shown, an int.
        collections: Collections that get the summary, a list of str. None: SUMMARIES.
        family: Prefix of the tag, a str. None: none.

    Returns:
        A string scalar: a serialised Summary.
    """
    return _tagged(
        name, family,
        lambda tag, scope: raw_ops.AudioSummaryV2(
            tag=tag, tensor=tensor, sample_rate=sample_rate, max_outputs=max_outputs, name=scope
        ),
        collections,
    )  # fmt: skip


def tensor_summary(name, tensor, summary_description=None, collections=None,
                   summary_metadata=None, family=None, display_name=None):  # fmt: skip
    """Makes a summary of a tensor.

    Args:
        name: Name of the summary, a str. It is the tag.
        tensor: A tensor of any dtype.
        summary_description: Description in the metadata, a str.
        collections: Collections that get the summary, a list of str. None: SUMMARIES.
        summary_metadata: A SummaryMetadata, which says what shows it. None: an empty one.
        family: Prefix of the tag, a str. None: none.
        display_name: Name under which it is shown, a str.

    Returns:
        A string scalar: a serialised Summary.
    """
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
    """Makes a summary of text in Markdown.

    Args:
        name: Name of the summary, a str. It is the tag.
        tensor: A string tensor.
        collections: Collections that get the summary, a list of str. None: SUMMARIES.

    Returns:
        A string scalar: a serialised Summary.
    """
    metadata = messages.SummaryMetadata()
    metadata.plugin_data.plugin_name = "text"
    tensor = convert_to_tensor(tensor, dtypes.string)
    return tensor_summary(name, tensor, collections=collections, summary_metadata=metadata)


def merge(inputs, collections=None, name=None):
    """Joins summaries.

    Args:
        inputs: Serialised Summaries, a list of string tensors.
        collections: Collections that get the result, a list of str. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A string scalar: a serialised Summary.

    Raises:
        errors.InvalidArgumentError: In run(): two summaries have one tag.
    """
    merged = raw_ops.MergeSummary(inputs=list(inputs), name=name or "Merge/MergeSummary")
    for key in collections or ():
        get_default_graph().add_to_collection(key, merged)
    return merged


def merge_all(key=GraphKeys.SUMMARIES, scope=None, name=None):
    """Joins all summaries of a collection.

    Args:
        key: Name of the collection, a str.
        scope: A regular expression that their names must begin with. None: all.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A string scalar: a serialised Summary; None if there are none.
    """
    found = get_default_graph().get_collection(key, scope)
    return merge(found, name=name) if found else None


# ---- event files


class FileWriter:
    """Writes an event file `<logdir>/events.out.tfevents...`, which TensorBoard shows. `with`
    closes it at the end.

    Args:
        logdir: The directory, a str. It is made if it does not exist.
        graph: A Graph or GraphDef to write first. None: none.
        max_queue: The most events that are buffered, an int.
        flush_secs: The most seconds that events are buffered, a float.
        graph_def: Older name of graph.
        filename_suffix: Ending of the file's name, a str.
        session: Accepted. It has no effect.

    Raises:
        errors.OpError: The file cannot be written.
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
        """Returns the directory.

        Returns:
            A str.
        """
        return self._logdir

    def add_summary(self, summary, global_step=None):
        """Writes a summary.

        Args:
            summary: A Summary, or what a run returned for a summary.
            global_step: The step, an int. None: none.
        """
        self._add(global_step, summary=messages.take(messages.Summary, summary))

    def add_graph(self, graph, global_step=None, graph_def=None):
        """Writes a graph.

        Args:
            graph: A Graph or GraphDef.
            global_step: The step, an int. None: none.
            graph_def: Older name of graph.
        """
        graph = graph_def if graph is None else graph
        graph_def = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
        data = messages.take(messages.GraphDef, graph_def).SerializeToString()
        self._add(global_step, graph_def=data)
        self.flush()

    def add_meta_graph(self, meta_graph_def, global_step=None):
        """Writes a graph with its collections.

        Args:
            meta_graph_def: A MetaGraphDef.
            global_step: The step, an int. None: none.
        """
        data = messages.take(messages.MetaGraphDef, meta_graph_def).SerializeToString()
        self._add(global_step, meta_graph_def=data)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        """Writes what a run reported.

        Args:
            run_metadata: The RunMetadata.
            tag: Name of the run, a str.
            global_step: The step, an int. None: none.

        Raises:
            ValueError: The tag was used before.
        """
        if tag in self._tags:
            raise ValueError(f'the tag "{tag}" was used before')
        self._tags.add(tag)
        data = messages.take(messages.RunMetadata, run_metadata).SerializeToString()
        tagged = messages.TaggedRunMetadata(tag=tag, run_metadata=data)
        self._add(global_step, tagged_run_metadata=tagged)

    def add_session_log(self, session_log, global_step=None):
        """Writes that a session began, ended, or wrote a checkpoint.

        Args:
            session_log: The SessionLog.
            global_step: The step, an int. None: none.
        """
        log = messages.take(messages.SessionLog, session_log)
        self._add(global_step, session_log=log)

    def add_event(self, event):
        """Writes an event.

        Args:
            event: An Event, or its bytes.
        """
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
        """Writes buffered events to the file."""
        with self._lock:
            if self._file is not None:
                self._file.flush()
            self._waiting, self._flushed = 0, time.time()

    def close(self):
        """Closes the file. Later events are lost, with a warning."""
        self.flush()
        self._file = None

    def reopen(self):
        """Continues after close(), in a new file."""
        with self._lock:
            if self._file is None:
                self._file = _sluice.EventFile(self._logdir, self._suffix)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.close()


class FileWriterCache:
    """Keeps one FileWriter for each directory."""

    _writers = {}

    @staticmethod
    def get(logdir):
        """Returns the FileWriter of a directory.

        Args:
            logdir: The directory, a str.

        Returns:
            A FileWriter.
        """
        writers = FileWriterCache._writers
        if logdir not in writers:
            writers[logdir] = FileWriter(logdir, get_default_graph())
        return writers[logdir]

    @staticmethod
    def clear():
        """Flushes and forgets all FileWriters."""
        for writer in FileWriterCache._writers.values():
            writer.flush()
        FileWriterCache._writers.clear()


__all__ = with_names(globals())
