# SPDX-License-Identifier: Apache-2.0
"""Objects by their names, and as dicts {"class_name": ..., "config": ...} that make equal ones."""

import inspect

_custom = {}  # name -> class or function, of the program


class CustomObjectScope:
    """Gives names to classes and functions of the program, inside of a `with`.

    Args:
        *args: Dicts: name -> class or function.
    """

    def __init__(self, *args):
        self._objects, self._before = args, None

    def __enter__(self):
        self._before = dict(_custom)
        for objects in self._objects:
            _custom.update(objects)
        return self

    def __exit__(self, *_):
        _custom.clear()
        _custom.update(self._before)


def custom_object_scope(*args):
    """Gives names to classes and functions of the program, inside of a `with`.

    Args:
        *args: Dicts: name -> class or function.

    Returns:
        A context manager.
    """
    return CustomObjectScope(*args)


def get_custom_objects():
    """Returns the names that the program gave to classes and functions.

    Returns:
        A dict: name -> class or function, which may be changed.
    """
    return _custom


def serialize_keras_object(instance):
    """Describes an object.

    Args:
        instance: An object with get_config(), a function, or None.

    Returns:
        A dict of "class_name" and "config"; of a function its name; of None None.

    Raises:
        ValueError: The object is none of these.
    """
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": class_name(instance), "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError("Cannot serialize", instance)


def class_name(instance):
    """The name of an object's class as configurations have it."""
    return getattr(instance, "saved_class", type(instance).__name__)


def deserialize_keras_object(identifier, module_objects=None, custom_objects=None,
                             printable_module_name="object"):  # fmt: skip
    """Makes the object that serialize_keras_object() described.

    Args:
        identifier: A dict of "class_name" and "config", or the name of a function.
        module_objects: A dict: name -> class or function. None: none.
        custom_objects: A dict of those that come first. None: none.
        printable_module_name: Name of the kind of object for errors, a str.

    Returns:
        The object.

    Raises:
        ValueError: The name is not known.
    """
    known = {**(module_objects or {}), **_custom, **(custom_objects or {})}
    if identifier is None:
        return None
    if isinstance(identifier, dict) and not {"class_name", "config"} <= set(identifier):
        raise ValueError(f"Improper config format: {identifier}")
    name = identifier["class_name"] if isinstance(identifier, dict) else identifier
    if name not in known:
        given = isinstance(identifier, dict) or printable_module_name in ("constraint", "optimizer")
        gap = " " if given else ""  # as TensorFlow writes it
        raise ValueError(f"Unknown {printable_module_name}:{gap}{name}")
    thing = known[name]
    if not isinstance(identifier, dict):
        return thing() if inspect.isclass(thing) else thing
    config = identifier["config"]
    if not hasattr(thing, "from_config"):
        with CustomObjectScope(custom_objects or {}):
            return thing(**config)
    if "custom_objects" in inspect.signature(thing.from_config).parameters:
        return thing.from_config(config, custom_objects={**_custom, **(custom_objects or {})})
    with CustomObjectScope(custom_objects or {}):
        return thing.from_config(config)


def find(identifier, known, kind, custom_objects=None):
    """The object that an argument such as "relu" stands for.

    Args:
        identifier: None, a name, a dict of serialize_keras_object(), or the object itself.
        known: A dict: name -> class or function.
        kind: Name of the kind of object for errors, a str.
        custom_objects: A dict of names that come first. None: none.

    Returns:
        The object; None for None.

    Raises:
        ValueError: It stands for nothing.
        TypeError: It is not an activation function.
    """
    if identifier is None:
        return None
    if isinstance(identifier, (str, dict)):
        return deserialize_keras_object(identifier, known, custom_objects, kind)
    if callable(identifier):
        return identifier() if inspect.isclass(identifier) else identifier
    if kind in ("loss function", "regularizer"):  # as TensorFlow raises it
        raise ValueError(f"Could not interpret {kind} identifier:", identifier)
    error = TypeError if kind == "activation function" else ValueError
    raise error(f"Could not interpret {kind} identifier: {identifier}")
