# SPDX-License-Identifier: Apache-2.0
"""Programs of ops that keep tensors or pass on references: stacks, staging areas, variables."""

import numpy as np
import tensorflow

from interop.programs.functions import programs_of

tf = tensorflow.compat.v1
raw = tensorflow.raw_ops

PROGRAMS = {}
program = programs_of(PROGRAMS)


@program
def stacks(p):
    for dtype in (tf.float32, tf.int32, tf.int64, tf.complex64):
        x = tf.placeholder(dtype, [2])
        handle = raw.StackV2(max_size=-1, elem_type=dtype, stack_name="of_" + dtype.name)
        push = raw.StackPushV2(handle=handle, elem=x + 1)
        with tf.control_dependencies([push]):
            push = raw.StackPushV2(handle=handle, elem=x * 2, swap_memory=True)
        with tf.control_dependencies([push]):
            last = raw.StackPopV2(handle=handle, elem_type=dtype)
        with tf.control_dependencies([last]):
            first = raw.StackPopV2(handle=handle, elem_type=dtype)
        with tf.control_dependencies([first]):
            close = raw.StackCloseV2(handle=handle)
        p.run([first, last + 0, close], {x: [3, 4]})


@program
def staging(p):
    x = tf.placeholder(tf.float32, [None])
    kinds = {"dtypes": [tf.float32, tf.int32], "shared_name": "area"}
    put = raw.Stage(values=[x * 2.0, tf.size(x)], shared_name="area")
    get, peek = raw.Unstage(**kinds), raw.StagePeek(index=0, **kinds)
    size, clear = raw.StageSize(**kinds), raw.StageClear(**kinds)
    for values in ([1.0, 2.0], [], [3.0]):
        p.run(put, {x: values})
    p.run([size] + peek)
    p.run([get[0] + 1.0, get[1]])
    p.run(get)
    p.run(clear)
    p.run(size)


@program
def map_staging(p):
    x, key = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int64, [])
    for kind in ("", "Ordered"):
        options = {"dtypes": [tf.float32, tf.float32], "shared_name": "map" + kind}

        def make(op, kind=kind, options=options, **inputs):
            name = f"{kind}Map{op}"
            if not hasattr(raw, name):
                name = f"OrderedMap{op}"
            return getattr(raw, name)(**inputs, **options)

        indices = tf.constant([0, 1])
        put = make("Stage", key=key, indices=indices, values=[x, x * 3.0])
        peek = make("Peek", key=key, indices=indices)
        get = make("Unstage", key=key, indices=indices)
        any_key = make("UnstageNoKey", indices=indices)
        size, unfinished, clear = make("Size"), make("IncompleteSize"), make("Clear")
        for k in (5, 3, 4):
            p.run(put, {x: [k, -k], key: k})
        p.run([size, unfinished] + list(peek), {key: 4})
        p.run(get, {key: 5})
        p.run(any_key if kind else [any_key.key * 0])
        p.run([size, unfinished])
        p.run(clear)
        p.run(size)


@program
def references(p):
    v = tf.Variable(np.float32([1, 2]), use_resource=False)
    w = tf.Variable(np.float32([10, 20]), use_resource=False)
    which = tf.placeholder(tf.bool, [])
    p.run(tf.group(v.initializer, w.initializer))
    off, on = raw.RefSwitch(data=v._variable, pred=which)
    merged = raw.RefMerge(inputs=[off, on])
    p.run(
        [raw.AssignAdd(ref=merged.output, value=[1.0, 1.0]) + 0.0, merged.value_index],
        {which: True},
    )
    inside = raw.RefEnter(data=w._variable, frame_name="frame")
    p.run(raw.RefExit(data=raw.RefIdentity(input=inside)) + 0.0)
    p.run(
        raw.RefExit(
            data=raw.RefIdentity(
                input=raw.RefEnter(data=v._variable, frame_name="other", is_constant=True)
            )
        )
        + 0.0
    )
    selected = raw.RefSelect(index=tf.cast(which, tf.int32), inputs=[v._variable, w._variable])
    p.run(raw.AssignSub(ref=selected, value=[0.5, 0.5]) * 1.0, {which: True})
    p.run([v + 0.0, w + 0.0])


@program
def sums(p):
    x = tf.placeholder(tf.float32, [2, 3])
    p.run(
        raw.AccumulateNV2(inputs=[x, x * 2.0, tf.exp(x)], shape=[2, 3]),
        {x: np.arange(6, dtype=np.float32).reshape(2, 3)},
    )
