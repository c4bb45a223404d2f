// SPDX-License-Identifier: Apache-2.0
#include "model/trace/manifest_writer.hpp"

#include <system_error>

#include <boost/json.hpp>

#include "model/common/atomic_file.hpp"
#include "model/common/error.hpp"
#include "model/trace/manifest.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

json::array reference_json(const TensorRef& tensor) { return {tensor.file, tensor.tensor}; }

int flag(Transpose transpose) { return transpose == Transpose::kYes ? 1 : 0; }

}  // namespace

std::string manifest_line(const GemmRecord& record) {
  json::object line{{"id", record.id},       {"phase", record.phase},
                    {"layer", record.layer}, {"gemm", name_of(record.kind)},
                    {"M", record.m},         {"N", record.n},
                    {"K", record.k}};
  if (record.has_operands()) {
    line["a"] = reference_json(*record.a);
  }
  line["ta"] = flag(record.transpose_a);
  if (record.has_operands()) {
    line["b"] = reference_json(*record.b);
  }
  line["tb"] = flag(record.transpose_b);
  if (record.out) {
    line["out"] = reference_json(*record.out);
  }
  line["quantize"] = record.quantize;
  for (const auto& [name, value] :
       {std::pair{"step", record.step}, {"rank", record.rank}, {"expert", record.expert}}) {
    if (value) {
      line[name] = *value;
    }
  }
  for (const auto& [name, value] : {std::pair{"count", record.count}, {"batch", record.batch}}) {
    if (value != 1) {
      line[name] = value;
    }
  }
  return json::serialize(line);
}

void write_manifest(const std::filesystem::path& folder, const std::vector<GemmRecord>& records) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw InputError(folder.string(), "can't make the trace folder: " + failure.message());
  }
  AtomicFile file(folder / kManifestName);
  for (const GemmRecord& record : records) {
    file.stream() << manifest_line(record) << '\n';
  }
  file.close();
  file.commit();
}

}  // namespace nibblecore
