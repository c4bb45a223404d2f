// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "model/common/checked.hpp"
#include "model/emulate/gemm.hpp"
#include "model/machine/machine_file.hpp"
#include "model/machine/tiler.hpp"
#include "model/reference/gemm.hpp"
#include "model/trace/safetensors_reader.hpp"
#include "model/trace/safetensors_writer.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/bench/engine.hpp"
#include "tb/command/commands.hpp"
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
  int threads = 0;
};

/// One operand of all tiles: codes [tiles, rows, k / 2] and scales [tiles, rows, bytes a row].
struct TiledOperand {
  const Tensor* codes;
  const Tensor* scales;
  int64_t tiles;
  int64_t rows;
  int64_t k;
};

std::string place_of(const SafetensorsFile& file, const Tensor& tensor) {
  return file.path() + ": tensor '" + tensor.name + "'";
}

const Tensor& require_tensor(const SafetensorsFile& file, const std::string& name,
                             std::initializer_list<DType> dtypes) {
  const Tensor& tensor = file.tensor(name);
  std::string known;
  for (const DType dtype : dtypes) {
    if (tensor.dtype == dtype) {
      if (tensor.shape.size() != 3) {
        throw InputError(place_of(file, tensor),
                         "shape " + shape_text(tensor.shape) + ", expected three axes");
      }
      return tensor;
    }
    known += (known.empty() ? "" : " or ") + std::string(name_of(dtype));
  }
  throw InputError(place_of(file, tensor),
                   "dtype " + std::string(name_of(tensor.dtype)) + ", expected " + known);
}

void require_shape(const SafetensorsFile& file, const Tensor& tensor,
                   const std::vector<int64_t>& expected) {
  if (tensor.shape != expected) {
    throw InputError(place_of(file, tensor),
                     "shape " + shape_text(tensor.shape) + ", expected " + shape_text(expected));
  }
}

TiledOperand read_operand(const SafetensorsFile& file, const std::string& name,
                          const BlockFormat& format) {
  const Tensor& codes = require_tensor(file, name, {DType::kU8});
  const Tensor& scales = require_tensor(file, name + "_scale", {DType::kU8});
  const int64_t k = checked_multiply(codes.shape[2], 2, place_of(file, codes));
  if (k % format.block != 0) {
    throw InputError(place_of(file, codes), "K = " + std::to_string(k) +
                                                " is not a multiple of the block of " +
                                                std::to_string(format.block));
  }
  require_shape(file, scales,
                {codes.shape[0], codes.shape[1], k / format.block * format.scale_bytes()});
  return {&codes, &scales, codes.shape[0], codes.shape[1], k};
}

PackedMatrix tile_of(const TiledOperand& operand, const BlockFormat& format, int64_t tile) {
  PackedMatrix matrix = make_packed_matrix(format, operand.rows, operand.k);
  const auto copy = [tile](const Tensor& from, std::vector<uint8_t>& to) {
    if (!to.empty()) {
      std::memcpy(to.data(), from.data + tile * static_cast<int64_t>(to.size()), to.size());
    }
  };
  copy(*operand.codes, matrix.codes);
  copy(*operand.scales, matrix.scales);
  return matrix;
}

/// The core takes both operands packed, and the accumulators' start from memory.
void run_on_core(CoreBench& bench, const PackedMatrix& a, const PackedMatrix& b,
                 const uint32_t* start, uint32_t* result) {
  GemmSpec spec{a.rows, b.rows, a.k, a.format};
  spec.start = Start::kFromMemory;
  bench.run(choose_program(bench.machine(), spec),
            {packed_operand(a), packed_operand(b), start, result});
}

int run(const MmaOptions& options) {
  const BlockFormat format = make_block_format(options.format, options.block, options.scale);
  const Accumulation policy = accumulation(options.accumulate);
  const Engine engine = tb::engine(options.engine);
  require_policy(engine, policy);

  const SafetensorsFile file(options.input);
  const TiledOperand a = read_operand(file, "a", format);
  const TiledOperand b = read_operand(file, "b", format);
  const Tensor& c = require_tensor(file, "c", {DType::kF32, DType::kU32});
  if (a.tiles != b.tiles || a.k != b.k) {
    throw InputError(place_of(file, *b.codes),
                     "shape " + shape_text(b.codes->shape) + " does not go with a's " +
                         shape_text(a.codes->shape) + " (tiles and K must agree)");
  }
  require_shape(file, c, {a.tiles, a.rows, b.rows});

  const int64_t tile_size = a.rows * b.rows;
  std::vector<uint32_t> start(static_cast<size_t>(c.bytes / 4));
  if (!start.empty()) {
    std::memcpy(start.data(), c.data, static_cast<size_t>(c.bytes));
  }
  std::vector<uint32_t> result(start.size());
  std::unique_ptr<CoreBench> bench;
  if (engine == Engine::kSystemc) {
    bench = std::make_unique<CoreBench>("bench", built_in_machines().front().machine);
  }
  const bool empty = tile_size == 0 || a.k == 0;
  if (empty) {
    throw InputError(options.input, "M, N and K must be positive");
  }
  for (int64_t tile = 0; tile < a.tiles; ++tile) {
    const PackedMatrix a_tile = tile_of(a, format, tile);
    const PackedMatrix b_tile = tile_of(b, format, tile);
    const uint32_t* from = start.data() + tile * tile_size;
    uint32_t* to = result.data() + tile * tile_size;
    switch (engine) {
      case Engine::kReference:
        reference_gemm(a_tile, b_tile, policy, from, to, options.threads);
        break;
      case Engine::kEmulator:
        emulate_gemm(a_tile, b_tile, from, to, options.threads);
        break;
      case Engine::kSystemc:
        run_on_core(*bench, a_tile, b_tile, from, to);
        break;
    }
  }
  const Tensor d{"d", DType::kU32, c.shape, reinterpret_cast<const std::byte*>(result.data()),
                 static_cast<int64_t>(result.size()) * 4};
  write_safetensors(options.output, {d},
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
                     "c F32 or U32 [T,M,N]");
  arguments.required("-o,--output", options->output, "safetensors file to write d to");
  arguments.option("--format", options->format, "element: mxfp4, nvfp4 (E2M1) or hif4 (S1P2)");
  arguments.option("--block", options->block, "elements a scale: 16, 32 or 64");
  arguments.option("--scale", options->scale, "ue8m0, ue4m3 or hif4");
  arguments.option("--accumulate", options->accumulate, "policy (list policies)");
  arguments.option("--engine", options->engine, "reference, emulator or systemc");
  arguments.threads(options->threads);
}

}  // namespace nibblecore::tb
