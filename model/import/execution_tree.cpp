// SPDX-License-Identifier: Apache-2.0
#include "model/import/execution_tree.hpp"

#include <algorithm>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr int kDeepest = 1000;

}  // namespace

void ExecutionTree::close(const std::string& place) {
  std::sort(nodes_.begin(), nodes_.end(),
            [](const Node& left, const Node& right) { return left.id < right.id; });
  const auto twice =
      std::adjacent_find(nodes_.begin(), nodes_.end(),
                         [](const Node& left, const Node& right) { return left.id == right.id; });
  if (twice != nodes_.end()) {
    throw InputError(place + ", field \"id\"", std::to_string(twice->id) + " occurs twice");
  }
}

const ExecutionTree::Node* ExecutionTree::find(int64_t id) const {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), id,
                                      [](const Node& node, int64_t key) { return node.id < key; });
  return found != nodes_.end() && found->id == id ? &*found : nullptr;
}

std::vector<uint32_t> ExecutionTree::marks_above(int64_t id, const std::string& place) const {
  std::vector<uint32_t> marks;
  const Node* node = find(id);
  for (int depth = 0; node != nullptr && node->parent != node->id; ++depth) {
    if (depth == kDeepest) {
      throw InputError(
          place + ", node " + std::to_string(id) + ", field \"parent\"",
          "has more than " + std::to_string(kDeepest) + " ancestors, or they go round in a circle");
    }
    node = find(node->parent);
    if (node != nullptr && node->mark != kNoMark) {
      marks.push_back(node->mark);
    }
  }
  return marks;
}

}  // namespace nibblecore
