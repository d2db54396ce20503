import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setMissingVectors, dump, makeFile } from "../../index/brains.conformance.ts";
import { chunkIndexConformance } from "../../index/chunk-index.conformance.ts";
import type { ChunkIndex } from "../../index/chunk-index.ts";
import { setAside } from "./index-file.ts";
import { openSqliteIndex } from "./sqlite-index.ts";

interface Folder extends Disposable {
  readonly path: string;
}

const temporary = (): Folder => {
  const path = mkdtempSync(join(tmpdir(), "hearth-index-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
};

chunkIndexConformance("SQLite", () => {
  const folder = temporary();
  const path = join(folder.path, "db", "index.db");
  let index = openSqliteIndex({ path });
  return {
    index,
    reopen() {
      index[Symbol.dispose]();
      index = openSqliteIndex({ path });
      return index;
    },
    [Symbol.dispose]() {
      index[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
});

const fill = (index: ChunkIndex): void => {
  for (let file = 0; file < 30; file += 1) {
    const pieces = Array.from({ length: 8 }, (_, at) => ({
      text: `bike ${file} garden letter ${at} stove`.repeat(3),
      speaker: "Anna",
    }));
    index.put(makeFile(`memory/${file}.md`, pieces));
  }
  setMissingVectors(index);
};

describe("the index's file", () => {
  test("and its folder are readable by the owner only", () => {
    using folder = temporary();
    const path = join(folder.path, "db", "index.db");
    using _index = openSqliteIndex({ path });
    for (const name of readdirSync(join(folder.path, "db"))) {
      expect(statSync(join(folder.path, "db", name)).mode & 0o077).toBe(0);
    }
    expect(statSync(join(folder.path, "db")).mode & 0o077).toBe(0);
  });

  test("keeps no text of a removed file, also not in the WAL", () => {
    using folder = temporary();
    using index = openSqliteIndex({ path: join(folder.path, "index.db") });
    index.put(makeFile("a.md", [{ text: "Kryptonite hidden in plain sight", speaker: "Zacharias" }]));
    index.put(makeFile("b.md", [{ text: "Bread" }]));
    setMissingVectors(index);
    index.remove("a.md");
    const kept = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), "latin1"));
    expect(kept.join("")).toContain("Bread");
    expect(kept.join("").toLowerCase()).not.toMatch(/krypton|zacharia|plain/);
  });

  test("keeps no replaced text after `scrub`", () => {
    using folder = temporary();
    using index = openSqliteIndex({ path: join(folder.path, "index.db") });
    index.put(makeFile("a.md", [{ text: "Kryptonite hidden in plain sight" }, { text: "Butter" }]));
    setMissingVectors(index);
    index.put({ ...makeFile("a.md", [{ text: "Butter" }]), hash: "another" });
    index.scrub();
    const kept = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), "latin1"));
    expect(kept.join("")).toContain("Butter");
    expect(kept.join("").toLowerCase()).not.toMatch(/krypton|plain/);
  });

  test("is deleted by `scrub` when it was set aside", () => {
    using folder = temporary();
    const path = join(folder.path, "index.db");
    {
      using index = openSqliteIndex({ path });
      index.put(makeFile("a.md", [{ text: "Kryptonite hidden in plain sight" }]));
    }
    setAside(path);
    expect(readdirSync(folder.path)).toEqual(["index.db.damaged"]);
    using index = openSqliteIndex({ path });
    index.scrub();
    expect(readdirSync(folder.path)).not.toContain("index.db.damaged");
  });

  test("is replaced by an empty one when it has another format", () => {
    using folder = temporary();
    const path = join(folder.path, "index.db");
    {
      using index = openSqliteIndex({ path });
      index.put(makeFile("a.md", [{ text: "Kryptonite hidden in plain sight" }]));
    }
    for (const format of [1, 99]) {
      const database = new Database(path);
      database.run(`pragma user_version = ${format}`);
      database.close();
      using index = openSqliteIndex({ path });
      expect(index.files().size).toBe(0);
      index.put(makeFile("a.md", [{ text: "Bread" }]));
      expect(readdirSync(folder.path)).not.toContain("index.db.damaged");
    }
  });

  test("drops the vectors of another embedder when it is opened", () => {
    using folder = temporary();
    const path = join(folder.path, "index.db");
    {
      using index = openSqliteIndex({ path, embedder: { name: "hash", dimensions: 32 } });
      fill(index);
      expect(index.chunksWithoutVectors(1)).toEqual([]);
    }
    {
      using index = openSqliteIndex({ path, embedder: { name: "hash", dimensions: 32 } });
      expect(index.chunksWithoutVectors(1)).toEqual([]);
    }
    using index = openSqliteIndex({ path, embedder: { name: "other", dimensions: 32 } });
    expect(index.chunksWithoutVectors(1000)).toHaveLength(240);
    expect(index.countWithoutVectors()).toBe(240);
  });

  test("drops vectors of another length when it is opened, even if the embedder has the same name", () => {
    using folder = temporary();
    const path = join(folder.path, "index.db");
    {
      using index = openSqliteIndex({ path, embedder: { name: "hash", dimensions: 32 } });
      fill(index);
      expect(index.countWithoutVectors()).toBe(0);
    }
    using index = openSqliteIndex({ path, embedder: { name: "hash", dimensions: 64 } });
    expect(index.countWithoutVectors()).toBe(240);
  });

  test("reports damage anywhere on open or read, and a rebuild equals the original", () => {
    using folder = temporary();
    const path = join(folder.path, "index.db");
    const make = (): object => {
      using index = openSqliteIndex({ path });
      fill(index);
      return dump(index);
    };
    const whole = make();
    const bytes = readFileSync(path);
    const damages: readonly (() => Uint8Array)[] = [
      () => new TextEncoder().encode("no database at all, and long enough to be looked at"),
      () => bytes.subarray(0, 1000),
      () => bytes.subarray(0, bytes.length / 2),
      ...[0, 18, 100, 4096, 9000, 20_000, bytes.length - 4000].map((at) => () => {
        const copy = Uint8Array.from(bytes);
        copy.fill(0xa5, at, at + 600);
        return copy;
      }),
    ];
    let named = 0;
    for (const damage of damages) {
      for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name));
      writeFileSync(path, damage());
      try {
        using index = openSqliteIndex({ path });
        // Damage that is not reported hit an unused part of the file.
        expect(dump(index)).toEqual(whole);
      } catch (error) {
        expect(isHearthError(error, "memory.damaged")).toBe(true);
        named += 1;
      }
      setAside(path);
      expect(make()).toEqual(whole);
      expect(readdirSync(folder.path)).toContain("index.db.damaged");
    }
    expect(named).toBeGreaterThan(damages.length - 4);
  });

  test("is created when it is missing or empty", () => {
    using folder = temporary();
    const path = join(folder.path, "index.db");
    writeFileSync(path, "");
    using index = openSqliteIndex({ path });
    expect(index.files().size).toBe(0);
  });

  test("throws `store.unavailable` in a folder that cannot be written", () => {
    using folder = temporary();
    writeFileSync(join(folder.path, "db"), "a file in the way");
    const open = (): unknown => {
      try {
        return openSqliteIndex({ path: join(folder.path, "db", "index.db") });
      } catch (error) {
        return error;
      }
    };
    expect(isHearthError(open(), "store.unavailable")).toBe(true);
  });
});
