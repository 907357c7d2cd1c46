// What every Handover must do. An implementation instantiates the suite:
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Ring, HandoverConformance, RingWorld);
//
// A World is default constructible and has
//   Handover& writing();     of the writer's process
//   Handover& reading();     of the reader's process
//   std::string address();   where to listen; the same each time
//   bool RunUntil(const std::function<bool()>& holds);  runs both; false: it will never hold
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primus/handover/handover.h"
#include "primus/handover/handover_fixture.h"

namespace primus::handover {

TYPED_TEST_SUITE_P(HandoverConformance);

TYPED_TEST_P(HandoverConformance, BringsTheHelloToTheReader) {
  this->Open();
  const Hello& hello = this->reader()->hello();
  EXPECT_EQ(hello.build, "good");
  EXPECT_EQ(hello.schema, 77u);
  EXPECT_EQ(hello.writer, 5u);
  EXPECT_EQ(hello.reader, 6u);
  EXPECT_EQ(hello.flow, (Stamp{2, 9, 0}));
}

TYPED_TEST_P(HandoverConformance, HandsSlotsOverInTheOrderOfPublishing) {
  this->Open();
  const std::optional<Slot> first = this->writer_->TryReserve();
  ASSERT_TRUE(first.has_value());
  this->Publish("second slot, first published");
  std::memcpy(first->bytes.data(), "late", 4);
  this->writer_->Publish(*first, 4);
  const std::optional<Slot> a = this->Take();
  const std::optional<Slot> b = this->Take();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(this->TextOf(*a), "second slot, first published");
  EXPECT_EQ(this->TextOf(*b), "late");
  EXPECT_FALSE(this->reader()->TryTake().has_value());
}

TYPED_TEST_P(HandoverConformance, SlotsAreWholeAndAligned) {
  this->Open();
  EXPECT_EQ(this->writer_->slot_bytes_max(), 4096u);
  for (int i = 0; i < 3; ++i) {
    const std::optional<Slot> slot = this->writer_->TryReserve();
    ASSERT_TRUE(slot.has_value());
    EXPECT_EQ(slot->bytes.size(), 4096u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(slot->bytes.data()) % 64, 0u);
  }
  EXPECT_FALSE(this->writer_->TryReserve().has_value());
}

TYPED_TEST_P(HandoverConformance, CreditComesBackInAnyOrder) {
  this->Open();
  int credits = 0;
  this->writer_->Observe([&] { ++credits; }, [] {});
  for (const char* text : {"a", "b", "c"}) this->Publish(text);
  EXPECT_FALSE(this->writer_->TryReserve().has_value()) << "all slots are with the reader";
  const std::optional<Slot> a = this->Take();
  const std::optional<Slot> b = this->Take();
  const std::optional<Slot> c = this->Take();
  ASSERT_TRUE(a && b && c);
  this->reader()->Release(*b);
  ASSERT_TRUE(this->world_.RunUntil([&] { return credits > 0; }));
  this->Publish("d");
  EXPECT_EQ(this->TextOf(*a), "a") << "what is held is not written to";
  EXPECT_EQ(this->TextOf(*c), "c");
  const std::optional<Slot> d = this->Take();
  ASSERT_TRUE(d.has_value());
  EXPECT_EQ(this->TextOf(*d), "d");
}

TYPED_TEST_P(HandoverConformance, TheReaderIsToldWhenSlotsCome) {
  this->Open();
  int ready = 0;
  this->reader()->Observe([&] { ++ready; }, [] {});
  EXPECT_FALSE(this->reader()->TryTake().has_value());
  for (int round = 1; round <= 20; ++round) {
    ready = 0;
    this->Publish("x");
    ASSERT_TRUE(this->world_.RunUntil([&] { return ready > 0; })) << "round " << round;
    while (const std::optional<Slot> slot = this->reader()->TryTake()) {
      this->reader()->Release(*slot);
    }
    EXPECT_FALSE(this->reader()->TryTake().has_value());
  }
}

TYPED_TEST_P(HandoverConformance, ARefusalSaysWhy) {
  this->Listen();
  this->Connect("bad");
  ASSERT_TRUE(this->world_.RunUntil([&] { return this->outcome_.has_value(); }));
  EXPECT_EQ(this->outcome_->code(), StatusCode::kFailedPrecondition);
  EXPECT_NE(this->outcome_->message().find("not this build"), std::string::npos);
  EXPECT_TRUE(this->readers_.empty());
}

TYPED_TEST_P(HandoverConformance, NobodyThereIsUnavailable) {
  this->Connect();
  EXPECT_FALSE(this->outcome_.has_value()) << "never inside the call";
  ASSERT_TRUE(this->world_.RunUntil([&] { return this->outcome_.has_value(); }));
  EXPECT_EQ(this->outcome_->code(), StatusCode::kUnavailable);
}

TYPED_TEST_P(HandoverConformance, TwoCannotListenInOnePlace) {
  this->Listen();
  const auto admit = [](const Hello&) { return OkStatus(); };
  auto second =
      this->world_.reading().Listen(this->world_.address(), admit, [](std::unique_ptr<Reader>) {});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code(), StatusCode::kAlreadyExists);
  this->acceptor_.reset();
  this->Listen();
}

TYPED_TEST_P(HandoverConformance, AReaderOutlivesItsAcceptor) {
  this->Open();
  this->acceptor_.reset();
  this->Publish("still here");
  const std::optional<Slot> slot = this->Take();
  ASSERT_TRUE(slot.has_value());
  EXPECT_EQ(this->TextOf(*slot), "still here");
}

TYPED_TEST_P(HandoverConformance, AWriterThatEndsClosesTheReader) {
  this->Open();
  int closed = 0;
  this->reader()->Observe([] {}, [&] { ++closed; });
  this->Publish("taken");
  this->Publish("never taken");
  const std::optional<Slot> slot = this->Take();
  ASSERT_TRUE(slot.has_value());
  this->writer_.reset();
  ASSERT_TRUE(this->world_.RunUntil([&] { return closed == 1; }));
  EXPECT_TRUE(this->reader()->closed());
  EXPECT_EQ(this->TextOf(*slot), "taken") << "what was taken stays valid";
  EXPECT_FALSE(this->reader()->TryTake().has_value());
  this->reader()->Release(*slot);
}

TYPED_TEST_P(HandoverConformance, AReaderThatEndsClosesTheWriter) {
  this->Open();
  int closed = 0;
  this->writer_->Observe([] {},
                         [&] {
                           ++closed;
                           EXPECT_TRUE(this->writer_->closed());
                         });
  const std::optional<Slot> held = this->writer_->TryReserve();
  this->Publish("lost");
  this->reader().reset();
  ASSERT_TRUE(this->world_.RunUntil([&] { return closed == 1; }));
  EXPECT_FALSE(this->writer_->TryReserve().has_value());
  ASSERT_TRUE(held.has_value());
  this->writer_->Publish(*held, 1);  // goes nowhere
}

TYPED_TEST_P(HandoverConformance, OneAcceptorServesManyWriters) {
  this->Listen();
  std::vector<std::unique_ptr<Writer>> writers;
  for (int i = 0; i < 3; ++i) {
    this->Connect();
    ASSERT_TRUE(this->world_.RunUntil([&] { return this->writer_ != nullptr; }));
    this->Publish(std::string(1, static_cast<char>('a' + i)));
    writers.push_back(std::move(this->writer_));
  }
  ASSERT_TRUE(this->world_.RunUntil([&] { return this->readers_.size() == 3; }));
  for (std::size_t i = 0; i < 3; ++i) {
    std::optional<Slot> slot;
    ASSERT_TRUE(this->world_.RunUntil([&] {
      slot = this->readers_[i]->TryTake();
      return slot.has_value();
    }));
    EXPECT_EQ(this->TextOf(*slot), std::string(1, static_cast<char>('a' + i)));
  }
}

REGISTER_TYPED_TEST_SUITE_P(HandoverConformance, BringsTheHelloToTheReader,
                            HandsSlotsOverInTheOrderOfPublishing, SlotsAreWholeAndAligned,
                            CreditComesBackInAnyOrder, TheReaderIsToldWhenSlotsCome,
                            ARefusalSaysWhy, NobodyThereIsUnavailable, TwoCannotListenInOnePlace,
                            AReaderOutlivesItsAcceptor, AWriterThatEndsClosesTheReader,
                            AReaderThatEndsClosesTheWriter, OneAcceptorServesManyWriters);

}  // namespace primus::handover
