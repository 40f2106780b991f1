# SPDX-License-Identifier: Apache-2.0
"""CallbackList: what loops that programs write themselves call, and what calls the callbacks."""

from ..keras.fitting.callbacks import Callback


class CallbackList:
    """Several callbacks, each of which is called for every event.

    Args:
        callbacks: The Callbacks, a list. None: none.
        queue_length: Accepted. It has no effect.
    """

    def __init__(self, callbacks=None, queue_length=10):
        self.callbacks = list(callbacks or [])
        self.queue_length = queue_length
        self.params, self.model = {}, None

    def append(self, callback):
        """Adds a callback.

        Args:
            callback: The Callback.
        """
        self.callbacks.append(callback)

    def set_params(self, params):
        """Gives each callback the parameters of the loop.

        Args:
            params: A dict of them.
        """
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model):
        """Gives each callback the model.

        Args:
            model: The model.
        """
        self.model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def __iter__(self):
        return iter(self.callbacks)


def _add(name):
    counted = "epoch" in name or "batch" in name
    target = f"on_train_{name[3:]}" if name.startswith("on_batch") else name

    if counted:

        def event(self, number, logs=None):
            for callback in self.callbacks:
                getattr(callback, target)(number, {} if logs is None else logs)
    else:

        def event(self, logs=None):
            for callback in self.callbacks:
                getattr(callback, target)(logs)

    event.__name__, event.__doc__ = name, f"Calls {target}() of each callback."
    event.__qualname__ = f"CallbackList.{name}"
    setattr(CallbackList, name, event)


for _name in [name for name in dir(Callback) if name.startswith("on_")]:
    _add(_name)
