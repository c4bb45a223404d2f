// SPDX-License-Identifier: Apache-2.0
#include "model/import/layer_names.hpp"

#include <map>
#include <string>
#include <tuple>

namespace nibblecore {
namespace {

class LayerNames {
 public:
  std::string name(const ProfiledGemm& gemm) {
    if (!gemm.module.empty()) {
      return gemm.module;
    }
    const std::string base(gemm.pass == Pass::kBackward ? gemm.function : gemm.base);
    return base + "." + std::to_string(number(gemm, base));
  }

 private:
  int64_t number(const ProfiledGemm& gemm, const std::string& base) {
    if (gemm.operands && gemm.gemm->rank == 2 && gemm.pass != Pass::kBackward) {
      const auto key = std::tuple(base, gemm.process, gemm.operands->back());
      const auto [position, is_new] = weights_.try_emplace(key, 0);
      if (is_new) {
        position->second = weights_of_[base]++;
      }
      return position->second;
    }
    return ordinals_[{base, gemm.process, gemm.phase, gemm.step, gemm.pass}]++;
  }

  std::map<std::tuple<std::string, int64_t, TensorIdentity>, int64_t> weights_;
  std::map<std::string, int64_t> weights_of_;
  std::map<std::tuple<std::string, int64_t, std::string, std::optional<int64_t>, Pass>, int64_t>
      ordinals_;
};

}  // namespace

void name_layers(std::vector<ProfiledGemm>& gemms) {
  LayerNames names;
  for (ProfiledGemm& gemm : gemms) {
    // A forward GEMM comes before what it is linked to.
    gemm.layer = gemm.forward ? gemms[*gemm.forward].layer : names.name(gemm);
  }
}

}  // namespace nibblecore
