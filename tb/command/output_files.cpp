// SPDX-License-Identifier: Apache-2.0
#include "tb/command/output_files.hpp"

#include "model/common/error.hpp"

namespace nibblecore::tb {

OutputFiles::OutputFiles(const std::string& csv, const std::string& json) {
  if (!csv.empty() && csv == json) {
    throw InputError("--csv, --json", "name the same file");
  }
  if (!csv.empty()) {
    csv_.emplace(csv);
  }
  if (!json.empty()) {
    json_.emplace(json);
  }
}

void OutputFiles::write(const std::function<void(std::ostream&)>& write_csv,
                        const std::function<void(std::ostream&)>& write_json) {
  if (csv_) {
    write_csv(csv_->stream());
    csv_->close();
  }
  if (json_) {
    write_json(json_->stream());
    json_->close();
  }
  if (csv_) {
    csv_->commit();
  }
  if (json_) {
    json_->commit();
  }
}

}  // namespace nibblecore::tb
