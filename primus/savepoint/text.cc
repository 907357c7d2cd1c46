#include "primus/savepoint/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "primus/base/crc32c.h"
#include "primus/base/utc_text.h"
#include "primus/batch/coverage.h"
#include "primus/embedding/part_reader.h"
#include "primus/savepoint/record_log.h"

#include "proto/wire/record.pb.h"

namespace primus::savepoint {
namespace {

Result<std::map<uint64_t, wire::Manifest>> LoadManifests(store::BlobStore& blobs) {
  PRIMUS_ASSIGN(const std::vector<wire::Record> records, RecordLog(blobs).Load());
  std::map<uint64_t, wire::Manifest> manifests;
  for (const wire::Record& record : records) {
    if (record.has_manifest()) manifests[record.number()] = record.manifest();
  }
  return manifests;
}

Result<wire::Manifest> FindManifest(store::BlobStore& blobs, uint64_t* number) {
  PRIMUS_ASSIGN(const auto manifests, LoadManifests(blobs));
  if (manifests.empty()) return NotFoundError("there are no save points");
  if (*number == 0) *number = manifests.rbegin()->first;
  const auto it = manifests.find(*number);
  if (it != manifests.end()) return it->second;
  std::string there;
  for (const auto& [known, manifest] : manifests) there += " " + std::to_string(known);
  return NotFoundError("no save point " + std::to_string(*number) + ", there are:" + there);
}

std::string TimeText(const wire::Manifest& manifest) {
  return UtcText(WallTime(Duration(manifest.wall_nanos())));
}

uint64_t BytesOf(const wire::Manifest& manifest) {
  uint64_t bytes = 0;
  for (const wire::Part& part : manifest.parts()) bytes += part.size();
  return bytes;
}

uint64_t RowsOf(const wire::Manifest& manifest, batch::RowKind kind) {
  const auto& kinds = manifest.position().counts().kinds();
  const int ordinal = static_cast<int>(kind);
  return ordinal < kinds.size() ? kinds.Get(ordinal) : 0;
}

// The part's bytes, as the manifest says they are.
Result<std::string> ReadPart(store::BlobStore& blobs, const wire::Part& part) {
  PRIMUS_ASSIGN(std::string bytes, blobs.Get(part.name()));
  if (bytes.size() != part.size() || Crc32c(bytes) != part.crc32c()) {
    return DataLossError("part " + part.name() + " is not the one that the manifest names");
  }
  return bytes;
}

// Ascending shards are ascending keys.
std::vector<wire::Part> PartsInOrder(const wire::Manifest& manifest) {
  std::vector<wire::Part> parts(manifest.parts().begin(), manifest.parts().end());
  std::sort(parts.begin(), parts.end(), [](const wire::Part& a, const wire::Part& b) {
    return a.first_shard() < b.first_shard();
  });
  return parts;
}

Result<uint32_t> FindTable(const embedding::PartHeader& header, std::string_view table) {
  std::string names;
  for (uint32_t i = 0; i < header.tables.size(); ++i) {
    if (header.tables[i].name == table) return i;
    names += " " + header.tables[i].name;
  }
  return NotFoundError("no table \"" + std::string(table) + "\", there are:" + names);
}

// The shortest digits that are read back as `value`, laid out as %g does.
void AppendFloat(float value, std::string* text) {
  std::array<char, 32> buffer{};
  const auto shortest = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                      std::chars_format::scientific);
  int digits = 0;
  for (const char* c = buffer.data(); c != shortest.ptr && *c != 'e'; ++c) {
    digits += *c >= '0' && *c <= '9' ? 1 : 0;
  }
  const int size =
      std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, static_cast<double>(value));
  text->append(buffer.data(), static_cast<std::size_t>(size));
}

void WriteRows(const embedding::PartReader& part, uint32_t table, std::ostream& out) {
  std::vector<float> values(part.header().tables[table].width());
  for (const embedding::PartBlock& block : part.blocks()) {
    if (block.kind != embedding::PartBlockKind::kRows || block.table != table) continue;
    std::string lines;
    for (std::size_t row = 0; row < block.count; ++row) {
      lines += std::to_string(embedding::PartReader::Key(block, row));
      embedding::PartReader::CopyValues(block, row, values);
      char before = '\t';
      for (const float value : values) {
        lines += before;
        AppendFloat(value, &lines);
        before = ' ';
      }
      lines += '\n';
    }
    out << lines;
  }
}

}  // namespace

Status WriteList(store::BlobStore& blobs, std::ostream& out) {
  PRIMUS_ASSIGN(const auto manifests, LoadManifests(blobs));
  if (manifests.empty()) return NotFoundError("there is no save point");
  out << "SAVE POINT  TIME                  REASON    CUT     TRAINED     EVALUATED   BYTES\n";
  for (const auto& [number, manifest] : manifests) {
    std::array<char, 160> line{};
    std::snprintf(line.data(), line.size(), "%-11llu %-21s %-9s %-7llu %-11llu %-11llu %llu%s\n",
                  static_cast<unsigned long long>(number), TimeText(manifest).c_str(),
                  manifest.reason().c_str(), static_cast<unsigned long long>(manifest.cut()),
                  static_cast<unsigned long long>(RowsOf(manifest, batch::RowKind::kTrained)),
                  static_cast<unsigned long long>(RowsOf(manifest, batch::RowKind::kEvaluated)),
                  static_cast<unsigned long long>(BytesOf(manifest)),
                  manifest.keep() ? "  (end of a phase)" : "");
    out << line.data();
  }
  return OkStatus();
}

Status WriteDescription(store::BlobStore& blobs, uint64_t number, std::ostream& out) {
  PRIMUS_ASSIGN(const wire::Manifest manifest, FindManifest(blobs, &number));
  out << "save point: " << number << "\njob: " << manifest.job() << "\ntime: " << TimeText(manifest)
      << "\nreason: " << manifest.reason() << "\nattempt: " << manifest.attempt()
      << "\nview: " << manifest.view() << "\ncut: " << manifest.cut()
      << "\nphase: " << manifest.position().phase()
      << "\ntasks done: " << manifest.position().tasks_done()
      << "\nrows read: " << manifest.position().counts().read() << "\n";
  for (std::size_t kind = 0; kind < batch::kRowKinds; ++kind) {
    const auto row_kind = static_cast<batch::RowKind>(kind);
    out << "rows " << batch::RowKindName(row_kind) << ": " << RowsOf(manifest, row_kind) << "\n";
  }
  std::map<std::string, uint64_t> entries;
  for (const wire::Part& part : PartsInOrder(manifest)) {
    PRIMUS_ASSIGN(const std::string bytes, ReadPart(blobs, part));
    PRIMUS_ASSIGN(const auto reader, embedding::PartReader::Open(bytes));
    for (const embedding::PartTable& table : reader.header().tables) entries[table.name] += 0;
    for (const embedding::PartBlock& block : reader.blocks()) {
      if (block.kind != embedding::PartBlockKind::kRows) continue;
      entries[reader.header().tables[block.table].name] += block.count;
    }
    out << "part: " << part.name() << " (shards " << part.first_shard() << " to "
        << part.last_shard() << ", " << part.size() << " bytes)\n";
  }
  for (const auto& [table, count] : entries) {
    out << "table: " << table << " (" << count << " entries)\n";
  }
  return OkStatus();
}

Status WriteTable(store::BlobStore& blobs, uint64_t number, std::string_view table,
                  std::ostream& out) {
  PRIMUS_ASSIGN(const wire::Manifest manifest, FindManifest(blobs, &number));
  for (const wire::Part& part : PartsInOrder(manifest)) {
    PRIMUS_ASSIGN(const std::string bytes, ReadPart(blobs, part));
    PRIMUS_ASSIGN(const auto reader, embedding::PartReader::Open(bytes));
    PRIMUS_ASSIGN(const uint32_t ordinal, FindTable(reader.header(), table));
    WriteRows(reader, ordinal, out);
  }
  return OkStatus();
}

}  // namespace primus::savepoint
