#include "primus/ps/ps_core.h"

#include <gtest/gtest.h>

#include "proto/wire/control.pb.h"

namespace primus::ps {
namespace {

constexpr Incarnation kTrainer = 40;

// One ps under a master that says what the test says.
class PsCoreTest : public testing::Test {
 protected:
  std::vector<Effect> Direct(wire::Mode mode, const Stamp& stamp,
                             wire::CutStage stage = wire::NO_CUT, uint64_t saved_cut = 0) {
    wire::Directive directive;
    directive.mutable_stamp()->set_attempt(stamp.attempt);
    directive.mutable_stamp()->set_view(stamp.view);
    directive.mutable_stamp()->set_cut(stamp.cut);
    directive.set_incarnation(17);
    directive.set_mode(mode);
    directive.set_cut_stage(stage);
    directive.set_saved_cut(saved_cut);
    for (const Incarnation member : members_) directive.add_members()->set_incarnation(member);
    return core_.OnDirective(directive);
  }
  void Restore(const Stamp& stamp) {
    Direct(wire::RESTORE, stamp);
    ASSERT_TRUE(core_.OnLoaded(stamp));
  }
  wire::PsStatus StatusOf() const {
    wire::PsStatus status;
    core_.FillStatus(&status);
    return status;
  }
  template <class T>
  static bool Has(const std::vector<Effect>& effects) {
    for (const Effect& effect : effects) {
      if (std::holds_alternative<T>(effect)) return true;
    }
    return false;
  }

  std::vector<Incarnation> members_{17, kTrainer};
  PsCore core_{{64, 127}};
};

TEST_F(PsCoreTest, ServesOnlyWhatHasBeenLoaded) {
  EXPECT_EQ(core_.CheckServing().code(), StatusCode::kUnavailable);
  Direct(wire::FENCED, {1, 1, 0});
  const auto effects = Direct(wire::RESTORE, {1, 1, 0});
  ASSERT_TRUE(Has<LoadModel>(effects));
  EXPECT_EQ(core_.CheckServing().code(), StatusCode::kUnavailable);
  EXPECT_EQ(StatusOf().restored_view(), 0U);
  EXPECT_TRUE(core_.OnLoaded({1, 1, 0}));
  EXPECT_TRUE(core_.CheckServing().ok());
  EXPECT_EQ(StatusOf().restored_view(), 1U);
}

TEST_F(PsCoreTest, ARepeatedRestoreLoadsOnceAndANewerOneTakesItsPlace) {
  EXPECT_TRUE(Has<LoadModel>(Direct(wire::RESTORE, {1, 1, 0})));
  EXPECT_TRUE(Direct(wire::RESTORE, {1, 1, 0}).empty());
  EXPECT_TRUE(Has<LoadModel>(Direct(wire::RESTORE, {1, 2, 0})));
  EXPECT_FALSE(core_.OnLoaded({1, 1, 0}));
  EXPECT_EQ(core_.CheckServing().code(), StatusCode::kUnavailable);
  EXPECT_TRUE(core_.OnLoaded({1, 2, 0}));
  EXPECT_TRUE(Direct(wire::RESTORE, {1, 2, 0}).empty());
  EXPECT_EQ(StatusOf().restored_view(), 2U);
  // Another attempt may restore from another save point.
  EXPECT_TRUE(Has<LoadModel>(Direct(wire::RESTORE, {2, 2, 0})));
  EXPECT_EQ(StatusOf().restored_view(), 0U);
}

TEST_F(PsCoreTest, FreezesOncePerCutAndReportsThePart) {
  Restore({1, 1, 0});
  EXPECT_TRUE(Direct(wire::RUN, {1, 1, 0}).empty());
  EXPECT_TRUE(Direct(wire::RUN, {1, 1, 1}, wire::HOLD).empty());
  const auto effects = Direct(wire::RUN, {1, 1, 1}, wire::FREEZE);
  ASSERT_EQ(effects.size(), 1U);
  const auto& freeze = std::get<FreezeCut>(effects[0]);
  EXPECT_EQ(freeze.part, "parts/a1.v1.c1/s64-127.i17");
  EXPECT_EQ(StatusOf().frozen_cut(), 1U);
  EXPECT_EQ(StatusOf().parts_size(), 0);
  // Said again, and in the view that follows the loss of an executor.
  EXPECT_TRUE(Direct(wire::RUN, {1, 1, 1}, wire::FREEZE).empty());
  EXPECT_TRUE(Direct(wire::RUN, {1, 2, 1}, wire::FREEZE).empty());
  EXPECT_TRUE(Direct(wire::RUN, {1, 2, 1}).empty());
  core_.OnPart(freeze.stamp, WrittenPart{.name = freeze.part, .size = 5, .crc32c = 6});
  const wire::PsStatus status = StatusOf();
  ASSERT_EQ(status.parts_size(), 1);
  EXPECT_EQ(status.parts(0).name(), freeze.part);
  EXPECT_EQ(status.parts(0).size(), 5U);
  EXPECT_EQ(status.parts(0).crc32c(), 6U);
  EXPECT_EQ(status.parts(0).first_shard(), 64U);
  EXPECT_EQ(status.parts(0).last_shard(), 127U);
  // Saved: the copy goes, and the next cut is taken.
  EXPECT_TRUE(Has<DropCut>(Direct(wire::RUN, {1, 2, 1}, wire::NO_CUT, 1)));
  EXPECT_EQ(StatusOf().parts_size(), 0);
  EXPECT_TRUE(Has<FreezeCut>(Direct(wire::RUN, {1, 2, 2}, wire::FREEZE, 1)));
}

TEST_F(PsCoreTest, ADiscardedCutIsDroppedAndItsLatePartIgnored) {
  Restore({1, 1, 0});
  Direct(wire::RUN, {1, 1, 1}, wire::FREEZE);
  EXPECT_TRUE(Has<DropCut>(Direct(wire::RUN, {1, 1, 2}, wire::HOLD)));
  core_.OnPart({1, 1, 1}, WrittenPart{.name = "late", .size = 1, .crc32c = 1});
  EXPECT_EQ(StatusOf().parts_size(), 0);
  const auto effects = Direct(wire::RUN, {1, 1, 2}, wire::FREEZE);
  ASSERT_TRUE(Has<FreezeCut>(effects));
  EXPECT_EQ(StatusOf().frozen_cut(), 2U);
  core_.OnPart({1, 1, 1}, WrittenPart{.name = "late", .size = 1, .crc32c = 1});
  EXPECT_EQ(StatusOf().parts_size(), 0);
}

TEST_F(PsCoreTest, APartThatCouldNotBeWrittenIsReported) {
  Restore({1, 1, 0});
  Direct(wire::RUN, {1, 1, 1}, wire::FREEZE);
  core_.OnPart({1, 1, 1}, ResourceExhaustedError("no space left on /data"));
  const wire::PsStatus status = StatusOf();
  EXPECT_EQ(status.frozen_cut(), 1U);
  EXPECT_EQ(status.parts_size(), 0);
  EXPECT_EQ(status.write_error_code(), 8U);
  EXPECT_EQ(status.write_error(), "no space left on /data");
  Direct(wire::RUN, {1, 1, 2}, wire::FREEZE);
  EXPECT_EQ(StatusOf().write_error_code(), 0U);
}

TEST_F(PsCoreTest, ANewMasterDropsTheCutOfTheOldOne) {
  Restore({1, 1, 0});
  Direct(wire::RUN, {1, 1, 3}, wire::FREEZE);
  EXPECT_TRUE(Direct(wire::ATTACH, {2, 1, 3}).empty());
  EXPECT_EQ(StatusOf().frozen_cut(), 3U);
  EXPECT_TRUE(core_.CheckServing().ok());
  EXPECT_TRUE(Has<DropCut>(Direct(wire::RUN, {2, 2, 3})));
  EXPECT_EQ(StatusOf().frozen_cut(), 0U);
  EXPECT_TRUE(Has<FreezeCut>(Direct(wire::RUN, {2, 2, 4}, wire::FREEZE)));
}

TEST_F(PsCoreTest, APushCountsOnceAcrossFreezeViewAndMaster) {
  Restore({1, 1, 0});
  Direct(wire::RUN, {1, 1, 0});
  EXPECT_FALSE(core_.WasApplied(kTrainer, 5, 5));
  core_.OnPushed(kTrainer, 5);
  EXPECT_TRUE(core_.WasApplied(kTrainer, 5, 5));
  Direct(wire::RUN, {1, 1, 1}, wire::FREEZE);
  EXPECT_TRUE(core_.WasApplied(kTrainer, 5, 5));
  Direct(wire::RUN, {1, 2, 1});
  EXPECT_TRUE(core_.WasApplied(kTrainer, 5, 5));
  Direct(wire::ATTACH, {2, 2, 1});
  Direct(wire::RUN, {2, 3, 1});
  EXPECT_TRUE(core_.WasApplied(kTrainer, 5, 5));
  EXPECT_FALSE(core_.WasApplied(kTrainer, 6, 5));
}

TEST_F(PsCoreTest, ARollbackForgetsThePushesAndDropsTheCut) {
  Restore({1, 1, 0});
  Direct(wire::RUN, {1, 1, 0});
  core_.OnPushed(kTrainer, 5);
  Direct(wire::RUN, {1, 1, 1}, wire::FREEZE);
  EXPECT_TRUE(Has<DropCut>(Direct(wire::FENCED, {1, 2, 1})));
  Restore({1, 2, 1});
  EXPECT_FALSE(core_.WasApplied(kTrainer, 5, 5));
  EXPECT_EQ(StatusOf().frozen_cut(), 0U);
}

TEST_F(PsCoreTest, StepsOfATrainerThatLeftAreForgotten) {
  Restore({1, 1, 0});
  Direct(wire::RUN, {1, 1, 0});
  core_.OnPushed(kTrainer, 5);
  members_ = {17};
  Direct(wire::ATTACH, {1, 1, 0});  // a new master may not know the members yet
  EXPECT_TRUE(core_.WasApplied(kTrainer, 5, 0));
  Direct(wire::RUN, {1, 2, 0});
  EXPECT_FALSE(core_.WasApplied(kTrainer, 5, 0));
}

TEST_F(PsCoreTest, APsWithoutAModelDoesNotFreeze) {
  EXPECT_TRUE(Direct(wire::RUN, {1, 1, 1}, wire::FREEZE).empty());
  EXPECT_EQ(StatusOf().frozen_cut(), 0U);
}

}  // namespace
}  // namespace primus::ps
