import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readRepository, root } from "./source.ts";
import { judgeExports, judgePath } from "./vocabulary.ts";

const tree = readRepository();

const isFixture = (path: string): boolean => path.includes("/fixtures/");
const isText = (path: string): boolean => !/\.(png|ico|woff2|gz|sqlite|db)$/.test(path);

/** Files that git tracks or would add. Without git, every source file. */
const trackedFiles = async (): Promise<readonly string[]> => {
  const child = Bun.spawn(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    stdout: "pipe",
    stderr: "ignore",
  });
  const listed = (await child.stdout.text()).split("\0").filter((path) => path !== "");
  if ((await child.exited) !== 0) return [...(await tree).paths];
  const present = await Promise.all(listed.map((path) => Bun.file(join(root, path)).exists()));
  return listed.filter((_, index) => present[index]);
};

describe("in this repository", () => {
  test("every code file has a kebab-case name without forbidden words", async () => {
    const { paths } = await tree;
    const names = [...paths].filter((path) => !isFixture(path) && !path.endsWith(".md"));
    expect(names.length).toBeGreaterThan(40);
    expect(names.map(judgePath).filter((wrong) => wrong !== undefined)).toEqual([]);
  });

  test("no exported name contains a forbidden word", async () => {
    const { files } = await tree;
    expect(files.flatMap((file) => file.exports).length).toBeGreaterThan(files.length);
    expect(files.flatMap(judgeExports)).toEqual([]);
  });

  test("every test file has tests", async () => {
    const { files } = await tree;
    const tests = files.filter(({ path }) => /\.test\.tsx?$/.test(path));
    expect(tests.length).toBeGreaterThan(5);
    expect(tests.filter((file) => file.tests === 0).map(({ path }) => path)).toEqual([]);
  });

  test("no file names a folder of a developer's machine or a package registry", async () => {
    // Built from parts, so that this file does not match.
    const traces = new RegExp(
      `(?<![\\w.$}*-])/(?:${["work", "root", "tmp"].join("|")})/\\w|\\b${"registry"}\\.\\w+\\.\\w+`,
    );
    const paths = (await trackedFiles()).filter((path) => !isFixture(path) && isText(path));
    expect(paths.length).toBeGreaterThan(40);
    const found: string[] = [];
    for (const path of paths) {
      const lines = (await Bun.file(join(root, path)).text()).split("\n");
      for (const [index, line] of lines.entries()) {
        const trace = traces.exec(line);
        if (trace !== null) found.push(`${path}:${index + 1} says ${trace[0]}`);
      }
    }
    expect(found).toEqual([]);
  });
});

describe("the check of names", () => {
  test.each([
    "packages/warden/src/utils/text.ts",
    "packages/warden/src/cells/cell-manager.ts",
    "packages/warden/src/cells/cellPool.ts",
    "packages/warden/src/cells/Pool.ts",
    "packages/warden/src/cells/cell_pool.ts",
    "packages/warden/src/tools/schedule-tasks.ts",
    "packages/warden/src/tools/schedule-task-words.ts",
    "packages/warden/src/schedule-task/words.service.ts",
  ])("refuses %s", (path) => {
    expect(judgePath(path)).toStartWith(`${path}: `);
  });

  test.each([
    "packages/warden/src/store/transaction.ts",
    "tests/house/facts.oxlintrc.json",
    "packages/x/tsconfig.json",
    "packages/warden/src/agents/tools/schedule-task.ts",
  ])("passes %s", (path) => {
    expect(judgePath(path)).toBeUndefined();
  });

  test("refuses an exported name", () => {
    const named = (name: string) =>
      judgeExports({
        path: "a.ts",
        imports: [],
        exports: [{ name, line: 3 }],
        tests: 0,
        types: [],
        literalSpreads: 0,
        texts: [],
      });
    for (const name of ["createTaskQueue", "scheduleTasks", "createScheduleTask", "Helpers", "ROOM_SERVICE", "gateway"])
      expect(named(name)).toHaveLength(1);
    for (const name of ["scheduleTask", "listTasks", "Transaction", "createActivations", "reaction", "Utility"])
      expect(named(name)).toEqual([]);
    expect(named("Helpers")).toEqual([
      'a.ts:3 exports Helpers: "helper" is a forbidden word (tests/house/vocabulary.ts)',
    ]);
  });
});
