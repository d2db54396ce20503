/**
 * The client of a memory process: starts it on the first request, and again after it has exited.
 */
import { createDecoder, encodeMessage, fromErrorBody, HearthError } from "@hearth/protocol";
import { memoryAnswers, type MemoryAnswers, type MemoryCommand, MemoryResponse } from "@hearth/protocol/memory-frames";
import type { Embedder } from "../embedders/embedder.ts";
import { createCallHandler } from "./answer-calls.ts";

/** A running memory process. */
export interface MemoryProcess {
  readonly bytes: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): void | Promise<void>;
  /** Resolves with the reason once the process has ended. */
  readonly exitReason: Promise<string>;
  /** Asks the process to end, and waits until it has. */
  close(): Promise<void>;
  /** Kills the process. */
  kill(): void;
}

export interface MemoryClient extends AsyncDisposable {
  /**
   * Sends a request. Throws `memory.lost` if the process ends before it answers, and otherwise the
   * error that the process returned.
   */
  ask<Type extends MemoryCommand["type"]>(
    ask: Extract<MemoryCommand, { readonly type: Type }>,
    signal?: AbortSignal,
  ): Promise<MemoryAnswers[Type]>;
  /** The number of the running process, counted from 1, if one is running. */
  runningGeneration(): number | undefined;
}

export interface MemoryClientOptions {
  readonly start: () => MemoryProcess;
  /** The process exits after this time without requests. */
  readonly idleMs: number;
  /** Called by the process for an embedder that needs network access. */
  readonly embedder?: Embedder;
}

interface RunningProcess {
  readonly generation: number;
  readonly process: MemoryProcess;
  readonly waiting: Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>;
}

export const createMemoryClient = ({ start, idleMs, embedder }: MemoryClientOptions): MemoryClient => {
  let running: RunningProcess | undefined;
  let generation = 0;
  let count = 0;
  let isClosed = false;

  const send = async (to: RunningProcess, message: object): Promise<void> => {
    count += 1;
    await to.process.write(encodeMessage(message, count >>> 0));
  };
  /** Ends a process that does not communicate correctly. Its end then rejects every request that waits. */
  const close = ({ process, waiting }: RunningProcess): void => {
    process.close().catch((error: unknown) => {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    });
  };
  const post = (to: RunningProcess, message: object): void => {
    send(to, message).catch(() => close(to));
  };
  const listen = async (from: RunningProcess): Promise<void> => {
    const { process, waiting } = from;
    const decoder = createDecoder();
    const calls = createCallHandler(
      embedder,
      (vectors) => send(from, vectors),
      () => close(from),
    );
    process.exitReason.then(calls.stop, calls.stop);
    for await (const bytes of process.bytes) {
      for (const message of decoder.push(bytes)) {
        const response = MemoryResponse.parse(message);
        if (!("id" in response)) {
          calls.handle(response);
          continue;
        }
        const request = waiting.get(response.id);
        waiting.delete(response.id);
        if ("error" in response) request?.reject(fromErrorBody(response.error));
        else request?.resolve(response.answer);
      }
    }
  };
  const startProcess = (): RunningProcess => {
    generation += 1;
    const started: RunningProcess = { generation, process: start(), waiting: new Map() };
    const failWaiting = (why: string): void => {
      if (running === started) running = undefined;
      const error = new HearthError("memory.lost", `The memory process ended: ${why}.`, {
        hint: "Try again; the process is restarted.",
      });
      for (const { reject } of started.waiting.values()) reject(error);
      started.waiting.clear();
    };
    // An invalid response is a bug in the process, so the client ends it.
    listen(started).catch(() => close(started));
    started.process.exitReason.then(failWaiting, () => failWaiting("its end could not be observed"));
    post(started, { id: nextId(), ask: { type: "idle", afterMs: idleMs } });
    return started;
  };
  let lastId = 0;
  const nextId = (): number => {
    lastId += 1;
    return lastId;
  };

  return {
    runningGeneration: () => running?.generation,
    async ask(ask, signal) {
      if (signal?.aborted === true) throw abortedError();
      if (isClosed) throw new HearthError("memory.lost", "The memory was closed.", { hint: "Restart the house." });
      running ??= startProcess();
      const to = running;
      const id = nextId();
      const answered = Promise.withResolvers<unknown>();
      const stop = (): void => {
        to.waiting.delete(id);
        answered.reject(abortedError());
        post(to, { stop: id });
      };
      to.waiting.set(id, answered);
      signal?.addEventListener("abort", stop, { once: true });
      try {
        await send(to, { id, ask });
        // The schema is that of the request's type.
        return memoryAnswers[ask.type].parse(await answered.promise) as MemoryAnswers[typeof ask.type];
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const ending = running;
      running = undefined;
      await ending?.process.close();
    },
  };
};

const abortedError = (): HearthError => new HearthError("memory.aborted", "The request was aborted.");
