// SPDX-License-Identifier: Apache-2.0
#include "tests/system/include_rule.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>

namespace nibblecore {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  static const std::set<std::string> suffixes{".hpp", ".h", ".cpp", ".cc", ".inl", ".ipp", ".in"};
  return suffixes.count(path.extension().string()) != 0;
}

std::vector<std::string> sources_below(const fs::path& root, const std::string& folder) {
  std::vector<std::string> sources;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.is_regular_file() && is_source(entry.path())) {
      sources.push_back(fs::relative(entry.path(), root).generic_string());
    }
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

bool is_below(const std::string& file, const std::string& folder) {
  return file.compare(0, folder.size() + 1, folder + "/") == 0;
}

/// Removes spaces, then `word`, from the front of `text`; false where it does not come next.
bool skip_word(std::string_view& text, std::string_view word) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (text.substr(0, word.size()) != word) {
    return false;
  }
  text.remove_prefix(word.size());
  return true;
}

/// What an include directive names between its quotes or angle brackets; empty for other lines.
std::string_view included(std::string_view line) {
  if (!skip_word(line, "#") || !skip_word(line, "include") ||
      !(skip_word(line, "\"") || skip_word(line, "<"))) {
    return {};
  }
  return line.substr(0, line.find_first_of("\">"));
}

/// The files that `file` names, relative to the root where they are below it.
std::vector<std::string> includes_of(const fs::path& root, const std::string& file) {
  std::vector<std::string> includes;
  std::ifstream stream(root / file);
  for (std::string line; std::getline(stream, line);) {
    const fs::path name = included(line);
    if (name.empty()) {
      continue;
    }
    const fs::path beside = fs::path(file).parent_path() / name;
    const fs::path named = fs::exists(root / beside) ? beside : name;
    includes.push_back(named.lexically_normal().generic_string());
  }
  return includes;
}

class Search {
 public:
  Search(const fs::path& root, const IncludeRule& rule) : root_(root), rule_(rule) {}

  std::vector<std::string> run() {
    for (const std::string& source : sources_below(root_, rule_.from)) {
      seen_.clear();
      visit(source, source);
    }
    return violations_;
  }

 private:
  void visit(const std::string& file, const std::string& chain) {
    for (const std::string& include : includes_of(root_, file)) {
      std::string longer = chain;
      longer.append(" -> ").append(include);
      if (is_below(include, rule_.forbidden)) {
        violations_.push_back(longer);
      } else if (seen_.insert(include).second && fs::is_regular_file(root_ / include)) {
        visit(include, longer);
      }
    }
  }

  const fs::path& root_;
  const IncludeRule& rule_;
  std::set<std::string> seen_;
  std::vector<std::string> violations_;
};

}  // namespace

std::vector<std::string> include_violations(const fs::path& root,
                                            const std::vector<IncludeRule>& rules) {
  std::vector<std::string> violations;
  for (const IncludeRule& rule : rules) {
    const std::vector<std::string> found = Search(root, rule).run();
    violations.insert(violations.end(), found.begin(), found.end());
  }
  return violations;
}

int count_sources(const fs::path& folder) {
  return static_cast<int>(sources_below(folder, ".").size());
}

}  // namespace nibblecore
