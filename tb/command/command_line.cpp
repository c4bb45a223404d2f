// SPDX-License-Identifier: Apache-2.0
#include "tb/command/command_line.hpp"

#include <utility>

#include <CLI/CLI.hpp>

#include "model/common/error.hpp"
#include "tb/command/exit_code.hpp"

namespace nibblecore::tb {
namespace {

void require_least(CLI::Option& option, Least least) {
  switch (least) {
    case Least::kAny:
      break;
    case Least::kZero:
      option.check(CLI::NonNegativeNumber);
      break;
    case Least::kOne:
      option.check(CLI::PositiveNumber);
      break;
  }
}

}  // namespace

void Arguments::required(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help)->required();
}

void Arguments::option(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help)->capture_default_str();
}

template <typename Number>
void Arguments::option(const std::string& name, Number& value, const std::string& help,
                       Least least) {
  require_least(*app_->add_option(name, value, help)->capture_default_str(), least);
}

template void Arguments::option(const std::string&, int&, const std::string&, Least);
template void Arguments::option(const std::string&, int64_t&, const std::string&, Least);
template void Arguments::option(const std::string&, uint32_t&, const std::string&, Least);
template void Arguments::option(const std::string&, uint64_t&, const std::string&, Least);
template void Arguments::option(const std::string&, double&, const std::string&, Least);

void Arguments::optional(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help);
}

void Arguments::optional(const std::string& name, int& value, const std::string& help,
                         Least least) {
  require_least(*app_->add_option(name, value, help), least);
}

void Arguments::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void Arguments::threads(int& value) {
  optional("--threads", value, "0: one per processor", Least::kZero);
}

CommandLine::CommandLine(const std::string& description, const std::string& name,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)),
      version_(version),
      exit_code_(kExitEqual) {
  app_->set_version_flag("--version", version);
  // A word that is no subcommand is then reported as such, rather than as a missing one.
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Arguments CommandLine::add_command(const std::string& name, const std::string& description,
                                   std::function<int()> run) {
  CLI::App& command = *app_->add_subcommand(name, description);
  command.set_version_flag("--version", version_);
  command.callback([this, body = std::move(run)] { exit_code_ = body(); });
  return Arguments(command);
}

int CommandLine::run(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
    if (app_->get_subcommands().empty()) {
      throw InputError("command line", "a subcommand is required (--help lists them)");
    }
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? kExitEqual : kExitBadInput;
  }
  return exit_code_;
}

}  // namespace nibblecore::tb
