#!/usr/bin/env python3
"""Each check of tools/check finds what it is for, and leaves alone what is right."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from checking.generated import stamp  # noqa: E402

LAYERS = """
primus/base:
primus/env: primus/base
primus/config: primus/base
primus/data: primus/base primus/config
primus/sim: *
apps: *
proto/config: proto/config
"""


class CheckTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree = pathlib.Path(scratch.name)
        subprocess.run(["git", "init", "-q", str(self.tree)], check=True)
        self.write("tools/layers.txt", LAYERS)

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def run_check(self, check):
        return subprocess.run([ROOT / "tools" / check, "--root", self.tree],
                              capture_output=True, text=True, check=False)

    def finds(self, check, *expected):
        """The check fails, and its output holds every expected text."""
        done = self.run_check(check)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for text in expected:
            self.assertIn(text, done.stdout)

    def passes(self, check):
        done = self.run_check(check)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class LayersTest(CheckTest):
    def test_an_edge_upwards_names_place_edge_and_what_is_allowed(self):
        self.write("primus/base/a.h", '#pragma once\n#include "primus/env/b.h"\n')
        self.finds("check_layers", "primus/base/a.h:2: primus/base -> primus/env is no allowed "
                                   "edge; primus/base may include: nothing")

    def test_an_edge_in_a_comment_is_none(self):
        self.write("primus/base/a.h", '// #include "primus/env/b.h"\n/*\n#include "apps/x.h"\n*/\n')
        self.passes("check_layers")

    def test_star_allows_all_and_a_test_may_use_the_simulator(self):
        self.write("apps/primus/main.cc", '#include "primus/data/b.h"\n')
        self.write("primus/data/CMakeLists.txt",
                   "primus_module(NAME data SOURCES a.cc TEST_DEPS sim)\n")
        self.write("primus/data/a_test.cc", '#include "primus/sim/b.h"\n')
        self.passes("check_layers")
        self.write("primus/data/a.cc", '#include "primus/sim/b.h"\n')
        self.finds("check_layers", "primus/data/a.cc:1: primus/data -> primus/sim")

    def test_messages_are_for_config_and_up(self):
        self.write("primus/config/CMakeLists.txt", "primus_module(NAME config DEPS proto_config)\n")
        self.write("primus/config/a.cc", '#include "proto/config/job.pb.h"\n')
        self.passes("check_layers")
        self.write("primus/env/a.cc", '#include "proto/config/job.pb.h"\n')
        self.finds("check_layers", "primus/env/a.cc:1: primus/env -> proto/config")

    def test_an_import_of_a_message_is_an_edge(self):
        self.write("proto/config/job.proto", 'syntax = "proto3";\nimport "primus/data/x.proto";\n')
        self.finds("check_layers", "proto/config/job.proto:2: proto/config -> primus/data")

    def test_dependencies_of_a_module_keep_to_the_layers(self):
        self.write("primus/env/CMakeLists.txt", "primus_module(NAME env\n  DEPS base data)\n")
        self.finds("check_layers", "primus/env/CMakeLists.txt:1: DEPS data: primus/env -> primus/data")

    def test_what_is_included_is_a_dependency(self):
        self.write("primus/data/CMakeLists.txt", "primus_module(NAME data DEPS base)\n")
        self.write("primus/data/a.cc", '#include "primus/base/a.h"\n#include "primus/config/b.h"\n')
        self.finds("check_layers", "primus/data/a.cc:2: primus/data includes primus/config, which is "
                                   "not in DEPS")

    def test_a_folder_without_a_layer_is_found(self):
        self.write("primus/extra/a.cc", '#include "primus/base/a.h"\n')
        self.finds("check_layers", "primus/extra is not in tools/layers.txt")


class BannedTest(CheckTest):
    def finds_code(self, code, expected, name="primus/data/a.cc"):
        with self.subTest(code=code):
            self.write(name, code)
            self.finds("check_banned", expected)
            (self.tree / name).unlink()

    def passes_code(self, code, name="primus/data/a.cc"):
        with self.subTest(code=code):
            self.write(name, code)
            self.passes("check_banned")
            (self.tree / name).unlink()

    def test_time_chance_threads_and_environment_have_their_places(self):
        for code in ("auto t = std::chrono::steady_clock::now();\n",
                     "using C = std::chrono::system_clock;\n", "std::random_device device;\n",
                     "int x = rand();\n", "std::thread thread(Run);\n",
                     'const char* home = std::getenv("HOME");\n'):
            self.finds_code(code, "primus/data/a.cc:1:")
            self.passes_code(code, "primus/env/a.cc")
            self.passes_code(code, "apps/primus/a.cc")
        self.passes_code("std::thread thread(Run);\n", "primus/data/a_test.cc")
        self.finds_code("using C = std::chrono::steady_clock;\n", "steady", "primus/data/a_test.cc")

    def test_words_that_only_look_alike_pass(self):
        self.passes_code('Log("steady_clock throw");  // rand() and getenv()\nint operand(int);\n')
        self.passes_code('auto s = R"(std::thread throw)"; char c = \'"\'; char d = \'"\';\n')

    def test_nothing_sleeps_or_throws_anywhere(self):
        for name in ("primus/env/a.cc", "apps/primus/a.cc", "primus/data/a_test.cc"):
            self.finds_code("std::this_thread::sleep_" "for(d);\n", "nothing sleeps", name)
            self.finds_code("void F() { throw 1; }\n", "no exceptions", name)

    def test_catch_is_for_adapters(self):
        self.finds_code("void F() { try { G(); } catch (...) {} }\n", "adapter")
        self.passes_code("#include <yaml-cpp/yaml.h>\nvoid F() { try { G(); } catch (...) {} }\n")
        self.passes_code("int main() { try { G(); } catch (...) {} }\n", "apps/primus/main.cc")

    def test_heavy_headers_stay_out_of_headers(self):
        for header in ('"proto/wire/record.pb.h"', "<grpcpp/grpcpp.h>", "<yaml-cpp/yaml.h>",
                       "<boost/asio.hpp>", "<arrow/compute/api.h>", "<arrow/api.h>"):
            code = f"#pragma once\n#include {header}\n"
            self.finds_code(code, "primus/data/a.h:2:", "primus/data/a.h")
            self.passes_code(code, "primus/data/a.cc")
        self.passes_code("#include <arrow/record_batch.h>\n", "primus/data/a.h")

    def test_iteration_over_a_hash_table(self):
        self.write("primus/data/a.h", "std::unordered_map<int, std::vector<int>> rows_;\n")
        self.finds_code("void F() {\n  for (const auto& [k, v] : rows_) G();\n}\n",
                        "primus/data/a.cc:2: iterates over the unordered rows_")
        self.passes_code("std::map<int, int> x_;\nvoid F() {\n  for (auto& y : x_) G(y);\n}\n")

    def test_names_that_say_nothing(self):
        self.finds_code("class TaskManager final {};\n", "TaskManager")
        self.finds_code("struct RowImpl;\n", "RowImpl")
        self.finds_code("int x;\n", "'util' says nothing", "primus/data/string_util.h")
        self.finds_code("int x;\n", "'helpers' says nothing", "primus/helpers/a.h")
        self.passes_code("class Implementation {};\ntemplate <class T> struct Managers;\n")

    def test_words_of_the_glossary(self):
        self.finds_code("int snapshot_id = 0;\n", "snapshot_id: the glossary says save point")
        self.finds_code("struct EpochStart {};\n", "the glossary says pass")
        self.passes_code("auto s = t.time_since_epoch();\n")
        self.passes_code("constexpr int kEpoch = 0;\n", "primus/env/a.cc")

    def test_traces_of_unfinished_work_and_of_a_machine(self):
        self.finds_code("// TO" "DO: more\n", "finish it")
        self.finds_code("int x;  // FIX" "ME\n", "finish it")
        self.finds_code("path: /ho" "me/someone/data\n", "no absolute path", "examples/job.yaml")
        self.passes_code("url: https://host/work\nlink: a/home/b\n", "examples/job.yaml")


def function(lines, head="void F() {"):
    return head + "\n" + "  G();\n" * (lines - 2) + "}\n"


class SizesTest(CheckTest):
    def test_a_function_may_have_seventy_lines(self):
        self.write("primus/data/a.cc", function(70) + "namespace a {\n" + function(70) + "}\n")
        self.passes("check_sizes")
        self.write("primus/data/a.cc", "int x;\n" + function(71))
        self.finds("check_sizes", "primus/data/a.cc:2: function F has 71 lines; at most 70")

    def test_all_forms_of_functions_are_seen(self):
        for head in ("A::A(int x) : a_{x}, b_(x) {", "bool A::operator()(int x) const noexcept {",
                     "auto F() -> std::vector<int> {", "template <class T>\nT F(std::map<int, T> x) {",
                     "std::ostream& operator<<(std::ostream& out, const A& a) {",
                     "TEST(Suite, Case) {", "struct A {\n  void F() override {"):
            with self.subTest(head=head):
                tail = "};\n" if head.startswith("struct") else ""
                self.write("primus/data/a.cc", function(75, head) + tail)
                self.finds("check_sizes", "lines; at most 70")

    def test_a_table_is_data(self):
        self.write("primus/data/a.cc",
                   "constexpr Rule kRules[] = {\n" + "    {1, {2}},\n" * 100 + "};\n")
        self.passes("check_sizes")

    def test_nesting_counts_control_blocks(self):
        three = "if (a) { for (;;) { while (b) { x = Y{1}; } } }"
        self.write("primus/data/a.cc", "void F() {\n  Go([&] {\n" + three + "\n});\n}\n")
        self.passes("check_sizes")
        self.write("primus/data/a.cc", "void F() {\n  if (z) {\n" + three + "\n}\n}\n")
        self.finds("check_sizes", "function F nests 4 deep; at most 3")

    def test_parameters(self):
        self.write("primus/data/a.cc", "int F(A<int, int> a, int b, int c, int d) { return 1; }\n"
                                       "void G(int a, int b, int c, int d, Done<int> done) { H(); }\n")
        self.passes("check_sizes")
        self.write("primus/data/a.cc",
                   "int F(A<int, int> a, int b, int c, int d, int e) { return 1; }\n")
        self.finds("check_sizes", "function F has 5 parameters")

    def test_a_constructor_may_have_more_parameters(self):
        five = "(int a, int b, int c, int d, int e)"
        self.write("primus/data/a.cc", f"struct A {{\n  explicit A{five} {{}}\n}};\n"
                                       f"B::C::C{five} : a_(a) {{}}\n")
        self.passes("check_sizes")

    def test_files_and_readmes(self):
        for name, limit in (("primus/data/a.cc", 400), ("primus/data/a.h", 200),
                            ("primus/data/a_test.cc", 800), ("primus/data/README.md", 60),
                            ("README.md", 150)):
            with self.subTest(name=name):
                self.write(name, "\n" * limit)
                self.passes("check_sizes")
                self.write(name, "\n" * (limit + 1))
                self.finds("check_sizes", f"{name}:1: {limit + 1} lines; at most {limit}")
                self.write(name, "\n")


class DocumentsTest(CheckTest):
    def test_a_module_has_a_readme(self):
        self.write("primus/data/CMakeLists.txt", "primus_module(NAME data SOURCES a.cc)\n")
        self.finds("check_documents", "primus/data/README.md:1: missing")
        self.write("primus/data/README.md", "# data\n")
        self.passes("check_documents")

    def test_links_lead_somewhere(self):
        self.write("docs/a.md", "# A title: of `it`\n[b](b.md#one) [web](https://x.y) `[c](d.md)`\n")
        self.write("docs/b.md", "[a](a.md#a-title-of-it)\n")
        self.finds("check_documents", "docs/a.md:2: link to b.md#one: no such heading")
        self.write("docs/b.md", "# One\n[a](a.md#a-title-of-it) [root](../docs/a.md)\n")
        self.passes("check_documents")
        self.write("docs/b.md", "# One\n\n[a](gone.md)\n")
        self.finds("check_documents", "docs/b.md:3: link to gone.md: no such file")


class GeneratedTest(CheckTest):
    def test_a_generated_file_is_as_new_as_its_inputs(self):
        self.write("proto/a.proto", "one\n")
        mark = stamp(self.tree, ["proto/a.proto"])
        self.write("docs/a.md", f"<!-- {mark} -->\n")
        self.write("docs/b.yaml", f"# {mark}\n")
        self.passes("check_generated")
        self.write("proto/a.proto", "two\n")
        self.finds("check_generated", "docs/a.md:1: older than proto/a.proto", "docs/b.yaml:1:")
        (self.tree / "proto/a.proto").unlink()
        self.finds("check_generated", "made from proto/a.proto, which is not there")


class FormatTest(CheckTest):
    def test_format(self):
        self.write(".clang-format", (ROOT / ".clang-format").read_text())
        self.write("primus/data/a.cc", "int F() { return 1; }\n")
        self.passes("check_format")
        self.write("primus/data/a.cc", "int  F( ){return 1;}\n")
        self.finds("check_format", "primus/data/a.cc:1:")


if __name__ == "__main__":
    unittest.main()
