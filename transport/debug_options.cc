// SPDX-License-Identifier: Apache-2.0
#include "transport/debug_options.h"

#include "proto/config.pb.h"

namespace sluice::transport {
namespace {

DebugWatch DecodeWatch(const proto::DebugTensorWatch& from) {
  return {from.node_name(),
          from.output_slot(),
          {from.debug_ops().begin(), from.debug_ops().end()},
          {from.debug_urls().begin(), from.debug_urls().end()},
          from.tolerate_debug_op_creation_failures()};
}

}  // namespace

std::shared_ptr<const DebugOptions> DecodeDebugOptions(const proto::DebugOptions& from) {
  if (from.debug_tensor_watch_opts().empty()) return nullptr;
  auto options = std::make_shared<DebugOptions>();
  for (const proto::DebugTensorWatch& watch : from.debug_tensor_watch_opts())
    options->watches.push_back(DecodeWatch(watch));
  options->global_step = from.global_step();
  options->reset_disk_usage = from.reset_disk_byte_usage();
  return options;
}

absl::StatusOr<std::shared_ptr<const DebugOptions>> ParseDebugOptions(const std::string& bytes) {
  proto::DebugOptions proto;
  if (!proto.ParseFromString(bytes)) return InvalidArgument("malformed DebugOptions");
  return DecodeDebugOptions(proto);
}

void EncodeDebugOptions(const DebugOptions& from, proto::DebugOptions* to) {
  for (const DebugWatch& watch : from.watches) {
    proto::DebugTensorWatch* out = to->add_debug_tensor_watch_opts();
    out->set_node_name(watch.node);
    out->set_output_slot(watch.output);
    out->mutable_debug_ops()->Add(watch.ops.begin(), watch.ops.end());
    out->mutable_debug_urls()->Add(watch.urls.begin(), watch.urls.end());
    out->set_tolerate_debug_op_creation_failures(watch.tolerates_failures);
  }
  to->set_global_step(from.global_step);
  to->set_reset_disk_byte_usage(from.reset_disk_usage);
}

std::vector<std::string> DecodeDebugUrls(const proto::DebugOptions& from) {
  std::vector<std::string> urls;
  for (const proto::DebugTensorWatch& watch : from.debug_tensor_watch_opts())
    urls.insert(urls.end(), watch.debug_urls().begin(), watch.debug_urls().end());
  return urls;
}

void EncodeDebugUrls(const std::vector<std::string>& urls, proto::DebugOptions* to) {
  to->add_debug_tensor_watch_opts()->mutable_debug_urls()->Add(urls.begin(), urls.end());
}

}  // namespace sluice::transport
