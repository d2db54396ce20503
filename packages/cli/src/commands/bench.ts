/** Runs the measurements of the bench workspace, which print the figures that Hearth promises. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const MAIN = join(ROOT, "bench/src/main.ts");

export const bench = defineCommand({
  summary: "Measures this house and this machine",
  needs: "nothing but this machine",
  args: [{ name: "NAME", optional: true, rest: true }],
  flags: {
    check: { kind: "switch", summary: "exit 1 when a target is missed" },
    data: { kind: "text", value: "FILE", summary: "traces of attacks, for `injection`" },
    kills: { kind: "text", value: "N", summary: "how often `storm` kills a process (100)" },
    seed: { kind: "text", value: "S", summary: "which kills `storm` makes (1)" },
    rest: { kind: "text", value: "SECONDS", summary: "how long `load` waits before it measures what is left (300)" },
  },
  details: "Without a name, everything, in a few minutes. Starts houses of its own; yours is left alone.",
  examples: [
    "hearth bench",
    "hearth bench ready idle",
    "hearth bench --json",
    "hearth bench injection --data FILE",
    "hearth bench storm --kills 100",
  ],
  async run({ json, output, terminal }, { check, data, kills, seed, rest }, names): Promise<ExitCode> {
    if (!existsSync(MAIN)) {
      output.failure({
        message: `The measurements are not part of this installation (${MAIN} is not there).`,
        hint: "Run them from a checkout: ./hearth bench",
      });
      return exitCodes.failed;
    }
    const flags = Object.entries({ json, check }).flatMap(([name, on]) => (on ? [`--${name}`] : []));
    const values = { data: data === undefined ? undefined : resolve(data), kills, seed, rest };
    const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
    const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", MAIN, ...names, ...flags, ...given], {
      // The runtime reads settings from the folder it starts in: ours, not wherever the person stands.
      cwd: ROOT,
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    });
    // It ends what it started before it goes, so it hears of the end first and this process waits for it.
    const release = terminal.onInterrupt(() => child.kill("SIGTERM"));
    try {
      const code = await child.exited;
      return code === exitCodes.done || code === exitCodes.usage ? code : exitCodes.failed;
    } finally {
      release();
    }
  },
});
