// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nibblecore::bench {

/// This program again, with other arguments and environment, at the other end of two pipes.
class ChildProcess {
 public:
  /// Environment variables: a name with a value, or with none to have it unset.
  using Environment = std::vector<std::pair<std::string, const char*>>;

  ChildProcess(const std::vector<std::string>& arguments, const Environment& environment);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Asks for one turn and waits for the line that the child answers; InternalError where it ends.
  std::string ask() const;

 private:
  int to_child_ = -1;
  int from_child_ = -1;
  int process_ = -1;
};

/// The child's side: waits for the parent to ask, false when it has closed the pipe.
bool wait_for_question();
void answer(const std::string& line);

}  // namespace nibblecore::bench
