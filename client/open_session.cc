// SPDX-License-Identifier: Apache-2.0
#include "client/open_session.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "client/wait_while.h"
#include "core/log.h"
#include "proto/config.pb.h"
#include "transport/credentials.h"
#include "transport/missing_tasks.h"
#include "transport/pending_reply.h"

namespace sluice::client {
namespace {

constexpr absl::Duration kDefaultTimeout = absl::Seconds(30);
constexpr absl::Duration kReportEvery = absl::Seconds(5);
constexpr absl::Duration kRetryAfter = absl::Milliseconds(200);
// The master answers an attempt shortly before its limit. With this addition the answer comes after
// the report.
constexpr absl::Duration kSlack = absl::Milliseconds(200);

// Logs every 5 s what the client waits for.
class WaitReport {
 public:
  WaitReport() : begin_(absl::Now()), next_(begin_ + kReportEvery) {}
  absl::Time begin() const { return begin_; }
  absl::Time next() const { return next_; }
  void Tick(const std::string& whom) {
    const absl::Time now = absl::Now();
    if (now < next_) return;
    Log(LogLevel::kWarning, "waiting for ", whom, ", ", absl::ToInt64Seconds(now - begin_), " s");
    while (next_ <= now) next_ += kReportEvery;
  }

 private:
  const absl::Time begin_;
  absl::Time next_;
};

// One attempt. The master waits for other tasks until `limit`, and then names them.
absl::StatusOr<transport::CreateSessionResult> Attempt(const OpenSessionArgs& args,
                                                       absl::Time limit,
                                                       const std::function<bool()>& go_on) {
  auto config = std::make_shared<proto::ConfigProto>(*args.config);
  const int64_t left = absl::ToInt64Milliseconds(limit - absl::Now());
  config->set_connect_timeout_in_ms(std::max<int64_t>(1, left));
  transport::PendingReply<transport::CreateSessionResult> created;
  transport::CallOptions call;
  call.deadline = args.deadline;
  call.cancel = created.cancel();
  args.master->CreateSession({args.graph, config, args.target}, call, created.reply());
  return WaitWhile(go_on, created);
}

// Waits for a pause. Returns whether to continue.
bool Pause(const std::function<bool()>& go_on) {
  for (absl::Duration left = kRetryAfter; left > absl::ZeroDuration(); left -= kPoll) {
    if (go_on != nullptr && !go_on()) return false;
    absl::SleepFor(kPoll);
  }
  return true;
}

absl::Status AfterWait(const absl::Status& status, absl::Time begin) {
  return absl::Status(
      status.code(),
      absl::StrCat(status.message(), "; waited ",
                   absl::FormatDuration(absl::Trunc(absl::Now() - begin, kPoll)),
                   ": connect_timeout_in_ms of the ConfigProto, or SLUICE_CONNECT_TIMEOUT in "
                   "seconds, sets how long"));
}

}  // namespace

absl::StatusOr<transport::CreateSessionResult> OpenSession(const OpenSessionArgs& args) {
  const std::string server =
      absl::StrCat("the server at ", absl::StripPrefix(args.target, "grpc://"));
  WaitReport report;
  const absl::Time end = std::min(args.deadline, report.begin() + args.connect_timeout);
  absl::Status missing;  // names the tasks that were missing in the last attempt
  while (true) {
    const absl::Time limit = report.next() + kSlack;
    const std::function<bool()> go_on = [&] {
      // the server does not answer
      if (absl::Now() > limit + absl::Seconds(2)) report.Tick(server);
      return args.go_on == nullptr || args.go_on();
    };
    absl::StatusOr<transport::CreateSessionResult> result =
        Attempt(args, std::min(limit, end), go_on);
    if (result.ok()) return result;
    const absl::Status status = result.status();
    std::string whom = transport::NamesOfMissingTasks(status);
    if (whom.empty() && absl::IsUnavailable(status) && !transport::IsDistrust(status))
      whom = server;
    // The deadline of the call may end an attempt before the master can name the tasks.
    if (whom.empty() && absl::IsDeadlineExceeded(status) && !missing.ok())
      return AfterWait(missing, report.begin());
    if (whom.empty()) return status;
    if (absl::Now() + kRetryAfter >= end) return AfterWait(status, report.begin());
    missing = status;
    report.Tick(whom);
    if (!Pause(args.go_on)) return absl::CancelledError("the wait for tasks was interrupted");
  }
}

absl::StatusOr<absl::Duration> ConnectTimeoutOf(const proto::ConfigProto& config) {
  const int64_t ms = config.connect_timeout_in_ms();
  if (ms < 0) return InvalidArgument("connect_timeout_in_ms must not be negative, got ", ms);
  if (ms > 0) return absl::Milliseconds(ms);
  const char* text = std::getenv("SLUICE_CONNECT_TIMEOUT");
  if (text == nullptr || *text == '\0') return kDefaultTimeout;
  double seconds = 0;
  if (!absl::SimpleAtod(text, &seconds) || !(seconds >= 0)) {
    return InvalidArgument("SLUICE_CONNECT_TIMEOUT must be a number of seconds, got \"", text,
                           "\"");
  }
  return absl::Seconds(seconds);
}

}  // namespace sluice::client
