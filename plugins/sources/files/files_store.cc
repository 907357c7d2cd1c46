#include "plugins/sources/files/files_store.h"

#include <arrow/io/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "plugins/sources/files/path_template.h"
#include "primus/base/seeded.h"
#include "primus/config/text_check.h"
#include "primus/data/arrow_status.h"

#include "plugins/sources/files/files.pb.h"

namespace primus::sources {
namespace {

namespace fs = std::filesystem;

std::string_view CureOf(int error) {
  switch (error) {
    case ENOENT:
      return "; put it back, or, if it is a link, mend or remove that";
    case ELOOP:
      return "; its links lead in a circle: mend or remove them";
    case EACCES:
      return "; let this user read it";
    default:
      return "";
  }
}

Status FileError(std::string_view text, const std::string& path, int error) {
  const Status plain = ErrnoError(std::string(text) + " " + path, error);
  return {plain.code(), plain.message() + std::string(CureOf(error))};
}

uint64_t VersionOf(const struct stat& status) {
  return Mix64(static_cast<uint64_t>(status.st_size), static_cast<uint64_t>(status.st_mtim.tv_sec),
               static_cast<uint64_t>(status.st_mtim.tv_nsec));
}

// Bytes that are no character as \xNN.
std::string Printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t bytes = config::Utf8CharacterBytes(text);
    if (bytes == 0) {
      std::array<char, 8> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "\\x%02x",
                    static_cast<unsigned>(static_cast<unsigned char>(text.front())));
      shown += escaped.data();
    }
    shown += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return shown;
}

class FilesStore final : public data::SourceStore {
 public:
  FilesStore(PathTemplate path, std::string root, std::string marker,
             std::unique_ptr<data::Format> format)
      : path_(std::move(path)),
        root_(std::move(root)),
        marker_(std::move(marker)),
        format_(std::move(format)) {}

  Result<data::FileListing> List(std::optional<std::chrono::sys_days> day) override {
    if (!day && path_.has_date()) {
      return InvalidArgumentError(path_.text() +
                                  " names a date, but a source without windows has none");
    }
    data::FileListing listing;
    bool any = false;
    for (const std::string& path : Paths(day)) {
      PRIMUS_ASSIGN(const bool exists, ListOne(path, listing));
      any = any || exists;
    }
    // Nobody says when a window without a marker is complete: there is nothing to wait for.
    if (!any && (!day || marker_.empty())) {
      return NotFoundError("there is nothing at " + Describe(day) +
                           (day ? "; a day without rows needs an empty folder" : ""));
    }
    std::sort(listing.files.begin(), listing.files.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    return listing;
  }

  Result<data::OpenedFile> Open(const std::string& path) override {
    PRIMUS_ASSIGN(std::shared_ptr<arrow::io::ReadableFile> input, OpenInput(path));
    data::OpenedFile opened;
    struct stat status {};
    // Of what is open: the name may mean another file by now.
    if (fstat(input->file_descriptor(), &status) != 0) {
      return FileError("looking at", path, errno);
    }
    opened.version = VersionOf(status);
    PRIMUS_ASSIGN(opened.table, format_->Open(std::move(input), path));
    return opened;
  }

  std::string Describe(std::optional<std::chrono::sys_days> day) const override {
    const std::vector<std::string> paths = Paths(day);
    return paths.size() == 1 ? paths.front() : paths.front() + " … " + paths.back();
  }

 private:
  std::vector<std::string> Paths(std::optional<std::chrono::sys_days> day) const {
    std::vector<std::string> paths =
        day ? path_.Expand(*day) : std::vector<std::string>{path_.text()};
    for (std::string& path : paths) {
      path = (fs::path(root_) / path).lexically_normal().string();
      if (path.size() > 1 && path.back() == '/') path.pop_back();
    }
    return paths;
  }

  static Result<std::shared_ptr<arrow::io::ReadableFile>> OpenInput(const std::string& path) {
    auto input = arrow::io::ReadableFile::Open(path);
    if (input.ok()) return *std::move(input);
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return FileError("opening", path, errno);
    return data::FromArrow(input.status()).WithContext("opening", path);
  }

  // The first one that is missing is enough.
  bool Awaits(const data::FileListing& listing) const {
    return !marker_.empty() && listing.awaits.empty();
  }

  // The marker is looked for before the folder is listed. An hour without rows and without a marker
  // to wait for need not have a folder.
  Status Await(const fs::path& folder, data::FileListing& listing) const {
    if (!Awaits(listing)) return OkStatus();
    const std::string marker = (folder / marker_).string();
    std::error_code error;
    if (!fs::exists(marker, error)) listing.awaits = marker;
    if (error) return FileError("looking for", marker, error.value());
    return OkStatus();
  }

  // Whether there is anything at `path`.
  Result<bool> ListOne(const std::string& path, data::FileListing& listing) const {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
      if (errno != ENOENT) return FileError("looking at", path, errno);
      const bool is_file = fs::path(path).has_extension();
      if (Awaits(listing)) listing.awaits = is_file ? path : path + "/" + marker_;
      return false;
    }
    const bool folder = S_ISDIR(status.st_mode);
    PRIMUS_TRY(Await(folder ? fs::path(path) : fs::path(path).parent_path(), listing));
    if (!folder && !S_ISREG(status.st_mode)) {
      return InvalidArgumentError(path + " is neither a file nor a folder");
    }
    if (!folder) {
      listing.files.push_back({path, VersionOf(status)});
      return true;
    }
    PRIMUS_TRY(ListFolder(path, listing.files));
    return true;
  }

  Status ListFolder(const std::string& path, std::vector<data::StoredFile>& files) const {
    std::error_code error;
    fs::directory_iterator entries(path, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
      const std::string name = entries->path().filename().string();
      if (name.starts_with('_') || name.starts_with('.') || name == marker_) continue;
      const std::string file = path + "/" + name;
      // Plans, messages and terminals hold text.
      if (const std::string shown = Printable(file); shown != file) {
        return InvalidArgumentError(shown + " has a name that is not UTF-8; rename the file");
      }
      struct stat status {};
      if (stat(file.c_str(), &status) != 0) return FileError("looking at", file, errno);
      if (!S_ISREG(status.st_mode)) {
        return InvalidArgumentError(file + " is not a file; rows stand in files directly inside " +
                                    path + " (names that start with _ or . are ignored)");
      }
      files.push_back({file, VersionOf(status)});
    }
    if (error) return FileError("listing", path, error.value());
    return OkStatus();
  }

  PathTemplate path_;
  std::string root_;
  std::string marker_;
  std::unique_ptr<data::Format> format_;
};

}  // namespace

Result<std::unique_ptr<data::SourceStore>> MakeFilesStore(std::string_view options,
                                                          const data::SourceContext& context) {
  PRIMUS_ASSIGN(const FilesOptions parsed, config::ParseOptions<FilesOptions>(options));
  if (parsed.path().empty()) return InvalidArgumentError("files needs a path");
  PRIMUS_ASSIGN(PathTemplate path, PathTemplate::Parse(parsed.path()));
  const data::FormatFactory* make = context.formats->Find(parsed.format().key());
  if (make == nullptr) {
    return InvalidArgumentError("files needs a format, and \"" + parsed.format().key() +
                                "\" is none");
  }
  PRIMUS_ASSIGN(std::unique_ptr<data::Format> format, (*make)(parsed.format().options()));
  std::error_code error;
  const fs::path root = fs::absolute(context.root, error);
  if (error) return FileError("finding folder", context.root, error.value());
  return std::unique_ptr<data::SourceStore>(std::make_unique<FilesStore>(
      std::move(path), root.string(), context.marker, std::move(format)));
}

void AddFiles(data::SourceSlot& slot) {
  slot.Add("files", FilesOptions::descriptor(), &MakeFilesStore);
}

}  // namespace primus::sources
