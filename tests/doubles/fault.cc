// SPDX-License-Identifier: Apache-2.0
#include "tests/doubles/fault.h"

#include <string>
#include <vector>

namespace sluice::transport {
namespace {

// The output function of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", 2014), applied to the mixed inputs.
class Draws {
 public:
  explicit Draws(uint64_t seed) : state_(seed) {}
  void Mix(uint64_t value) { state_ = Next() ^ value; }
  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  bool Happens(double share) { return static_cast<double>(Next() >> 11) * 0x1p-53 < share; }

 private:
  uint64_t state_;
};

void FlipBit(Tensor& tensor, uint64_t bit) {
  if (tensor.dtype() == kBool) {  // transports deliver only bools that are 0 or 1
    bool& value = tensor.mutable_data<bool>()[bit % tensor.bytes()];
    value = !value;
    return;
  }
  const uint64_t which = bit % (tensor.bytes() * 8);
  tensor.mutable_data<uint8_t>()[which / 8] ^= static_cast<uint8_t>(1u << which % 8);
}

void FlipBitOfString(Tensor& tensor, uint64_t bit) {
  const auto strings = tensor.mutable_flat<std::string>();
  std::string& text = strings[bit % strings.size()];
  if (text.empty()) return;
  const uint64_t which = bit % (text.size() * 8);
  text[which / 8] = static_cast<char>(text[which / 8] ^ (1 << which % 8));
}

}  // namespace

Fault FaultOf(const FaultRates& rates, const ParcelId& id) {
  Draws draws(rates.seed);
  for (const uint64_t value : {id.step.number, id.key.edge, id.key.frame,
                               static_cast<uint64_t>(id.key.iteration), id.key.call})
    draws.Mix(value);
  Fault fault;
  fault.drop = draws.Happens(rates.drop);
  fault.corrupt = draws.Happens(rates.corrupt);
  fault.misshape = draws.Happens(rates.misshape);
  fault.bit = draws.Next();
  return fault;
}

absl::StatusOr<Parcel> InjectFault(const Fault& fault, const Parcel& parcel) {
  Parcel damaged = parcel;
  Tensor& tensor = damaged.tensor;
  if (!tensor.valid() || tensor.num_elements() == 0) return damaged;
  const bool corruptible = IsPlain(tensor.dtype()) || tensor.dtype() == kString;
  if (fault.corrupt && corruptible) {
    SLUICE_ASSIGN(tensor, tensor.Copy());
    if (tensor.dtype() == kString)
      FlipBitOfString(tensor, fault.bit);
    else
      FlipBit(tensor, fault.bit);
  }
  if (fault.misshape) {
    std::vector<int64_t> dims(tensor.shape().dims().begin(), tensor.shape().dims().end());
    dims.insert(dims.begin(), 1);
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(tensor, tensor.Reshaped(shape));
  }
  return damaged;
}

}  // namespace sluice::transport
