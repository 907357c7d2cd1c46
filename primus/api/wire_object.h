// Objects to and from their message.
#pragma once

#include "primus/api/object_store.h"

namespace primus::wire {
class Object;
}

namespace primus::api {

wire::Object ToWire(const Object& object);
Object FromWire(const wire::Object& message);

}  // namespace primus::api
