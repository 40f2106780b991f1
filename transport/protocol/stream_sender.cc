// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/stream_sender.h"

#include <optional>
#include <utility>

#include "core/version.h"

namespace sluice::transport {

std::string StreamSender::Greeting(const std::string& token, uint64_t stream) const {
  std::string text;
  WriteHello(
      {kStreamProtocol, peer_.as.empty() ? self_.task : peer_.as, kVersion, self_.incarnation,
       peer_.task, static_cast<uint64_t>(self_.credit_bytes), token, stream},
      &text);
  return text;
}

void StreamSender::Send(Outgoing&& out, Parcel&& parcel) {
  switch (window_.Send(out.id, parcel)) {
    case PushWindow::Verdict::kPush:
      launch_(std::move(out), /*pulled=*/false);
      break;
    case PushWindow::Verdict::kAnnounce:
      WriteAnnounce(out.id, out.head, &queue_.control());
      break;
    case PushWindow::Verdict::kDrop:
      break;
  }
}

absl::Status StreamSender::Take(const StreamFrame& frame) {
  switch (frame.kind) {
    case FrameKind::kHello:
      return TakeHello(frame.hello);
    case FrameKind::kPull: {
      const std::optional<Parcel> parcel = window_.Pull(frame.id);
      if (!parcel.has_value()) return absl::OkStatus();  // already pulled, or its step ended
      return SendKept(frame.id, *parcel, /*pulled=*/true);
    }
    case FrameKind::kCredit:
      for (const auto& [id, parcel] :
           window_.Consumed(frame.id.step, static_cast<int64_t>(frame.bytes)))
        SLUICE_RETURN_IF_ERROR(SendKept(id, parcel, /*pulled=*/false));
      return absl::OkStatus();
    case FrameKind::kEnd:
      window_.PeerEndStep(frame.id.step);
      queue_.DropStep(frame.id.step);
      return absl::OkStatus();
    default:
      return InvalidArgument("frame kind ", static_cast<int>(frame.kind),
                             " does not travel this way");
  }
}

absl::Status StreamSender::TakeHello(const Hello& hello) {
  if (hello.task != peer_.task)
    return FailedPrecondition("expected ", peer_.task, ", found ", hello.task);
  if (hello.protocol != kStreamProtocol || hello.version != kVersion) {
    return FailedPrecondition("it runs version ", hello.version, ", ", self_.task, " runs ",
                              kVersion);
  }
  open_ = true;
  return absl::OkStatus();
}

absl::Status StreamSender::SendKept(const ParcelId& id, const Parcel& parcel, bool pulled) {
  SLUICE_ASSIGN(Outgoing out, Outgoing::Of(id, parcel));
  out.head.announced = true;
  launch_(std::move(out), pulled);
  return absl::OkStatus();
}

absl::Status StreamSender::Lost(const absl::Status& why) const {
  return MakeStatus(absl::IsDataLoss(why) ? why.code() : absl::StatusCode::kUnavailable, "task ",
                    peer_.task, " at ", peer_.address, ": ",
                    why.message().empty() ? "it ended the tensor stream" : why.message());
}

absl::Status StreamSender::CannotOpen(const absl::Status& why) const {
  return {why.code(), Lost(why).message()};
}

StreamSender::Held StreamSender::Forget() {
  open_ = false;
  Held held{std::exchange(window_, PushWindow(self_.credit_bytes)), std::move(queue_)};
  queue_ = OutQueue(self_.checksums);
  return held;
}

}  // namespace sluice::transport
