import { expect, test } from "bun:test";
import { logLevels } from "@hearth/protocol";
import { createFakeDisk } from "./fake-disk.ts";
import { createFileSink, MAX_FILE_BYTES, OLD_FILES } from "./file.ts";
import { createSink, type SinkKind, sinks } from "./index.ts";
import { createFakeLog, createLog } from "./log.ts";
import { type SinkHarness, sinkConformance } from "./sink.conformance.ts";

/** A sink over a disk and a standard error in memory. */
const setUp = (...to: readonly SinkKind[]) => {
  const disk = createFakeDisk();
  const said: string[] = [];
  let isGone = false;
  const stderr = (text: string): void => {
    if (isGone) throw new Error("broken pipe");
    said.push(text);
  };
  const breakDown = (): void => {
    disk.full = { acceptedLength: 0 };
    isGone = true;
  };
  return { disk, said, stderr, breakDown, sink: createSink(to, { disk, stderr }) };
};
const linesOf = (text: string): readonly string[] => text.split("\n").slice(0, -1);

const onDisk =
  (...to: readonly SinkKind[]) =>
  (): SinkHarness => {
    const { disk, ...harness } = setUp(...to);
    return { ...harness, lines: () => linesOf(disk.files[0] ?? "") };
  };
sinkConformance("noop", onDisk(), { keeps: "nothing" });
sinkConformance("file", onDisk("file"), { keeps: "lines" });
sinkConformance("multi", onDisk("stderr", "file"), { keeps: "lines" });
sinkConformance(
  "stderr",
  () => {
    const { said, ...harness } = setUp("stderr");
    return { ...harness, lines: () => linesOf(said.join("")) };
  },
  { keeps: "lines" },
);

test("several sinks each get every line, and a sink named twice gets it once", () => {
  const { disk, said, sink } = setUp("file", "stderr", "file");
  sink.write("one");
  expect([disk.files, said]).toEqual([["one\n"], ["one\n"]]);
  expect(Object.keys(sinks)).toEqual(["file", "stderr"]);
});

test("a file that has grown too large is rotated, and the last few old ones stay", () => {
  const { disk, stderr } = setUp();
  disk.files.push("from an earlier start\n");
  const sink = createFileSink({ disk, stderr });
  const large = "ü".repeat(MAX_FILE_BYTES / 4);
  for (let count = 0; count < 20; count += 1) sink.write(`${count} ${large}`);
  expect(disk.files).toHaveLength(1 + OLD_FILES);
  for (const file of disk.files) expect(new TextEncoder().encode(file).length).toBeLessThanOrEqual(MAX_FILE_BYTES);
  const numbers = disk.files.toReversed().flatMap((file) => linesOf(file).map((line) => Number(line.split(" ")[0])));
  expect(numbers).toEqual([16, 17, 18, 19]);
});

test("a line larger than a file is written to its own file", () => {
  const { disk, sink } = setUp("file");
  sink.write("small");
  sink.write("x".repeat(MAX_FILE_BYTES + 1));
  sink.write("small");
  expect(disk.files.map((file) => file.length)).toEqual([6, MAX_FILE_BYTES + 2, 6]);
});

test("a line that the disk does not accept goes to standard error, and the next one starts on a new line", () => {
  const { disk, said, sink } = setUp("file");
  sink.write("one");
  disk.full = { acceptedLength: 2 };
  sink.write("two");
  expect(said).toEqual(["two\n"]);
  disk.full = undefined;
  sink.write("three");
  expect(disk.files).toEqual(["one\ntw\nthree\n"]);
});

test("when rotation fails, lines go to standard error and the file stops growing", () => {
  const { disk, said, sink } = setUp("file");
  sink.write("x".repeat(MAX_FILE_BYTES - 1));
  disk.full = { acceptedLength: 100 };
  for (const line of ["one", "two"]) sink.write(line);
  expect(said).toEqual(["one\n", "two\n"]);
  expect(disk.sizeBytes()).toBe(MAX_FILE_BYTES);
});

test("a line is one JSON object with a description of the error", () => {
  const log = createFakeLog();
  log.write("warn", "a disk is slow", { error: Object.assign(new Error("too slow"), { code: "EIO" }), count: 2 });
  expect(log.lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...{ at: "1970-01-01T00:00:00.000Z", level: "warn", message: "a disk is slow", count: 2 },
      error: { name: "Error", message: "too slow", stack: expect.any(String), code: "EIO" },
    },
  ]);
});

test("a line is redacted everywhere", () => {
  const lines: string[] = [];
  const log = createLog({
    ...{ now: () => 0, level: "debug", sink: { write: (line) => void lines.push(line) } },
    redact: (line) => line.replaceAll("hush", "[left out]"),
  });
  log.write("info", "hush one", { two: "hush", error: new Error("hush three") });
  expect(lines.join()).not.toContain("hush");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    message: "[left out] one",
    error: { message: "[left out] three" },
  });
});

test.each(logLevels)("from %s on, lower levels are dropped", (level) => {
  const lines: string[] = [];
  const log = createLog({ now: () => 0, level, sink: { write: (line) => void lines.push(line) } });
  for (const each of logLevels) log.write(each, each);
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(logLevels.slice(logLevels.indexOf(level)));
});
