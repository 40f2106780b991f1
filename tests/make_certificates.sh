#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes in the folder $1 what a cluster on this machine wants for TLS, valid for a day, and what goes wrong with it:
#   ca.pem                     the authority; stranger_ca.pem is another
#   task.pem task.key          of a task at localhost; client.pem client.key of a client
#   expired.pem expired.key    of a task, out of date
#   token wrong_token          files with a token each
set -e
cd "$1"

authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj "/CN=$1" \
    -keyout "$1.key" -out "$1.pem"
}

# certificate NAME DAYS
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -set_serial 1 -days "$2" -extfile names -out "$1.pem"
}

{
  authority ca
  authority stranger_ca
  echo "subjectAltName=DNS:localhost,IP:127.0.0.1" >names
  certificate task 1
  certificate client 1
  certificate expired -1
} >log 2>&1 || { cat log >&2; exit 1; }
openssl rand -hex 32 >token
openssl rand -hex 32 >wrong_token
