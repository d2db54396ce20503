/** The job commands against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { ActivationId, type Job, JobHookId } from "@hearth/protocol";
import { createFakeJob, createFakeSlot, FAKE_SLOT_AT } from "@hearth/protocol/job-fake";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";
import { localTime } from "../show/time.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
const json = async (...words: string[]): Promise<unknown> => JSON.parse((await hearth(...words, "--json")).out);

const JOBS = "/api/agents/main/jobs";
const job = (more: Partial<Job> = {}): Job => createFakeJob({ agent: house.main.id, owner: house.owner.id, ...more });
const activation = ActivationId.parse(`act_${"0".repeat(26)}`);
const hook = {
  id: JobHookId.parse(`hook_${"0".repeat(26)}`),
  path: `/hooks/jobs/hook_${"0".repeat(26)}`,
  secret: "whsec_S2V5",
};

const bodyOf = (start: string): unknown => {
  const line = house.requests.findLast((request) => request.startsWith(start)) ?? "";
  return line === "" ? undefined : JSON.parse(line.slice(line.indexOf("{")));
};

test("a job is added with exactly the given fields, and the parsed schedule is printed", async () => {
  house.answer(`POST ${JOBS}`, job());
  const added = await hearth(
    "job",
    "add",
    "main",
    "--name",
    "news",
    "--when",
    "every weekday at 9",
    "--prompt",
    "What is new?",
  );
  expect([added.code, added.out]).toEqual([
    0,
    `added news: every weekday at 09:00 (UTC), next on ${localTime(FAKE_SLOT_AT)}\n`,
  ]);
  expect(bodyOf(`POST ${JOBS}`)).toEqual({ name: "news", prompt: "What is new?", when: "every weekday at 9" });
  const more = [
    "--cron",
    "0 9 * * *",
    "--tz",
    "Europe/Berlin",
    "--context",
    "main",
    "--room",
    "den",
    "--until",
    "2027-01-01",
  ];
  expect(await json("job", "add", "main", "--name", "news", "--prompt", "x", ...more, "--catch-up", "all")).toEqual(
    job(),
  );
  expect(bodyOf(`POST ${JOBS}`)).toEqual({
    name: "news",
    prompt: "x",
    cron: "0 9 * * *",
    zone: "Europe/Berlin",
    context: "main",
    room: "den",
    until: "2027-01-01",
    catchUp: "all",
  });
});

test("a job is added paused", async () => {
  house.answer(`POST ${JOBS}`, job({ status: "paused" }));
  const { out } = await hearth("job", "add", "main", "--name", "news", "--prompt", "x", "--every", "1h", "--paused");
  expect(out).toStartWith("added news: ");
  expect(bodyOf(`POST ${JOBS}`)).toEqual({ name: "news", prompt: "x", every: "1h", paused: true });
});

test("a job without a name, a prompt or exactly one schedule is refused without a request to the house", async () => {
  for (const [words, message] of [
    [["--prompt", "x", "--every", "1h"], "A job needs a name."],
    [["--name", "a", "--every", "1h"], "A job needs a prompt."],
    [["--name", "a", "--prompt", "x"], "A job needs exactly one of --cron, --every, --once and --when."],
    [["--name", "a", "--prompt", "x", "--every", "1h", "--when", "daily"], "A job needs exactly one of"],
    [["--name", "a", "--prompt", "x", "--every", "1h", "--catch-up", "maybe"], "--catch-up"],
  ] as const) {
    const { code, err } = await hearth("job", "add", "main", ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  }
  expect((await hearth("job", "edit", "main", "news")).err).toContain("Nothing to change: no field was given.");
  expect(house.requests.filter((request) => request.includes("/jobs"))).toEqual([]);
});

test("jobs are listed with schedule, state and last outcome, and invalid entries with their lines", async () => {
  const listed = {
    jobs: [job({ last: createFakeSlot({ fate: "failed", reason: "no" }) }), job({ name: "tea", status: "halted" })],
    mistakes: [{ line: 8, name: "two", message: '"bad\u001b[2J" is no cron.' }],
  };
  house.answer(`GET ${JOBS}`, listed);
  const { code, out, err } = await hearth("job", "list", "main");
  const [, news, tea] = out.split("\n");
  expect(code).toBe(0);
  expect(news).toContain("every weekday at 09:00 (UTC)");
  expect(news).toContain(`failed, ${localTime(FAKE_SLOT_AT)}`);
  expect(tea).toMatch(/^main +tea .* halted/);
  expect(err).toContain("main: cron/jobs.toml, line 8:");
  expect(err).not.toContain("\u001b");
  // Without a name: the jobs of every bot that this daemon runs.
  house.addAgent({ name: "Far", kind: "bot", runs: "elsewhere" });
  expect(await json("job", "list")).toEqual(listed);
  house.answer(`GET ${JOBS}`, { jobs: [], mistakes: [] });
  expect((await hearth("job", "list")).out + (await hearth("job", "list")).err).toContain("There are no jobs.");
});

test("a job is shown with its prompt, its room, its webhook and its failure count", async () => {
  house.answer(
    `GET ${JOBS}/news`,
    job({ failures: 2, room: "den", until: FAKE_SLOT_AT, hook: hook.path, last: createFakeSlot({ fate: "failed" }) }),
  );
  const { out } = await hearth("job", "show", "main", "news");
  expect(out).toContain("active, next on");
  expect(out).toContain("failed 2 times in a row");
  expect(out).toContain("isolated, in den, catches up: once");
  expect(out).toContain(`until ${localTime(FAKE_SLOT_AT)}\n`);
  expect(out).toContain(`its webhook: POST ${hook.path}\n`);
  expect(out).toEndWith("What is new?\n");
});

test("a job is edited, paused, resumed, run and cancelled, each with one request", async () => {
  house.answer(`PATCH ${JOBS}/news`, job({ status: "paused" }));
  expect((await hearth("job", "edit", "main", "news", "--prompt", "y")).out).toStartWith("edited news:");
  expect(bodyOf(`PATCH ${JOBS}/news`)).toEqual({ prompt: "y" });
  expect((await hearth("job", "pause", "main", "news")).out).toStartWith("paused news:");
  expect(bodyOf(`PATCH ${JOBS}/news`)).toEqual({ paused: true });
  expect((await hearth("job", "resume", "main", "news")).out).toStartWith("resumed news:");
  expect(bodyOf(`PATCH ${JOBS}/news`)).toEqual({ paused: false });
  house.answer(`POST ${JOBS}/news/run`, createFakeSlot({ activation, byHand: true }));
  expect((await hearth("job", "run", "main", "news")).out).toBe(`fired news: ${activation}\n`);
  house.answer(`DELETE ${JOBS}/news`, {});
  expect((await hearth("job", "cancel", "main", "news")).out).toBe("cancelled news\n");
  expect(await json("job", "cancel", "main", "news")).toEqual({ name: "news", cancelled: true });
});

test("the outcomes of a job are printed one per line, truncated to the line length", async () => {
  const { endedAt: _, ...unfinished } = createFakeSlot({ activation });
  house.answer(`GET ${JOBS}/news/slots`, [
    unfinished,
    createFakeSlot({ fate: "merged", count: 719, reason: "x".repeat(190) }),
  ]);
  const { out } = await hearth("job", "slots", "main", "news", "--limit", "5");
  expect(house.queries.at(-1)).toEqual({ limit: "5" });
  expect(out).toMatch(new RegExp(`1 +running +On time\\. +${activation}`));
  expect(out).toContain(`merged   ${"x".repeat(99)}…`);
});

test("a webhook is turned on, gets a new key and is turned off, and each key is printed once", async () => {
  house.answer(`POST ${JOBS}/news/hook`, hook);
  house.answer(`POST ${JOBS}/news/hook/rotate`, { ...hook, secret: "whsec_TmV3" });
  house.answer(`DELETE ${JOBS}/news/hook`, {});
  const { out } = await hearth("job", "hook", "main", "news", "--on");
  expect(out).toContain(`POST ${hook.path}`);
  expect(out).toContain("its key, shown only once: whsec_S2V5\n");
  expect((await hearth("job", "hook", "main", "news", "--rotate")).out).toContain("whsec_TmV3");
  expect(await json("job", "hook", "main", "news", "--on")).toEqual(hook);
  expect((await hearth("job", "hook", "main", "news", "--off")).out).toBe("the webhook of news is off\n");
  expect(await json("job", "hook", "main", "news", "--off")).toEqual({ name: "news", hook: false });
  for (const words of [[], ["--on", "--off"], ["--on", "--rotate"], ["--rotate", "--off"]]) {
    const { code, err } = await hearth("job", "hook", "main", "news", ...words);
    expect([code, err]).toEqual([2, expect.stringContaining("Give exactly one of --on, --rotate and --off.")]);
  }
});
