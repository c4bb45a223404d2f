// SPDX-License-Identifier: Apache-2.0
#include "model/import/importers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/trace/manifest.hpp"
#include "tests/support/input_error.hpp"
#include "tests/unit/import/import_support.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

TEST(Importers, AreFoundByName) {
  for (const Importer& importer : kImporters) {
    EXPECT_EQ(&find_importer(importer.name, "format"), &importer);
  }
  EXPECT_THAT(input_error([] { find_importer("onnx", "format"); }),
              HasSubstr("format: unknown name 'onnx' (known: kineto, et, csv)"));
}

TEST(Importers, WhatTheyGiveIsAManifest) {
  const TemporaryFolder folder;
  for (const auto& [importer, file] : {std::pair{"kineto", "kineto_training.json"},
                                       {"et", "tiny_grpo_et.json.gz"},
                                       {"csv", "scale_sim_gemm.csv"}}) {
    const ImportedTrace trace =
        import_file(find_importer(importer, "format"), import_data(file), {});
    write_manifest(folder.path(), trace.records);
    EXPECT_EQ(read_manifest(folder.path()).size(), trace.records.size());
  }
}

TEST(Importers, FilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::filesystem::path& path, const ImportOptions& options) {
    return input_error([&] { import_file(kImporters[0], path, options); });
  };
  EXPECT_THAT(refusal(folder.path() / "none", {}), HasSubstr("none: cannot open: No such file"));
  EXPECT_THAT(refusal(folder.path(), {}), HasSubstr("cannot open: not a regular file"));
  ImportOptions options;
  options.phase = "";
  EXPECT_THAT(refusal(folder.path(), options), HasSubstr("phase: is empty"));
  options.phase = std::string(1020, 'x');
  EXPECT_THAT(refusal(folder.path(), options), HasSubstr("too long"));
}

}  // namespace
}  // namespace nibblecore
