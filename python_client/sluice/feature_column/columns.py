# SPDX-License-Identifier: Apache-2.0
"""What all columns have in common, and the features of a batch as columns see them."""

import collections

from .. import dtypes
from ..graph.convert import convert_to_tensor, number
from ..graph.default_graph import control_dependencies, get_default_graph, name_scope
from ..older_names import convert_to_tensor_or_sparse_tensor
from ..ops import array as arrays
from ..ops import math, raw_ops, sparse
from ..ops.debug.assertions import assert_positive
from ..ops.functions.cond_and_while import cond
from ..ops.sparse.sparse_tensor import SparseTensor
from ..ops.state.partitioned import PartitionedVariable

# The ids of a categorical column, a SparseTensor, and their weights, a SparseTensor or None.
IdsAndWeights = collections.namedtuple("IdsAndWeights", "ids weights")
# The values of a sequence [batch, steps, ...], and how many steps each row has.
Sequence = collections.namedtuple("Sequence", "values lengths")


class FeatureColumn:
    """How a model takes a feature. Columns are made by the functions of this package.

    Columns with equal arguments are equal.
    """

    @property
    def name(self):
        """The name, from which names of variables follow, a str."""
        raise NotImplementedError

    @property
    def parse_example_spec(self):
        """How the features are parsed: a dict, name of the feature -> FixedLenFeature or
        VarLenFeature."""
        raise NotImplementedError

    @property
    def scope(self):
        """The name of the variable scope of the column, a str."""
        return self.name

    def transform(self, features):
        """Computes what others take of the column.

        Args:
            features: The Features.
        """
        raise NotImplementedError


class DenseColumn(FeatureColumn):
    """A column that becomes a dense tensor."""

    @property
    def variable_shape(self):
        """The shape of the tensor without the batch, a TensorShape."""
        raise NotImplementedError

    def dense(self, features, variables):
        """Makes the tensor.

        Args:
            features: The Features.
            variables: How variables are made, a Variables.

        Returns:
            A tensor [batch, ...].
        """
        del variables
        return features.get(self)


class CategoricalColumn(FeatureColumn):
    """A column that becomes ids."""

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        raise NotImplementedError

    def ids_and_weights(self, features):
        """Makes the ids.

        Args:
            features: The Features.

        Returns:
            IdsAndWeights.
        """
        return IdsAndWeights(features.get(self), None)


class Variables:
    """How the columns of a layer make variables.

    Args:
        collections: Names of the collections that get them, a list of str.
        trainable: Whether optimizers change them. A bool.
        use_resource: Whether tables are resource variables. A bool. None: as the graph says.
    """

    def __init__(self, collections, trainable, use_resource=None):
        self.collections, self.trainable = collections, trainable
        self.use_resource = use_resource
        self.tables = {}  # column -> its table, where it is made already


class Features:
    """The features of a batch, and what columns made of them, so that each is made once.

    Args:
        features: A dict: name or column -> tensor or SparseTensor.
    """

    def __init__(self, features):
        self._features, self._made = dict(features), {}

    def get(self, key):
        """Returns a feature, or what a column makes.

        Args:
            key: Name of the feature, a str, or a column.

        Returns:
            A tensor or a SparseTensor.

        Raises:
            ValueError: The features lack the key.
            TypeError: key is neither.
        """
        if key not in self._made:
            if key in self._features:
                self._made[key] = self._as_matrix(key)
            elif isinstance(key, str):
                raise ValueError(f"Feature {key} is not in features dictionary.")
            elif isinstance(key, FeatureColumn):
                self._made[key] = key.transform(self)
            else:
                raise TypeError(
                    f'"key" must be either a "str" or "FeatureColumn". Provided: {key}'
                )
        return self._made[key]

    def _as_matrix(self, key):
        """A feature with 2 dimensions or more: a vector gets a last one of size 1."""
        feature = convert_to_tensor_or_sparse_tensor(self._features[key])
        rank = feature.shape.ndims
        if rank == 0:
            raise ValueError(f"Feature (key: {key}) cannot have rank 0. Given: {feature}")
        if rank is not None:
            return _widened(feature) if rank == 1 else feature
        positive = assert_positive(
            arrays.rank(feature),
            message=f"Feature (key: {key}) cannot have rank 0. Given: {feature}",
        )
        with control_dependencies([positive]):
            return cond(
                math.equal(1, arrays.rank(feature)), lambda: _widened(feature), lambda: feature
            )


def _widened(feature):
    if isinstance(feature, SparseTensor):
        return sparse.reshape(feature, arrays.stack([feature.dense_shape[0], 1]))
    return arrays.expand_dims(feature, -1)


def as_sparse(feature, missing=None):
    """A feature as a SparseTensor.

    Args:
        feature: A tensor or a SparseTensor.
        missing: The value of a dense tensor that stands for no value. None: "", -1 of integers, 0
            of floats.

    Returns:
        A SparseTensor.
    """
    feature = convert_to_tensor_or_sparse_tensor(feature)
    if isinstance(feature, SparseTensor):
        return feature
    with name_scope(None, "to_sparse_input"):
        if missing is None:
            text = feature.dtype == dtypes.string
            missing = "" if text else -1 if feature.dtype.is_integer else 0
        missing = number(missing, feature.dtype, name="ignore_value")
        places = raw_ops.Where(input=math.not_equal(feature, missing), name="indices")
        return SparseTensor(
            places,
            arrays.gather_nd(feature, places, name="values"),
            arrays.shape(feature, out_type=dtypes.int64, name="dense_shape"),
        )


def sorted_columns(columns, kinds=FeatureColumn, what="columns"):
    """The columns that a program gave, in the order of their names.

    Args:
        columns: A column, or an iterable of them.
        kinds: The classes that they may have.
        what: The name of these, a str.

    Returns:
        A list.

    Raises:
        ValueError: There are none, one is of another class, or two have one name.
    """
    if isinstance(columns, FeatureColumn):
        columns = [columns]
    if isinstance(columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    columns = list(columns)
    for column in columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError(
                "Items of feature_columns must be a FeatureColumn. Given (type"
                f" {type(column)}): {column}."
            )
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    named = {}
    for column in columns:
        if column.name in named:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and"
                f" {named[column.name]}. This usually means that these columns refer to same base"
                " feature. Either one must be discarded or a duplicated but renamed item must be"
                " inserted in features dict."
            )
        named[column.name] = column
    for column in columns:
        if not isinstance(column, kinds):
            raise ValueError(
                f"Items of feature_columns must be a {what}. You can wrap a categorical column with"
                f" an embedding_column or indicator_column. Given: {column}"
            )
    return sorted(columns, key=lambda column: column.name)


def check_batch(tensors, columns):
    """Raises ValueError where tensors are known to have batches of unequal size."""
    sizes = [(c.name, t.shape.as_list()[0]) for t, c in zip(tensors, columns)]
    known = [(name, size) for name, size in sizes if size is not None]
    for name, size in known[1:]:
        if size != known[0][1]:
            raise ValueError(
                "Batch size (first dimension) of each feature must be same. Batch size of columns"
                f" ({known[0][0]}, {name}): ({known[0][1]}, {size})"
            )


def collect(variable, collections):
    """Adds a variable to collections that do not have it."""
    graph = get_default_graph()
    parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
    for key in collections:
        have = graph.get_collection_ref(key)
        have += [part for part in parts if not any(part is item for item in have)]


def check_key(key):
    """ValueError: the name of a feature is not a str."""
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def check_text_or_integer(dtype, what):
    """ValueError: a dtype is neither string nor an integer dtype."""
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(f"{what} dtype must be string or integer. dtype: {dtype}.")


def int64(value, name=None):
    """A constant or a tensor as int64."""
    if hasattr(value, "graph"):
        return arrays.cast(value, dtypes.int64, name)
    return convert_to_tensor(value, dtypes.int64, name)
