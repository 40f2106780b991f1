# SPDX-License-Identifier: Apache-2.0
"""Functions traced for one kind of arguments: what they say of themselves, calls, signatures."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def traced_once(tf):
    calls = []

    @tf.function
    def f(x, y=2.0):
        calls.append(1)
        return {"a": x * y, "b": x + 1.0}

    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    by_place, by_name = concrete(tf.constant([1.0, 2.0])), concrete(x=tf.constant([3.0]))
    args, named = concrete.structured_input_signature
    found = [
        len(calls), [(t.dtype.name, str(t.shape)) for t in concrete.inputs],
        [t.dtype.name for t in concrete.outputs], sorted(concrete.structured_outputs),
        [str(args[0].shape), args[0].name, args[1], named], type(concrete.name).__name__,
        {k: d.name for k, d in concrete.output_dtypes.items()},
        {k: str(s) for k, s in concrete.output_shapes.items()},
        outcome(concrete), outcome(concrete, 3.0), outcome(concrete, z=tf.constant(1.0)),
        outcome(concrete, tf.constant([1.0]), tf.constant(1.0)),
        outcome(concrete, tf.constant([1.0]), x=tf.constant([1.0])),
    ]  # fmt: skip
    with tf.Session() as session:
        return found + session.run([by_place, by_name])


def with_a_signature(tf):
    v = tf.Variable(3.0, use_resource=True)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32, name="given")])
    def f(x):
        return x * v

    concrete = f.get_concrete_function()
    found = [len(concrete.inputs), len(concrete.captured_inputs)]
    results = [concrete(tf.constant(2.0)), concrete(given=tf.constant(4.0))]
    with tf.Session() as session:
        session.run(v.initializer)
        return found + session.run(results)


def of_values_and_structures(tf):
    f = tf.function(lambda pair, n: pair[0] * n + pair[1])
    concrete = f.get_concrete_function(
        (tf.TensorSpec([2], tf.float32), np.ones([2], np.float32)), 3
    )
    one = tf.constant([1.0, 2.0])
    with tf.Session() as session:
        return session.run(concrete(pair=one, pair_1=one))


def as_signatures(tf):
    class Scaled(tf.Module):
        def __init__(self):
            super().__init__()
            self.v = tf.Variable(3.0, use_resource=True)

        @tf.function
        def times(self, x):
            return x * self.v

    module, found = Scaled(), []
    concrete = module.times.get_concrete_function(tf.TensorSpec([None], tf.float32, name="x"))
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        tf.keras.backend.set_session(session)
        session.run(module.v.initializer)
        for number, signatures in enumerate((concrete, {"times": concrete})):
            path = os.path.join(folder, str(number))
            tf.saved_model.save(module, path, signatures)
            with tf.Graph().as_default(), tf.Session() as again:
                meta = tf.saved_model.load(again, ["serve"], path)
                name = next(n for n in meta.signature_def if n[0] != "_")
                signature = meta.signature_def[name]
                ((given, x),) = signature.inputs.items()
                ((made, y),) = signature.outputs.items()
                found.append([name, given, made, again.run(y.name, {x.name: [1.0, 2.0]})])
        found.append(outcome(tf.saved_model.save, module, folder + "/none", module.times))
    return found
