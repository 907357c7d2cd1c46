// Counters and gauges that a process keeps, by their declarations in catalog.h.
//
//   Counter& refused = registry.Get(kRpcRefusedFrames);
//   refused.Add(1);
//
// One Registry per process (in a simulation: per role), made by its composition root and passed
// down; counters and gauges live as long as it. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace primus::telemetry {

// Texts of a declaration live for ever: they are literals. `unit` is the unit of one count.
struct CounterSpec {
  std::string_view name;
  std::string_view unit;
  std::string_view text;
};
struct GaugeSpec {
  std::string_view name;
  std::string_view unit;
  std::string_view text;
};

// Only ever grows.
class Counter {
 public:
  void Add(uint64_t n) { value_.fetch_add(n, std::memory_order_relaxed); }
  uint64_t Get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_ = 0;
};

// What is so now: a fill, a size, an age.
class Gauge {
 public:
  void Set(double value) { value_.store(value, std::memory_order_relaxed); }
  void Add(double change) { value_.fetch_add(change, std::memory_order_relaxed); }
  double Get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_ = 0;
};

enum class MetricKind { kCounter, kGauge };

struct Sample {
  MetricKind kind;
  std::string_view name;
  std::string_view unit;
  std::string_view text;
  double value;
};

class Registry {
 public:
  // The same object for each call with one name; made on the first.
  Counter& Get(const CounterSpec& spec);
  Gauge& Get(const GaugeSpec& spec);
  // Every metric asked for so far, by name.
  std::vector<Sample> Samples() const;

 private:
  template <class Spec, class Metric>
  struct Entry {
    Spec spec;
    Metric metric;
  };
  mutable std::mutex mutex_;
  std::map<std::string_view, Entry<CounterSpec, Counter>> counters_;  // under mutex_
  std::map<std::string_view, Entry<GaugeSpec, Gauge>> gauges_;        // under mutex_
};

}  // namespace primus::telemetry
