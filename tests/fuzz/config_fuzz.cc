// Any bytes as a job file: read without a crash, refused with a place, or accepted and then printed
// as what reads back as the same job.
#include <string>

#include "primus/base/check.h"
#include "primus/config/options_message.h"
#include "primus/config/printer.h"
#include "primus/config/sample_slots.h"
#include "primus/jobspec/job_file.h"
#include "tests/fuzz/target.h"

#include "proto/config/job.pb.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using primus::config::Defaults;
  using primus::config::SerializeStable;
  const primus::config::SampleSlots samples;
  // What stands behind the first zero byte is the value of an assignment.
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = bytes.find('\0');
  primus::config::YamlInput input{.file = "f", .text = bytes.substr(0, end), .sets = {}};
  if (end != std::string::npos) input.sets.push_back(bytes.substr(end + 1));
  const auto job = primus::jobspec::LoadJob(input, samples.slots());
  if (!job.ok()) {
    PRIMUS_CHECK(!job.status().message().empty(), "a refusal says why");
    return 0;
  }
  for (const Defaults defaults : {Defaults::kShown, Defaults::kOmitted}) {
    const std::string printed =
        primus::config::ToYaml(*job, samples.slots(), {.defaults = defaults});
    const auto again = primus::jobspec::LoadJob({"f", printed, {}}, samples.slots());
    PRIMUS_CHECK(again.ok(), again.status().message() + "\n" + printed);
    PRIMUS_CHECK(SerializeStable(*again) == SerializeStable(*job), "a print reads back the same");
  }
  return 0;
}
