// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nibblecore {

/// Nodes of an execution trace by their ids, each with its parent and perhaps a mark. A node whose
/// parent is itself (the process, id 1) or is not in the file is a root. Takes 24 bytes a node.
class ExecutionTree {
 public:
  static constexpr uint32_t kNoMark = ~uint32_t{0};

  void add(int64_t id, int64_t parent, uint32_t mark = kNoMark) {
    nodes_.push_back({id, parent, mark});
  }

  /// To be called once, after all nodes. InputError at `place` for an id that occurs twice.
  void close(const std::string& place);

  /// Marks of the node's ancestors, the nearest first; the node's own is not among them. InputError
  /// at `place` where there are more than 1000 ancestors or they go round in a circle.
  std::vector<uint32_t> marks_above(int64_t id, const std::string& place) const;

 private:
  struct Node {
    int64_t id;
    int64_t parent;
    uint32_t mark;
  };

  const Node* find(int64_t id) const;

  std::vector<Node> nodes_;
};

}  // namespace nibblecore
