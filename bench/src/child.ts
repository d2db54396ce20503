/** A process that a bench started: what it prints line by line, and its end. */
import { sharedNow } from "./clock.ts";
import type { Site } from "./site.ts";

export interface Line {
  readonly text: string;
  /** When it was read, on the shared clock. */
  readonly atMs: number;
}

export interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly spawnedAtMs: number;
  /** The first line of stdout that begins so. Throws if the process ends without it. */
  line(beginning: string): Promise<Line>;
  /** The exit code, once it has ended. */
  readonly exited: Promise<number>;
}

export interface ChildOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Longest wait for an orderly end. */
const PATIENCE_MS = 10_000;
/** How much of stderr is kept, to say why it failed. */
const KEPT_LENGTH = 4000;

/** Its stdin stays open as long as this process lives, so that ours can notice when we are gone. */
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
  let over = false;
  let complaints = "";

  const read = async (): Promise<void> => {
    for await (const { text, atMs } of readLines(process.stdout)) {
      const line = { text, atMs };
      lines.push(line);
      for (const [beginning, tell] of waiting) if (text.startsWith(beginning)) tell(line);
    }
    over = true;
    for (const tell of waiting.values()) tell(undefined);
  };
  const listen = async (): Promise<void> => {
    for await (const { text } of readLines(process.stderr)) complaints = `${complaints}${text}\n`.slice(-KEPT_LENGTH);
  };
  const drained = Promise.all([read(), listen()]);

  const end = site.own(async () => {
    process.kill("SIGTERM");
    const inTime = await Promise.race([process.exited.then(() => true), Bun.sleep(PATIENCE_MS).then(() => false)]);
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
      if (over) resolve(undefined);
      else waiting.set(beginning, resolve);
      const line = await promise;
      waiting.delete(beginning);
      if (line !== undefined) return line;
      await drained;
      throw new Error(
        `${command.join(" ")} ended with ${await process.exited} before it said "${beginning}".\n${complaints}`.trimEnd(),
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

/** For a process of ours: ends it when its parent has gone, however that went. */
export const endWithParent = async (): Promise<void> => {
  for await (const _ of Bun.stdin.stream()) continue;
  process.exit(0);
};
