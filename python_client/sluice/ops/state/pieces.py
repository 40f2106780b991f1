# SPDX-License-Identifier: Apache-2.0
"""Pieces of larger variables, as checkpoints have them."""


class SaveSliceInfo:
    """Which piece of a larger variable a variable is. The Saver saves it as such.

    Args:
        full_name: Name of the whole variable, a str.
        full_shape: Shape of the whole variable, a list of ints.
        var_offset: Where the piece starts in each dimension, a list of ints.
        var_shape: Shape of the piece, a list of ints.
    """

    def __init__(self, full_name, full_shape, var_offset, var_shape):
        self.full_name, self.full_shape = full_name, list(full_shape)
        self.var_offset, self.var_shape = list(var_offset), list(var_shape)

    @property
    def spec(self):
        """The piece as checkpoints write it, a str."""
        sizes = "".join(f"{d} " for d in self.full_shape)
        return sizes + ":".join(f"{o},{s}" for o, s in zip(self.var_offset, self.var_shape))
