#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "primus/config/nearest_name.h"
#include "primus/config/node.h"
#include "primus/jobspec/job_check.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

class ModelCheck {
 public:
  explicit ModelCheck(JobRules* rules) : rules_(*rules), model_(rules->job().spec().model()) {}

  void Check() {
    for (const config::Table& table : model_.tables()) {
      if (!table.name().empty()) tables_.push_back(table.name());
    }
    for (const config::Feature& feature : model_.features()) CheckFeature(feature);
    if (!rules_.Trusts("spec.model.features")) return;
    for (const std::string& table : tables_) {
      if (used_.contains(table)) continue;
      rules_.Refuse("spec.model.tables[" + table + "]",
                    "expected a feature that uses it, got none");
    }
  }

 private:
  void CheckFeature(const config::Feature& feature) {
    if (feature.name().empty()) return;
    const std::string path = "spec.model.features[" + feature.name() + "]";
    if (feature.has_multi_hot()) CheckMultiHot(feature.multi_hot(), path + ".multiHot");
    if (feature.has_dense()) {
      CheckDense(feature, path);
    } else if (feature.vectors_case() == config::Feature::VECTORS_NOT_SET) {
      rules_.Refuse(path, "expected one of table, dim or dense, got none of them");
    } else if (feature.has_table()) {
      CheckShared(feature.table(), path + ".table");
    } else {
      CheckPrivate(feature.name(), path);
    }
  }

  void CheckDense(const config::Feature& feature, const std::string& path) {
    const std::string text = "expected none for a dense feature, got one";
    if (feature.has_multi_hot()) rules_.Refuse(path + ".multiHot", text);
    if (feature.has_table()) rules_.Refuse(path + ".table", text);
    if (feature.has_dim()) rules_.Refuse(path + ".dim", text);
  }

  void CheckMultiHot(const config::MultiHot& multi_hot, const std::string& path) {
    std::map<std::string, int> first;
    for (int i = 0; i < multi_hot.columns_size(); ++i) {
      const auto [it, added] = first.emplace(multi_hot.columns(i), i);
      if (added) continue;
      const std::string earlier = path + ".columns[" + std::to_string(it->second) + "]";
      rules_.Refuse(path + ".columns[" + std::to_string(i) + "]",
                    "expected each column once, got " + config::Shown(it->first) +
                        " again; first at " + rules_.Place(earlier));
    }
  }

  void CheckShared(const std::string& table, const std::string& path) {
    used_.insert(table);
    if (!rules_.Trusts("spec.model.tables")) return;
    if (std::find(tables_.begin(), tables_.end(), table) != tables_.end()) return;
    const std::string expected = tables_.empty()
                                     ? "a table of spec.model.tables, of which there are none"
                                     : config::OneOf(tables_);
    rules_.Refuse(path, "expected " + expected + ", got " + config::Shown(table) +
                            config::Hint(table, tables_));
  }

  // Its table has the feature's name, and the name of a table decides its keys.
  void CheckPrivate(const std::string& name, const std::string& path) {
    if (std::find(tables_.begin(), tables_.end(), name) == tables_.end()) return;
    rules_.Refuse(path + ".name",
                  "expected a name that no table has, as the feature has a table of its own, got " +
                      config::Shown(name) + ", as at " +
                      rules_.Place("spec.model.tables[" + name + "].name"));
  }

  JobRules& rules_;
  const config::Model& model_;
  std::vector<std::string> tables_;
  std::set<std::string> used_;
};

}  // namespace

void CheckModel(JobRules* rules) {
  if (rules->job().spec().has_model()) ModelCheck(rules).Check();
}

}  // namespace primus::jobspec
