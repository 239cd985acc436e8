"""Joins what the runner printed (test names) with what the testee logged (requests and replies).

Usage: names.py PRINTED LOG > vectors.tsv
"""

import re
import sys

names = {}
for line in open(sys.argv[1], errors="replace"):
    found = re.match(r'SKIPPED, test=(\S+) .*skipped: "request (\d+)\."', line)
    # The text-format suite starts a second testee, which counts from 0 again.
    if found:
        names.setdefault(found[2], found[1])
for line in open(sys.argv[2]):
    number, rest = line.split("\t", 1)
    print(names[number], rest, sep="\t", end="")
