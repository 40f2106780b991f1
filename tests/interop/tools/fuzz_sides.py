# SPDX-License-Identifier: Apache-2.0
"""The two sides of the ops' fuzzer: processes that answer draws, TensorFlow's and our server's."""

import contextlib
import ctypes
import itertools
import os
import pickle
import re
import resource
import select
import signal
import struct
import subprocess
import tempfile
import time

import numpy as np
from tensorflow.core.framework import attr_value_pb2, tensor_shape_pb2

from interop.tools import cluster, fuzz_resources, op_nodes
from interop.tools.op_nodes import op_def, tf

OUR_SERVER = "our server"
INFO = re.compile(r"\d{4}-\d\d-\d\d [\d:.]+ I ")
LAST_LINES = 20
SANITIZED = "ASAN_OPTIONS" in os.environ
TIME_BUDGET = 16  # seconds for one draw
THREADS = 2  # of both sides: random numbers may depend on the number
M_PERTURB = -6  # of mallopt: what new memory holds
TRACE = ("From /job", "Detected at", "Node:", "File ", "Graph execution error", "(")
# A hostile size is refused, not filled: 2^31 floats would take longer than TIME_BUDGET.
SERVER_SPACE = 5 << 29
CLIENT_SPACE = 6 << 30


# ---- a draw as a node ----------------------------------------------------------------------------


def attr_value(kind, value):
    proto = attr_value_pb2.AttrValue()
    if kind.startswith("list("):
        item = kind[5:-1]
        if item == "int":
            proto.list.i.extend(value)
        elif item == "float":
            proto.list.f.extend(value)
        elif item == "string":
            proto.list.s.extend(v if isinstance(v, bytes) else v.encode() for v in value)
        elif item == "type":
            proto.list.type.extend(tf.as_dtype(v).as_datatype_enum for v in value)
        elif item == "shape":
            proto.list.shape.extend(shape_proto(v) for v in value)
        proto.list.SetInParent()
    elif kind == "type":
        proto.type = tf.as_dtype(value).as_datatype_enum
    elif kind == "shape":
        proto.shape.CopyFrom(shape_proto(value))
    elif kind == "string":
        proto.s = value if isinstance(value, bytes) else value.encode()
    elif kind == "int":
        proto.i = int(value)
    elif kind == "float":
        proto.f = float(value)
    elif kind == "bool":
        proto.b = bool(value)
    return proto


def shape_proto(value):
    if isinstance(value, tensor_shape_pb2.TensorShapeProto):
        return value
    return tf.TensorShape(value).as_proto()


def attr_protos(drawn):
    definition, protos = op_def(drawn.op), {}
    for arg, value in zip(definition.input_arg, drawn.inputs):
        values = value if isinstance(value, list) else [value]
        if arg.number_attr:
            protos[arg.number_attr] = attr_value("int", len(values))
        if arg.type_list_attr:
            protos[arg.type_list_attr] = attr_value("list(type)", [d for d, _ in values])
        elif arg.type_attr and values:
            protos[arg.type_attr] = attr_value("type", values[0][0])
    dtype = drawn.inputs[-1][0] if drawn.inputs and not isinstance(drawn.inputs[-1], list) else None
    for attr in definition.attr:
        if attr.name in protos:
            continue
        if attr.name in drawn.attrs:
            protos[attr.name] = attr_value(attr.type, drawn.attrs[attr.name])
        elif attr.HasField("default_value"):
            protos[attr.name] = attr.default_value
        elif attr.type == "type" and dtype:
            protos[attr.name] = attr_value("type", dtype)
    return protos


class Node:
    """A draw in the default graph: feeds and what to fetch."""

    def __init__(self, drawn, name):
        self.feeds, self.reads, self.tables = {}, [], []
        graph, definition = tf.get_default_graph(), op_def(drawn.op)
        inputs, before = [], []
        for i, (arg, value) in enumerate(zip(definition.input_arg, drawn.inputs)):
            for dtype, array in value if isinstance(value, list) else [value]:
                fed = tf.placeholder(dtype, array.shape if drawn.static else None)
                self.feeds[fed] = array
                if fuzz_resources.holds_table(arg):
                    fed, done = self._table(drawn, arg, fed, array, f"{name}_{i}")
                    before.append(done)
                elif fuzz_resources.holds_data_set(arg):
                    fed = fuzz_resources.rows_of(fed)
                elif arg.is_ref:
                    fed = self._variable(fed, array, f"{name}_{i}")
                elif arg.type == tf.resource.as_datatype_enum:
                    fed, done = self._resource(fed, array, f"{name}_{i}")
                    before.append(done)
                inputs.append(fed)
        with tf.control_dependencies(before):
            attrs = attr_protos(drawn)
            made = graph.create_op(
                drawn.op, inputs, None, attrs=attrs, name=name, op_def=definition
            )
        self.elements = None
        if fuzz_resources.gives_data_set(definition):
            self.elements = fuzz_resources.Elements(made.outputs[0], f"{name}_iterator")
        self.fetches = list(made.outputs) or [made]
        with tf.control_dependencies([made]):
            self.fetches += [tf.raw_ops.ReadVariableOp(resource=r, dtype=d) for r, d in self.reads]
            for reads in self.tables:
                self.fetches += reads()

    def feeds_of(self, drawn):
        return dict(zip(self.feeds, (array for _, array in drawn.tensors())))

    def _table(self, drawn, arg, fed, array, name):
        types = attr_protos(drawn)
        value = types.get("Tout") or types.get("Tvalues")
        values = tf.as_dtype(value.type) if value else tf.int64
        made, filled, reads = fuzz_resources.table_of(fed, array, values, arg.is_ref, name)
        self.tables.append(reads)
        return made, filled

    def run(self, session, drawn):
        feeds = self.feeds_of(drawn)
        if self.elements is not None:
            return self.elements.read(session, feeds)
        return session.run(self.fetches, feeds)

    @staticmethod
    def _variable(fed, array, name):
        made = tf.raw_ops.VariableV2(shape=array.shape, dtype=fed.dtype, shared_name=name)
        return tf.raw_ops.Assign(ref=made, value=fed, validate_shape=False)

    def _resource(self, fed, array, name):
        made = tf.raw_ops.VarHandleOp(dtype=fed.dtype, shape=array.shape, shared_name=name)
        self.reads.append((made, fed.dtype))
        return made, tf.raw_ops.AssignVariableOp(resource=made, value=fed)


def plain(value):
    """The value for a pickle of any NumPy: bfloat16 as float32."""
    if value is None:
        return "none", np.zeros(0)
    array = np.array(value, object) if isinstance(value, bytes) else np.asarray(value)
    if array.dtype.kind in "SU":
        array = array.astype(object)
    name = str(array.dtype)
    if name not in np.sctypeDict and array.dtype != object:
        return tf.as_dtype(array.dtype).name, array.astype(np.float32)
    return name, array


def said(error):
    """The line of the message that says what is wrong."""
    lines = [line.strip() for line in (error.message or "").split("\n")]
    kept = [n for n in lines if n and not n.startswith(TRACE)]
    return f"{op_nodes.code_of(error)}: {kept[0] if kept else ''}"


def answer_of(session, node, drawn):
    try:
        return "value", [plain(v) for v in node.run(session, drawn)]
    except tf.errors.OpError as error:
        return "error", (op_nodes.code_of(error), said(error)[:300])
    except Exception as error:  # pylint: disable=broad-except
        return "error", ("Client", f"{type(error).__name__}: {error}"[:300])


def late(answer):
    return answer[0] == "hung" or answer[0] == "error" and answer[1][0] == "DeadlineExceeded"


def answers(drawns, target, time_budget):
    """One answer for each draw, as it comes."""
    config = tf.ConfigProto(
        intra_op_parallelism_threads=THREADS,
        inter_op_parallelism_threads=1,
        operation_timeout_in_ms=int(time_budget * 600),
    )
    # No folding and no rewriting: it is the kernels that are compared.
    config.graph_options.optimizer_options.opt_level = -1
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    for _, group in itertools.groupby(drawns, lambda d: op_def(d.op).deprecation.version):
        with tf.Graph().as_default() as graph:
            yield from answers_in(graph, list(group), target, config)


def answers_in(graph, drawns, target, config):
    op_nodes.age(graph, drawns[0].op)
    nodes, unique = {}, f"{os.getpid()}_{time.time_ns()}"  # variables live on in the server
    for i, drawn in enumerate(drawns):
        if drawn.first() in nodes:
            continue
        try:
            nodes[drawn.first()] = Node(drawn.first(), f"v{unique}_{i}")
        except Exception as error:  # pylint: disable=broad-except
            nodes[drawn.first()] = ("refused", f"{type(error).__name__}: {error}"[:200])
    with tf.Session(target, graph=graph, config=config) as session:
        for drawn in drawns:
            node = nodes[drawn.first()]
            yield node if isinstance(node, tuple) else answer_of(session, node, drawn)


def _send(pipe, thing):
    data = memoryview(pickle.dumps(thing))
    os.write(pipe, struct.pack("<Q", len(data)))
    while data:
        data = data[os.write(pipe, data) :]


def _read_exactly(pipe, size, deadline):
    data = bytearray()
    while len(data) < size:
        if not select.select([pipe], [], [], max(0, deadline - time.time()))[0]:
            raise TimeoutError
        part = os.read(pipe, min(size - len(data), 1 << 20))
        if not part:
            raise EOFError
        data += part
    return data


def _receive(pipe, time_budget):
    deadline = time.time() + time_budget
    (size,) = struct.unpack("<Q", _read_exactly(pipe, 8, deadline))
    return pickle.loads(_read_exactly(pipe, size, deadline))


def _ended(child, time_budget):
    """Its status; killed if it has not ended then: TensorFlow waits for kernels without end."""
    deadline = time.time() + time_budget
    while time.time() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


class Side:
    """Answers draws in a process that may die: `server`'s, or else TensorFlow's own.

    `fill`: what new memory holds, so that an answer that depends on it is seen.
    """

    def __init__(self, server=None, time_budget=TIME_BUDGET, fill=0):
        self.server, self.time_budget, self.fill = server, time_budget, fill

    def ask(self, drawns):
        """One answer each, ("died", why) and ("hung", "") too; fewer where the server died."""
        found = []
        while len(found) < len(drawns):
            found += self._run(drawns[len(found) :])
            if self.server and late(found[-1]):
                if self.server.died(found[-1:]):
                    break
                self.server.restart()  # what still runs would make the next ones late
        return found

    def _run(self, drawns):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._child(drawns, writing)
        os.close(writing)
        found = []
        try:
            for _ in drawns:
                found.append(_receive(reading, self.time_budget))
                if late(found[-1]):
                    break
        except EOFError:
            pass
        except TimeoutError:
            found.append(("hung", ""))
        os.close(reading)
        hung = bool(found) and late(found[-1])
        status = _ended(child, 0 if hung else TIME_BUDGET / 2)
        if len(found) < len(drawns) and not hung:
            found.append(("died", f"status {status}"))
        return found

    def _child(self, drawns, writing):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 2)
        resource.setrlimit(resource.RLIMIT_AS, (CLIENT_SPACE, CLIENT_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.fill:
            ctypes.CDLL(None).mallopt(M_PERTURB, self.fill)
        target = self.server.target if self.server else ""
        try:
            for answer in answers(drawns, target, self.time_budget):
                _send(writing, answer)
        finally:
            os._exit(0)


class Server:
    """Our server under a limit; started again when it died."""

    def __init__(self):
        self.cluster, self.target = None, ""
        self.errors = tempfile.TemporaryFile("a+b")
        self.start()

    def start(self):
        before = resource.getrlimit(resource.RLIMIT_AS)
        if not SANITIZED:  # whose shadow of the memory takes more
            resource.setrlimit(resource.RLIMIT_AS, (SERVER_SPACE, before[1]))
        self.errors.truncate(0)
        try:
            self.cluster = cluster.Cluster(
                {"worker": 1}, extra=["--intra_op_threads", str(THREADS)], errors=self.errors
            )
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)
        self.target = self.cluster.target()

    def restart(self):
        self.close()
        self.start()

    def died(self, answers=()):
        """If an answer is a lost connection, waits for the end of the server."""
        process = self.cluster.processes["worker", 0]
        if any(kind == "error" and "Socket closed" in what[1] for kind, what in answers):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TIME_BUDGET)
        return process.poll() is not None

    def last_words(self):
        """The last output of the server: a sanitizer's report, a failed assertion."""
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").split("\n")
        return "\n".join([OUR_SERVER] + [x for x in lines if x and not INFO.match(x)][:LAST_LINES])

    def close(self):
        self.cluster.close()
