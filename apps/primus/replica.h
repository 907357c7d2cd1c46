// What node tells a replica process about itself on its command line:
//   primus replica --kind trainer --role trainer --index 0 --container ID --job-file F
//                  --run-directory D --node ADDRESS --storage S --work-directory W
// and how the processes of a job find one another.
#pragma once

#include <string>

#include "primus/base/ids.h"

namespace primus::apps {

struct ReplicaArguments {
  std::string kind;  // master, executor, ps, trainer
  ReplicaId replica;
  std::string container;
  std::string job_file;        // a serialised config::Job, as accepted
  std::string run_directory;   // sockets of this job; short, 0700
  std::string node;            // address of node
  std::string storage;         // absolute path of spec.storage
  std::string job_folder;      // absolute; where relative source paths start
  std::string work_directory;  // absolute
};

inline std::string NodeAddress(const ReplicaArguments& a) { return a.node; }
inline std::string MasterAddress(const ReplicaArguments& a) {
  return "unix:" + a.run_directory + "/master";
}
// Of one life: `container` ends in the launch number.
inline std::string OwnAddress(const ReplicaArguments& a) {
  return "unix:" + a.run_directory + "/" + ToString(a.replica) + "." +
         a.container.substr(a.container.rfind('/') + 1);
}
inline std::string OwnHandoverAddress(const ReplicaArguments& a) {
  return OwnAddress(a).substr(5) + ".ring";
}

// One wiring file each; the process's exit code.
int RunMaster(const ReplicaArguments& arguments);
int RunExecutor(const ReplicaArguments& arguments);
int RunPs(const ReplicaArguments& arguments);
int RunTrainer(const ReplicaArguments& arguments);

}  // namespace primus::apps
