/** What a test run's report (JUnit XML, as the runner writes it) says, held against the files that were to run. */

export interface TestRun {
  readonly report: string;
  /** Paths as the report names them. */
  readonly files: readonly string[];
  readonly exitCode: number;
}

export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What is wrong beyond failed tests; each counts as one failure. */
  readonly complaints: readonly string[];
}

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
    .map((file) => `${file}: no test ran (it has none, or it fails while loading).`);
  if (tests - skipped <= 0) complaints.push("No test ran at all.");
  if (run.exitCode !== 0 && failures === 0 && complaints.length === 0) {
    complaints.push(`The runner ended with ${run.exitCode} and named no failed test.`);
  }
  return { passed: Math.max(0, tests - failures - skipped), failed: failures + complaints.length, skipped, complaints };
};

/** How many homes were looked through for the canary, and what is wrong with that. A leak fails its own journey: it is not counted twice. */
export const countHomes = (run: {
  readonly lines: string;
  readonly files: readonly string[];
}): { readonly homes: number; readonly complaints: readonly string[] } => {
  const homes = run.lines.split("\n").filter((line) => line !== "").length;
  const isDue = run.files.some((file) => file.startsWith("tests/journeys/"));
  return { homes, complaints: isDue && homes === 0 ? ["No home of a journey was looked through for secrets."] : [] };
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};

const attributes = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map((match) => [
      match[1] ?? "",
      (match[2] ?? "").replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity),
    ]),
  );
