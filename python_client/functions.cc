// SPDX-License-Identifier: Apache-2.0
#include "python_client/functions.h"

#include <deque>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "core/runtime/host_functions.h"
#include "python_client/gil.h"
#include "python_client/numpy.h"

namespace sluice::python {
namespace py = pybind11;
namespace {

// An idle thread waits this long for the next call.
constexpr absl::Duration kIdle = absl::Seconds(5);

// PythonFunctions calls sluice/ops/functions/py_func.py.
//
// A call has a thread of its own while it runs, so that functions may block, wait for each other,
// or run a session. Idle threads take the next calls. The GIL is held only while Python runs.
class PythonFunctions final : public HostFunctions {
 public:
  explicit PythonFunctions(py::object call) : call_(call.release().ptr()) {}

  void Start(Call call) override {
    {
      absl::MutexLock lock(&mu_);
      if (!closed_) {
        waiting_.push_back(std::move(call));
        if (idle_ >= static_cast<int>(waiting_.size())) return;
        std::thread([this] { Serve(); }).detach();
        return;
      }
    }
    call.done(absl::CancelledError("the program ends: Python functions can no longer run"));
  }

  // Refuses further calls, and waits until those that run have returned.
  void Close(absl::Duration limit) {
    const auto none_runs = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      return running_ == 0 && waiting_.empty();
    };
    absl::MutexLock lock(&mu_);
    closed_ = true;
    mu_.AwaitWithTimeout(absl::Condition(&none_runs), limit);
  }

 private:
  void Serve() {
    const auto has_call = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return !waiting_.empty(); };
    absl::MutexLock lock(&mu_);
    while (true) {
      ++idle_;
      const bool has = mu_.AwaitWithTimeout(absl::Condition(&has_call), kIdle);
      --idle_;
      if (!has) return;
      Call call = std::move(waiting_.front());
      waiting_.pop_front();
      ++running_;
      mu_.Unlock();
      absl::StatusOr<std::vector<Tensor>> results = Run(call);
      call.args.clear();
      mu_.Lock();
      --running_;
      mu_.Unlock();
      call.done(std::move(results));
      call.done = nullptr;  // what it holds is destroyed without the lock
      mu_.Lock();
    }
  }

  absl::StatusOr<std::vector<Tensor>> Run(Call& call) {
    WithGil gil;
    try {
      py::list args, types;
      for (Tensor& arg : call.args) args.append(ToNumpy(std::move(arg)));
      for (const DType type : call.results) types.append(static_cast<int>(type));
      // (0, "", arrays), or the code and text of an error.
      const py::tuple answer = py::handle(call_)(call.name, args, types);
      const int code = answer[0].cast<int>();
      if (code != 0)
        return absl::Status(static_cast<absl::StatusCode>(code), answer[1].cast<std::string>());
      std::vector<Tensor> results;
      for (const py::handle array : answer[2].cast<py::list>())
        results.push_back(ToTensor(array, call.results.at(results.size()), /*borrow=*/false));
      if (results.size() == call.results.size()) return results;
      return absl::InternalError("a Python function returned too few arrays");
    } catch (const std::exception& e) {
      return absl::UnknownError(e.what());
    } catch (...) {  // pthread_exit(): the function still ran when Python ended
      SleepForever();
    }
  }

  PyObject* const call_;  // never released: the interpreter may end first
  absl::Mutex mu_;
  std::deque<Call> waiting_ ABSL_GUARDED_BY(mu_);
  int idle_ ABSL_GUARDED_BY(mu_) = 0;     // threads
  int running_ ABSL_GUARDED_BY(mu_) = 0;  // calls
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
};

PythonFunctions* functions = nullptr;  // guarded by the GIL

}  // namespace

void DefineFunctions(py::module_& m) {
  m.def("serve_functions", [](py::object call) {
    functions = new PythonFunctions(std::move(call));
    SetHostFunctions(functions);
  });
  m.def("close_functions", [](double seconds) {
    if (functions == nullptr) return;
    WithoutGil free;
    functions->Close(absl::Seconds(seconds));
  });
}

}  // namespace sluice::python
