// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/child_process.hpp"

#include <array>
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/common/error.hpp"

namespace nibblecore::bench {
namespace {

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const ChildProcess::Environment& environment) {
  for (const auto& [name, value] : environment) {
    if (value == nullptr) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), value, 1);
    }
  }
  std::string program = "nibblecore_bench";
  std::vector<std::string> texts = arguments;
  std::vector<char*> pointers{program.data()};
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  execv("/proc/self/exe", pointers.data());
  _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments,
                           const Environment& environment) {
  std::array<int, 2> questions{};
  std::array<int, 2> answers{};
  // Closed in children that are started later: with their copies of an end, this child would never
  // see that the parent has closed it.
  if (pipe2(questions.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0) {
    throw InternalError("no pipe to a child process");
  }
  process_ = fork();
  if (process_ < 0) {
    throw InternalError("no child process");
  }
  if (process_ == 0) {
    dup2(questions[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    become(arguments, environment);
  }
  close(questions[0]);
  close(answers[1]);
  to_child_ = questions[1];
  from_child_ = answers[0];
}

ChildProcess::~ChildProcess() {
  close(to_child_);
  close(from_child_);
  int status = 0;
  waitpid(process_, &status, 0);
}

std::string ChildProcess::ask() const {
  if (write(to_child_, "?", 1) != 1) {
    throw InternalError("a child process takes no question");
  }
  std::string line;
  for (char next = 0; read(from_child_, &next, 1) == 1; line.push_back(next)) {
    if (next == '\n') {
      return line;
    }
  }
  throw InternalError("a child process has ended");
}

bool wait_for_question() {
  char question = 0;
  return read(STDIN_FILENO, &question, 1) == 1;
}

void answer(const std::string& line) {
  const std::string whole = line + '\n';
  if (write(STDOUT_FILENO, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) {
    throw InternalError("the parent process takes no answer");
  }
}

}  // namespace nibblecore::bench
