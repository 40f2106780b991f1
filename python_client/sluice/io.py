"""Files and bytes."""

from . import dtypes, raw_ops
from .building import given, thin, with_names
from .graph import GraphKeys
from .sparse import SparseTensor
from .variables import Variable

read_file = thin("ReadFile", "filename",
                 "The bytes of a file, as a string scalar. NotFoundError names it.")  # fmt: skip
write_file = thin(
    "WriteFile",
    "filename contents",
    "An operation that makes a file, and folders on its way, of these bytes.",
)
matching_files = thin("MatchingFiles", "pattern", "The sorted names of files like a*b?.[c-d].")
encode_base64 = thin("EncodeBase64", "input pad=False", "Web-safe base64.")
decode_base64 = thin("DecodeBase64", "input", "The reverse of encode_base64.")


def decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    """The numbers whose bytes the strings are, which are all of one length: [..., numbers]."""
    return raw_ops.DecodeRaw(
        bytes=given(input_bytes, bytes), out_type=out_type, little_endian=little_endian, name=name
    )


def serialize_sparse(sp_input, name=None, out_type=dtypes.string):
    """A SparseTensor as three strings (or variants)."""
    return raw_ops.SerializeSparse(out_type=out_type, name=name, **sp_input._parts("sparse_"))


def serialize_many_sparse(sp_input, name=None, out_type=dtypes.string):
    """[n, 3]: each row of a SparseTensor as serialize_sparse gives it."""
    return raw_ops.SerializeManySparse(out_type=out_type, name=name, **sp_input._parts("sparse_"))


def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """The SparseTensor of rank one higher, of rows [n, 3] from serialize_sparse."""
    del rank  # the runtime knows it
    return SparseTensor(
        *raw_ops.DeserializeManySparse(serialized_sparse=serialized_sparse, dtype=dtype, name=name)
    )


def match_filenames_once(pattern, name=None):
    """A local variable of the names of the files that a pattern, or several, match when it is
    initialised."""
    return Variable(
        matching_files(pattern), trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
        validate_shape=False, name=name or "matching_filenames",
    )  # fmt: skip


__all__ = with_names(globals())
