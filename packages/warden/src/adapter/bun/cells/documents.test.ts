/** Hostile documents in real cells. Those that take seconds run with `npm run test:long`. */
import { afterAll, describe, expect, test } from "bun:test";
import type { Clock } from "@hearth/protocol";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { until } from "@hearth/protocol/until";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, deflateSync, gzipSync } from "node:zlib";
import type { CellBackend, Probe } from "../../../cells/backend.ts";
import { type Conversion, createDocuments, type Documents } from "../../../cells/documents.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { createBubblewrapBackend } from "./bubblewrap.ts";
import { createInmateProgram } from "./inmate-program.ts";
import { createLandlockBackend } from "./landlock.ts";
import { createScratch } from "./scratch.ts";

const folder = `${tmpdir()}/hearth-documents-${process.pid}`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = createBunClock();
/** A clock with which a conversion has two seconds instead of thirty. */
const fastClock: Pick<Clock, "sleep"> = { sleep: (ms, signal) => clock.sleep(ms / 15, signal) };
const common = { program: createInmateProgram(folder, folder), clock, log: createFakeLog(), folder };
const isWhole = process.env["HEARTH_WHOLE"] !== undefined;
const scratch = join(folder, "scratch");

/** Processes of these cells: each runs a program of this folder, or sees one as a mount. */
const running = (): readonly string[] =>
  readdirSync("/proc").filter(
    (name) =>
      /^\d+$/.test(name) && [`/proc/${name}/cmdline`, `/proc/${name}/mountinfo`].some((file) => contains(file, folder)),
  );
const contains = (file: string, words: string): boolean => {
  try {
    return readFileSync(file, "utf8").includes(words);
  } catch {
    // The process has ended.
    return false;
  }
};

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** A PDF with these objects, from 1 on. Object 1 is its catalog. */
const pdfOf = (objects: readonly string[]): Uint8Array => {
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  return latin(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`);
};
const stream = (dictionary: string, content: string): string =>
  `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** A page whose form shows another form ten times, and so on: 10 to the power of `depth` texts. */
const formBomb = (depth: number, text: string): Uint8Array => {
  const FIRST = 6;
  const resources = (next: number): string => `/Resources << /Font << /F 5 0 R >> /XObject << /X ${next} 0 R >> >>`;
  const form = (next: number, content: string): string =>
    stream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources(next)}`, content);
  const forms = Array.from({ length: depth }, (_, index) => form(FIRST + index + 1, "/X Do ".repeat(10)));
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R ${resources(FIRST)} >>`,
    stream("", "/X Do"),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...forms,
    form(FIRST, text),
  ]);
};
/** A page whose content has `times` times 64 MiB when it is unpacked. */
const contentBomb = (times: number): Uint8Array => {
  const HEADER = 2;
  const packed = deflateSync(new Uint8Array(64 * 1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
  const [header, blocks] = [packed.subarray(0, HEADER), packed.subarray(HEADER)];
  const content = Buffer.concat([header, ...Array.from({ length: times }, () => blocks)]).toString("latin1");
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
    stream("/Filter /FlateDecode", content),
  ]);
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
const convert = (documents: Documents, bytes: Uint8Array): Promise<Conversion> =>
  documents.convert(once(bytes), bytes.length);

const NOTICE = latin("{\\rtf1 The lease begins in May.}");

/** The next document is converted, and nothing of either is left. */
const expectUnharmed = async (documents: Documents): Promise<void> => {
  expect((await convert(documents, NOTICE)).result).toEqual({
    kind: "text",
    text: "The lease begins in May.",
    cut: false,
  });
  expect([running(), readdirSync(scratch)]).toEqual([[], []]);
};

const testCells = (backend: CellBackend, probe: Probe): void => {
  const open = (usedClock: Pick<Clock, "sleep"> = clock): Documents =>
    createDocuments({
      backends: { choose: async () => ({ backend, probe }) },
      clock: { ...clock, ...usedClock },
      scratch: createScratch(scratch),
    });

  test("A38: a bomb is refused by the converter, which ends", async () => {
    const documents = open();
    expect(await convert(documents, gzipSync(new Uint8Array(32 * 1024 * 1024)))).toEqual({
      result: { kind: "refused", why: "It grows more than 250 times when it is unpacked." },
      isFinal: true,
    });
    await expectUnharmed(documents);
  });

  const BARS = {
    mark: "bar",
    encoding: { x: { field: "a", type: "nominal" }, y: { field: "b", type: "quantitative" } },
  };

  test("a chart is drawn in a cell, which ends", async () => {
    const documents = open();
    const drawn = await documents.draw({ spec: BARS, table: "a,b\nMay,12\nJune,31\n" });
    expect(drawn.kind === "chart" && drawn.svg.match(/aria-roledescription="bar"/g)).toHaveLength(2);
    await expectUnharmed(documents);
  });

  test("A55: a chart that computes without end is ended after its time", async () => {
    const documents = open(fastClock);
    const filter = `test(/^(a|a?)+$/, '${"a".repeat(60)}b')`;
    // Many rows, because an interpreted expression gives up after a million steps, and a compiled one never ends.
    const data = { sequence: { start: 0, stop: 100_000 } };
    expect(await documents.draw({ spec: { ...BARS, data, transform: [{ filter }] } })).toEqual({
      kind: "refused",
      why: "Drawing the chart took longer than 30 s.",
    });
    await expectUnharmed(open());
  });

  test("A55: a chart that needs more memory than the limit ends its own process", async () => {
    const documents = open();
    const data = { sequence: { start: 0, stop: 1e9 } };
    expect(await documents.draw({ spec: { ...BARS, data } })).toEqual({
      kind: "refused",
      why: expect.stringMatching(/^The process that drew the chart ended: it .*768 MiB of memory/),
    });
    await expectUnharmed(documents);
  });

  const testLong = isWhole ? test : test.skip;
  const long = (title: string): string => (isWhole ? title : `${title} (takes seconds: npm run test:long)`);

  testLong(long("A40: a document that computes without end is ended after its time"), async () => {
    const documents = open(fastClock);
    const converting = convert(documents, formBomb(9, "BT /F 1 Tf (a) Tj ET"));
    await until(() => running().length > 0);
    expect(await converting).toEqual({
      result: { kind: "refused", why: "Reading it took longer than 30 s." },
      isFinal: false,
    });
    await expectUnharmed(documents);
  });

  test("A40: a document that needs more memory than the limit ends its own process", async () => {
    const documents = open();
    expect(await convert(documents, contentBomb(32))).toEqual({
      result: {
        kind: "refused",
        why: expect.stringMatching(/^The process that read it ended: it .*768 MiB of memory/),
      },
      isFinal: false,
    });
    await expectUnharmed(documents);
  });
};

for (const backend of [createBubblewrapBackend(common), createLandlockBackend(common)]) {
  const probe = await backend.probe();
  if (probe.ok) describe(backend.kind, () => testCells(backend, probe));
  else test.skip(`${backend.kind}: ${probe.why}`, () => {});
}
