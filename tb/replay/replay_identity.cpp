// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_identity.hpp"

#include <cstring>
#include <optional>
#include <set>
#include <string_view>

#include <boost/pfr.hpp>
#include <fmt/format.h>

#include "model/analysis/qdq.hpp"
#include "model/common/strict_json.hpp"
#include "model/trace/manifest.hpp"
#include "model/trace/mapped_file.hpp"
#include "tb/journal/crc32.hpp"
#include "tb/replay/replay_configuration.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

// Options that neither replay_configuration() nor replay_identity() holds: threads, of which
// results are independent, and the files of --vcd and --timeline, which can't be resumed.
static_assert(boost::pfr::tuple_size_v<ReplayOptions> == 22,
              "an option is new: hold it in replay_configuration() or in replay_identity(), or "
              "name it above");

/// The program as it is built, whatever its version: what two builds compute is not mixed.
constexpr const char* kProgram = "/proc/self/exe";

/// The CRC-32 and the number of these bytes: tells what was changed, not what was forged.
std::string digest(std::string_view bytes) {
  return fmt::format("{:08x} of {} bytes", crc32({bytes}), bytes.size());
}

std::string digest_of(const std::filesystem::path& path) {
  const MappedFile file(path);
  return digest(file.text(0, file.size()));
}

/// A file of operands by what is cheap to read. It has been opened as a safetensors file: its
/// header is as long as it says.
json::object file_identity(const std::filesystem::path& path) {
  const MappedFile file(path);
  uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof header);
  const std::string_view text = file.text(0, static_cast<int64_t>(sizeof header + header));
  return {{"header", digest(text)},
          {"bytes", file.size()},
          {"modified", std::filesystem::last_write_time(path).time_since_epoch().count()}};
}

json::object trace_identity(const std::filesystem::path& folder,
                            const std::vector<PlannedGemm>& plan) {
  std::set<std::string> files;
  for (const PlannedGemm& gemm : plan) {
    if (gemm.record.has_operands() && !gemm.record.is_filled()) {
      files.insert(gemm.record.a->file);
      files.insert(gemm.record.b->file);
    }
  }
  json::object identity{{kManifestName, digest_of(folder / kManifestName)}};
  for (const std::string& file : files) {
    identity[file] = file_identity(folder / file);
  }
  return identity;
}

std::string described(const json::value* value) {
  return value == nullptr ? "nothing" : shown(*value);
}

std::optional<std::string> difference(const json::value* before, const json::value* now,
                                      const std::string& path) {
  if (before != nullptr && now != nullptr && before->is_object() && now->is_object()) {
    std::set<std::string> keys;
    for (const auto& member : before->get_object()) {
      keys.insert(member.key());
    }
    for (const auto& member : now->get_object()) {
      keys.insert(member.key());
    }
    const std::string prefix = path.empty() ? path : path + ".";
    for (const std::string& key : keys) {
      if (auto found = difference(before->get_object().if_contains(key),
                                  now->get_object().if_contains(key), prefix + key)) {
        return found;
      }
    }
    return std::nullopt;
  }
  if (before != nullptr && now != nullptr && *before == *now) {
    return std::nullopt;
  }
  return "\"" + path + "\" was " + described(before) + " and is " + described(now);
}

}  // namespace

json::object replay_identity(const ReplayOptions& options, const std::vector<PlannedGemm>& plan) {
  const BlasIdentity blas = blas_identity();
  return {{"program", {{"version", kVersion}, {"build", digest_of(kProgram)}}},
          {"blas", {{"version", blas.version}, {"kernel", blas.kernel}}},
          {"configuration", replay_configuration(options)},
          {"scheme", options.scheme ? json::value(digest(options.scheme->text)) : json::value()},
          {"layer_measures", options.layer_measures == LayerMeasures::kYes},
          {"trace", trace_identity(options.trace, plan)}};
}

std::string first_difference(const json::value& before, const json::value& now) {
  return difference(&before, &now, {}).value_or("in its spelling");
}

}  // namespace nibblecore::tb
