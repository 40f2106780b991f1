// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/tcp/tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "transport/backends/tcp/socket.h"

namespace sluice::transport {
namespace {

constexpr size_t kRecordBytes = 16 << 10;  // the largest record of TLS

template <auto kFree>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using ContextPtr = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using SslPtr = std::unique_ptr<SSL, Freed<SSL_free>>;
using BioPtr = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using BioMethodPtr = std::unique_ptr<BIO_METHOD, Freed<BIO_meth_free>>;
using CertificatePtr = std::unique_ptr<X509, Freed<X509_free>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;

// The last OpenSSL error of this thread.
std::string Complaint() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  return reason == nullptr ? "OpenSSL gives no reason" : reason;
}

// --- A socket for OpenSSL; OpenSSL's own would raise SIGPIPE ---

int SocketOf(BIO* bio) { return static_cast<int>(reinterpret_cast<intptr_t>(BIO_get_data(bio))); }

int WriteSocket(BIO* bio, const char* data, int bytes) {
  BIO_clear_retry_flags(bio);
  const auto n = send(SocketOf(bio), data, static_cast<size_t>(bytes), MSG_NOSIGNAL);
  if (n < 0 && NotNow(errno)) BIO_set_retry_write(bio);
  return static_cast<int>(n);
}

int ReadSocket(BIO* bio, char* data, int bytes) {
  BIO_clear_retry_flags(bio);
  const auto n = recv(SocketOf(bio), data, static_cast<size_t>(bytes), 0);
  if (n == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  if (n < 0 && NotNow(errno)) BIO_set_retry_read(bio);
  return static_cast<int>(n);
}

long ControlSocket(BIO* bio, int command, long, void*) {  // NOLINT(google-runtime-int): OpenSSL's
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BioMethodPtr SocketMethod() {
  BioMethodPtr method(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket"));
  if (method == nullptr) return method;
  BIO_meth_set_write(method.get(), WriteSocket);
  BIO_meth_set_read(method.get(), ReadSocket);
  BIO_meth_set_ctrl(method.get(), ControlSocket);
  return method;
}

// --- One connection ---

class TlsWire final : public Wire {
 public:
  // `ssl` is null if there was no memory for it.
  TlsWire(std::shared_ptr<BIO_METHOD> method, SslPtr ssl)
      : method_(std::move(method)), ssl_(std::move(ssl)) {}

  absl::StatusOr<Progress> Write(absl::Span<const iovec> pieces) override {
    return Do("writing", [piece = pieces.front()](SSL* ssl, size_t* bytes) {
      return SSL_write_ex(ssl, piece.iov_base, std::min(piece.iov_len, kRecordBytes), bytes);
    });
  }
  absl::StatusOr<Progress> Read(absl::Span<const iovec> places) override {
    const iovec place = places.front();
    SLUICE_ASSIGN(Progress progress, Do("reading", [place](SSL* ssl, size_t* bytes) {
                    return SSL_read_ex(ssl, place.iov_base, place.iov_len, bytes);
                  }));
    // If it waits for something (also for room during a handshake), it is retried when the peer has
    // written.
    if (progress.next == Next::kAwaitPeer) progress.next = Next::kAwait;
    return progress;
  }
  bool holds_bytes() const override {
    absl::MutexLock lock(&mu_);
    return ssl_ != nullptr && SSL_pending(ssl_.get()) > 0;
  }

 private:
  template <typename Call>
  absl::StatusOr<Progress> Do(const char* what, const Call& call) {
    absl::MutexLock lock(&mu_);
    if (ssl_ == nullptr) return ResourceExhausted("there is no memory for TLS");
    ERR_clear_error();
    size_t bytes = 0;
    const int result = call(ssl_.get(), &bytes);
    if (result > 0) return Progress{bytes};
    switch (SSL_get_error(ssl_.get(), result)) {
      case SSL_ERROR_WANT_WRITE:
        return Progress{0, Next::kAwait};
      case SSL_ERROR_WANT_READ:
        return Progress{0, Next::kAwaitPeer};
      case SSL_ERROR_ZERO_RETURN:
        return Progress{0, Next::kEnded};
      case SSL_ERROR_SYSCALL:
        return Unavailable(what, " failed: ", strerror(errno));
      default:
        return Unavailable(what, " by TLS failed: ", Reason());
    }
  }
  std::string Reason() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    const auto verdict = SSL_get_verify_result(ssl_.get());
    if (verdict == X509_V_OK) return Complaint();
    return absl::StrCat("the peer's certificate: ", X509_verify_cert_error_string(verdict));
  }

  // OpenSSL does not count this reference. A loop may release a connection after its transport is
  // destroyed.
  const std::shared_ptr<BIO_METHOD> method_;
  mutable absl::Mutex mu_;
  const SslPtr ssl_ ABSL_PT_GUARDED_BY(mu_);
};

// --- The process ---

class OpenSsl final : public Tls {
 public:
  OpenSsl(ContextPtr context, BioMethodPtr method)
      : context_(std::move(context)), method_(std::move(method)) {}

  std::unique_ptr<Wire> Connecting(int socket, const std::string& host) const override {
    SslPtr ssl = On(socket);
    if (ssl != nullptr) {
      SSL_set_connect_state(ssl.get());
      if (!Expect(ssl.get(), host)) ssl.reset();
    }
    return std::make_unique<TlsWire>(method_, std::move(ssl));
  }
  std::unique_ptr<Wire> Accepting(int socket) const override {
    SslPtr ssl = On(socket);
    if (ssl != nullptr) SSL_set_accept_state(ssl.get());
    return std::make_unique<TlsWire>(method_, std::move(ssl));
  }

 private:
  // The peer's certificate must name `host`: an address, or a name.
  static bool Expect(SSL* ssl, const std::string& host) {
    in6_addr address;
    if (inet_pton(AF_INET, host.c_str(), &address) == 1 ||
        inet_pton(AF_INET6, host.c_str(), &address) == 1)
      return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1;
    return SSL_set1_host(ssl, host.c_str()) == 1 &&
           SSL_set_tlsext_host_name(ssl, host.c_str()) == 1;
  }

  SslPtr On(int socket) const {
    SslPtr ssl(SSL_new(context_.get()));
    BioPtr bio(BIO_new(method_.get()));
    if (ssl == nullptr || bio == nullptr) return nullptr;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a BIO stores only a pointer for us
    BIO_set_data(bio.get(), reinterpret_cast<void*>(static_cast<intptr_t>(socket)));
    BIO_set_init(bio.get(), 1);
    // now owned by the connection, once for reading and once for writing
    BIO* const both = bio.release();
    SSL_set_bio(ssl.get(), both, both);
    return ssl;
  }

  const ContextPtr context_;
  const std::shared_ptr<BIO_METHOD> method_;
};

// The certificates in a PEM text; empty if one of them cannot be read.
std::vector<CertificatePtr> Certificates(const std::string& pem) {
  std::vector<CertificatePtr> all;
  const BioPtr text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  while (X509* const one = PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr))
    all.emplace_back(one);
  const bool to_the_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (!to_the_end) all.clear();
  if (!all.empty()) ERR_clear_error();
  return all;
}

KeyPtr Key(const std::string& pem) {
  const BioPtr text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  // Without a callback for the passphrase, OpenSSL asks on the terminal.
  const auto nobody = [](char*, int, int, void*) { return 0; };
  return KeyPtr(PEM_read_bio_PrivateKey(text.get(), nullptr, nobody, nullptr));
}

absl::Status Trust(SSL_CTX* context, const std::string& ca) {
  const auto authorities = Certificates(ca);
  if (authorities.empty())
    return InvalidArgument("the authority's certificate cannot be read: ", Complaint());
  for (const auto& authority : authorities)
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.get());
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return absl::OkStatus();
}

absl::Status Show(SSL_CTX* context, const std::string& cert, const std::string& key) {
  const auto chain = Certificates(cert);
  if (chain.empty() || SSL_CTX_use_certificate(context, chain.front().get()) != 1)
    return InvalidArgument("the certificate cannot be used: ", Complaint());
  for (size_t i = 1; i < chain.size(); ++i) SSL_CTX_add1_chain_cert(context, chain[i].get());
  const KeyPtr own = Key(key);
  if (own == nullptr || SSL_CTX_use_PrivateKey(context, own.get()) != 1)
    return InvalidArgument("the key does not go with the certificate: ", Complaint());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Tls>> CreateTls(const Credentials& credentials) {
  ERR_clear_error();
  ContextPtr context(SSL_CTX_new(TLS_method()));
  BioMethodPtr method = SocketMethod();
  if (context == nullptr || method == nullptr) return ResourceExhausted("no memory for TLS");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION);
  SSL_CTX_set_num_tickets(context.get(), 0);  // connections are long-lived
  // A message is written again from the same memory, and may be written in part.
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // A killed process sends no close_notify. The stream's own checks find incomplete data.
  SSL_CTX_set_options(context.get(), SSL_OP_IGNORE_UNEXPECTED_EOF);
  SLUICE_RETURN_IF_ERROR(Trust(context.get(), credentials.ca));
  SLUICE_RETURN_IF_ERROR(Show(context.get(), credentials.cert, credentials.key));
  return std::make_shared<const OpenSsl>(std::move(context), std::move(method));
}

}  // namespace sluice::transport
