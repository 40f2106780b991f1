# SPDX-License-Identifier: Apache-2.0
"""The methods of models that write and read files."""

from ..base import state
from ..engine.calls import current_call
from . import saving, weights


class InFiles:
    """What a model says of itself in texts and files."""

    def __call__(self, *args, **kwargs):
        outputs = super().__call__(*args, **kwargs)
        if self._restoring is not None and not self.is_functional and current_call() is None:
            self._restore_made()  # the call may have made variables
        return outputs

    def to_json(self, **kwargs):
        """Describes the layers.

        Args:
            **kwargs: Arguments of json.dumps().

        Returns:
            A str.
        """
        return saving.to_json(self, **kwargs)

    def to_yaml(self, **kwargs):
        """Describes the layers.

        Args:
            **kwargs: Arguments of yaml.dump().

        Returns:
            A str.

        Raises:
            ImportError: PyYAML is not installed.
        """
        return saving.to_yaml(self, **kwargs)

    def save_weights(self, filepath, overwrite=True, save_format=None):
        """Saves all variables.

        Args:
            filepath: Path of the file, a str; with the ending .h5, .hdf5 or .keras an HDF5 file,
                else a checkpoint of TensorFlow, with the state of the optimizer.
            overwrite: Whether a file that exists is replaced without a question. A bool.
            save_format: "tf" or "h5". None: the path says it.

        Raises:
            ImportError: h5py is not installed.
            ValueError: The model has no variables yet, or the format is not known.
        """
        weights.save_weights(self, filepath, overwrite, save_format)

    def load_weights(self, filepath, by_name=False):
        """Restores the variables that save_weights() saved.

        Args:
            filepath: Path of the file, a str.
            by_name: Whether layers of an HDF5 file are found by name. A bool.

        Returns:
            Of a checkpoint a status, else None. What the model makes later is restored later.

        Raises:
            ImportError: h5py is not installed.
            NotFoundError: The checkpoint was not found.
            ValueError: The file does not fit the model.
        """
        return weights.load_weights(self, filepath, by_name)

    def check_has_variables(self):
        """Checks that the model has its variables.

        Raises:
            ValueError: It has not.
        """
        if not self.outputs and not self.built and "build" in vars(type(self)):
            raise ValueError(
                f"Weights for model {self.name} have not yet been created. Weights are created "
                "when the Model is first called on inputs or `build()` is called with an "
                "`input_shape`."
            )

    def restore_later(self, status):
        """Lets a checkpoint restore the variables that the model makes from now on.

        Args:
            status: The status of the checkpoint.
        """
        self._restoring = status

    def _restore_made(self):
        if self._restoring is not None:
            self._restoring.run_restore_ops(state.get_session())

    def save(self, filepath, overwrite=True, include_optimizer=True, save_format=None,
             signatures=None):  # fmt: skip
        """Saves the model: its layers, its variables, and how it is trained.

        Args:
            filepath: Path of the HDF5 file, or of the directory of a SavedModel, a str.
            overwrite: Whether a file that exists is replaced without a question. A bool.
            include_optimizer: Whether the state of the optimizer is saved. A bool.
            save_format: "h5" or None: an HDF5 file. "tf": a SavedModel.
            signatures: Must be None.

        Raises:
            ImportError: h5py is not installed.
            NotImplementedError: The model has no configuration, or signatures are given.
        """
        saving.save_model(self, filepath, overwrite, include_optimizer, save_format, signatures)
