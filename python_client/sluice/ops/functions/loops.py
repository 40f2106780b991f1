# SPDX-License-Identifier: Apache-2.0
"""Loops over the rows of tensors, and a choice between several functions."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import control_dependencies, get_default_graph, name_scope
from ...graph.seeds import count_more_nodes
from ...graph.tensor_shape import TensorShape
from .. import array as arrays
from .. import math
from ..debug.checks import Assert
from ..list.tensor_array import TensorArray
from .cond_and_while import cond, while_loop
from .structures import flatten, pack_as
from .tracing import TracedFunction

# 1.15 counts iterations a second time, with so many nodes before what the body calls and behind it.
_COUNTER, _COUNTER_ENDS = 9, 2


def _rows(elems):
    """(tensors, their rows as arrays, how many: an int or a tensor)."""
    tensors = [convert_to_tensor(e) for e in flatten(elems)]
    if not tensors:
        raise ValueError("there are no elems")
    for tensor in tensors:
        if tensor.shape.ndims == 0:
            raise ValueError(f"{tensor.name} is a scalar: it has no rows")
    size = next((t.shape[0].value for t in tensors if t.shape[0].value is not None), None)
    size = arrays.shape(tensors[0])[0] if size is None else size
    return tensors, [TensorArray(t.dtype, size).unstack(t) for t in tensors], size


def _row(elems, rows, i):
    return pack_as(elems, iter([r.read(i) for r in rows]))


def _stacked(results, size):
    """Arrays as tensors [size, ...]."""
    count = size if isinstance(size, int) else None
    values = []
    for result in results:
        value = result.stack()
        value.set_shape(TensorShape([count]).concatenate(value.shape[1:]))
        values.append(value)
    return values


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False,
           infer_shape=True, name=None):  # fmt: skip
    """Applies a function to each row of tensors.

    Args:
        fn: A function of one row (in the structure of elems) that returns tensors.
        elems: A tensor [n, ...], or a nested structure of them. n need not be known.
        dtype: Dtypes of what fn returns, in its structure. None: those of elems.
        parallel_iterations: How many rows may be computed at the same time, an int. None: 10.
        back_prop: Accepted. Gradients are always possible.
        swap_memory: Accepted. It has no effect.
        infer_shape: Whether all results have one shape. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [n, ...] in the structure of dtype, or of elems.

    Raises:
        TypeError: fn cannot be called.
        ValueError: elems is empty, or fn returns another number of tensors.

    Example:
        >>> sl.Session().run(sl.map_fn(lambda x: x * x, sl.constant([1, 2, 3])))
        array([1, 4, 9], dtype=int32)
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    del back_prop, swap_memory
    structure = elems if dtype is None else dtype
    with name_scope(name, "map", flatten(elems)):
        tensors, rows, size = _rows(elems)
        types = [t.dtype for t in tensors] if dtype is None else flatten(dtype)
        results = [TensorArray(t, size, infer_shape=infer_shape) for t in types]

        def body(i, *arrays_):
            values = flatten(fn(_row(elems, rows, i)))
            if len(values) != len(types):
                raise ValueError(f"fn gives {len(values)} tensors, dtype has {len(types)}")
            return [i + 1, *(a.write(i, v) for a, v in zip(arrays_, values))]

        count_more_nodes(_COUNTER)
        _, *done = while_loop(
            lambda i, *_: i < size, body, [0, *results],
            parallel_iterations=parallel_iterations or 10, return_same_structure=True,
        )  # fmt: skip
        count_more_nodes(_COUNTER_ENDS)
        return pack_as(structure, iter(_stacked(done, size)))


def vectorized_map(fn, elems):
    """Applies a function to each row of tensors, one by one. It is map_fn() that finds the dtypes.

    Args:
        fn: A function of one row (in the structure of elems) that returns tensors, in any
            structure. It is called twice.
        elems: A tensor [n, ...], or a nested structure of them.

    Returns:
        Tensors [n, ...] in the structure of what fn returns.

    Raises:
        TypeError: fn cannot be called.
        ValueError: elems is empty.

    Example:
        >>> sl.Session().run(sl.vectorized_map(lambda x: x > 1, sl.constant([1, 2])))
        array([False,  True])
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    tensors = [convert_to_tensor(e) for e in flatten(elems)]
    rows = [(tensor.dtype, tensor.shape[1:]) for tensor in tensors]
    traced = TracedFunction(get_default_graph(), fn, rows, (elems,))
    kinds = pack_as(traced.result, iter([tensor.dtype for tensor in traced.tensors]))
    return map_fn(fn, pack_as(elems, iter(tensors)), kinds)


def _fold(fn, elems, initializer, name, default, reverse, parallel_iterations):
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with name_scope(name, default, flatten(elems)):
        _, rows, size = _rows(elems)
        first = 0
        if initializer is None:
            at = size - 1 if reverse else 0
            initializer, first = _row(elems, rows, at), 1

        def body(i, value):
            at = size - 1 - i if reverse else i
            value = fn(value, _row(elems, rows, at))
            return [i + 1, value]

        count_more_nodes(_COUNTER)
        _, value = while_loop(
            lambda i, _: i < size, body, [first, initializer],
            parallel_iterations=parallel_iterations,
        )  # fmt: skip
        count_more_nodes(_COUNTER_ENDS)
        return value


def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
          name=None):  # fmt: skip
    """Combines the rows of tensors from the first to the last.

    Args:
        fn: A function of the value so far and one row that returns the next value.
        elems: A tensor [n, ...], or a nested structure of them.
        initializer: The first value. None: the first row.
        parallel_iterations: How many iterations may run at the same time, an int.
        back_prop: Accepted. Gradients are always possible.
        swap_memory: Accepted. It has no effect.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The last value.

    Raises:
        TypeError: fn cannot be called.
        ValueError: elems is empty.

    Example:
        >>> sl.Session().run(sl.foldl(lambda a, x: a * 10 + x, sl.constant([1, 2, 3])))
        123
    """
    del back_prop, swap_memory
    return _fold(fn, elems, initializer, name, "foldl", False, parallel_iterations)


def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
          name=None):  # fmt: skip
    """Combines the rows of tensors from the last to the first.

    Args:
        fn: A function of the value so far and one row that returns the next value.
        elems: A tensor [n, ...], or a nested structure of them.
        initializer: The first value. None: the last row.
        parallel_iterations: How many iterations may run at the same time, an int.
        back_prop: Accepted. Gradients are always possible.
        swap_memory: Accepted. It has no effect.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The last value.

    Raises:
        TypeError: fn cannot be called.
        ValueError: elems is empty.
    """
    del back_prop, swap_memory
    return _fold(fn, elems, initializer, name, "foldr", True, parallel_iterations)


def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
         infer_shape=True, reverse=False, name=None):  # fmt: skip
    """Combines the rows of tensors from the first to the last, and returns every value on the way.

    Args:
        fn: A function of the value so far and one row that returns the next value.
        elems: A tensor [n, ...], or a nested structure of them.
        initializer: The first value, which is not among the results. None: the first row, which is.
        parallel_iterations: How many iterations may run at the same time, an int.
        back_prop: Accepted. Gradients are always possible.
        swap_memory: Accepted. It has no effect.
        infer_shape: Whether all results have one shape. A bool.
        reverse: Whether it works from the last row to the first. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        Tensors [n, ...] in the structure of the value.

    Raises:
        TypeError: fn cannot be called.
        ValueError: elems is empty.

    Example:
        >>> sl.Session().run(sl.scan(lambda a, x: a + x, sl.constant([1, 2, 3])))
        array([1, 3, 6], dtype=int32)
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    del back_prop, swap_memory
    with name_scope(name, "scan", flatten(elems)):
        _, rows, size = _rows(elems)
        start = initializer
        if initializer is None:
            start = _row(elems, rows, size - 1 if reverse else 0)
        leaves = [convert_to_tensor(v) for v in flatten(start)]
        results = [
            TensorArray(v.dtype, size, infer_shape=infer_shape, element_shape=v.shape)
            for v in leaves
        ]
        begin = 0
        if initializer is None:
            at = size - 1 if reverse else 0
            results, begin = [r.write(at, v) for r, v in zip(results, leaves)], 1

        def body(i, value, *arrays_):
            at = size - 1 - i if reverse else i
            value = fn(value, _row(elems, rows, at))
            written = [a.write(at, v) for a, v in zip(arrays_, flatten(value))]
            return [i + 1, value, *written]

        state = pack_as(start, iter(leaves))
        count_more_nodes(_COUNTER)
        _, _, *done = while_loop(
            lambda i, *_: i < size, body, [begin, state, *results],
            parallel_iterations=parallel_iterations, return_same_structure=True,
        )  # fmt: skip
        count_more_nodes(_COUNTER_ENDS)
        return pack_as(start, iter(_stacked(done, size)))


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """Runs the function of the first condition that holds.

    Args:
        pred_fn_pairs: A list of pairs (bool scalar, function without arguments), or a dict of them.
        default: The function to run if no condition holds. None: that is an error.
        exclusive: Whether it is an error if several conditions hold. A bool.
        strict: Whether a list of one tensor is returned as a list. A bool.
        name: Name of the scope, a str.

    Returns:
        Tensors in the structure that the functions return.

    Raises:
        TypeError: An element is not such a pair.
        ValueError: There are no pairs.
        errors.InvalidArgumentError: In run(): no condition holds, or several do with exclusive.

    Example:
        >>> x = sl.constant(2)
        >>> y = sl.case([(x < 1, lambda: sl.constant(10)), (x < 3, lambda: sl.constant(20))])
        >>> sl.Session().run(y)
        20
    """
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError("pred_fn_pairs must be a list, tuple, or dict: fns must be one of these")
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not pairs:
        raise ValueError("pred_fn_pairs is empty")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in pred_fn_pairs must be a 2-tuple, not {pair!r}")
        if not hasattr(pair[0], "graph"):
            raise TypeError(f"pred must be a Tensor, got: {pair[0]!r}")
        if not callable(pair[1]):
            raise TypeError(f"fn for pred {pair[0].name} must be callable.")
    with name_scope(name, "case"):
        preds = [convert_to_tensor(p, dtypes.bool_) for p, _ in pairs]
        checks = []
        if exclusive:
            stacked = arrays.stack(preds, name="preds_c")
            true = math.reduce_sum(arrays.cast(stacked, dtypes.int32), name="num_true_conds")
            names = ", ".join(p.name for p in preds)
            said = (
                "Input error: exclusive=True: more than 1 conditions"
                f" ({names}) evaluated as True:"
            )
            fine = math.less_equal(true, constant(1, name="n_true_conds"))
            checks.append(Assert(fine, [said, stacked], len(preds)))
        if default is None:
            stacked = arrays.stack(preds, name="preds_c")
            said = "Input error: None of conditions evaluated as True:"
            checks.append(Assert(math.reduce_any(stacked), [said, stacked], len(preds)))
            default = pairs[-1][1]
            pairs = pairs[:-1]
        with control_dependencies(checks):
            if not pairs:
                return default()
            return _chosen(list(zip(preds, (f for _, f in pairs))), default, strict)


def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """Runs the function that has the number of a scalar.

    Args:
        branch_index: An int32 scalar.
        branch_fns: A list of functions without arguments, of pairs (number, function), or a dict of
            them.
        default: The function for any other number. None: that of the largest number.
        name: Name of the scope, a str.

    Returns:
        Tensors in the structure that the functions return.

    Raises:
        TypeError: branch_index is not an integer.
        ValueError: There are no functions, or their numbers are not 0, 1, 2 and so on.

    Example:
        >>> y = sl.switch_case(sl.constant(1), [lambda: sl.constant(10), lambda: sl.constant(20)])
        >>> sl.Session().run(y)
        20
    """
    if isinstance(branch_fns, dict):
        pairs = list(branch_fns.items())
    else:
        pairs = [f if isinstance(f, tuple) else (i, f) for i, f in enumerate(branch_fns)]
    if not pairs:
        raise ValueError("Must provide at least one item in branch_fns")
    functions = dict(sorted(pairs))
    if list(functions) != list(range(len(pairs))):
        numbers = ",".join(str(number) for number, _ in pairs)
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(pairs)}) but found"
            f" {{{numbers}}}"
        )
    index = convert_to_tensor(branch_index)
    if not index.dtype.is_integer:
        raise TypeError(f"branch_index must an integer Tensor, got {index.dtype}")
    if default is None:
        default = functions.pop(max(functions))
    if not functions:
        return default()
    index = arrays.cast(index, dtypes.int32)
    chosen = [(math.equal(index, number), function) for number, function in functions.items()]
    return case(chosen, default, name=name)


def _chosen(pairs, default, strict):
    (pred, function), *rest = pairs
    otherwise = default if not rest else lambda: _chosen(rest, default, strict)
    with name_scope("cond"):
        return cond(pred, function, otherwise, strict=strict)
