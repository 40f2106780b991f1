"""What the fuzzer found: inputs of shapes that nobody thought of."""

from ops_cases import INVALID, Case, between, i32, i64, normal


def axes_of_any_shape():
    for op in "Sum Prod Max Min Mean".split():
        yield Case(op, normal(2, 3, 4), i32([[0], [-1]]))
        yield Case(op, normal(2, 3, 4), i64([[[1]]]), keep_dims=True)
    for op in "All Any".split():
        yield Case(op, between(0, 1, 2, 3), i32([[0, 1]]), types=("bool",))
    for op in "UniqueV2 UniqueWithCountsV2".split():
        yield Case(op, normal(4), i32(0), error=INVALID)
        yield Case(op, normal(4), i32([[0]]), error=INVALID)


def spread_updates():
    """Since 2.x the value of a slice that is written may be repeated."""

    def update(value, begin, end, **kw):
        inputs = normal(4, 5), i32(begin), i32(end), i32([1] * len(begin)), value
        return Case("TensorStridedSliceUpdate", *inputs, **kw)

    yield update(normal(1, 3), [0, 1], [2, 4], like=2)
    yield update(normal(2, 1), [0, 1], [2, 4], like=2)
    yield update(normal(), [0, 1], [2, 4], like=2)
    yield update(normal(3), [0, 1], [2, 4], like=2)
    yield update(normal(2), [0, 1], [2, 4], error=INVALID, like=2)
    yield update(normal(1, 2, 3), [0, 1], [2, 4], like=2)
    yield update(normal(2, 2, 3), [0, 1], [2, 4], error=INVALID, like=2)


FAMILIES = (axes_of_any_shape, spread_updates)
