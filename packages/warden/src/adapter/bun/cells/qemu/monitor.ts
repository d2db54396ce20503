/** QEMU's monitor: commands as lines of JSON with one answer each. Most events between the answers are ignored. */
import { type BytePipe, HearthError } from "@hearth/protocol";

export interface Monitor {
  /**
   * Throws `cell.unavailable` with QEMU's message. Commands may be sent before earlier ones were
   * answered.
   */
  execute(command: string, options?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** How the machine itself stopped, in QEMU's terms. Resolves when QEMU closes the monitor. */
  readonly stopped: Promise<string | undefined>;
}

interface Answer {
  readonly return?: unknown;
  readonly error?: { readonly desc?: string };
  readonly event?: string;
  readonly data?: { readonly reason?: string };
}

/** The monitor ends with the QEMU process. */
export const createMonitor = (pipe: BytePipe): Monitor => {
  const pendingCommands: { resolve(value: unknown): void; reject(error: Error): void }[] = [];
  const stopped = Promise.withResolvers<string | undefined>();
  let reason: string | undefined;
  const handleLine = (line: string): void => {
    const answer: Answer = JSON.parse(line);
    if (answer.event === "SHUTDOWN") reason = answer.data?.reason;
    if (answer.error !== undefined)
      pendingCommands.shift()?.reject(refusedError(answer.error.desc ?? "no reason given"));
    else if ("return" in answer) pendingCommands.shift()?.resolve(answer.return);
  };
  const readLines = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of pipe.bytes) {
      text += decoder.decode(bytes, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") handleLine(line);
    }
  };
  const end = (why: string): void => {
    stopped.resolve(reason);
    for (const { reject } of pendingCommands.splice(0)) reject(refusedError(why));
  };
  const execute: Monitor["execute"] = (command, options = {}) =>
    new Promise((resolve, reject) => {
      pendingCommands.push({ resolve, reject });
      const line = Buffer.from(`${JSON.stringify({ execute: command, arguments: options })}\n`);
      Promise.resolve(pipe.write(line)).catch(reject);
    });
  readLines().then(
    () => end("it ended"),
    () => end("its answer could not be read"),
  );
  // QEMU accepts no other command before this one.
  execute("qmp_capabilities").catch(() => undefined);
  return { execute, stopped: stopped.promise };
};

const refusedError = (why: string): HearthError =>
  new HearthError("cell.unavailable", `QEMU refused: ${why}.`, { hint: "Run: hearth doctor" });
