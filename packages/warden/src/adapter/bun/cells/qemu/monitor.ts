/** QEMU's monitor: commands as lines of JSON, each with one answer; events come between, and most are passed over. */
import { type BytePipe, HearthError } from "@hearth/protocol";

export interface Monitor {
  /** Throws `cell.unavailable` with QEMU's words. Commands may be sent before earlier ones were answered. */
  ask(command: string, options?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** What the machine did by itself to stop, in QEMU's words, once QEMU says no more. */
  readonly stopped: Promise<string | undefined>;
}

interface Answer {
  readonly return?: unknown;
  readonly error?: { readonly desc?: string };
  readonly event?: string;
  readonly data?: { readonly reason?: string };
}

/** Whoever ends the process ends the monitor. */
export const createMonitor = (pipe: BytePipe): Monitor => {
  const waiting: { resolve(value: unknown): void; reject(error: Error): void }[] = [];
  const stopped = Promise.withResolvers<string | undefined>();
  let reason: string | undefined;
  const take = (line: string): void => {
    const answer: Answer = JSON.parse(line);
    if (answer.event === "SHUTDOWN") reason = answer.data?.reason;
    if (answer.error !== undefined) waiting.shift()?.reject(refused(answer.error.desc ?? "no reason given"));
    else if ("return" in answer) waiting.shift()?.resolve(answer.return);
  };
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of pipe.bytes) {
      text += decoder.decode(bytes, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") take(line);
    }
  };
  const end = (why: string): void => {
    stopped.resolve(reason);
    for (const { reject } of waiting.splice(0)) reject(refused(why));
  };
  const ask: Monitor["ask"] = (command, options = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      const line = Buffer.from(`${JSON.stringify({ execute: command, arguments: options })}\n`);
      Promise.resolve(pipe.write(line)).catch(reject);
    });
  read().then(
    () => end("it ended"),
    () => end("its answer could not be read"),
  );
  // It takes no command before this one.
  ask("qmp_capabilities").catch(() => undefined);
  return { ask, stopped: stopped.promise };
};

const refused = (why: string): HearthError =>
  new HearthError("cell.unavailable", `QEMU refused: ${why}.`, { hint: "Run: hearth doctor" });
