# SPDX-License-Identifier: Apache-2.0
"""Training steps of contrib.distribute, which an object runs one by one."""

from .. import errors
from ..ops.state.initializing import global_variables_initializer


class Step:
    """A step of a training. Derived classes define what a call adds to the graph.

    Args:
        distribution: The Strategy.
    """

    def __init__(self, distribution):
        self._distribution = distribution

    @property
    def distribution(self):
        """The Strategy."""
        return self._distribution

    def initialize(self):
        """Makes what must run before the first step.

        Returns:
            A list of operations.
        """
        return []

    def __call__(self):
        raise NotImplementedError("must be implemented in descendants")


class StandardInputStep(Step):
    """A step that takes elements of a data set.

    Args:
        dataset_fn: A function that returns a Dataset of batches for one replica.
        distribution: The Strategy.
    """

    def __init__(self, dataset_fn, distribution):
        super().__init__(distribution)
        self._iterator = distribution.make_input_fn_iterator(lambda _: dataset_fn())

    def initialize(self):
        """Makes what starts the input.

        Returns:
            A list of operations.
        """
        return self._iterator.initialize()


class StandardSingleLossStep(StandardInputStep):
    """A step of an optimizer that makes a loss smaller.

    Args:
        dataset_fn: A function that returns a Dataset of batches for one replica.
        loss_fn: A function of an object with set_last_step_output(), and of an element, which
            returns the loss of a replica.
        optimizer: An Optimizer of sluice.train.
        distribution: The Strategy.
        iterations_per_step: How many elements a step takes, an int.
    """

    def __init__(self, dataset_fn, loss_fn, optimizer, distribution, iterations_per_step=1):
        super().__init__(dataset_fn, distribution)
        self._loss_fn, self._optimizer = loss_fn, optimizer
        self._iterations_per_step = iterations_per_step

    def __call__(self):
        with self._distribution.scope():

            def of_replica(context, inputs):
                return self._optimizer.minimize(self._loss_fn(context, inputs))

            def step(context, inputs):
                made = self._distribution.extended.call_for_each_replica(
                    of_replica, args=(context, inputs)
                )
                return self._distribution.group(made)

            made = self._distribution.extended.experimental_run_steps_on_iterator(
                step, self._iterator, self._iterations_per_step
            )
            return made.run_op


class Monitor:
    """Runs steps until the input ends.

    Args:
        step_callable: The Step.
        session: A Session.

    Raises:
        ValueError: session is not given.
    """

    def __init__(self, step_callable, session=None):
        if session is None:
            raise ValueError("Should provide a `session` in Graph mode.")
        session.run(step_callable.initialize())
        self._run_step = session.make_callable(step_callable())
        session.run(global_variables_initializer())

    def run_steps(self, num_steps=None):
        """Runs steps.

        Args:
            num_steps: How many, an int. None: until the input ends.
        """
        step = 0
        while num_steps is None or step < num_steps:
            try:
                self._run_step()
            except errors.OutOfRangeError:
                break
            step += 1
