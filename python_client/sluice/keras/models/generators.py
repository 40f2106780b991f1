# SPDX-License-Identifier: Apache-2.0
"""The methods of models for generators, which fit(), evaluate() and predict() take, too."""


class ByGenerators:
    """The methods of models for generators."""

    def fit_generator(self, generator, steps_per_epoch=None, epochs=1, verbose=1, callbacks=None,
                      validation_data=None, validation_steps=None, validation_freq=1,
                      class_weight=None, max_queue_size=10, workers=1, use_multiprocessing=False,
                      shuffle=True, initial_epoch=0):  # fmt: skip
        """Trains the model on a generator. See fit().

        Args:
            generator: A generator or a Sequence of (inputs, targets) or (inputs, targets,
                weights).
            steps_per_epoch: How many batches make an epoch, an int.
            epochs: The number of the last epoch, an int.
            verbose: 0: silent, 1: a progress bar, 2: a line for each epoch.
            callbacks: Callbacks, a list.
            validation_data: As of fit().
            validation_steps: How many batches of validation data are measured.
            validation_freq: After how many epochs it is measured.
            class_weight: How much examples of a class count, a dict class -> float.
            max_queue_size: Accepted. It has no effect.
            workers: Batches are made in this thread. 0: on_epoch_end() of a Sequence is not
                called, and its batches are not shuffled.
            use_multiprocessing: Accepted. It has no effect.
            shuffle: Whether the batches of a Sequence come in another order each epoch. A bool.
            initial_epoch: How many epochs there were before, an int.

        Returns:
            A History.
        """
        del max_queue_size, use_multiprocessing
        return self.fit(
            generator, steps_per_epoch=steps_per_epoch, epochs=epochs, verbose=verbose,
            callbacks=callbacks, validation_data=validation_data, class_weight=class_weight,
            validation_steps=validation_steps, validation_freq=validation_freq,
            initial_epoch=initial_epoch, workers=workers, shuffle=shuffle,
        )  # fmt: skip

    def evaluate_generator(self, generator, steps=None, callbacks=None, max_queue_size=10,
                           workers=1, use_multiprocessing=False, verbose=0):  # fmt: skip
        """Measures the model on a generator. See evaluate().

        Args:
            generator: A generator or a Sequence.
            steps: How many batches are measured, an int.
            callbacks: Callbacks, a list.
            max_queue_size: Accepted. It has no effect.
            workers: Batches are made in this thread. 0: on_epoch_end() of a Sequence is not
                called, and its batches are not shuffled.
            use_multiprocessing: Accepted. It has no effect.
            verbose: 0: silent, 1: a progress bar, 2: a line at the end.

        Returns:
            The loss; with metrics a list of the loss and the metrics.
        """
        del max_queue_size, use_multiprocessing
        return self.evaluate(
            generator, steps=steps, callbacks=callbacks, workers=workers, verbose=verbose
        )  # fmt: skip

    def predict_generator(self, generator, steps=None, callbacks=None, max_queue_size=10,
                          workers=1, use_multiprocessing=False, verbose=0):  # fmt: skip
        """Computes the outputs for a generator. See predict().

        Args:
            generator: A generator or a Sequence.
            steps: How many batches are computed, an int.
            callbacks: Callbacks, a list.
            max_queue_size: Accepted. It has no effect.
            workers: Batches are made in this thread. 0: on_epoch_end() of a Sequence is not
                called, and its batches are not shuffled.
            use_multiprocessing: Accepted. It has no effect.
            verbose: 0: silent, 1: a progress bar, 2: a line at the end.

        Returns:
            An array, or a list with an array for each output.
        """
        del max_queue_size, use_multiprocessing
        return self.predict(
            generator, steps=steps, callbacks=callbacks, workers=workers, verbose=verbose
        )  # fmt: skip
