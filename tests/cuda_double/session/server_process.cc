// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/session/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "tests/paths.h"

extern "C" char** environ;

namespace sluice::cuda_double {
namespace {

// The text after "listens at " of the server's first line.
std::string ReadTarget(int fd) {
  std::string line;
  for (char c = 0; read(fd, &c, 1) == 1 && c != '\n';) line.push_back(c);
  const size_t at = line.find("grpc://");
  return at == std::string::npos ? "" : line.substr(at);
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ServerProcess::ServerProcess(const std::string& settings, const std::vector<std::string>& arguments,
                             const std::string& cluster)
    : errors_(std::tmpfile()) {
  std::vector<std::string> words = {BuiltPath("tests/sluice-server-cuda-double"), "--cluster",
                                    cluster, "--job", "worker"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = {absl::StrCat("SLUICE_CUDA_DOUBLE=", settings)};
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  // All memory is allocated before the fork: the child of a program with threads must not.
  const std::vector<char*> argv = Pointers(words), envp = Pointers(variables);
  int out[2];
  if (errors_ == nullptr || pipe2(out, O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(fileno(errors_), STDERR_FILENO);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(out[1]);
  target_ = ReadTarget(out[0]);
  close(out[0]);
}

ServerProcess::~ServerProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (errors_ != nullptr) std::fclose(errors_);
}

void ServerProcess::Signal(int signal) const { kill(pid_, signal); }

int ServerProcess::Wait(absl::Duration most) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  pollfd ended = {process, POLLIN, 0};
  const int ready = poll(&ended, 1, static_cast<int>(absl::ToInt64Milliseconds(most)));
  close(process);
  if (ready != 1) return -1;
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string ServerProcess::Errors() {
  std::string text;
  std::rewind(errors_);
  for (int c = std::fgetc(errors_); c != EOF; c = std::fgetc(errors_))
    text.push_back(static_cast<char>(c));
  return text;
}

}  // namespace sluice::cuda_double
