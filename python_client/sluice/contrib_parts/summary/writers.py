# SPDX-License-Identifier: Apache-2.0
"""Writers of event files, which are resources of a task."""

import contextlib
import os

from ...graph.convert import placeholder
from ...graph.default_graph import control_dependencies, device, get_default_graph
from ...graph.defaults import get_default_session
from ...ops import raw_ops
from ...ops.control_flow.grouping import no_op
from . import recording
from .writing import graph as write_graph

_INITIALIZERS = "_SUMMARY_WRITER_V2"


class SummaryWriter:
    """Writes the summaries that are made while it is the default. This one writes nothing."""

    def set_as_default(self):
        """Makes it the default writer."""

    @contextlib.contextmanager
    def as_default(self):
        """Makes it the default writer inside.

        Returns:
            A context manager, whose value is the writer.
        """
        yield

    def init(self):
        """Returns the operation that opens the event file."""

    def flush(self):
        """Returns the operation that writes what is buffered."""

    def close(self):
        """Returns the operation that closes the event file."""


class _FileWriter(SummaryWriter):
    def __init__(self, logdir, max_queue, flush_millis, filename_suffix, name):
        self.resource = raw_ops.SummaryWriter(shared_name=name)
        self._file = {
            "logdir": logdir, "max_queue": 10 if max_queue is None else max_queue,
            "flush_millis": 120_000 if flush_millis is None else flush_millis,
            "filename_suffix": ".v2" if filename_suffix is None else filename_suffix,
        }  # fmt: skip
        get_default_graph().add_to_collection(_INITIALIZERS, self.init())

    def set_as_default(self):
        recording.current.writer = self

    @contextlib.contextmanager
    def as_default(self):
        with recording.changed(writer=self):
            yield self
            self.flush()

    def init(self):
        return raw_ops.CreateSummaryFileWriter(writer=self.resource, **self._file)

    def flush(self):
        return flush(self)

    def close(self):
        with control_dependencies([self.flush()]), device("cpu:0"):
            return raw_ops.CloseSummaryWriter(writer=self.resource)


def create_file_writer(logdir, max_queue=None, flush_millis=None, filename_suffix=None,
                       name=None):  # fmt: skip
    """Makes a writer of an event file.

    Args:
        logdir: The folder of the file, a str. None: the writer does nothing.
        max_queue: How many summaries are buffered, an int. None: 10.
        flush_millis: How long they are buffered at most, in milliseconds. None: two minutes.
        filename_suffix: The end of the file's name, a str. None: ".v2".
        name: Name of the resource, a str. None: one of the folder.

    Returns:
        A SummaryWriter.
    """
    if logdir is None:
        return SummaryWriter()
    logdir = str(logdir)
    with device("cpu:0"):
        return _FileWriter(
            logdir, max_queue, flush_millis, filename_suffix, name or "logdir:" + logdir
        )


def summary_writer_initializer_op():
    """Returns the operations that open the event files of the graph's writers.

    Returns:
        A list of operations.
    """
    return get_default_graph().get_collection(_INITIALIZERS)


def initialize(graph=None, session=None):
    """Opens the event files of the graph's writers.

    Args:
        graph: A Graph or GraphDef that is written. None: none.
        session: The session. None: the default session.

    Raises:
        RuntimeError: No writer is the default.
        ValueError: No session is given, and none is the default.
    """
    if recording.current.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = get_default_session() if session is None else session
    if session is None:
        raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        graph = graph.as_graph_def(add_shapes=True) if hasattr(graph, "as_graph_def") else graph
        fed = placeholder("string")
        session.run(write_graph(fed, 0), {fed: graph.SerializeToString()})


def flush(writer=None, name=None):
    """Writes what a writer has buffered.

    Args:
        writer: The SummaryWriter. None: the default one.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.
    """
    writer = recording.current.writer if writer is None else writer
    if not isinstance(writer, _FileWriter):
        return no_op()
    with device("cpu:0"):
        return raw_ops.FlushSummaryWriter(writer=writer.resource, name=name)


def eval_dir(model_dir, name=None):
    """Returns the folder of an evaluation's summaries.

    Args:
        model_dir: The folder of the model, a str.
        name: Name of the evaluation, a str. None: it has none.

    Returns:
        A str.
    """
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")


create_summary_file_writer = create_file_writer
__all__ = """
    SummaryWriter create_file_writer create_summary_file_writer eval_dir flush initialize
    summary_writer_initializer_op
""".split()
