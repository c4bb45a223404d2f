// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_configuration.hpp"

#include <string>

#include <boost/json/array.hpp>

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

json::object machine_json(const MachineFile& file) {
  json::object fields;
  for (const MachineField& field : file.fields) {
    fields[field.name] = {{"value", field.value},
                          {"confidence", confidence_record(field.confidence).name},
                          {"source", field.source}};
  }
  json::array notes;
  for (const std::string& note : file.notes) {
    notes.push_back(json::value(note));
  }
  return {{"name", file.machine.name},
          {"description", file.description},
          {"notes", notes},
          {"fields", fields}};
}

json::object corrections_json(const CorrectionOptions& corrections) {
  json::object object{{"macro", name_of(corrections.macro)}};
  if (corrections.macro != MacroChoice::kNone) {
    object["macro_length"] = corrections.macro_block.length;
    object["macro_mantissa_bits"] = corrections.macro_block.mantissa_bits;
    object["macro_candidates"] = corrections.macro_block.candidates;
    object["macro_epilogue"] = corrections.epilogue == MacroEpilogue::kFused ? "fused" : "separate";
  }
  object["hadamard"] = corrections.hadamard ? corrections.hadamard->length : 0;
  object["weight_blocks"] = corrections.weight_shape == BlockShape::kRow ? "row" : "square";
  object["fallback_alpha"] = corrections.fallback_alpha
                                 ? json::value(double{*corrections.fallback_alpha})
                                 : json::value(nullptr);
  if (corrections.fallback_tiles) {
    const FallbackSelection& selection = *corrections.fallback_tiles;
    object["fallback_tiles"] = {
        {"rows", selection.tiles.rows},
        {"channels", selection.tiles.channels},
        {"theta", selection.theta ? json::value(double{*selection.theta}) : json::value(nullptr)},
        {"rate", selection.rate ? json::value(*selection.rate) : json::value(nullptr)}};
  }
  object["noise"] = corrections.noise;
  return object;
}

json::object fill_json(const Fill& fill) {
  json::object object{{"type", fill_type_name(fill.type)}};
  for (const LayerTensor tensor : {LayerTensor::kX, LayerTensor::kW, LayerTensor::kDy}) {
    const TensorFill& values = fill.of(tensor);
    object[name_of(tensor)] = {{"law", values.law.name},
                               {"scale", values.scale},
                               {"outlier_rate", values.outlier_rate},
                               {"outlier_factor", values.outlier_factor}};
  }
  return object;
}

json::object energy_json(const EnergyTable& table) {
  json::object entries;
  for (const EnergyEntry& entry : table.entries) {
    entries[entry.name] = {{"femtojoules", entry.femtojoules},
                           {"confidence", confidence_record(entry.confidence).name},
                           {"source", entry.source}};
  }
  json::array notes;
  for (const std::string& note : table.notes) {
    notes.push_back(json::value(note));
  }
  return {{"name", table.name},
          {"description", table.description},
          {"notes", notes},
          {"entries", entries}};
}

json::object scheme_json(const Scheme& scheme) {
  json::array notes;
  for (const std::string& note : scheme.notes) {
    notes.push_back(json::value(note));
  }
  return {{"name", scheme.name},
          {"description", scheme.description},
          {"source", scheme.source},
          {"confidence", confidence_record(scheme.confidence).name},
          {"notes", notes}};
}

}  // namespace

json::object replay_configuration(const ReplayOptions& options) {
  json::object configuration{
      {"trace", options.trace.string()},
      {"filter", options.filter},
      {"format", options.preset.format.name},
      {"preset", options.preset.name},
      {"preset_meaning", options.preset.meaning},
      {"accumulate", name_of(options.accumulation)},
      {"fidelity", name_of(options.fidelity)},
      {"residual", name_of(options.residual.pattern)},
      {"residual_build", name_of(options.residual.build)},
      {"residual_order", name_of(options.residual.order)},
      {"residual_scope", name_of(options.residual.scope)},
      {"corrections", corrections_json(options.corrections)},
      {"scheme", options.scheme ? json::value(scheme_json(*options.scheme)) : json::value(nullptr)},
      {"quantize_all", options.unquantized == Unquantized::kSimulate},
      {"online", options.online ? name_of(*options.online) : "auto"},
      {"store", name_of(options.output)},
      {"loop_order", options.tiling.loop_order ? name_of(*options.tiling.loop_order) : "auto"},
      {"step_order", name_of(options.tiling.step_order.value_or(StepOrder::kTilesInner))},
      {"seed", options.seed},
      {"fill", options.fill ? json::value(fill_json(*options.fill)) : json::value(nullptr)},
      {"fault", options.fault ? json::value(text(*options.fault)) : json::value(nullptr)},
      {"sample_tiles", options.sample_tiles},
      {"machine", machine_json(options.machine)}};
  if (options.energy) {
    configuration["energy"] = energy_json(*options.energy);
  }
  return configuration;
}

}  // namespace nibblecore::tb
