// SPDX-License-Identifier: Apache-2.0
// The section "Special inputs, preset by preset" of docs/numerics.md: every row of its tables is
// computed again, and every preset has one row for every input.
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/quantize/quantize.hpp"
#include "tests/unit/reference/numerics_page.hpp"

namespace nibblecore {
namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The cells of a table's row; the ones of the first column without their backticks.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    cells.push_back(trimmed(cell));
  }
  return cells;
}

/// The names in "`a`, `b`".
std::vector<std::string> names_in(const std::string& cell) {
  std::vector<std::string> names;
  std::istringstream stream(cell);
  std::string name;
  while (std::getline(stream, name, '`') && std::getline(stream, name, '`')) {
    names.push_back(name);
  }
  return names;
}

/// "3F800000 64*40400000" as FP32 values.
std::vector<float> values_in(const std::string& cell) {
  std::vector<float> values;
  std::istringstream stream(cell);
  for (std::string word; stream >> word;) {
    const size_t star = word.find('*');
    const size_t count = star == std::string::npos ? 1 : std::stoul(word.substr(0, star));
    const std::string bits = star == std::string::npos ? word : word.substr(star + 1);
    values.insert(values.end(), count,
                  bits_float(static_cast<uint32_t>(std::stoul(bits, nullptr, 16))));
  }
  return values;
}

struct SpecialTable {
  std::map<std::string, std::vector<float>> inputs;
  /// By preset and input: "scale | codes | decoded".
  std::map<std::pair<std::string, std::string>, std::string> results;
};

SpecialTable read_table() {
  const std::string& page = numerics_page();
  const size_t begin = page.find("\n## Special inputs, preset by preset\n");
  EXPECT_NE(begin, std::string::npos);
  const size_t end = page.find("\n## ", begin + 1);
  std::istringstream section(page.substr(begin, end - begin));
  SpecialTable table;
  for (std::string line; std::getline(section, line);) {
    if (line.rfind("| `", 0) != 0) {
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    const std::vector<std::string> names = names_in(cells.front());
    if (cells.size() == 2) {
      EXPECT_TRUE(table.inputs.emplace(names.front(), values_in(cells[1])).second) << line;
      continue;
    }
    EXPECT_EQ(cells.size(), 5U) << line;
    for (const std::string& name : names) {
      const bool is_new = table.results
                              .emplace(std::make_pair(name, names_in(cells[1]).front()),
                                       cells[2] + " | " + cells[3] + " | " + cells[4])
                              .second;
      EXPECT_TRUE(is_new) << "twice: " << line;
    }
  }
  return table;
}

std::string hex(uint32_t value, int digits) {
  std::ostringstream text;
  text << std::hex << std::uppercase << std::setfill('0') << std::setw(digits) << value;
  return text.str();
}

/// What `preset` makes of one row of values, its last block, as the table's last three cells.
std::string computed(const Preset& preset, const std::vector<float>& values) {
  const auto k = static_cast<int64_t>(values.size());
  std::vector<float> decoded(values.size());
  const PackedMatrix packed =
      quantize(row_major_view(values.data(), 1, k), preset, 1, decoded.data());
  std::string text;
  const int64_t last = packed.blocks() - 1;
  for (int64_t i = 0; i < preset.format.scale_bytes(); ++i) {
    text += hex(packed.row_scales(0)[last * preset.format.scale_bytes() + i], 2);
  }
  if (packed.tensor_scale != 1) {
    text += std::isnan(packed.tensor_scale) ? " * NaN"
                                            : " * " + hex(float_bits(packed.tensor_scale), 8);
  }
  text += " | ";
  for (int64_t i = last * preset.format.block; i < k; ++i) {
    text += hex(packed_code(packed.row_codes(0), i), 1);
  }
  for (int64_t i = k; i < packed.blocks() * preset.format.block; ++i) {
    EXPECT_EQ(packed_code(packed.row_codes(0), i), 0) << preset.name << ", padding";
  }
  text += " |";
  for (int64_t i = last * preset.format.block; i < k; ++i) {
    const float value = decoded[static_cast<size_t>(i)];
    text += std::isnan(value) ? " NaN" : " " + hex(float_bits(value), 8);
  }
  return text;
}

TEST(SpecialTable, EveryPresetMakesOfEveryInputWhatThePageSays) {
  const SpecialTable table = read_table();
  EXPECT_EQ(table.inputs.size(), 8U);
  size_t compared = 0;
  for (const Preset& preset : presets()) {
    for (const auto& [input, values] : table.inputs) {
      const std::string result = computed(preset, values);
      const auto row = table.results.find({preset.name, input});
      std::ostringstream line;
      line << "| `" << preset.name << "` | `" << input << "` | " << result << " |";
      if (row == table.results.end()) {
        ADD_FAILURE() << "missing: " << line.str();
      } else {
        EXPECT_EQ(row->second, result) << "computed: " << line.str();
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, table.results.size()) << "rows of presets or inputs that do not exist";
}

}  // namespace
}  // namespace nibblecore
