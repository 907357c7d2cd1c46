#include "apps/primus/plugins.h"

#include "plugins/formats/parquet/parquet_format.h"
#include "plugins/initializers/normal/normal.h"
#include "plugins/losses/bce/bce.h"
#include "plugins/networks/counter/counter.h"
#include "plugins/networks/deep_fm/deep_fm.h"
#include "plugins/networks/factorization_machine/factorization_machine.h"
#include "plugins/networks/logistic/logistic.h"
#include "plugins/networks/matrix_factorization/matrix_factorization.h"
#include "plugins/networks/mlp/mlp.h"
#include "plugins/operators/bucketize/bucketize.h"
#include "plugins/operators/compare/compare.h"
#include "plugins/operators/time_part/time_part.h"
#include "plugins/optimizers/adagrad/adagrad.h"
#include "plugins/optimizers/adam/adam.h"
#include "plugins/optimizers/sgd/sgd.h"
#include "plugins/sources/files/files_store.h"

namespace primus::apps {

Plugins MakePlugins() {
  Plugins plugins;
  sources::AddFiles(plugins.data.sources);
  formats::AddParquet(plugins.data.formats);
  operators::AddBucketize(plugins.data.operators);
  operators::AddCompare(plugins.data.operators);
  operators::AddTimePart(plugins.data.operators);
  networks::AddCounter(plugins.train.networks);
  networks::AddDeepFm(plugins.train.networks);
  networks::AddFactorizationMachine(plugins.train.networks);
  networks::AddLogistic(plugins.train.networks);
  networks::AddMatrixFactorization(plugins.train.networks);
  networks::AddMlp(plugins.train.networks);
  losses::AddBce(plugins.train.losses);
  initializers::AddNormal(plugins.train.initializers);
  optimizers::AddAdagrad(&plugins.table_optimizers);
  optimizers::AddSgd(&plugins.table_optimizers);
  optimizers::AddAdam(&plugins.dense_optimizers);
  optimizers::AddSgd(&plugins.dense_optimizers);
  return plugins;
}

}  // namespace primus::apps
