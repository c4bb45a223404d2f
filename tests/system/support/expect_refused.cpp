// SPDX-License-Identifier: Apache-2.0
#include "tests/system/support/expect_refused.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nibblecore {

using testing::HasSubstr;
using testing::Not;

void expect_refusal(const ProgramRun& run, const TemporaryFolder& folder,
                    const std::vector<std::string>& before,
                    const std::vector<std::string>& fragments) {
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err, "");
  for (const std::string& fragment : fragments) {
    EXPECT_THAT(run.err, HasSubstr(fragment));
  }
  for (const char* const crash : {"terminate called", "Sanitizer", "runtime error", "Assertion"}) {
    EXPECT_THAT(run.err, Not(HasSubstr(crash)));
  }
  EXPECT_EQ(folder.entries(), before);
}

void expect_refused(const TemporaryFolder& folder, const Arguments& arguments,
                    const std::vector<std::string>& fragments) {
  SCOPED_TRACE(testing::PrintToString(arguments));
  const std::vector<std::string> before = folder.entries();
  expect_refusal(run_program(arguments), folder, before, fragments);
}

}  // namespace nibblecore
