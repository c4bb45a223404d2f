// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "tb/coverage/cover_point.hpp"

namespace nibblecore::tb {

/// The cover points of a testbench. Collectors add theirs once and keep the references, which stay
/// valid.
class Coverage {
 public:
  Coverage() = default;
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  /// InternalError where the group has a point of this name already.
  CoverPoint& add(const std::string& group, const std::string& name, std::vector<CoverBin> bins);

  const std::deque<CoverPoint>& points() const { return points_; }
  /// InternalError where there is none of this name.
  const CoverPoint& point(const std::string& group, const std::string& name) const;

  int64_t holes() const;
  int64_t surprises() const;
  /// Every reachable bin was hit and no other.
  bool is_closed() const { return holes() == 0 && surprises() == 0; }

 private:
  const CoverPoint* find(const std::string& group, const std::string& name) const;

  std::deque<CoverPoint> points_;
};

}  // namespace nibblecore::tb
