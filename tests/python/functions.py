# SPDX-License-Identifier: Apache-2.0
"""Tables of function calls and what NumPy says of them."""

import glob
import os
import re

import numpy as np
import sluice as sl


def value_of(make, init=False):
    """The values of make()'s tensors, in a separate graph."""
    with sl.Graph().as_default():
        fetches = make()
        with sl.Session() as session:
            if init:
                session.run(sl.global_variables_initializer())
            return session.run(fetches)


def table(*rows, rtol=1e-5, atol=1e-6):
    """Rows (what, make, expected): make() gives a tensor or several. All that differ are shown."""
    wrong = []
    for what, make, expected in rows:
        try:
            found = value_of(make)
            parts = isinstance(found, (list, tuple)) and isinstance(expected, (list, tuple))
            pairs = zip(found, expected) if parts else [(found, expected)]
            for one, want in pairs:
                want = np.asarray(want)
                assert np.shape(one) == want.shape, f"shape {np.shape(one)}, not {want.shape}"
                if want.dtype.kind in "fc":
                    np.testing.assert_allclose(one, want, rtol=rtol, atol=atol)
                else:
                    np.testing.assert_array_equal(one, want)
        except Exception as e:
            wrong.append(f"{what}: {type(e).__name__}: {str(e)[:500]}")
    assert not wrong, "\n".join(wrong)


# Programs that run through TensorFlow too; there names are called tf.<module>.<name>.
COMPARED = os.path.join("..", "interop", "programs", "client", "**", "[a-z]*.py")


def uses_every_name(module, prefix, *files):
    """Each public name of a module occurs in these files as <prefix>.<name>, or in COMPARED.

    Names that the module shares with another one are tested there.
    """
    here = os.path.dirname(__file__)
    text = "".join(open(os.path.join(here, f)).read() for f in files)
    programs = glob.glob(os.path.join(here, COMPARED), recursive=True)
    compared = "".join(open(f).read() for f in programs)
    missing = [
        n
        for n in sorted(set(module.__all__) - getattr(module, "_shared", set()))
        if not re.search(rf"\b{re.escape(prefix)}\.{n}\b", text)
        and not re.search(rf"\btf\.(\w+\.)*{n}\(", compared)
    ]
    assert not missing, f"no test calls {prefix}: {', '.join(sorted(missing))}"
