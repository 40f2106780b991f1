# SPDX-License-Identifier: Apache-2.0
"""Lists and optionals in TensorFlow and on our server: values, gradients and codes of errors agree.

    lists_test.py [NAME...]   parts of names of cases

A case is a function that builds its fetches. On the way lists cross tasks, loops and conditionals.
The cases of ERRORS must fail in both with the same code.
"""


import numpy as np
import pytest
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
raw = tensorflow.raw_ops
MAJOR = int(tensorflow.__version__.split(".")[0])
HERE, THERE = "/job:worker/task:0", "/job:worker/task:1"


def ints(*values):
    return tf.constant(values, tf.int32)


def reserve(n, shape=(2,), dtype=tf.float32):
    return raw.TensorListReserve(
        element_shape=tf.constant(shape, tf.int32), num_elements=n, element_dtype=dtype
    )


def empty(shape=(2,), dtype=tf.float32, limit=-1):
    return raw.EmptyTensorList(
        element_shape=tf.constant(shape, tf.int32), max_num_elements=limit, element_dtype=dtype
    )


def from_tensor(value, shape=(2,)):
    return raw.TensorListFromTensor(tensor=value, element_shape=tf.constant(shape, tf.int32))


def push(handle, value):
    return raw.TensorListPushBack(input_handle=handle, tensor=tf.convert_to_tensor(value))


def stack(handle, shape=(2,), dtype=tf.float32, n=-1):
    return raw.TensorListStack(
        input_handle=handle,
        element_shape=tf.constant(shape, tf.int32),
        element_dtype=dtype,
        num_elements=n,
    )


def get(handle, index, shape=(2,), dtype=tf.float32):
    return raw.TensorListGetItem(
        input_handle=handle,
        index=index,
        element_shape=tf.constant(shape, tf.int32),
        element_dtype=dtype,
    )


def put(handle, index, value):
    return raw.TensorListSetItem(input_handle=handle, index=index, item=tf.convert_to_tensor(value))


def pop(handle, shape=(2,), dtype=tf.float32):
    return raw.TensorListPopBack(
        input_handle=handle, element_shape=tf.constant(shape, tf.int32), element_dtype=dtype
    )


def length(handle):
    return raw.TensorListLength(input_handle=handle)


def shape_of(handle, dtype=tf.int32):
    return raw.TensorListElementShape(input_handle=handle, shape_type=dtype)


def table(rows, columns=2, dtype=np.float32):
    return tf.placeholder_with_default(
        np.arange(rows * columns).reshape(rows, columns).astype(dtype) + 1, [rows, columns]
    )


# ---- one op after the other


def push_and_stack():
    handle = push(push(empty(), [1.0, 2.0]), [3.0, 4.0])
    return [stack(handle), length(handle), shape_of(handle), shape_of(handle, tf.int64)]


def old_handle_keeps_its_value():
    one = push(empty(), [1.0, 2.0])
    two, other = push(one, [3.0, 4.0]), put(one, 0, [7.0, 8.0])
    return [stack(one), stack(two), stack(other)]


def unset_elements_are_zeros():
    handle = put(reserve(3), 1, [5.0, 6.0])
    return [stack(handle), get(handle, 0), get(handle, 1), stack(reserve(2))]


def unset_elements_of_unknown_shape():
    handle = put(reserve(3, shape=-1), 1, [5.0, 6.0])
    return [stack(handle, -1), get(handle, 2, -1), stack(handle, (-1,)), shape_of(handle)]


def pop_and_resize():
    handle = from_tensor(table(4))
    shorter, last = pop(handle)
    longer = raw.TensorListResize(input_handle=shorter, size=5)
    return [
        last,
        stack(shorter),
        stack(longer),
        length(raw.TensorListResize(input_handle=handle, size=1)),
    ]


def gather_and_scatter():
    handle = from_tensor(table(4))
    picked = raw.TensorListGather(
        input_handle=handle, indices=ints(3, 0, 3), element_shape=ints(2), element_dtype=tf.float32
    )
    scattered = raw.TensorListScatter(tensor=table(2), indices=ints(3, 1), element_shape=ints(2))
    sized = raw.TensorListScatterV2(
        tensor=table(2), indices=ints(2, 1), element_shape=ints(2), num_elements=5
    )
    more = raw.TensorListScatterIntoExistingList(
        input_handle=handle, tensor=table(2), indices=ints(4, 0)
    )
    return [picked, stack(scattered), stack(sized), stack(more)]


def split_and_concat():
    parts = raw.TensorListSplit(
        tensor=table(5), element_shape=ints(-1, 2), lengths=tf.constant([2, 0, 3], tf.int64)
    )
    both = raw.TensorListConcat(
        input_handle=parts, element_dtype=tf.float32, element_shape=tf.TensorShape([None, 2])
    )
    middle = get(parts, 2, (3, 2))
    holes = put(reserve(3, (-1, 2)), 1, table(2))
    filled = raw.TensorListConcatV2(
        input_handle=holes,
        element_shape=ints(-1, 2),
        leading_dims=tf.constant([1, 0, 3], tf.int64),
        element_dtype=tf.float32,
    )
    same = raw.TensorListConcatV2(
        input_handle=holes,
        element_shape=ints(2, 2),
        leading_dims=tf.constant([], tf.int64),
        element_dtype=tf.float32,
    )
    return list(both) + [middle] + list(filled) + list(same)


def batches_of_lists():
    pair = tf.stack([push(empty(), [0.0, 0.0]), empty()])
    pair = raw.TensorListPushBackBatch(input_handles=pair, tensor=table(2))
    joined = raw.TensorListConcatLists(input_a=pair, input_b=pair, element_dtype=tf.float32)
    return [stack(handle) for handle in tf.unstack(joined)]


def every_dtype():
    fetches = []
    for dtype in (
        tf.float16,
        tf.bfloat16,
        tf.float64,
        tf.int8,
        tf.uint16,
        tf.int64,
        tf.complex64,
        tf.bool,
        tf.string,
    ):
        value = (
            tf.constant([["a", "b"], ["c", "d"]])
            if dtype == tf.string
            else tf.cast(table(2), dtype)
        )
        handle = raw.TensorListResize(input_handle=from_tensor(value), size=3)
        out = stack(handle, (2,), dtype)
        fetches.append(tf.cast(out, tf.float32) if dtype == tf.bfloat16 else out)
    return fetches


def lists_in_lists():
    inner = push(empty((), tf.float32), 1.0)
    outer = raw.EmptyTensorList(
        element_shape=tf.constant([], tf.int32), max_num_elements=-1, element_dtype=tf.variant
    )
    outer = push(push(outer, inner), push(inner, 2.0))
    return [stack(get(outer, i, (), tf.variant), ()) for i in range(2)] + [length(outer)]


def scalars_and_nothing():
    handle = raw.TensorListFromTensor(
        tensor=tf.constant([1.0, 2.0]), element_shape=tf.constant([], tf.int32)
    )
    return [stack(handle, ()), stack(empty()), stack(from_tensor(tf.zeros([0, 2])))]


def zeros_like_and_sums():
    a, b = from_tensor(table(2)), put(reserve(2), 1, [1.0, 1.0])
    return [
        stack(tf.zeros_like(a)),
        stack(tf.add_n([a, b])),
        stack(tf.add_n([b, b, a])),
        stack(tf.add_n([reserve(2), b])),
    ]


def optionals():
    full = raw.OptionalFromValue(components=[table(2), tf.constant("x"), tf.constant(3)])
    types, shapes = (
        [tf.float32, tf.string, tf.int32],
        [tf.TensorShape([2, None]), tf.TensorShape([]), tf.TensorShape(None)],
    )
    got = raw.OptionalGetValue(optional=full, output_types=types, output_shapes=shapes)
    return list(got) + [
        raw.OptionalHasValue(optional=full),
        raw.OptionalHasValue(optional=raw.OptionalNone()),
    ]


def optionals_add_up():
    one = raw.OptionalFromValue(components=[table(2)])
    fetches = []
    for optional in (tf.add_n([one, one]), tf.zeros_like(one)):
        fetches += raw.OptionalGetValue(
            optional=optional, output_types=[tf.float32], output_shapes=[tf.TensorShape([2, 2])]
        )
    return fetches + [raw.OptionalHasValue(optional=tf.zeros_like(raw.OptionalNone()))]


# ---- across tasks, loops and conditionals


def across_tasks():
    with tf.device(HERE):
        handle = raw.TensorListResize(input_handle=push(empty((-1,)), [1.0, 2.0]), size=3)
    with tf.device(THERE):
        changed = put(handle, 2, [5.0, 6.0])
        seen = [stack(changed, -1), length(handle), shape_of(handle)]
    with tf.device(HERE):
        back = push(changed, [9.0, 9.0])
        return seen + [stack(back, -1), stack(tf.add_n([changed, handle]), -1)]


def nested_across_tasks():
    with tf.device(HERE):
        inner = push(empty((), tf.string), "text")
        outer = raw.EmptyTensorList(
            element_shape=tf.constant([], tf.int32), max_num_elements=3, element_dtype=tf.variant
        )
        outer = push(outer, inner)
        optional = raw.OptionalFromValue(components=[outer, tf.constant(1.5)])
    with tf.device(THERE):
        types, shapes = [tf.variant, tf.float32], [tf.TensorShape([]), tf.TensorShape([])]
        moved, number = raw.OptionalGetValue(
            optional=optional, output_types=types, output_shapes=shapes
        )
        none = raw.OptionalHasValue(optional=raw.OptionalNone())
        return [stack(get(moved, 0, (), tf.variant), (), tf.string), number, none]


def loop_fills_a_list(device=None):
    def body(i, handle):
        with tf.device(device):
            return i + 1, put(handle, i, tf.fill([2], tf.cast(i, tf.float32)))

    handle = tf.while_loop(lambda i, _: i < 20, body, [0, reserve(20)])[1]
    return [stack(handle)]


def loop_over_tasks_fills_a_list():
    return loop_fills_a_list(THERE)


def loop_moves_between_lists():
    def body(i, a, b):
        a, last = pop(a)
        return i + 1, a, push(b, last * 2.0)

    _, left, moved = tf.while_loop(lambda i, *_: i < 3, body, [0, from_tensor(table(5)), empty()])
    return [stack(left), stack(moved)]


def conditional_picks_a_list():
    fetches = []
    for value in (True, False):
        which = tf.placeholder_with_default(value, [])
        handle = from_tensor(table(2))
        chosen = tf.cond(
            which,
            lambda h=handle: push(h, [9.0, 9.0]),
            lambda h=handle: raw.TensorListResize(input_handle=h, size=1),
        )
        fetches.append(stack(chosen))
    return fetches


# ---- gradients


def gradients_of_lists():
    x = table(4)
    handle = from_tensor(x)
    shorter, last = pop(handle)
    item = get(shorter, 1)
    changed = push(put(shorter, 0, item * 3.0), last * last)
    y = stack(changed) * tf.constant([[1.0], [2.0], [3.0], [4.0]])
    return [tf.gradients(y, x)[0]]


def gradients_of_gather_and_scatter():
    x = table(3)
    scattered = raw.TensorListScatterIntoExistingList(
        input_handle=from_tensor(x), tensor=x[:2] * 2.0, indices=ints(2, 0)
    )
    picked = raw.TensorListGather(
        input_handle=scattered, indices=ints(2, 1), element_shape=ints(2), element_dtype=tf.float32
    )
    fresh = raw.TensorListScatterV2(
        tensor=x, indices=ints(1, 0, 2), element_shape=ints(2), num_elements=-1
    )
    y = picked * picked + stack(fresh)[:2] * 5.0
    return [tf.gradients(y, x)[0]]


def gradients_of_split_and_concat():
    x = table(5)
    parts = raw.TensorListSplit(
        tensor=x, element_shape=ints(-1, 2), lengths=tf.constant([2, 3], tf.int64)
    )
    parts = raw.TensorListResize(input_handle=parts, size=2)
    joined = raw.TensorListConcatV2(
        input_handle=parts,
        element_shape=ints(-1, 2),
        leading_dims=tf.constant([], tf.int64),
        element_dtype=tf.float32,
    )[0]
    return [tf.gradients(joined * joined, x)[0]]


CASES = [
    push_and_stack,
    old_handle_keeps_its_value,
    unset_elements_are_zeros,
    unset_elements_of_unknown_shape,
    pop_and_resize,
    gather_and_scatter,
    split_and_concat,
    batches_of_lists,
    every_dtype,
    lists_in_lists,
    scalars_and_nothing,
    zeros_like_and_sums,
    optionals,
    optionals_add_up,
    across_tasks,
    nested_across_tasks,
    loop_fills_a_list,
    loop_over_tasks_fills_a_list,
    loop_moves_between_lists,
    conditional_picks_a_list,
    gradients_of_lists,
    gradients_of_gather_and_scatter,
    gradients_of_split_and_concat,
]


def hidden(handle):
    """The same list, of which no shape function knows anything."""
    outer = raw.EmptyTensorList(
        element_shape=tf.constant([], tf.int32), max_num_elements=-1, element_dtype=tf.variant
    )
    return get(push(outer, handle), 0, (), tf.variant)


def number(value):
    """A number that no shape function knows."""
    return tf.placeholder_with_default(np.int32(value), [])


def unknown(value, dtype=tf.float32):
    return tf.placeholder_with_default(np.array(value, dtype.as_numpy_dtype), None)


ERRORS = {
    "get beyond the end": lambda: get(reserve(2), number(2)),
    "set beyond the end": lambda: put(reserve(2), number(2), [1.0, 2.0]),
    "pop from an empty list": lambda: pop(empty())[1],
    "push into a full list": lambda: length(push(push(empty(limit=1), [1.0, 2.0]), [1.0, 2.0])),
    "push another shape": lambda: length(push(empty(), unknown([1.0, 2.0, 3.0]))),
    "set another shape": lambda: length(put(reserve(1), 0, unknown([1.0]))),
    "stack nothing of unknown shape": lambda: stack(empty(-1), -1),
    "stack unset of unknown shape": lambda: stack(reserve(2, -1), -1),
    "stack elements that differ": lambda: stack(push(push(empty(-1), [1.0]), [1.0, 2.0]), -1),
    "stack another number": lambda: stack(reserve(2), n=3),
    "get unset of unknown shape": lambda: get(reserve(2, -1), 0, -1),
    "gather nothing of unknown shape": lambda: raw.TensorListGather(
        input_handle=reserve(2, -1),
        indices=tf.zeros([0], tf.int32),
        element_shape=tf.constant(-1),
        element_dtype=tf.float32,
    ),
    "resize to -1": lambda: length(raw.TensorListResize(input_handle=reserve(2), size=number(-1))),
    "another dtype": lambda: stack(hidden(reserve(2)), dtype=tf.int32),
    "add lists of other lengths": lambda: length(tf.add_n([reserve(2), reserve(3)])),
    "add lists of other shapes": lambda: length(
        tf.add_n([hidden(reserve(2)), hidden(reserve(2, (3,)))])
    ),
    "add elements of other shapes": lambda: length(
        tf.add_n([push(empty(-1), [1.0]), push(empty(-1), [1.0, 2.0])])
    ),
    "a list of a scalar": lambda: length(
        raw.TensorListFromTensor(tensor=unknown(1.0), element_shape=tf.constant(-1))
    ),
    "rows of another shape": lambda: length(from_tensor(unknown([[1.0]]))),
    "split too much": lambda: length(
        raw.TensorListSplit(
            tensor=table(2), element_shape=ints(-1, 2), lengths=tf.constant([3], tf.int64)
        )
    ),
    "split too little": lambda: length(
        raw.TensorListSplit(
            tensor=table(2), element_shape=ints(-1, 2), lengths=tf.constant([1], tf.int64)
        )
    ),
    "split by negative lengths": lambda: length(
        raw.TensorListSplit(
            tensor=table(2), element_shape=ints(-1, 2), lengths=tf.constant([-1, 3], tf.int64)
        )
    ),
    "concat of scalars": lambda: raw.TensorListConcat(
        input_handle=push(empty(-1), 1.0),
        element_dtype=tf.float32,
        element_shape=tf.TensorShape(None),
    )[0],
    "concat with unset elements": lambda: raw.TensorListConcat(
        input_handle=reserve(1, (-1, 2)),
        element_dtype=tf.float32,
        element_shape=tf.TensorShape([None, 2]),
    )[0],
    "scatter to negative": lambda: length(
        raw.TensorListScatter(tensor=table(1), indices=ints(-1), element_shape=ints(2))
    ),
    "scatter beyond the end": lambda: length(
        raw.TensorListScatterV2(
            tensor=table(1), indices=ints(3), element_shape=ints(2), num_elements=2
        )
    ),
    "scatter other rows": lambda: length(
        raw.TensorListScatterIntoExistingList(
            input_handle=reserve(1), tensor=table(1), indices=ints(0, 1)
        )
    ),
    "concat lists of other shapes": lambda: length(
        raw.TensorListConcatLists(
            input_a=hidden(reserve(1)), input_b=hidden(reserve(1, (3,))), element_dtype=tf.float32
        )
    ),
    "value of none": lambda: raw.OptionalGetValue(
        optional=raw.OptionalNone(), output_types=[tf.float32], output_shapes=[tf.TensorShape([])]
    )[0],
    "value of another dtype": lambda: raw.OptionalGetValue(
        optional=raw.OptionalFromValue(components=[tf.constant(1)]),
        output_types=[tf.float32],
        output_shapes=[tf.TensorShape([])],
    )[0],
    "value of another shape": lambda: raw.OptionalGetValue(
        optional=raw.OptionalFromValue(components=[tf.constant([1])]),
        output_types=[tf.int32],
        output_shapes=[tf.TensorShape([])],
    )[0],
    "value of a list": lambda: raw.OptionalGetValue(
        optional=reserve(1), output_types=[tf.int32], output_shapes=[tf.TensorShape([])]
    )[0],
    "list of an optional": lambda: length(raw.OptionalNone()),
    "add optionals that differ": lambda: raw.OptionalHasValue(
        optional=tf.add_n([raw.OptionalNone(), raw.OptionalFromValue(components=[tf.constant(1)])])
    ),
}
if MAJOR == 1:  # kills a TensorFlow of that age, or is taken by it
    for unsafe in ("resize to -1",):
        ERRORS.pop(unsafe, None)


def answer(target, build, device):
    """The values of the fetches, or the error, of a graph of its own."""
    with tf.Graph().as_default(), tf.device(device):
        fetches = build()
        try:
            with tf.Session(target) as session:
                return session.run(fetches)
        except tf.errors.OpError as error:
            return error


def compare(build, ours, theirs):
    actual, expected = answer(ours.target(), build, HERE), answer(theirs.target(), build, HERE)
    if isinstance(expected, Exception):
        raise AssertionError(f"TensorFlow itself fails: {expected.message}")
    if isinstance(actual, Exception):
        raise actual
    for a, e in zip(actual, expected):
        a, e = np.asarray(a), np.asarray(e)
        same = a.dtype == e.dtype and a.shape == e.shape
        assert same, f"{a.dtype}{a.shape}, TensorFlow's {e.dtype}{e.shape}"
        np.testing.assert_array_equal(a, e)


def compare_error(build, ours, theirs):
    actual, expected = answer(ours.target(), build, HERE), answer(theirs.target(), build, HERE)
    assert isinstance(expected, Exception), f"TensorFlow gives {expected!r}"
    assert isinstance(actual, Exception), f"no error: {actual!r}, but {expected.message}"
    assert type(actual) is type(expected), f"{actual}, TensorFlow's {expected}"


JOBS = {"worker": 2}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_values(ours, theirs, case):
    compare(case, ours, theirs)


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_errors(ours, theirs, name):
    compare_error(ERRORS[name], ours, theirs)
