#include "trainer/files.h"

#include <cstdio>

#include "trainer/fail.h"

namespace trainer {

bool read_file(const std::string& path, std::vector<std::uint8_t>& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return false;
  bytes.clear();
  std::uint8_t block[65536];
  for (std::size_t n; (n = std::fread(block, 1, sizeof(block), file)) > 0;)
    bytes.insert(bytes.end(), block, block + n);
  std::fclose(file);
  return true;
}

void write_file(const std::string& path, const wf::Buffer<std::uint8_t>& bytes) {
  const std::string draft = path + ".part";
  std::FILE* file = std::fopen(draft.c_str(), "wb");
  const bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (!file || std::fclose(file) != 0 || !written) fail("cannot write " + draft);
  if (std::rename(draft.c_str(), path.c_str()) != 0) fail("cannot write " + path);
}

std::vector<std::int32_t> read_ids(const std::string& path) {
  std::vector<std::uint8_t> bytes;
  if (!read_file(path, bytes)) fail("cannot read " + path);
  std::vector<std::int32_t> ids(bytes.size() / 2);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = bytes[2 * i] | bytes[2 * i + 1] << 8;
  return ids;
}

}  // namespace trainer
