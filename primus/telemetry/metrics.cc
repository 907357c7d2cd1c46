#include "primus/telemetry/metrics.h"

#include <algorithm>

namespace primus::telemetry {

Counter& Registry::Get(const CounterSpec& spec) {
  const std::lock_guard lock(mutex_);
  auto& entry = counters_[spec.name];
  entry.spec = spec;
  return entry.metric;
}

Gauge& Registry::Get(const GaugeSpec& spec) {
  const std::lock_guard lock(mutex_);
  auto& entry = gauges_[spec.name];
  entry.spec = spec;
  return entry.metric;
}

std::vector<Sample> Registry::Samples() const {
  std::vector<Sample> samples;
  const std::lock_guard lock(mutex_);
  const auto add = [&samples](MetricKind kind, const auto& entries) {
    for (const auto& [name, entry] : entries) {
      samples.push_back({.kind = kind,
                         .name = name,
                         .unit = entry.spec.unit,
                         .text = entry.spec.text,
                         .value = static_cast<double>(entry.metric.Get())});
    }
  };
  add(MetricKind::kCounter, counters_);
  add(MetricKind::kGauge, gauges_);
  std::ranges::sort(samples, {}, &Sample::name);
  return samples;
}

}  // namespace primus::telemetry
