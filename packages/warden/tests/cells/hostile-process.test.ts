/** Compromised inmates as real processes that send arbitrary bytes. No other agent is affected. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { createInmateProgram } from "../../src/adapter/bun/cells/inmate-program.ts";
import { createProcessBackend } from "../../src/adapter/bun/cells/process.ts";
import type { CellBackend } from "../../src/cells/backend.ts";
import { type Misdeed, misdeeds } from "../fixtures/hostile-program.ts";
import { createTestDisk, openTestHouse } from "../../src/fixtures/house.ts";
import { isAlive } from "../../src/fixtures/processes.ts";
import { addBot, listsFirst, nameIn, sayTo, waitForEnd } from "../../src/fixtures/talk.ts";
import { createFakeLog } from "../../src/kernel/log/log.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";

const PROGRAM = join(import.meta.dir, "../fixtures/hostile-program.ts");

test("a process that sends invalid data in an inmate's place is ended with a reason, and no other agent waits for it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-hostile-"));
  const names = Object.keys(misdeeds) as Misdeed[];
  const programs = new Map<string, string>();
  const pids: number[] = [];
  const startOf = (program: () => Promise<string>): CellBackend =>
    createProcessBackend({
      program,
      clock: createBunClock(),
      log: createFakeLog(),
      randomText: () => crypto.randomUUID(),
    });
  const honest = startOf(createInmateProgram("/nowhere"));
  const backend: CellBackend = {
    ...honest,
    async open(spec) {
      const program = programs.get(spec.agent);
      const cell = await (program === undefined ? honest : startOf(async () => program)).open(spec);
      if (cell.pid !== undefined) pids.push(cell.pid);
      return cell;
    },
  };
  const here = { text: "here" };
  const script: Script = (request) => (nameIn(request) === "Main" ? here : listsFirst(here)(request));
  try {
    using disk = createTestDisk();
    {
      await using house = await openTestHouse({
        ...{ disk, backend, script },
        sections: "[cells]\nsilence_seconds = 1\n",
      });
      const bots = await Promise.all(
        names.map(async (name, index) => {
          const bot = await addBot(house, `Bot ${index}`, { tools: ["list"] });
          const program = join(folder, `${index}.ts`);
          writeFileSync(program, `(await import(${JSON.stringify(PROGRAM)})).misdeeds[${JSON.stringify(name)}]();\n`);
          programs.set(bot.id, program);
          return bot;
        }),
      );
      for (const bot of bots) await sayTo(house, bot, "hello");
      // Meanwhile the house works normally.
      for (let count = 1; count <= 5; count += 1) {
        await house.post(`are you there, ${count}?`);
        expect((await house.until(2 * count)).at(-1)).toMatchObject({ body: { text: "here" } });
      }
      for (const [index, bot] of bots.entries()) {
        const [activation] = await waitForEnd(house, bot.id, 1);
        if (index === 0) continue;
        expect([names[index], activation.state]).toEqual([names[index] as Misdeed, "failed"]);
        expect(activation.error.message).toMatch(
          /(The cell of this agent died 3 times|The agent's cell failed: )|did not start: .*[^.]\.$/,
        );
      }
    }
    expect(pids.length).toBeGreaterThan(names.length);
    expect(pids.filter(isAlive)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
