// Seeded damage to the bytes of a Parquet file: whatever is wrong comes as rows or a Status, and a
// reading ends. Bounded; the seed is in every message.
#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/json/from_string.h>
#include <arrow/table.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include <string>

#include "plugins/formats/parquet/parquet_format.h"
#include "primus/base/seeded.h"
#include "primus/data/format.h"

namespace primus::tests {
namespace {

constexpr uint64_t kMutations = 3000;

std::string ValidFile(bool checksums) {
  std::string numbers = "[";
  std::string words = "[";
  for (int i = 0; i < 200; ++i) {
    const std::string comma = i == 0 ? "" : ", ";
    numbers += comma + (i % 7 == 0 ? "null" : std::to_string(i * i));
    words += comma + "\"w" + std::to_string(i % 13) + "\"";
  }
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("n", arrow::int64()), arrow::field("w", arrow::utf8())}),
      {arrow::json::ArrayFromJSONString(arrow::int64(), numbers + "]").ValueOrDie(),
       arrow::json::ArrayFromJSONString(arrow::utf8(), words + "]").ValueOrDie()});
  const auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  parquet::WriterProperties::Builder properties;
  if (checksums) properties.enable_page_checksum();
  EXPECT_TRUE(
      parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), sink, 64, properties.build())
          .ok());
  return sink->Finish().ValueOrDie()->ToString();
}

// One to four changes: a flipped bit, a byte, a swapped block, a cut.
std::string Damage(std::string bytes, uint64_t seed) {
  SeededSequence random(seed);
  const uint64_t changes = 1 + random.Below(4);
  for (uint64_t i = 0; i < changes && !bytes.empty(); ++i) {
    // Half of the changes meet the footer, which is where a reader trusts most.
    const uint64_t size = bytes.size();
    const uint64_t at =
        random.Below(2) == 0 ? random.Below(size) : size - 1 - random.Below(std::min(size, 600UL));
    switch (random.Below(8)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(at, 1 + random.Below(16));
        break;
      case 2:
        bytes.insert(at, 1 + random.Below(16), static_cast<char>(random.Next()));
        break;
      case 3:
        bytes[at] = static_cast<char>(random.Below(2) == 0 ? 0xff : 0x7f);
        break;
      case 4:
        bytes[at] = static_cast<char>(random.Next());
        break;
      default:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.Below(8)));
        break;
    }
  }
  return bytes;
}

Status ReadWhole(const data::Format& format, const std::string& bytes) {
  PRIMUS_ASSIGN(
      const auto file,
      format.Open(std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(bytes)),
                  "damaged.parquet"));
  // A claim of absurdly many rows must not be believed before they are there.
  data::ReadScope scope{file->schema()->field_names(), 0, file->rows(), 1024};
  PRIMUS_ASSIGN(const auto reader, file->Read(scope));
  while (true) {
    PRIMUS_ASSIGN(const auto batch, reader->Next());
    if (batch == nullptr) return OkStatus();
    // Text of other bytes than UTF-8 is hashed as it is; anything else would be read out of bounds.
    const arrow::Status valid = batch->ValidateFull();
    if (!valid.ok() && valid.message().find("UTF8") == std::string::npos) {
      return InternalError("an invalid batch was handed out: " + valid.message());
    }
  }
}

TEST(ParquetMutation, DamageGivesRowsOrAStatus) {
  const auto format = formats::MakeParquetFormat("");
  ASSERT_TRUE(format.ok());
  uint64_t refused = 0;
  for (const bool checksums : {false, true}) {
    const std::string valid = ValidFile(checksums);
    ASSERT_TRUE(ReadWhole(**format, valid).ok());
    for (uint64_t seed = 0; seed < kMutations; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const Status status = ReadWhole(**format, Damage(valid, seed));
      EXPECT_NE(status.code(), StatusCode::kInternal) << status.ToString();
      if (status.ok()) continue;
      ++refused;
      EXPECT_NE(status.message().find("damaged.parquet"), std::string::npos) << status.ToString();
    }
  }
  EXPECT_GT(refused, kMutations / 2);
}

}  // namespace
}  // namespace primus::tests
