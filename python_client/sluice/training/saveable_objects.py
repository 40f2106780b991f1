# SPDX-License-Identifier: Apache-2.0
"""Objects of programs that say how a Saver saves them: several tensors, and how they are put back.

A program puts them into the collection SAVEABLE_OBJECTS, or into the list of a Saver.
"""


class SaveSpec:
    """One tensor of a SaveableObject.

    Args:
        tensor: The tensor that is saved, or a function that returns it.
        slice_spec: Which part of a larger tensor it is, a str. "": all of it.
        name: The name under which it is saved, a str.
        dtype: Its dtype. None: that of the tensor.
    """

    def __init__(self, tensor, slice_spec, name, dtype=None):
        self._tensor, self.slice_spec, self.name = tensor, slice_spec, name
        self.dtype = dtype if callable(tensor) else tensor.dtype

    @property
    def tensor(self):
        """The tensor that is saved."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """What a Saver saves of an object. A class of the program defines restore().

    Args:
        op: The object, such as an operation or a table.
        specs: SaveSpecs, a list.
        name: The name of the object, a str.
    """

    def __init__(self, op, specs, name):
        self.op, self.specs, self.name = op, specs, name

    @property
    def device(self):
        """The device of the first tensor, a str."""
        return self.specs[0].tensor.device

    def restore(self, restored_tensors, restored_shapes):
        """Puts back what was read.

        Args:
            restored_tensors: The tensors, in the order of the specs.
            restored_shapes: The shapes that they should have, a list. None: as they are.

        Returns:
            An Operation.
        """
        raise ValueError("Calling an abstract method.")


class BaseSaverBuilder:
    """The place of the classes in TensorFlow's sources."""

    SaveSpec, SaveableObject = SaveSpec, SaveableObject


# The names of modules of TensorFlow's sources.
NAMES = {
    "training.saver": {"BaseSaverBuilder": BaseSaverBuilder, "BulkSaverBuilder": BaseSaverBuilder},
    "training.saving.saveable_object": {"SaveSpec": SaveSpec, "SaveableObject": SaveableObject},
}
