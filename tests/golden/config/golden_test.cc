// Every job file beside this test gives the text beside it: its problems, or, when there are none,
// the job with its defaults. `--set` lines at the head of a file stand for the command line.
//
//   build/release/tests/golden/config/primus_config_golden_test --update     writes the texts anew
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "primus/config/printer.h"
#include "primus/config/sample_slots.h"
#include "primus/jobspec/job_file.h"

#include "proto/config/job.pb.h"

namespace primus {
namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> JobFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(PRIMUS_GOLDEN_FOLDER)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> SetsOf(std::string_view text) {
  constexpr std::string_view kMark = "# --set ";
  std::vector<std::string> sets;
  while (text.starts_with(kMark)) {
    const std::size_t end = text.find('\n');
    sets.emplace_back(text.substr(kMark.size(), end - kMark.size()));
    text.remove_prefix(end + 1);
  }
  return sets;
}

std::string TextOf(const std::filesystem::path& path) {
  const config::SampleSlots samples;
  const std::string text = ReadFile(path);
  const auto job =
      jobspec::LoadJob({path.filename().string(), text, SetsOf(text)}, samples.slots());
  if (!job.ok()) return job.status().message() + "\n";
  return config::ToYaml(*job, samples.slots());
}

std::filesystem::path ExpectedFile(std::filesystem::path path) {
  return path.replace_extension(".txt");
}

TEST(ConfigGolden, FilesGiveTheirTexts) {
  const std::vector<std::filesystem::path> files = JobFiles();
  ASSERT_GE(files.size(), 30U);
  for (const std::filesystem::path& file : files) {
    EXPECT_EQ(TextOf(file), ReadFile(ExpectedFile(file))) << file.filename();
  }
}

// What is printed for a good job is a job file itself, and gives the same.
TEST(ConfigGolden, PrintedJobsReadBack) {
  const config::SampleSlots samples;
  for (const char* name : {"movielens.txt", "anchors.txt", "sets_applied.txt"}) {
    const std::string text = ReadFile(std::filesystem::path(PRIMUS_GOLDEN_FOLDER) / name);
    const auto job = jobspec::LoadJob({name, text, {}}, samples.slots());
    ASSERT_TRUE(job.ok()) << job.status().message();
    EXPECT_EQ(config::ToYaml(*job, samples.slots()), text);
  }
}

}  // namespace
}  // namespace primus

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const bool update = argc > 1 && std::string_view(argv[1]) == "--update";
  if (!update) return RUN_ALL_TESTS();
  for (const std::filesystem::path& file : primus::JobFiles()) {
    std::ofstream(primus::ExpectedFile(file), std::ios::binary) << primus::TextOf(file);
  }
  return 0;
}
