# SPDX-License-Identifier: Apache-2.0
"""Sluice: dataflow graphs with a distributed master. Names are those of TensorFlow 1.15.

import sluice as sl
x = sl.placeholder(sl.float32, [None, 2])
y = sl.matmul(x, [[1.0], [2.0]])
with sl.Session() as session:
    print(session.run(y, {x: [[3.0, 4.0]]}))
"""

from .imported_for import imported_for as _imported_for

# `sluice.tensorflow` runs in TensorFlow's interpreter, which may be another Python and has its own
# gRPC and Protocol Buffers. Its import must not load the client and the extension module.
if _imported_for("sluice.tensorflow"):
    from .tensorflow.without_client import __getattr__  # noqa: F401
elif _imported_for("sluice.hvd"):  # it works over TensorFlow's client too
    from .horovod.client_when_used import find as __getattr__  # noqa: F401
else:
    from .imported_for import check_interpreter as _check_interpreter

    _check_interpreter()
    from .public import *  # noqa: F403
    from .public import __version__  # noqa: F401
