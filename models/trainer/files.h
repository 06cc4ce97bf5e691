// Files as bytes and as token ids.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/buffer.h"

namespace trainer {

// Returns false if there is no such file.
bool read_file(const std::string& path, std::vector<std::uint8_t>& bytes);

// Writes a temporary file and renames it, so that an interrupted write leaves the old file.
void write_file(const std::string& path, const wf::Buffer<std::uint8_t>& bytes);

// Raw little-endian 16-bit ids.
std::vector<std::int32_t> read_ids(const std::string& path);

}  // namespace trainer
