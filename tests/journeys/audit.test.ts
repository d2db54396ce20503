/**
 * The audit log of a real house: it stays complete, and every change of its file without the key is
 * found.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openOfflineAuditLog } from "@hearth/warden/bun";
import fc from "fast-check";
import { createHome, type Daemon, hearth, type Json, startDaemon, until } from "./daemon.ts";

const CONFIG = `version = 1\n[cells]\nbackend = "inline"\n`;

const verify = async (home: string): Promise<{ readonly code: number | null; readonly reports: Json }> => {
  const { code, stdout } = await hearth(["audit", "verify", "--json", "--home", home]);
  return { code, reports: JSON.parse(stdout) };
};

/** Findings for a home without a running daemon. An unreadable file is a finding. */
const findings = async (home: string): Promise<readonly string[]> => {
  try {
    using log = await openOfflineAuditLog(home);
    const reports = await Promise.all(
      (await log.records()).filter(({ type }) => type === "house").map(({ id }) => log.verify(id as never)),
    );
    return reports.flatMap((report) => report.findings.map(({ text }) => text));
  } catch (error) {
    return [String(error)];
  }
};

/** Fills the audit log: a turn with a tool, a new person, a stop and a resume. */
const live = async (house: Daemon): Promise<void> => {
  await house.hearth("chat", "main", "-m", "write notes/one.md: milk");
  await house.hearth("person", "add", "Ana");
  await house.hearth("agent", "stop", "main");
  await house.hearth("agent", "resume", "main");
};

/** Changes rows of the log as an attacker with the file but without the key. */
const inFile = (home: string, work: (database: Database) => void): void => {
  const database = new Database(join(home, "hearth.db"));
  try {
    work(database);
  } finally {
    database.close();
  }
};

describe("the audit log of a running house", () => {
  test("lists a turn with its tool, decisions and stops, but no message text", async () => {
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), CONFIG, { mode: 0o600 });
    await using house = await startDaemon(home.folder);
    await live(house);
    const { stdout } = await house.hearth("audit", "export");
    const rows: Json[] = stdout
      .trimEnd()
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line));
    const facts = rows.map(({ type, body }) => ({ row: type, ...JSON.parse(body) }));
    expect(facts).toContainEqual(
      expect.objectContaining({ row: "step", name: "write", kind: "tool", state: "started" }),
    );
    expect(facts).toContainEqual(expect.objectContaining({ row: "step", state: "done", step: 1 }));
    expect(facts).toContainEqual(expect.objectContaining({ row: "activation", state: "replied" }));
    expect(facts).toContainEqual(expect.objectContaining({ row: "record", change: "added", handle: "ana" }));
    const ana = facts.find(({ row, handle }) => row === "record" && handle === "ana");
    expect(ana).toMatchObject({ by: expect.stringMatching(/^agent_/), via: "run-token" });
    expect(facts.filter(({ row }) => row === "stop").map(({ change }) => change)).toEqual(["written", "removed"]);
    const started = facts.find(({ row, kind }) => row === "step" && kind === "tool");
    expect([started.agent, started.person, started.input_hash]).toEqual([
      expect.stringMatching(/^agent_/),
      expect.stringMatching(/^agent_/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    expect(stdout).not.toContain("milk");
    expect(await verify(home.folder)).toEqual({
      code: 0,
      reports: [expect.objectContaining({ rows: rows.length, findings: [] })],
    });
    const made = (await house.ask("POST", "/api/keys", { name: "phone" })).json;
    await fetch(`${house.url}/api/rooms`, {
      method: "POST",
      headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
      body: JSON.stringify({ content: { name: "By key", kind: "group" } }),
    });
    const listed = (await house.hearth("audit", "list", "--type", "record")).stdout.trimEnd().split("\n").at(-1);
    expect(listed).toContain(`via=key by_key=${made.id}`);
    expect((await house.hearth("audit", "list")).stdout).toContain("name=write");
  });

  test("is complete after a kill at any moment, at rest and after a restart", async () => {
    using home = createHome();
    writeFileSync(join(home.folder, "hearth.toml"), CONFIG, { mode: 0o600 });
    {
      await using house = await startDaemon(home.folder);
      void house.hearth("chat", "main", "-m", "write notes/one.md: milk");
      const latest = async (): Promise<string> =>
        JSON.stringify((await house.ask("GET", "/api/houses/home/audit?limit=20")).json);
      await until(async () => (await latest()).includes("started"));
      await house.kill();
    }
    expect(await verify(home.folder)).toMatchObject({ code: 0 });
    await using house = await startDaemon(home.folder);
    expect(await verify(home.folder)).toMatchObject({ code: 0 });
    expect((await house.ask("GET", "/api/doctor")).json).toContainEqual(
      expect.objectContaining({ name: "audit log", ok: true }),
    );
  });
});

describe("the audit log of a stopped house", () => {
  let folder: string;
  let home: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hearth-audit-"));
    home = join(folder, "home");
    mkdirSync(home);
    writeFileSync(join(home, "hearth.toml"), CONFIG, { mode: 0o600 });
    await using house = await startDaemon(home);
    await live(house);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A copy of the house to change. */
  const copy = (): { readonly home: string } & Disposable => {
    const own = mkdtempSync(join(folder, "copy-"));
    for (const name of ["hearth.db", "keys", "audit"]) cpSync(join(home, name), join(own, name), { recursive: true });
    return { home: own, [Symbol.dispose]: () => rmSync(own, { recursive: true }) };
  };

  test("is complete", async () => {
    expect(await findings(home)).toEqual([]);
    expect((await hearth(["audit", "list", "--home", home])).stdout).toContain("@main");
  });

  test("the command names a row that was changed by hand and exits with 1", async () => {
    using tampered = copy();
    inFile(tampered.home, (database) =>
      database.run(
        `update events set body = replace(body, '"w"', '"x"') where stream like 'audit:%' and type = 'grant' and body like '%"w"%'`,
      ),
    );
    const { code, stdout } = await hearth(["audit", "verify", "--home", tampered.home]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/TAMPERED\n {2}Row 6 is different from what was sealed\.\n/),
    ]);
  });

  test("a newer anchor reveals an older copy of the database", async () => {
    using older = copy();
    await using house = await startDaemon(home);
    await house.hearth("person", "add", "Ben");
    await house.stop();
    cpSync(join(home, "audit"), join(older.home, "audit"), { recursive: true });
    expect(await findings(older.home)).toEqual([expect.stringMatching(/missing at the end\.$/)]);
    // A daemon that starts on it finds it too, and continues.
    writeFileSync(join(older.home, "hearth.toml"), CONFIG, { mode: 0o600 });
    await using again = await startDaemon(older.home);
    expect((await again.ask("GET", "/api/doctor")).json).toContainEqual(
      expect.objectContaining({ name: "audit log", ok: false, page: "audit" }),
    );
    expect((await verify(older.home)).code).toBe(1);
  }, 300_000);

  test("a log without its key is not continued, and the house says what to do", async () => {
    using keyless = copy();
    writeFileSync(join(keyless.home, "hearth.toml"), CONFIG, { mode: 0o600 });
    rmSync(join(keyless.home, "keys/audit.key"));
    const { code, stderr } = await hearth(["up", "--port", "0", "--home", keyless.home]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Restore it from a backup")]);
  });

  test("R30: every change of the rows, of the store's head or of the anchor is found", async () => {
    const columns = ["stream", "offset", "id", "type", "at", "body", "blob", "labels", "seal"] as const;
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("{}", "0"));
    const which = fc.nat();
    const at = (database: Database, index: number): { readonly stream: string; readonly offset: number } => {
      const rows = database.query("select stream, offset from events where stream like 'audit:%'").all() as never[];
      return rows[index % rows.length] ?? { stream: "", offset: 0 };
    };
    const where = "where stream = ?1 and offset = ?2";
    type Act = (own: string) => void;
    const onRow =
      (work: (database: Database, stream: string, offset: number) => void) =>
      (index: number): Act =>
      (own) =>
        inFile(own, (database) => {
          const row = at(database, index);
          work(database, row.stream, row.offset);
        });
    const act: fc.Arbitrary<Act> = fc.oneof(
      fc
        .tuple(which, fc.constantFrom(...columns), fc.oneof(text, fc.integer(), fc.constant(null)))
        .map(([index, name, value]) =>
          onRow((database, stream, offset) => {
            // The table refuses text in a numeric column.
            const sets = typeof value === "string" && (name === "offset" || name === "at") ? 0 : value;
            database.run(`update or ignore events set "${name}" = ?3 ${where}`, [stream, offset, sets]);
          })(index),
        ),
      fc
        .tuple(which, fc.constantFrom("body", "seal", "id", "type"), fc.nat(), fc.integer({ min: 1, max: 255 }))
        .map(([index, name, place, mask]) =>
          onRow((database, stream, offset) => {
            const row = database.query(`select "${name}" as value from events ${where}`).get(stream, offset) as {
              value: string;
            };
            const bytes = Buffer.from(row.value);
            const cut = place % bytes.length;
            bytes[cut] = (bytes[cut] ?? 0) ^ mask;
            database.run(`update or ignore events set "${name}" = cast(?3 as text) ${where}`, [stream, offset, bytes]);
          })(index),
        ),
      which.map(onRow((database, stream, offset) => database.run(`delete from events ${where}`, [stream, offset]))),
      which.map(
        onRow((database, stream, offset) =>
          database.run("delete from events where stream = ? and offset >= ?", [stream, offset]),
        ),
      ),
      // Also change the head in the store to match.
      which.map(
        onRow((database, stream, offset) => {
          database.run("delete from events where stream = ? and offset >= ?", [stream, offset]);
          database.run("update heads set head = ? where stream = ?", [offset - 1, stream]);
        }),
      ),
      fc.tuple(which, which).map(
        ([first, second]) =>
          (own: string) =>
            inFile(own, (database) => {
              const [a, b] = [at(database, first), at(database, second)];
              database.run("update events set offset = -1 where stream = ? and offset = ?", [a.stream, a.offset]);
              database.run("update events set offset = ? where stream = ? and offset = ?", [
                a.offset,
                b.stream,
                b.offset,
              ]);
              database.run("update events set offset = ? where stream = ? and offset = -1", [b.offset, a.stream]);
            }),
      ),
      fc
        .tuple(which, text)
        .map(([index, id]) =>
          onRow((database, stream, offset) =>
            database.run(
              `insert or ignore into events select stream, (select max(offset) + 1 from events where stream = ?1), ?3, type, at, body, blob, labels, seal from events ${where}`,
              [stream, offset, id],
            ),
          )(index),
        ),
      fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })).map(([place, mask]) => (own: string) => {
        const path = join(own, "audit/heads.json");
        const bytes = readFileSync(path);
        bytes[place % (bytes.length - 1)] = (bytes[place % (bytes.length - 1)] ?? 0) ^ mask;
        writeFileSync(path, bytes);
      }),
      fc.constant((own: string) => rmSync(join(own, "audit/heads.json"), { force: true })),
    );
    const stateOf = (own: string): string => {
      let rows = "";
      inFile(own, (database) => {
        const log = database.query("select * from events where stream like 'audit:%'").all();
        rows = JSON.stringify([log, database.query("select * from heads where stream like 'audit:%'").all()]);
      });
      let anchor = "";
      try {
        anchor = JSON.stringify(JSON.parse(readFileSync(join(own, "audit/heads.json"), "utf8")));
      } catch {
        anchor = "none";
      }
      return rows + anchor;
    };
    const untouched = stateOf(home);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(act, async (act) => {
        using tampered = copy();
        act(tampered.home);
        const isSame = stateOf(tampered.home) === untouched;
        if (!isSame) found += 1;
        expect((await findings(tampered.home)).length > 0).toBe(!isSame);
      }),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(200);
  }, 300_000);

  const python = Bun.which("python3");
  describe.skipIf(python === null)("the verifier in Python (skipped if Python is missing)", () => {
    const SCRIPT = fileURLToPath(new URL("../../docs/verify-audit.py", import.meta.url));
    const check = async (log: string, ...anchors: readonly string[]) => {
      const child = Bun.spawn([python ?? "", SCRIPT, log, join(home, "keys/audit.key"), ...anchors], {
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      return { code: await child.exited, out, err };
    };
    const exported = async (...flags: readonly string[]): Promise<string> => {
      const path = join(mkdtempSync(join(folder, "export-")), "log.jsonl");
      const { code } = await hearth(["audit", "export", "--home", home, "--out", path, ...flags]);
      expect(code).toBe(0);
      return path;
    };

    test("accepts an export, whole or from a given day", async () => {
      for (const path of [await exported(), await exported("--since", "1h")])
        expect(await check(path, join(home, "audit/heads.json"))).toEqual({
          ...{ code: 0, err: "" },
          out: "All rows are as they were sealed.\n",
        });
    });

    test("reports the findings of the command with the same text", async () => {
      using tampered = copy();
      inFile(tampered.home, (database) => {
        database.run("update events set at = at + 1 where stream like 'audit:%' and offset = 3");
        database.run("delete from events where stream like 'audit:%' and offset in (5, 6)");
      });
      const path = join(mkdtempSync(join(folder, "export-")), "log.jsonl");
      await hearth(["audit", "export", "--home", tampered.home, "--out", path]);
      expect((await check(path)).out.trimEnd().split("\n")).toEqual([...(await findings(tampered.home))]);
    });

    test("finds a missing end, by the last line and by an anchor", async () => {
      const path = await exported();
      const lines = readFileSync(path, "utf8").trimEnd().split("\n");
      writeFileSync(path, `${lines.toSpliced(-4, 3).join("\n")}\n`);
      const { code, out } = await check(path, join(home, "audit/heads.json"));
      expect([code, out]).toEqual([
        1,
        expect.stringMatching(
          /^The export ends at row \d+; it was made to end at row \d+\.\nRows? .* missing at the end\.\n$/,
        ),
      ]);
      writeFileSync(path, `${lines.slice(0, -1).join("\n")}\n`);
      expect((await check(path)).out).toContain("The export is cut");
    });

    test("finds every changed byte of an export", async () => {
      const path = await exported();
      const bytes = readFileSync(path);
      // Use one process, because starting Python for each byte would take a minute.
      const many = join(folder, "many.json");
      const places = Array.from({ length: 1500 }, (_, index) => Math.floor((index * (bytes.length - 2)) / 1500));
      writeFileSync(many, JSON.stringify(places.map((place, index) => [place, 1 + (index % 255)])));
      const program = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("verify", sys.argv[1]); verify = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verify)
data = open(sys.argv[2], "rb").read(); keys = verify.Keys(open(sys.argv[3]).read()); missed = []
for place, mask in json.load(open(sys.argv[4])):
    changed = data[:place] + bytes([data[place] ^ mask]) + data[place + 1:]
    if not list(verify.check(changed.decode("utf-8", "surrogateescape").split("\\n"), [], keys)): missed.append(place)
print(missed)`;
      const child = Bun.spawn([python ?? "", "-c", program, SCRIPT, path, join(home, "keys/audit.key"), many], {
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      expect([out, err]).toEqual(["[]\n", ""]);
    });
  });
});
