import { describe, expect, test } from "bun:test";
import { dropJob, jobFields, putJob, readJobs } from "./jobs-file.ts";

const ZONE = "Europe/Berlin";

const FILE = `# Jobs of this agent.

[jobs.news]
prompt = "What is new?"
cron = "0 9 * * 1-5"

# Every quarter of an hour, quietly.
[jobs.inbox-check]
every = "15m"
prompt = """
Look at the inbox.
[jobs.not-one]
"""
context = "main"
room = "family"
catch_up = "skip"

[jobs.party]
once = 2026-12-31T20:00:00
prompt = 'Say "cheers".'
zone = "America/New_York"
until = "2027-01-01"
paused = true
`;

test("reads the file's jobs, with times in the house's zone by default", () => {
  const { jobs, mistakes } = readJobs(FILE, ZONE);
  expect(mistakes).toEqual([]);
  expect(jobs).toMatchObject([
    { name: "news", schedule: { kind: "cron", cron: "0 9 * * 1-5", zone: ZONE }, context: "isolated", catchUp: "once" },
    {
      ...{ name: "inbox-check", schedule: { kind: "every", everyMs: 900_000 }, context: "main", room: "family" },
      ...{ catchUp: "skip", prompt: "Look at the inbox.\n[jobs.not-one]\n" },
    },
    {
      ...{ name: "party", schedule: { kind: "once", at: Date.UTC(2027, 0, 1, 1) }, paused: true },
      // To the end of that day.
      until: Date.UTC(2027, 0, 2, 5) - 1,
    },
  ]);
});

describe("an error names its line and does not affect the other jobs", () => {
  const withMistake = (line: string) => {
    const { jobs, mistakes } = readJobs(FILE.replace('cron = "0 9 * * 1-5"', line), ZONE);
    expect(jobs.map(({ name }) => name)).toEqual(["inbox-check", "party"]);
    return mistakes;
  };

  test("of TOML", () => {
    expect(withMistake('cron = "0 9')).toMatchObject([{ line: 5, name: "news" }]);
    expect(withMistake("cron")).toMatchObject([{ line: 5, name: "news" }]);
  });

  test("of a time", () => {
    expect(withMistake('cron = "0 25 * * *"')).toMatchObject([
      { line: 5, name: "news", message: '"0 25 * * *" is not a valid cron expression: Invalid value for hour: 25.' },
    ]);
    expect(withMistake('cron = "0 9 * *"')).toMatchObject([{ line: 5 }]);
    expect(withMistake('every = "1s"')).toMatchObject([{ line: 5 }]);
    expect(withMistake('once = "tomorrow"')).toMatchObject([{ line: 5 }]);
    expect(withMistake('every = "5m"\nzone = "Europe/Atlantis"')).toMatchObject([{ line: 6 }]);
    expect(withMistake("")).toMatchObject([{ line: 3, message: "A job needs exactly one of cron, every and once." }]);
  });

  test("of a field", () => {
    const daily = 'cron = "0 9 * * *"\n';
    expect(withMistake(`${daily}roon = "x"`)).toEqual([{ line: 6, name: "news", message: 'A job has no "roon".' }]);
    for (const [line, takes] of [
      ['context = "all"', '"context" takes isolated or main.'],
      ['catch_up = "never"', '"catch_up" takes once, all, skip.'],
      ['paused = "yes"', '"paused" takes true or false.'],
      ["room = 5", '"room" takes a text.'],
    ] as const)
      expect(withMistake(daily + line)).toMatchObject([{ line: 6, message: takes }]);
    expect(readJobs('[jobs.a]\nevery = "1h"\n', ZONE).mistakes).toMatchObject([
      { line: 1, message: '"prompt" is missing.' },
    ]);
    expect(readJobs('[jobs.a]\nevery = "1h"\nprompt = ""\n', ZONE).mistakes).toMatchObject([
      { line: 3, message: '"prompt" takes a text of 1 to 20,000 characters.' },
    ]);
  });

  test("a duplicate, invalid or missing name", () => {
    const again = `${FILE}\n[jobs.news]\nprompt = "x"\nevery = "5m"\n`;
    const { jobs, mistakes } = readJobs(again, ZONE);
    expect([jobs.length, mistakes]).toMatchObject([3, [{ line: 25, name: "news" }]]);
    const stray = readJobs(
      `[job.x]
prompt = "x"
${FILE}`,
      ZONE,
    );
    expect([stray.jobs.length, stray.mistakes]).toMatchObject([3, [{ line: 1 }]]);
  });
});

describe("an edit", () => {
  test("adds a job at the end, also to an empty file", () => {
    const added = putJob("", "tea", { prompt: "Tea?", every: "1h" });
    expect(readJobs(added, ZONE)).toMatchObject({ jobs: [{ name: "tea" }], mistakes: [] });
    expect(putJob(FILE, "tea", { prompt: "Tea?", every: "1h" }).startsWith(FILE)).toBe(true);
  });

  test("replaces one job and keeps all others, with their comments", () => {
    const edited = putJob(FILE, "news", { ...jobFields(FILE, "news"), prompt: 'New\n[jobs.x]\n"""' });
    expect(edited).toContain("\n# Every quarter of an hour, quietly.\n[jobs.inbox-check]\n");
    const [news, ...others] = readJobs(edited, ZONE).jobs;
    expect(news).toMatchObject({ name: "news", prompt: 'New\n[jobs.x]\n"""' });
    expect(others.map(({ name }) => name)).toEqual(["inbox-check", "party"]);
  });

  test("writes only the fields that were given", () => {
    expect(jobFields(FILE, "news")).toEqual({ prompt: "What is new?", cron: "0 9 * * 1-5" });
  });

  test("takes one away", () => {
    expect(readJobs(dropJob(FILE, "inbox-check"), ZONE).jobs.map(({ name }) => name)).toEqual(["news", "party"]);
    expect(readJobs(dropJob(FILE, "party"), ZONE).jobs.map(({ name }) => name)).toEqual(["news", "inbox-check"]);
    expect(() => jobFields(FILE, "nothing")).toThrow('There is no job "nothing".');
  });
});
