# SPDX-License-Identifier: Apache-2.0
"""SparseTensors as the arguments of ops."""


def parts_of(sparse, prefix="", names=("indices", "values", "shape")):
    """The three tensors of a SparseTensor, as an op's arguments."""
    parts = sparse.indices, sparse.values, sparse.dense_shape
    return dict(zip([prefix + name for name in names], parts))
