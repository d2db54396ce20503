/** `hearth bench`: runs the benchmarks of the bench workspace. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const MAIN = join(ROOT, "bench/src/main.ts");

export const bench = defineCommand({
  summary: "Runs benchmarks on this machine",
  needs: "access to this machine",
  args: [{ name: "NAME", optional: true, rest: true }],
  flags: {
    check: { kind: "switch", summary: "exit with 1 if a target is missed" },
    data: { kind: "text", value: "FILE", summary: "attack traces for `injection`" },
    kills: { kind: "text", value: "N", summary: "how many times `storm` kills a process (default: 100)" },
    seed: { kind: "text", value: "S", summary: "the random seed of `storm` (default: 1)" },
    days: { kind: "text", value: "N", summary: "how many days `growth` simulates (default: 365)" },
    rest: {
      kind: "text",
      value: "SECONDS",
      summary: "how long `load` waits before its last measurement (default: 300)",
    },
  },
  details:
    "Without NAME, runs all benchmarks, in a few minutes. Benchmarks start their own houses and do not use yours.",
  examples: [
    "hearth bench",
    "hearth bench ready idle",
    "hearth bench --json",
    "hearth bench injection --data FILE",
    "hearth bench storm --kills 100",
    "hearth bench load --rest 30",
  ],
  async run({ json, output, terminal }, { check, data, kills, seed, days, rest }, names): Promise<ExitCode> {
    if (!existsSync(MAIN)) {
      output.failure({
        message: `This installation does not include the benchmarks: ${MAIN} does not exist.`,
        hint: "Run them from a checkout: ./hearth bench",
      });
      return exitCodes.failed;
    }
    const flags = Object.entries({ json, check }).flatMap(([name, isOn]) => (isOn ? [`--${name}`] : []));
    const values = { data: data === undefined ? undefined : resolve(data), kills, seed, days, rest };
    const forwardedArgs = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    );
    const child = Bun.spawn(
      [process.execPath, "--no-install", "--no-env-file", MAIN, ...names, ...flags, ...forwardedArgs],
      {
        // Bun reads settings from its working directory, so it starts in Hearth's folder and not in the user's.
        cwd: ROOT,
        stdin: "inherit",
        stdout: "inherit",
        stderr: "inherit",
      },
    );
    // Forwards the signal and waits, because the child first stops the processes that it started.
    const removeInterrupt = terminal.onInterrupt(() => child.kill("SIGTERM"));
    try {
      const code = await child.exited;
      return code === exitCodes.done || code === exitCodes.usage ? code : exitCodes.failed;
    } finally {
      removeInterrupt();
    }
  },
});
