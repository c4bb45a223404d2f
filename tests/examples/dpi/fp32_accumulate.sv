// SPDX-License-Identifier: Apache-2.0
// result = RNE_FP32(accumulator + term * 2^term_exponent), rounded once, subnormals included. NaN
// where `nan` is set or the accumulator is NaN; an infinite accumulator stays.
module fp32_accumulate #(
    parameter bit TIES_TO_EVEN = 1'b1  // 0 plants a fault: ties are rounded away from zero
) (
    input  logic               [31:0] accumulator,
    input  logic signed        [13:0] term,
    input  logic signed        [10:0] term_exponent,
    input  logic                      nan,
    output logic               [31:0] result
);

  // An addend: 24 bits with the top one set, times 2^exponent; a zero lies below all others.
  typedef struct packed {
    logic               negative;
    logic signed [10:0] exponent;
    logic        [23:0] significand;
  } addend_t;

  function automatic addend_t normalise(input logic negative, input logic [23:0] significand,
                                        input logic signed [10:0] exponent);
    int shift = 0;
    addend_t addend;
    for (int i = 0; i < 24; i++) if (significand[i]) shift = 23 - i;
    addend.negative = negative;
    addend.significand = significand << shift;
    addend.exponent = significand == 0 ? -11'sd400 : exponent - 11'(shift);
    return addend;
  endfunction

  addend_t from_accumulator, from_term, larger, smaller;
  logic [13:0] magnitude;

  always_comb begin
    magnitude = term < 0 ? 14'(-term) : 14'(term);
    from_accumulator = normalise(
        accumulator[31], {accumulator[30:23] != 0, accumulator[22:0]},
        accumulator[30:23] == 0 ? -11'sd149 : $signed({3'b0, accumulator[30:23]}) - 11'sd150);
    from_term = normalise(term < 0, {10'b0, magnitude}, term_exponent);
    if (from_term.exponent > from_accumulator.exponent ||
        (from_term.exponent == from_accumulator.exponent &&
         from_term.significand > from_accumulator.significand)) begin
      larger  = from_term;
      smaller = from_accumulator;
    end else begin
      larger  = from_accumulator;
      smaller = from_term;
    end
  end

  // 27 bits below the larger addend; what the smaller one loses beyond them sets its last bit.
  logic [63:0] stretched, aligned, sum;
  int distance;

  always_comb begin
    distance  = 32'(larger.exponent) - 32'(smaller.exponent);
    if (distance > 63) distance = 63;
    stretched = {13'b0, smaller.significand, 27'b0};
    aligned   = stretched >> distance;
    if (aligned << distance != stretched) aligned[0] = 1'b1;
    sum = {13'b0, larger.significand, 27'b0};
    sum = larger.negative == smaller.negative ? sum + aligned : sum - aligned;
  end

  // 24 bits from the top, but none below 2^-149.
  logic [63:0] rest, half, kept;
  int top, last, shift, field;

  always_comb begin
    top = 0;
    for (int i = 0; i < 64; i++) if (sum[i]) top = i;
    last = 32'(larger.exponent) - 27 + top - 23;
    if (last < -149) last = -149;
    shift = last - (32'(larger.exponent) - 27);
    if (shift > 63) shift = 63;
    rest = 0;
    half = 1;
    if (shift <= 0) begin
      kept = sum << -shift;
    end else begin
      kept = sum >> shift;
      rest = sum & ((64'd1 << shift) - 1);
      half = 64'd1 << (shift - 1);
    end
    if (rest > half || (rest == half && (kept[0] || !TIES_TO_EVEN))) kept++;
    field = kept[24] ? last + 151 : kept[23] ? last + 150 : 0;
    if (kept[24]) kept = kept >> 1;

    if (nan || (accumulator[30:23] == 8'hFF && accumulator[22:0] != 0)) result = 32'h7FC0_0000;
    else if (accumulator[30:23] == 8'hFF) result = accumulator;
    else if (sum == 0) result = 32'h0;
    else if (field >= 255) result = {larger.negative, 8'hFF, 23'b0};
    else result = {larger.negative, 8'(field), kept[22:0]};
  end

endmodule
