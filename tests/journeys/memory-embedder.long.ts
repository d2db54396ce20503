/**
 * A memory whose vectors come from a server: the daemon sends redacted texts with a key that the
 * memory process never gets.
 */
import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon } from "./daemon.ts";
import { createEmbedderPeer } from "./embedder-peer.ts";
import { MEMORY, search, statusOf, untilWhole, configure, NAMES, NOTES } from "./embedder-house.ts";

test("with a failing server, search uses words alone and reports the reason; another dimension recomputes every vector", async () => {
  using home = createHome();
  const address = (port: number) => `base_url = "http://127.0.0.1:${port}"`;
  await using small = createEmbedderPeer(48);
  await using large = createEmbedderPeer(64);
  configure(home.folder, 'embedder = "ollama"', address(small.port), 'model = "m"', "dimensions = 48");
  {
    await using daemon = await startDaemon(home.folder);
    appendFileSync(join(home.folder, MEMORY), NOTES.join(""));
    await search(daemon, "spare key");
    await untilWhole(daemon);
    small.refuse(500);
    const answer = await search(daemon, "the key of Gus");
    expect(answer).toMatchObject({ mode: "lexical", problem: expect.stringContaining("ollama answered 500") });
    expect(answer.found[0]?.text).toContain("Gus keeps");
    const plain = await daemon.hearth("memory", "search", "the key of Gus");
    expect(plain.stderr).toContain("ollama answered 500");
    expect((await daemon.hearth("memory", "status")).stdout).toContain("ollama answered 500");
    await daemon.stop();
  }
  configure(home.folder, 'embedder = "ollama"', address(large.port), 'model = "m"', "dimensions = 64");
  await using daemon = await startDaemon(home.folder);
  await search(daemon, "spare key");
  const { chunks, embedder } = await untilWhole(daemon);
  expect(embedder).toContain("(64)");
  // At least one text of each chunk was embedded again.
  for (const name of NAMES) expect(large.texts.some((text) => text.includes(`${name} keeps`))).toBe(true);
  expect(large.texts.length).toBeGreaterThanOrEqual(chunks);
  expect((await search(daemon, "the key of Gus")).mode).toBe("hybrid");
});

test("an agent with word search alone sends no text, and an agent without retrieval has no index", async () => {
  using home = createHome();
  await using peer = createEmbedderPeer(48);
  const ollama = [
    'embedder = "ollama"',
    `base_url = "http://127.0.0.1:${peer.port}"`,
    'model = "m"',
    "dimensions = 48",
  ];
  configure(home.folder, ...ollama);
  await using daemon = await startDaemon(home.folder);
  expect((await daemon.hearth("agent", "edit", "main", "--retrieval", "lexical")).code).toBe(0);
  appendFileSync(join(home.folder, MEMORY), NOTES.join(""));
  const found = await search(daemon, "the key of Gus");
  expect([found.mode, found.found[0]?.text]).toEqual(["lexical", expect.stringContaining("Gus keeps")]);
  expect(await statusOf(daemon)).toMatchObject({ vectors: 0, catchingUp: false });
  expect(peer.texts).toEqual([]);
  expect((await daemon.hearth("agent", "edit", "main", "--retrieval", "none")).code).toBe(0);
  expect(await search(daemon, "the key of Gus")).toMatchObject({ mode: "none", found: [] });
  expect((await daemon.hearth("agent", "edit", "main", "--retrieval", "hybrid")).code).toBe(0);
  await search(daemon, "the key of Gus");
  await untilWhole(daemon);
  expect(peer.texts.length).toBeGreaterThan(0);
});
