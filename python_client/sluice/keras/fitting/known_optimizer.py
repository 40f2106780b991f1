# SPDX-License-Identifier: Apache-2.0
"""What the optimizers of Keras share: their configurations, rows of gradients as tensors."""

from ...ops import array as arrays
from ...ops import raw_ops
from ..base import settings
from .optimizers import Optimizer


class KnownOptimizer(Optimizer):
    """An optimizer whose configuration consists of the names that its class lists.

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        name: Name of the operations, a str.
        epsilon: A small float, so that nothing is divided by 0; None or 0: that of the settings.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    _hyper_names = ("learning_rate", "decay")  # in the order in which get_config() has them
    _option_names = ()

    def __init__(self, learning_rate, name, epsilon=None, **kwargs):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        if "epsilon" in self._option_names:
            self.epsilon = epsilon or settings.epsilon()

    def _set_momentum(self, momentum):
        self._momentum = hasattr(momentum, "graph") or callable(momentum) or momentum > 0
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be between [0, 1].")
        self._set_hyper("momentum", momentum)

    def _read(self, name, dtype):
        """A number as an update reads it."""
        return arrays.identity(self._get_hyper(name, dtype))

    def _handles(self, var, **slots):
        """The arguments of an op that are variables: name of the argument -> name of the slot."""
        found = {argument: self.get_slot(var, slot).handle for argument, slot in slots.items()}
        return {"var": var.handle, **found}

    def get_config(self):
        config = super().get_config()
        config.update((name, self._serialize_hyperparameter(name)) for name in self._hyper_names)
        config.update((name, getattr(self, name)) for name in self._option_names)
        return config


def whole(rows, var, indices):
    """The gradient of a variable, of those of some of its rows; the others are 0."""
    count = var.shape.as_list()[0]
    return raw_ops.UnsortedSegmentSum(
        data=rows, segment_ids=indices,
        num_segments=arrays.shape(var)[0] if count is None else count,
    )  # fmt: skip
