/**
 * Messages of a turn that read an untrusted page, as readers get them: in the room, in live deltas,
 * and at the other end of a channel.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@hearth/protocol/until";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createFakeChannel } from "../../src/channels/fake-channel.ts";
import { createFakePlatform } from "../../src/channels/fake-platform.ts";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import { call, lastIn, resultsIn } from "../../src/fixtures/talk.ts";

const { items, canary } = JSON.parse(
  readFileSync(join(import.meta.dir, "../../src/policy/fixtures/output-exfil.json"), "utf8"),
);
const PAGE = "http://stranger.example/page";
const OWN = "http://stranger.example/owned";
const saying = `Look, ${OWN}.\n\n${items.join("\n\n").replaceAll("{C}", canary)}`;
const CONFIG = '[channels.tele]\nkind = "fake"\ntoken = "env:CHANNEL_TOKEN"\n';

const open = async () => {
  const disk = createTestDisk();
  const { clock } = createBunWorld();
  const platform = createFakePlatform({ clock, takesKeys: false });
  const upstream = createFakeUpstream(() => "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfrom afar\r\n");
  const house = await openTestHouse({
    ...{ disk, config: 'tools = ["http_fetch"]\n', sections: CONFIG },
    channels: { fake: async () => () => createFakeChannel({ platform, clock }) },
    script: (request) => {
      const isDone = resultsIn(request).length > 0 || !lastIn(request).includes("read");
      return isDone ? { text: saying } : call("http_fetch", { url: PAGE });
    },
    egress: {
      network: createFakeNetwork((far) => void upstream.serve(far)),
      resolver: createFakeResolver({ "stranger.example": [["93.184.216.34"]] }),
      tls: createFakeTls(),
    },
  });
  await house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "stranger.example" }] } });
  platform.say("d1", "ana", "hello");
  await until(() => platform.sent().length === 1);
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(platform.sent()[0]?.text ?? "")?.[0] ?? "";
  expect((await house.ask("POST", "/api/pairings", { code, as: "owner" })).status).toBe(200);
  await until(() => platform.sent().length === 2);
  return { disk, house, platform };
};

const LIVE =
  /https?:\/\/(?!stranger\.example\/owned)|evil\.example|\]\(|<[a-z]|\b(?:data|javascript|mailto|tel|file|media):\S/i;

test("C1: links in a tainted turn's messages lead only to hosts that the owner named, for every reader, and the message names its sources", async () => {
  const { disk, house, platform } = await open();
  using _disk = disk;
  await using _house = house;
  platform.say("d1", "ana", `read it, then see ${OWN}`);
  await until(async () => (await house.messages()).length === 2);
  const [, reply] = await house.messages();
  expect(reply?.label).toMatchObject({ integrity: "untrusted", sources: [PAGE] });
  expect(reply?.body.text).toContain(`Look, ${OWN}.`);
  expect(reply?.body.text).toContain("click (hxxps://evil[.]example/?q=HEARTH_CANARY_7f3a)");
  expect(reply?.body.text).not.toMatch(LIVE);

  await until(() => platform.sent().length >= 3);
  const sent = platform
    .sent()
    .slice(2)
    .map(({ text }) => text)
    .join("\n");
  expect(sent).not.toMatch(LIVE);
  expect(sent).toEndWith("Built from untrusted content: hxxp://stranger[.]example/page");

  const [start] = (await house.deltas(reply?.activation ?? "")).filter(({ type }) => type === "tool-start");
  expect(start).toBeDefined();
  const written = (await house.deltas(reply?.activation ?? ""))
    .flatMap((event) => (event.type === "text-delta" ? [event.text] : []))
    .join("");
  expect(written).toContain("hxxps://evil[.]example");
  expect(written).not.toMatch(/https?:\/\/(?!stranger\.example\/owned)|\b(?:data|javascript|mailto|tel|file):\S/i);
});

test("messages of an untainted turn are unchanged and have no label", async () => {
  const { disk, house, platform } = await open();
  using _disk = disk;
  await using _house = house;
  platform.say("d1", "ana", "just talk");
  await until(async () => (await house.messages()).length === 2);
  const [, reply] = await house.messages();
  expect(reply?.body.text).toBe(saying);
  expect(reply?.label).toBeUndefined();
  await until(() => platform.sent().length >= 3);
  expect(
    platform
      .sent()
      .map(({ text }) => text)
      .join("\n"),
  ).not.toContain("Built from");
});
