#include "primus/config/printer.h"

#include <gtest/gtest.h>

#include "primus/config/options_message.h"
#include "primus/config/sample_slots.h"
#include "primus/config/walker.h"

#include "proto/config/job.pb.h"

namespace primus::config {
namespace {

constexpr const char* kJob = R"(apiVersion: primus.io/v1alpha1
kind: Job
metadata:
  name: sample
spec:
  seed: 0
  data:
    range:
      from: 2024-01-01
      to: 2024-01-02
    streams:
      - name: s
        sources:
          - name: b
            files:
              path: "data/{{YYYY}}"
              format:
                csv:
                  header: false
        operators:
          - compare:
              column: "on"
              atLeast: 4.5
              into: "Children's: \"x\""
  model:
    features:
      - name: x
        column: c
        dim: 2
      - name: price
        column: p
        dense:
          missing: 0
    network:
      deepFm:
        hidden:
          - 7
  roles:
    - name: worker
      program:
        command:
          - sh
          - "-c"
          - "echo\n1"
      resources:
        limits:
          cpu: 2
      env:
        - name: EMPTY
          value: ""
      success:
        replica: 0
)";

class PrinterTest : public testing::Test {
 protected:
  Job Read(const std::string& text) {
    Job job;
    const Reading reading = ReadYaml({"f", text, {}}, samples_.slots(), &job);
    EXPECT_EQ(reading.problems.ToStatus().ToString(), "OK") << text;
    return job;
  }
  SampleSlots samples_;
};

TEST_F(PrinterTest, PrintsWhatWasWrittenWhenDefaultsAreOmitted) {
  EXPECT_EQ(ToYaml(Read(kJob), samples_.slots(), {.defaults = Defaults::kOmitted}), kJob);
}

TEST_F(PrinterTest, PrintsDefaultsAndReadsTheSameBack) {
  const Job job = Read(kJob);
  const std::string text = ToYaml(job, samples_.slots());
  EXPECT_NE(text.find("batchSize: 256"), std::string::npos);
  EXPECT_NE(text.find("every: 30s"), std::string::npos);
  EXPECT_EQ(SerializeStable(Read(text)), SerializeStable(job));
}

TEST_F(PrinterTest, PrintsWordsOfChoices) {
  Success success;
  success.set_any(true);
  EXPECT_EQ(ToYaml(success, samples_.slots()), "Any\n");
}

}  // namespace
}  // namespace primus::config
