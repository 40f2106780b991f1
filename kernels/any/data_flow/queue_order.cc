// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/queue_order.h"

#include <algorithm>
#include <deque>
#include <random>
#include <utility>

#include "kernels/common/philox.h"

namespace sluice::kernels {
namespace {

class Fifo final : public QueueOrder {
 public:
  void Put(QueueElement element) override { elements_.push_back(std::move(element)); }
  QueueElement Take() override {
    QueueElement first = std::move(elements_.front());
    elements_.pop_front();
    return first;
  }
  void PutBack(QueueElement element) override { elements_.push_front(std::move(element)); }
  int64_t size() const override { return static_cast<int64_t>(elements_.size()); }

 private:
  std::deque<QueueElement> elements_;
};

uint64_t RandomSeed() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

class Shuffle final : public QueueOrder {
 public:
  Shuffle(uint64_t seed, uint64_t seed2) : words_(Philox(seed, seed2), 0) {}
  void Put(QueueElement element) override { elements_.push_back(std::move(element)); }
  QueueElement Take() override {
    std::swap(elements_[words_.Next() % elements_.size()], elements_.back());
    QueueElement taken = std::move(elements_.back());
    elements_.pop_back();
    return taken;
  }
  int64_t size() const override { return static_cast<int64_t>(elements_.size()); }

 private:
  std::vector<QueueElement> elements_;
  PhiloxWords words_;
};

class Heap final : public QueueOrder {
 public:
  void Put(QueueElement element) override {
    const int64_t priority = element[0].scalar<int64_t>();
    heap_.push_back({priority, std::move(element)});
    std::push_heap(heap_.begin(), heap_.end(), Later);
  }
  QueueElement Take() override {
    std::pop_heap(heap_.begin(), heap_.end(), Later);
    QueueElement least = std::move(heap_.back().element);
    heap_.pop_back();
    return least;
  }
  int64_t size() const override { return static_cast<int64_t>(heap_.size()); }

 private:
  struct Entry {
    int64_t priority;
    QueueElement element;
  };
  static bool Later(const Entry& a, const Entry& b) { return a.priority > b.priority; }
  std::vector<Entry> heap_;
};

}  // namespace

std::unique_ptr<QueueOrder> FirstInFirstOut() { return std::make_unique<Fifo>(); }

std::unique_ptr<QueueOrder> Shuffled(int64_t seed, int64_t seed2) {
  if (seed == 0 && seed2 == 0) return std::make_unique<Shuffle>(RandomSeed(), RandomSeed());
  return std::make_unique<Shuffle>(static_cast<uint64_t>(seed), static_cast<uint64_t>(seed2));
}

std::unique_ptr<QueueOrder> LeastFirst() { return std::make_unique<Heap>(); }

}  // namespace sluice::kernels
