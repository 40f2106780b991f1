// SPDX-License-Identifier: Apache-2.0
// A second flow of control on the same thread of the host. Plain switches of registers: a kernel's
// block switches at each barrier, a hundred thousand times in a test.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_FIBRE_H_
#define SLUICE_TESTS_CUDA_DOUBLE_FIBRE_H_

#include <cstddef>

namespace sluice::cuda_double {

// Where a flow of control stands that does not run.
struct Context {
  void* stack_pointer = nullptr;
  // For AddressSanitizer: the stack, and what it keeps of it.
  const void* stack = nullptr;
  size_t stack_size = 0;
  void* shadow = nullptr;
  void* thread_sanitizer = nullptr;
};

// Saves this flow in `from` and continues that of `to`. Returns when another continues `from`.
void Switch(Context& from, Context& to);

// Calls run(argument) on a stack of its own. `run` must not return: it switches away and is left.
class Fibre {
 public:
  Fibre();
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  // The next switch to context() begins run(argument).
  void Begin(void (*run)(void*), void* argument);
  bool begun() const { return begun_; }
  // The flow is never continued: Begin() may follow.
  void Abandon() { begun_ = false; }
  Context& context() { return context_; }

 private:
  static void Enter(Fibre* fibre);

  Context context_;
  void (*run_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool begun_ = false;
};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_FIBRE_H_
