#include "apps/primus/command_line.h"

#include <charconv>
#include <functional>
#include <span>

#include "apps/primus/query_commands.h"
#include "apps/primus/replica.h"
#include "apps/primus/replica_process.h"
#include "apps/primus/run_commands.h"
#include "apps/primus/savepoint_commands.h"
#include "apps/primus/version.h"
#include "plugins/runtimes/local/reaper.h"
#include "primus/config/nearest_name.h"
#include "primus/config/node.h"
#include <CLI/CLI.hpp>

namespace primus::apps {
namespace {

constexpr int kUserErrorCode = 2;
constexpr const char* kExitCodes =
    "Exit codes: 0 completed, 1 failed, 2 the input is wrong, 130 stopped";

// Where options are parsed to, and what is then to be done.
struct Commands {
  RunOptions run;
  ResumeOptions resume;
  BackgroundOptions background;
  LogsOptions logs;
  StopOptions stop;
  SavePointOptions save_point;
  ReplicaArguments replica;
  runtimes::ReaperOptions reaper;
  std::string name;
  std::string work_directory = ".";
  std::function<int()> action;
};

// Empty, or why `text` is no number from 0 to 2^64 - 1; CLI11 itself takes -1 for the largest.
std::string IsWholeNumber(const std::string& text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end) return {};
  return "expected a whole number from 0 to 18446744073709551615, got \"" + text + "\"";
}

void AddWorkDirectory(CLI::App* command, std::string* target) {
  command->add_option("--workdir", *target, "Folder of jobs and their state")
      ->type_name("DIR")
      ->default_str(".");
}

void AddSets(CLI::App* command, std::vector<std::string>* target) {
  command
      ->add_option("--set", *target,
                   "Put another value in the job: spec.roles[trainer].replicas=2; repeatable")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

void AddInput(CLI::App* command, JobFileInput* target) {
  command->add_option("JOB", target->path, "The job file")->required()->type_name("FILE");
  command->add_option("--seed", target->seed, "In place of spec.seed")
      ->type_name("N")
      ->check(IsWholeNumber);
  AddSets(command, &target->sets);
}

void AddOutput(CLI::App* command, OutputFormat* target) {
  command->add_option("--output", *target, "What is printed: text, or one JSON line at the end")
      ->type_name("text|json")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, OutputFormat>{{"text", OutputFormat::kText},
                                                          {"json", OutputFormat::kJson}},
                      CLI::ignore_case)
                      .description(""))
      ->default_str("text");
}

void AddFile(CLI::App* command, RunOptions* target) {
  AddInput(command, &target->file);
  AddWorkDirectory(command, &target->work_directory);
}

void AddRunCommands(CLI::App* app, Commands* commands) {
  CLI::App* run = app->add_subcommand("run", "Run a job and wait for its end");
  AddFile(run, &commands->run);
  AddOutput(run, &commands->run.output);
  run->callback([commands] { commands->action = [commands] { return RunJob(commands->run); }; });

  CLI::App* submit = app->add_subcommand("submit", "Run a job in the background");
  AddFile(submit, &commands->run);
  submit->callback(
      [commands] { commands->action = [commands] { return SubmitJob(commands->run); }; });

  CLI::App* resume = app->add_subcommand("resume", "Go on with a job from its newest save point");
  resume->add_option("NAME", commands->resume.name, "The job")->required()->type_name("");
  AddWorkDirectory(resume, &commands->resume.work_directory);
  AddSets(resume, &commands->resume.sets);
  AddOutput(resume, &commands->resume.output);
  resume->callback(
      [commands] { commands->action = [commands] { return ResumeJob(commands->resume); }; });

  CLI::App* stop = app->add_subcommand("stop", "Save and stop a running job");
  stop->add_option("NAME", commands->stop.name, "The job")->required()->type_name("");
  AddWorkDirectory(stop, &commands->stop.work_directory);
  stop->add_flag_callback(
      "--now", [commands] { commands->stop.kind = StopKind::kNow; },
      "Stop at once, back to the last save point");
  stop->callback([commands] { commands->action = [commands] { return StopJob(commands->stop); }; });
}

void AddQueryCommands(CLI::App* app, Commands* commands) {
  CLI::App* get = app->add_subcommand("get", "List objects");
  CLI::App* jobs = get->add_subcommand("jobs", "The jobs of the work directory");
  get->require_subcommand(1);
  AddWorkDirectory(jobs, &commands->work_directory);
  jobs->callback(
      [commands] { commands->action = [commands] { return GetJobs(commands->work_directory); }; });

  CLI::App* describe = app->add_subcommand("describe", "All about a job, and what to do next");
  describe->add_option("NAME", commands->name, "The job")->required()->type_name("");
  AddWorkDirectory(describe, &commands->work_directory);
  describe->callback([commands] {
    commands->action = [commands] { return DescribeJob(commands->name, commands->work_directory); };
  });

  CLI::App* logs = app->add_subcommand("logs", "What the processes of a job printed");
  logs->add_option("NAME", commands->logs.name, "The job")->required()->type_name("");
  logs->add_option("REPLICA", commands->logs.replica, "Only of this one: trainer-0")->type_name("");
  AddWorkDirectory(logs, &commands->logs.work_directory);
  logs->callback(
      [commands] { commands->action = [commands] { return ShowLogs(commands->logs); }; });
}

void AddSavePointCommands(CLI::App* app, Commands* commands) {
  CLI::App* group = app->add_subcommand("savepoint", "Look into the storage of a job");
  group->require_subcommand(1);
  struct Entry {
    const char* name;
    const char* text;
    int (*command)(const SavePointOptions&);
  };
  for (const Entry& entry :
       {Entry{"list", "The records: save points and rollbacks", &ListSavePoints},
        Entry{"inspect", "What a save point holds", &InspectSavePoint},
        Entry{"dump", "The entries of a table: key, tab, values", &DumpSavePoint}}) {
    CLI::App* command = group->add_subcommand(entry.name, entry.text);
    command->add_option("STORAGE", commands->save_point.path, "Its path, or the job's name")
        ->required()
        ->type_name("");
    AddWorkDirectory(command, &commands->save_point.work_directory);
    const bool is_list = std::string_view(entry.name) == "list";
    if (!is_list) {
      command->add_option("--record", commands->save_point.record, "By default the newest")
          ->type_name("N");
    }
    if (std::string_view(entry.name) == "dump") {
      command->add_option("--table", commands->save_point.table, "The table")
          ->required()
          ->type_name("T");
    }
    command->callback([commands, run = entry.command] {
      commands->action = [commands, run] { return run(commands->save_point); };
    });
  }
}

void AddOtherCommands(CLI::App* app, Commands* commands) {
  CLI::App* config = app->add_subcommand("config", "Job files");
  config->require_subcommand(1);
  CLI::App* check = config->add_subcommand("check", "Find every mistake in a job file");
  AddInput(check, &commands->run.file);
  check->callback(
      [commands] { commands->action = [commands] { return CheckJobFile(commands->run.file); }; });

  CLI::App* version = app->add_subcommand("version", "The version of this build");
  version->callback([commands] { commands->action = [] { return ShowVersion(); }; });
}

// What node starts; in no help.
void AddInnerCommands(CLI::App* app, Commands* commands) {
  CLI::App* replica = app->add_subcommand("replica")->group("");
  ReplicaArguments* arguments = &commands->replica;
  replica->add_option("--kind", arguments->kind)->required();
  replica->add_option("--role", arguments->replica.role)->required();
  replica->add_option("--index", arguments->replica.index)->required();
  replica->add_option("--container", arguments->container)->required();
  replica->add_option("--job-file", arguments->job_file)->required();
  replica->add_option("--run-directory", arguments->run_directory)->required();
  replica->add_option("--node", arguments->node)->required();
  replica->add_option("--storage", arguments->storage)->required();
  replica->add_option("--job-folder", arguments->job_folder)->required();
  replica->add_option("--work-directory", arguments->work_directory)->required();
  replica->callback(
      [commands] { commands->action = [commands] { return RunReplica(commands->replica); }; });

  CLI::App* node = app->add_subcommand("node")->group("");
  node->add_option("--name", commands->background.name)->required();
  node->add_option("--workdir", commands->background.work_directory)->required();
  node->callback([commands] {
    commands->action = [commands] { return RunBackgroundNode(commands->background); };
  });

  CLI::App* reaper = app->add_subcommand("reaper")->group("");
  reaper->add_option("--mark", commands->reaper.mark)->required();
  reaper->add_option("--run-directory", commands->reaper.run_directory)->required();
  reaper->callback([commands] {
    commands->action = [commands] { return runtimes::RunReaper(commands->reaper); };
  });
}

// What is wrong with `primus foo` and `primus get pods`, of which CLI11 only says that a command is
// missing; empty for other mistakes.
std::string UnknownCommand(const CLI::App& app, std::span<const char* const> words) {
  const CLI::App* at = &app;
  for (const char* word : words) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* command : at->get_subcommands([](const CLI::App*) { return true; })) {
      if (!command->get_group().empty()) names.push_back(command->get_name());
      if (command->get_name() == word) next = command;
    }
    if (names.empty() || *word == '-') return {};
    if (next == nullptr) {
      return "expected " + config::OneOf(names) + ", got " + config::Shown(word) +
             config::Hint(word, names) + " (see primus --help)";
    }
    at = next;
  }
  return {};
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv) {
  CLI::App app("Trains recommendation models, and counts every row exactly once.", "primus");
  app.require_subcommand(1);
  app.set_help_flag("--help", "This help");
  app.set_version_flag("--version", std::string("primus ") + kVersion, "The version of this build");
  app.footer(kExitCodes);  // of all commands
  Commands commands;
  AddRunCommands(&app, &commands);
  AddQueryCommands(&app, &commands);
  AddSavePointCommands(&app, &commands);
  AddOtherCommands(&app, &commands);
  AddInnerCommands(&app, &commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::span words(argv + 1, argv + argc);
    const std::string unknown = UnknownCommand(app, words);
    if (!unknown.empty()) {
      return Refuse(InvalidArgumentError(unknown + "\nRun with --help for more information."));
    }
    return app.exit(error) == 0 ? 0 : kUserErrorCode;
  }
  return commands.action();
}

}  // namespace primus::apps
