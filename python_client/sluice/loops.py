"""Loops over the rows of tensors, and a choice between several functions."""

from . import arrays, dtypes, math
from .control_flow import _flatten, _pack_as, cond, while_loop
from .convert import convert_to_tensor
from .graph import control_dependencies, name_scope
from .tensor_array import TensorArray
from .tensor_shape import TensorShape


def _rows(elems):
    """(tensors, their rows as arrays, how many: an int or a tensor)."""
    tensors = [convert_to_tensor(e) for e in _flatten(elems)]
    if not tensors:
        raise ValueError("there are no elems")
    size = next((t.shape[0].value for t in tensors if t.shape[0].value is not None), None)
    size = arrays.shape(tensors[0])[0] if size is None else size
    return tensors, [TensorArray(t.dtype, size).unstack(t) for t in tensors], size


def _row(elems, rows, i):
    return _pack_as(elems, iter([r.read(i) for r in rows]))


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
    """fn of every row of elems, a tensor or nested ones, stacked.

    dtype: of what fn gives, in its structure, where that is not elems'. The number of rows may be
    unknown.
    """
    if not callable(fn):
        raise TypeError("fn must be a function")
    del back_prop, swap_memory
    structure = elems if dtype is None else dtype
    with name_scope(name, "map", _flatten(elems)):
        tensors, rows, size = _rows(elems)
        types = [t.dtype for t in tensors] if dtype is None else _flatten(dtype)
        results = [TensorArray(t, size, infer_shape=infer_shape) for t in types]

        def body(i, *arrays_):
            values = _flatten(fn(_row(elems, rows, i)))
            if len(values) != len(types):
                raise ValueError(f"fn gives {len(values)} tensors, dtype has {len(types)}")
            return [i + 1, *(a.write(i, v) for a, v in zip(arrays_, values))]

        _, *done = while_loop(
            lambda i, *_: i < size, body, [0, *results],
            parallel_iterations=parallel_iterations or 10, return_same_structure=True,
        )  # fmt: skip
        return _pack_as(structure, iter(_stacked(done, size)))


def _fold(fn, elems, initializer, name, default, reverse, parallel_iterations):
    if not callable(fn):
        raise TypeError("fn must be a function")
    with name_scope(name, default, _flatten(elems)):
        _, rows, size = _rows(elems)
        first = 0
        if initializer is None:
            at = size - 1 if reverse else 0
            initializer, first = _row(elems, rows, at), 1

        def body(i, value):
            at = size - 1 - i if reverse else i
            return [i + 1, fn(value, _row(elems, rows, at))]

        _, value = while_loop(
            lambda i, _: i < size, body, [first, initializer],
            parallel_iterations=parallel_iterations,
        )  # fmt: skip
        return value


def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
          name=None):  # fmt: skip
    """fn(fn(initializer, first row), second row) and so on; without initializer from the first
    row."""
    del back_prop, swap_memory
    return _fold(fn, elems, initializer, name, "foldl", False, parallel_iterations)


def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
          name=None):  # fmt: skip
    """foldl from the last row to the first."""
    del back_prop, swap_memory
    return _fold(fn, elems, initializer, name, "foldr", True, parallel_iterations)


def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False,
         infer_shape=True, reverse=False, name=None):  # fmt: skip
    """foldl that gives every value on its way, stacked; reverse: from the last row."""
    if not callable(fn):
        raise TypeError("fn must be a function")
    del back_prop, swap_memory
    with name_scope(name, "scan", _flatten(elems)):
        _, rows, size = _rows(elems)
        start = initializer
        if initializer is None:
            start = _row(elems, rows, size - 1 if reverse else 0)
        leaves = [convert_to_tensor(v) for v in _flatten(start)]
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
            written = [a.write(at, v) for a, v in zip(arrays_, _flatten(value))]
            return [i + 1, value, *written]

        state = _pack_as(start, iter(leaves))
        _, _, *done = while_loop(
            lambda i, *_: i < size, body, [begin, state, *results],
            parallel_iterations=parallel_iterations, return_same_structure=True,
        )  # fmt: skip
        return _pack_as(start, iter(_stacked(done, size)))


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """The function of the first pair (bool scalar, function) whose scalar is true, else default().

    exclusive: no two may be true. InvalidArgumentError when it runs: two are, or none without a
    default.
    """
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not pairs:
        raise ValueError("pred_fn_pairs is empty")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[1]):
            raise TypeError(f"expected a pair of a bool tensor and a function, got {pair!r}")
    with name_scope(name, "case"):
        preds = [convert_to_tensor(p, dtypes.bool_) for p, _ in pairs]
        true = math.reduce_sum(arrays.cast(arrays.stack(preds), dtypes.int32))
        checks = []
        if exclusive:
            said = ["case: more than one of the conditions is true", *preds]
            checks.append(arrays.Assert(math.less_equal(true, 1), said))
        if default is None:
            checks.append(arrays.Assert(true > 0, ["case: none of the conditions is true", *preds]))
            default = pairs[-1][1]
            pairs = pairs[:-1]
        with control_dependencies(checks):
            if not pairs:
                return default()
            return _chosen(list(zip(preds, (f for _, f in pairs))), default, strict)


def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """The function whose number (or place in a list) an int32 scalar is; default() for any other,
    without it the one of the largest number."""
    if isinstance(branch_fns, dict):
        pairs = list(branch_fns.items())
    else:
        pairs = [f if isinstance(f, tuple) else (i, f) for i, f in enumerate(branch_fns)]
    functions = dict(sorted(pairs))
    if not functions or len(functions) != len(pairs):
        raise ValueError("branch_fns must be functions of different numbers")
    if default is None:
        default = functions.pop(max(functions))
    if not functions:
        return default()
    index = convert_to_tensor(branch_index, dtypes.int32)
    chosen = [(math.equal(index, number), function) for number, function in functions.items()]
    return case(chosen, default, name=name)


def _chosen(pairs, default, strict):
    (pred, function), *rest = pairs
    otherwise = default if not rest else lambda: _chosen(rest, default, strict)
    with name_scope("cond"):
        return cond(pred, function, otherwise, strict=strict)
