# SPDX-License-Identifier: Apache-2.0
"""Paths of files beside a program."""

import os

ONLY_1X = True


def paths(tf):
    loader, here = tf.resource_loader, os.path.dirname(os.path.abspath(__file__))
    found = [
        os.path.abspath(loader.get_data_files_path()) == here,
        os.path.abspath(loader.get_path_to_datafile("a/b")) == os.path.join(here, "a/b"),
        os.path.isdir(loader.get_root_dir_with_all_resources()),
        loader.readahead_file_path("x"), b'"""' in loader.load_resource("__init__.py"),
    ]  # fmt: skip
    try:
        loader.load_resource("no such file")
    except OSError:
        found.append("IOError")
    return found
