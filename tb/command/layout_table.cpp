// SPDX-License-Identifier: Apache-2.0
#include "tb/command/layout_table.hpp"

#include "model/layout/layout.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {

std::string layout_table() {
  TextTable table({"layout", "formats", "meaning", "provenance"});
  for (const Layout& layout : layouts()) {
    std::string formats;
    for (const BlockFormat& format : kBlockFormats) {
      if (layout.formats.contains(format)) {
        formats += (formats.empty() ? "" : " ") + std::string(format.name);
      }
    }
    table.add_row({std::string(layout.name), formats, std::string(layout.meaning),
                   std::string(layout.provenance)});
  }
  return table.text();
}

}  // namespace nibblecore::tb
