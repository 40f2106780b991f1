#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rdma_guest.sh --fetch: downloads the kernel, if that was not done before.
# rdma_guest.sh PROGRAM [ARGUMENT...]: runs a program in a small virtual machine that has a Soft-RoCE device, rxe0 on a
# dummy interface at 10.8.0.1. QEMU emulates the processor, so the host needs no virtualisation. The exit status is the
# program's; 124: it ran too long, 125: the guest ended without a status.
#
# Needs Debian's qemu-system-x86, busybox-static, iproute2, ibverbs-providers. The kernel and its modules are downloaded
# once (70 MB, 66 MB kept).
#
# PROGRAM may be a script of /bin/sh.
#
# Environment: RDMA_GUEST_CACHE  folder of the kernel (default ~/.cache/sluice-rdma-guest)
#              RDMA_GUEST_LIMIT  seconds (default 1800)
#              RDMA_GUEST_PROGRAMS  more programs, separated by spaces; the guest has them in /bin, libraries at their own
#                                   paths
#              GTEST_*, RDMA_TEST_*  are passed on
set -euo pipefail

CACHE=${RDMA_GUEST_CACHE:-$HOME/.cache/sluice-rdma-guest}
# In the order in which they are loaded. rdma_rxe finds crc32 by name, so no dependency of it says that it needs it.
MODULES=(crc32_generic dummy ib_core ib_uverbs configfs ib_cm iw_cm rdma_cm rdma_ucm udp_tunnel ip6_udp_tunnel rdma_rxe)

# vmlinux and the modules in the cache. The cloud kernel of Debian has no rdma_rxe.
fetch_kernel() {
  local package unpacked files=("${MODULES[@]/#/*/}")
  files=("${files[@]/%/.ko}")
  package=$(apt-cache depends linux-image-amd64 | grep -oE 'linux-image-6[^ ]+' | head -1)
  unpacked=$(mktemp -d)
  (
    cd "$unpacked"
    apt-get -q download "$package" >&2
    dpkg-deb --fsys-tarfile linux-image-*.deb | tar x --wildcards './boot/vmlinuz*' "${files[@]}"
  )
  mkdir -p "$CACHE/modules"
  for module in "${MODULES[@]}"; do find "$unpacked" -name "$module.ko" -exec cp {} "$CACHE/modules/" \;; done
  /usr/bin/python3 - "$unpacked"/boot/vmlinuz-* "$CACHE/vmlinux.part" <<'PYTHON'
import lzma, sys
with open(sys.argv[1], "rb") as file:
    image = file.read()
with open(sys.argv[2], "wb") as out:
    out.write(lzma.LZMADecompressor().decompress(image[image.find(b"\xfd7zXZ\x00"):]))
PYTHON
  mv "$CACHE/vmlinux.part" "$CACHE/vmlinux"
  rm -rf "$unpacked"
}

# put FILE PATH: copies a program to the guest, with the libraries that it names.
put() {
  local library
  install -D "$1" "$ROOT/$2"
  { ldd "$1" 2>/dev/null | grep -oE '/[^ ]+\.so[^ ]*' || true; } | while read -r library; do
    [[ -e $ROOT$library ]] || install -D "$library" "$ROOT$library"
  done
}

fill_guest() {
  local provider module program
  mkdir -p "$ROOT"/{bin,proc,sys,dev,tmp,run,modules,etc/libibverbs.d,lib64}
  put "$(command -v busybox)" bin/busybox
  put "$(command -v ip)" bin/ip.real
  put "$(command -v rdma)" bin/rdma
  # The library opens it by name: ldd does not list it.
  provider=$(ls /usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav*.so)
  install -D "$provider" "$ROOT$provider"
  put "$(readlink -f /usr/lib/x86_64-linux-gnu/libibverbs.so.1)" usr/lib/x86_64-linux-gnu/libibverbs.so.1
  cp /etc/libibverbs.d/rxe.driver "$ROOT/etc/libibverbs.d/"
  cp -L /lib64/ld-linux-x86-64.so.2 "$ROOT/lib64/"
  for module in "${MODULES[@]}"; do cp "$CACHE/modules/$module.ko" "$ROOT/modules/"; done
  put "$1" program
  shift
  for program in ${RDMA_GUEST_PROGRAMS:-}; do
    case $program in
      *.so*) put "$program" "$program" ;;
      *) put "$program" "bin/$(basename "$program")" ;;
    esac
  done
  printf '%q ' "$@" >"$ROOT/arguments"
  { env | grep -E '^(GTEST_|RDMA_TEST_)' || true; } | sed 's/^/export /' >"$ROOT/environment"
  printf '%s\n' 'root:x:0:0::/:/bin/sh' 'nobody:x:65534:65534::/:/bin/sh' >"$ROOT/etc/passwd"
  echo '127.0.0.1 localhost' >"$ROOT/etc/hosts"
  cat >"$ROOT/init" <<INIT
#!/bin/busybox sh
/bin/busybox --install -s /bin 2>/dev/null
export PATH=/bin HOME=/
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mkdir -p /dev/shm; mount -t tmpfs shm /dev/shm
ulimit -l unlimited
for module in ${MODULES[*]}; do insmod /modules/\$module.ko || echo "no module \$module"; done
/bin/ip.real link set lo up; /bin/ip.real addr add 10.8.0.1/24 dev dummy0; /bin/ip.real link set dummy0 mtu 9000 up
rdma link add rxe0 type rxe netdev dummy0
n=0
until grep -q ffff:0a08:0001 /sys/class/infiniband/rxe0/ports/1/gids/1 2>/dev/null || [ \$n -gt 100 ]; do
  n=\$((n + 1)); usleep 50000
done
. /environment
eval "/program \$(cat /arguments)"
status=\$?
[ \$status -gt 126 ] && status=126
printf "\\\\\$(printf %03o \$status)" | dd of=/dev/port bs=1 seek=244 count=1 2>/dev/null
poweroff -f
INIT
  chmod +x "$ROOT/init"
}

[[ -s $CACHE/vmlinux ]] || fetch_kernel
[[ $1 != --fetch ]] || exit 0
ROOT=$(mktemp -d)
chmod 755 "$ROOT"
trap 'rm -rf "$ROOT" "$ROOT.cpio"' EXIT
fill_guest "$@"
# Unpacking takes the emulated processor longer than reading.
(cd "$ROOT" && find . | busybox cpio -o -H newc 2>/dev/null) >"$ROOT.cpio"
status=0
# The largest processor: programs are built for x86-64-v3. On a busy host the kernel's check of its timer fails.
timeout "${RDMA_GUEST_LIMIT:-1800}" qemu-system-x86_64 -nodefaults -no-user-config -nographic \
  -serial stdio -monitor none \
  -no-reboot -nic none -machine q35 -accel tcg,thread=multi -cpu max -smp 2 -m 3G -kernel "$CACHE/vmlinux" \
  -initrd "$ROOT.cpio" -append 'console=ttyS0 quiet panic=-1 no_timer_check' -device isa-debug-exit,iobase=0xf4,iosize=0x04 \
  </dev/null || status=$?
case $status in
  124) echo "rdma_guest: the guest ran too long" >&2; exit 124 ;;
  0) echo "rdma_guest: the guest ended without a status" >&2; exit 125 ;;
esac
exit $(((status - 1) / 2))
