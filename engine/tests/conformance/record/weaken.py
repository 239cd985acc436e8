"""Marks the version needs of an ELF file that this system's C and C++ libraries lack as weak, in a copy.

The suite's runner is linked against glibc 2.38 and libstdc++ 13; it runs on older ones with the five symbols that are
behind that in `shim.c`. Usage: weaken.py RUNNER COPY
"""

import struct
import sys

LACKING = {b"GLIBC_2.38", b"GLIBCXX_3.4.32"}
SHT_GNU_VERNEED = 0x6FFFFFFE
VER_FLG_WEAK = 2


def weaken(elf: bytearray) -> int:
    """Sets the flag in place; returns how many version needs were met."""
    sections_at, = struct.unpack_from("<Q", elf, 0x28)
    size, count = struct.unpack_from("<HH", elf, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, sections_at + i * size) for i in range(count)]
    met = 0
    for _, kind, _, _, at, _, link, files, _, _ in sections:
        if kind != SHT_GNU_VERNEED:
            continue
        names = sections[link][4]
        for _ in range(files):
            _, needs, _, first, next_file = struct.unpack_from("<HHIII", elf, at)
            need = at + first
            for _ in range(needs):
                _, flags, _, name, next_need = struct.unpack_from("<IHHII", elf, need)
                start = names + name
                if bytes(elf[start : elf.index(0, start)]) in LACKING:
                    struct.pack_into("<H", elf, need + 4, flags | VER_FLG_WEAK)
                    met += 1
                need += next_need
            at += next_file
    return met


if __name__ == "__main__":
    data = bytearray(open(sys.argv[1], "rb").read())
    if weaken(data) != len(LACKING):
        sys.exit("the runner needs other versions than expected")
    open(sys.argv[2], "wb").write(data)
