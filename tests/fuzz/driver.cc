// Runs a fuzz target without libFuzzer: every file of a corpus as it is, then seeded mutations of
// them, always the same ones.
//
//   driver CORPUS_FOLDER EXTENSION ITERATIONS [SEED]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

namespace {

using Random = std::mt19937_64;

constexpr std::size_t kInputBytesMax = 16 << 10;

std::vector<std::string> ReadCorpus(const std::filesystem::path& folder,
                                    const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

std::size_t Below(std::size_t bound, Random& random) { return bound == 0 ? 0 : random() % bound; }

// A stretch of another input: so keys and values meet in places where nobody would write them.
std::string Piece(const std::vector<std::string>& corpus, Random& random) {
  const std::string& other = corpus[Below(corpus.size(), random)];
  return other.substr(Below(other.size(), random), 1 + Below(40, random));
}

void Mutate(const std::vector<std::string>& corpus, Random& random, std::string* input) {
  constexpr std::string_view kMarks = "{}[]:,-&*!|>'\"#%@`\n\t ~<\\\xff\x01";
  const std::size_t at = Below(input->size() + 1, random);
  switch (random() % 6) {
    case 0:
      input->erase(at, 1 + Below(20, random));
      break;
    case 1:
      input->insert(at, 1, kMarks[Below(kMarks.size(), random)]);
      break;
    case 2:
      if (at < input->size()) (*input)[at] = static_cast<char>(random());
      break;
    case 3:
      input->insert(at, Piece(corpus, random));
      break;
    case 4:
      input->replace(at, 1 + Below(20, random), Piece(corpus, random));
      break;
    default:
      input->resize(at);
      break;
  }
}

void Run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "driver CORPUS_FOLDER EXTENSION ITERATIONS [SEED]\n");
    return 2;
  }
  const std::vector<std::string> corpus = ReadCorpus(argv[1], argv[2]);
  if (corpus.empty()) {
    std::fprintf(stderr, "no corpus in %s\n", argv[1]);
    return 1;
  }
  for (const std::string& input : corpus) Run(input);
  const uint64_t iterations = std::strtoull(argv[3], nullptr, 10);
  const uint64_t seed = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  for (uint64_t i = 0; i < iterations; ++i) {
    // Of its own seed each, so that one input can be found again by its number.
    Random random(seed * 1'000'003 + i);
    std::string input = corpus[Below(corpus.size(), random)];
    const std::size_t mutations = 1 + Below(8, random);
    for (std::size_t m = 0; m < mutations; ++m) Mutate(corpus, random, &input);
    input.resize(std::min(input.size(), kInputBytesMax));
    Run(input);
  }
  std::printf("%zu files and %llu mutations of them hold\n", corpus.size(),
              static_cast<unsigned long long>(iterations));
  return 0;
}
