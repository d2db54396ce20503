/** Tests with a fake clock preload every lazy module, because loading takes real time. */
import { expect, test } from "bun:test";
import { join, posix } from "node:path";
import { readRepository, root } from "./source.ts";

const WARDEN = "packages/warden/src/";
const LIST = `${WARDEN}fixtures/read-ahead.ts`;
const isCore = (path: string): boolean =>
  path.startsWith(WARDEN) && !/\/(adapter|fixtures|fakes)\/|\/fake-|\.(test|conformance)\.ts$/.test(path);

test("tests with a fake clock preload every module that the warden loads on demand", async () => {
  const { files } = await readRepository();
  const list = await Bun.file(join(root, LIST)).text();
  const ahead = new Set(
    [...list.matchAll(/^import "(.+)";$/gm)].map(([, source = ""]) => posix.join(posix.dirname(LIST), source)),
  );
  const onDemand = await Promise.all(
    files
      .filter(({ path }) => isCore(path))
      .map(async ({ path }) =>
        [...(await Bun.file(join(root, path)).text()).matchAll(/import\("(\.[^"]+)"\)/g)].map(([, source = ""]) =>
          posix.join(posix.dirname(path), source),
        ),
      ),
  );
  const targets = [...new Set(onDemand.flat())].toSorted();
  expect(targets.length).toBeGreaterThan(20);
  expect(targets.filter((path) => !ahead.has(path))).toEqual([]);
});
