#include "plugins/sources/files/files_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "plugins/sources/files/path_template.h"

#include "plugins/sources/files/files.pb.h"

namespace primus::sources {
namespace {

namespace fs = std::filesystem;
using std::chrono::sys_days;
using std::chrono::year;

constexpr sys_days kDay = year(2024) / 3 / 7;

TEST(PathTemplate, DatesArePadded) {
  const auto path = PathTemplate::Parse("a/{{YYYY}}/{{MM}}-{{DD}}/x{{YYYY}}");
  ASSERT_TRUE(path.ok()) << path.status().ToString();
  EXPECT_TRUE(path->has_date());
  EXPECT_EQ(path->Expand(kDay), (std::vector<std::string>{"a/2024/03-07/x2024"}));
}

TEST(PathTemplate, HoursMakeADayMany) {
  const auto path = PathTemplate::Parse("{{HH}}");
  ASSERT_TRUE(path.ok()) << path.status().ToString();
  const std::vector<std::string> hours = path->Expand(kDay);
  ASSERT_EQ(hours.size(), 24U);
  EXPECT_EQ(hours[0], "00");
  EXPECT_EQ(hours[9], "09");
  EXPECT_EQ(hours[23], "23");
}

TEST(PathTemplate, UnknownAndUnclosedPlacesAreRefused) {
  for (const char* text : {"{{yyyy}}", "{{}}", "a/{{YYYY", "{{YYYY}"}) {
    EXPECT_FALSE(PathTemplate::Parse(text).ok()) << text;
  }
  EXPECT_TRUE(PathTemplate::Parse("a{b}c").ok());
}

// Takes any bytes for a file without rows.
class EmptyTable final : public data::TableFile {
 public:
  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }
  uint64_t rows() const override { return 0; }
  Result<std::unique_ptr<data::BatchReader>> Read(const data::ReadScope& /*scope*/) override {
    return UnimplementedError("no rows");
  }

 private:
  std::shared_ptr<arrow::Schema> schema_;
};

class AnyFormat final : public data::Format {
 public:
  Result<std::unique_ptr<data::TableFile>> Open(
      std::shared_ptr<arrow::io::RandomAccessFile> /*input*/,
      const std::string& /*path*/) const override {
    return std::unique_ptr<data::TableFile>(std::make_unique<EmptyTable>());
  }
};

class FilesStoreTest : public testing::Test {
 protected:
  FilesStoreTest() {
    std::string pattern = (fs::temp_directory_path() / "primus_files_XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    formats_.Add("any", FilesOptions::descriptor(),
                 [](std::string_view) -> Result<std::unique_ptr<data::Format>> {
                   return std::unique_ptr<data::Format>(std::make_unique<AnyFormat>());
                 });
  }
  ~FilesStoreTest() override { fs::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  Result<std::unique_ptr<data::SourceStore>> Make(const std::string& path,
                                                  const std::string& format,
                                                  const std::string& marker = "") {
    FilesOptions options;
    options.set_path(path);
    options.mutable_format()->set_key(format);
    return MakeFilesStore(options.SerializeAsString(), {root_.string(), marker, &formats_});
  }

  fs::path root_;
  data::FormatSlot formats_{"formats"};
};

TEST_F(FilesStoreTest, AFixedPathIsAFileOrAFolder) {
  Write("users.any", "x");
  Write("movies/b", "x");
  Write("movies/a", "x");
  const auto file = (*Make("users.any", "any"))->List(std::nullopt);
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  ASSERT_EQ(file->files.size(), 1U);
  EXPECT_EQ(file->files[0].path, (root_ / "users.any").string());
  const auto folder = (*Make("./movies/", "any"))->List(std::nullopt);
  ASSERT_TRUE(folder.ok()) << folder.status().ToString();
  ASSERT_EQ(folder->files.size(), 2U);
  EXPECT_EQ(folder->files[0].path, (root_ / "movies/a").string());
}

TEST_F(FilesStoreTest, AbsolutePathsStandForThemselves) {
  Write("users.any", "x");
  const auto listing = (*Make((root_ / "users.any").string(), "any"))->List(std::nullopt);
  ASSERT_TRUE(listing.ok()) << listing.status().ToString();
  EXPECT_EQ(listing->files.size(), 1U);
}

TEST_F(FilesStoreTest, AListingAndAnOpenFileAgreeOnTheVersion) {
  Write("users.any", "x");
  const auto store = Make("users.any", "any");
  const auto listing = (*store)->List(std::nullopt);
  const auto opened = (*store)->Open(listing->files[0].path);
  ASSERT_TRUE(opened.ok()) << opened.status().ToString();
  EXPECT_EQ(opened->version, listing->files[0].version);
}

TEST_F(FilesStoreTest, EveryHourNeedsItsMarker) {
  Write("d/00/_SUCCESS", "");
  const auto listing = (*Make("d/{{HH}}", "any", "_SUCCESS"))->List(kDay);
  ASSERT_TRUE(listing.ok()) << listing.status().ToString();
  EXPECT_EQ(listing->awaits, (root_ / "d/01/_SUCCESS").string());
  for (int hour = 0; hour < 24; ++hour) {
    Write("d/" + std::string(hour < 10 ? "0" : "") + std::to_string(hour) + "/_SUCCESS", "");
  }
  const auto whole = (*Make("d/{{HH}}", "any", "_SUCCESS"))->List(kDay);
  ASSERT_TRUE(whole.ok()) << whole.status().ToString();
  EXPECT_EQ(whole->awaits, "");
}

TEST_F(FilesStoreTest, ANameThatIsNoTextIsRefusedInText) {
  Write("d/\xff.any", "x");
  const auto listing = (*Make("d", "any"))->List(kDay);
  ASSERT_FALSE(listing.ok());
  EXPECT_EQ(listing.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(listing.status().message(), (root_ / "d").string() +
                                            "/\\xff.any has a name that is not UTF-8; rename the "
                                            "file");
}

TEST_F(FilesStoreTest, WhatIsNotThereIsNamed) {
  const auto listing = (*Make("absent", "any"))->List(std::nullopt);
  ASSERT_FALSE(listing.ok());
  EXPECT_EQ(listing.status().code(), StatusCode::kNotFound);
  EXPECT_NE(listing.status().message().find((root_ / "absent").string()), std::string::npos);
  const auto opened = (*Make("absent", "any"))->Open((root_ / "absent").string());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.status().code(), StatusCode::kNotFound);
}

TEST_F(FilesStoreTest, LinksToNothingAndInCirclesHaveACure) {
  Write("d/a.any", "x");
  fs::create_symlink("gone", root_ / "d/link");
  const auto error = [&] { return (*Make("d", "any"))->List(kDay).status().message(); };
  EXPECT_NE(error().find((root_ / "d/link").string()), std::string::npos) << error();
  EXPECT_NE(error().find("if it is a link, mend or remove that"), std::string::npos) << error();
  fs::remove(root_ / "d/link");
  fs::create_symlink("link", root_ / "d/link");
  EXPECT_NE(error().find("links lead in a circle"), std::string::npos) << error();
}

TEST_F(FilesStoreTest, PathsAreShownWhole) {
  data::SourceContext here{".", "", &formats_};
  FilesOptions options;
  options.set_path("absent");
  options.mutable_format()->set_key("any");
  const auto store = MakeFilesStore(options.SerializeAsString(), here);
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  EXPECT_EQ((*store)->Describe(std::nullopt), (fs::current_path() / "absent").string());
}

TEST_F(FilesStoreTest, ADateWithoutWindowsIsRefused) {
  const auto listing = (*Make("d/{{DD}}", "any"))->List(std::nullopt);
  ASSERT_FALSE(listing.ok());
  EXPECT_EQ(listing.status().code(), StatusCode::kInvalidArgument);
}

TEST_F(FilesStoreTest, OptionsMustBeWhole) {
  EXPECT_FALSE(Make("", "any").ok());
  EXPECT_FALSE(Make("a", "other").ok());
  EXPECT_FALSE(Make("{{X}}", "any").ok());
  EXPECT_FALSE(MakeFilesStore("\xff", {root_.string(), "", &formats_}).ok());
}

}  // namespace
}  // namespace primus::sources
