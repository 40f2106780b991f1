"""Sluice: dataflow graphs with a distributed master. Names are those of TensorFlow 1.15.

import sluice as sl
x = sl.placeholder(sl.float32, [None, 2])
y = sl.matmul(x, [[1.0], [2.0]])
with sl.Session() as session:
    print(session.run(y, {x: [[3.0, 4.0]]}))
"""

from .public import *  # noqa: F403
from .public import __version__  # noqa: F401
