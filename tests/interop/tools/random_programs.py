# Long because: one generator; every feature draws on the same scope, values and devices.
"""Random programs: built by TensorFlow's client, run by our cluster and by TensorFlow itself.

A program is made from its seed alone: nested while loops, conditionals, functions, TensorArrays,
state, stacks, queues and gradients, its ops spread over one to three tasks. TensorFlow's session in
this process, on the same graph without its devices, says what is right: integers exactly, floats to
1e-5. A step that does not end fails the program, and the seed is named.

    random_programs.py [--first SEED] [--count N] [--seconds S] [--stop] [--reduce]

State is touched in one order only: each variable or queue has a token, an integer that flows with
the data through loops, branches and functions; an access waits for it and hands on the next one.
"""

import argparse
import collections
import contextlib
import os
import random
import sys
import threading
import time

import numpy as np
import tensorflow

from interop.tools.cluster import Cluster

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.FATAL)

from tensorflow.python.framework import function  # noqa: E402
from tensorflow.python.ops import control_flow_util, gen_data_flow_ops  # noqa: E402

TASKS = ["/job:worker/task:%d" % task for task in range(3)]
WIDTH = 3
STEP_SECONDS = 30
PROGRAM_SECONDS = 150

# Every program has some of these; a run prints the share of each and wants a tenth at least.
FEATURES = [
    "while v1",
    "while v1, depth 2",
    "while v1, depth 3",
    "while v1, one iteration at a time",
    "while v1, 32 iterations at a time",
    "while v2",
    "cond v1",
    "cond v1 in a loop",
    "loop in cond v1",
    "cond v2 (If)",
    "case v2 (Case)",
    "Defun",
    "tf.function",
    "TensorArray v1",
    "TensorList arrays",
    "map_fn, scan, fold",
    "ref variable",
    "ref variable in a loop",
    "resource variable",
    "resource variable in a function",
    "queue",
    "stack",
    "gradients",
    "gradients of a loop v1",
    "gradients of a loop v2",
    "gradients of a branch",
    "1 task",
    "2 tasks",
    "3 tasks",
    "loop over tasks",
    "branch over tasks",
    "swap_memory",
    "float32",
    "float64",
]


@contextlib.contextmanager
def control_flow(v2):
    """Which control flow tf.cond and tf.while_loop build here."""
    saved = control_flow_util.ENABLE_CONTROL_FLOW_V2
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = v2
    try:
        yield
    finally:
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = saved


def as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


class State:
    """A variable or a queue, and where it stands."""

    def __init__(self, kind, device, value):
        self.kind, self.device, self.value = kind, device, value


class Scope:
    """What a block of statements can use, and where it stands."""

    def __init__(self, floats, ints, tokens, v2=False, function=False, defun=False, loops=0):
        self.floats, self.ints, self.tokens = list(floats), list(ints), dict(tokens)
        self.v2 = v2  # control flow here is functional, whatever is asked
        self.function, self.defun = function, defun
        self.loops = loops  # loops of version 1 around this block
        self.in_loop = self.in_branch = False

    def inner(self, floats, ints, tokens, **changes):
        scope = Scope(floats, ints, tokens)
        for name in ("v2", "function", "defun", "loops", "in_loop", "in_branch"):
            setattr(scope, name, changes.get(name, getattr(self, name)))
        return scope


class Program:
    """Made from `seed`; `skip` names statements that are left out (the reducer's knife)."""

    def __init__(self, seed, skip=()):
        self.seed, self.skip = seed, frozenset(skip)
        self.features = set()
        self.statements = []  # paths, in the order of building
        self.unbuilt = collections.Counter()  # what the client itself refused
        self.states = {}
        self.steps = []  # (names of fetches, feeds)
        r = self.rng("program")
        self.tasks = r.choice([1, 2, 2, 3, 3])
        self.features.add("%d task%s" % (self.tasks, "s" * (self.tasks > 1)))
        self.dtype = r.choice([tf.float32, tf.float32, tf.float64])
        self.features.add(self.dtype.name)
        self.budget = r.choice([6, 9, 12, 16])
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.build(r)

    def rng(self, path):
        return random.Random("%d/%s" % (self.seed, path))

    # ---- the whole ----

    def build(self, r):
        floats = [tf.placeholder(self.dtype, [WIDTH], name="x%d" % k) for k in range(2)]
        ints = [tf.placeholder(tf.int32, [], name="n%d" % k) for k in range(2)]
        self.weights = [self.variable(r, "w%d" % k, [WIDTH, WIDTH], True) for k in range(2)]
        self.ref_weight = self.variable(r, "r", [WIDTH, WIDTH], False)
        tokens = {}
        for kind in r.sample(["ref", "resource", "queue"], r.choice([0, 1, 2, 3, 3])):
            self.states[kind] = self.make_state(r, kind)
            tokens[kind] = tf.constant(0, name="token_" + kind)
        scope = Scope(floats, ints, tokens)
        self.block(scope, "", r.choice([3, 4, 5]), depth=0)
        results = scope.floats[2:] + scope.ints[2:] or scope.floats
        ends = list(scope.tokens.values())
        gradients = self.gradients(r, floats, scope.floats[2:])
        state = [self.read_state(kind) for kind in sorted(self.states)]
        self.initializers = [tf.global_variables_initializer().name]
        if "queue" in self.states:
            queue = self.states["queue"].value
            first = tf.constant([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]], self.dtype)
            self.initializers.append(queue.enqueue_many([first]).name)
        for step in range(3):
            some = r.sample(results, r.randint(1, len(results))) if step else results
            more = r.choice([gradients, gradients, []]) if step else gradients
            fetches = [t.name for t in some + more + ends]
            feeds = {"x%d:0" % k: [r.uniform(-1, 1) for _ in range(WIDTH)] for k in range(2)}
            feeds.update({"n%d:0" % k: r.randint(0, 20) for k in range(2)})
            self.steps.append((fetches, feeds))
            if state:
                self.steps.append(([t.name for t in state], {}))

    def variable(self, r, name, shape, use_resource):
        values = [r.uniform(-0.6, 0.6) for _ in range(int(np.prod(shape)))]
        with tf.device(self.task(r)):
            return tf.get_variable(
                "%s_%d" % (name, self.seed),
                initializer=tf.constant(np.reshape(values, shape), self.dtype),
                use_resource=use_resource,
            )

    def make_state(self, r, kind):
        device = self.task(r)
        if kind == "queue":
            with tf.device(device):
                return State(kind, device, tf.FIFOQueue(8, [self.dtype], shapes=[[WIDTH]]))
        variable = self.variable(r, "state_" + kind, [WIDTH], kind == "resource")
        return State(kind, variable.device, variable)

    def read_state(self, kind):
        state = self.states[kind]
        with tf.device(state.device):
            return state.value.size() if kind == "queue" else state.value.read_value() * 1.5

    def gradients(self, r, inputs, outputs):
        if not outputs or r.random() < 0.3 or "gradients" in self.skip:
            return []
        chosen = r.sample(outputs, min(len(outputs), 3))
        result = []
        with self.refusals("gradients"):
            loss = tf.add_n([tf.reduce_sum(t) for t in chosen])
            targets = inputs + self.weights + [self.ref_weight]
            result = [g for g in tf.gradients(loss, targets) if g is not None]
        if not result:
            return []
        self.features.add("gradients")
        passed = {op.type for op in self.graph.get_operations() if "gradients" in op.name}
        for feature, types in (
            ("gradients of a loop v1", {"NextIteration"}),
            ("gradients of a loop v2", {"While", "StatelessWhile"}),
            ("gradients of a branch", {"Switch", "If", "StatelessIf", "Case", "StatelessCase"}),
        ):
            if passed & types:
                self.features.add(feature)
        return [tf.convert_to_tensor(g) for g in result]

    # ---- statements ----

    def block(self, scope, path, count, depth):
        for k in range(count):
            here = "%s/%d" % (path, k)
            if here in self.skip:
                continue
            if self.budget <= 0 and k > 0:
                return
            self.budget -= 1
            self.statements.append(here)
            self.statement(scope, here, depth)

    def statement(self, scope, path, depth):
        r = self.rng(path)
        kinds = {self.arithmetic: 5 if depth else 2}
        if self.touchable(scope):
            kinds[self.access] = 16 if scope.in_loop and "ref" in self.touchable(scope) else 7
        kinds[self.stack] = 0.6
        if depth < 4:
            plain_loop = scope.in_loop and not scope.function
            kinds.update({self.loop: 12 if plain_loop or scope.in_branch else 7})
            kinds.update({self.branch: 5, self.array: 3, self.higher: 1})
            if not scope.defun:
                kinds.update({self.call: 1.5, self.defun: 1.5})
        choice = r.choices(list(kinds), list(kinds.values()))[0]
        if depth:  # inside a loop or a function a failure would leave it half built
            return choice(scope, r, path, depth)
        with self.refusals(choice.__name__):
            choice(scope, r, path, depth)

    @contextlib.contextmanager
    def refusals(self, name):
        """What the client itself refuses to build is counted, and left out."""
        context = self.graph._get_control_flow_context()
        try:
            yield
        except Exception as error:
            if os.environ.get("SLUICE_TEST_VERBOSE"):
                raise
            self.graph._set_control_flow_context(context)
            self.unbuilt["{}: {}".format(name, str(error).split("\n")[0][:90])] += 1

    def task(self, r):
        return TASKS[r.randrange(self.tasks)]

    def somewhere(self, r, scope):
        if self.tasks == 1 or r.random() < 0.4:
            return contextlib.nullcontext()
        if scope.in_loop:
            self.features.add("loop over tasks")
        if scope.in_branch:
            self.features.add("branch over tasks")
        return tf.device(self.task(r))

    def number(self, scope, r):
        """One of the integers, bounded: what trip counts and predicates are made of."""
        with self.somewhere(r, scope):
            return tf.floormod(r.choice(scope.ints) + r.randint(0, 5), r.randint(2, 5))

    def predicate(self, scope, r):
        # Of integers only: a float near its bound might fall on either side.
        n = self.number(scope, r)
        with self.somewhere(r, scope):
            return tf.less(n, r.randint(0, 3)) if r.random() < 0.5 else tf.equal(n, r.randint(0, 2))

    def arithmetic(self, scope, r, path, depth):
        for _ in range(r.randint(1, 3)):
            with self.somewhere(r, scope):
                if r.random() < 0.75:
                    scope.floats.append(self.float_op(scope, r))
                else:
                    scope.ints.append(self.int_op(scope, r))

    def float_op(self, scope, r):
        a, b = r.choice(scope.floats[-4:]), r.choice(scope.floats)
        weights = self.weights if scope.function else self.weights + [self.ref_weight]
        kind = r.randrange(10)
        if kind == 0:
            return tf.tanh(a + b)
        if kind == 1:
            return a * b * 0.7
        if kind in (2, 3):
            w = r.choice(weights)
            with tf.device(w.device):
                w = w.read_value()
            return tf.tanh(tf.reshape(tf.matmul(tf.reshape(a, [1, WIDTH]), w), [WIDTH]))
        if kind == 4:
            return tf.sigmoid(a - b)
        if kind == 5:
            return tf.reverse(a, [0]) * 0.5 + b * 0.25
        if kind == 6:
            index = tf.floormod(tf.range(WIDTH) + r.choice(scope.ints), WIDTH)
            return tf.gather(a, index)
        if kind == 7:
            return tf.where(tf.constant([True, False, True]), a, tf.sin(b))
        if kind == 8:
            first, second = tf.split(tf.concat([a, b], 0) * 0.9, 2)
            return first - second * 0.5
        return a * 0.5 + tf.cast(tf.floormod(r.choice(scope.ints), 7), self.dtype) * 0.1

    def int_op(self, scope, r):
        a, b = r.choice(scope.ints[-4:]), r.choice(scope.ints)
        kind = r.randrange(4)
        if kind == 0:
            return tf.floormod(a * 3 + b, 101)
        if kind == 1:
            return tf.abs(a - b)
        if kind == 2:
            return tf.maximum(a, tf.floormod(b, 50))
        return tf.reduce_sum(tf.stack([a, b, tf.constant(2)])) % 97

    # ---- state ----

    def touchable(self, scope):
        """References do not pass into functions."""
        return sorted(k for k in scope.tokens if k == "resource" or not scope.function)

    def access(self, scope, r, path, depth):
        """Reads or writes a variable, or turns a queue by one, after all earlier accesses."""
        kinds = self.touchable(scope)
        # References in loops are rare otherwise: no function takes them.
        kind = "ref" if scope.in_loop and "ref" in kinds and r.random() < 0.6 else r.choice(kinds)
        state = self.states[kind]
        token = tf.identity(scope.tokens[kind])
        x = r.choice(scope.floats)
        with tf.control_dependencies([token]), tf.device(state.device):
            result = self.touch(state, tf.stop_gradient(x) * 0.5, r)
        with tf.control_dependencies([result]):
            scope.tokens[kind] = token + 1
        scope.floats.append(tf.stop_gradient(result))
        self.features.add(kind if kind == "queue" else kind + " variable")
        if kind == "ref" and scope.in_loop:
            self.features.add("ref variable in a loop")
        if kind == "resource" and scope.function:
            self.features.add("resource variable in a function")

    def touch(self, state, x, r):
        if state.kind == "queue":
            with tf.control_dependencies([state.value.enqueue([x])]):
                return state.value.dequeue() * 0.9
        variable = state.value
        kind = r.randrange(4)
        if kind == 0:
            return variable.read_value() * 0.5 + x
        if kind == 1:
            written = variable.assign_add(x * 0.1)
        elif kind == 2:
            written = variable.assign_sub(x * 0.1)
        else:
            before = variable.read_value() * 0.5
            with tf.control_dependencies([before]):
                written = variable.assign(tf.tanh(before + x))
        if r.random() < 0.5 and state.kind == "ref":
            return written * 0.5  # the reference itself, read
        with tf.control_dependencies([written]):
            return variable.read_value() * 0.5

    # ---- loops ----

    def loop(self, scope, r, path, depth):
        v2 = scope.v2 or r.random() < 0.25
        width, ints = r.randint(1, 2), r.randint(0, 1)
        kinds = sorted(scope.tokens)
        limit = self.number(scope, r) if r.random() < 0.6 else tf.constant(r.randint(0, 3))
        start = [r.choice(scope.floats) for _ in range(width)]
        start += [r.choice(scope.ints) for _ in range(ints)]
        start += [scope.tokens[kind] for kind in kinds]
        outer = r.sample(scope.floats, 1), r.sample(scope.ints, 1)
        loops = scope.loops + (not v2)

        def body(i, *carried):
            floats, more = carried[:width], carried[width : width + ints]
            inner = scope.inner(
                outer[0] + list(floats), outer[1] + [i] + list(more),
                dict(zip(kinds, carried[width + ints :])),
                v2=v2, function=scope.function or v2, loops=loops, in_loop=True,
            )  # fmt: skip
            self.block(inner, path, r_body.randint(1, 3), depth + 1)
            results = [r_body.choice(inner.floats[1:]) for _ in floats]
            results += [r_body.choice(inner.ints) for _ in more]
            return [i + 1] + results + [inner.tokens[kind] for kind in kinds]

        def cond(i, *carried):
            with self.somewhere(self.rng(path + "c"), scope):
                return i < limit

        r_body = self.rng(path + "b")
        result = self.while_loop(scope, r, v2, cond, body, [tf.constant(0)] + start)
        if not v2:
            self.features.add("while v1" if loops == 1 else "while v1, depth %d" % loops)
            if scope.in_branch:
                self.features.add("loop in cond v1")
        scope.ints.append(result[0])
        scope.floats += result[1 : 1 + width]
        scope.ints += result[1 + width : 1 + width + ints]
        scope.tokens.update(zip(kinds, result[1 + width + ints :]))

    def while_loop(self, scope, r, v2, cond, body, start):
        parallel = r.choice([1, 1, 2, 3, 10, 32, 32])
        swap = r.random() < 0.2
        if v2:
            self.features.add("while v2")
        else:
            if parallel in (1, 32):
                name = {1: "one iteration", 32: "32 iterations"}[parallel]
                self.features.add(f"while v1, {name} at a time")
            if swap:
                self.features.add("swap_memory")
        with control_flow(v2):
            return as_list(
                tf.while_loop(
                    cond, body, start, parallel_iterations=parallel, swap_memory=swap,
                    maximum_iterations=r.choice([None, None, 5]),
                )
            )  # fmt: skip

    # ---- branches ----

    def branch(self, scope, r, path, depth):
        case = r.random() < 0.2  # functional, whatever is asked
        v2 = scope.v2 or case or r.random() < 0.3
        kinds = sorted(scope.tokens)
        ints = r.randint(0, 1)

        def side(name):
            def build():
                mine = self.rng(path + name)
                inner = scope.inner(
                    mine.sample(scope.floats, min(2, len(scope.floats))),
                    mine.sample(scope.ints, min(2, len(scope.ints))),
                    {kind: tf.identity(scope.tokens[kind]) for kind in kinds},
                    v2=v2, function=scope.function or v2, in_branch=True,
                )  # fmt: skip
                self.block(inner, path + name, mine.randint(0, 2), depth + 1)
                results = [mine.choice(inner.floats)] + [mine.choice(inner.ints)] * ints
                # What is outside already would make the client treat the result as the same tensor.
                results = [tf.identity(t) for t in results]
                return results + [inner.tokens[kind] for kind in kinds]

            return build

        with control_flow(v2):
            if case:
                sides = [side(name) for name in "abcd"[: r.randint(2, 4)]]
                result = tensorflow.switch_case(self.number(scope, r), sides)
            else:
                result = tf.cond(self.predicate(scope, r), side("a"), side("b"))
        if v2:
            self.features.add("case v2 (Case)" if case else "cond v2 (If)")
        else:
            self.features.add("cond v1")
            if scope.in_loop:
                self.features.add("cond v1 in a loop")
        result = as_list(result)
        scope.floats.append(tf.reshape(result[0], [WIDTH]))
        scope.ints += result[1 : 1 + ints]
        scope.tokens.update(zip(kinds, result[1 + ints :]))

    # ---- functions ----

    def call(self, scope, r, path, depth):
        """A tf.function: multi-device, may hold state, is differentiated."""
        kinds = [kind for kind in sorted(scope.tokens) if kind == "resource"]

        def body(x, n, *tokens):
            mine = self.rng(path + "b")
            inner = scope.inner(
                [x] + [mine.choice(scope.floats)] * mine.randint(0, 1),
                [n], dict(zip(kinds, tokens)), v2=True, function=True,
            )  # fmt: skip
            self.block(inner, path, mine.randint(1, 3), depth + 1)
            results = [tf.identity(inner.floats[-1]), tf.identity(inner.ints[-1])]
            return results + [inner.tokens[kind] for kind in kinds]

        built = tensorflow.function(body, autograph=False)
        for _ in range(r.randint(1, 2)):
            result = built(
                r.choice(scope.floats), r.choice(scope.ints), *[scope.tokens[k] for k in kinds]
            )
            scope.floats.append(result[0])
            scope.ints.append(result[1])
            scope.tokens.update(zip(kinds, result[2:]))
        self.features.add("tf.function")

    def defun(self, scope, r, path, depth):
        """A Defun: control flow of version 1 in a function; SymbolicGradient where it is plain."""
        plain = r.random() < 0.4
        kinds = [] if plain else [kind for kind in sorted(scope.tokens) if kind == "resource"]
        types = [self.dtype, tf.int32] + [tf.int32] * len(kinds)

        @function.Defun(*types, func_name="f_%d_%s" % (self.seed, path.replace("/", "_")))
        def body(x, n, *tokens):
            mine = self.rng(path + "b")
            x.set_shape([WIDTH])
            for t in (n,) + tokens:
                t.set_shape([])
            inner = scope.inner(
                [x], [n], dict(zip(kinds, tokens)), v2=False, function=True, defun=True,
                in_branch=False, in_loop=False, loops=0,
            )  # fmt: skip
            if plain:
                # What TensorFlow's runtime itself can differentiate: nothing captured, no integers.
                # No value is unused: TensorFlow's SymbolicGradient would take its gradient for 0.
                for _ in range(mine.randint(1, 3)):
                    a, b = inner.floats[-1], mine.choice([x, inner.floats[-1]])
                    with self.somewhere(mine, scope):
                        inner.floats.append(mine.choice([
                            lambda a, b: tf.tanh(a + b), lambda a, b: a * b * 0.7,
                            lambda a, b: tf.sigmoid(a - b * 0.5), lambda a, b: tf.sin(a) * 0.5,
                        ])(a, b))  # fmt: skip
            else:
                self.block(inner, path, mine.randint(1, 3), depth + 1)
            results = [tf.identity(inner.floats[-1]), tf.identity(inner.ints[-1])]
            return tuple(results + [tf.identity(inner.tokens[kind]) for kind in kinds])

        for _ in range(r.randint(1, 2)):
            result = body(
                r.choice(scope.floats), r.choice(scope.ints), *[scope.tokens[k] for k in kinds]
            )
            if not plain:
                # TensorFlow cannot differentiate loops in such functions, and would run state
                # twice; it asks for gradients of integers too where they go into an If.
                result = [tf.stop_gradient(t) for t in result]
            result[0].set_shape([WIDTH])
            for t in result[1:]:
                t.set_shape([])
            scope.floats.append(result[0])
            scope.ints.append(result[1])
            scope.tokens.update(zip(kinds, result[2:]))
        self.features.add("Defun")

    # ---- arrays, stacks ----

    def array(self, scope, r, path, depth):
        """A loop that reads one TensorArray and writes another."""
        v2 = scope.v2 or r.random() < 0.3
        size = self.number(scope, r) if r.random() < 0.5 else tf.constant(r.randint(1, 4))
        source = tf.stack([r.choice(scope.floats) for _ in range(5)])
        loops = scope.loops + (not v2)
        with control_flow(v2):
            out = tf.TensorArray(self.dtype, size=size, element_shape=[WIDTH])
            given = tf.TensorArray(
                self.dtype, size=5, element_shape=[WIDTH], clear_after_read=False
            ).unstack(source)

        def body(i, x, array):
            mine = self.rng(path + "b")
            inner = scope.inner(
                [x, given.read(i)], [i], {}, v2=v2, function=scope.function or v2, loops=loops,
                in_loop=True,
            )  # fmt: skip
            self.block(inner, path, mine.randint(1, 2), depth + 1)
            x = tf.tanh(inner.floats[-1] + x)
            return [i + 1, x, array.write(i, mine.choice(inner.floats) + x)]

        with control_flow(v2):
            start = [tf.constant(0), r.choice(scope.floats), out]
            _, x, out = self.while_loop(scope, r, v2, lambda i, *_: i < size, body, start)
            scope.floats.append(tf.reduce_sum(out.stack() * 0.3, 0))
            scope.floats.append(x)
            scope.ints.append(out.size())
        self.features.add("TensorList arrays" if v2 else "TensorArray v1")
        if not v2:
            self.features.add("while v1" if loops == 1 else "while v1, depth %d" % loops)

    def higher(self, scope, r, path, depth):
        v2 = scope.v2 or r.random() < 0.3
        items = tf.stack([r.choice(scope.floats) for _ in range(r.randint(1, 4))])
        other = r.choice(scope.floats)
        with control_flow(v2):
            kind = r.randrange(4)
            if kind == 0:
                result = tf.map_fn(lambda x: tf.tanh(x + other), items, parallel_iterations=4)
            elif kind == 1:
                result = tf.scan(lambda a, x: tf.sin(a) * 0.5 + x * other, items)
            elif kind == 2:
                result = tf.foldl(lambda a, x: a * 0.5 + tf.tanh(x), items, initializer=other)
            else:
                result = tf.foldr(lambda a, x: a * 0.5 - x, items)
        scope.floats.append(tf.reduce_sum(result, 0) if kind < 2 else result)
        self.features.add("map_fn, scan, fold")

    def stack(self, scope, r, path, depth):
        """Pushes in one loop, pops in another."""
        count = tf.constant(r.randint(0, 4))
        x = tf.stop_gradient(r.choice(scope.floats))
        handle = gen_data_flow_ops.stack_v2(
            max_size=tf.constant(-1), elem_type=self.dtype,
            stack_name="stack{}".format(path.replace("/", "_")),
        )  # fmt: skip

        def push(i, x):
            return [i + 1, gen_data_flow_ops.stack_push_v2(handle, tf.tanh(x * 0.7 + 0.1))]

        def pop(i, x):
            with tf.control_dependencies([x]):
                top = gen_data_flow_ops.stack_pop_v2(handle, self.dtype)
            return [i + 1, tf.reshape(top, [WIDTH]) * 0.3 + x * 0.5]

        for body in (push, pop):
            start = [tf.constant(0), x]
            _, x = self.while_loop(scope, r, scope.v2, lambda i, _: i < count, body, start)
            x = tf.stop_gradient(x)
        scope.floats.append(x)
        self.features.add("stack")


# ---- running ----


def answers(program, session, step_seconds=STEP_SECONDS):
    """The values of every step; an error stands for the value of its step, and ends the program."""
    options = tf.RunOptions(timeout_in_ms=int(step_seconds * 1000))
    values = []
    try:
        for name in program.initializers:
            session.run(name.split(":")[0], options=options)
        for fetches, feeds in program.steps:
            values.append(session.run(fetches, feeds, options=options))
    except tf.errors.OpError as error:
        values.append(error)
    return values


def without_devices(graph):
    """The same graph, on whatever device there is."""
    definition = graph.as_graph_def()
    for node in definition.node:
        node.device = ""
    for body in definition.library.function:
        for node in body.node_def:
            node.device = ""
    stripped = tf.Graph()
    with stripped.as_default():
        tf.import_graph_def(definition, name="")
    return stripped


def theirs_alone(error):
    """What only TensorFlow fails at: a graph its client should not have made, a lost value, an op
    without a gradient in its runtime."""
    phrases = ("does not have value", "has inputs from different frames", "No gradient defined")
    return isinstance(error, tf.errors.InternalError) or (
        isinstance(error, Exception) and any(phrase in error.message for phrase in phrases)
    )


def difference(actual, expected, program):
    """What differs, in words; empty when nothing does."""
    for step, (a, e) in enumerate(zip(actual, expected)):
        if isinstance(a, Exception) or isinstance(e, Exception):
            if theirs_alone(e):
                return ""
            if type(a) is type(e) and not isinstance(e, tf.errors.DeadlineExceededError):
                return ""
            say = [
                f"{type(v).__name__}: {v.message[:700]}" if isinstance(v, Exception) else "a value"
                for v in (a, e)
            ]
            return "step %d: ours is %s\n   TensorFlow's is %s" % (step, say[0], say[1])
        for name, mine, theirs in zip(program.steps[step][0], a, e):
            mine, theirs = np.asarray(mine), np.asarray(theirs)
            if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
                return "step %d %s: %s%s, expected %s%s" % (
                    step, name, mine.dtype, mine.shape, theirs.dtype, theirs.shape,
                )  # fmt: skip
            exact = theirs.dtype.kind != "f"
            # Values are around 1, and what sums to nearly nothing keeps the rounding of its parts.
            digits = 1e-5 if theirs.dtype == np.float32 else 1e-9
            if not (
                np.array_equal(mine, theirs)
                if exact
                else np.allclose(mine, theirs, rtol=digits, atol=digits, equal_nan=True)
            ):
                return "step %d %s: %s, expected %s" % (step, name, mine, theirs)
    return "" if len(actual) == len(expected) else "another number of steps"


class Watchdog:
    """Ends the process, naming the seed, when a program takes too long."""

    def __init__(self):
        self.seed, self.deadline = None, None
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while True:
            time.sleep(1)
            deadline = self.deadline
            if deadline is not None and time.time() > deadline:
                print("FAILED seed %s: hang, over %d s" % (self.seed, PROGRAM_SECONDS), flush=True)
                print("0 passed, 1 failed", flush=True)
                os._exit(3)

    @contextlib.contextmanager
    def over(self, seed):
        self.seed, self.deadline = seed, time.time() + PROGRAM_SECONDS
        try:
            yield
        finally:
            self.deadline = None


def run_one(program, target, step_seconds=STEP_SECONDS):
    """What differs between ours and TensorFlow's; and whether one of them refused it."""
    try:
        alone = without_devices(program.graph)
    except ValueError:  # its client does not read what it wrote
        return "", True
    with tf.Session(graph=alone) as session:
        expected = answers(program, session)
    try:
        with tf.Session(target, graph=program.graph) as session:
            actual = answers(program, session, step_seconds)
    except tf.errors.OpError as error:
        actual = [error]
    wrong = difference(actual, expected, program)
    if wrong:
        # Its rewriter puts a function that returns a constant into a branch, and lets the constant
        # out though the branch is not taken.
        plain = tf.ConfigProto()
        plain.graph_options.rewrite_options.disable_meta_optimizer = True
        with tf.Session(graph=alone, config=plain) as session:
            expected = answers(program, session)
        wrong = difference(actual, expected, program) and wrong
    refused = any(isinstance(values[-1], Exception) for values in (actual, expected))
    return wrong, refused


def needed(program, fetches):
    """The nodes that `fetches` reach."""
    todo = [program.graph.as_graph_element(name) for name in fetches]
    todo = [getattr(element, "op", element) for element in todo]
    seen = set()
    while todo:
        op = todo.pop()
        if op not in seen:
            seen.add(op)
            todo += [t.op for t in op.inputs] + list(op.control_inputs)
    return [op for op in program.graph.get_operations() if op in seen]


def reduce(seed, target):
    """Leaves out statement after statement as long as it goes wrong, and shows what is left."""

    def wrong(skip):
        program = Program(seed, skip)
        return next(filter(None, (run_one(program, target)[0] for _ in range(3))), "")

    skip, again = set(), bool(wrong(()))
    while again:
        again = False
        for path in ["gradients"] * ("gradients" not in skip) + Program(seed, skip).statements[
            ::-1
        ]:
            if wrong(skip | {path}):
                skip.add(path)
                again = True
    program = Program(seed, skip)
    print("reduced seed %d: %s stay" % (seed, " ".join(program.statements)))
    fetches = sorted({name for step, _ in program.steps for name in step})
    nodes = [(op.node_def, 0) for op in needed(program, fetches)]
    for body in program.graph.as_graph_def().library.function:
        nodes.append((body.signature, 1))
        nodes += [(node, 2) for node in body.node_def]
    for node, depth in nodes:
        if depth == 1:
            args = ["%s:%d" % (arg.name, arg.type) for arg in node.input_arg]
            print(" function {}({})".format(node.name, ", ".join(args)))
            continue
        called = [a.func.name for a in node.attr.values() if a.func.name]
        called += [f.name for a in node.attr.values() for f in a.list.func]
        print("  {}{} = {}({}) {} {}".format(
            "  " * depth, node.name, node.op, ", ".join(node.input), node.device, " ".join(called),
        ))  # fmt: skip
    for fetches, feeds in program.steps:
        print("  run", fetches, feeds)
    print(" ", wrong(skip) or "nothing is wrong")


def run_all(seeds, target, say=print, seconds=None, stop=False, step_seconds=STEP_SECONDS):
    """Runs them; returns (passed, failed seeds, share of each feature)."""
    watchdog = Watchdog()
    shares, unbuilt = collections.Counter(), collections.Counter()
    refused, passed, failed = [], 0, []
    end = time.time() + seconds if seconds else None
    for seed in seeds:
        if (end and time.time() > end) or (stop and failed):
            break
        with watchdog.over(seed):
            program = Program(seed)
            wrong, error = run_one(program, target, step_seconds)
        if error:
            refused.append(seed)
        shares.update(program.features)
        unbuilt.update(program.unbuilt)
        if wrong:
            failed.append(seed)
            say("FAILED seed %d: %s" % (seed, wrong))
        else:
            passed += 1
        if (passed + len(failed)) % 20 == 0:
            tf.Session.reset(target)
    total = max(1, passed + len(failed))
    for feature in FEATURES:
        say(f"{100.0 * shares[feature] / total:5.1f} %  {feature}")
    for what, count in unbuilt.most_common(8):
        say("%5d x not built by the client: %s" % (count, what))
    if refused:
        say(f"not run, by TensorFlow or by its rules: seeds {refused}")
    return passed, failed, {f: shares[f] / total for f in FEATURES}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, help="stop after so many")
    parser.add_argument("--stop", action="store_true", help="at the first that fails")
    parser.add_argument("--step-seconds", type=float, default=STEP_SECONDS)
    parser.add_argument("--reduce", action="store_true", help="of --first: what is left of it")
    args = parser.parse_args()
    print("TensorFlow", tensorflow.__version__, flush=True)
    with Cluster({"worker": len(TASKS)}) as cluster:
        if args.reduce:
            return reduce(args.first, cluster.target())
        started = time.time()
        seeds = range(args.first, args.first + args.count)

        def say(text):
            print(text, flush=True)

        passed, failed, shares = run_all(
            seeds, cluster.target(), say, args.seconds, args.stop, args.step_seconds
        )
        total = passed + len(failed)
        say(f"{(time.time() - started) / max(1, total):.2f} s for each program")
    rare = [feature for feature, share in shares.items() if share < 0.1 and total >= 200]
    for feature in rare:
        print(f"FAILED the share of {feature}: under a tenth")
    print(f"{passed} passed, {len(failed) + len(rare)} failed")
    sys.exit(1 if failed or rare or not passed else 0)


if __name__ == "__main__":
    main()
