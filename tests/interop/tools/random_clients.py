# SPDX-License-Identifier: Apache-2.0
"""Random programs of the client's API: one text, built and run by our client and by TensorFlow's.

Graphs are compared node by node, then values. A program is made from its seed alone.

    random_clients.py [--first SEED] [--count N] [--show] [--reduce]

--show prints the programs; --reduce drops lines of one that fails for as long as it does.
"""

import argparse
import collections
import random
import re
import sys

from interop.programs.graph_programs import OPTIMIZERS
from interop.tools.random_client_values import Usable, array, draw, number

DRAWN = ("random_uniform", "truncated_normal", "glorot_uniform", "random_normal")
BATCH = 60  # texts that one process of our client runs


class Program:
    """The text of one program, in lines."""

    def __init__(self, seed, trains=True):
        self.trains = trains
        self.r = random.Random(seed)
        self.lines, self.depth, self.names = [], 1, collections.Counter()
        self.updates, self.summaries, self.devices = [], 0, 0
        self.features = set()
        self.races = False
        self.build()
        self.text = "\n".join(["def program(tf):", *self.lines, ""])

    def add(self, line):
        self.lines.append("    " * self.depth + line)

    def name(self, kind):
        self.names[kind] += 1
        return f"{kind}{self.names[kind]}"

    # ---- the whole

    def build(self):
        r, s = self.r, Usable()
        for shape in ((3, 2), (2, 4), (2, 3, 2), (4,)):
            name = self.name("x")
            self.add(f'{name} = tf.placeholder(tf.float32, {list(shape)}, name="{name}")')
            s.tensors.append((name, shape, "float32"))
        if r.random() < 0.5:
            self.add("step = tf.train.get_or_create_global_step()")
            self.names["step"] = 1
        for _ in range(r.randint(1, 3)):
            self.variable(s)
        for _ in range(r.randint(4, 9)):
            self.statement(s, 0)
        values = [t[0] for t in s.tensors if not t[0].startswith("x")]
        train = self.train(s) if self.trains and r.random() < 0.75 else []
        self.ends(s)
        self.add(f"first = [{', '.join(values)}]")
        self.add("init = [tf.global_variables_initializer(), tf.local_variables_initializer()]")
        feeds = ", ".join(f"{t[0]}: {array(r, t[1])}" for t in s.tensors if t[0].startswith("x"))
        self.add(f"feeds = {{{feeds}}}")
        self.add(f"updates = [{', '.join(self.updates)}]")
        self.add(f"train = [{', '.join(train)}]")
        self.add("steps = [(first, feeds), (updates, feeds), (updates, feeds)]")
        # After training a rounding error might turn a number that was cast to an integer.
        weights = ", ".join(t[0] for t in s.tensors if t[0].startswith("v"))
        # Without gates an update may come before the gradient of another operation reads it.
        after = "" if self.races else f", ([{weights}], feeds)"
        self.add(f"return init, steps + [(train, feeds){after}] * 2")

    def statement(self, s, depth):
        kinds = {
            self.value: 12, self.variable: 2, self.state: 2, self.named: 2, self.placed: 1.5,
            self.controlled: 1.5, self.grouped: 1, self.gradient: 1, self.summary: 1,
            self.queue: 0.7, self.average: 0.5, self.metric: 0.7, self.scope: 1.5,
            self.branch: 1, self.loop: 1, self.beside: 0.7,
        }  # fmt: skip
        if depth > 2:
            kinds = {self.value: 1}
        kind = self.r.choices(list(kinds), list(kinds.values()))[0]
        self.features.add(kind.__name__)
        if kind in (self.named, self.placed, self.controlled, self.scope, self.beside):
            kind(s, depth)
        else:
            kind(s)

    def block(self, s, depth, header):
        self.add(header)
        self.depth += 1
        for _ in range(self.r.randint(1, 3)):
            self.statement(s, depth + 1)
        if self.lines[-1].endswith(header):
            self.add("pass")
        self.depth -= 1

    # ---- statements

    def value(self, s):
        for _ in range(self.r.randint(1, 3)):
            text, shape, dtype = draw(self.r, s)
            name = self.name("t")
            self.add(f"{name} = {text}")
            s.tensors.append((name, tuple(shape), dtype))

    def variable(self, s):
        r, name = self.r, self.name("v")
        shape = r.choice([(3, 2), (2, 4), (4,), (2,), (4, 2), (3, 3)])
        kind = r.choice([", use_resource=True", ", use_resource=False", "", ""])
        kind += r.choice(["", "", ", trainable=False", ", dtype=tf.float32"])
        made_by = r.choice([
            f"constant_initializer({number(r)})", "zeros_initializer()", "ones_initializer()",
            *(f"{kind}_initializer(seed={r.randint(1, 9)})" for kind in DRAWN),
        ])  # fmt: skip
        initial = f"shape={list(shape)}, initializer=tf.{made_by}"
        if r.random() < 0.3:
            initial = f"initializer={array(r, shape)}"
        if r.random() < 0.3 and "initializer=np" in initial:
            self.add(f'{name} = tf.Variable({array(r, shape)}, name="{name}"{kind})')
        elif r.random() < 0.12 and shape[0] % 2 == 0 and "shape=" in initial:
            split = "tf.fixed_size_partitioner(2)"
            self.add(f'{name} = tf.get_variable("{name}", {initial}{kind}, partitioner={split})')
            self.features.add("partitioner")
            whole = self.name("t")
            self.add(f"{whole} = tf.convert_to_tensor({name}) * 1.5")
            s.tensors.append((whole, shape, "float32"))
            return
        else:
            self.add(f'{name} = tf.get_variable("{name}", {initial}{kind})')
        s.tensors.append((name, shape, "float32"))

    def state(self, s):
        """A variable that one chain of updates owns."""
        r, name = self.r, self.name("s")
        shape = r.choice([(3, 2), (4,)])
        resource = r.random() < 0.5
        self.add(
            f'{name} = tf.get_variable("{name}", initializer={array(r, shape)}, trainable=False, '
            f"use_resource={resource})"
        )
        last = None
        for _ in range(r.randint(1, 3)):
            change = r.choice([
                f"tf.assign({name}, {array(r, shape)})", f"{name}.assign_add({array(r, shape)})",
                f"tf.assign_sub({name}, {array(r, shape)}{', name=' + chr(34) + 'less' + chr(34)})",
                f"tf.scatter_update({name}, [1], {array(r, (1, *shape[1:]))})",
                f"tf.scatter_add({name}, [0, 1], {array(r, (2, *shape[1:]))})",
                f"tf.scatter_nd_update({name}, [[0]], {array(r, (1, *shape[1:]))})",
            ])  # fmt: skip
            update = self.name("u")
            if last:
                self.add(f"with tf.control_dependencies([{last}]):")
                self.add(f"    {update} = {change}")
            else:
                self.add(f"{update} = {change}")
            last = update
        read = self.name("u")
        self.add(f"with tf.control_dependencies([{last}]):")
        self.add(f"    {read} = {name}.read_value() * 2.0")
        self.updates.append(read)

    def named(self, s, depth):
        name = self.r.choice(["layer", "block", "head", "Mean", "a/b"])
        self.block(s, depth, f'with tf.name_scope("{name}"):')

    def scope(self, s, depth):
        r = self.r
        more = ["", "", ", use_resource=True", ", initializer=tf.constant_initializer(0.3)"]
        if r.random() < 0.25:
            name = f'None, "{r.choice(["default", "layer"])}"'
        else:
            name = f'"{self.name("scope")}"'
            more.append(", reuse=tf.AUTO_REUSE")
        more = r.choice(more)
        self.block(s, depth, f"with tf.variable_scope({name}{more}):")

    def placed(self, s, depth):
        self.devices += 1
        self.on_a_device(s, depth)
        self.devices -= 1

    def on_a_device(self, s, depth):
        where = self.r.choice(['"/cpu:0"', '"/device:CPU:0"', '"/job:localhost/task:0"', "None",
                               'lambda op: "/cpu:0" if op.type == "MatMul" else ""'])  # fmt: skip
        self.block(s, depth, f"with tf.device({where}):")

    def controlled(self, s, depth):
        chosen = self.r.sample(s.tensors, min(len(s.tensors), self.r.randint(1, 2)))
        chosen = [t[0] for t in chosen if not t[0].startswith("v")]
        chosen += self.updates[-1:] if self.r.random() < 0.2 else []
        if chosen:
            self.block(s, depth, f"with tf.control_dependencies([{', '.join(chosen)}]):")

    def beside(self, s, depth):
        t = s.pick(self.r)
        if self.devices:  # 1.15 gives variables the device of the outer scope here
            return
        self.block(s, depth, f"with tf.colocate_with({t[0]}.op):")

    def grouped(self, s):
        r = self.r
        chosen = [t for t in r.sample(s.tensors, min(3, len(s.tensors))) if t[2] == "float32"]
        names = [t[0] for t in chosen]
        if not names:
            return
        if r.random() < 0.5:
            op = self.name("op")
            self.add(f"{op} = tf.group({', '.join(names)})")
            self.updates.append(op)
        else:
            result = self.name("l")
            self.add(f"{result} = tf.tuple([{', '.join(names)}])")
            name = self.name("t")
            self.add(f"{name} = {result}[0]")
            s.tensors.append((name, chosen[0][1], "float32"))

    def gradient(self, s):
        """Gradients with regard to placeholders and variables; None becomes zeros."""
        y = s.pick(self.r)
        xs = [t for t in s.tensors if t[0][0] in "xv"]
        chosen = self.r.sample(xs, min(2, len(xs)))
        name = self.name("g")
        option = self.r.choice(["", "", ", gate_gradients=True", ", name='slopes/gradients'"])
        self.add(f"{name} = tf.gradients({y[0]}, [{', '.join(t[0] for t in chosen)}]{option})")
        for i, _ in enumerate(chosen):
            self.updates.append(
                f"tf.zeros([]) if {name}[{i}] is None else tf.convert_to_tensor({name}[{i}])"
            )

    def summary(self, s):
        t, r = s.pick(self.r), self.r
        if t is None:
            return
        name = self.name("summary")
        call = f"tf.summary.scalar('{name}', tf.reduce_mean({t[0]}))"
        if r.random() < 0.4:
            call = f"tf.summary.histogram('{name}', {t[0]})"
        self.summaries += 1
        self.add(call)

    def queue(self, s):
        r, name = self.r, self.name("q")
        kind = r.choice(["FIFOQueue(8", "RandomShuffleQueue(8, 0", "PaddingFIFOQueue(8"])
        named = r.choice(["", f", name='{name}'"])
        self.add(f"{name} = tf.{kind}, [tf.float32], shapes=[[2]]{named})")
        self.add(f"with tf.control_dependencies([{name}.enqueue([{array(r, (2,))}])]):")
        got = self.name("u")
        self.add(f"    {got} = {name}.dequeue() * 2.0")
        self.add(f"size{name} = {name}.size()")
        self.updates.append(got)

    def average(self, s):
        name = self.name("ema")
        variables = [t[0] for t in s.tensors if t[0].startswith("v")]
        # In a device scope 1.15 gives the average that device, though it is colocated.
        if variables and not self.devices:
            self.add(f"{name} = tf.train.ExponentialMovingAverage(0.9)")
            self.add(f"{name}_op = {name}.apply([{variables[-1]}])")
            self.updates.append(f"{name}_op")

    def metric(self, s):
        t = s.pick(self.r, (1, 2))
        if t is None:
            return
        name = self.name("metric")
        call = self.r.choice([
            f"mean({t[0]})", f"accuracy(tf.ones_like({t[0]}), {t[0]})",
            f"mean_squared_error(tf.ones_like({t[0]}), {t[0]})", f"mean_tensor({t[0]})",
            f"mean_absolute_error(tf.zeros_like({t[0]}), {t[0]})",
        ])  # fmt: skip
        self.add(f"{name}, {name}_update = tf.metrics.{call}")
        self.updates.append(f"{name}_update")

    def inside(self, s, names):
        """The results of a function of a loop or conditional, as text of expressions."""
        inner = Usable(s)
        inner.tensors = [t for t in inner.tensors if not t[0].startswith("v")] + names
        return inner

    def branch(self, s):
        r, name = self.r, self.name("t")
        x = s.pick(r)
        if x is None or x[0].startswith("v"):
            return
        left, right = (r.choice(["{} * 2.0", "tf.tanh({})", "{} - 1.0", "tf.sin({} + 0.5)"])
                       for _ in range(2))  # fmt: skip
        self.add(
            f"{name} = tf.cond(tf.reduce_sum({x[0]}) > {number(r)}, "
            f"lambda: {left.format(x[0])}, lambda: {right.format(x[0])})"
        )
        s.tensors.append((name, x[1], "float32"))

    def loop(self, s):
        r, name = self.r, self.name("t")
        x = s.pick(r)
        if x is None or x[0].startswith("v"):
            return
        body = r.choice(["a * 0.5 + {}", "tf.tanh(a + {})", "a - tf.sin({})"]).format(x[0])
        self.add(
            f"_, {name} = tf.while_loop(lambda i, a: i < {r.randint(0, 4)}, "
            f"lambda i, a: (i + 1, {body}), [tf.constant(0), {x[0]}])"
        )
        s.tensors.append((name, x[1], "float32"))

    # ---- the end of a program

    def train(self, s):
        """A loss of what there is, and an optimizer; the names of what a step fetches."""
        r = self.r
        some = [t for t in s.tensors if t[2] == "float32" and t[0].startswith(("t", "v"))]
        chosen = r.sample(some, min(len(some), 4)) if some else []
        variables = [t for t in s.tensors if t[0].startswith("v")]
        terms = [f"tf.reduce_mean(tf.square({t[0]}))" for t in chosen + variables[:2]]
        self.add(f"loss = {' + '.join(terms)}")
        name = r.choice(sorted(OPTIMIZERS))
        make = OPTIMIZERS[name]
        step = "global_step=step" if self.names["step"] else ""
        if "step" in make and not step:
            make = OPTIMIZERS["GradientDescent"]
        self.features.add(name)
        self.add(f"optimizer = {make}")
        self.add('weights = [v for v in tf.trainable_variables() if v.op.name != "none"]')
        gate = r.choice([
            "", "", "", "gate_gradients=optimizer.GATE_GRAPH",
            "gate_gradients=optimizer.GATE_NONE", "colocate_gradients_with_ops=True",
        ])  # fmt: skip
        self.races = gate.endswith("GATE_NONE")
        self.add("if not weights:")
        self.add('    weights = [tf.get_variable("w", initializer=1.0)]')
        self.add("loss += tf.add_n([tf.reduce_sum(w * w) for w in weights])")
        if r.random() < 0.55:
            arguments = ", ".join(a for a in ("loss", step, gate) if a)
            self.add(f"train_op = optimizer.minimize({arguments})")
        else:
            arguments = ", ".join(a for a in ("loss", gate) if a)
            self.add(f"pairs = optimizer.compute_gradients({arguments})")
            # The node of colocated gradients depends on which of several terms comes first.
            if r.random() < 0.6 and "colocate" not in gate:
                self.add("grads, norm = tf.clip_by_global_norm([g for g, _ in pairs], 1.0)")
                self.add("pairs = list(zip(grads, [v for _, v in pairs]))")
            self.add(f"train_op = optimizer.apply_gradients(pairs{', ' + step if step else ''})")
        return ["train_op"]

    def ends(self, s):
        r = self.r
        if self.summaries and r.random() < 0.7:
            self.add("merged = tf.summary.merge_all()")
        if r.random() < 0.25:
            self.add("saver = tf.train.Saver()")
            self.features.add("saver")


# ---- running


def run_all(seeds, say, batch=BATCH):
    """(how many agree, {seed: lines of differences}, features)."""
    from interop.tools.compare_clients import compare

    passed, failed, features = 0, {}, collections.Counter()
    seeds = list(seeds)
    for first in range(0, len(seeds), batch):
        programs = {str(seed): Program(seed) for seed in seeds[first : first + batch]}
        for program in programs.values():
            features.update(program.features)
        for name, lines in compare({n: p.text for n, p in programs.items()}).items():
            if lines:
                failed[int(name)] = lines
                say(f"FAILED seed {name}: {len(lines)} differences, the first: {lines[0]}")
            else:
                passed += 1
    return passed, failed, features


def reduced(text, fails):
    """The text without what is not needed for fails(text) to hold."""
    lines = text.split("\n")
    at = len(lines) - 1
    while at > 0:
        indent = len(re.match(" *", lines[at]).group())
        end = at + 1
        while end < len(lines) and len(re.match(" *", lines[end]).group()) > indent:
            end += 1
        shorter = lines[:at] + lines[end:]
        if "return" not in lines[at] and fails("\n".join(shorter)):
            lines = shorter
        at -= 1
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--reduce", action="store_true")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.count)
    if options.show:
        for seed in seeds:
            print(Program(seed).text)
    passed, failed, features = run_all(seeds, lambda line: print(line, flush=True))
    for feature, count in sorted(features.items()):
        print(f"{count:5d}  {feature}")
    if options.reduce:
        from interop.tools.compare_clients import compare

        for seed, lines in failed.items():
            kind = re.sub(r"\d+", "", lines[0])[:40]

            def fails(text, kind=kind):
                found = compare({"program": text})["program"]
                return any(re.sub(r"\d+", "", line)[:40] == kind for line in found)

            print(f"seed {seed}: {lines[0]}\n{reduced(Program(seed).text, fails)}")
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
