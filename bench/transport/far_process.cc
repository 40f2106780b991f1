// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/far_process.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "bench/transport/check.h"
#include "bench/transport/kinds.h"
#include "core/status.h"
#include "transport/transport.h"

namespace sluice::bench {
namespace {

// "127.0.0.1" if the socket has no network address.
std::string HostOf(int socket, int (*name)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  char host[NI_MAXHOST];
  const bool known = name(socket, any, &size) == 0 && address.ss_family != AF_UNIX &&
                     getnameinfo(any, size, host, sizeof(host), nullptr, 0, NI_NUMERICHOST) == 0;
  return known ? host : "127.0.0.1";
}

double Number(const std::string& text) {
  double number = 0;
  Check(absl::SimpleAtod(text, &number), "understanding the far process");
  return number;
}

}  // namespace

Control::Control(transport::Descriptor socket) : socket_(std::move(socket)) {
  own_host_ = HostOf(socket_.get(), getsockname);
  peer_host_ = HostOf(socket_.get(), getpeername);
}

void Control::Write(const std::vector<std::string>& fields) {
  const std::string line = absl::StrCat(absl::StrJoin(fields, "\t"), "\n");
  Check(send(socket_.get(), line.data(), line.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(line.size()),
        "telling the other process");
}

bool Control::Read(std::vector<std::string>* fields) {
  size_t end = 0;
  while ((end = buffered_.find('\n')) == std::string::npos) {
    char more[4096];
    const ssize_t count = recv(socket_.get(), more, sizeof(more), 0);
    if (count <= 0) return false;
    buffered_.append(more, static_cast<size_t>(count));
  }
  *fields = absl::StrSplit(buffered_.substr(0, end), '\t');
  buffered_.erase(0, end + 1);
  return true;
}

FarProcess::FarProcess(transport::Descriptor socket, SpinSlot* slot)
    : control_(std::move(socket)), slot_(slot) {
  host_id_ = Ask({"hello", transport::HostId()}).at(0);
}

std::vector<std::string> FarProcess::Ask(const std::vector<std::string>& question) {
  control_.Write(question);
  std::vector<std::string> answer;
  Check(control_.Read(&answer), "asking the far process");
  return answer;
}

FarEnd::~FarEnd() {
  if (process_ != nullptr) process_->Close(number_);
}

absl::StatusOr<FarEnd> FarProcess::Open(const std::string& kind,
                                        const std::vector<std::string>& arguments) {
  const std::string number = absl::StrCat(++last_);
  std::vector<std::string> question = {"open", number, kind};
  question.insert(question.end(), arguments.begin(), arguments.end());
  std::vector<std::string> answer = Ask(question);
  const bool good = answer[0] == "good";
  answer.erase(answer.begin());
  if (!good) return Unavailable(absl::StrJoin(answer, " "));
  return FarEnd(this, number, std::move(answer));
}

void FarProcess::Close(const std::string& number) { Ask({"close", number}); }

Usage FarProcess::UsedSoFar() {
  const std::vector<std::string> answer = Ask({"usage"});
  Usage used = UsedHere();
  used.own += Number(answer.at(0));
  if (slot_ == nullptr) used.busy += Number(answer.at(1));
  return used;
}

void Serve(transport::Descriptor socket, SpinSlot* slot) {
  Control control(std::move(socket));
  std::map<std::string, std::unique_ptr<Responder>> open;
  FarSide side{control.own_host(), control.peer_host(), "", slot};
  std::vector<std::string> question;
  while (control.Read(&question)) {
    if (question[0] == "hello" && question.size() == 2) {
      side.near_host_id = question[1];
      control.Write({transport::HostId()});
    } else if (question[0] == "open" && question.size() >= 3) {
      auto made = CreateResponder(question[2], side, {question.begin() + 3, question.end()});
      std::vector<std::string> answer = {made.ok() ? "good" : "bad"};
      if (made.ok()) {
        for (std::string& field : (*made)->contact()) answer.push_back(std::move(field));
        open[question[1]] = *std::move(made);
      } else {
        answer.emplace_back(made.status().message());
      }
      control.Write(answer);
    } else if (question[0] == "close" && question.size() == 2) {
      open.erase(question[1]);
      control.Write({"closed"});
    } else {
      const Usage used = UsedHere();
      control.Write({absl::StrCat(used.own), absl::StrFormat("%.2f", used.busy)});
    }
  }
}

}  // namespace sluice::bench
