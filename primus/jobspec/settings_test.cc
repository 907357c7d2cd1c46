#include "primus/jobspec/settings.h"

#include <gtest/gtest.h>

#include "primus/jobspec/roles.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

TEST(Settings, NameTheFolderOfAFile) {
  EXPECT_EQ(FolderOf("examples/echo/job.yaml"), "examples/echo");
  EXPECT_EQ(FolderOf("job.yaml"), ".");
  EXPECT_EQ(FolderOf("/job.yaml"), "/");
}

TEST(Settings, ReadTextsAsValues) {
  config::Job job;
  job.mutable_spec()->mutable_save_point()->set_every("300ms");
  EXPECT_EQ(SavePointEvery(job), Milliseconds(300));
  config::Ready ready;
  EXPECT_EQ(ReadyTimeout(ready), Seconds(6 * 3600));
  ready.set_timeout("5m");
  EXPECT_EQ(ReadyTimeout(ready), Seconds(300));
}

TEST(Roles, AreFoundByKind) {
  config::Job job;
  config::Role& role = *job.mutable_spec()->add_roles();
  role.mutable_trainer();
  role.set_name("t");
  role.set_replicas(3);
  EXPECT_EQ(FindRole(job, RoleKind::kTrainer)->name(), "t");
  EXPECT_EQ(FindRole(job, RoleKind::kPs), nullptr);
  EXPECT_EQ(ReplicasOf(job, RoleKind::kTrainer), 3U);
  EXPECT_EQ(ReplicasOf(job, RoleKind::kPs), 0U);
}

}  // namespace
}  // namespace primus::jobspec
