#!/bin/sh
# Builds the fixtures beside this folder. Needs Debian's rustc with rust-src, and ld.lld. Rebuild only
# to change what is exercised, and record anew with ../record.sh afterwards.
set -eu
cd "$(dirname "$0")"
export RUSTC=${RUSTC:-/usr/bin/rustc} RUSTC_BOOTSTRAP=1
build() {
    "${CARGO:-/usr/bin/cargo}" build -Z build-std=core --target thumbv7em-none-eabihf --profile "$1" --bin "$2"
}
out=${CARGO_TARGET_DIR:-target}/thumbv7em-none-eabihf
build release workloads && cp "$out/release/workloads" ../workloads-o3.elf
build size workloads && cp "$out/size/workloads" ../workloads-os.elf
build size instructions && cp "$out/size/instructions" ../instructions.elf
ls -l ../*.elf
