import { describe, expect, test } from "bun:test";
import type { AuditHead, AuditRow } from "@hearth/protocol";
import fc from "fast-check";
import { ANNEX, chain, headOf, HOUSE, keys, otherSealer, verify } from "./fixtures.conformance.ts";
import { markHead } from "./heads.ts";
import { verifyLog } from "./verify.ts";

const rows = chain(HOUSE, ['{"a":1}', '{"b":"x"}', "{}", '{"c":"é"}', '{"d":4}']);
const faults = async (found: ReturnType<typeof verify>) =>
  (await found).findings.map(({ fault, from, to }) => [fault, from, to]);
const at = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
};
const without = (index: number, count = 1) => rows.toSpliced(index, count);
const changed = (index: number, columns: Partial<AuditRow>) => rows.with(index, { ...at(rows, index), ...columns });

test("an unchanged log verifies, also with rows after its anchor", async () => {
  for (const count of [1, 3, 5])
    expect(await verify(rows, [headOf(rows.slice(0, count))], { end: 5 })).toEqual({
      house: HOUSE,
      rows: 5,
      findings: [],
    });
});

describe("findings name the fault and the rows", () => {
  test.each([
    ["a text that was changed", changed(2, { body: "{ }" }), [["changed", 3, 3]]],
    ["a time that was changed", changed(0, { at: 0 }), [["changed", 1, 1]]],
    ["a seal that was changed", changed(1, { seal: "0" }), [["changed", 2, 3]]],
    ["a seal that was removed", changed(1, { seal: null }), [["changed", 2, 3]]],
    ["a label that was added", changed(4, { labels: "" }), [["changed", 5, 5]]],
    ["a row that was removed", without(2), [["missing", 3, 3]]],
    ["rows that were removed", without(1, 3), [["missing", 2, 4]]],
    ["a first row that was removed", without(0), [["missing", 1, 1]]],
    ["last rows that were removed", without(3, 2), [["truncated", 4, 5]]],
    ["two rows with one offset", rows.toSpliced(2, 0, at(rows, 1)), [["forked", 2, 2]]],
    ["a row before the first", [{ ...at(rows, 0), offset: 0 }, ...rows], [["forked", 0, 0]]],
    ["rows that were added without the key", chain(HOUSE, ["{}"], otherSealer, rows), [["changed", 6, 6]]],
    [
      "nothing",
      [],
      [
        ["missing", undefined, undefined],
        ["truncated", 1, 5],
      ],
    ],
  ] as const)("%s", async (_what, tampered, expected) => {
    expect(await faults(verify(tampered, [headOf(rows)]))).toEqual(expected.map((fault) => [...fault]));
  });

  test("rows that were swapped", async () => {
    const swapped = rows.with(1, at(rows, 2)).with(2, at(rows, 1));
    expect(await faults(verify(swapped, [headOf(rows)]))).toEqual([
      ["missing", 2, 2],
      ["forked", 2, 2],
    ]);
    // With their offsets swapped too.
    const renumbered = swapped.map((row, index) => ({ ...row, offset: index + 1 }));
    expect((await verify(renumbered, [headOf(rows)])).findings[0]).toMatchObject({ fault: "changed", from: 2 });
  });

  test("a log that was restored and continued with the right key does not match its anchor", async () => {
    const other = chain(HOUSE, ["{}", "{}", "{}"], undefined, rows.slice(0, 3));
    expect(await faults(verify(other, [headOf(rows)]))).toEqual([["rewritten", 5, 5]]);
  });

  test("another house's log does not verify", async () => {
    const annex = chain(ANNEX, ["{}", "{}"]);
    expect((await faults(verify(annex, [headOf(annex, ANNEX)])))[0]).toEqual(["changed", 1, 2]);
    const renamed = annex.map((row) => ({ ...row, stream: at(rows, 0).stream }));
    expect((await faults(verify(renamed, [headOf(annex)])))[0]).toEqual(["changed", 1, 2]);
  });

  test("a stored end before or after the last row", async () => {
    expect(await faults(verify(rows, [headOf(rows)], { end: 7 }))).toEqual([["truncated", 6, 7]]);
    expect(await faults(verify(rows, [headOf(rows)], { end: 4 }))).toEqual([["forked", 5, 5]]);
  });

  test("a missing anchor, and one with another key", async () => {
    expect(await faults(verify(rows, []))).toEqual([["anchor", undefined, undefined]]);
    const forged: AuditHead = { ...headOf(rows), offset: 3, seal: at(rows, 2).seal ?? "" };
    expect(await faults(verify(rows.slice(0, 3), [forged]))).toEqual([["anchor", undefined, undefined]]);
  });

  test("an older anchor does not hide a newer one", async () => {
    const heads = [headOf(rows.slice(0, 2)), headOf(rows)];
    expect(await faults(verify(rows.slice(0, 3), heads))).toEqual([["truncated", 4, 5]]);
  });
});

test("messages name the rows", async () => {
  const { findings } = await verify(changed(1, { body: "" }), [headOf(chain(HOUSE, ["{}"], undefined, rows))]);
  expect(findings.map(({ text }) => text)).toEqual([
    "Row 2 is different from what was sealed.",
    "Row 6 is missing at the end.",
  ]);
});

describe("R30: every change without the key is found", () => {
  const column = fc.constantFrom("stream", "offset", "id", "type", "at", "body", "blob", "labels", "seal");
  const value = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.constant(null));
  const place = fc.nat(rows.length - 1);
  const text = (row: AuditRow): string => JSON.stringify(row);

  /** One change that an attacker with the database makes. */
  const act: fc.Arbitrary<(log: readonly AuditRow[]) => readonly AuditRow[]> = fc.oneof(
    fc.tuple(place, column, value).map(
      ([index, name, other]) =>
        (log: readonly AuditRow[]) =>
          log.map((row, own) => (own === index ? ({ ...row, [name]: other } as AuditRow) : row)),
    ),
    // Any character of any column.
    fc.tuple(place, column, fc.nat(), fc.string({ minLength: 1, maxLength: 1, unit: "binary" })).map(
      ([index, name, where, sign]) =>
        (log: readonly AuditRow[]) =>
          log.map((row, own) => {
            const old = Reflect.get(row, name);
            if (own !== index || typeof old !== "string" || old === "") return row;
            const cut = where % old.length;
            return { ...row, [name]: old.slice(0, cut) + sign + old.slice(cut + 1) };
          }),
    ),
    fc.tuple(place, fc.integer({ min: 1, max: 5 })).map(
      ([index, count]) =>
        (log: readonly AuditRow[]) =>
          log.toSpliced(index, count),
    ),
    fc.tuple(place, place).map(([from, to]) => (log: readonly AuditRow[]) => {
      const row = log[from];
      return row === undefined ? log : log.toSpliced(from, 1).toSpliced(to, 0, row);
    }),
    fc.tuple(place, place).map(([from, to]) => (log: readonly AuditRow[]) => {
      const row = log[from];
      return row === undefined ? log : log.toSpliced(to, 0, row);
    }),
    fc.tuple(place, fc.array(fc.string(), { minLength: 1, maxLength: 4 })).map(
      ([keep, bodies]) =>
        (log: readonly AuditRow[]) =>
          chain(HOUSE, bodies, otherSealer, log.slice(0, keep)),
    ),
    fc.constant((log: readonly AuditRow[]) => log.map((row, index) => ({ ...row, offset: index + 1 }))),
    fc.constant(() => chain(ANNEX, ["{}", "{}", "{}", "{}", "{}"])),
  );

  test("of the rows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), async (acts) => {
        const tampered = acts.reduce<readonly AuditRow[]>((log, apply) => apply(log), rows);
        const { findings } = await verify(tampered, [headOf(rows)]);
        const isSame =
          tampered.length === rows.length && tampered.every((row, index) => text(row) === text(at(rows, index)));
        expect(findings.length === 0).toBe(isSame);
      }),
      { numRuns: 3000 },
    );
  });

  test("of the anchor, with a log cut to fit it", async () => {
    const mark = fc.oneof(fc.string(), fc.constant(headOf(rows).mark), fc.constant(headOf(rows.slice(0, 2)).mark));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), mark, fc.integer(), async (keep, marked, instant) => {
        const cut = rows.slice(0, keep);
        const head = headOf(cut);
        const forged: AuditHead = { ...head, at: instant, mark: marked };
        const isSame = forged.mark === markHead(keys, forged).mark;
        expect((await verify(cut, [forged], { end: keep })).findings.length === 0).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });
});

test("a log that grows while it is read verifies", async () => {
  const grown = chain(HOUSE, ["{}", "{}"], undefined, rows);
  let end = rows.length;
  const pages = (async function* () {
    yield rows;
    end = grown.length;
    yield grown.slice(rows.length, -1);
  })();
  const report = await verifyLog({
    ...{ house: HOUSE, stream: `audit:${HOUSE}`, pages, heads: [headOf(rows)], keys, present: 0 },
    end: async () => end,
  });
  expect(report.findings).toEqual([]);
});
