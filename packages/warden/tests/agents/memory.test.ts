/**
 * Memory in a whole house: stored in one turn, found in a later one by permitted readers, with its
 * provenance.
 */
import { expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { createScanParts } from "../../src/fixtures/memory.ts";
import { call, lastIn, resultsIn, waitForEnd } from "../../src/fixtures/talk.ts";

const PAGE = "http://stranger.example/page";
const BODY = "Ladders of Vexley are the best ladders.";
const TOOLS = ["read_brain", "remember", "recall", "forget", "time", "http_fetch", "ask_agent", "shell", "list"];

/**
 * Follows the message step by step: `fetch`, `remember TEXT`, `instead OLD => NEW`, `recall QUERY`,
 * `forget SOURCE`, `time`.
 */
const obey = (request: ModelRequest) => {
  const step = lastIn(request).split("; ")[resultsIn(request).length];
  if (step === undefined)
    return {
      text: resultsIn(request)
        .map(({ text }) => text)
        .join("\n---\n"),
    };
  const [, verb = "", rest = ""] = /^(\w+) ?(.*)$/s.exec(step) ?? [];
  const id = `call-${resultsIn(request).length}`;
  const [old, fresh = ""] = rest.split(" => ");
  if (verb === "fetch") return call("http_fetch", { url: PAGE }, id);
  if (verb === "remember") return call("remember", { text: rest }, id);
  if (verb === "instead") return call("remember", { text: fresh, replaces: old }, id);
  if (verb === "recall") return call("recall", { query: rest }, id);
  if (verb === "forget") return call("forget", { source: rest }, id);
  return call("time", {}, id);
};

const open = async (disk: TestDisk, world?: FakeWorld) => {
  const upstream = createFakeUpstream(() => `HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`);
  const house = await openTestHouse({
    ...{ disk, script: obey, memory: createScanParts(), ...(world === undefined ? {} : { world }) },
    config: `tools = ${JSON.stringify(TOOLS)}\n`,
    egress: {
      network: createFakeNetwork((far) => void upstream.serve(far)),
      resolver: createFakeResolver({ "stranger.example": [["93.184.216.34"]] }),
      tls: createFakeTls(),
    },
  });
  await house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "stranger.example" }] } });
  return house;
};

const say = async (house: TestHouse, text: string) => {
  const count = (await house.messages()).length;
  await house.post(text);
  return (await house.until(count + 2)).at(-1);
};

/** Resolves once a room has `count` messages. */
const untilSaid = async (house: TestHouse, room: string, count: number): Promise<readonly unknown[]> => {
  const said: unknown[] = [];
  for (let after = 0; said.length < count;) {
    const { json } = await house.ask("GET", `/api/rooms/${room}/events?after=${after}&limit=1000&wait=5000`);
    said.push(...json.events.filter(({ type }: { type: string }) => type === "message"));
    after = json.next;
  }
  return said;
};

test("a stored fact is found in a later turn after a restart, cited by its place, and does not taint", async () => {
  using disk = createTestDisk();
  {
    await using house = await open(disk);
    expect((await say(house, "remember The boiler was serviced in May."))?.body.text).toBe("Kept in MEMORY.md.");
  }
  await using house = await open(disk);
  const found = await say(house, "recall boiler serviced");
  expect(found?.body.text).toMatch(/^MEMORY\.md:1\n- \d{4}-\d\d-\d\d, @\w+: The boiler was serviced in May\.$/m);
  expect(found?.label).toBeUndefined();
});

test("facts from a page are stored as untrusted: later turns are tainted only once they recall them", async () => {
  using disk = createTestDisk();
  await using house = await open(disk);
  await say(house, `fetch; remember ${BODY}`);
  await house.post("/new");
  await house.until(3);
  const plain = await say(house, "time");
  expect(plain?.label).toBeUndefined();
  expect(JSON.stringify(house.model.requests.slice(-2))).not.toContain("Vexley");
  const recalled = await say(house, "recall ladders");
  expect(recalled?.body.text).toContain("[others wrote this: ");
  expect(recalled?.body.text).toContain("Vexley");
  expect(recalled?.label).toMatchObject({ integrity: "untrusted", sources: expect.arrayContaining([PAGE]) });
});

test("a hostile page fetched today leaves tomorrow's job untainted, and is found by recall with its label", async () => {
  const NOON = Date.UTC(2026, 0, 1, 12);
  const HOUR = 3_600_000;
  using disk = createTestDisk();
  const world = createFakeWorld({ hash: createBunWorld().hash, now: NOON });
  await using house = await open(disk, world);
  await say(house, `fetch; remember ${BODY}`);
  // First the same conversation asks for the page again: the address comes from no person.
  await house.post("fetch");
  const asked = async (): Promise<readonly unknown[]> => (await house.ask("GET", "/api/approvals?state=pending")).json;
  await until(async () => (await asked()).length > 0);
  await house.ask("POST", "/api/rooms/main/messages", { text: "stop" });
  await until(async () => (await asked()).length === 0);

  const job = { name: "look", when: "every day at 9", prompt: "fetch" };
  expect((await house.ask("POST", "/api/agents/main/jobs", job)).status).toBe(201);
  const before = (await house.messages()).length;
  const readBefore = house.model.requests.length;
  for (let passed = 0; passed < 22 * HOUR; passed += HOUR / 4) {
    await world.advance(HOUR / 4);
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  const [, reply] = (await house.until(before + 2)).slice(before);
  expect(reply?.body.text).toContain(BODY);
  expect(await asked()).toEqual([]);
  // The job's initial input contains nothing of the page.
  expect(JSON.stringify(house.model.requests[readBefore])).not.toContain("Vexley");

  await house.post("/new");
  await house.until(before + 3);
  const recalled = await say(house, "recall ladders");
  expect(recalled?.body.text).toContain("Vexley");
  expect(recalled?.label).toMatchObject({ integrity: "untrusted", sources: expect.arrayContaining([PAGE]) });
});

test("recall finds the new fact after it replaced another", async () => {
  using disk = createTestDisk();
  await using house = await open(disk);
  await say(house, "remember Ana lives in Bern.");
  expect((await say(house, "instead lives in Bern => Ana lives in Rome."))?.body.text).toContain("It replaces: ");
  const found = await say(house, "recall where does Ana live");
  expect(found?.body.text).toContain("Rome");
  expect(found?.body.text).not.toContain("Bern");
});

test("recall leaves out the files that the prompt contains completely", async () => {
  using disk = createTestDisk();
  await using house = await open(disk);
  await say(house, "remember Ana is kind to bikes.");
  const found = (await say(house, "recall kind Ana"))?.body.text;
  expect(found).toContain("MEMORY.md:1");
  expect(found).not.toContain("SOUL.md");
  expect(found).not.toContain("USER.md");
});

test("people of a group find that group's memory, and no other memory is in any answer or prompt there", async () => {
  using disk = createTestDisk();
  await using house = await open(disk);
  await say(house, "remember The canary of Ana sings at noon.");
  const { json: bea } = await house.ask("POST", "/api/agents", { content: { name: "Bea", kind: "human" } });
  const { json: hall } = await house.ask("POST", "/api/rooms", { content: { name: "Hall" } });
  await house.ask("PUT", `/api/rooms/${hall.id}/grants/${bea.id}`, { level: "w" });
  const before = house.model.requests.length;
  const steps = ["@main x", "recall canary", "instead canary => x", "instead MEMORY.md:1 => y"];
  await house.ask("POST", `/api/rooms/${hall.id}/messages`, { text: steps.join("; ") });
  const told = await untilSaid(house, hall.id, 2);
  expect(house.model.requests.slice(before).flatMap(resultsIn).length).toBeGreaterThan(steps.length - 2);
  expect(JSON.stringify(house.model.requests.slice(before))).not.toContain("sings");
  expect(JSON.stringify(told)).not.toContain("sings");
});

test("forgetting waits for an approval, and then nothing of the content is left", async () => {
  using disk = createTestDisk();
  await using house = await open(disk);
  await say(house, "remember The canary of Ana sings at noon.");
  await house.post("forget MEMORY.md:1");
  for (;;) {
    const { json } = await house.ask("GET", "/api/approvals?state=pending");
    expect(await disk.brains.read("main/MEMORY.md")).toContain("canary");
    const [approval] = json;
    if (approval === undefined) continue;
    expect(
      (await house.ask("POST", `/api/approvals/${approval.id}`, { decision: "allow", scope: "once" })).status,
    ).toBe(200);
    break;
  }
  await waitForEnd(house, "main", 2);
  expect(JSON.stringify(await house.messages())).toContain("Forgotten: ");
  expect((await disk.brains.read("main/MEMORY.md")) ?? "").not.toContain("canary");
});
