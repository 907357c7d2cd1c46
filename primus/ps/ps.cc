#include "primus/ps/ps.h"

#include <utility>
#include <variant>
#include <vector>

#include "primus/member/methods.h"
#include "primus/member/wire_stamp.h"
#include "primus/ps/part_store.h"
#include "primus/ps/payload.h"
#include "primus/ps/ps_core.h"
#include "primus/rpc/server.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/parameters.pb.h"

namespace primus::ps {
namespace {

constexpr uint64_t kAnswerBytesMax = uint64_t{256} << 20;
constexpr Duration kLoadAgainAfter = Milliseconds(500);
constexpr int kLoadTries = 10;

std::vector<PartReference> PartsOf(const wire::Directive& directive) {
  std::vector<PartReference> parts;
  for (const wire::Part& part : directive.restore()) {
    parts.push_back({.name = part.name(),
                     .size = part.size(),
                     .crc32c = part.crc32c(),
                     .shards = {part.first_shard(), part.last_shard()}});
  }
  return parts;
}

}  // namespace

struct Ps::State : std::enable_shared_from_this<State> {
  State(const env::Environment& environment, const PsSeams& ps_seams, PsOptions ps_options)
      : env(environment),
        seams(ps_seams),
        options(std::move(ps_options)),
        core(options.shards),
        server(seams.network),
        session(env, seams.network, server, seams.log, options.session,
                {.on_directive = [this] { OnDirective(); },
                 .fill_status = [this](wire::ReplicaStatus* status) { FillStatus(status); },
                 .on_end = options.on_end}),
        load_again(env.loop) {}

  void OnDirective();
  void FillStatus(wire::ReplicaStatus* status) const;
  void Do(const FreezeCut& freeze);
  void Do(const DropCut& drop);
  void Do(const LoadModel& load);
  void StartLoading(const Stamp& stamp, int tries_left);
  void OnLoadFailed(const Stamp& stamp, const Status& status, int tries_left);

  Status Admit(const wire::Stamp& stamp, Incarnation sender) const;
  Result<std::string> Pull(const wire::PullRequest& request, const std::string& payload,
                           wire::PullResponse* response);
  Status Push(const wire::PushRequest& request, const std::string& payload);

  const env::Environment env;
  const PsSeams seams;
  const PsOptions options;
  PsCore core;
  std::unique_ptr<embedding::ShardStore> store;  // null until a model has been loaded
  std::shared_ptr<Abandoned> writing;            // of the newest work of each kind
  std::shared_ptr<Abandoned> loading;
  std::vector<PartReference> restore_parts;
  rpc::Server server;
  member::Session session;
  env::Timer load_again;
};

Ps::Ps(const env::Environment& environment, const PsSeams& seams, PsOptions options) {
  options.session.kind = member::RoleKind::kPs;
  state_ = std::make_shared<State>(environment, seams, std::move(options));
  State* state = state_.get();
  state->server.Handle(member::kPull,
                       [state](const wire::PullRequest& request, const std::string& payload,
                               const rpc::Reply<wire::PullResponse>& reply) {
                         wire::PullResponse response;
                         Result<std::string> rows = state->Pull(request, payload, &response);
                         if (!rows.ok()) return reply(rows.status());
                         reply(response, std::move(*rows));
                       });
  state->server.Handle(member::kPush,
                       [state](const wire::PushRequest& request, const std::string& payload,
                               const rpc::Reply<wire::PushResponse>& reply) {
                         const Status pushed = state->Push(request, payload);
                         if (!pushed.ok()) return reply(pushed);
                         reply(wire::PushResponse());
                       });
}

Ps::~Ps() {
  if (state_->writing) *state_->writing = true;
  if (state_->loading) *state_->loading = true;
}

Status Ps::Start() {
  PRIMUS_TRY(state_->server.Listen(state_->options.session.own));
  state_->session.Start();
  return OkStatus();
}

void Ps::State::OnDirective() {
  for (const Effect& effect : core.OnDirective(session.directive())) {
    std::visit([this](const auto& order) { Do(order); }, effect);
  }
}

void Ps::State::FillStatus(wire::ReplicaStatus* status) const {
  wire::PsStatus* ps = status->mutable_ps();
  core.FillStatus(ps);
  if (!store) return;
  const embedding::StoreStatistics statistics = store->Statistics();
  for (const embedding::TableEntries& table : statistics.tables) {
    (*ps->mutable_entries())[table.table] = table.entries;
  }
  ps->set_bytes(statistics.bytes);
}

void Ps::State::Do(const FreezeCut& freeze) {
  if (writing) *writing = true;
  writing = std::make_shared<Abandoned>(false);
  auto work = std::make_shared<WritePartWork>(
      WritePartWork{.frozen = store->Freeze(),
                    .origin = {.job = options.job, .stamp = freeze.stamp},
                    .name = freeze.part,
                    .abandoned = writing});
  auto part = std::make_shared<Result<WrittenPart>>(CancelledError("not written yet"));
  seams.log.Info("cut frozen", {{"stamp", freeze.stamp}});
  env.pool.Run(
      [work, part, blobs = &seams.blobs] { *part = WritePart(*blobs, std::move(*work)); },
      [weak = weak_from_this(), part, stamp = freeze.stamp] {
        const std::shared_ptr<State> self = weak.lock();
        if (!self) return;
        self->core.OnPart(stamp, *part);
        if (part->ok()) {
          self->seams.log.Info("part written", {{"part", (*part)->name}, {"bytes", (*part)->size}});
        } else if (part->status().code() != StatusCode::kCancelled) {
          self->seams.log.Warn("part not written", {{"stamp", stamp}, {"error", part->status()}});
        }
        self->session.ReportSoon();
      });
  session.ReportSoon();
}

void Ps::State::Do(const DropCut&) {
  if (writing) *writing = true;
}

void Ps::State::Do(const LoadModel& load) {
  store.reset();
  restore_parts = PartsOf(session.directive());
  StartLoading(load.stamp, kLoadTries);
}

void Ps::State::StartLoading(const Stamp& stamp, int tries_left) {
  load_again.Cancel();
  if (loading) *loading = true;
  loading = std::make_shared<Abandoned>(false);
  auto work = std::make_shared<const LoadWork>(LoadWork{.parts = restore_parts,
                                                        .shards = options.shards,
                                                        .new_store = options.new_store,
                                                        .abandoned = loading});
  using Loaded = Result<std::unique_ptr<embedding::ShardStore>>;
  auto loaded = std::make_shared<Loaded>(CancelledError("not loaded yet"));
  env.pool.Run(
      [work, loaded, blobs = &seams.blobs] { *loaded = LoadParts(*blobs, *work); },
      [weak = weak_from_this(), work, loaded, stamp, tries_left] {
        const std::shared_ptr<State> self = weak.lock();
        if (!self || *work->abandoned) return;
        if (!loaded->ok()) return self->OnLoadFailed(stamp, loaded->status(), tries_left);
        if (!self->core.OnLoaded(stamp)) return;
        self->store = std::move(**loaded);
        self->seams.log.Info("model loaded", {{"stamp", stamp}, {"parts", work->parts.size()}});
        self->session.ReportSoon();
      });
}

void Ps::State::OnLoadFailed(const Stamp& stamp, const Status& status, int tries_left) {
  if (tries_left <= 1 || !IsTransient(status.code())) {
    return session.Fail(status.WithContext("restoring the model"));
  }
  seams.log.Warn("model not loaded, will try again", {{"error", status}});
  load_again.Set(kLoadAgainAfter,
                 [this, stamp, tries_left] { StartLoading(stamp, tries_left - 1); });
}

Status Ps::State::Admit(const wire::Stamp& stamp, Incarnation sender) const {
  PRIMUS_TRY(session.Admit(member::ToStamp(stamp), sender));
  return core.CheckServing();
}

Result<std::string> Ps::State::Pull(const wire::PullRequest& request, const std::string& payload,
                                    wire::PullResponse* response) {
  PRIMUS_TRY(Admit(request.stamp(), request.trainer()));
  PRIMUS_ASSIGN(const PullLayout layout, ReadPull(options.plan, request, payload));
  const uint64_t dense = request.dense() ? store->dense_size() : 0;
  const uint64_t bytes = (layout.row_values + dense) * sizeof(float);
  if (bytes > kAnswerBytesMax) {
    return InvalidArgumentError("the answer would take " + std::to_string(bytes) +
                                " bytes; pull fewer keys at once");
  }
  std::string rows(bytes, '\0');
  const std::span<float> out(reinterpret_cast<float*>(rows.data()), layout.row_values + dense);
  const auto absent = request.create() ? embedding::Absent::kCreate : embedding::Absent::kZeros;
  PRIMUS_TRY(store->Pull(layout.tables, absent, out.first(layout.row_values)));
  if (dense > 0) store->PullDense(out.last(dense));
  response->set_dense_values(static_cast<uint32_t>(dense));
  return rows;
}

Status Ps::State::Push(const wire::PushRequest& request, const std::string& payload) {
  PRIMUS_TRY(Admit(request.stamp(), request.trainer()));
  const bool applied =
      core.WasApplied(request.trainer(), request.step(), request.lowest_unacknowledged());
  if (applied) return OkStatus();
  PRIMUS_ASSIGN(const PushLayout layout, ReadPush(options.plan, request, payload));
  PRIMUS_TRY(store->Push(layout.tables, layout.dense));
  core.OnPushed(request.trainer(), request.step());
  return OkStatus();
}

}  // namespace primus::ps
