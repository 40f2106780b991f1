"""Runs the functions of a test file: check_*() are the tests. The last line says how many
passed."""

import sys
import traceback


def run(namespace):
    passed, failed = 0, 0
    for name, function in list(namespace.items()):
        if not name.startswith("check_"):
            continue
        try:
            function()
            passed += 1
        except Exception:
            failed += 1
            print(f"FAILED {name}")
            traceback.print_exc(file=sys.stdout)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


def raises(error, function, *texts):
    """Calls `function`; the error it raises must be of this class and say these texts."""
    try:
        function()
    except error as e:
        for text in texts:
            assert text in str(e), f"{text!r} is not in: {e}"
        return e
    raise AssertionError(f"{error.__name__} was not raised")
