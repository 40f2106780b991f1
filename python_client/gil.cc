// SPDX-License-Identifier: Apache-2.0
#include "python_client/gil.h"

#include <unistd.h>

namespace sluice::python {

bool PythonEnds() {
#if PY_VERSION_HEX >= 0x030d0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

void SleepForever() {
  while (true) pause();
}

WithoutGil::~WithoutGil() {
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {  // pthread_exit()
    SleepForever();
  }
}

WithGil::WithGil() {
  try {
    state_ = PyGILState_Ensure();
  } catch (...) {  // pthread_exit()
    SleepForever();
  }
}

}  // namespace sluice::python
