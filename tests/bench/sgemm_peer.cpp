// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/sgemm_peer.hpp"

#include <algorithm>
#include <random>
#include <sstream>
#include <utility>

#include <cblas.h>

#include "model/common/error.hpp"
#include "model/emulate/dequantize.hpp"
#include "model/emulate/quantize.hpp"

namespace nibblecore::bench {
namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";
constexpr int kTrials = 3;

std::unique_ptr<ChildProcess> start_child(int64_t size, const char* core_type) {
  return std::make_unique<ChildProcess>(
      std::vector<std::string>{"--sgemm-child", std::to_string(size)},
      ChildProcess::Environment{{kVariable, core_type}, {"OPENBLAS_NUM_THREADS", "1"}});
}

struct Answer {
  double seconds = 0;
  std::string kernel;
};

Answer ask(const ChildProcess& child) {
  Answer answer;
  std::istringstream line(child.ask());
  if (!(line >> answer.seconds >> answer.kernel)) {
    throw InternalError("a child process answers something else than a time");
  }
  return answer;
}

std::vector<float> dequantized(int64_t size, uint32_t seed) {
  std::vector<float> values = gaussian(size, size, seed);
  const PackedMatrix packed =
      emulate_quantize(row_major_view(values.data(), size, size), preset(kMxfp4, ""), 1);
  emulate_dequantize(packed, values.data(), 1);
  return values;
}

}  // namespace

SgemmPeer::SgemmPeer(int64_t size, const std::vector<const char*>& core_types) : size_(size) {
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (const char* const core_type : core_types) {
    children.push_back(start_child(size, core_type));
    ask(*children.back());  // warms up
  }
  // In turns, so that a slow phase of the machine meets all of them.
  std::vector<Answer> fastest(children.size());
  for (int trial = 0; trial < kTrials; ++trial) {
    for (size_t i = 0; i < children.size(); ++i) {
      const Answer answer = ask(*children[i]);
      fastest[i] = trial == 0 || answer.seconds < fastest[i].seconds ? answer : fastest[i];
    }
  }
  const auto by_time = [](const Answer& a, const Answer& b) { return a.seconds < b.seconds; };
  const auto best = static_cast<size_t>(std::min_element(fastest.begin(), fastest.end(), by_time) -
                                        fastest.begin());
  child_ = std::move(children[best]);
  const char* const core_type = core_types[best];
  name_ = "OpenBLAS SGEMM, one thread, " + std::string(kVariable) +
          (core_type == nullptr ? " unset" : "=" + std::string(core_type)) + ", kernel " +
          fastest[best].kernel;
}

Contender SgemmPeer::contender() const {
  const auto size = static_cast<double>(size_);
  return {name_, size * size * size, [this] { return ask(*child_).seconds; }};
}

std::vector<const char*> all_core_types() {
  return {nullptr, "Cooperlake", "SkylakeX", "Haswell", "Zen"};
}

std::vector<const char*> avx2_core_types() { return {"Haswell", "Zen"}; }

int run_sgemm_child(int64_t size) {
  const std::vector<float> a = dequantized(size, 1);
  const std::vector<float> b = dequantized(size, 2);
  std::vector<float> d(a.size());
  const auto n = static_cast<blasint>(size);
  const Timed multiply = timed([&] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1.0F, a.data(), n, b.data(), n,
                0.0F, d.data(), n);
  });
  while (wait_for_question()) {
    answer(std::to_string(multiply()) + ' ' + openblas_get_corename());
  }
  return 0;
}

std::vector<float> gaussian(int64_t rows, int64_t k, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(rows * k));
  for (float& value : values) {
    value = normal(random);
  }
  return values;
}

}  // namespace nibblecore::bench
