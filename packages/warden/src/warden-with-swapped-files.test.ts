/** D3: a person's word about a command is for the scripts that it named when they were asked, as they lay on the disk. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootInmate } from "@hearth/inmate/bun/boot";
import { createBunBrainDisk } from "./adapter/bun/brain-disk.ts";
import { createBunWorld } from "./adapter/bun/world.ts";
import { createInlineBackend } from "./cells/inline.ts";
import { createTestDisk, openTestHouse } from "./fixtures/house.ts";
import { call, resultsIn } from "./fixtures/talk.ts";

type Json = ReturnType<typeof JSON.parse>;

test("D3: toctou: a script that was swapped after the word is asked about anew, and runs only with a word for what it is", async () => {
  using disk = createTestDisk();
  const root = mkdtempSync(join(tmpdir(), "hearth-swapped-"));
  using _ = { [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
  mkdirSync(join(root, "main/workspace"), { recursive: true });
  const script = join(root, "main/workspace/run.sh");
  const { clock } = createBunWorld();
  await using house = await openTestHouse({
    disk: { ...disk, brains: createBunBrainDisk(root) },
    backend: createInlineBackend({ boot: (cell) => bootInmate({ ...cell, clock }) }),
    config: 'tools = ["shell", "time"]\nmode = "ask"\n',
    script: (request) => {
      const [result] = resultsIn(request);
      return result === undefined ? call("shell", { command: "sh run.sh" }) : { text: result.text };
    },
  });
  const pending = async (): Promise<Json[]> => (await house.ask("GET", "/api/approvals?state=pending")).json;
  const untilAsked = async (isOld: (id: string) => boolean = () => false): Promise<Json> => {
    for (;;) {
      const [one] = await pending();
      if (one !== undefined && !isOld(one.id)) return one;
      await Bun.sleep(2);
    }
  };
  const allow = (id: string) => house.ask("POST", `/api/approvals/${id}`, { decision: "allow", scope: "once" });

  writeFileSync(script, "echo harmless");
  await house.post("run it");
  const first = await untilAsked();
  expect(first.display).toContain('"run.sh"');
  writeFileSync(script, "echo harmful");
  expect((await allow(first.id)).status).toBe(200);
  const second = await untilAsked((id) => id === first.id);
  expect((await house.ask("GET", `/api/approvals/${first.id}`)).json.state).toBe("expired");
  expect(JSON.stringify(await house.messages())).not.toContain("harmful");
  expect((await allow(second.id)).status).toBe(200);
  while (!JSON.stringify(await house.messages()).includes("harmful")) await Bun.sleep(2);
  expect(await pending()).toEqual([]);
});
