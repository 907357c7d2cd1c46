#include "primus/api/wire_object.h"

#include "proto/wire/node.pb.h"

namespace primus::api {

wire::Object ToWire(const Object& object) {
  wire::Object message;
  message.set_kind(object.kind);
  message.set_name(object.name);
  message.set_resource_version(object.resource_version);
  message.set_generation(object.generation);
  message.set_spec(object.spec);
  message.set_status(object.status);
  message.set_created_nanos(object.created.time_since_epoch().count());
  message.set_deleted(object.deleted);
  return message;
}

Object FromWire(const wire::Object& message) {
  return Object{.kind = message.kind(),
                .name = message.name(),
                .resource_version = message.resource_version(),
                .generation = message.generation(),
                .spec = message.spec(),
                .status = message.status(),
                .created = WallTime(Duration(message.created_nanos())),
                .deleted = message.deleted()};
}

}  // namespace primus::api
