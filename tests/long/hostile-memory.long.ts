/**
 * Oversized files in the memory of a whole house with its embedding model. Takes minutes; `npm run
 * test:long`.
 */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";

const MEMORY = "/api/agents/main/memory";
const MIB = 1024 * 1024;

const recall = async (daemon: Daemon, query: string) => {
  const { status, json } = await daemon.ask("POST", `${MEMORY}/recall`, { query });
  expect(status).toBe(200);
  return json as { readonly mode: string; readonly found: readonly { readonly path: string; readonly text: string }[] };
};

test("fifty megabytes, five thousand files and ten thousand headings crash nothing, and all text is found", async () => {
  using home = createHome();
  await using daemon = await startDaemon(home.folder);
  const brain = join(home.folder, "brains/main");
  await recall(daemon, "boiler");
  const put = (path: string, text: string | Uint8Array): void => writeFileSync(join(brain, path), text);
  put("huge.md", `${"The anvil is heavy. ".repeat((50 * MIB) / 20)}\n`);
  put("noise.txt", new Uint8Array(50 * MIB).fill(0xff));
  put(
    "headings.md",
    Array.from({ length: 10_000 }, (_, at) => `# Heading ${at}\n\nNumber ${at} is kept.\n\n`).join(""),
  );
  put("good.md", "The bicycle is red.\n");
  mkdirSync(join(brain, "many"));
  for (let at = 0; at < 5000; at += 1) put(`many/${at}.md`, `Note ${at} is about the ladder.\n`);

  const first = await recall(daemon, "what colour has the bicycle?");
  expect(first.found[0]?.path).toBe("good.md");
  await until(async () => (await daemon.ask("GET", `${MEMORY}/status`)).json.rebuilding === false);
  const { json: status } = await daemon.ask("GET", `${MEMORY}/status`);
  expect(status.chunks).toBeGreaterThanOrEqual(15_000);
  expect(status.leftOut.map(({ path }: { path: string }) => path).sort()).toEqual(["huge.md", "noise.txt"]);
  expect((await recall(daemon, "Number 9876 is kept")).found[0]?.text).toContain("9876");
  expect((await recall(daemon, "Note 4321 about the ladder")).found[0]?.path).toBe("many/4321.md");

  put("huge.md", "The anvil is heavy.\n");
  expect((await recall(daemon, "anvil")).found[0]?.path).toBe("huge.md");
  expect((await daemon.hearth("memory", "reindex")).code).toBe(0);
  expect((await recall(daemon, "anvil")).found[0]?.path).toBe("huge.md");
  expect((await daemon.ask("GET", "/healthz")).status).toBe(200);
}, 1_800_000);
