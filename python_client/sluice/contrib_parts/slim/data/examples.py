# SPDX-License-Identifier: Apache-2.0
"""Items of Examples: an ItemHandler makes an item of features."""

from .... import dtypes, image, io, sparse
from ....ops import array as arrays
from ....ops import math
from ....ops.functions.cond_and_while import cond
from ....ops.functions.loops import case, map_fn
from ....ops.parsing.features import FixedLenFeature
from ....ops.sparse.sparse_tensor import SparseTensor as SparseValues
from .datasets import DataDecoder


class ItemHandler:
    """Makes an item of features.

    Args:
        keys: Names of the features, a str or a list of str.
    """

    def __init__(self, keys):
        self._keys = keys if isinstance(keys, (list, tuple)) else [keys]

    @property
    def keys(self):
        """Names of the features, a list of str."""
        return self._keys

    def tensors_to_item(self, keys_to_tensors):
        """Makes the item.

        Args:
            keys_to_tensors: A dict: name of a feature -> tensor.

        Returns:
            A tensor.
        """
        raise NotImplementedError


class ItemHandlerCallback(ItemHandler):
    """Makes an item by a function.

    Args:
        keys: Names of the features, a str or a list of str.
        func: A function of a dict: name of a feature -> tensor.
    """

    def __init__(self, keys, func):
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors):
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Makes boxes [count, 4] of the features of their sides.

    Args:
        keys: Names of the features, 4 str. None: "ymin", "xmin", "ymax", "xmax".
        prefix: What comes before the names, a str.
    """

    def __init__(self, keys=None, prefix=""):
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else keys
        if len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        super().__init__([prefix + key for key in keys])

    def tensors_to_item(self, keys_to_tensors):
        sides = [keys_to_tensors[key] for key in self._keys]
        sides = [side.values if isinstance(side, SparseValues) else side for side in sides]
        return arrays.transpose(arrays.concat([arrays.expand_dims(s, 0) for s in sides], 0))


def _shape_of(keys_to_tensors, keys):
    parts = []
    for key in keys:
        part = keys_to_tensors[key]
        part = sparse.to_dense(part) if isinstance(part, SparseValues) else part
        parts.append(arrays.reshape(part, [-1]))
    return arrays.concat(parts, 0)


class Tensor(ItemHandler):
    """Makes an item of one feature, which may be reshaped.

    Args:
        tensor_key: Name of the feature, a str.
        shape_keys: Names of the features that have its shape, a str or a list of str.
        shape: Its shape, a list of ints.
        default_value: The value of elements that are absent.
    """

    def __init__(self, tensor_key, shape_keys=None, shape=None, default_value=0):
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, (list, tuple)):
            shape_keys = [shape_keys]
        self._tensor_key, self._shape_keys = tensor_key, shape_keys
        self._shape, self._default_value = shape, default_value
        super().__init__([tensor_key, *(shape_keys or [])])

    def tensors_to_item(self, keys_to_tensors):
        value, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            shape = _shape_of(keys_to_tensors, self._shape_keys)
        if isinstance(value, SparseValues):
            if shape is not None:
                value = sparse.reshape(value, arrays.cast(shape, dtypes.int64))
            return sparse.to_dense(value, self._default_value)
        return value if shape is None else arrays.reshape(value, shape)


class LookupTensor(Tensor):
    """Makes an item of one feature, whose values are looked up in a table.

    Args:
        tensor_key: Name of the feature, a str.
        table: The table.
        shape_keys: Names of the features that have its shape, a str or a list of str.
        shape: Its shape, a list of ints.
        default_value: The value of elements that are absent.
    """

    def __init__(self, tensor_key, table, shape_keys=None, shape=None, default_value=""):
        super().__init__(tensor_key, shape_keys, shape, default_value)
        self._table = table

    def tensors_to_item(self, keys_to_tensors):
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """Makes an item by another handler where that of the first has no elements.

    Args:
        handler: The first ItemHandler.
        backup: The other one.
    """

    def __init__(self, handler, backup):
        for which, one in (("Primary", handler), ("Backup", backup)):
            if not isinstance(one, ItemHandler):
                raise ValueError(f"{which} handler is of type {type(one)} instead of ItemHandler")
        self._handler, self._backup = handler, backup
        super().__init__([*handler.keys, *backup.keys])

    def tensors_to_item(self, keys_to_tensors):
        item = self._handler.tensors_to_item(keys_to_tensors)
        return cond(
            math.equal(math.reduce_prod(arrays.shape(item)), 0),
            lambda: self._backup.tensors_to_item(keys_to_tensors),
            lambda: item,
        )


class SparseTensor(ItemHandler):
    """Makes an item of the features of a sparse tensor.

    Args:
        indices_key: Name of the feature of the indices, a str. None: "indices".
        values_key: Name of that of the values, a str. None: "values".
        shape_key: Name of that of the shape, a str.
        shape: The shape, a list of ints.
        densify: Whether the item is a dense tensor. A bool.
        default_value: The value of the other elements of a dense tensor.
    """

    def __init__(self, indices_key=None, values_key=None, shape_key=None, shape=None,
                 densify=False, default_value=0):  # fmt: skip
        self._parts = indices_key or "indices", values_key or "values", shape_key
        self._shape, self._densify, self._default_value = shape, densify, default_value
        super().__init__([key for key in self._parts if key])

    def tensors_to_item(self, keys_to_tensors):
        indices, values = (keys_to_tensors[key] for key in self._parts[:2])
        shape = keys_to_tensors[self._parts[2]] if self._parts[2] else self._shape
        if shape is None:
            shape = indices.dense_shape
        if isinstance(shape, SparseValues):
            shape = shape.values
        if isinstance(values, SparseValues):
            values = values.values
        if isinstance(indices, SparseValues):
            indices = indices.values
        indices = arrays.reshape(indices, [-1, arrays.size(shape)])
        found = SparseValues(
            arrays.cast(indices, dtypes.int64), values, arrays.cast(shape, dtypes.int64)
        )
        return sparse.to_dense(found, self._default_value) if self._densify else found


class Image(ItemHandler):
    """Makes an image of its file, or of raw bytes.

    Args:
        image_key: Name of the feature of the file, a str. None: "image/encoded".
        format_key: Name of the feature of the format, a str. None: "image/format".
        shape: Shape of the image, a list of ints. None: that of the file.
        channels: How many channels it has, an int.
        dtype: Dtype of the image.
        repeated: Whether there are several images. A bool.
        dct_method: Method of the decoder of JPEG, a str.
    """

    def __init__(self, image_key=None, format_key=None, shape=None, channels=3,
                 dtype=dtypes.uint8, repeated=False, dct_method=""):  # fmt: skip
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape, self._channels, self._dtype = shape, channels, dtypes.as_dtype(dtype)
        self._repeated, self._dct_method = repeated, dct_method

    def tensors_to_item(self, keys_to_tensors):
        files, kind = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return map_fn(lambda file: self._decoded(file, kind), files, self._dtype)
        return self._decoded(files, kind)

    def _decoded(self, file, kind):
        def raw():
            return io.decode_raw(file, self._dtype)

        def of_a_file():
            found = cond(image.is_jpeg(file), jpeg, any_image, name="cond_jpeg")
            return arrays.cast(found, self._dtype)

        def jpeg():
            return image.decode_jpeg(file, self._channels, dct_method=self._dct_method)

        def any_image():
            return image.decode_image(file, self._channels)

        is_raw = math.logical_or(math.equal(kind, "raw"), math.equal(kind, "RAW"))
        found = case([(is_raw, raw)], of_a_file, exclusive=True)
        found.set_shape([None, None, self._channels])
        return found if self._shape is None else arrays.reshape(found, self._shape)


class TFExampleDecoder(DataDecoder):
    """Makes items of a serialized Example.

    Args:
        keys_to_features: A dict: name of a feature -> FixedLenFeature or the like.
        items_to_handlers: A dict: name of an item -> ItemHandler.
    """

    def __init__(self, keys_to_features, items_to_handlers):
        self._features, self._handlers = keys_to_features, items_to_handlers

    def list_items(self):
        return list(self._handlers)

    def decode(self, serialized_example, items=None):
        """Makes items.

        Args:
            serialized_example: The Example, a string scalar.
            items: Names of the items, a list of str. None: all.

        Returns:
            A list of tensors.
        """
        example = io.parse_single_example(serialized_example, self._features)
        for key in sorted(self._features):
            feature = self._features[key]
            if isinstance(feature, FixedLenFeature):
                example[key] = arrays.reshape(example[key], feature.shape)
        made = []
        for item in items or self._handlers:
            handler = self._handlers[item]
            made.append(handler.tensors_to_item({key: example[key] for key in handler.keys}))
        return made
