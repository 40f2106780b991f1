// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/conversation.h"

#include <limits.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace sluice::bench {
namespace {

// Leaves out the bytes that were moved.
void Advance(std::vector<iovec>& parts, size_t* first, size_t moved) {
  while (*first < parts.size() && moved >= parts[*first].iov_len)
    moved -= parts[(*first)++].iov_len;
  if (*first == parts.size()) return;
  parts[*first].iov_base = static_cast<char*>(parts[*first].iov_base) + moved;
  parts[*first].iov_len -= moved;
}

template <typename Call>
bool MoveAll(std::vector<iovec> parts, const Call& call) {
  for (size_t first = 0; first < parts.size();) {
    msghdr message{};
    message.msg_iov = &parts[first];
    message.msg_iovlen = std::min<size_t>(parts.size() - first, IOV_MAX);
    const ssize_t moved = call(&message);
    if (moved <= 0) return false;
    Advance(parts, &first, static_cast<size_t>(moved));
  }
  return true;
}

}  // namespace

bool Conversation::Write(std::vector<iovec> parts) {
  return MoveAll(std::move(parts),
                 [this](msghdr* message) { return sendmsg(socket_.get(), message, MSG_NOSIGNAL); });
}

bool Conversation::Read(std::vector<iovec> parts) {
  return MoveAll(std::move(parts),
                 [this](msghdr* message) { return recvmsg(socket_.get(), message, MSG_WAITALL); });
}

void Conversation::Load(const Order& order, std::vector<iovec> source) {
  order_ = order;
  source_ = std::move(source);
  memory_.resize(order.buffers);
  target_.clear();
  for (size_t i = 0; i < memory_.size(); ++i) {
    memory_[i].resize(order.sizes[i]);
    memory_[i].shrink_to_fit();
    target_.push_back({memory_[i].data(), memory_[i].size()});
  }
  const int64_t headed = order.buffers * static_cast<int64_t>(sizeof(int64_t));
  packed_.resize(order.serialised != 0
                     ? std::accumulate(order.sizes, order.sizes + order.buffers, headed)
                     : 0);
}

void Conversation::AddOrder(Answer answer, int count) {
  order_.answer = answer;
  order_.count = count;
  ordering_ = true;
}

bool Conversation::ReadOrder(Order* order) {
  return Read({{order, sizeof(*order)}}) && order->buffers >= 0 &&
         order->buffers <= Order::kMostBuffers;
}

// A serialised message is the sizes of its buffers and their bytes, in one block.
void Conversation::Pack() {
  char* at = packed_.data();
  for (const iovec& part : source_.empty() ? target_ : source_) {
    const int64_t size = static_cast<int64_t>(part.iov_len);
    std::memcpy(at, &size, sizeof(size));
    std::memcpy(at + sizeof(size), part.iov_base, part.iov_len);
    at += sizeof(size) + part.iov_len;
  }
}

void Conversation::Unpack() {
  const char* at = packed_.data();
  for (const iovec& part : target_) {
    std::memcpy(part.iov_base, at + sizeof(int64_t), part.iov_len);
    at += sizeof(int64_t) + part.iov_len;
  }
}

bool Conversation::SendMessage() {
  std::vector<iovec> parts;
  if (std::exchange(ordering_, false)) parts.push_back({&order_, sizeof(order_)});
  if (order_.serialised != 0) {
    Pack();
    parts.push_back({packed_.data(), packed_.size()});
  } else {
    const std::vector<iovec>& source = source_.empty() ? target_ : source_;
    parts.insert(parts.end(), source.begin(), source.end());
  }
  return Write(std::move(parts));
}

bool Conversation::ReadMessage() {
  if (order_.serialised == 0) return Read(target_);
  if (!Read({{packed_.data(), packed_.size()}})) return false;
  Unpack();
  return true;
}

bool Conversation::SendReceipt() {
  char receipt = 1;
  return Write({{&receipt, 1}});
}

bool Conversation::ReadReceipt() {
  char receipt = 0;
  return Read({{&receipt, 1}});
}

void Conversation::ShutDown() { shutdown(socket_.get(), SHUT_RDWR); }

}  // namespace sluice::bench
