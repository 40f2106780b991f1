# SPDX-License-Identifier: Apache-2.0
"""One random program, made from its seed: statements that draw on the same scope."""


import collections
import contextlib
import os
import random

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.FATAL)

from tensorflow.python.framework import function  # noqa: E402
from tensorflow.python.ops import control_flow_util, gen_data_flow_ops  # noqa: E402

TASKS = ["/job:worker/task:%d" % task for task in range(3)]
WIDTH = 3

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
    """The values that a block of statements can use, and its position."""

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
        """Nodes that the client refuses to build are counted, and left out."""
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
                # An outer tensor would make the client treat the result as the same tensor.
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
                # Functions that TensorFlow's runtime can differentiate: no captures, no integers.
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
