// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "model/common/error.hpp"
#include "model/emulate/gemm.hpp"
#include "model/machine/machine_file.hpp"
#include "model/machine/tiler.hpp"
#include "model/reference/gemm.hpp"
#include "model/trace/safetensors_reader.hpp"
#include "model/trace/safetensors_writer.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/bench/engine.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/mma_tiles.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

struct MmaOptions {
  std::string input;
  std::string output;
  std::string format = "mxfp4";
  int block = 32;
  std::string scale = "ue8m0";
  std::string accumulate = "fp32-rne";
  std::string engine = "reference";
  bool truncation = false;
  int threads = 0;
};

/// The core takes both operands packed, and the accumulators' start from memory.
void run_on_core(CoreBench& bench, const PackedMatrix& a, const PackedMatrix& b,
                 Accumulation policy, const uint32_t* start, uint32_t* result) {
  GemmSpec spec{a.rows, b.rows, a.k, a.format};
  spec.start = Start::kFromMemory;
  spec.accumulation = policy;
  bench.run(choose_program(bench.machine(), spec),
            {packed_operand(a), packed_operand(b), start, result});
}

void require_truncation(const MmaOptions& options, Engine engine) {
  if (options.truncation && engine == Engine::kSystemc) {
    throw InputError("--truncation",
                     "the engine 'systemc' does not tell what truncation takes; 'reference' and "
                     "'emulator' do");
  }
}

/// All tiles; `truncation` is empty unless it is asked for.
void multiply(const MmaOptions& options, Engine engine, const BlockFormat& format,
              const MmaTiles& tiles, std::vector<uint32_t>& result,
              std::vector<uint8_t>& truncation) {
  const Accumulation policy = accumulation(options.accumulate);
  const std::vector<uint32_t> start = tiles.start();
  std::unique_ptr<CoreBench> bench;
  if (engine == Engine::kSystemc) {
    bench = std::make_unique<CoreBench>("bench", built_in_machines().front().machine);
  }
  for (int64_t tile = 0; tile < tiles.tiles(); ++tile) {
    const PackedMatrix a = tile_of(tiles.a, format, tile);
    const PackedMatrix b = tile_of(tiles.b, format, tile);
    const int64_t first = tile * tiles.tile_size();
    const uint32_t* from = start.data() + first;
    uint32_t* to = result.data() + first;
    uint8_t* lost = truncation.empty() ? nullptr : truncation.data() + first;
    switch (engine) {
      case Engine::kReference:
        reference_gemm(a, b, policy, from, to, options.threads, {}, lost);
        break;
      case Engine::kEmulator: {
        EmulatorOptions emulator;
        emulator.truncation = lost;
        emulate_gemm(a, b, policy, from, to, options.threads, {}, emulator);
        break;
      }
      case Engine::kSystemc:
        run_on_core(*bench, a, b, policy, from, to);
        break;
    }
  }
}

int run(const MmaOptions& options) {
  const BlockFormat format = make_block_format(options.format, options.block, options.scale);
  const Accumulation policy = accumulation(options.accumulate);
  const Engine engine = tb::engine(options.engine);
  require_policy(engine, policy);
  require_format_of(policy, format);
  require_truncation(options, engine);

  const SafetensorsFile file(options.input);
  const MmaTiles tiles = read_mma_tiles(file, format, policy);
  const std::vector<int64_t>& shape = tiles.c->shape;
  std::vector<uint32_t> result(static_cast<size_t>(tiles.c->bytes / 4));
  std::vector<uint8_t> truncation(options.truncation ? result.size() : 0);
  multiply(options, engine, format, tiles, result, truncation);

  const auto outputs = static_cast<int64_t>(result.size());
  std::vector<Tensor> tensors{
      {"d", DType::kU32, shape, reinterpret_cast<const std::byte*>(result.data()), outputs * 4}};
  if (options.truncation) {
    tensors.push_back({"truncation", DType::kU8, shape,
                       reinterpret_cast<const std::byte*>(truncation.data()), outputs});
  }
  write_safetensors(options.output, tensors,
                    {{"format", options.format},
                     {"block", std::to_string(options.block)},
                     {"scale", options.scale},
                     {"accumulate", options.accumulate},
                     {"engine", options.engine},
                     {"nibblecore", kVersion}});
  return kExitEqual;
}

}  // namespace

void add_mma_command(CommandLine& line) {
  auto options = std::make_shared<MmaOptions>();
  Arguments arguments =
      line.add_command("mma", "Multiply packed tiles, D = A B + C, and write the FP32 bits",
                       [options] { return run(*options); });
  arguments.required("input", options->input,
                     "safetensors file with a U8 [T,M,K/2], a_scale, b U8 [T,N,K/2], b_scale, "
                     "c F32 or U32 [T,M,N]; K a multiple of the block, under blackwell and "
                     "blackwell-v1 of 64");
  arguments.required("-o,--output", options->output, "safetensors file to write d to");
  arguments.option("--format", options->format, "element: mxfp4, nvfp4 (E2M1) or hif4 (S1P2)");
  arguments.option("--block", options->block, "elements a scale: 16, 32 or 64");
  arguments.option("--scale", options->scale, "ue8m0, ue4m3 or hif4");
  arguments.option("--accumulate", options->accumulate, "policy (list policies)");
  arguments.option("--engine", options->engine, "reference, emulator or systemc");
  arguments.flag("--truncation", options->truncation,
                 "also write truncation U8 [T,M,N]: 1 where alignment lost bits, 2 where the "
                 "result did, 3 both");
  arguments.threads(options->threads);
}

}  // namespace nibblecore::tb
