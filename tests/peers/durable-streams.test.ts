/**
 * Runs the official suite of the Durable Streams protocol against the house, in Node with Vitest.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The number of tests in the version that package.json names. */
const TESTS = 338;
const LONG_POLL_MS = 500;
/**
 * The suite uses leases of one second of wall time, which expire on a busy machine. So the suite and
 * its server run before everything else where that is permitted.
 */
const AHEAD = Bun.which("nice") !== null && process.getuid?.() === 0 ? ["nice", "-n", "-10"] : [];
/** The suite waits about 25 s for streams to expire, and longer on a busy machine. */
const SLOW_MS = 600_000;

interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

describe("the suite of the Durable Streams protocol", () => {
  let report: Report;
  let ended: { readonly code: number; readonly left: readonly string[] };

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "hearth-suite-"));
    try {
      const peer = await startPeer(folder);
      try {
        report = await runSuite(folder, peer.url);
      } finally {
        ended = await peer.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, SLOW_MS);

  test(`passes all ${TESTS} tests`, () => {
    const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(all.filter(({ status }) => status !== "passed").map(({ fullName }) => fullName)).toEqual([]);
    expect([report.numPassedTests, report.numTotalTests]).toEqual([TESTS, TESTS]);
  });

  test("leaves no files behind", () => {
    expect(ended).toEqual({ code: 0, left: [] });
  });
});

const startPeer = async (folder: string) => {
  const child = Bun.spawn([...AHEAD, fileURLToPath(new URL("durable-streams-server", import.meta.url))], {
    // The peer's temporary folder is inside ours.
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TMPDIR: folder },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const [url = ""] = new TextDecoder().decode(value).split("\n");
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      const code = await child.exited;
      const left = [...new Bun.Glob("hearth-streams-*").scanSync({ cwd: folder, onlyFiles: false })];
      return { code, left };
    },
  };
};

/** Vitest does not run files of node_modules, so a generated file calls the suite. */
const runSuite = async (folder: string, baseUrl: string): Promise<Report> => {
  const suite = fileURLToPath(import.meta.resolve("@durable-streams/server-conformance-tests"));
  const vitest = dirname(createRequire(suite).resolve("vitest/package.json"));
  const options = JSON.stringify({ baseUrl, longPollTimeoutMs: LONG_POLL_MS, subscriptions: true });
  await writeFile(
    join(folder, "suite.test.mjs"),
    `import { runConformanceTests } from ${JSON.stringify(pathToFileURL(suite).href)};\nrunConformanceTests(${options});\n`,
  );
  const report = join(folder, "report.json");
  const child = Bun.spawn(
    [
      ...[...AHEAD, "node", join(vitest, "vitest.mjs"), "run", "--root", folder, "suite.test.mjs"],
      // Where priority is not permitted, retries help.
      ...["--testTimeout=30000", "--retry=4", "--reporter=json", `--outputFile=${report}`],
    ],
    { cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  const complaints = await new Response(child.stderr).text();
  await child.exited;
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`The suite did not run: ${complaints}`);
  return JSON.parse(text) as Report;
};
