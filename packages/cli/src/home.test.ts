import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { until } from "@hearth/protocol/until";
import { isAlive } from "./home.ts";

/** Ends the main thread only. */
const END_MAIN_THREAD = `
  const { dlopen } = require("bun:ffi");
  dlopen("libc.so.6", { pthread_exit: { args: ["ptr"], returns: "void" } }).symbols.pthread_exit(null);
`;
/** Prints the id of its child, which it never collects. */
const NEVER_COLLECT = "sleep 1000 & echo $!; exec sleep 1001";

const stateOf = (pid: number): string => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "";

describe.skipIf(process.platform !== "linux")("a process", () => {
  test("is alive until it has ended", async () => {
    const child = Bun.spawn(["sleep", "1000"]);
    expect(isAlive(child.pid)).toBe(true);
    child.kill("SIGKILL");
    await child.exited;
    expect(isAlive(child.pid)).toBe(false);
  });

  test("is alive while any of its threads runs", async () => {
    const child = Bun.spawn([process.execPath, "--no-install", "-e", END_MAIN_THREAD]);
    try {
      await until(() => stateOf(child.pid) === "Z");
      expect(isAlive(child.pid)).toBe(true);
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  });

  test("that its parent has not collected is not alive", async () => {
    const parent = Bun.spawn(["sh", "-c", NEVER_COLLECT], { stdout: "pipe" });
    try {
      const { value } = await parent.stdout.getReader().read();
      const pid = Number(new TextDecoder().decode(value));
      // The shell would collect it.
      await until(() => readFileSync(`/proc/${parent.pid}/cmdline`, "utf8").startsWith("sleep"));
      process.kill(pid, "SIGKILL");
      await until(() => stateOf(pid) === "Z");
      expect(isAlive(pid)).toBe(false);
    } finally {
      parent.kill("SIGKILL");
      await parent.exited;
    }
  });
});
