/** Starts a child process and reads its output line by line. */
import { sharedNow } from "./clock.ts";
import type { Site } from "./site.ts";

export interface Line {
  readonly text: string;
  /** Arrival time on the shared clock. */
  readonly atMs: number;
}

export interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly spawnedAtMs: number;
  /**
   * Resolves with the first line of stdout that starts with `beginning`. Throws if the process ends
   * without one.
   */
  line(beginning: string): Promise<Line>;
  /** The exit code, after the process has ended. */
  readonly exited: Promise<number>;
}

export interface ChildOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Time to exit after SIGTERM, before SIGKILL. */
const EXIT_TIMEOUT_MS = 10_000;
/** Maximum length of stderr that is kept for error messages. */
const MAX_STDERR_LENGTH = 4000;

/**
 * Starts a child. Its stdin stays open while this process runs, so that the child can detect the
 * end of this process.
 */
export const startChild = (site: Site, { command, cwd, env }: ChildOptions): Child => {
  const spawnedAtMs = sharedNow();
  const process = Bun.spawn([...command], {
    cwd,
    ...(env === undefined ? {} : { env: { ...env } }),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines: Line[] = [];
  const waiting = new Map<string, (line: Line | undefined) => void>();
  let ended = false;
  let stderr = "";

  const read = async (): Promise<void> => {
    for await (const { text, atMs } of readLines(process.stdout)) {
      const line = { text, atMs };
      lines.push(line);
      for (const [beginning, resolve] of waiting) if (text.startsWith(beginning)) resolve(line);
    }
    ended = true;
    for (const resolve of waiting.values()) resolve(undefined);
  };
  const listen = async (): Promise<void> => {
    for await (const { text } of readLines(process.stderr)) stderr = `${stderr}${text}\n`.slice(-MAX_STDERR_LENGTH);
  };
  const drained = Promise.all([read(), listen()]);

  const end = site.own(async () => {
    process.kill("SIGTERM");
    const inTime = await Promise.race([process.exited.then(() => true), Bun.sleep(EXIT_TIMEOUT_MS).then(() => false)]);
    if (!inTime) process.kill("SIGKILL");
    await process.exited;
  });

  return {
    pid: process.pid,
    spawnedAtMs,
    exited: process.exited,
    async line(beginning) {
      const present = lines.find(({ text }) => text.startsWith(beginning));
      if (present !== undefined) return present;
      const { promise, resolve } = Promise.withResolvers<Line | undefined>();
      if (ended) resolve(undefined);
      else waiting.set(beginning, resolve);
      const line = await promise;
      waiting.delete(beginning);
      if (line !== undefined) return line;
      await drained;
      throw new Error(
        `${command.join(" ")} exited with ${await process.exited} before it printed "${beginning}".\n${stderr}`.trimEnd(),
      );
    },
    [Symbol.asyncDispose]: end,
  };
};

const readLines = async function* (stream: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const atMs = sharedNow();
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const text of parts) yield { text, atMs };
  }
  if (rest !== "") yield { text: rest, atMs: sharedNow() };
};

/** Ends this process when stdin closes, which happens when its parent ends in any way. */
export const endWithParent = async (): Promise<void> => {
  for await (const _ of Bun.stdin.stream()) continue;
  process.exit(0);
};
