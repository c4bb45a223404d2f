// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

namespace nibblecore::tb {

/// The smallest number that an option takes.
enum class Least { kAny, kZero, kOne };

/// The arguments of one subcommand. Each goes to a variable that outlives the parsing and holds the
/// default, which --help shows where the option says so.
class Arguments {
 public:
  explicit Arguments(CLI::App& app) : app_(&app) {}

  /// A positional argument, or an option where `name` begins with a dash, that must be given.
  void required(const std::string& name, std::string& value, const std::string& help);
  /// An option whose help shows its default.
  void option(const std::string& name, std::string& value, const std::string& help);
  /// The same for int, int64_t, uint32_t, uint64_t and double.
  template <typename Number>
  void option(const std::string& name, Number& value, const std::string& help,
              Least least = Least::kAny);
  /// An option that may be left out; its variable then stays as it is.
  void optional(const std::string& name, std::string& value, const std::string& help);
  void optional(const std::string& name, int& value, const std::string& help,
                Least least = Least::kAny);
  void flag(const std::string& name, bool& value, const std::string& help);
  /// --threads, 0 for one per processor.
  void threads(int& value);

 private:
  CLI::App* app_;
};

/// The program's command line: subcommands and their arguments. A thin layer over CLI11, so that
/// one file pays for compiling its headers.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& name, const std::string& version);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// A subcommand; `run` is called with all arguments in place and returns the exit code.
  Arguments add_command(const std::string& name, const std::string& description,
                        std::function<int()> run);

  /// Parses, runs the subcommand and returns its exit code; prints what is wrong with the arguments
  /// and returns kExitBadInput. Exceptions of the subcommand pass through.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::string version_;
  int exit_code_;
};

}  // namespace nibblecore::tb
