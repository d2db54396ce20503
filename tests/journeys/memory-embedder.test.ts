/**
 * A memory whose vectors come from a server: the daemon sends redacted texts with a key that the
 * memory process never gets.
 */
import { expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { childrenOf, createHome, startDaemon } from "./daemon.ts";
import { createEmbedderPeer } from "./embedder-peer.ts";
import { MEMORY, search, untilWhole, configure, NOTES } from "./embedder-house.ts";

const KEY = "key-of-the-embedder-4711";

test.each([
  ["ollama", (port: number) => `http://127.0.0.1:${port}`],
  ["openai-compatible", (port: number) => `http://127.0.0.1:${port}/v1`],
] as const)(
  "%s: the server gets redacted texts and questions; the key is read for each request and is in no process",
  async (kind, address) => {
    using home = createHome();
    await using peer = createEmbedderPeer(48);
    configure(
      home.folder,
      `embedder = "${kind}"`,
      ...[`base_url = "${address(peer.port)}"`, 'model = "m"', "dimensions = 48", 'api_key = "env:EMBEDDER_KEY"'],
    );
    await using daemon = await startDaemon(home.folder, { EMBEDDER_KEY: KEY });
    appendFileSync(
      join(home.folder, MEMORY),
      `${NOTES.join("")}## Shop\n\nThe token of the shop is sk-ant-api03-${"Ab3".repeat(31)}AA.\n`,
    );
    expect((await search(daemon, "where is the spare key of Cem?")).found[0]?.text).toContain("Cem keeps");
    const status = await untilWhole(daemon);
    expect(status.embedder).toBe(`${kind}/m (48) at ${address(peer.port)}`);
    expect(await search(daemon, "the spare key of Cem")).toMatchObject({ mode: "hybrid" });
    expect(peer.texts).toContain("the spare key of Cem");
    expect(peer.texts.some((text) => text.includes("behind the water meter"))).toBe(true);
    expect(peer.texts.some((text) => text.includes("token of the shop"))).toBe(true);
    expect(peer.texts.join()).not.toContain("Ab3Ab3");
    expect(new Set(peer.keys)).toEqual(new Set([`Bearer ${KEY}`]));
    const children = await childrenOf(daemon.pid);
    const indexing = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/m (48) at "));
    expect(indexing).toHaveLength(1);
    for (const pid of indexing) {
      const told = readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8");
      expect(told).not.toContain(KEY);
    }
    expect(Bun.spawnSync(["grep", "-rl", KEY, home.folder]).stdout.toString()).toBe("");
  },
);

test("the cost of vectors counts in the house's budget; when it is used up, search uses words alone and reports the reason", async () => {
  using home = createHome();
  await using peer = createEmbedderPeer(48);
  const paidBy = (day: number): void =>
    configure(
      home.folder,
      ...['embedder = "openai-compatible"', `base_url = "http://127.0.0.1:${peer.port}/v1"`, 'model = "m"'],
      ...["dimensions = 48", "[prices]", '"openai-compatible/m" = { input = 1000, output = 1000 }'],
      ...["[budget]", `day = ${day}`],
    );
  paidBy(100);
  {
    await using daemon = await startDaemon(home.folder);
    appendFileSync(join(home.folder, MEMORY), NOTES.join(""));
    await search(daemon, "spare key");
    await untilWhole(daemon);
    const { budgets } = JSON.parse((await daemon.hearth("budget", "--json")).stdout);
    // The server reports one token per request.
    expect(
      budgets.find(({ scope, per }: { scope: string; per: string }) => scope === "house" && per === "day"),
    ).toMatchObject({
      spent: { tokens: peer.keys.length, money: peer.keys.length * 1000 },
      reserved: { tokens: 0 },
    });
    await daemon.stop();
  }
  paidBy(0.001);
  await using daemon = await startDaemon(home.folder);
  const before = peer.keys.length;
  const answer = await search(daemon, "the key of Gus");
  const why = "Today's budget of 0.0010 USD for all agents together is used up";
  expect(answer).toMatchObject({ mode: "lexical", problem: expect.stringContaining(why) });
  expect(answer.found[0]?.text).toContain("Gus keeps");
  expect((await daemon.hearth("memory", "status")).stdout).toContain(why);
  expect(peer.keys.length).toBe(before);
});
