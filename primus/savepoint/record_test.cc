#include "primus/savepoint/record.h"

#include <gtest/gtest.h>

#include "primus/savepoint/history.h"

#include "proto/wire/record.pb.h"

namespace primus::savepoint {
namespace {

wire::Record Begin(uint64_t number, uint64_t from) {
  wire::Record record;
  record.set_number(number);
  record.mutable_begin()->set_attempt(1);
  record.mutable_begin()->set_view(number);
  record.mutable_begin()->set_from_record(from);
  return record;
}

wire::Record Manifest(uint64_t number, uint64_t cut, const std::string& part) {
  wire::Record record;
  record.set_number(number);
  record.mutable_manifest()->set_attempt(1);
  record.mutable_manifest()->set_cut(cut);
  record.mutable_manifest()->add_parts()->set_name(part);
  return record;
}

TEST(Record, ComesBackFromItsBytesAndShowsAnyDamage) {
  const std::string bytes = EncodeRecord(Manifest(3, 7, "parts/a1.v2.c7/s0-255.i9"));
  wire::Record record;
  ASSERT_TRUE(DecodeRecord(bytes, &record).ok());
  EXPECT_EQ(record.manifest().cut(), 7U);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(DecodeRecord(bytes.substr(0, i), &record).ok());
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    EXPECT_FALSE(DecodeRecord(flipped, &record).ok()) << i;
  }
}

TEST(Record, NamesSortByNumber) {
  EXPECT_EQ(RecordName(12), "records/000000000012");
  EXPECT_EQ(RecordNumber("records/000000000012"), 12U);
  EXPECT_EQ(RecordNumber("records/12x"), std::nullopt);
  const auto part = ParsePartName("parts/a1.v2.c33/s0-255.i9");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->cut, 33U);
  EXPECT_FALSE(ParsePartName("parts/x"));
}

TEST(Record, APositionComesBackFromItsMessage) {
  data::Position position;
  position.phase = 2;
  position.tasks_done = 5;
  position.open = {{9, batch::RowKind::kTrained, 0, 4},
                   {9, batch::RowKind::kTrained, 6, 7},
                   {9, batch::RowKind::kExcluded, 7, 8}};
  position.counts.read = 100;
  position.counts.kinds[0] = 90;
  wire::DataPosition message;
  ToWire(position, &message);
  EXPECT_EQ(message.open_size(), 2);
  const data::Position back = FromWire(message);
  EXPECT_EQ(back.open, position.open);
  EXPECT_EQ(back.counts, position.counts);
  EXPECT_EQ(back.tasks_done, 5U);
}

TEST(History, TheNewestRecordDecides) {
  History history(1);
  EXPECT_EQ(history.next_number(), 1U);
  history.Append(Begin(1, 0));
  EXPECT_EQ(history.save_point(), 0U);
  history.Append(Manifest(2, 1, "parts/a1.v1.c1/s0-255.i1"));
  history.Append(Begin(3, 2));
  EXPECT_EQ(history.save_point(), 2U);
  history.Append(Manifest(4, 2, "parts/a1.v1.c2/s0-255.i1"));
  EXPECT_EQ(history.save_point(), 4U);
  EXPECT_EQ(history.Superseded(), (std::vector<uint64_t>{2, 3}));
  history.Forget({2, 3});
  EXPECT_TRUE(history.PartIsGarbage("parts/a1.v1.c1/s0-255.i1"));
  EXPECT_FALSE(history.PartIsGarbage("parts/a1.v1.c2/s0-255.i1"));
  EXPECT_FALSE(history.PartIsGarbage("parts/a1.v1.c3/s0-255.i1"));
  EXPECT_TRUE(history.Check().ok());
  history.Append(Begin(5, 2));
  EXPECT_EQ(history.Check().code(), StatusCode::kDataLoss);
}

// Deletion ended in the middle: the save point went, the `begin` that returned to it did not.
TEST(History, OnlyTheNewestRecordNeedsItsSavePoint) {
  History history(1);
  history.Append(Begin(1, 0));
  history.Append(Begin(3, 2));
  history.Append(Manifest(4, 2, "parts/a1.v1.c2/s0-255.i1"));
  EXPECT_TRUE(history.Check().ok());
  EXPECT_EQ(history.save_point(), 4U);
}

// A master that wakes long after its successor took over must still find its next number taken.
TEST(History, KeepsTheFirstBeginOfEachAttempt) {
  History history(1);
  const auto begin = [&history](uint64_t number, uint64_t attempt) {
    wire::Record record = Begin(number, 0);
    record.mutable_begin()->set_attempt(attempt);
    history.Append(record);
  };
  begin(1, 1);
  begin(2, 1);
  begin(3, 2);
  begin(4, 2);
  begin(5, 2);
  EXPECT_EQ(history.Superseded(), (std::vector<uint64_t>{2, 4}));
}

}  // namespace
}  // namespace primus::savepoint
