/**
 * The program behind `hearth bench vectors`. Usage: vector-libraries.ts MODE COUNT LIBRARIES FOLDER
 * [ENGINE]. `data` makes vectors, questions and their exact answers. `build` fills the index of one
 * engine and saves it. `open` loads it in a new process. `ask` lets all engines answer each
 * question in turn. Each prints a line of JSON.
 */
import { Database } from "bun:sqlite";
import { createRequire } from "node:module";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { IndexedFile } from "@hearth/memory";
import { createMiniLm, openSqliteIndex } from "@hearth/memory/bun";
import { createVectorSource } from "../memory-text.ts";

export interface Built {
  readonly cpuSeconds: number;
  readonly diskMiB: number;
}

export interface Opened {
  /** From the import of the library to the first answer. */
  readonly readyMs: number;
  readonly memoryMiB: number;
}

/** The answers of one engine. */
export interface Asked {
  readonly times: readonly number[];
  /** Percentage of the exact ten nearest that were found. */
  readonly foundPercent: number;
  /** The same, if one chunk in ten is visible. */
  readonly visibleTimes: readonly number[];
  readonly visibleFoundPercent: number;
}

const DIMENSIONS = 384;
const QUESTIONS = 100;
const HITS = 10;
/** One file in ten belongs to another audience, which the restricted questions see. */
const FILE = 50;
const ROOM = "room:a";
const isInRoom = (chunk: number): boolean => Math.floor(chunk / FILE) % 10 === 3;
const MIB = 2 ** 20;

const [mode = "", countText = "", libraries = "", folder = "", engineName = ""] = process.argv.slice(2);
const count = Number(countText);
const pathOf = (name: string): string => join(folder, `${name}-${count}`);
const load = (name: string): unknown => createRequire(join(libraries, name, "x.js"))(name);
const rssMiB = (): number => process.memoryUsage.rss() / MIB;

const writeVectors = (name: string, vectors: readonly Float32Array[]): void => {
  const all = new Float32Array(vectors.length * DIMENSIONS);
  for (const [at, vector] of vectors.entries()) all.set(vector, at * DIMENSIONS);
  writeFileSync(pathOf(name), new Uint8Array(all.buffer));
};
const readVectors = (name: string): readonly Float32Array[] => {
  const { buffer, byteOffset, byteLength } = readFileSync(pathOf(name));
  const all = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
  return Array.from({ length: all.length / DIMENSIONS }, (_, at) =>
    all.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS),
  );
};

/** Finds the numbers of the nearest chunks. */
type Search = (question: Float32Array, limit: number) => readonly number[];

interface Index {
  readonly search: Search;
  /** Searches only the chunks that `isInRoom`. */
  readonly searchRoom: Search;
}

interface Engine {
  build(vectors: readonly Float32Array[]): void;
  open(): Index;
  /** The saved files. */
  readonly files: readonly string[];
}

const openOurs = (): Engine => {
  const path = pathOf("ours");
  const file = (first: number, length: number): IndexedFile => ({
    path: `${String(first).padStart(9, "0")}.md`,
    hash: String(first),
    chunks: Array.from({ length }, (_, ordinal) => ({
      id: `${first + ordinal}`.padStart(64, "0"),
      path: `${String(first).padStart(9, "0")}.md`,
      ordinal,
      headings: [],
      lines: [ordinal + 1, ordinal + 1] as const,
      text: "x",
      audience: isInRoom(first) ? ROOM : "private",
      integrity: "owner" as const,
    })),
  });
  return {
    files: [path],
    build(vectors) {
      using index = openSqliteIndex({ path });
      for (let first = 0; first < vectors.length; first += FILE) {
        const part = vectors.slice(first, first + FILE);
        index.put(file(first, part.length));
        const numbered = part.map((whole, at) => {
          const other = new Float32Array(DIMENSIONS);
          return [first + at, { whole, sentences: [], withPrevious: other, window: other }] as const;
        });
        index.setVectors("bench", new Map(numbered));
      }
    },
    open() {
      const index = openSqliteIndex({ path });
      const numbers = (hits: readonly { readonly chunk: number }[]) => hits.map(({ chunk }) => chunk);
      return {
        search: (question, limit) => numbers(index.nearest(question, limit, {})),
        searchRoom: (question, limit) => numbers(index.nearest(question, limit, { audiences: [ROOM] })),
      };
    },
  };
};

interface Usearch {
  readonly Index: new (config: object) => {
    add(key: bigint, vector: Float32Array, threads: number): void;
    search(vector: Float32Array, limit: number, threads: number): { readonly keys: BigUint64Array };
    save(path: string): void;
    load(path: string): void;
  };
}

/**
 * Factor for the number of results that are requested of an engine without filters, if one chunk in
 * ten is visible.
 */
const MORE = 20;

const openUsearch = (quantization: "i8" | "f16", expansion: number): Engine => {
  const path = pathOf(`usearch-${quantization}`);
  const make = () => {
    const { Index: Made } = load("usearch") as Usearch;
    return new Made({
      metric: "ip",
      dimensions: DIMENSIONS,
      quantization,
      connectivity: 16,
      multi: false,
      expansion_add: 128,
      expansion_search: expansion,
    });
  };
  return {
    files: [path],
    build(vectors) {
      const index = make();
      for (const [at, vector] of vectors.entries()) index.add(BigInt(at), vector, 1);
      index.save(path);
    },
    open() {
      const index = make();
      index.load(path);
      const search: Search = (question, limit) => Array.from(index.search(question, limit, 1).keys, Number);
      return {
        search,
        searchRoom: (question, limit) =>
          search(question, limit * MORE)
            .filter(isInRoom)
            .slice(0, limit),
      };
    },
  };
};

interface Hnswlib {
  readonly HierarchicalNSW: new (
    space: string,
    dimensions: number,
  ) => {
    initIndex(options: object): void;
    addPoint(vector: readonly number[], label: number): void;
    searchKnn(
      vector: readonly number[],
      limit: number,
      filter?: (label: number) => boolean,
    ): { readonly neighbors: readonly number[] };
    setEf(expansion: number): void;
    writeIndexSync(path: string): void;
    readIndexSync(path: string): void;
  };
}

const openHnswlib = (expansion: number): Engine => {
  const path = pathOf("hnswlib");
  const make = () => {
    const { HierarchicalNSW: Made } = load("hnswlib-node") as Hnswlib;
    return new Made("ip", DIMENSIONS);
  };
  return {
    files: [path],
    build(vectors) {
      const index = make();
      index.initIndex({ maxElements: vectors.length, m: 16, efConstruction: 128 });
      for (const [at, vector] of vectors.entries()) index.addPoint([...vector], at);
      index.writeIndexSync(path);
    },
    open() {
      const index = make();
      index.readIndexSync(path);
      index.setEf(expansion);
      return {
        search: (question, limit) => index.searchKnn([...question], limit).neighbors,
        searchRoom: (question, limit) => index.searchKnn([...question], limit, isInRoom).neighbors,
      };
    },
  };
};

/** Upper bound of the numbers in MiniLM's vectors. */
const LARGEST = 0.35;
const toBytes = (vector: Float32Array): Uint8Array =>
  new Uint8Array(
    Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round((value / LARGEST) * 127)))).buffer,
  );
const asIs = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength).slice();

const openSqliteVec = (kind: "float" | "int8"): Engine => {
  const path = pathOf(`sqlite-vec-${kind}`);
  const [encode, argument] = kind === "float" ? [asIs, "?"] : [toBytes, "vec_int8(?)"];
  const connect = (): Database => {
    const database = new Database(path);
    (load("sqlite-vec") as { load(database: Database): void }).load(database);
    return database;
  };
  return {
    files: [path],
    build(vectors) {
      const database = connect();
      database.run(
        `create virtual table chunks using vec0(room integer partition key, vector ${kind}[${DIMENSIONS}] distance_metric=cosine)`,
      );
      const insert = database.query(`insert into chunks (rowid, room, vector) values (?, ?, ${argument})`);
      database.transaction(() => {
        for (const [at, vector] of vectors.entries()) insert.run(at + 1, isInRoom(at) ? 1 : 0, encode(vector));
      })();
      database.close();
    },
    open() {
      const database = connect();
      const ask = (where: string): Search => {
        const query = database.query<{ rowid: number }, [Uint8Array, number]>(
          `select rowid from chunks where vector match ${argument} and k = ? ${where} order by distance`,
        );
        return (question, limit) => query.all(encode(question), limit).map(({ rowid }) => rowid - 1);
      };
      return { search: ask(""), searchRoom: ask("and room = 1") };
    },
  };
};

const engines: Readonly<Record<string, () => Engine>> = {
  ours: openOurs,
  "usearch i8, 64": () => openUsearch("i8", 64),
  "usearch i8, 256": () => openUsearch("i8", 256),
  "usearch f16, 64": () => openUsearch("f16", 64),
  "usearch f16, 256": () => openUsearch("f16", 256),
  "hnswlib, 64": () => openHnswlib(64),
  "hnswlib, 256": () => openHnswlib(256),
  "sqlite-vec float": () => openSqliteVec("float"),
  "sqlite-vec int8": () => openSqliteVec("int8"),
};

/** Reads sentences written by people: this repository's documentation. */
const readSentences = (): readonly string[] => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const names = ["*.md", "docs/**/*.md"]
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
    .toSorted((a, b) => (a < b ? -1 : 1));
  const texts = names.map((name) => readFileSync(join(root, name), "utf8"));
  const sentences = texts.flatMap((text) => text.split(/[.|:\n]+\s/).map((sentence) => sentence.trim()));
  return [...new Set(sentences.filter((sentence) => sentence.split(/\s+/).length > 4))].slice(0, 1500);
};

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};

const nearestOf = (question: Float32Array, vectors: readonly Float32Array[], isSeen: (chunk: number) => boolean) => {
  const hits: { chunk: number; score: number }[] = [];
  for (const [chunk, vector] of vectors.entries()) {
    if (!isSeen(chunk)) continue;
    const score = dot(vector, question);
    if (hits.length === HITS && score <= (hits.at(-1)?.score ?? 0)) continue;
    hits.push({ chunk, score });
    hits.sort((a, b) => b.score - a.score);
    if (hits.length > HITS) hits.pop();
  }
  return hits.map(({ chunk }) => chunk);
};

interface Answers {
  readonly all: readonly (readonly number[])[];
  readonly room: readonly (readonly number[])[];
}

const makeData = async (): Promise<unknown> => {
  await using embedder = createMiniLm();
  const real = await embedder.embed(readSentences());
  if (real.length < 2 * QUESTIONS) throw new Error(`There are only ${real.length} sentences.`);
  const next = createVectorSource(real.slice(QUESTIONS), 2);
  const vectors = Array.from({ length: count }, next);
  const questions = real.slice(0, QUESTIONS);
  writeVectors("vectors", vectors);
  writeVectors("questions", questions);
  const answers: Answers = {
    all: questions.map((question) => nearestOf(question, vectors, () => true)),
    room: questions.map((question) => nearestOf(question, vectors, isInRoom)),
  };
  writeFileSync(pathOf("answers"), JSON.stringify(answers));
  return {};
};

const engineOf = (name: string): Engine => {
  const make = engines[name];
  if (make === undefined) throw new Error(`Unknown engine ${name}. Use one of: ${Object.keys(engines).join(", ")}.`);
  return make();
};

const build = (): Built => {
  const engine = engineOf(engineName);
  const vectors = readVectors("vectors");
  const begin = process.cpuUsage();
  engine.build(vectors);
  const { user, system } = process.cpuUsage(begin);
  const size = engine.files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { cpuSeconds: (user + system) / 1e6, diskMiB: size / MIB };
};

const open = (): Opened => {
  const [question = new Float32Array(DIMENSIONS)] = readVectors("questions");
  Bun.gc(true);
  const before = rssMiB();
  const begin = performance.now();
  const index = engineOf(engineName).open();
  index.search(question, HITS);
  const readyMs = performance.now() - begin;
  Bun.gc(true);
  return { readyMs, memoryMiB: rssMiB() - before };
};

const percentFound = (found: readonly (readonly number[])[], exact: readonly (readonly number[])[]): number => {
  const hits = exact.map((answer, at) => answer.filter((chunk) => found[at]?.includes(chunk) === true).length);
  return (100 * hits.reduce((sum, each) => sum + each, 0)) / exact.flat().length;
};

/** Number of passes over the questions. The first only warms up. */
const PASSES = 3;

const ask = (): Readonly<Record<string, Asked>> => {
  const questions = readVectors("questions");
  const answers = JSON.parse(readFileSync(pathOf("answers"), "utf8")) as Answers;
  const opened = Object.keys(engines).map((name) => ({
    name,
    index: engineOf(name).open(),
    times: [] as number[],
    visibleTimes: [] as number[],
    found: [] as (readonly number[])[],
    visibleFound: [] as (readonly number[])[],
  }));
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const [at, question] of questions.entries()) {
      for (let turn = 0; turn < opened.length; turn += 1) {
        const opening = opened[(turn + at + pass) % opened.length];
        if (opening === undefined) continue;
        const begin = performance.now();
        opening.found[at] = opening.index.search(question, HITS);
        const middle = performance.now();
        opening.visibleFound[at] = opening.index.searchRoom(question, HITS);
        if (pass === 0) continue;
        opening.times.push(middle - begin);
        opening.visibleTimes.push(performance.now() - middle);
      }
    }
  }
  return Object.fromEntries(
    opened.map(({ name, times, visibleTimes, found, visibleFound }) => [
      name,
      {
        times,
        visibleTimes,
        foundPercent: percentFound(found, answers.all),
        visibleFoundPercent: percentFound(visibleFound, answers.room),
      },
    ]),
  );
};

const modes: Readonly<Record<string, () => unknown>> = { data: makeData, build, open, ask };
const run = modes[mode];
if (run === undefined)
  throw new Error("usage: vector-libraries.ts data|build|open|ask COUNT LIBRARIES FOLDER [ENGINE]");
console.log(JSON.stringify(await run()));
process.exit(0);
