// SPDX-License-Identifier: Apache-2.0
#include "model/machine/machine_file.hpp"

#include <functional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/machine/machine_field.hpp"
#include "model/machine/machine_texts.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

json::object valid_document() {
  return json::parse(json::string_view(machine_texts().front().text)).as_object();
}

json::object& field_of(json::object& document, std::string_view name) {
  return document["fields"].as_object()[name].as_object();
}

std::string text_with(const std::function<void(json::object&)>& change) {
  json::object document = valid_document();
  change(document);
  return json::serialize(document);
}

std::string error_of(std::string_view text) {
  return input_error([&] { parse_machine(text, "mine.json"); });
}

std::string error_with(const std::function<void(json::object&)>& change) {
  return error_of(text_with(change));
}

std::string error_with_value(std::string_view field, const json::value& value) {
  return error_with([&](json::object& document) { field_of(document, field)["value"] = value; });
}

TEST(ParseMachine, TakesEveryNumberWithItsSource) {
  const MachineFile file =
      parse_machine(text_with([](json::object& document) {
                      document["name"] = "My_1.5-b";
                      document["description"] = "what it is";
                      document["notes"] = {"first", "second"};
                      int64_t value = 101;
                      for (auto& field : document["fields"].as_object()) {
                        field.value().as_object()["value"] = value++;
                      }
                      field_of(document, "depth") = {
                          {"value", 192}, {"confidence", "S"}, {"source", "a magazine"}};
                    }),
                    "mine.json");
  EXPECT_EQ(file.machine.name, "My_1.5-b");
  EXPECT_EQ(file.description, "what it is");
  EXPECT_THAT(file.notes, testing::ElementsAre("first", "second"));
  EXPECT_EQ(file.machine.cores, 101);
  EXPECT_EQ(file.machine.clock_hertz, 102);
  EXPECT_EQ(file.machine.core.rows, 103);
  EXPECT_EQ(file.machine.core.columns, 104);
  EXPECT_EQ(file.machine.core.depth, 192);
  EXPECT_EQ(file.machine.accumulate_latency, 106);
  EXPECT_EQ(file.machine.l1_bytes, 107);
  EXPECT_EQ(file.machine.l0a_bytes, 108);
  EXPECT_EQ(file.machine.l0b_bytes, 109);
  EXPECT_EQ(file.machine.l0c_bytes, 110);
  EXPECT_EQ(file.machine.memory, (Rate{37, 3434}));  // 111 / (102 * 101) in lowest terms
  EXPECT_EQ(file.machine.memory_latency, 112);
  EXPECT_EQ(file.machine.l1_to_l0a, (Rate{113, 1}));
  EXPECT_EQ(file.machine.l1_to_l0b, (Rate{114, 1}));
  EXPECT_EQ(file.machine.l1_latency, 115);
  EXPECT_EQ(file.machine.quantizer_values_per_cycle, 116);
  EXPECT_EQ(file.machine.quantizer_latency, 117);
  EXPECT_EQ(file.machine.residual_latency, 118);
  EXPECT_EQ(file.machine.bf16_macs_per_cycle, 119);

  ASSERT_EQ(file.fields.size(), machine_fields().size());
  for (size_t i = 0; i < file.fields.size(); ++i) {
    EXPECT_EQ(file.fields[i].name, machine_fields()[i].name);
  }
  EXPECT_EQ(file.fields[4].value, 192);
  EXPECT_EQ(file.fields[4].confidence, Confidence::kSecondHand);
  EXPECT_EQ(file.fields[4].source, "a magazine");
  EXPECT_EQ(file.fields[10].value, 111);
}

TEST(ParseMachine, EveryMarkOfConfidence) {
  for (const ConfidenceRecord& record : kConfidences) {
    const std::string text = text_with([&](json::object& document) {
      field_of(document, "cores")["confidence"] = json::string_view(record.name);
    });
    EXPECT_EQ(parse_machine(text, "mine.json").fields.front().confidence, record.confidence);
    EXPECT_EQ(&confidence_record(record.confidence), &record);
  }
}

TEST(ParseMachine, OrderOfKeysAndEmptyNotesDoNotMatter) {
  json::object reversed;
  const json::object document = valid_document();
  json::object fields;
  for (const std::string_view key : {"fields", "notes", "description", "name"}) {
    reversed[key] = document.at(key);
  }
  const json::object& in_order = document.at("fields").as_object();
  for (auto field = in_order.end(); field != in_order.begin();) {
    --field;
    fields[field->key()] = field->value();
  }
  reversed["fields"] = fields;
  reversed["notes"] = json::array();
  const MachineFile file = parse_machine(json::serialize(reversed), "mine.json");
  EXPECT_THAT(file.notes, IsEmpty());
  EXPECT_EQ(file.fields.front().name, "cores");
  EXPECT_EQ(file.machine.core.depth, 64);
}

struct BadDocument {
  const char* error;  ///< its beginning, behind the file's name
  void (*change)(json::object& document);
};

const std::vector<BadDocument>& bad_documents() {
  static const std::vector<BadDocument> documents{
      {", field \"name\": is missing", [](json::object& d) { d.erase("name"); }},
      {", field \"description\": is missing", [](json::object& d) { d.erase("description"); }},
      {", field \"notes\": is missing", [](json::object& d) { d.erase("notes"); }},
      {", field \"fields\": is missing", [](json::object& d) { d.erase("fields"); }},
      {", field \"colour\": is unknown (known: name, description, notes, fields)",
       [](json::object& d) { d["colour"] = 1; }},
      {", field \"name\": is 7, not a line of text", [](json::object& d) { d["name"] = 7; }},
      {", field \"name\": is \"\", not a line of text", [](json::object& d) { d["name"] = ""; }},
      {", field \"name\": is \"a b\", not a name", [](json::object& d) { d["name"] = "a b"; }},
      {", field \"name\": is \"a/b\", not a name", [](json::object& d) { d["name"] = "a/b"; }},
      {", field \"description\": is \"\", not", [](json::object& d) { d["description"] = ""; }},
      {", field \"description\": is null, not",
       [](json::object& d) { d["description"] = nullptr; }},
      {", field \"description\": is \"a\\u001b[2J\", not",
       [](json::object& d) { d["description"] = "a\x1b[2J"; }},
      {", field \"description\": is \"a\\nb\", not",
       [](json::object& d) { d["description"] = "a\nb"; }},
      {", field \"notes\": is \"x\", not a list of texts",
       [](json::object& d) { d["notes"] = "x"; }},
      {", field \"notes[1]\": is 2, not a line of text",
       [](json::object& d) {
         d["notes"] = {"x", 2};
       }},
      {", field \"notes[0]\": is \"\", not a line of text",
       [](json::object& d) { d["notes"] = {""}; }},
      {", field \"fields\": is [], not an object",
       [](json::object& d) { d["fields"] = json::array(); }},
      {", field \"fields.l2_bytes\": is unknown (known: cores, clock_hertz, rows, ",
       [](json::object& d) { d["fields"].as_object()["l2_bytes"] = 1; }},
      {", field \"fields.rows\": is 16, not an object",
       [](json::object& d) { d["fields"].as_object()["rows"] = 16; }},
      {", field \"fields.rows.unit\": is unknown (known: value, confidence, source)",
       [](json::object& d) { field_of(d, "rows")["unit"] = "1"; }},
      {", field \"fields.rows.value\": is missing",
       [](json::object& d) { field_of(d, "rows").erase("value"); }},
      {", field \"fields.rows.confidence\": is missing",
       [](json::object& d) { field_of(d, "rows").erase("confidence"); }},
      {", field \"fields.rows.source\": is missing",
       [](json::object& d) { field_of(d, "rows").erase("source"); }},
      {", field \"fields.rows.source\": is \"\", not a line of text",
       [](json::object& d) { field_of(d, "rows")["source"] = ""; }},
      {", field \"fields.rows.source\": is [\"x\"], not a line of text",
       [](json::object& d) { field_of(d, "rows")["source"] = {"x"}; }},
      {", field \"fields.rows.confidence\": is \"X\", not one of P, S, C, K, A",
       [](json::object& d) { field_of(d, "rows")["confidence"] = "X"; }},
      {", field \"fields.rows.confidence\": is \"p\", not one of",
       [](json::object& d) { field_of(d, "rows")["confidence"] = "p"; }},
      {", field \"fields.rows.confidence\": is 1, not one of",
       [](json::object& d) { field_of(d, "rows")["confidence"] = 1; }},
      {", field \"fields.depth.value\": is 72, not a multiple of 16",
       [](json::object& d) { field_of(d, "depth")["value"] = 72; }},
      {", field \"fields.quantizer_latency.value\": is 3, below the 4 cycles in which",
       [](json::object& d) {
         field_of(d, "quantizer_values_per_cycle")["value"] = 16;
         field_of(d, "quantizer_latency")["value"] = 3;
       }},
      {", clock_hertz * cores: size 9223372036854775807 * 2 does not fit 64 bits",
       [](json::object& d) {
         field_of(d, "clock_hertz")["value"] = INT64_MAX;
         field_of(d, "cores")["value"] = 2;
       }},
  };
  return documents;
}

TEST(ParseMachine, NamesWhatIsWrong) {
  ASSERT_THAT(error_with([](json::object&) {}), IsEmpty());
  for (const BadDocument& bad : bad_documents()) {
    EXPECT_THAT(error_with(bad.change), StartsWith("mine.json" + std::string(bad.error)));
  }
}

TEST(ParseMachine, EveryFieldIsRequired) {
  for (const MachineFieldRecord& record : machine_fields()) {
    const std::string name(record.name);
    EXPECT_EQ(
        error_with([&](json::object& document) { document["fields"].as_object().erase(name); }),
        "mine.json, field \"fields." + name + "\": is missing");
  }
}

TEST(ParseMachine, EveryFieldIsAnIntegerInRange) {
  for (const MachineFieldRecord& record : machine_fields()) {
    const std::string place =
        "mine.json, field \"fields." + std::string(record.name) + ".value\": is ";
    EXPECT_EQ(error_with_value(record.name, record.least - 1),
              place + std::to_string(record.least - 1) + ", below the least, " +
                  std::to_string(record.least));
    if (record.most < INT64_MAX) {
      EXPECT_EQ(error_with_value(record.name, record.most + 1),
                place + std::to_string(record.most + 1) + ", above the most, " +
                    std::to_string(record.most));
    }
    EXPECT_THAT(error_with_value(record.name, INT64_MIN), StartsWith(place + "-92233"));
    for (const json::value& value :
         {json::value(16.0), json::value("16"), json::value(true), json::value(nullptr),
          json::value(UINT64_MAX), json::value(json::array{16})}) {
      EXPECT_THAT(error_with_value(record.name, value),
                  AllOf(StartsWith(place), HasSubstr(", not a 64-bit integer")));
    }
  }
}

TEST(ParseMachine, MalformedTextIsRefusedWithItsOffset) {
  const std::string valid = json::serialize(valid_document());
  EXPECT_EQ(error_of(valid + "\n"), "");
  EXPECT_EQ(error_of(valid + "x"), "mine.json, offset " + std::to_string(valid.size()) +
                                       ": not valid JSON: text follows the document");
  EXPECT_THAT(error_of(""), StartsWith("mine.json, offset 0: not valid JSON"));
  EXPECT_THAT(error_of(valid.substr(0, valid.size() - 1)), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of("{\"name\":\"\xff\"}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of(std::string(1000, '[')), HasSubstr("too deep"));
  EXPECT_EQ(error_of("[1]"), "mine.json: is [1], not an object");
  std::string twice = valid;
  twice.insert(twice.find("\"rows\""), "\"rows\":1,");
  EXPECT_THAT(error_of(twice), HasSubstr("duplicate key \"rows\""));
}

TEST(LoadMachine, ByNameOrByPath) {
  EXPECT_EQ(load_machine("core16x16x64").machine.name, "core16x16x64");
  const TemporaryFolder folder;
  const auto path =
      folder.write("b200", text_with([](json::object& document) { document["name"] = "mine"; }));
  EXPECT_EQ(load_machine(path.string()).machine.name, "mine");
}

TEST(LoadMachine, FilesThatCannotBeMachinesAreRefused) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_error([] { load_machine("b100"); }),
            "--machine: \"b100\" is neither a built-in machine (core16x16x64, ascend950pr, b200, "
            "edge) nor a file");
  EXPECT_THAT(input_error([] { load_machine(""); }), HasSubstr("\"\" is neither"));
  EXPECT_EQ(input_error([&] { load_machine(folder.path().string()); }),
            folder.path().string() + ": cannot open: not a regular file");
  const auto large = folder.write("large", std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(input_error([&] { load_machine(large.string()); }),
            large.string() + ": is larger than 1 MiB: not a machine file");
  const auto wrong = folder.write("wrong", "{}");
  EXPECT_EQ(input_error([&] { load_machine(wrong.string()); }),
            wrong.string() + ", field \"name\": is missing");
}

}  // namespace
}  // namespace nibblecore
