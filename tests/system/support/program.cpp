// SPDX-License-Identifier: Apache-2.0
#include "tests/system/support/program.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nibblecore {
namespace {

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// A file without a name: unlike a pipe it takes any amount before somebody reads.
class Capture {
 public:
  Capture() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) {
      fail(errno, "tmpfile");
    }
  }

  int descriptor() const { return fileno(file_.get()); }

  std::string text() const {
    std::string text;
    char buffer[4096];
    std::rewind(file_.get());
    for (size_t size = sizeof buffer; size == sizeof buffer;) {
      size = std::fread(buffer, 1, sizeof buffer, file_.get());
      text.append(buffer, size);
    }
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

ProgramRun run(const Arguments& command) {
  const Capture out;
  const Capture err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  std::vector<char*> pointers;
  for (const std::string& argument : command) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int failure =
      posix_spawn(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    fail(failure, pointers.front());
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) {
    fail(errno, "wait4");
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), out.text(), err.text(),
          usage.ru_maxrss * int64_t{1024}};
}

Arguments with_front(Arguments front, const Arguments& arguments) {
  front.insert(front.end(), arguments.begin(), arguments.end());
  return front;
}

}  // namespace

ProgramRun run_program(const Arguments& arguments) {
  return run(with_front({NIBBLECORE_PROGRAM}, arguments));
}

ProgramRun run_program_through(const std::string& command, const Arguments& arguments) {
  return run(with_front({"/bin/sh", "-c", command, "sh", NIBBLECORE_PROGRAM}, arguments));
}

}  // namespace nibblecore
