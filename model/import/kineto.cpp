// SPDX-License-Identifier: Apache-2.0
#include "model/import/kineto.hpp"

#include <optional>
#include <string_view>

#include <boost/json/object.hpp>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/import/byte_source.hpp"
#include "model/import/json_elements.hpp"
#include "model/import/kineto_reader.hpp"
#include "model/import/profile_records.hpp"
#include "model/import/require_json.hpp"

namespace nibblecore {
namespace {

// Of "distributedInfo", which has it in runs of several processes.
std::optional<int64_t> rank_of(const boost::json::value& distributed) {
  const boost::json::object* const fields = distributed.if_object();
  const boost::json::value* const rank = fields != nullptr ? fields->if_contains("rank") : nullptr;
  const std::optional<int64_t> number = rank != nullptr ? json_integer(*rank) : std::nullopt;
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace

ImportedTrace import_kineto(std::istream& file, const std::string& name,
                            const ImportOptions& options) {
  ByteSource source(file, name);
  require_json(source);
  KinetoReader reader(name);
  std::optional<int64_t> rank;
  JsonElements wanted;
  wanted.array = "traceEvents";
  wanted.on_element = [&](const boost::json::value& event, int64_t index) {
    reader.read(event, index);
  };
  wanted.members = {"distributedInfo", "schema"};
  wanted.on_member = [&](std::string_view key, const boost::json::value& value) {
    if (key == "schema") {
      throw InputError(name,
                       "has \"schema\": a PyTorch execution trace, not a Chrome trace; "
                       "import it as et");
    }
    rank = rank_of(value);
  };
  if (!read_json_elements(source, wanted)) {
    throw InputError(name, "has no \"traceEvents\": not a Chrome trace");
  }
  return profile_records(reader.finish(rank), name, options, reader.hint());
}

}  // namespace nibblecore
