// SPDX-License-Identifier: Apache-2.0
// A lane of an MXFP4 tensor core: the dot product of two blocks of 32 E2M1 elements under E8M0
// scales, added to an FP32 accumulator with one rounding. Combinational.
module mxfp4_dot #(
    parameter bit TIES_TO_EVEN = 1'b1
) (
    input  logic [127:0] a_codes,
    input  logic   [7:0] a_scale,
    input  logic [127:0] b_codes,
    input  logic   [7:0] b_scale,
    input  logic  [31:0] accumulator,
    output logic  [31:0] result
);

  // Twice the value of an E2M1 code.
  function automatic logic signed [4:0] decode(input logic [3:0] code);
    logic signed [4:0] magnitude;
    case (code[2:0])
      3'd0: magnitude = 5'sd0;
      3'd1: magnitude = 5'sd1;
      3'd2: magnitude = 5'sd2;
      3'd3: magnitude = 5'sd3;
      3'd4: magnitude = 5'sd4;
      3'd5: magnitude = 5'sd6;
      3'd6: magnitude = 5'sd8;
      default: magnitude = 5'sd12;
    endcase
    return code[3] ? -magnitude : magnitude;
  endfunction

  // 32 multipliers and a tree of adders: at most 32 * 12 * 12 quarters, 14 bits with the sign.
  logic signed [13:0] sums[32];
  logic signed [10:0] exponent;

  always_comb begin
    for (int i = 0; i < 32; i++) sums[i] = 14'(decode(a_codes[4*i+:4])) * 14'(decode(b_codes[4*i+:4]));
    for (int width = 16; width > 0; width = width / 2)
      for (int i = 0; i < width; i++) sums[i] = sums[i] + sums[i+width];
    // Both biases of 127, and the quarters.
    exponent = $signed({3'b0, a_scale}) + $signed({3'b0, b_scale}) - 11'sd256;
  end

  fp32_accumulate #(
      .TIES_TO_EVEN(TIES_TO_EVEN)
  ) accumulate (
      .accumulator(accumulator),
      .term(sums[0]),
      .term_exponent(exponent),
      .nan(a_scale == 8'hFF || b_scale == 8'hFF),
      .result(result)
  );

endmodule
