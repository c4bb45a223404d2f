// SPDX-License-Identifier: Apache-2.0
#include "model/import/link_backward.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>

#include "model/import/backward_kind.hpp"

namespace nibblecore {
namespace {

// Candidates of one sequence number that are looked at: real files have one or a few.
constexpr size_t kMostCandidates = 64;

// Whether a function's name is that of the operator's: "AddmmBackward0" of addmm.
bool derives(std::string_view function, const GemmOperator& gemm) {
  std::string expected(gemm.short_name);
  expected.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(expected.front())));
  return function.substr(0, function.find("Backward")) == expected;
}

class Linker {
 public:
  explicit Linker(std::vector<ProfiledGemm>& gemms) : gemms_(gemms) {
    for (size_t index = 0; index < gemms_.size(); ++index) {
      const ProfiledGemm& gemm = gemms_[index];
      if (gemm.pass == Pass::kBackward) {
        calls_[{gemm.process, gemm.function_call}].push_back(index);
      } else if (gemm.sequence >= 0) {
        forward_[{gemm.process, gemm.sequence}].push_back(index);
      }
    }
  }

  void link(size_t index, ImportCounts& counts) {
    ProfiledGemm& gemm = gemms_[index];
    const std::string name(gemm.gemm->short_name);
    ++counts.backward[name];
    gemm.forward = forward_of(index);
    KindFit fit;
    if (gemm.forward) {
      ++counts.linked[name];
      ProfiledGemm& forward = gemms_[*gemm.forward];
      forward.has_backward = true;
      fit = fitting_kinds(forward.shape, gemm.shape, forward.gemm->rank);
    }
    if (fit.any() && !fit.both()) {
      gemm.kind = fit.dgrad ? GemmKind::kDgrad : GemmKind::kWgrad;
    } else {
      settle(index, counts);
    }
    note_layout(gemm);
  }

 private:
  using Key = std::pair<int64_t, int64_t>;

  std::optional<size_t> forward_of(size_t index) const {
    const ProfiledGemm& gemm = gemms_[index];
    const auto found = forward_.find({gemm.process, gemm.sequence});
    if (gemm.sequence < 0 || found == forward_.end()) {
      return std::nullopt;
    }
    const std::vector<size_t>& candidates = found->second;
    auto candidate = std::lower_bound(candidates.begin(), candidates.end(), index);
    for (size_t tried = 0; candidate != candidates.begin() && tried < kMostCandidates; ++tried) {
      --candidate;
      const ProfiledGemm& forward = gemms_[*candidate];
      const bool same_thread =
          gemm.forward_thread == 0 || forward.thread == 0 || gemm.forward_thread == forward.thread;
      if (same_thread && derives(gemm.function, *forward.gemm) &&
          fitting_kinds(forward.shape, gemm.shape, forward.gemm->rank).any()) {
        return *candidate;
      }
    }
    return std::nullopt;
  }

  void settle(size_t index, ImportCounts& counts) const {
    ProfiledGemm& gemm = gemms_[index];
    ++counts.ambiguous;
    if (gemm.forward) {
      if (const auto kind = kind_by_operands(gemms_[*gemm.forward], gemm)) {
        gemm.kind = *kind;
        ++counts.settled_by_operands;
        return;
      }
    }
    if (const auto kind = kind_by_strides(gemm)) {
      gemm.kind = *kind;
      ++counts.settled_by_strides;
      return;
    }
    const std::vector<size_t>& call = calls_.at({gemm.process, gemm.function_call});
    const auto position = std::lower_bound(call.begin(), call.end(), index) - call.begin();
    gemm.kind =
        kind_by_order(gemm.function, static_cast<int>(position), static_cast<int>(call.size()));
    ++counts.settled_by_order;
  }

  void note_layout(const ProfiledGemm& gemm) {
    if (gemm.kind != GemmKind::kWgrad || !gemm.forward) {
      return;
    }
    ProfiledGemm& forward = gemms_[*gemm.forward];
    forward.weights_by_inputs = forward.gemm->rank == 2 && forward.shape.k != forward.shape.n &&
                                gemm.shape.m == forward.shape.k;
  }

  std::vector<ProfiledGemm>& gemms_;
  std::map<Key, std::vector<size_t>> forward_;
  std::map<Key, std::vector<size_t>> calls_;
};

}  // namespace

void link_backward(std::vector<ProfiledGemm>& gemms, ImportCounts& counts) {
  Linker linker(gemms);
  for (size_t index = 0; index < gemms.size(); ++index) {
    if (gemms[index].pass == Pass::kBackward) {
      linker.link(index, counts);
    }
  }
}

}  // namespace nibblecore
