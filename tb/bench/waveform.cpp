// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/waveform.hpp"

#include <fstream>

#include "model/common/error.hpp"

namespace nibblecore::tb {

Waveform::Waveform(const std::filesystem::path& target) : path_(target, ".vcd") {
  // SystemC ends the program where it can't open the file: try first.
  if (!std::ofstream(path_.temporary())) {
    throw InputError(target.string(), "cannot write: no file can be created in its folder");
  }
  // It appends ".vcd" to the name itself.
  std::filesystem::path name = path_.temporary();
  file_ = sc_core::sc_create_vcd_trace_file(name.replace_extension().c_str());
  // The clock falls at half a nanosecond.
  file_->set_time_unit(100, sc_core::SC_PS);
}

Waveform::~Waveform() {
  if (file_ != nullptr) {
    sc_core::sc_close_vcd_trace_file(file_);
  }
}

void Waveform::close() {
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
  path_.commit();
}

}  // namespace nibblecore::tb
