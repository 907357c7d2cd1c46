#include "primus/api/memory_object_store.h"

#include <algorithm>

namespace primus::api {

StoredObject* MemoryObjectStore::FindLive(std::string_view kind, std::string_view name) {
  const auto it = objects_.find(Key(kind, name));
  return it == objects_.end() || it->second.object.deleted ? nullptr : &it->second;
}

void MemoryObjectStore::Store(StoredObject stored) {
  version_ = stored.object.resource_version;
  Key key(stored.object.kind, stored.object.name);
  objects_[std::move(key)] = std::move(stored);
  if (observer_) observer_();
}

Result<Object> MemoryObjectStore::Get(std::string_view kind, std::string_view name) {
  const StoredObject* stored = FindLive(kind, name);
  if (stored == nullptr) return NotFoundError("there is no " + NameOf(kind, name));
  return stored->object;
}

Result<ObjectList> MemoryObjectStore::List(std::string_view kind) {
  ObjectList list{.resource_version = version_};
  for (const auto& [key, stored] : objects_) {
    if (key.first == kind && !stored.object.deleted) list.objects.push_back(stored.object);
  }
  return list;
}

Result<Object> MemoryObjectStore::Create(const Object& object) {
  if (const StoredObject* stored = FindLive(object.kind, object.name)) {
    if (IsSameCreation(*stored, object)) return stored->object;
    return AlreadyExistsError(NameOf(object.kind, object.name) + " is there already");
  }
  StoredObject stored = FirstVersion(object, version_ + 1);
  Object result = stored.object;
  Store(std::move(stored));
  return result;
}

Result<Object> MemoryObjectStore::Apply(const Object& object, Part part) {
  const StoredObject* stored = FindLive(object.kind, object.name);
  if (stored == nullptr) return NotFoundError("there is no " + NameOf(object.kind, object.name));
  PRIMUS_ASSIGN(Update update, ApplyUpdate(*stored, object, part, version_ + 1));
  Object result = update.after.object;
  if (update.changed) Store(std::move(update.after));
  return result;
}

Result<Object> MemoryObjectStore::UpdateSpec(const Object& object) {
  return Apply(object, Part::kSpec);
}

Result<Object> MemoryObjectStore::UpdateStatus(const Object& object) {
  return Apply(object, Part::kStatus);
}

Status MemoryObjectStore::Delete(std::string_view kind, std::string_view name) {
  const StoredObject* stored = FindLive(kind, name);
  if (stored == nullptr) return OkStatus();
  StoredObject gone = *stored;
  gone.previous_version = gone.object.resource_version;
  gone.object.resource_version = version_ + 1;
  gone.object.deleted = true;
  Store(std::move(gone));
  return OkStatus();
}

Result<ObjectList> MemoryObjectStore::Changes(std::string_view kind, uint64_t version) {
  ObjectList list{.resource_version = version_};
  for (const auto& [key, stored] : objects_) {
    const bool is_newer = stored.object.resource_version > version;
    if (key.first == kind && is_newer) list.objects.push_back(stored.object);
  }
  std::sort(list.objects.begin(), list.objects.end(), [](const Object& a, const Object& b) {
    return a.resource_version < b.resource_version;
  });
  return list;
}

}  // namespace primus::api
