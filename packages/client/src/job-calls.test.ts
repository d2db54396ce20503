import { afterEach, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { type Client, createClient } from "./client.ts";

const ID = "0".repeat(26);
const slot = { slot: 1, through: 1, count: 1, fate: "fired", reason: "On time.", byHand: false };
const schedule = { kind: "every", everyMs: 60_000, from: 0 };
const job = {
  agent: `agent_${ID}`,
  name: "tea",
  prompt: "Tea?",
  schedule,
  understood: "every 1m",
  context: "isolated",
  catchUp: "once",
  owner: `agent_${ID}`,
  status: "active",
  next: 2,
  failures: 0,
  last: slot,
};
const hook = { id: `hook_${ID}`, path: `/hooks/jobs/hook_${ID}`, secret: "whsec_AAAA" };

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A house that answers every request alike and records the requests. */
const open = (answer: unknown, status = 200) => {
  const seen: unknown[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      seen.push([request.method, pathname + search, ...(text === "" ? [] : [JSON.parse(text)])]);
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer, { status });
    },
  });
  servers.push(server);
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return { seen, client: createClient({ baseUrl, fetch, sleep: () => Promise.resolve() }) };
};

type Jobs = Awaited<ReturnType<Client["jobs"]>>;
const J = "/api/agents/main/jobs";
const add = { name: "tea", prompt: "Tea?", when: "every minute" };
const preview = { schedule, understood: "every 1m", next: [2, 3, 4] };

test.each([
  ["GET", J, undefined, { jobs: [job], mistakes: [{ line: 3, message: "no" }] }, (jobs: Jobs) => jobs.list("main")],
  ["GET", `${J}/tea`, undefined, job, (jobs: Jobs) => jobs.get("main", "tea")],
  ["POST", J, add, job, (jobs: Jobs) => jobs.add("main", add)],
  ["PATCH", `${J}/tea`, { room: null }, job, (jobs: Jobs) => jobs.edit("main", "tea", { room: null })],
  ["DELETE", `${J}/tea`, undefined, undefined, (jobs: Jobs) => jobs.cancel("main", "tea")],
  ["POST", `${J}/tea/run`, undefined, slot, (jobs: Jobs) => jobs.run("main", "tea")],
  ["GET", `${J}/tea/slots?limit=5`, undefined, [slot], (jobs: Jobs) => jobs.slots("main", "tea", { limit: 5 })],
  ["POST", `${J}/preview`, { cron: "* * * * *" }, preview, (jobs: Jobs) => jobs.preview("main", { cron: "* * * * *" })],
  ["POST", `${J}/tea/hook`, undefined, hook, (jobs: Jobs) => jobs.openHook("main", "tea")],
  ["POST", `${J}/tea/hook/rotate`, undefined, hook, (jobs: Jobs) => jobs.rotateHook("main", "tea")],
  ["DELETE", `${J}/tea/hook`, undefined, undefined, (jobs: Jobs) => jobs.closeHook("main", "tea")],
] as const)(
  "%s %s asks for exactly that, and gives back what the house said",
  async (method, path, body, answer, call) => {
    const { client, seen } = open(answer);
    expect<unknown>(await call(await client.jobs())).toEqual(answer);
    expect(seen).toEqual([body === undefined ? [method, path] : [method, path, body]]);
  },
);

test("a refusal is thrown with the house's message, and an answer of another form is rejected", async () => {
  const refused = open({ error: { code: "job.invalid", message: '"soon" is no time.', hint: "Such as daily" } }, 400);
  const failure = (jobs: Jobs) => jobs.preview("main", { when: "soon" }).catch((error: unknown) => error);
  const error = await failure(await refused.client.jobs());
  expect(isHearthError(error, "job.invalid") && [error.message, error.hint]).toEqual([
    '"soon" is no time.',
    "Such as daily",
  ]);
  const strange = await failure(await open({ next: "soon" }).client.jobs());
  expect(isHearthError(strange, "house.incompatible")).toBe(true);
});
