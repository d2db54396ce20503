/**
 * Compares the report of a test run (the runner's JUnit XML) with the files that should have run.
 */

export interface TestRun {
  readonly report: string;
  /** The files, named as in the report. */
  readonly files: readonly string[];
  readonly exitCode: number;
}

export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Problems other than failed tests. Each counts as one failure. */
  readonly complaints: readonly string[];
  /** The failed tests with their errors. The end of a long output must show them. */
  readonly failures: readonly string[];
}

/** Maximum length of an error in `failures`. */
const MAX_ERROR_CHARS = 2000;

export const countTests = (run: TestRun): TestCount => {
  const total = attributes(/<testsuites ([^>]*)>/.exec(run.report)?.[1] ?? "");
  const tests = Number(total.get("tests") ?? 0);
  const failures = Number(total.get("failures") ?? 0);
  const skipped = Number(total.get("skipped") ?? 0);
  const seen = new Set(
    [...run.report.matchAll(/<testcase ([^>]*)>/g)].map((match) => attributes(match[1] ?? "").get("file")),
  );
  const complaints = run.files
    .filter((file) => !seen.has(file))
    .map((file) => `${file}: no test ran (the file has none, or fails while loading).`);
  if (tests - skipped <= 0) complaints.push("No test ran at all.");
  if (run.exitCode !== 0 && failures === 0 && complaints.length === 0) {
    complaints.push(`The runner exited with ${run.exitCode} but reported no failed test.`);
  }
  return {
    passed: Math.max(0, tests - failures - skipped),
    failed: failures + complaints.length,
    skipped,
    complaints,
    failures: describeFailures(run.report),
  };
};

const describeFailures = (report: string): readonly string[] =>
  [...report.matchAll(/<testcase ([^>]*)>\s*<failure ([^>]*?)\/?>/g)].map(([, of = "", failure = ""]) => {
    const test = attributes(of);
    const name = [test.get("classname") ?? "", test.get("name") ?? ""].filter((part) => part !== "").join(" > ");
    const error = (attributes(failure).get("message") ?? "").slice(0, MAX_ERROR_CHARS);
    return `Failed: ${test.get("file")}: ${name}\n${error}`;
  });

/**
 * Counts the homes that were searched for the canary, and reports if none were. A leak already
 * fails its own journey.
 */
export const countHomes = (run: {
  readonly lines: string;
  readonly files: readonly string[];
}): { readonly homes: number; readonly complaints: readonly string[] } => {
  const homes = run.lines.split("\n").filter((line) => line !== "").length;
  const isDue = run.files.some((file) => file.startsWith("tests/journeys/"));
  return { homes, complaints: isDue && homes === 0 ? ["No home of a journey was searched for secrets."] : [] };
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&#10;": "\n",
};

const attributes = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map((match) => [
      match[1] ?? "",
      (match[2] ?? "").replace(/&#?\w+;/g, (entity) => ENTITIES[entity] ?? entity),
    ]),
  );
