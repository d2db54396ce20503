/** Conformance tests of `Spawn`. The harness provides commands with the behaviour that a test needs. */
import { expect, test } from "bun:test";
import type { Spawn, SpawnRequest, SpawnResult } from "./spawn.ts";

export interface SpawnHarness extends AsyncDisposable {
  readonly spawn: Spawn;
  readonly cwd: string;
  /** Arguments of a command that writes `output` and exits with `code`. */
  ending(output: string, code: number): readonly string[];
  /** Arguments of a command that ends by a signal. */
  killed(signal: "SIGKILL"): readonly string[];
  /** Arguments of a command that writes `output`, and writes `fd3` to descriptor 3. */
  writingFd3(output: string, fd3: string): readonly string[];
  /** Arguments of a command that writes `output` and never ends. */
  hanging(output: string): readonly string[];
  /** Resolves after the `hanging` command has written its output. */
  whenWritten(): Promise<void>;
}

export const spawnConformance = (name: string, open: () => Promise<SpawnHarness>): void => {
  const clause = (
    title: string,
    check: (
      harness: SpawnHarness,
      run: (argv: readonly string[], options?: Options) => Promise<SpawnResult>,
    ) => Promise<void>,
  ): void =>
    test(`${name}: ${title}`, async () => {
      await using harness = await open();
      await check(
        harness,
        (argv, { maxOutputSize = 10_000, signal = new AbortController().signal, fd3 = false } = {}) => {
          const request: SpawnRequest = {
            argv,
            cwd: harness.cwd,
            env: PLAIN,
            maxOutputSize,
            ...(fd3 ? { fd3 } : {}),
          };
          return harness.spawn.run(request, signal);
        },
      );
    });

  clause("the result has the exit code and the output", async (harness, run) => {
    expect(await run(harness.ending("hello\n", 0))).toEqual({
      end: "exited",
      code: 0,
      signal: undefined,
      output: "hello\n",
    });
    expect(await run(harness.ending("", 3))).toEqual({ end: "exited", code: 3, signal: undefined, output: "" });
  });

  clause("the result has the signal that ended the command", async (harness, run) => {
    expect(await run(harness.killed("SIGKILL"))).toEqual({
      end: "exited",
      code: undefined,
      signal: "SIGKILL",
      output: "",
    });
  });

  clause("an abort stops the command and keeps what it wrote", async (harness, run) => {
    const stopper = new AbortController();
    const running = run(harness.hanging("so far"), { signal: stopper.signal });
    await harness.whenWritten();
    stopper.abort();
    expect(await running).toMatchObject({ end: "stopped", output: "so far" });
  });

  clause("a command that is aborted before its start does not start", async (harness, run) => {
    expect(await run(harness.ending("hello", 0), { signal: AbortSignal.abort() })).toMatchObject({
      end: "stopped",
      output: "",
    });
  });

  clause("output on descriptor 3 is returned separately if requested", async (harness, run) => {
    expect(await run(harness.writingFd3("out", "/there"), { fd3: true })).toEqual({
      end: "exited",
      code: 0,
      signal: undefined,
      output: "out",
      fd3: "/there",
    });
  });

  clause(
    "a background command returns output since the last call of `takeOutput` and is ended by its signal",
    async (harness) => {
      const stopper = new AbortController();
      const request = { argv: harness.hanging("so far"), cwd: harness.cwd, env: PLAIN, maxOutputSize: 1000 };
      const running = harness.spawn.start(request, stopper.signal);
      await harness.whenWritten();
      let output = "";
      while (output === "") {
        output = running.takeOutput();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect([output, running.takeOutput()]).toEqual(["so far", ""]);
      stopper.abort();
      expect(await running.result).toMatchObject({ end: "stopped", output: "" });
    },
  );

  clause("a background command that ends on its own has a result", async (harness) => {
    const request = { argv: harness.ending("hello", 3), cwd: harness.cwd, env: PLAIN, maxOutputSize: 1000 };
    expect(await harness.spawn.start(request, new AbortController().signal).result).toMatchObject({
      end: "exited",
      code: 3,
      output: "hello",
    });
  });

  clause("a long output keeps its beginning and its end", async (harness, run) => {
    const { output } = await run(harness.ending(`first${"x".repeat(5_000)}last`, 0), { maxOutputSize: 100 });
    expect(output).toStartWith("first");
    expect(output).toEndWith("last");
    expect(output).toContain("[cut: 4909 bytes]");
  });
};

interface Options {
  readonly maxOutputSize?: number;
  readonly signal?: AbortSignal;
  readonly fd3?: boolean;
}

const PLAIN = { PATH: "/usr/bin:/bin" };
