#include "primus/train/metrics.h"

#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace primus::train {
namespace {

constexpr std::string_view kMagic = "PMM1";
constexpr uint32_t kVersion = 1;

class Writer {
 public:
  template <class T>
  void Put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void PutFloats(const std::vector<float>& values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_{kMagic};
};

// After the end every read gives zeros, and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T Get() {
    T value{};
    if (bytes_.size() < sizeof value) {
      ok_ = false;
      bytes_ = {};
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::vector<float> GetFloats(uint64_t count) {
    if (bytes_.size() / sizeof(float) < count) {
      ok_ = false;
      bytes_ = {};
      return {};
    }
    std::vector<float> values(count);
    if (count > 0) std::memcpy(values.data(), bytes_.data(), count * sizeof(float));
    bytes_.remove_prefix(count * sizeof(float));
    return values;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

void WriteHistogram(const ScoreHistogram& histogram, Writer& out) {
  std::vector<std::size_t> filled;
  for (std::size_t cell = 0; cell < ScoreHistogram::kCells; ++cell) {
    if (histogram.positives(cell) + histogram.negatives(cell) > 0) filled.push_back(cell);
  }
  out.Put(static_cast<uint32_t>(filled.size()));
  for (const std::size_t cell : filled) {
    out.Put(static_cast<uint32_t>(cell));
    out.Put(histogram.positives(cell));
    out.Put(histogram.negatives(cell));
  }
}

void WritePhase(uint32_t ordinal, const PhaseMetrics& phase, Writer& out) {
  out.Put(ordinal);
  out.Put(static_cast<uint8_t>(phase.purpose));
  out.Put(phase.pass);
  out.Put(phase.rows);
  out.Put(phase.loss_sum);
  out.Put(phase.loss_rows);
  WriteHistogram(phase.live, out);
  out.Put(static_cast<uint32_t>(phase.exact.size()));
  for (const auto& [predictor, scores] : phase.exact) {
    const std::vector<float> positives = scores.SortedPositives();
    const std::vector<float> negatives = scores.SortedNegatives();
    out.Put(static_cast<uint8_t>(predictor));
    out.Put(static_cast<uint64_t>(positives.size()));
    out.Put(static_cast<uint64_t>(negatives.size()));
    out.PutFloats(positives);
    out.PutFloats(negatives);
  }
}

// False if the bytes make no sense.
bool ReadPhase(Reader& in, PhaseMetrics& phase) {
  const auto purpose = in.Get<uint8_t>();
  if (purpose > static_cast<uint8_t>(batch::Purpose::kProgressive)) return false;
  phase.purpose = static_cast<batch::Purpose>(purpose);
  phase.pass = in.Get<uint32_t>();
  phase.rows = in.Get<uint64_t>();
  phase.loss_sum = in.Get<double>();
  phase.loss_rows = in.Get<uint64_t>();
  const auto cells = in.Get<uint32_t>();
  for (uint32_t i = 0; i < cells && in.ok(); ++i) {
    const auto cell = in.Get<uint32_t>();
    const auto positives = in.Get<uint64_t>();
    const auto negatives = in.Get<uint64_t>();
    if (cell >= ScoreHistogram::kCells) return false;
    phase.live.AddCell(cell, positives, negatives);
  }
  const auto predictors = in.Get<uint32_t>();
  for (uint32_t i = 0; i < predictors && in.ok(); ++i) {
    const auto predictor = in.Get<uint8_t>();
    if (predictor >= kPredictors) return false;
    const auto positive_count = in.Get<uint64_t>();
    const auto negative_count = in.Get<uint64_t>();
    std::vector<float> positives = in.GetFloats(positive_count);
    std::vector<float> negatives = in.GetFloats(negative_count);
    phase.exact[static_cast<Predictor>(predictor)] =
        ExactScores(std::move(positives), std::move(negatives));
  }
  return in.ok();
}

}  // namespace

void MetricState::Add(const BatchScores& batch) {
  PhaseMetrics& phase = phases_[batch.info.phase];
  phase.purpose = batch.info.purpose;
  phase.pass = batch.info.pass;
  phase.rows += batch.labels.size();
  if (batch.predictions.empty()) return;
  phase.loss_sum += batch.loss_sum;
  phase.loss_rows += batch.labels.size();
  const bool training = batch.info.purpose == batch::Purpose::kTrain;
  for (const Prediction& prediction : batch.predictions) {
    const bool live = training && batch.info.pass == 0 && prediction.predictor == Predictor::kModel;
    if (training && !live) continue;
    for (std::size_t row = 0; row < prediction.logits.size(); ++row) {
      if (live) {
        phase.live.Add(prediction.logits[row], batch.labels[row]);
      } else {
        phase.exact[prediction.predictor].Add(prediction.logits[row], batch.labels[row]);
      }
    }
  }
}

void MetricState::Merge(const MetricState& other) {
  for (const auto& [ordinal, from] : other.phases_) {
    PhaseMetrics& to = phases_[ordinal];
    to.purpose = from.purpose;
    to.pass = from.pass;
    to.rows += from.rows;
    to.loss_sum += from.loss_sum;
    to.loss_rows += from.loss_rows;
    to.live.Merge(from.live);
    for (const auto& [predictor, scores] : from.exact) to.exact[predictor].Merge(scores);
  }
}

std::string MetricState::Serialize() const {
  Writer out;
  out.Put(kVersion);
  out.Put(static_cast<uint32_t>(phases_.size()));
  for (const auto& [ordinal, phase] : phases_) WritePhase(ordinal, phase, out);
  return out.Take();
}

Result<MetricState> MetricState::Parse(std::string_view bytes) {
  MetricState state;
  if (bytes.empty()) return state;
  if (!bytes.starts_with(kMagic)) return DataLossError("metric state: wrong magic");
  Reader in(bytes.substr(kMagic.size()));
  const auto version = in.Get<uint32_t>();
  if (version != kVersion) {
    return DataLossError("metric state: version " + std::to_string(version) +
                         ", this build reads " + std::to_string(kVersion));
  }
  const auto phases = in.Get<uint32_t>();
  for (uint32_t i = 0; i < phases; ++i) {
    const auto ordinal = in.Get<uint32_t>();
    if (!ReadPhase(in, state.phases_[ordinal])) return DataLossError("metric state: torn");
  }
  if (!in.ok() || !in.at_end()) return DataLossError("metric state: torn");
  return state;
}

}  // namespace primus::train
