#include "apps/primus/report.h"

#include <cstdio>

#include "apps/primus/summary.h"
#include "primus/api/conditions.h"
#include "primus/node/durable_file.h"
#include <nlohmann/json.hpp>

#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

using Json = nlohmann::ordered_json;

std::string Escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    if (c == '<') {
      html += "&lt;";
    } else if (c == '&') {
      html += "&amp;";
    } else {
      html += c;
    }
  }
  return html;
}

std::string Text(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_number_float()) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", value.get<double>());
    return text;
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// A baseline's value; nothing if it was not asked for.
std::string InBrackets(const std::string& name, const Json& value) {
  return value.is_null() ? "" : " (" + name + " " + Text(value) + ")";
}

// The value at a path of keys, or null.
Json At(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* key : path) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return *at;
}

std::string Row(std::initializer_list<std::string> cells) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += "<td>" + Escaped(cell) + "</td>";
  return row + "</tr>\n";
}

std::string QualityTable(const Json& summary) {
  std::string html = "<h2>Quality</h2>\n<table>\n";
  html += Row({"", "hold-out AUC", "hold-out logloss", "progressive AUC", "progressive logloss"});
  html += Row({"model", Text(At(summary, {"metrics", "holdout", "auc"})),
               Text(At(summary, {"metrics", "holdout", "logloss"})),
               Text(At(summary, {"metrics", "progressive", "auc"})),
               Text(At(summary, {"metrics", "progressive", "logloss"}))});
  for (const char* baseline : {"constant", "itemMean", "counts"}) {
    html += Row({baseline, Text(At(summary, {"metrics", "baselines", baseline, "holdout"})), "-",
                 Text(At(summary, {"metrics", "baselines", baseline, "progressive"})), "-"});
  }
  return html + "</table>\n";
}

std::string RowsTable(const Json& summary) {
  std::string html = "<h2>Rows</h2>\n<table>\n";
  const Json rows = At(summary, {"rows"});
  if (rows.is_object()) {
    for (const auto& [kind, count] : rows.items()) html += Row({kind, Text(count)});
  }
  return html + "</table>\n";
}

std::string Page(const ReportInput& input, const Json& summary) {
  std::string html = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>" + Escaped(input.job) +
                     "</title>\n<style>body{font:15px sans-serif;margin:2em;max-width:50em}"
                     "td{padding:.2em 1em;border-bottom:1px solid #ddd}</style>\n<h1>" +
                     Escaped(input.job) + ": " + api::Phase(input.status) + "</h1>\n<table>\n";
  html += Row({"seconds", Text(At(summary, {"seconds"}))});
  html += Row({"rows a second in training", Text(At(summary, {"samplesPerSecond"}))});
  html += Row({"save point", Text(At(summary, {"savePoint"}))});
  html += Row({"checkpoint", Text(At(summary, {"checkpoint"}))});
  html += "</table>\n";
  if (!input.status.summary_json().empty()) html += QualityTable(summary) + RowsTable(summary);
  html += "<h2>Conditions</h2>\n<table>\n";
  for (const wire::Condition& condition : input.status.conditions()) {
    html += Row({condition.type(), condition.status() ? "true" : "false", condition.reason(),
                 condition.message()});
  }
  return html + "</table>\n";
}

}  // namespace

Status WriteReport(const ReportInput& input) {
  const std::string line = SummaryLine(input.job, input.status, input.seconds);
  const Json summary = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  PRIMUS_TRY(node::WriteDurably(input.storage + "/summary.json", summary.dump(2) + "\n"));
  return node::WriteDurably(input.storage + "/report.html", Page(input, summary));
}

std::string SummaryText(const wire::JobStatus& status) {
  if (status.summary_json().empty()) return {};
  const Json summary = Json::parse(status.summary_json(), nullptr, /*allow_exceptions=*/false);
  std::string text = "rows: read " + Text(At(summary, {"rows", "read"})) + ", trained " +
                     Text(At(summary, {"rows", "trained"})) + ", evaluated " +
                     Text(At(summary, {"rows", "evaluated"})) + "\n";
  if (At(summary, {"metrics", "holdout"}).is_object()) {
    text += "hold-out AUC " + Text(At(summary, {"metrics", "holdout", "auc"})) +
            InBrackets("item mean", At(summary, {"metrics", "baselines", "itemMean", "holdout"})) +
            "\n";
  }
  if (At(summary, {"metrics", "progressive"}).is_object()) {
    text += "progressive AUC " + Text(At(summary, {"metrics", "progressive", "auc"})) +
            InBrackets("user and item counts",
                       At(summary, {"metrics", "baselines", "counts", "progressive"})) +
            "\n";
  }
  return text;
}

}  // namespace primus::apps
