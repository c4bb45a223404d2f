// SPDX-License-Identifier: Apache-2.0
// Checks the circuit mxfp4_dot against the library, bit for bit: corner cases, random blocks,
// quantized blocks, and a whole MMA step. With +broken the same circuit with a planted fault is
// checked instead, and must fail.
module mxfp4_dot_test;

  localparam string POLICY = "fp32-rne";

  bit [127:0] a_codes, b_codes;
  byte unsigned a_scale, b_scale;
  int unsigned accumulator;
  logic [31:0] sound_result, broken_result;
  bit broken;
  int compared = 0;
  int different = 0;

  mxfp4_dot sound (
      .a_codes(a_codes), .a_scale(a_scale), .b_codes(b_codes), .b_scale(b_scale),
      .accumulator(accumulator), .result(sound_result)
  );
  mxfp4_dot #(
      .TIES_TO_EVEN(1'b0)
  ) with_fault (
      .a_codes(a_codes), .a_scale(a_scale), .b_codes(b_codes), .b_scale(b_scale),
      .accumulator(accumulator), .result(broken_result)
  );

  // The same numbers in every simulator and every run.
  int unsigned state = 32'h2545_F491;
  function automatic int unsigned draw();
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  endfunction

  function automatic bit [127:0] draw_codes();
    return {draw(), draw(), draw(), draw()};
  endfunction

  function automatic int unsigned draw_between(int unsigned first, int unsigned last);
    return first + draw() % (last - first + 1);
  endfunction

  function automatic void require(int status);
    if (status != 0) $fatal(1, "nibblecore: %s", nibblecore::last_error());
  endfunction

  function automatic logic [31:0] circuit();
    return broken ? broken_result : sound_result;
  endfunction

  function automatic void compare(int unsigned expected);
    compared++;
    if (circuit() !== expected) begin
      different++;
      if (different <= 5)
        $display("circuit %08x, library %08x: a %032x scale %02x, b %032x scale %02x, c %08x",
                 circuit(), expected, a_codes, a_scale, b_codes, b_scale, accumulator);
    end
  endfunction

  // The circuit on the inputs as they are.
  task automatic check_dot();
    int unsigned expected;
    #1;
    require(nibblecore::dot_mxfp4(POLICY, a_codes, a_scale, b_codes, b_scale, accumulator,
                                  expected));
    compare(expected);
  endtask

  task automatic check_corners();
    byte unsigned scales[8] = '{8'h00, 8'h01, 8'h35, 8'h7E, 8'h7F, 8'hC0, 8'hFE, 8'hFF};
    bit [127:0] codes[6] = '{{32{4'h0}}, {32{4'h8}}, {32{4'h7}}, {32{4'hF}}, {16{8'h7F}}, 128'h1};
    int unsigned accumulators[12] = '{
        32'h0, 32'h8000_0000, 32'h1, 32'h8000_0001, 32'h007F_FFFF, 32'h0080_0000, 32'h3F80_0000,
        32'hBF80_0001, 32'h7F7F_FFFF, 32'hFF80_0000, 32'h7F80_0000, 32'h7F80_0001};
    foreach (scales[i]) foreach (scales[j]) foreach (codes[k]) foreach (codes[l])
      foreach (accumulators[m]) begin
        a_scale = scales[i];
        b_scale = scales[j];
        a_codes = codes[k];
        b_codes = codes[l];
        accumulator = accumulators[m];
        check_dot();
      end
  endtask

  task automatic check_random(int count);
    for (int i = 0; i < count; i++) begin
      a_codes = draw_codes();
      b_codes = draw_codes();
      if (i % 4 == 0) begin  // anything
        a_scale = 8'(draw());
        b_scale = 8'(draw());
        accumulator = draw();
      end else begin  // accumulators about the size of the block or some binades above
        a_scale = 8'(draw_between(117, 137));
        b_scale = 8'(draw_between(117, 137));
        accumulator = (draw() & 32'h807F_FFFF) | (draw_between(100, 165) << 23);
      end
      check_dot();
    end
  endtask

  // Numbers that the library quantizes.
  task automatic check_quantized(int count);
    bit [1023:0] values;
    for (int i = 0; i < count; i++) begin
      for (int j = 0; j < 32; j++)
        values[32*j+:32] = (draw() & 32'h807F_FFFF) | (draw_between(120, 130) << 23);
      require(nibblecore::quantize_mxfp4("rceil", values, a_codes, a_scale));
      require(nibblecore::quantize_mxfp4("", values, b_codes, b_scale));
      accumulator = 0;
      check_dot();
    end
  endtask

  // 16 x 8 outputs of two blocks each: the circuit takes its result in again.
  task automatic check_mma();
    bit [4095:0] a, c, d;
    bit [2047:0] b;
    bit [255:0] a_scales;
    bit [127:0] b_scales;
    for (int i = 0; i < 32; i++) begin
      a[128*i+:128] = draw_codes();
      a_scales[8*i+:8] = 8'(draw_between(120, 134));
    end
    for (int i = 0; i < 16; i++) begin
      b[128*i+:128] = draw_codes();
      b_scales[8*i+:8] = 8'(draw_between(120, 134));
    end
    for (int i = 0; i < 128; i++) c[32*i+:32] = (draw() & 32'h83FF_FFFF) | 32'h4000_0000;
    require(nibblecore::mma_mxfp4(POLICY, a, a_scales, b, b_scales, c, d));
    for (int row = 0; row < 16; row++)
      for (int column = 0; column < 8; column++) begin
        accumulator = c[32*(8*row+column)+:32];
        for (int block = 0; block < 2; block++) begin
          if (block != 0) accumulator = circuit();
          a_codes = a[128*(2*row+block)+:128];
          a_scale = a_scales[8*(2*row+block)+:8];
          b_codes = b[128*(2*column+block)+:128];
          b_scale = b_scales[8*(2*column+block)+:8];
          #1;
        end
        compare(d[32*(8*row+column)+:32]);
      end
  endtask

  initial begin
    broken = $test$plusargs("broken") != 0;
    check_corners();
    check_random(60000);
    check_quantized(2000);
    for (int i = 0; i < 20; i++) check_mma();
    if (different != 0) $fatal(1, "FAIL: %0d of %0d results differ", different, compared);
    $display("PASS: %0d results of the circuit equal those of nibblecore %s", compared,
             nibblecore::version());
    $finish;
  end

endmodule
