# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of objects: values are found by the names of attributes, not of variables."""

import os
import time

from ..graph.convert import constant
from ..graph.default_graph import get_default_graph
from ..graph.defaults import get_default_session
from ..ops.state.initializing import is_variable_initialized, variables_initializer
from ..ops.state.variables import Variable
from . import object_graph
from .checkpoints.reader import CheckpointReader
from .checkpoints.state import (
    get_checkpoint_state,
    remove_checkpoint,
    update_checkpoint_state,
)
from .saver import Saver


class _Description:
    """The description of the objects, which a Saver saves as a string."""

    def __init__(self, text):
        self.name = object_graph.KEY
        self._tensor = constant(text)
        self.op, self.device = self._tensor.op, "/device:CPU:0"
        self.tensors = [(self.name, self._tensor)]

    def restore(self, values):
        """Restores nothing. Returns an Operation."""
        del values
        return self.op


class ObjectSaver:
    """Saves and restores the objects that can be reached from one.

    Args:
        root: The object.
    """

    def __init__(self, root):
        self._root, self._savers = root, {}

    def _saver(self, graph, variables, text=None):
        """A Saver of variables. Those of the same variables share their operations."""
        key = (text, *((name, id(v)) for name, v in sorted(variables.items())))
        if key not in self._savers:
            with graph.as_default():
                more = {} if text is None else {object_graph.KEY: _Description(text)}
                self._savers[key] = Saver({**variables, **more}, max_to_keep=None)
        return self._savers[key]

    def frozen(self, **options):
        """Makes a Saver of the objects that are there now.

        Args:
            **options: Arguments of Saver.

        Returns:
            A Saver.
        """
        objects = object_graph.ObjectGraph(self._root)
        more = {object_graph.KEY: _Description(objects.description())}
        return Saver({**objects.variables(), **more}, **options)

    def save(self, path, session=None):
        """Writes a checkpoint.

        Args:
            path: Its path, a str.
            session: The session. None: the default one.

        Returns:
            The path.
        """
        session = session_of(session)
        objects = object_graph.ObjectGraph(self._root)
        saver = self._saver(session.graph, objects.variables(), objects.description())
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        return saver.save(session, path, write_meta_graph=False, write_state=False)

    def restore(self, path):
        """Finds the objects of a checkpoint.

        Args:
            path: Its path, a str. None: no checkpoint.

        Returns:
            A LoadStatus.

        Raises:
            errors.NotFoundError: There is no such checkpoint.
        """
        return LoadStatus(self, path)

    def restore_variables(self, path, variables, session):
        """Restores variables: `variables` is a dict key -> variable."""
        if variables:
            self._saver(session.graph, variables).restore(session, path)

    @property
    def root(self):
        """The object."""
        return self._root


class LoadStatus:
    """What a checkpoint has for the objects of the program. Objects that the program makes later
    take their values at the next call of run_restore_ops().

    Args:
        saver: The ObjectSaver.
        path: Path of the checkpoint. None: there is none.
    """

    def __init__(self, saver, path):
        self._saver, self._path, self._done = saver, path, set()
        self._text = self._reader = None
        if path is not None:
            self._reader = CheckpointReader(path)
            if self._reader.has_tensor(object_graph.KEY):
                self._text = self._reader.get_tensor(object_graph.KEY)
                self._text = getattr(self._text, "item", lambda: self._text)()

    def _found(self):
        """key -> variable, of all that the checkpoint and the program have."""
        if self._reader is None:
            return {}
        if self._text is not None:
            found = object_graph.Matched(self._saver.root, self._text).variables()
            return {key: v for key, v in found.items() if self._reader.has_tensor(key)}
        every = object_graph.ObjectGraph(self._saver.root).variables().values()
        return {v.op.name: v for v in every if self._reader.has_tensor(v.op.name)}

    def assert_consumed(self):
        """Checks that every value of the checkpoint has an object, and every object a value.

        Returns:
            The LoadStatus.

        Raises:
            AssertionError: There is one that does not.
        """
        self.assert_existing_objects_matched()
        missing = []
        if self._text is not None:
            missing = object_graph.Matched(self._saver.root, self._text).missing()
        if missing:
            raise AssertionError(f"Unresolved object in checkpoint: {missing[0]}")
        return self

    def assert_existing_objects_matched(self):
        """Checks that every variable has a value in the checkpoint.

        Returns:
            The LoadStatus.

        Raises:
            AssertionError: One has none, or the checkpoint is missing.
        """
        if self._path is None:
            raise AssertionError("No checkpoint specified (save_path=None); nothing is being "
                                 "restored.")  # fmt: skip
        found = {id(v) for v in self._found().values()}
        for variable in object_graph.ObjectGraph(self._saver.root).variables().values():
            if id(variable) not in found:
                raise AssertionError(f"Object not assigned a value from checkpoint: {variable!r}")
        return self

    def assert_nontrivial_match(self):
        """Checks that anything was found besides the root.

        Returns:
            The LoadStatus.

        Raises:
            AssertionError: Nothing was.
        """
        if self._path is None:
            raise AssertionError("No checkpoint specified (save_path=None); nothing is being "
                                 "restored.")  # fmt: skip
        matched = self._text and object_graph.Matched(self._saver.root, self._text)
        if not self._found() and (not matched or len(matched.objects) <= 1 < matched.count):
            others = object_graph.ObjectGraph(self._saver.root).objects[1:]
            if not others:
                raise AssertionError(
                    f"Nothing to load. No dependencies have been added to {self._saver.root} yet."
                )
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means "
                "that the checkpoint does not match the Python program. The following objects have "
                f"no matching checkpointed value: {others}"
            )
        return self

    def expect_partial(self):
        """Does nothing: values that no object has are never reported.

        Returns:
            The LoadStatus.
        """
        return self

    def run_restore_ops(self, session=None):
        """Restores the variables that this status has not restored yet.

        Args:
            session: The session. None: the default one.
        """
        found = {key: v for key, v in self._found().items() if id(v) not in self._done}
        if found:
            session = session_of(session)
            self._saver.restore_variables(self._path, found, session)
            self._done.update(id(v) for v in found.values())

    def initialize_or_restore(self, session=None):
        """Restores the variables that the checkpoint has, and initialises the others.

        Args:
            session: The session. None: the default one.
        """
        session = session_of(session)
        found = {id(v) for v in self._found().values()}
        every = object_graph.ObjectGraph(self._saver.root).variables().values()
        others = [v for v in every if id(v) not in found]
        if self._path is not None:  # without a checkpoint, all are initialised
            has = session.run([is_variable_initialized(v) for v in others]) if others else []
            others = [v for v, there in zip(others, has) if not there]
        if others:
            session.run(variables_initializer(others))
        self._done.clear()
        self.run_restore_ops(session)


_session_provider = [lambda: None]  # Keras sets its own


def set_session_provider(provider):
    """Sets the function whose session is used where no other is given."""
    _session_provider[0] = provider


def session_of(session):
    """A session; for None the default one, or the provider's."""
    return session or get_default_session() or _session_provider[0]()


class Checkpoint:
    """A group of objects that are saved and restored together: variables, layers, models,
    optimizers.

    Args:
        **kwargs: The objects, by the names under which they are saved.

    Raises:
        ValueError: An object cannot be saved.

    Example:
        >>> import os, tempfile
        >>> v = sl.Variable(1.0)
        >>> checkpoint = sl.train.Checkpoint(v=v)
        >>> with sl.Session() as session, tempfile.TemporaryDirectory() as folder:
        ...     session.run(v.initializer)
        ...     path = checkpoint.save(os.path.join(folder, "model"), session)
        ...     session.run(v.assign(5.0))
        ...     checkpoint.restore(path).run_restore_ops(session)
        ...     print(os.path.basename(path), session.run(v))
        5.0
        model-1 1.0
    """

    def __init__(self, **kwargs):
        for name, value in sorted(kwargs.items()):
            if not object_graph.takes_part(value):
                raise ValueError(
                    f"`Checkpoint` was expecting a trackable object: a variable, a layer, a model, "
                    f"an optimizer; {name} is {value!r}"
                )
            setattr(self, name, value)
        self._save_counter = self._next = None
        self._saver = ObjectSaver(self)

    def checkpoint_children(self):
        """Returns the objects.

        Returns:
            A list of pairs of a name and an object.
        """
        own = [
            (name, value) for name, value in vars(self).items()
            if object_graph.is_node(value) and not name.startswith("_")
        ]  # fmt: skip
        return own + ([] if self._save_counter is None else [("save_counter", self._save_counter)])

    @property
    def save_counter(self):
        """How many times save() was called, an int64 variable."""
        self._make_counter(None)
        return self._save_counter

    def _make_counter(self, graph):
        if self._save_counter is None:
            with (graph or get_default_graph()).as_default():
                self._save_counter = Variable(
                    0, dtype="int64", name="save_counter", trainable=False, use_resource=True
                )
                self._next = self._save_counter.assign_add(1)

    def write(self, file_prefix, session=None):
        """Writes a checkpoint without a number.

        Args:
            file_prefix: Its path, a str.
            session: The session. None: the default one.

        Returns:
            The path, a str.
        """
        return self._saver.save(os.fspath(file_prefix), session)

    def save(self, file_prefix, session=None):
        """Writes a checkpoint with the next number, and names it in the file "checkpoint".

        Args:
            file_prefix: Its path without the number, a str.
            session: The session. None: the default one.

        Returns:
            The path, a str.
        """
        path = self._numbered(os.fspath(file_prefix), session)
        update_checkpoint_state(os.path.dirname(path), path, [path], save_relative_paths=True)
        return path

    def _numbered(self, file_prefix, session, number=None):
        session = session_of(session)
        self._make_counter(session.graph)
        with session.graph.as_default():
            if not session.run(is_variable_initialized(self._save_counter)):
                session.run(self._save_counter.initializer)
        counted = int(session.run(self._next))
        return self.write(f"{file_prefix}-{counted if number is None else number}", session)

    def restore(self, save_path):
        """Finds the values of the objects in a checkpoint.

        Args:
            save_path: Its path, a str. None: there is none.

        Returns:
            A status, whose run_restore_ops() restores them.

        Raises:
            errors.NotFoundError: There is no such checkpoint.
        """
        self.save_counter  # noqa: B018, restored too
        return self._saver.restore(None if save_path is None else os.fspath(save_path))


class CheckpointManager:
    """Keeps the newest checkpoints of a directory, and removes older ones.

    Args:
        checkpoint: The Checkpoint.
        directory: The directory, a str.
        max_to_keep: How many checkpoints stay, an int. None: all.
        keep_checkpoint_every_n_hours: A checkpoint of every so many hours stays too, a float. None:
            none does.
        checkpoint_name: Name of the checkpoints, a str.

    Raises:
        ValueError: max_to_keep is not positive.
    """

    def __init__(self, checkpoint, directory, max_to_keep, keep_checkpoint_every_n_hours=None,
                 checkpoint_name="ckpt"):  # fmt: skip
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        self._checkpoint, self._directory = checkpoint, os.fspath(directory)
        self._max, self._hours = max_to_keep, keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._kept, now = {}, time.time()  # path -> when it was written, the oldest first
        state = get_checkpoint_state(self._directory)
        self._preserved = now
        if state is not None:
            times = list(state.all_model_checkpoint_timestamps)
            paths = list(state.all_model_checkpoint_paths)
            times = times if len(times) == len(paths) else [now] * len(paths)
            self._kept = dict(zip(paths, times))
            self._preserved = state.last_preserved_timestamp or now

    @property
    def checkpoints(self):
        """The paths of the checkpoints that stay, the oldest first."""
        return list(self._kept)

    @property
    def latest_checkpoint(self):
        """The path of the newest checkpoint; None if there is none."""
        return next(reversed(self._kept), None)

    def save(self, checkpoint_number=None):
        """Writes a checkpoint, and removes the oldest if there are too many.

        Args:
            checkpoint_number: Its number, an int. None: the next one.

        Returns:
            The path, a str.
        """
        os.makedirs(self._directory, exist_ok=True)
        path = self._checkpoint._numbered(self._prefix, None, checkpoint_number)
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._sweep()
        update_checkpoint_state(
            self._directory, path, list(self._kept),
            all_model_checkpoint_timestamps=list(self._kept.values()),
            last_preserved_timestamp=self._preserved, save_relative_paths=True,
        )  # fmt: skip
        return path

    def _sweep(self):
        while self._max and len(self._kept) > self._max:
            path, when = next(iter(self._kept.items()))
            del self._kept[path]
            if self._hours and when - self._hours * 3600 >= self._preserved:
                self._preserved = when
            else:
                remove_checkpoint(path)
