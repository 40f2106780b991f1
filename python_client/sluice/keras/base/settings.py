# SPDX-License-Identifier: Apache-2.0
"""Settings of Keras that hold for the whole program: dtype, epsilon, data format."""

_FLOATS = ("float16", "float32", "float64")
_FORMATS = ("channels_first", "channels_last")
_settings = {"floatx": "float32", "epsilon": 1e-7, "image_data_format": "channels_last"}


def floatx():
    """Returns the default dtype of variables and inputs.

    Returns:
        A str.
    """
    return _settings["floatx"]


def set_floatx(value):
    """Sets the default dtype of variables and inputs.

    Args:
        value: "float16", "float32" or "float64".

    Raises:
        ValueError: It is another dtype.
    """
    if value not in _FLOATS:
        raise ValueError(f"Unknown floatx type: {value}")
    _settings["floatx"] = str(value)


def epsilon():
    """Returns the small number that keeps divisors above 0.

    Returns:
        A float.
    """
    return _settings["epsilon"]


def set_epsilon(value):
    """Sets the small number that keeps divisors above 0.

    Args:
        value: The number, a float.
    """
    _settings["epsilon"] = value


def image_data_format():
    """Returns where images have their channels by default.

    Returns:
        "channels_last" or "channels_first".
    """
    return _settings["image_data_format"]


def set_image_data_format(data_format):
    """Sets where images have their channels by default.

    Args:
        data_format: "channels_last" or "channels_first".

    Raises:
        ValueError: It is neither.
    """
    if data_format not in _FORMATS:
        raise ValueError(f"Unknown data_format: {data_format}")
    _settings["image_data_format"] = str(data_format)
