// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/fibre.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#ifndef __x86_64__
#error "the fibres of the CUDA double are written for x86-64"
#endif

// Pushes the registers that the calling convention keeps, exchanges the stacks, and pops.
asm(R"(
.text
.globl sluice_switch_stacks
.hidden sluice_switch_stacks
.type sluice_switch_stacks, @function
sluice_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size sluice_switch_stacks, .-sluice_switch_stacks

.globl sluice_enter_fibre
.hidden sluice_enter_fibre
.type sluice_enter_fibre, @function
sluice_enter_fibre:
  movq %rbx, %rdi
  callq *%r12
  ud2
.size sluice_enter_fibre, .-sluice_enter_fibre
)");

extern "C" void sluice_switch_stacks(void** from, void* to);
extern "C" void sluice_enter_fibre();

namespace sluice::cuda_double {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// A report of a sanitizer needs this much. Pages that nobody touches cost nothing.
constexpr size_t kStack = size_t{1} << 20;
#else
constexpr size_t kStack = size_t{64} << 10;
#endif
constexpr size_t kGuard = 4096;

// The context that this thread left last, for the one that it continues.
thread_local Context* left = nullptr;

void AfterSwitch([[maybe_unused]] Context& own) {
#if defined(__SANITIZE_ADDRESS__)
  // Learns the bounds of the host thread's own stack, which nobody else tells.
  __sanitizer_finish_switch_fiber(own.shadow, &left->stack, &left->stack_size);
#endif
}

}  // namespace

void Switch(Context& from, Context& to) {
  left = &from;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.shadow, to.stack, to.stack_size);
#endif
#if defined(__SANITIZE_THREAD__)
  if (!from.thread_sanitizer) from.thread_sanitizer = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.thread_sanitizer, 0);
#endif
  sluice_switch_stacks(&from.stack_pointer, to.stack_pointer);
  AfterSwitch(from);
}

Fibre::Fibre() {
  void* pages = mmap(nullptr, kGuard + kStack, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED || mprotect(pages, kGuard, PROT_NONE) != 0) {
    std::perror("cuda double: the stack of a kernel's thread");
    std::abort();
  }
  context_.stack = static_cast<char*>(pages) + kGuard;
  context_.stack_size = kStack;
#if defined(__SANITIZE_THREAD__)
  context_.thread_sanitizer = __tsan_create_fiber(0);
#endif
}

Fibre::~Fibre() {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(context_.stack, context_.stack_size);
#endif
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(context_.thread_sanitizer);
#endif
  munmap(const_cast<char*>(static_cast<const char*>(context_.stack)) - kGuard, kGuard + kStack);
}

void Fibre::Enter(Fibre* fibre) {
  AfterSwitch(fibre->context_);
  fibre->run_(fibre->argument_);
  std::abort();  // run_ came back
}

void Fibre::Begin(void (*run)(void*), void* argument) {
  run_ = run;
  argument_ = argument;
  begun_ = true;
#if defined(__SANITIZE_ADDRESS__)
  // A flow that was left in the middle has its red zones here still.
  ASAN_UNPOISON_MEMORY_REGION(context_.stack, context_.stack_size);
#endif
  context_.shadow = nullptr;
  char* top = const_cast<char*>(static_cast<const char*>(context_.stack)) + kStack;
  // sluice_switch_stacks pops: r15, r14, r13, r12, rbx, rbp, and the address to return to.
  // sluice_enter_fibre begins, and so calls, with a stack aligned to 16 bytes.
  void** frame = reinterpret_cast<void**>(top) - 9;
  frame[0] = frame[1] = frame[2] = frame[5] = nullptr;
  frame[3] = reinterpret_cast<void*>(&Fibre::Enter);
  frame[4] = this;
  frame[6] = reinterpret_cast<void*>(&sluice_enter_fibre);
  frame[7] = frame[8] = nullptr;
  context_.stack_pointer = frame;
}

}  // namespace sluice::cuda_double
