// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_TRANSPORT_CERTIFICATES_H_
#define SLUICE_TESTS_TRANSPORT_CERTIFICATES_H_

#include <string>

#include "transport/credentials.h"

namespace sluice::transport {

// A folder with the output of tests/make_certificates.sh. It is made once, and the system clears
// it.
const std::string& CertificateFolder();

// The files of `name` ("task", "client", "expired"; empty: none of its own), by this authority,
// with this token.
CredentialFiles FilesOf(const std::string& name, const std::string& ca = "ca",
                        const std::string& token = "token");
Credentials CredentialsOf(const std::string& name, const std::string& ca = "ca",
                          const std::string& token = "token");

}  // namespace sluice::transport

#endif  // SLUICE_TESTS_TRANSPORT_CERTIFICATES_H_
