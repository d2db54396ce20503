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
  /** Requests the process to end, and waits until it has ended. */
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
    command: Extract<MemoryCommand, { readonly type: Type }>,
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
  readonly pendingRequests: Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>;
}

export const createMemoryClient = ({ start, idleMs, embedder }: MemoryClientOptions): MemoryClient => {
  let currentProcess: RunningProcess | undefined;
  let generation = 0;
  let messageCount = 0;
  let isClosed = false;

  const send = async (to: RunningProcess, message: object): Promise<void> => {
    messageCount += 1;
    await to.process.write(encodeMessage(message, messageCount >>> 0));
  };
  /** Ends a process that does not communicate correctly. Its end then rejects every request that waits. */
  const close = ({ process, pendingRequests }: RunningProcess): void => {
    process.close().catch((error: unknown) => {
      for (const { reject } of pendingRequests.values()) reject(error);
      pendingRequests.clear();
    });
  };
  const post = (to: RunningProcess, message: object): void => {
    send(to, message).catch(() => close(to));
  };
  const listen = async (from: RunningProcess): Promise<void> => {
    const { process, pendingRequests } = from;
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
        const request = pendingRequests.get(response.id);
        pendingRequests.delete(response.id);
        if ("error" in response) request?.reject(fromErrorBody(response.error));
        else request?.resolve(response.answer);
      }
    }
  };
  const startProcess = (): RunningProcess => {
    generation += 1;
    const runningProcess: RunningProcess = { generation, process: start(), pendingRequests: new Map() };
    const failWaiting = (why: string): void => {
      if (currentProcess === runningProcess) currentProcess = undefined;
      const error = new HearthError("memory.lost", `The memory process ended: ${why}.`, {
        hint: "Try again; the process is restarted.",
      });
      for (const { reject } of runningProcess.pendingRequests.values()) reject(error);
      runningProcess.pendingRequests.clear();
    };
    // An invalid response is a bug in the process, so the client ends it.
    listen(runningProcess).catch(() => close(runningProcess));
    runningProcess.process.exitReason.then(failWaiting, () => failWaiting("its end could not be observed"));
    post(runningProcess, { id: nextId(), ask: { type: "idle", afterMs: idleMs } });
    return runningProcess;
  };
  let lastId = 0;
  const nextId = (): number => {
    lastId += 1;
    return lastId;
  };

  return {
    runningGeneration: () => currentProcess?.generation,
    async ask(command, signal) {
      if (signal?.aborted === true) throw abortedError();
      if (isClosed) throw new HearthError("memory.lost", "The memory was closed.", { hint: "Restart the house." });
      currentProcess ??= startProcess();
      const to = currentProcess;
      const id = nextId();
      const answer = Promise.withResolvers<unknown>();
      const stop = (): void => {
        to.pendingRequests.delete(id);
        answer.reject(abortedError());
        post(to, { stop: id });
      };
      to.pendingRequests.set(id, answer);
      signal?.addEventListener("abort", stop, { once: true });
      try {
        await send(to, { id, ask: command });
        // The answer is parsed by the schema of the request's type.
        return memoryAnswers[command.type].parse(await answer.promise) as MemoryAnswers[typeof command.type];
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const ending = currentProcess;
      currentProcess = undefined;
      await ending?.process.close();
    },
  };
};

const abortedError = (): HearthError => new HearthError("memory.aborted", "The request was aborted.");
