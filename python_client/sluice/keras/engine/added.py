# SPDX-License-Identifier: Apache-2.0
"""The layers of losses and metrics that a program adds to a model of the calls of layers.

They are layers so that each call of the model, a copy and a configuration have them too.
"""

from .layer import Layer


class AddLoss(Layer):
    """Adds its input to the losses, and returns it.

    Args:
        unconditional: Whether the loss counts for all calls of the model. A bool.
        **kwargs: name, trainable, dtype: as of Layer.
    """

    def __init__(self, unconditional, **kwargs):
        super().__init__(**kwargs)
        self.unconditional = unconditional

    def call(self, inputs):
        self.add_loss(inputs, inputs=not self.unconditional)
        return inputs

    def get_config(self):
        return {**super().get_config(), "unconditional": self.unconditional}


class AddMetric(Layer):
    """Adds its input to the metrics, and returns it.

    Args:
        aggregation: How the values of batches become one: "mean".
        metric_name: Name of the value, a str.
        **kwargs: name, trainable, dtype: as of Layer.
    """

    def __init__(self, aggregation=None, metric_name=None, **kwargs):
        super().__init__(**kwargs)
        self.aggregation, self.metric_name = aggregation, metric_name

    def call(self, inputs):
        self.add_metric(inputs, self.aggregation, self.metric_name)
        return inputs

    def get_config(self):
        own = {"aggregation": self.aggregation, "metric_name": self.metric_name}
        return {**super().get_config(), **own}
