/**
 * Every output of a turn that read an untrusted page: to people in rooms and channels, and to other
 * agents, whose turns people can read.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelRequest } from "@hearth/protocol";
import { type HostToolName, tools } from "@hearth/protocol/tools";
import { found, until } from "@hearth/protocol/until";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createFakeChannel } from "../../src/channels/fake-channel.ts";
import { createFakePlatform } from "../../src/channels/fake-platform.ts";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { activationsOf, addBot, call, inboxOf, nameIn, resultsIn } from "../../src/fixtures/talk.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";

type Json = ReturnType<typeof JSON.parse>;

const { items, canary } = JSON.parse(
  readFileSync(join(import.meta.dir, "../../src/policy/fixtures/output-exfil.json"), "utf8"),
);
const PAGE = "http://stranger.example/page";
const saying: string = items.join("\n\n").replaceAll("{C}", canary);
const LIVE =
  /https?:\/\/(?!stranger\.example)|evil\.example|\]\(|<[a-z]|\b(?:data|javascript|mailto|tel|file|media):\S/i;

/** Host tools that send text to an agent or a person, each with `main`'s arguments. */
const TELLING: Partial<Record<HostToolName, object>> = {
  send_message: { room: "side", text: saying },
  send_to_agent: { agent: "@scout", text: saying },
  ask_agent: { agent: "@scout", question: saying },
  delegate: { task: saying },
};
/** Tools that contact only servers: those are judged by the host. */
const ASKING: readonly HostToolName[] = ["http_fetch", "web_search", "ask_source"];

/** Tools that change only the agent's own data and send nothing. */
const KEEPING: readonly HostToolName[] = ["forget"];

/** Tools that send only to the readers of the answer: their own tests have what they may send. */
const STAYING = ["attach", "chart"];

/**
 * Tools that send a prompt to the configured provider, and a picture to the readers of the answer:
 * image-tools.test.ts has what they may send.
 */
const DRAWING = ["image_generate", "image_edit"];

test("each host tool with an effect sends text and is tested here, contacts only servers, stays in the room, or sends nothing", () => {
  const acting = Object.values(tools).filter(({ runs, traits }) => runs === "host" && traits.acts);
  expect(acting.map(({ name }): string => name).toSorted()).toEqual(
    [...Object.keys(TELLING), ...ASKING, ...KEEPING, ...STAYING, ...DRAWING].toSorted(),
  );
});

/** `main` reads the page and then does what the test says; `scout` reads it too and repeats it. */
const open = async (mains: (request: ModelRequest) => ScriptedReply) => {
  const disk = createTestDisk();
  const { clock } = createBunWorld();
  const platform = createFakePlatform({ clock, takesKeys: false });
  const upstream = createFakeUpstream(() => "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfrom afar\r\n");
  const house = await openTestHouse({
    ...{ disk, config: `tools = ${JSON.stringify(["http_fetch", ...Object.keys(TELLING)])}\n` },
    sections: '[channels.tele]\nkind = "fake"\ntoken = "env:CHANNEL_TOKEN"\n[channels.tele.admission]\nmode = "open"\n',
    channels: { fake: async () => () => createFakeChannel({ platform, clock }) },
    script: (request) => {
      if (resultsIn(request).length === 0) return call("http_fetch", { url: PAGE });
      return nameIn(request) === "Scout" ? { text: saying } : mains(request);
    },
    egress: {
      network: createFakeNetwork((far) => void upstream.serve(far)),
      resolver: createFakeResolver({ "stranger.example": [["93.184.216.34"]] }),
      tls: createFakeTls(),
    },
  });
  const egress = [{ host: "stranger.example" }];
  await house.ask("PATCH", "/api/agents/main", { content: { egress } });
  await addBot(house, "Scout", { tools: ["http_fetch"], egress });
  await house.ask("POST", "/api/rooms", { content: { name: "Side" } });
  return { disk, house, platform };
};

/** Approves every request until the turn has ended. */
const untilDone = (house: TestHouse): Promise<Json> =>
  found<Json>(async () => {
    const [first] = await activationsOf(house, "main");
    if (first?.endedAt !== undefined) return first;
    const { json: asked } = await house.ask("GET", "/api/approvals?state=pending");
    for (const { id } of asked) await house.ask("POST", `/api/approvals/${id}`, { decision: "allow" });
    return undefined;
  });

/** Everything that people can read of it, except calls, which are shown unchanged. */
const readable = async (house: TestHouse): Promise<string> => {
  const { json: rooms } = await house.ask("GET", "/api/rooms");
  const { json: agents } = await house.ask("GET", "/api/agents");
  const said = await Promise.all(
    (rooms as Json[]).map(async ({ id }) => (await house.ask("GET", `/api/rooms/${id}/events?limit=1000`)).json.events),
  );
  const left = await Promise.all((agents as Json[]).map(async ({ id }) => inboxOf(house, id).catch(() => [])));
  const logs = await Promise.all(
    (agents as Json[]).map(async ({ id }) => (await house.ask("GET", `/api/agents/${id}/log?limit=1000`)).json.events),
  );
  return JSON.stringify([said, left, logs]);
};

for (const [name, input] of Object.entries(TELLING))
  test(`text sent by ${name} and its answers contain no working link`, async () => {
    const { disk, house } = await open((request) =>
      resultsIn(request).length === 1 ? call(name, input) : { text: resultsIn(request).at(-1)?.text ?? "" },
    );
    using _disk = disk;
    await using _house = house;
    await house.post("read the page");
    expect(await untilDone(house)).toMatchObject({ state: "replied" });
    const all = await readable(house);
    expect(all).toContain("hxxps://evil[.]example");
    expect(all).not.toMatch(LIVE);
  });

test("a failure report contains no working link, in the room and on a channel", async () => {
  const error = { code: "provider.refused", message: saying, hint: "See https://evil.example/ ." } as const;
  const { disk, house, platform } = await open(() => ({ error }));
  using _disk = disk;
  await using _house = house;
  platform.say("d1", "ana", "read the page");
  await until(() => platform.sent().length > 0);
  expect(await untilDone(house)).toMatchObject({ state: "failed" });
  const said = platform.sent().map(({ text }) => text);
  expect(said.join("\n")).toContain("hxxps://evil[.]example");
  expect(said.join("\n")).not.toMatch(LIVE);
  expect(await readable(house)).not.toMatch(LIVE);
});
