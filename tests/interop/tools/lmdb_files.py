# SPDX-License-Identifier: Apache-2.0
"""Writes databases of LMDB's."""

import ctypes
import os
import shutil


def lmdb_folder(path, entries, transactions=1):
    """`path` becomes a folder with an LMDB file of `entries`, written by LMDB's own library."""

    class Bytes(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_char_p)]

        def __init__(self, data):
            super().__init__(len(data), data)

    library = ctypes.CDLL("liblmdb.so.0")

    def call(function, *arguments):
        assert getattr(library, function)(*arguments) == 0, function

    shutil.rmtree(path, ignore_errors=True)
    os.mkdir(path)
    environment, transaction, table = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint()
    call("mdb_env_create", ctypes.byref(environment))
    call("mdb_env_set_mapsize", environment, ctypes.c_size_t(16 << 20))
    call("mdb_env_open", environment, path.encode(), 0, 0o600)
    for i in range(transactions):
        call("mdb_txn_begin", environment, None, 0, ctypes.byref(transaction))
        call("mdb_dbi_open", transaction, None, 0, ctypes.byref(table))
        for key, value in entries[i::transactions]:
            key, value = Bytes(key), Bytes(value)
            call("mdb_put", transaction, table, ctypes.byref(key), ctypes.byref(value), 0)
        call("mdb_txn_commit", transaction)
    library.mdb_env_close(environment)
    return path
