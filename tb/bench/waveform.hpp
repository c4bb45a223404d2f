// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <systemc>

#include "model/common/atomic_path.hpp"

namespace nibblecore::tb {

/// A VCD file being written: beside its target until close(), so that a file under the target's
/// name is always whole. InputError where it can't be written.
class Waveform {
 public:
  explicit Waveform(const std::filesystem::path& target);
  ~Waveform();
  Waveform(const Waveform&) = delete;
  Waveform& operator=(const Waveform&) = delete;

  /// For sc_trace.
  sc_core::sc_trace_file* file() { return file_; }

  /// Ends the recording and puts the file in place; once, last.
  void close();

 private:
  AtomicPath path_;
  sc_core::sc_trace_file* file_ = nullptr;
};

}  // namespace nibblecore::tb
