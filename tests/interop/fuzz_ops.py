"""Differential fuzzer of ops: random ops, attributes, dtypes and shapes, here and in TensorFlow.

    fuzz_ops.py [--seconds S] [--count N] [--first SEED] [--table] [--runs] [OP...]
    fuzz_ops.py --replay SEED [--runs] OP       one draw: what it is, and both answers

Values or the classes of the errors agree, or the difference is listed in op_differences.py with
its reason. With --runs every node runs three times: with its inputs, with others, with its own.

Each side runs in processes of its own: where TensorFlow dies of a draw, ours must answer. Our
server has a bounded address space, so that a hostile size is an error.
"""

import argparse
import collections
import concurrent.futures
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
import sys
import tempfile
import time
import traceback

import cluster
import numpy as np
import op_differences
import ops_test
import tensorflow
from google.protobuf import message
from op_draws import Draws, Kernels
from ops_test import MAJOR, op_def, tf
from tensorflow.core.framework import attr_value_pb2, summary_pb2, tensor_shape_pb2

BATCH = 40
OUR_SERVER = "our server"
INFO = re.compile(r"\d{4}-\d\d-\d\d [\d:.]+ I ")
LAST_LINES = 20
SANITIZED = "ASAN_OPTIONS" in os.environ
PATIENCE = 16  # seconds for one draw
# CI's verdict must be the same on another machine: its tolerances are so much wider.
LOOSE = 40
# Of TensorFlow: it was too much for it, or for its client (a message that is no text).
NO_ANSWER = ("DeadlineExceeded", "ResourceExhausted", "Client")
ANSWERS = ("value", "error", "died", "hung", "refused")
DIFFERENT_BYTES = (0x11, 0xEE)
M_PERTURB = -6  # of mallopt: what new memory holds
TRACE = ("From /job", "Detected at", "Node:", "File ", "Graph execution error", "(")
# What a hostile size asks for is refused, not filled: 2^31 floats would take longer than PATIENCE.
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
        self.feeds, self.reads = {}, []
        graph, definition = tf.get_default_graph(), op_def(drawn.op)
        inputs, before = [], []
        for i, (arg, value) in enumerate(zip(definition.input_arg, drawn.inputs)):
            for dtype, array in value if isinstance(value, list) else [value]:
                fed = tf.placeholder(dtype, array.shape if drawn.static else None)
                self.feeds[fed] = array
                if arg.is_ref:
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
        self.fetches = list(made.outputs) or [made]
        with tf.control_dependencies([made]):
            self.fetches += [tf.raw_ops.ReadVariableOp(resource=r, dtype=d) for r, d in self.reads]

    def feeds_of(self, drawn):
        return dict(zip(self.feeds, (array for _, array in drawn.tensors())))

    @staticmethod
    def _variable(fed, array, name):
        made = tf.raw_ops.VariableV2(shape=array.shape, dtype=fed.dtype, shared_name=name)
        return tf.raw_ops.Assign(ref=made, value=fed, validate_shape=False)

    def _resource(self, fed, array, name):
        made = tf.raw_ops.VarHandleOp(dtype=fed.dtype, shape=array.shape, shared_name=name)
        self.reads.append((made, fed.dtype))
        return made, tf.raw_ops.AssignVariableOp(resource=made, value=fed)


def plain(value):
    """What a pickle of any NumPy holds: bfloat16 as float32."""
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
    return f"{ops_test.code_of(error)}: {kept[0] if kept else ''}"


def answer_of(session, node, drawn):
    try:
        return "value", [plain(v) for v in session.run(node.fetches, node.feeds_of(drawn))]
    except tf.errors.OpError as error:
        return "error", (ops_test.code_of(error), said(error)[:300])
    except Exception as error:  # pylint: disable=broad-except
        return "error", ("Client", f"{type(error).__name__}: {error}"[:300])


def late(answer):
    return answer[0] == "hung" or answer[0] == "error" and answer[1][0] == "DeadlineExceeded"


def answers(drawns, target, patience):
    """One answer for each draw, as it comes."""
    config = tf.ConfigProto(
        intra_op_parallelism_threads=1,
        inter_op_parallelism_threads=1,
        operation_timeout_in_ms=int(patience * 600),
    )
    # No folding and no rewriting: it is the kernels that are compared.
    config.graph_options.optimizer_options.opt_level = -1
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    for _, group in itertools.groupby(drawns, lambda d: op_def(d.op).deprecation.version):
        with tf.Graph().as_default() as graph:
            yield from answers_in(graph, list(group), target, config)


def answers_in(graph, drawns, target, config):
    ops_test.age(graph, drawns[0].op)
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


def _receive(pipe, patience):
    deadline = time.time() + patience
    (size,) = struct.unpack("<Q", _read_exactly(pipe, 8, deadline))
    return pickle.loads(_read_exactly(pipe, size, deadline))


def _ended(child, patience):
    """Its status; killed if it has not ended then: TensorFlow waits for kernels without end."""
    deadline = time.time() + patience
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

    def __init__(self, server=None, patience=PATIENCE, fill=0):
        self.server, self.patience, self.fill = server, patience, fill

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
                found.append(_receive(reading, self.patience))
                if late(found[-1]):
                    break
        except EOFError:
            pass
        except TimeoutError:
            found.append(("hung", ""))
        os.close(reading)
        hung = bool(found) and late(found[-1])
        status = _ended(child, 0 if hung else PATIENCE / 2)
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
            for answer in answers(drawns, target, self.patience):
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
                {"worker": 1}, extra=["--intra_op_threads", "2"], errors=self.errors
            )
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)
        self.target = self.cluster.target()

    def restart(self):
        self.close()
        self.start()

    def died(self, answers=()):
        """Where an answer is a lost connection, its death is waited for."""
        process = self.cluster.processes["worker", 0]
        if any(kind == "error" and "Socket closed" in what[1] for kind, what in answers):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
        return process.poll() is not None

    def last_words(self):
        """What it wrote of its death: a sanitizer's report, a failed assertion."""
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").split("\n")
        return "\n".join([OUR_SERVER] + [x for x in lines if x and not INFO.match(x)][:LAST_LINES])

    def close(self):
        self.cluster.close()


# ---- the comparison ------------------------------------------------------------------------------


def differs(drawn, ours, theirs, loose=1):
    """None, or what is different. `loose`: so many times the tolerance."""
    if ours[0] == theirs[0] == "died" and not ours[1].startswith(OUR_SERVER):
        return None  # the client itself dies of building such a node
    if ours[0] == "died":
        return f"ours died: {ours[1]}"
    if theirs[0] in ("died", "hung") or theirs[0] == "error" and theirs[1][0] in NO_ANSWER:
        return None
    if "refused" in (ours[0], theirs[0]):
        return None
    if ours[0] == "hung":
        return "ours hung"
    if ours[0] == "error" and theirs[0] == "error":
        if ours[1][0] != theirs[1][0] and theirs[1][0] != "Unimplemented":
            return f"class: ours {ours[1][1]} | TensorFlow: {theirs[1][1]}"
        return None
    if ours[0] == "error":
        return f"only ours fails: {ours[1][1]}"
    if theirs[0] == "error":
        if theirs[1][0] == "Unimplemented":
            return None
        return f"only TensorFlow fails: {theirs[1][1]}"
    return values_differ(drawn, ours[1], theirs[1], loose)


def values_differ(drawn, ours, theirs, loose=1):
    for i, ((name, a), (wanted, e)) in enumerate(zip(ours, theirs)):
        if name != wanted or a.shape != e.shape:
            return f"output {i} is {name}{a.shape}, TensorFlow's {wanted}{e.shape}"
        if op_differences.ignores_values(drawn.op):
            continue
        if drawn.op == "HistogramSummary":
            close = np.array(same_histogram(a.item(), e.item()))
        elif name in ops_test.RTOL:
            close = numbers_close(name, drawn, a, e, loose)
        else:
            close = a == e
        if not np.all(close):
            at = tuple(np.argwhere(~np.atleast_1d(close))[0])
            return (
                f"values: output {i} at {at}: {np.atleast_1d(a)[at]!r}, TensorFlow's "
                f"{np.atleast_1d(e)[at]!r} ({np.sum(~close)} of {np.size(close)})"
            )
    return None


def numbers_close(dtype, drawn, ours, theirs, loose):
    wide = np.complex128 if "complex" in dtype else np.float64
    ours, theirs = ours.astype(wide), theirs.astype(wide)
    rtol = 4 * max(drawn.rtol or 0, ops_test.RTOL[dtype])  # drawn from another dtype's
    rtol = max(rtol, min(0.1, rtol * loose))
    largest = float(np.max(np.abs(theirs[np.isfinite(theirs)]), initial=0))
    atol = 4 * loose * max(drawn.atol or 0, ops_test.ATOL[dtype]) + rtol * min(largest, 1e30)

    def close(a, e):
        return np.isclose(a, e, rtol, atol, equal_nan=True)

    with np.errstate(all="ignore"):
        # Where one part of a complex number is infinite, the other still has to agree.
        return close(ours, theirs) | close(ours.real, theirs.real) & close(ours.imag, theirs.imag)


def same_histogram(ours, theirs):
    """Its sums are rounded as the compiler ordered them. A tag that is no text is no summary to
    protobuf: the bytes are compared."""
    try:
        summaries = [summary_pb2.Summary.FromString(data) for data in (ours, theirs)]
    except message.DecodeError:
        return ours == theirs
    a, e = (summary.value.pop().histo for summary in summaries)
    numbers = [
        (h.min, h.max, h.num, h.sum, h.sum_squares, *h.bucket, *h.bucket_limit) for h in (a, e)
    ]
    return len(numbers[0]) == len(numbers[1]) and np.allclose(*numbers, 1e-9, equal_nan=True)


class Fuzzer:
    """Draws, asks both, counts; `report` gets a line for every difference."""

    def __init__(self, draws, report=print, loose=1, runs=False):
        self.draws, self.report, self.loose, self.runs = draws, report, loose, runs
        self.server = Server()
        self.counts = collections.Counter()
        self.ops = collections.defaultdict(collections.Counter)
        self.found = 0

    def draw(self, pairs):
        drawns = [d for d in (self.draws.draw(op, seed) for op, seed in pairs) if d]
        self.counts["undrawn"] += len(pairs) - len(drawns)
        return [run for d in drawns for run in self.draws.runs(d)] if self.runs else drawns

    def compare(self, drawns):
        with concurrent.futures.ThreadPoolExecutor(1) as beside:
            asked = beside.submit(Side().ask, drawns)
            ours = self.ask_ours(drawns)
            theirs = asked.result()
        for drawn, a, b in zip(drawns, ours, theirs):
            self.judge(drawn, a, b)

    def ask_ours(self, drawns, patience=PATIENCE):
        found = Side(self.server, patience).ask(drawns)
        if not self.server.died(found):
            return found
        # One by one from here: which of them was it?
        words, found = self.server.last_words(), []
        for drawn in drawns:
            if self.server.died():
                self.server.restart()
            found += Side(self.server, patience).ask([drawn])
            if self.server.died(found[-1:]):
                found[-1] = ("died", self.server.last_words())
        if all(kind != "died" for kind, _ in found):
            self.found += 1
            first = drawns[0]
            self.report(
                f"FAILED --first {first.seed} --count {len(drawns)}, from {first.op} on: ours died "
                f"of them together: {words}"
            )
        return found

    def broke(self, pairs):
        """A comparison ended in the exception that is being handled: a failure like others."""
        self.found += 1
        ops = " ".join(dict.fromkeys(op for op, _ in pairs))
        self.report(f"FAILED --first {pairs[0][1]} --count {len(pairs)} {ops}: the fuzzer itself")
        self.report(traceback.format_exc())
        self.server.restart()

    def judge(self, drawn, ours, theirs):
        kind = theirs[0] if theirs[0] != "error" else "error " + theirs[1][0]
        self.counts[kind] += 1
        self.ops[drawn.op][theirs[0]] += 1
        if drawn.shows_value and ours[0] != "value":
            self.found += 1
            self.report(f"FAILED {drawn.op} shows no value: {ours}\n    {str(drawn)[:700]}")
            return
        difference = differs(drawn, ours, theirs, self.loose)
        if difference is None:
            return
        if op_differences.reason(drawn, difference, MAJOR):
            self.counts["listed"] += 1
            self.ops[drawn.op]["listed"] += 1
            return
        difference = self.alone(drawn)
        if difference is None:
            return
        self.found += 1
        self.ops[drawn.op]["different"] += 1
        self.report(
            f"FAILED --replay {drawn.seed} {drawn.op}: {difference}\n    {str(drawn)[:700]}"
        )

    def alone(self, drawn):
        """The difference in a graph of its own, with time: what a batch does to it is none."""
        patient = [Side(fill=fill, patience=3 * PATIENCE) for fill in DIFFERENT_BYTES]
        drawns = [*drawn.before, drawn]
        first, second = (side.ask(drawns)[-1] for side in patient)
        if differs(drawn, first, second) is not None:
            self.counts["TensorFlow reads memory as it is"] += 1
            return None
        ours = self.ask_ours(drawns, 6 * PATIENCE)[-1]
        difference = differs(drawn, ours, first, self.loose)
        if difference is None or op_differences.reason(drawn, difference, MAJOR):
            return None
        return difference

    def table(self):
        for op, row in sorted(self.ops.items()):
            self.report(f"{op:40} " + " ".join(f"{k}={n}" for k, n in sorted(row.items())))

    def summary(self):
        total = sum(sum(row[k] for k in ANSWERS) for row in self.ops.values())
        rest = ", ".join(f"{n} {k}" for k, n in self.counts.most_common())
        return f"{total} draws of {len(self.ops)} ops: {rest}"


def make_draws():
    listed = subprocess.check_output([cluster.SERVER, "--list_ops"]).decode()
    return Draws(Kernels(listed))


def fuzzed_ops(draws):
    """The ops that are drawn."""
    return [op for op in draws.kernels.ops() if draws.known(op) and not op_differences.excluded(op)]


def run(fuzzer, ops, first, count, seconds):
    """Every op with the seed `first`, then with the next one, and so on. SIGTERM ends it early."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    deadline = time.time() + seconds
    pairs = ((op, seed) for seed in itertools.count(first) for op in ops)
    while count > 0 and time.time() < deadline:
        batch = list(itertools.islice(pairs, min(BATCH, count)))
        count -= len(batch)
        try:
            fuzzer.compare(fuzzer.draw(batch))
        except KeyboardInterrupt:
            fuzzer.report(f"ended early, at seed {batch[0][1]}")
            return
        except Exception:  # pylint: disable=broad-except
            fuzzer.broke(batch)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--runs", action="store_true")
    parser.add_argument("--replay", type=int)
    parser.add_argument("ops", nargs="*")
    options = parser.parse_args()
    print("TensorFlow", tensorflow.__version__, flush=True)
    draws = make_draws()
    fuzzer = Fuzzer(draws, lambda line: print(line, flush=True), runs=options.runs)
    try:
        if options.replay is not None:
            drawns = fuzzer.draw([(options.ops[0], options.replay)])
            for drawn, a, b in zip(drawns, Side().ask(drawns), fuzzer.ask_ours(drawns)):
                print(drawn, "static" if drawn.static else "")
                print("TensorFlow:", a)
                print("ours:", b)
            return
        ops = options.ops or fuzzed_ops(draws)
        run(fuzzer, ops, options.first, options.count, options.seconds)
        if options.table:
            fuzzer.table()
        print(fuzzer.summary())
    finally:
        fuzzer.server.close()
    passed = sum(row["value"] + row["error"] for row in fuzzer.ops.values()) - fuzzer.found
    print(f"{passed} passed, {fuzzer.found} failed")
    sys.exit(1 if fuzzer.found else 0)


if __name__ == "__main__":
    main()
