// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claims.hpp"

#include <algorithm>
#include <string>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

struct Question {
  std::vector<int> numbers;
  std::vector<Claim> (*answer)(const ClaimInputs&);
};

const std::vector<Question>& questions() {
  static const std::vector<Question> all{{{1, 2, 3, 4, 5, 15}, decomposition_claims},
                                         {{6, 7}, scale_sweep_claims},
                                         {{8}, macro_block_claims},
                                         {{9, 10}, fallback_claims},
                                         {{11, 12}, scale_rule_claims},
                                         {{13}, format_claims},
                                         {{14}, residual_claims},
                                         {{16}, residual_cost_claims}};
  return all;
}

bool contains(const std::vector<int>& numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::vector<int> all_numbers() {
  std::vector<int> numbers;
  for (const Question& question : questions()) {
    numbers.insert(numbers.end(), question.numbers.begin(), question.numbers.end());
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

const std::vector<int>& claim_numbers() {
  static const std::vector<int> numbers = all_numbers();
  return numbers;
}

std::vector<Claim> compute_claims(const ClaimInputs& inputs, const std::vector<int>& numbers) {
  for (const int number : numbers) {
    if (!contains(claim_numbers(), number)) {
      throw InputError("claims", "there is no claim " + std::to_string(number));
    }
  }
  std::vector<Claim> claims;
  for (const Question& question : questions()) {
    const bool asked = std::any_of(question.numbers.begin(), question.numbers.end(),
                                   [&](int number) { return contains(numbers, number); });
    if (!asked) {
      continue;
    }
    for (Claim& claim : question.answer(inputs)) {
      if (contains(numbers, claim.number)) {
        claims.push_back(std::move(claim));
      }
    }
  }
  std::sort(claims.begin(), claims.end(),
            [](const Claim& a, const Claim& b) { return a.number < b.number; });
  return claims;
}

}  // namespace nibblecore::tb
