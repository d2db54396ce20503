/** All streams share one table, one writer, one append signal and no other server. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readRepository, root } from "./source.ts";

const tree = readRepository();

/** Production code, without tests, fixtures and fakes. */
const shipped = async (): Promise<readonly { readonly path: string; readonly text: string }[]> => {
  const { files } = await tree;
  const paths = files
    .map(({ path }) => path)
    .filter((path) => path.startsWith("packages/") && !/\.(test|conformance)\.tsx?$|\/fixtures\/|\/fake-/.test(path));
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));
};

const where = async (pattern: RegExp): Promise<readonly string[]> =>
  (await shipped())
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path.replace("packages/warden/src/", ""))
    .toSorted();

test("events have one table, and each store has one place that writes it", async () => {
  expect(await where(/create table (events|heads)\b/)).toEqual(["kernel/store/migrations/ground.ts"]);
  // The first file writes a new database that no house has open; the second copies rows in a migration.
  expect(await where(/insert into (events|heads)\b/)).toEqual([
    "adapter/bun/storage/repair.ts",
    "kernel/store/migrations/ground.ts",
    "kernel/store/sqlite.ts",
  ]);
  // The first file measures a disk; the second writes a log that no reader follows.
  expect(await where(/\{ kind: "append"/)).toEqual([
    "adapter/bun/commit-rate.ts",
    "kernel/audit/audited-store.ts",
    "kernel/streams/durable.ts",
  ]);
});

test("durable streams are created in one place and passed to all other parts", async () => {
  expect(await where(/export const createDurableStreams\b/)).toEqual(["kernel/streams/durable.ts"]);
  expect(await where(/[^\w]createDurableStreams\(/)).toEqual(["kernel/open.ts"]);
  expect(await where(/[^\w]createByteStreams\(/)).toEqual(["kernel/streams/own-streams.ts"]);
  expect(await where(/[^\w]createOwnStreams\(/)).toEqual(["http/open.ts"]);
});

test("readers of streams share one append signal implementation", async () => {
  expect(await where(/export const createAppendSignal\b/)).toEqual(["kernel/streams/append-signal.ts"]);
  expect(await where(/[^\w]createAppendSignal\(/)).toEqual(["kernel/streams/durable.ts", "kernel/streams/memory.ts"]);
});

test("the routes under /v1/stream use the streams and never the store", async () => {
  const routes = (await shipped()).filter(({ path }) => /\/http\/durable-streams\/durable-[\w-]+\.ts$/.test(path));
  expect(routes.length).toBeGreaterThan(5);
  for (const { path, text } of routes)
    expect([path, /import [^;]*\b(Store|createSqliteStore)\b[^;]*from/.test(text)]).toEqual([path, false]);
});

test("no dependency serves streams", async () => {
  const { packages } = await tree;
  const foreign = packages.flatMap(({ name, dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies })
      .filter((dependency) => /durable-streams/.test(dependency))
      .map((dependency) => `${name}: ${dependency}`),
  );
  // The client and the suite that test the house.
  expect(foreign.toSorted()).toEqual([
    "@hearth/tests: @durable-streams/client",
    "@hearth/tests: @durable-streams/server-conformance-tests",
  ]);
});

test("the peer tests run against this house", async () => {
  const { files } = await tree;
  const peer = files.find(({ path }) => path === "tests/peers/durable-streams-server.ts");
  expect(peer?.imports.map(({ source }) => source)).toEqual(["node:util", "@hearth/warden/memory-warden"]);
});
