# SPDX-License-Identifier: Apache-2.0
"""Readers of LMDB's databases, which later TensorFlows have not."""

import os
import tempfile

from interop.programs.client._outcomes import collect
from interop.tools.lmdb_files import lmdb_folder

ONLY_1X = True


def entries_of_lmdb_files(tf):
    with tempfile.TemporaryDirectory() as folder:
        entries = [(b"k%d" % (9 - i), b"v%d" % i) for i in range(5)]
        paths = [lmdb_folder(os.path.join(folder, name), entries) for name in "ab"]
        names = tf.train.string_input_producer(paths, 1, shuffle=False)
        reader, other = tf.LMDBReader(), tf.LMDBReader("other")
        found = [collect(tf, list(reader.read(names)))]
        more = tf.train.string_input_producer(paths, 1, shuffle=False)
        found.append(collect(tf, list(other.read_up_to(more, 3))))
        counts = [reader.num_records_produced(), other.num_work_units_completed()]
        with tf.Session() as sess:
            return found + sess.run(counts)
