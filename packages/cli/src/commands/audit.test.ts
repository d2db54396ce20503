/** The audit commands against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
const path = (...more: readonly string[]): string => ["/api/houses", house.house.id, "audit", ...more].join("/");
const row = (offset: number, type: string, facts: object) => ({
  stream: `audit:${house.house.id}`,
  offset,
  id: `e${offset}`,
  type,
  at: 1,
  blob: null,
  labels: null,
  seal: "s",
  body: JSON.stringify(facts),
});

test("rows show the handles of agents, and no hashes", async () => {
  const rows = [
    row(1, "grant", { change: "written", by: house.owner.id, agent: house.main.id, level: "w" }),
    row(2, "step", {
      change: "changed",
      agent: house.main.id,
      person: house.owner.id,
      state: "done",
      output_sha256: "f",
    }),
    { ...row(3, "step", {}), body: "no JSON" },
  ];
  house.answer(`GET ${path()}`, { house: house.house.id, rows: rows.toReversed() });
  const lines = (await hearth("audit", "list", "--limit", "3")).out.split("\n");
  expect(lines[0]).toMatch(/^ROW +WHEN +ACTION +BY +DETAILS$/);
  expect(lines[1]).toMatch(/^1 .* grant written +@owner +agent=@main level=w$/);
  expect(lines[2]).toMatch(/^2 .* step changed +@main +person=@owner state=done$/);
  expect(lines[3]).toMatch(/^3 .* step$/);
  expect(JSON.parse((await hearth("audit", "list", "--json")).out)).toEqual(rows);
});

test("list sends its filters, and continues until it has the rows or no older rows match", async () => {
  const rows = [row(7, "grant", { change: "written" })];
  house.answer(`GET ${path()}`, { house: house.house.id, rows, next: 3 });
  const filter = ["--type", "grant", "--person", "@owner", "--agent", "main", "--until", "0"];
  const { out } = await hearth("audit", "list", ...filter, "--limit", "2");
  expect(out.match(/grant written/g)?.length).toBe(2);
  const [first, second] = house.queries.filter((query) => "type" in query);
  const sent = { type: "grant", person: house.owner.id, agent: house.main.id };
  expect(first).toMatchObject({ ...sent, limit: "2" });
  expect(second).toMatchObject({ ...sent, limit: "1", before: "3" });
  expect(Number(first?.["until"])).toBeGreaterThan(0);
  house.answer(`GET ${path()}`, { house: house.house.id, rows: [] });
  expect((await hearth("audit", "list", "--type", "grant")).err).toContain("No rows match.");
  expect((await hearth("audit", "list")).err).toContain("The audit log is empty.");
});

test("verify exits with 0 for an intact log, and with 1 and the defect for a damaged one", async () => {
  const report = { house: house.house.id, rows: 7, findings: [] as object[] };
  house.answer(`GET ${path("verify")}`, report);
  expect(await hearth("audit", "verify")).toMatchObject({ code: 0, out: "home: 7 rows, intact\n" });
  const findings = [{ fault: "changed", from: 3, to: 3, text: "Row 3 is not as sealed." }];
  house.answer(`GET ${path("verify")}`, { ...report, rows: 1, findings });
  expect(await hearth("audit", "verify")).toMatchObject({
    code: 1,
    out: "home: 1 row, TAMPERED\n  Row 3 is not as sealed.\n",
  });
  const { code, out } = await hearth("audit", "verify", "--json");
  expect([code, JSON.parse(out)]).toEqual([1, [{ ...report, rows: 1, findings, handle: "home" }]]);
});

test("an export is written unchanged to stdout or to a new file that only its owner can read", async () => {
  house.answer(`GET ${path("export")}`, { kind: "begin" });
  expect((await hearth("audit", "export", "--since", "1h")).out).toBe('{"kind":"begin"}');
  expect(Number(house.queries.at(-1)?.["since"])).toBeGreaterThanOrEqual(0);
  const out = join(house.home, "log.jsonl");
  expect((await hearth("audit", "export", "--out", out)).code).toBe(0);
  expect([readFileSync(out, "utf8"), statSync(out).mode & 0o777]).toEqual(['{"kind":"begin"}', 0o600]);
  expect(await hearth("audit", "export", "--out", out)).toMatchObject({ code: 2 });
});

test("without a running house or a log in its home, export fails and writes no file", async () => {
  await house.stopServer();
  const out = join(house.home, "log.jsonl");
  const { code, err } = await hearth("audit", "export", "--out", out);
  expect([code, err]).toEqual([1, expect.stringContaining("has no hearth.db")]);
  expect(existsSync(out)).toBe(false);
});
