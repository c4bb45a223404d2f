# SPDX-License-Identifier: Apache-2.0
# Runs the testbench on the circuit with the planted fault: it must find it and fail.
execute_process(COMMAND ${SIMULATION} +broken
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(result EQUAL 0)
  message(FATAL_ERROR "the testbench accepted a circuit with a fault:\n${output}${errors}")
endif()
if(NOT "${output}${errors}" MATCHES "FAIL: [1-9][0-9]* of 92208 results differ")
  message(FATAL_ERROR "the testbench failed for another reason:\n${output}${errors}")
endif()
