// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_GIL_H_
#define SLUICE_PYTHON_CLIENT_GIL_H_

// Guards of Python's global interpreter lock (GIL).
//
// While the interpreter ends, Python up to 3.13 ends each thread that asks for the GIL: by
// pthread_exit(), which unwinds the C++ frames of that thread, and aborts the process at the first
// destructor. Such a thread sleeps here until the process has ended, as in Python 3.14.

#include <Python.h>

namespace sluice::python {

// Gives up the GIL while it lives.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* const state_;
};

// Holds the GIL while it lives, on any thread.
class WithGil {
 public:
  WithGil();
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

// Whether the interpreter has ended, or begun to end.
bool PythonEnds();

// Keeps the calling thread until the process has ended.
[[noreturn]] void SleepForever();

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_GIL_H_
