// A fuzz target: libFuzzer's entry point, so that the same source links with libFuzzer or with the
// driver of the normal build (driver.cc).
#pragma once

#include <cstddef>
#include <cstdint>

// Aborts when a property does not hold.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size);
