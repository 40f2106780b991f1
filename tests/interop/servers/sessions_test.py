# SPDX-License-Identifier: Apache-2.0
"""Sessions in full, compared with TensorFlow's own servers.

Handles, containers and resets, filters, several masters, sessions with their own cluster, traces,
and what becomes of every option.
"""

import os
import subprocess
import threading
import time

import pytest

from interop.programs.models import tf
from interop.tools.cluster import SERVER, TESTS, Cluster
from interop.tools.outcomes import Program, outcome, same

tf.disable_v2_behavior()
from google.protobuf.descriptor import FieldDescriptor  # noqa: E402
from tensorflow.python.client import timeline  # noqa: E402
from tensorflow.python.framework.function import Defun  # noqa: E402
from tensorflow.python.ops import control_flow_ops, functional_ops  # noqa: E402

JOBS = {"ps": 1, "worker": 2}
DEVICE = "/job:worker/replica:0/task:0/device:CPU:0"


def variable(target, name, value=None, container="", config=None, device="/job:ps/task:0"):
    """Reads a variable in a new session; with a value it is assigned first."""
    with tf.Graph().as_default() as graph, tf.container(container), tf.device(device):
        v = tf.get_variable(name, shape=[], dtype=tf.float32)
        put = v.assign(0.0 if value is None else value)
        with tf.Session(target, graph=graph, config=config) as session:
            if value is not None:
                session.run(put)
            return session.run(v)


def containers(cluster):
    """The state after each reset."""
    target = cluster.target()
    seen = []
    for reset in (["one"], ["two", "unknown"], ["ps"], []):
        for container, value in (("", 1.0), ("one", 2.0), ("two", 3.0)):
            variable(target, "kept", value, container)
        if reset:
            tf.Session.reset(target, reset)
        else:
            tf.Session.reset(target)
        for container in ("", "one", "two"):
            seen.append(outcome(variable, target, "kept", None, container))
    return seen


def session_after_reset(cluster):
    with Program(cluster.target()) as p:
        p.session.run(p.start)
        tf.Session.reset(cluster.target(), ["nothing"])
        return outcome(p.session.run, p.v)


def shared_between_masters(cluster):
    variable(cluster.target("worker", 0), "shared", 5.0)
    return [
        variable(cluster.target(job, task), "shared")
        for job, task in (("worker", 1), ("ps", 0), ("worker", 0))
    ]


def isolated(cluster):
    alone = tf.ConfigProto(isolate_session_state=True)
    variable(cluster.target(), "alone", 5.0)
    mine = variable(cluster.target(), "alone", 7.0, config=alone)
    return (
        mine,
        variable(cluster.target(), "alone"),
        outcome(variable, cluster.target(), "alone", None, "", alone),
    )


def filtered(cluster):
    config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:1"])
    with tf.Session(cluster.target("worker", 1), config=config, graph=tf.Graph()) as session:
        devices = sorted(d.name for d in session.list_devices() if "XLA" not in d.name)
    with tf.Graph().as_default() as graph, tf.device("/job:worker/task:0"):
        away = tf.identity(tf.placeholder_with_default(1.0, []))
        with tf.Session(cluster.target("worker", 1), config=config, graph=graph) as session:
            return devices, outcome(session.run, away)


def container_names(cluster):
    seen = []
    for name in ("A.b-c/d", "_x", "/x", "a b"):
        seen.append(outcome(variable, cluster.target(), "named", 1.0, name))
    return seen


def dead_fetches(cluster):
    """Fetches of tensors in a branch that is not taken."""
    with tf.Graph().as_default() as graph, tf.Session(cluster.target(), graph=graph) as session:
        side = tf.placeholder(tf.bool, [])
        with tf.device("/job:worker/task:1"):
            no, yes = control_flow_ops.switch(tf.constant(3.0), side)
            no, yes = no + 1.0, yes * 2.0
        call = session.make_callable(no, [side])
        handle = session.partial_run_setup([no], [side])
        return [
            outcome(call, False),
            outcome(call, True),
            outcome(session.run, [yes], {side: False}),
            outcome(session.run, [yes.op], {side: False}),
            outcome(session.partial_run, handle, no, {side: True}),
        ]


def python_function(cluster):
    with tf.Graph().as_default() as graph, tf.Session(cluster.target(), graph=graph) as session:
        return outcome(session.run, tf.py_func(lambda v: v, [1.0], tf.float32))


def remote_targets(cluster):
    """Calls of a function where only the step knows."""
    seen = []
    with tf.Graph().as_default() as graph, tf.Session(cluster.target(), graph=graph) as session:
        target = tf.placeholder(tf.string, [])

        @Defun(tf.float32)
        def twice(a):
            return a * 2.0, a + tf.random_uniform([], seed=3)

        call = functional_ops.remote_call(target, [1.5], [tf.float32, tf.float32], twice)
        for device in (DEVICE, "/job:ps/task:0", "/job:worker/task:1/cpu:0", DEVICE):
            seen.append(session.run(call, {target: device}))
        unknown = ("/job:worker/task:7", "/job:ps/task:0/cpu:7", "junk")
        for device in unknown:
            seen.append(outcome(session.run, call, {target: device}))
        for device in unknown:  # constants: only the runs that call fail
            stated = functional_ops.remote_call(device, [1.5], [tf.float32, tf.float32], twice)
            seen.append(outcome(session.run, stated))
            seen.append(session.run(call, {target: DEVICE}))
    return seen


def extended_while_running(cluster):
    """Eight threads run what is there while nodes are added."""
    with tf.Graph().as_default() as graph, tf.Session(cluster.target(), graph=graph) as session:
        x = tf.placeholder(tf.float32, [])
        with tf.device("/job:ps/task:0"):
            outputs = [x + 1.0]
        session.run(outputs[0], {x: 0})
        wrong = []
        stop = threading.Event()

        def run(number):
            i = 0
            while not stop.is_set():
                i += 1
                k = (i * 7 + number) % len(outputs)
                if session.run(outputs[k], {x: i}) != i + k + 1:
                    wrong.append((i, k))

        threads = [threading.Thread(target=run, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for k in range(1, 20):
            with tf.device("/job:worker/task:%d" % (k % 2)):
                more = outputs[-1] + 1.0
            if session.run(more, {x: 1}) != k + 2:
                wrong.append(k)
            outputs.append(more)
        stop.set()
        for thread in threads:
            thread.join()
        return wrong


# handles: TensorFlow's servers refuse them, its local session is the measure ---------------


def handles(target):
    with tf.Graph().as_default() as graph, tf.Session(target, graph=graph) as session:
        with tf.device("/job:worker/task:0" if target else None):  # the master's, where feeds are
            get = tf.get_session_handle(tf.constant([1.0, 2.0]) * 3.0)
        seen = []
        handle = session.run(get)
        seen.append(handle.eval())
        holder, tensor = tf.get_session_tensor(handle.handle, tf.float32)
        seen.append(session.run(tensor + 1.0, {holder: handle.handle}))
        more = session.run(get)
        seen.append(session.run(tensor, {holder: more.handle}))
        direct, other = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
        seen += session.run([direct, direct - 1.0], {direct: more})
        seen.append(outcome(session.run, tf.identity(other), {other: more}))
        delete_holder, delete = tf.delete_session_tensor(more.handle)
        session.run(delete, {delete_holder: more.handle})
        seen.append(outcome(session.run, tensor, {holder: more.handle}))
        seen.append(outcome(session.run, delete, {delete_holder: more.handle}))
        seen.append(
            outcome(session.run, tensor, {holder: "nobody;1;/job:ps/replica:0/task:0/device:CPU:0"})
        )
        for old in (handle, more):
            old._auto_gc_enabled = False
        return seen


# a session with its own cluster ------------------------------------------------------------


def own_cluster(servers, share=False, target=0, names=("ps", "worker", "worker"), extra=()):
    """Servers that know nothing of each other become the tasks of a session's cluster."""
    addresses = [server.spec["local"][0] for server in servers]
    config = tf.ConfigProto()
    config.operation_timeout_in_ms = 20000
    config.experimental.share_session_state_in_clusterspec_propagation = share
    jobs = {}
    for name, address in list(zip(names, addresses)) + list(extra):
        if name not in jobs:
            jobs[name] = config.cluster_def.job.add(name=name)
        jobs[name].tasks[len(jobs[name].tasks)] = address
    with tf.Graph().as_default() as graph:
        with tf.device("/job:ps/task:0"):
            v = tf.get_variable("w", initializer=tf.zeros([3]), use_resource=True)
            more = v.assign_add([1.0, 2.0, 3.0])
        with tf.device("/job:worker/task:0"):
            a = tf.identity(v) + 1.0
        with tf.device("/job:worker/task:1"):
            b = tf.reduce_sum(a * 2.0)
        start = tf.global_variables_initializer()
        with tf.Session("grpc://" + addresses[target], graph=graph, config=config) as session:
            session.run(start)
            for _ in range(3):
                session.run(more)
            devices = sorted(d.name for d in session.list_devices() if "XLA" not in d.name)
            values = session.run([a, b])
        with tf.Session("grpc://" + addresses[target], graph=graph, config=config) as session:
            again = outcome(session.run, v)
    return devices, values, again


def first_words(servers, **options):
    """How the error begins that refuses the cluster."""
    try:
        return own_cluster(servers, **options)
    except tf.errors.OpError as error:
        return error.message.replace(":", "").split()[:10]


def test_own_clusters(checks):
    def start(kind):
        return [Cluster({"local": 1}, kind=kind) for _ in range(3)]

    ours, theirs = start("sluice"), start("tensorflow")
    try:
        address = ours[0].spec["local"][0], theirs[0].spec["local"][0]
        for name, options in (
            ("own cluster", {}),
            ("master elsewhere", {"target": 2}),
            ("shared state", {"share": True}),
            ("isolated again", {}),
            ("boot name", {"names": ("local", "worker", "worker")}),
            ("not a task", {"names": ("ps",), "target": 1}),
        ):
            expected, actual = (
                outcome(lambda o=options: own_cluster(theirs, **o)),
                outcome(lambda o=options: own_cluster(ours, **o)),
            )
            checks.check(name, same(actual, expected), f"{actual!r}, TensorFlow: {expected!r}")
        for options in ({"names": ("local", "worker", "worker")}, {"names": ("ps",), "target": 1}):
            said = [first_words(s, **options) for s in (ours, theirs)]
            checks.check("words of the error", said[0] == said[1], repr(said))
        twice = [
            outcome(lambda s=servers, x=a: own_cluster(s, extra=[("worker", x)]))
            for servers, a in zip((ours, theirs), address)
        ]
        checks.check("target named twice", same(*twice), repr(twice))
    finally:
        for cluster in ours + theirs:
            cluster.close()


# traces ------------------------------------------------------------------------------------


def check_transfers(checks, devices):
    moved = [
        n.timeline_label
        for n in devices["/job:worker/replica:0/task:1/device:CPU:0"].node_stats
        if n.node_name == "RecvTensor"
    ]
    checks.check(
        "transfers are named",
        any("r1" in m and "[4B]" in m and "/job:ps/replica:0/task:0" in m for m in moved),
        repr(moved),
    )
    checks.check(
        "transfers name their transport",
        all(m.split(" by ")[-1] in ("shm", "tcp", "grpc") for m in moved),
        repr(moved),
    )


def check_nodes(checks, devices):
    checks.check(
        "times are sane",
        all(
            n.all_start_micros > 0 and n.all_end_rel_micros >= 0
            for d in devices.values()
            for n in d.node_stats
        ),
    )
    described = [
        o.tensor_description
        for d in devices.values()
        for n in d.node_stats
        if n.node_name == "r2"
        for o in n.output
    ]
    checks.check(
        "outputs are described",
        [(o.dtype, o.allocation_description.requested_bytes) for o in described]
        == [(tf.float32.as_datatype_enum, 4)],
        repr(described),
    )


def traces(checks, cluster):
    with Program(cluster.target()) as p:
        feeds = {p.a: 1, p.b: 2, p.c: 3}
        for level in range(3):
            metadata = tf.RunMetadata()
            p.session.run(
                p.r2, feeds, options=tf.RunOptions(trace_level=level), run_metadata=metadata
            )
            checks.check("level %d reports nothing" % level, not metadata.step_stats.dev_stats)
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
        p.session.run(p.r2, feeds, options=options, run_metadata=metadata)
        devices = {d.device: d for d in metadata.step_stats.dev_stats}
        wanted = {
            "/job:%s/replica:0/task:%d/device:CPU:0" % task
            for task in (("ps", 0), ("worker", 0), ("worker", 1))
        }
        checks.check("all tasks report", set(devices) == wanted, repr(sorted(devices)))
        labels = {n.node_name: n.timeline_label for d in devices.values() for n in d.node_stats}
        checks.check(
            "nodes are labelled with their inputs",
            labels.get("r2", "").startswith("r2 = Mul(") and "recv" in labels["r2"],
            repr(labels),
        )
        reported = tf.RunMetadata()
        p.session.run(p.constant, options=options, run_metadata=reported)
        stats = [n for d in reported.step_stats.dev_stats for n in d.node_stats]
        checks.check(
            "constants are reported, once, with their values",
            [len(n.output) for n in stats if n.node_name == "constant"] == [1],
            repr(stats),
        )
        check_transfers(checks, devices)
        check_nodes(checks, devices)
        picture = timeline.Timeline(metadata.step_stats).generate_chrome_trace_format(
            show_memory=True
        )
        checks.check(
            "the timeline renders", '"Mul"' in picture and "RecvTensor" in picture, picture[:500]
        )
        nodes = {n.name for g in metadata.partition_graphs for n in g.node}
        checks.check(
            "partition graphs",
            {"r1", "r2"} <= nodes and len(metadata.partition_graphs) == 3,
            repr(sorted(nodes)),
        )
        with tf.Graph().as_default():
            for partition in metadata.partition_graphs:
                checks.check("a partition is a GraphDef", partition.ByteSize() > 0)


def costs(cluster):
    """Which steps of a signature tell what its nodes cost, and what they tell of one node."""
    config = tf.ConfigProto()
    config.graph_options.build_cost_model = 2
    config.graph_options.build_cost_model_after = 1
    seen = []
    with Program(cluster.target(), config) as p:
        for _ in range(6):
            metadata = tf.RunMetadata()
            p.session.run(p.r1, {p.a: 1, p.b: 2}, run_metadata=metadata)
            told = [n for n in metadata.cost_graph.node if n.name == "r1"]
            seen.append([(n.device, len(n.input_info), len(n.output_info)) for n in told])
            sizes = [o.size for n in told for o in n.output_info]
            if cluster.kind == "sluice" and sizes != [4] * len(told):  # TensorFlow's are 0
                seen.append(sizes)
    return seen


# options -----------------------------------------------------------------------------------


def is_repeated(field):
    if hasattr(field, "is_repeated"):  # protobuf of 2025 has no label any more
        return field.is_repeated
    return field.label == FieldDescriptor.LABEL_REPEATED


def set_field(message, path):
    """Sets the field to something else than its default; False when this TensorFlow lacks it."""
    names = path.split(".")
    for name in names[:-1]:
        if name not in message.DESCRIPTOR.fields_by_name:
            return False
        message = getattr(message, name)
        message.SetInParent()
    field = message.DESCRIPTOR.fields_by_name.get(names[-1])
    if field is None:
        return False
    repeated = is_repeated(field)
    if path.endswith("cluster_def") or path.endswith("device_filters"):
        pass  # tested above
    elif field.message_type is not None:
        if field.message_type.GetOptions().map_entry:
            getattr(message, field.name)["CPU"] = 1
        elif repeated:
            getattr(message, field.name).add()
        else:
            getattr(message, field.name).SetInParent()
    else:
        values = {
            FieldDescriptor.TYPE_STRING: "x",
            FieldDescriptor.TYPE_BOOL: True,
            FieldDescriptor.TYPE_DOUBLE: 0.5,
            FieldDescriptor.TYPE_FLOAT: 0.5,
        }
        value = values.get(field.type, 9999 if "timeout" in path else 1)
        if path.endswith("executor_type"):
            value = "SINGLE_THREADED_EXECUTOR"  # any other name is an error
        if path.endswith("collective_group_leader"):
            value = "/job:worker/replica:0/task:0"  # a task of the cluster
        if field.type == FieldDescriptor.TYPE_ENUM:
            value = field.enum_type.values[1].number
        if repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)
    return True


def options(checks, cluster):
    table = subprocess.check_output([SERVER, "--list_options"]).decode()
    rows = [
        [cell.strip(" `") for cell in line.split("|")[1:3]]
        for line in table.splitlines()
        if line.startswith(("| `ConfigProto.", "| `RunOptions."))
    ]
    checks.check("the table is long", len(rows) > 130, len(rows))
    for path, fate in rows:
        root, path = path.split(".", 1)
        config, run = tf.ConfigProto(), tf.RunOptions()
        if not set_field(config if root == "ConfigProto" else run, path):
            continue  # of a later TensorFlow
        with Program(cluster.target(), config) as p:
            result = outcome(
                lambda p=p, run=run: p.session.run(p.r1, {p.a: 1, p.b: 2}, options=run)
            )
        if fate == "refused":
            checks.check(
                path,
                result in (tf.errors.UnimplementedError, tf.errors.InvalidArgumentError),
                repr(result),
            )
        else:
            checks.check(path, same(result, 3.0), repr(result))
    # Applied fields have an effect.
    static = tf.ConfigProto()
    if set_field(static, "experimental.optimize_for_static_graph"):
        with Program(cluster.target(), static) as p:
            p.session.run(p.start)
            with p.graph.as_default():
                late = p.r1 + 1.0
            checks.check(
                "a static graph is not extended",
                outcome(p.session.run, late, {p.a: 1, p.b: 1}) is tf.errors.FailedPreconditionError,
            )
    bare = tf.ConfigProto()
    if set_field(bare, "experimental.disable_output_partition_graphs"):
        with Program(cluster.target(), bare) as p:
            feeds = {p.a: 1, p.b: 2}
            asking = tf.RunOptions(output_partition_graphs=True)
            checks.check(
                "a session without partition graphs refuses them",
                outcome(p.session.run, p.r1, feeds, asking) is tf.errors.InvalidArgumentError,
            )
            checks.check("other steps run", same(outcome(p.session.run, p.r1, feeds), 3.0))
    with Program(cluster.target(), tf.ConfigProto(operation_timeout_in_ms=400)) as p:
        with p.graph.as_default():
            queue = tf.FIFOQueue(1, [tf.float32]).dequeue()
        checks.check(
            "operation_timeout_in_ms",
            outcome(p.session.run, queue)
            in (tf.errors.DeadlineExceededError, tf.errors.UnimplementedError),
        )


# sessions nobody closes --------------------------------------------------------------------


def test_abandoned_sessions(checks):
    with Cluster({"worker": 1}, extra=["--max_sessions", "3", "--idle_session_s", "2"]) as cluster:
        graph = tf.Graph()
        with graph.as_default():
            x = tf.constant(1.0) + 1.0
        sessions = [tf.Session(cluster.target(), graph=graph) for _ in range(5)]
        for session in sessions[:3]:
            session.run(x)
        checks.check(
            "one too many is refused",
            outcome(sessions[3].run, x) is tf.errors.ResourceExhaustedError,
        )
        time.sleep(1.2)
        sessions[1].run(x)
        sessions[2].run(x)
        time.sleep(1.2)
        checks.check(
            "the one that was idle longest makes room", same(outcome(sessions[4].run, x), 2.0)
        )
        checks.check("it is aborted", outcome(sessions[0].run, x) is tf.errors.AbortedError)
        checks.check("the others live", all(same(outcome(s.run, x), 2.0) for s in sessions[1:3]))
        for session in sessions:
            outcome(session.close)


DYING_CLIENT = """
import os, sys
sys.path.insert(0, sys.argv[1])
from interop.programs.models import tf
tf.disable_v2_behavior()
with tf.device("/job:ps/task:0"):
    v = tf.get_variable("left_behind", shape=[], dtype=tf.float32)
    put = v.assign(42.0)
session = tf.Session(sys.argv[2])
session.run(put)
os.kill(os.getpid(), 9)
"""


def client_dies(cluster):
    subprocess.call(
        [os.sys.executable, "-c", DYING_CLIENT, TESTS, cluster.target()], stderr=subprocess.DEVNULL
    )
    return variable(cluster.target("worker", 1), "left_behind")


COMPARED = (
    shared_between_masters,
    isolated,
    filtered,
    session_after_reset,
    containers,
    container_names,
    costs,
    dead_fetches,
    python_function,
    remote_targets,
    client_dies,
)


@pytest.mark.parametrize("function", COMPARED, ids=lambda function: function.__name__)
def test_as_theirs(ours, theirs, function):
    expected, actual = outcome(function, theirs), outcome(function, ours)
    assert same(actual, expected), f"{actual!r}, TensorFlow: {expected!r}"


def test_handles(ours):
    expected, actual = outcome(handles, ""), outcome(handles, ours.target())
    assert same(actual, expected), f"{actual!r}, TensorFlow: {expected!r}"


def test_extended_while_running(ours):
    assert outcome(extended_while_running, ours) == []


def test_traces(checks, ours):
    traces(checks, ours)


def test_options(checks, ours):
    options(checks, ours)
