# SPDX-License-Identifier: Apache-2.0
"""What an estimator does, and which task it is."""


class ModeKeys:
    """What a model is made for.

    TRAIN: to train it. EVAL: to evaluate it. PREDICT: to predict, and to serve.
    """

    TRAIN, EVAL, PREDICT = "train", "eval", "infer"


class TaskType:
    """The jobs of a cluster that trains an estimator."""

    MASTER, PS, WORKER, CHIEF, EVALUATOR = "master", "ps", "worker", "chief", "evaluator"
