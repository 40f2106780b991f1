// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/gang.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "bench/collectives/member.h"
#include "bench/free_port.h"
#include "bench/transport/check.h"
#include "bench/transport/clock.h"
#include "core/status.h"

namespace sluice::bench::collectives {
namespace {

constexpr double kStartSeconds = 30, kEndSeconds = 10;
constexpr int kAnswerSeconds = 180;

// A folder that is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sluice-bench-XXXXXX").string();
    Check(mkdtemp(name.data()) != nullptr, "making a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

transport::Descriptor ListenIn(const std::string& folder) {
  const sockaddr_un address = SocketIn(folder);
  transport::Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Check(bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
            listen(made.get(), SOMAXCONN) == 0,
        absl::StrCat("listening at ", address.sun_path));
  return made;
}

std::string OwnProgram() { return std::filesystem::read_symlink("/proc/self/exe").string(); }
std::string MpiProgram() { return OwnProgram() + "-mpi"; }

double Number(const std::string& text) {
  double number = 0;
  Check(absl::SimpleAtod(text, &number), "understanding a member");
  return number;
}

}  // namespace

void Gang::Spawn(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  Check(child >= 0, "forking");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(STDERR_FILENO, STDOUT_FILENO);  // figures are this process's
    execvp(argv[0], argv.data());
    _exit(127);
  }
  children_.push_back(child);
}

void Gang::SpawnAll(const std::string& folder, int members, int hosts) {
  if (kind_.contender == "mpi") {
    std::vector<std::string> words = {"mpirun", "--oversubscribe", "--allow-run-as-root", "-n",
                                      absl::StrCat(members)};
    if (kind_.transport == "tcp") words.insert(words.end(), {"--mca", "btl", "self,tcp"});
    words.insert(words.end(), {MpiProgram(), folder});
    return Spawn(words);
  }
  std::vector<std::string> addresses;
  addresses.reserve(static_cast<size_t>(members));
  for (int rank = 0; rank < members; ++rank)
    addresses.push_back(absl::StrCat("127.0.0.1:", FreePort()));
  for (int rank = 0; rank < members; ++rank) {
    Spawn({OwnProgram(), "--member=" + kind_.contender, "--transports=" + kind_.transport,
           absl::StrCat("--rank=", rank), absl::StrCat("--hosts=", hosts),
           "--addresses=" + absl::StrJoin(addresses, ","), "--folder=" + folder});
  }
}

absl::Status Gang::AwaitMembers(int listener, int members) {
  members_.resize(static_cast<size_t>(members));
  const double deadline = Now() + kStartSeconds;
  for (int come = 0; come < members;) {
    pollfd waited{listener, POLLIN, 0};
    if (poll(&waited, 1, /*milliseconds=*/50) > 0) {
      transport::Descriptor socket(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
      const timeval limit{kAnswerSeconds, 0};
      setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
      auto control = std::make_unique<Control>(std::move(socket));
      std::vector<std::string> hello;
      int rank = -1;
      Check(control->Read(&hello) && hello.size() == 2 && absl::SimpleAtoi(hello[1], &rank) &&
                rank >= 0 && rank < members,
            "greeting a member of " + kind_.contender);
      members_[static_cast<size_t>(rank)] = std::move(control);
      ++come;
      continue;
    }
    for (const pid_t child : children_) {
      siginfo_t ended{};
      if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          ended.si_pid == child) {
        return Unavailable("a process of it ended at its start, with status ", ended.si_status);
      }
    }
    if (Now() > deadline) return Unavailable("its members did not start in ", kStartSeconds, " s");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Gang>> Gang::Start(const GangKind& kind, int members, int hosts) {
  if (kind.contender == "gloo" && !HasGloo())
    return Unavailable("this program was built without Gloo (libgloo-dev)");
  if (kind.contender == "mpi" && access(MpiProgram().c_str(), X_OK) != 0)
    return Unavailable("this program was built without MPI (libopenmpi-dev, openmpi-bin)");
  const TemporaryFolder folder;
  const transport::Descriptor listener = ListenIn(folder.path());
  std::unique_ptr<Gang> made(new Gang(kind));
  made->SpawnAll(folder.path(), members, hosts);
  SLUICE_RETURN_IF_ERROR(made->AwaitMembers(listener.get(), members));
  return made;
}

Gang::~Gang() {
  members_.clear();  // they end when no request can come any more
  const double deadline = Now() + kEndSeconds;
  for (const pid_t child : children_) {
    while (waitpid(child, nullptr, WNOHANG) == 0) {
      if (Now() > deadline) kill(child, SIGKILL);
      usleep(1000);
    }
  }
}

std::string Gang::NameOf(size_t rank) const {
  return absl::StrCat("member ", rank, " of ", kind_.contender, " (", kind_.transport, ")");
}

std::vector<std::vector<std::string>> Gang::AskAll(const std::vector<std::string>& request) {
  for (const auto& member : members_) member->Write(request);
  std::vector<std::vector<std::string>> answers(members_.size());
  for (size_t rank = 0; rank < members_.size(); ++rank) {
    Check(members_[rank]->Read(&answers[rank]),
          absl::StrCat("\"", absl::StrJoin(request, " "), "\" of ", NameOf(rank)));
  }
  return answers;
}

absl::Status Gang::Load(const Workload& work, const std::string& algorithm) {
  for (const auto& answer : AskAll({"load", OpName(work.op), absl::StrCat(work.members),
                                    absl::StrCat(work.elements), algorithm})) {
    if (answer[0] != "good") return Unimplemented(answer.at(1));
  }
  return absl::OkStatus();
}

Gang::Turn Gang::Run(int times) {
  Turn turn;
  for (const auto& answer : AskAll({"run", absl::StrCat(times)})) {
    turn.seconds = std::max(turn.seconds, Number(answer.at(0)));
    turn.cpu += Number(answer.at(1));
  }
  return turn;
}

void Gang::CheckResult() {
  const auto answers = AskAll({"check"});
  for (size_t rank = 0; rank < answers.size(); ++rank) {
    Check(answers[rank][0] == "good",
          absl::StrCat("the result of ", NameOf(rank), ": ", answers[rank].back()));
  }
}

void Gang::Unload() { AskAll({"unload"}); }

}  // namespace sluice::bench::collectives
