# SPDX-License-Identifier: Apache-2.0
"""What tests of programs check of arrays, lists and messages."""

import unittest

import numpy as np

from .. import dtypes, messages
from ..graph.device_spec import DeviceSpec


class ArrayTestCase(unittest.TestCase):
    """The assertions of TensorFlow's test cases about whole arrays. A subclass computes tensors.

    Args:
        methodName: Name of the test's method, a str.
    """

    def _value(self, value):
        """What an argument of an assertion stands for."""
        return value

    def _array(self, value):
        return np.asarray(self._value(value))

    def _check_all(self, good, array, text, msg=None):
        if not np.all(good):
            bad = array[~np.asarray(good)]
            self.fail(self._formatMessage(msg, f"{bad.size} elements are not {text}: {bad[:10]}"))

    def assertAllGreater(self, a, comparison_target):  # noqa: N802
        """Checks that all elements of an array are above a number.

        Args:
            a: An array or a tensor.
            comparison_target: The number.
        """
        a = self._array(a)
        self._check_all(a > comparison_target, a, f"above {comparison_target}")

    def assertAllGreaterEqual(self, a, comparison_target):  # noqa: N802
        """Checks that no element of an array is below a number.

        Args:
            a: An array or a tensor.
            comparison_target: The number.
        """
        a = self._array(a)
        self._check_all(a >= comparison_target, a, f"{comparison_target} or above")

    def assertAllLess(self, a, comparison_target):  # noqa: N802
        """Checks that all elements of an array are below a number.

        Args:
            a: An array or a tensor.
            comparison_target: The number.
        """
        a = self._array(a)
        self._check_all(a < comparison_target, a, f"below {comparison_target}")

    def assertAllLessEqual(self, a, comparison_target):  # noqa: N802
        """Checks that no element of an array is above a number.

        Args:
            a: An array or a tensor.
            comparison_target: The number.
        """
        a = self._array(a)
        self._check_all(a <= comparison_target, a, f"{comparison_target} or below")

    def assertAllInRange(self, target, lower_bound, upper_bound,  # noqa: N802
                         open_lower_bound=False, open_upper_bound=False):  # fmt: skip
        """Checks that all elements of an array are in a range.

        Args:
            target: An array or a tensor.
            lower_bound: The lowest number.
            upper_bound: The highest number.
            open_lower_bound: Whether the lowest number itself is outside. A bool.
            open_upper_bound: Whether the highest number itself is outside. A bool.
        """
        a = self._array(target)
        low = a > lower_bound if open_lower_bound else a >= lower_bound
        high = a < upper_bound if open_upper_bound else a <= upper_bound
        first, last = "[("[open_lower_bound], "])"[open_upper_bound]
        self._check_all(low & high, a, f"in {first}{lower_bound}, {upper_bound}{last}")

    def assertAllInSet(self, target, expected_set):  # noqa: N802
        """Checks that all elements of an array are among some values.

        Args:
            target: An array or a tensor.
            expected_set: The values, a set.
        """
        a = self._array(target)
        self._check_all(np.isin(a, list(expected_set)), a, f"in {expected_set}")

    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6,  # noqa: N802
                                      float_rtol=1e-6, float_atol=1e-6, half_rtol=1e-3,
                                      half_atol=1e-3, bfloat16_rtol=1e-2, bfloat16_atol=1e-2,
                                      msg=None):  # fmt: skip
        """Checks that two arrays are nearly equal, as near as the less precise dtype allows.

        Args:
            a: An array or a tensor.
            b: The same.
            rtol: Relative difference that is allowed, a float.
            atol: Absolute difference that is allowed, a float.
            float_rtol: rtol if an array is float32 or complex64, if it is larger.
            float_atol: atol if an array is float32 or complex64, if it is larger.
            half_rtol: rtol if an array is float16, if it is larger.
            half_atol: atol if an array is float16, if it is larger.
            bfloat16_rtol: rtol if an array is bfloat16, if it is larger.
            bfloat16_atol: atol if an array is bfloat16, if it is larger.
            msg: What is said if they differ, a str.
        """
        a, b = self._array(a), self._array(b)
        kinds = {a.dtype.name, b.dtype.name}
        if kinds & {"float32", "complex64"}:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        if "float16" in kinds:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        if "bfloat16" in kinds:
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(self, a, b, **kwargs):  # noqa: N802
        """Checks that two structures of arrays are not nearly equal.

        Args:
            a: Arrays, tensors or numbers in any structure.
            b: The same.
            **kwargs: rtol, atol and msg of assertAllClose().
        """
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        self.fail("The two values are close at all elements.")

    def assertNotAllEqual(self, a, b, msg=None):  # noqa: N802
        """Checks that two arrays differ.

        Args:
            a: An array, a tensor or a number.
            b: The same.
            msg: What is said if they are equal, a str.
        """
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(self._formatMessage(msg, "The two values are equal at all elements."))

    def assertArrayNear(self, farray1, farray2, err, msg=None):  # noqa: N802
        """Checks that the numbers of two lists are near each other.

        Args:
            farray1: Numbers, a list.
            farray2: The same.
            err: The largest difference, a number.
            msg: What is said if they differ, a str.
        """
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2):
            self.assertLessEqual(abs(float(f1) - float(f2)), err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):  # noqa: N802
        """Checks that the distance of two arrays is below a number.

        Args:
            ndarray1: An array.
            ndarray2: The same.
            err: The distance, a number.
            msg: What is said if they differ, a str.
        """
        self.assertLess(np.linalg.norm(ndarray1 - ndarray2), err, msg)

    def assertDTypeEqual(self, target, expected_dtype):  # noqa: N802
        """Checks the dtype of an array.

        Args:
            target: An array or a tensor.
            expected_dtype: The dtype.
        """
        dtype = target.dtype if hasattr(target, "dtype") else np.asarray(target).dtype
        self.assertEqual(dtypes.as_dtype(dtype), dtypes.as_dtype(expected_dtype))

    def assertDeviceEqual(self, device1, device2, msg=None):  # noqa: N802
        """Checks that two names mean the same device.

        Args:
            device1: A name, a str.
            device2: The same.
            msg: What is said if they differ, a str.
        """
        names = [DeviceSpec.from_string(str(d or "")).to_string() for d in (device1, device2)]
        self.assertEqual(*names, msg)

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):  # noqa: N802
        """Checks that two protocol messages are equal.

        Args:
            expected_message_maybe_ascii: A message, or its text form.
            message: A message.
            msg: What is said if they differ, a str.
        """
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            text = expected if isinstance(expected, str) else expected.decode()
            expected = messages.parse(type(message), text)
        self.assertEqual(messages.to_text(expected), messages.to_text(message), msg)

    def assertStartsWith(self, actual, expected_start, msg=None):  # noqa: N802
        """Checks how a text begins.

        Args:
            actual: The text, a str.
            expected_start: Its beginning, a str.
            msg: What is said if it begins otherwise, a str.
        """
        if not actual.startswith(expected_start):
            text = f"{actual!r} does not start with {expected_start!r}"
            self.fail(self._formatMessage(msg, text))

    def assertItemsEqual(self, first, second, msg=None):  # noqa: N802
        """Checks that two iterables have the same items, in any order.

        Args:
            first: An iterable.
            second: The same.
            msg: What is said if they differ, a str.
        """
        self.assertCountEqual(list(first), list(second), msg)

    def assertLen(self, container, expected_len, msg=None):  # noqa: N802
        """Checks how many items there are.

        Args:
            container: A list, or what else has a length.
            expected_len: Its length, an int.
            msg: What is said if it has another one, a str.
        """
        if len(container) != expected_len:
            text = f"{container!r} has length {len(container)}, not {expected_len}"
            self.fail(self._formatMessage(msg, text))

    def assertEmpty(self, container, msg=None):  # noqa: N802
        """Checks that there are no items.

        Args:
            container: A list, or what else has a length.
            msg: What is said if there are some, a str.
        """
        self.assertLen(container, 0, msg)

    def assertNotEmpty(self, container, msg=None):  # noqa: N802
        """Checks that there are items.

        Args:
            container: A list, or what else has a length.
            msg: What is said if there are none, a str.
        """
        if not len(container):
            self.fail(self._formatMessage(msg, f"{container!r} has length of 0"))
