# SPDX-License-Identifier: Apache-2.0
"""Common code of the tests of the Python client."""


def raises(error, function, *texts):
    """Calls `function`; the error it raises must be of this class and say these texts."""
    try:
        function()
    except error as e:
        for text in texts:
            assert text in str(e), f"{text!r} is not in: {e}"
        return e
    raise AssertionError(f"{error.__name__} was not raised")
