#include "primus/data/task_packing.h"

#include <gtest/gtest.h>

namespace primus::data {
namespace {

// "a[0,10) b[0,5)" for each task.
std::vector<std::string> Packed(const std::vector<Split>& splits, uint64_t rows_max) {
  std::vector<std::string> texts;
  for (const TaskPlan& task : PackTasks("s", "w", splits, rows_max)) {
    std::string text;
    uint64_t rows = 0;
    for (const Split& split : task.splits) {
      text += (text.empty() ? "" : " ") + split.path + "[" + std::to_string(split.first_row) + "," +
              std::to_string(split.first_row + split.rows) + ")";
      rows += split.rows;
    }
    EXPECT_EQ(task.rows, rows);
    EXPECT_EQ(task.stream, "s");
    EXPECT_EQ(task.window, "w");
    texts.push_back(text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(TaskPacking, CutsLargeSplitsAndJoinsSmallOnes) {
  EXPECT_EQ(Packed({{"a", 1, 0, 25}, {"b", 1, 0, 3}, {"c", 1, 0, 4}}, 10),
            (Texts{"a[0,10)", "a[10,20)", "a[20,25) b[0,3) c[0,2)", "c[2,4)"}));
}

TEST(TaskPacking, AFullTaskIsNotFollowedByAnEmptyOne) {
  EXPECT_EQ(Packed({{"a", 1, 0, 10}}, 10), (Texts{"a[0,10)"}));
  EXPECT_EQ(Packed({{"a", 1, 0, 4}, {"b", 1, 0, 6}, {"c", 1, 0, 1}}, 10),
            (Texts{"a[0,4) b[0,6)", "c[0,1)"}));
}

TEST(TaskPacking, ASplitMayBeARangeOfItsFile) {
  EXPECT_EQ(Packed({{"a", 1, 100, 15}, {"a", 1, 300, 2}}, 10),
            (Texts{"a[100,110)", "a[110,115) a[300,302)"}));
}

TEST(TaskPacking, EveryPieceKeepsTheVersionOfItsFile) {
  for (const TaskPlan& task : PackTasks("s", "w", {{"a", 7, 0, 5}, {"b", 8, 0, 5}}, 2)) {
    for (const Split& split : task.splits) EXPECT_EQ(split.version, split.path == "a" ? 7U : 8U);
  }
}

TEST(TaskPacking, AWindowWithoutRowsHasNoTasks) {
  EXPECT_TRUE(PackTasks("s", "w", {}, 10).empty());
  EXPECT_TRUE(PackTasks("s", "w", {{"a", 1, 0, 0}}, 10).empty());
}

}  // namespace
}  // namespace primus::data
