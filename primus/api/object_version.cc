#include "primus/api/object_version.h"

namespace primus::api {

Result<Update> ApplyUpdate(const StoredObject& stored, const Object& update, Part part,
                           uint64_t next_version) {
  const bool is_spec = part == Part::kSpec;
  const std::string& before = is_spec ? stored.object.spec : stored.object.status;
  const std::string& wanted = is_spec ? update.spec : update.status;
  const bool is_current = update.resource_version == stored.object.resource_version;
  const bool is_retry = update.resource_version == stored.previous_version;
  if (before == wanted && (is_current || is_retry)) return Update{.after = stored};
  if (!is_current) {
    return AbortedError(NameOf(update.kind, update.name) + " has changed: it is at version " +
                        std::to_string(stored.object.resource_version) + ", not " +
                        std::to_string(update.resource_version) + "; read it and try again");
  }
  Update result{.after = stored, .changed = true};
  Object& object = result.after.object;
  (is_spec ? object.spec : object.status) = wanted;
  if (is_spec) ++object.generation;
  result.after.previous_version = object.resource_version;
  object.resource_version = next_version;
  return result;
}

StoredObject FirstVersion(const Object& object, uint64_t next_version) {
  StoredObject stored{.object = object};
  stored.object.resource_version = next_version;
  stored.object.generation = 1;
  stored.object.deleted = false;
  return stored;
}

bool IsSameCreation(const StoredObject& stored, const Object& object) {
  return stored.object.created == object.created && stored.object.spec == object.spec &&
         stored.object.generation == 1;
}

std::string NameOf(std::string_view kind, std::string_view name) {
  return std::string(kind) + " " + std::string(name);
}

}  // namespace primus::api
