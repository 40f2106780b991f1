// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/member.h"

#include <sys/socket.h>

#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "bench/transport/check.h"
#include "bench/transport/clock.h"

namespace sluice::bench::collectives {
namespace {

transport::Descriptor ConnectIn(const std::string& folder) {
  const sockaddr_un address = SocketIn(folder);
  transport::Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Check(connect(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0,
        absl::StrCat("connecting to ", address.sun_path));
  return made;
}

std::vector<std::string> Answer(const std::string& error) {
  if (error.empty()) return {"good"};
  return {"bad", error};
}

std::vector<std::string> Load(const std::vector<std::string>& request,
                              CollectiveContender& contender) {
  Workload work;
  work.op = Checked(ParseOp(request.at(1)), "reading a request");
  Check(absl::SimpleAtoi(request.at(2), &work.members) &&
            absl::SimpleAtoi(request.at(3), &work.elements),
        "reading a request");
  const absl::Status loaded = contender.Load(work, request.at(4));
  return Answer(loaded.ok() ? "" : std::string(loaded.message()));
}

std::vector<std::string> Run(int times, CollectiveContender& contender) {
  const double used = UsedHere().own;
  contender.Run();  // now all members are ready
  const double start = Now();
  for (int i = 0; i < times; ++i) contender.Run();
  const double seconds = Now() - start;
  return {absl::StrCat(seconds), absl::StrCat(UsedHere().own - used)};
}

}  // namespace

sockaddr_un SocketIn(const std::string& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder + "/control";
  Check(path.size() < sizeof(address.sun_path), "using the folder " + folder);
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

void ServeMember(const std::string& folder, int rank, CollectiveContender& contender) {
  Control control(ConnectIn(folder));
  control.Write({"hello", absl::StrCat(rank)});
  std::vector<std::string> request;
  while (control.Read(&request)) {
    if (request[0] == "load") {
      control.Write(Load(request, contender));
    } else if (request[0] == "run") {
      int times = 0;
      Check(absl::SimpleAtoi(request.at(1), &times), "reading a request");
      control.Write(Run(times, contender));
    } else if (request[0] == "check") {
      control.Write(Answer(contender.RunAndCheck()));
    } else {
      contender.Unload();
      control.Write(Answer(""));
    }
  }
}

}  // namespace sluice::bench::collectives
