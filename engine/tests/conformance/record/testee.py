"""The program under test for the suite's runner: answers nothing, remembers every request and what upb makes of it.

Each answer skips the test with the request's number, so that the runner, which never tells a test's name
beforehand, prints name and number together. Usage: testee.py DESCRIPTORS LOG (started by the runner)
"""

import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory

BINARY = 1


def pool_of(path):
    files = descriptor_pb2.FileDescriptorSet.FromString(open(path, "rb").read())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file) if hasattr(pool, "Add") else pool.AddSerializedFile(file.SerializeToString())
    # Extensions are only known to a message class after their file was built.
    message_factory.GetMessageClassesForFiles([file.name for file in files.file], pool)
    return pool


def reply(pool, request):
    """The message as upb writes it, or `error`."""
    of = message_factory.GetMessageClass(pool.FindMessageTypeByName(request.message_type))
    read = of()
    try:
        read.ParseFromString(request.protobuf_payload)
    except message.DecodeError:
        return "error"
    return read.SerializeToString(deterministic=True).hex()


def read_exactly(count):
    data = sys.stdin.buffer.read(count)
    return data if len(data) == count else None


def main(descriptors, log):
    pool = pool_of(descriptors)
    named = lambda name: message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    Request, Response = named("conformance.ConformanceRequest"), named("conformance.ConformanceResponse")
    with open(log, "a") as out:
        number = 0
        while (head := read_exactly(4)) is not None:
            request = Request.FromString(read_exactly(struct.unpack("<I", head)[0]))
            answer = Response()
            if request.message_type == "conformance.FailureSet":
                answer.protobuf_payload = b""
            else:
                is_binary = request.WhichOneof("payload") == "protobuf_payload"
                if is_binary and request.requested_output_format == BINARY:
                    row = (number, request.message_type, request.protobuf_payload.hex(), reply(pool, request))
                    print(*row, sep="\t", file=out, flush=True)
                answer.skipped = f"request {number}."
                number += 1
            data = answer.SerializeToString()
            sys.stdout.buffer.write(struct.pack("<I", len(data)) + data)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
