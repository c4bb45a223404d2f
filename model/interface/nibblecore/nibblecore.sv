// SPDX-License-Identifier: Apache-2.0
// Nibblecore for SystemVerilog testbenches, by DPI-C: blocks to codes, a block's dot product, an MMA
// step. Link the simulation with the library (docs/library.md). Every function returns 0, or another
// status, with the reason in last_error(), and then its outputs mean nothing. nibblecore_dpi.h says
// how elements lie in vectors; numbers are FP32 bits; names are those of `nibblecore list`.
package nibblecore;

  import "DPI-C" nibblecore_version = function string version();
  import "DPI-C" nibblecore_last_error = function string last_error();

  // One block of numbers under a preset ("" for the format's default). NVFP4's tensor scale is that
  // of the block alone.
  import "DPI-C" nibblecore_dpi_quantize_mxfp4 = function int quantize_mxfp4(
      input string preset, input bit [1023:0] values, output bit [127:0] codes,
      output byte unsigned scale);
  import "DPI-C" nibblecore_dpi_quantize_nvfp4 = function int quantize_nvfp4(
      input string preset, input bit [511:0] values, output bit [63:0] codes,
      output byte unsigned scale, output int unsigned tensor_scale);
  import "DPI-C" nibblecore_dpi_quantize_hif4 = function int quantize_hif4(
      input string preset, input bit [2047:0] values, output bit [255:0] codes,
      output int unsigned scale);

  // d = c + a b of one block.
  import "DPI-C" nibblecore_dpi_dot_mxfp4 = function int dot_mxfp4(
      input string policy, input bit [127:0] a_codes, input byte unsigned a_scale,
      input bit [127:0] b_codes, input byte unsigned b_scale, input int unsigned c,
      output int unsigned d);
  import "DPI-C" nibblecore_dpi_dot_nvfp4 = function int dot_nvfp4(
      input string policy, input bit [63:0] a_codes, input byte unsigned a_scale,
      input bit [63:0] b_codes, input byte unsigned b_scale, input int unsigned c,
      output int unsigned d);
  import "DPI-C" nibblecore_dpi_dot_hif4 = function int dot_hif4(
      input string policy, input bit [255:0] a_codes, input int unsigned a_scale,
      input bit [255:0] b_codes, input int unsigned b_scale, input int unsigned c,
      output int unsigned d);

  // D[16, 8] = A[16, 64] B[8, 64]^T + C[16, 8].
  import "DPI-C" nibblecore_dpi_mma_mxfp4 = function int mma_mxfp4(
      input string policy, input bit [4095:0] a_codes, input bit [255:0] a_scales,
      input bit [2047:0] b_codes, input bit [127:0] b_scales, input bit [4095:0] c,
      output bit [4095:0] d);
  import "DPI-C" nibblecore_dpi_mma_nvfp4 = function int mma_nvfp4(
      input string policy, input bit [4095:0] a_codes, input bit [511:0] a_scales,
      input bit [2047:0] b_codes, input bit [255:0] b_scales, input bit [4095:0] c,
      output bit [4095:0] d);
  import "DPI-C" nibblecore_dpi_mma_hif4 = function int mma_hif4(
      input string policy, input bit [4095:0] a_codes, input bit [511:0] a_scales,
      input bit [2047:0] b_codes, input bit [255:0] b_scales, input bit [4095:0] c,
      output bit [4095:0] d);

endpackage
