// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_TRANSPORT_FAR_PROCESS_H_
#define SLUICE_BENCH_TRANSPORT_FAR_PROCESS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/transport/contender.h"
#include "bench/transport/usage.h"
#include "transport/poll/poll_loop.h"

namespace sluice::bench {

struct SpinSlot;  // memory.h

// Lines of fields between the two processes, over a socket.
//
// Threads:  one at a time.
class Control {
 public:
  explicit Control(transport::Descriptor socket);
  void Write(const std::vector<std::string>& fields);
  // Returns false if the other side is gone.
  bool Read(std::vector<std::string>* fields);
  // Numeric addresses of this end and of the other.
  const std::string& own_host() const { return own_host_; }
  const std::string& peer_host() const { return peer_host_; }

 private:
  transport::Descriptor socket_;
  std::string own_host_ = "127.0.0.1", peer_host_ = "127.0.0.1";
  std::string buffered_;
};

class FarProcess;

// A Responder in the far process; it ends with this object.
//
// Owner:    its contender; the FarProcess outlives it.
class FarEnd {
 public:
  FarEnd(FarProcess* process, std::string number, std::vector<std::string> contact)
      : process_(process), number_(std::move(number)), contact_(std::move(contact)) {}
  FarEnd(FarEnd&& other) noexcept
      : process_(std::exchange(other.process_, nullptr)),
        number_(std::move(other.number_)),
        contact_(std::move(other.contact_)) {}
  FarEnd& operator=(FarEnd&&) = delete;
  ~FarEnd();
  const std::vector<std::string>& contact() const { return contact_; }

 private:
  FarProcess* process_;
  std::string number_;
  std::vector<std::string> contact_;
};

// The process at the other end, for the measuring process.
//
// Threads:  one at a time.
class FarProcess {
 public:
  // `slot`: memory common to both processes, or null.
  FarProcess(transport::Descriptor socket, SpinSlot* slot);

  // Makes the far end of a contender of this kind. UNAVAILABLE gives the reason if these two
  // processes cannot have it.
  absl::StatusOr<FarEnd> Open(const std::string& kind, const std::vector<std::string>& arguments);
  void Close(const std::string& number);
  Usage UsedSoFar();

  SpinSlot* slot() const { return slot_; }  // null if it is (or may be) on another machine
  const std::string& own_host() const { return control_.own_host(); }
  const std::string& host() const { return control_.peer_host(); }
  const std::string& host_id() const { return host_id_; }  // its transport::HostId()

 private:
  std::vector<std::string> Ask(const std::vector<std::string>& question);

  Control control_;
  SpinSlot* const slot_;
  std::string host_id_;
  int last_ = 0;
};

// Runs the far process: it executes the requests of a FarProcess until that is gone.
void Serve(transport::Descriptor socket, SpinSlot* slot);

}  // namespace sluice::bench

#endif  // SLUICE_BENCH_TRANSPORT_FAR_PROCESS_H_
