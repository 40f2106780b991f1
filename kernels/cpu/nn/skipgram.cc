// SPDX-License-Identifier: Apache-2.0
// Skipgram: pairs of a word of a text and one of its neighbours (Mikolov et al., "Distributed
// representations of words and phrases and their compositionality"). The random numbers are
// TensorFlow's, whose generator has no seed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/strings/ascii.h"
#include "core/io/file.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/nn/draw_below.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

constexpr int kExamplesAtOnce = 3000, kSentenceSize = 1000;
constexpr int64_t kMostRejected = 10'000'000;  // words one after the other that `subsample` drops

float UnitFloat(uint32_t word) {
  return std::bit_cast<float>(uint32_t{127} << 23 | (word & 0x7fffff)) - 1.0f;
}

// Calls visit(word) for each word between spaces.
template <typename Visit>
void EachWord(absl::string_view text, Visit&& visit) {
  for (size_t at = 0; at < text.size();) {
    if (absl::ascii_isspace(text[at])) {
      ++at;
      continue;
    }
    const size_t first = at;
    while (at < text.size() && !absl::ascii_isspace(text[at])) ++at;
    visit(text.substr(first, at - first));
  }
}

struct Skipgram {
  struct Example {
    int32_t word, neighbour;
  };
  struct State {
    explicit State(int64_t size) : position(size) {}
    PhiloxWords random{Philox(), 0};
    int64_t position;  // in the text
    int32_t epoch = -1;
    int64_t processed = 0;
    std::vector<int32_t> sentence = std::vector<int32_t>(kSentenceSize);
    int64_t at = kSentenceSize;      // in the sentence
    int64_t neighbour = 0, end = 0;  // of the word there
    std::vector<Example> examples;
    size_t next = 0;
  };

  int64_t batch_size, window_size;
  float subsample;
  Tensor words, counts;       // of the vocabulary; "UNK" comes first
  std::vector<int32_t> text;  // ids
  mutable absl::Mutex mu;
  mutable std::unique_ptr<State> state ABSL_GUARDED_BY(mu);

  static absl::StatusOr<std::unique_ptr<Skipgram>> Create(const NodeSpec& node) {
    auto k = std::make_unique<Skipgram>();
    SLUICE_ASSIGN(const std::string file, node.Get<std::string>("filename"));
    SLUICE_ASSIGN(k->batch_size, node.Get<int64_t>("batch_size"));
    SLUICE_ASSIGN(k->window_size, node.Get<int64_t>("window_size"));
    SLUICE_ASSIGN(const int64_t min_count, node.Get<int64_t>("min_count"));
    SLUICE_ASSIGN(k->subsample, node.Get<float>("subsample"));
    if (k->batch_size < 0) return InvalidArgument("batch_size must not be negative");
    if (k->window_size < 1 || k->window_size > std::numeric_limits<int32_t>::max())
      return InvalidArgument("window_size must be between 1 and 2**31 - 1");
    SLUICE_ASSIGN(const std::string contents, ReadFile(file));
    SLUICE_RETURN_IF_ERROR(k->ReadText(file, contents, min_count));
    const absl::MutexLock lock(&k->mu);
    k->state = std::make_unique<State>(static_cast<int64_t>(k->text.size()));
    SLUICE_RETURN_IF_ERROR(k->DrawExamples(*k->state));
    return k;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, Shape::Create({batch_size}));
    SLUICE_ASSIGN(Tensor * examples, ctx.AllocateOutput(5, shape));
    SLUICE_ASSIGN(Tensor * labels, ctx.AllocateOutput(6, shape));
    const absl::MutexLock lock(&mu);
    for (int64_t i = 0; i < batch_size; ++i) {
      const Example example = state->examples[state->next++];
      examples->mutable_data<int32_t>()[i] = example.word;
      labels->mutable_data<int32_t>()[i] = example.neighbour;
      if (state->next == state->examples.size()) SLUICE_RETURN_IF_ERROR(DrawExamples(*state));
    }
    ctx.SetOutput(0, words);
    ctx.SetOutput(1, counts);
    ctx.SetOutput(2, Tensor::Scalar<int64_t>(static_cast<int64_t>(text.size())));
    ctx.SetOutput(3, Tensor::Scalar<int32_t>(state->epoch));
    ctx.SetOutput(4, Tensor::Scalar<int64_t>(state->processed));
    return absl::OkStatus();
  }

 private:
  // Words that are rarer than `min_count` are "UNK"; the others have ids by frequency. The order of
  // equal ones is that of 1.15's standard library.
  absl::Status ReadText(const std::string& file, absl::string_view contents, int64_t min_count) {
    struct Counted {
      std::string word;
      int32_t count;
    };
    std::unordered_map<std::string, int32_t> seen;
    int64_t size = 0;
    EachWord(contents, [&](absl::string_view word) {
      ++seen[std::string(word)];
      ++size;
    });
    if (size > std::numeric_limits<int32_t>::max())
      return InvalidArgument("The text file ", file, " contains too much data: ", size, " words");
    if (size < window_size * 10) {
      return InvalidArgument("The text file ", file, " contains too little data: ", size, " words");
    }
    std::vector<Counted> ordered;
    for (const auto& [word, count] : seen) {
      if (count >= min_count) ordered.push_back({word, count});
    }
    std::sort(ordered.begin(), ordered.end(),
              [](const Counted& a, const Counted& b) { return a.count > b.count; });
    const auto vocabulary = static_cast<int64_t>(ordered.size()) + 1;
    words = Tensor(kString, Shape{vocabulary});
    counts = Tensor(kInt32, Shape{vocabulary});
    words.mutable_data<std::string>()[0] = "UNK";
    int32_t unknown = static_cast<int32_t>(size);
    std::unordered_map<std::string, int32_t> ids;
    for (int64_t id = 1; id < vocabulary; ++id) {
      const Counted& entry = ordered[id - 1];
      words.mutable_data<std::string>()[id] = entry.word;
      counts.mutable_data<int32_t>()[id] = entry.count;
      unknown -= entry.count;
      ids[entry.word] = static_cast<int32_t>(id);
    }
    counts.mutable_data<int32_t>()[0] = unknown;
    text.reserve(size);
    EachWord(contents, [&](absl::string_view word) {
      const auto found = ids.find(std::string(word));
      text.push_back(found == ids.end() ? 0 : found->second);
    });
    return absl::OkStatus();
  }

  absl::Status DrawExamples(State& s) const {
    s.next = 0;
    s.examples.resize(kExamplesAtOnce);
    for (Example& example : s.examples) {
      SLUICE_RETURN_IF_ERROR(MoveToNeighbour(s));
      example = {s.sentence[s.at], s.sentence[s.neighbour++]};
    }
    return absl::OkStatus();
  }

  absl::Status MoveToNeighbour(State& s) const {
    while (true) {
      if (s.neighbour >= s.end) {
        ++s.processed;
        if (++s.at >= kSentenceSize) {
          s.at = 0;
          SLUICE_RETURN_IF_ERROR(ReadSentence(s));
        }
        const int64_t skip = 1 + DrawBelow(s.random, static_cast<uint32_t>(window_size));
        s.neighbour = std::max<int64_t>(0, s.at - skip);
        s.end = std::min<int64_t>(kSentenceSize, s.at + skip + 1);
      }
      if (s.at != s.neighbour) return absl::OkStatus();
      ++s.neighbour;
    }
  }

  // Drops frequent words: equation 5 of the paper.
  absl::Status ReadSentence(State& s) const {
    const float scale = subsample * static_cast<float>(text.size());
    int64_t rejected = 0;
    for (int i = 0; i < kSentenceSize; ++s.position) {
      if (s.position >= static_cast<int64_t>(text.size())) {
        ++s.epoch;
        s.position = 0;
      }
      const int32_t word = text[s.position];
      if (subsample > 0) {
        const auto count = static_cast<float>(counts.data<int32_t>()[word]);
        const float kept = (std::sqrt(count / scale) + 1) * scale / count;
        if (UnitFloat(s.random.Next()) > kept) {
          if (++rejected > kMostRejected)
            return InvalidArgument("subsample ", subsample, " leaves too few words");
          continue;
        }
      }
      rejected = 0;
      s.sentence[i++] = word;
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSkipgram(KernelRegistry& kernels) { kernels.Add<Skipgram>("Skipgram", kCpu); }

}  // namespace sluice::kernels
