#include "net/checkpoint.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace coterie::net {

namespace {

constexpr const char* kDraftName = "table.new";
constexpr std::size_t kStepSize = 64 * 1'024;

}  // namespace

Checkpoint::Checkpoint(std::string folder, std::uint64_t base, std::uint64_t next_part,
                       Values values)
    : folder_(std::move(folder)), base_(base), next_part_(next_part), values_(std::move(values)) {}

Checkpoint::~Checkpoint() {
  if (!is_done_) ::unlink((folder_ + '/' + kDraftName).c_str());
}

std::optional<Fault> Checkpoint::begin(StoreId store) {
  TableReader table;
  if (auto fault = TableReader::open(folder_, table)) return fault;
  if (auto fault = merge_.begin(std::move(table), values_)) return fault;
  return TableWriter::make(folder_, kDraftName, store, base_, writer_);
}

std::optional<Fault> Checkpoint::step() {
  const std::size_t enough = writer_.size() + kStepSize;
  while (!merge_.at_end()) {
    if (auto fault = writer_.add(merge_.key(), merge_.value())) return fault;
    if (auto fault = merge_.next()) return fault;
    if (writer_.size() >= enough) return std::nullopt;
  }
  if (auto fault = writer_.finish()) return fault;
  if (std::rename((folder_ + '/' + kDraftName).c_str(), (folder_ + '/' + kTableName).c_str()) != 0)
    return fault_of_system(kDraftName, "cannot be renamed");
  is_done_ = true;
  return sync_folder(folder_);
}

}  // namespace coterie::net
