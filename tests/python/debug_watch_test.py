# SPDX-License-Identifier: Apache-2.0
"""Watches of TensorFlow's debugger in RunOptions, from our own client."""

import glob
import os
import tempfile

import sluice as sl


def dumped(session, fetches, feeds, node):
    """The files that a watch on the first output of `node` leaves, and what was fetched."""
    with tempfile.TemporaryDirectory() as root:
        options = sl.RunOptions()
        watch = options.debug_options.debug_tensor_watch_opts.add()
        watch.node_name = node
        watch.debug_ops.append("DebugIdentity")
        watch.debug_urls.append("file://" + root)
        values = session.run(fetches, feeds, options=options)
        found = glob.glob(f"{root}/_tfdbg_device_*/**/{node}_0_DebugIdentity_*", recursive=True)
        assert glob.glob(root + "/_tfdbg_core_metadata_*"), os.listdir(root)
        return found, values


def test_a_local_session_writes_dumps():
    with sl.Graph().as_default():
        x = sl.placeholder(sl.float32, [])
        y = sl.negative(x, name="y")
        z = sl.negative(y, name="z")
        with sl.Session() as session:
            found, value = dumped(session, z, {x: 2.0}, "y")
            assert len(found) == 1 and value == 2.0, (found, value)
            assert session.run(z, {x: 3.0}) == 3.0


def test_a_dump_that_cannot_be_written_fails_the_step():
    with sl.Graph().as_default():
        y = sl.negative(sl.constant(1.0), name="y")
        options = sl.RunOptions()
        watch = options.debug_options.debug_tensor_watch_opts.add()
        watch.node_name = "y"
        watch.debug_ops.append("DebugIdentity")
        watch.debug_urls.append("grpc://localhost:1")
        with sl.Session() as session:
            try:
                session.run(y, options=options)
            except sl.errors.UnimplementedError as error:
                assert "grpc://localhost:1" in error.message, error
            else:
                raise AssertionError("a gRPC URL was taken")
