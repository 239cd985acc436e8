#!/bin/sh
# Records how QEMU executes each fixture: NAME.elf -> NAME.golden, in the folder given (default: here).
# Needs qemu-system-arm (Debian 12: 7.2) and rustc. The golden files come from nowhere else.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${RUSTC:-rustc}" -O --edition 2024 -o "$work/hash" "$here/hash_qemu_log.rs"
version=$(qemu-system-arm --version | head -n 1)

for elf in "$here"/*.elf; do
    name=$(basename "$elf" .elf)
    set -- qemu-system-arm -M netduinoplus2 -nographic -monitor none -serial none -semihosting \
        -singlestep -d exec,cpu,fpu,nochain -D /dev/stdout -kernel
    {
        echo "# Rolling hashes of all registers, recorded by record.sh; see hash_qemu_log.rs."
        echo "# qemu: $version"
        echo "# command: $* $name.elf | hash_qemu_log"
    } > "$work/golden"
    mkfifo "$work/log"
    "$@" "$elf" > "$work/log" &
    "$work/hash" "$elf" < "$work/log" >> "$work/golden"
    wait $! || { echo "QEMU failed on $name.elf" >&2; exit 1; }
    rm "$work/log"
    mv "$work/golden" "$out/$name.golden"
done
