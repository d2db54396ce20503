/** The memory of all agents of a house. Requests have priority, and vectors are computed between them. */
import { type AgentId, type Clock, HearthError, isHearthError, type World } from "@hearth/protocol";
import type { MemoryAnswers, MemoryCommand } from "@hearth/protocol/memory-frames";
import type { Embedder } from "../embedders/embedder.ts";
import { type AgentMemory, createAgentMemory, type IndexStorage } from "./agent-memory.ts";
import { createVectorBackfill } from "./vector-backfill.ts";
import { withTimeout } from "./embedder-timeout.ts";

export interface HouseMemory extends AsyncDisposable {
  answer<Type extends MemoryCommand["type"]>(
    command: Extract<MemoryCommand, { readonly type: Type }>,
    signal: AbortSignal,
  ): Promise<MemoryAnswers[Type]>;
  /** Resolves after the idle time without requests, as set by an `idle` request. */
  readonly whenIdle: Promise<void>;
}

export interface HouseMemoryOptions {
  readonly storageOf: (agent: AgentId) => IndexStorage;
  readonly embedder?: Embedder;
  readonly hash: World["hash"];
  readonly clock: Clock;
}

/** How long an embedder that failed is not used. Searches then compare only words. */
const RETRY_MS = 60_000;
/** How long a request waits for the vector of its query. After that, it uses only words. */
const QUERY_TIMEOUT_MS = 8000;

export const createHouseMemory = ({ storageOf, embedder, hash, clock }: HouseMemoryOptions): HouseMemory => {
  const agents = new Map<AgentId, AgentMemory>();
  const controller = new AbortController();
  const whenIdle = Promise.withResolvers<void>();
  let activeRequests = 0;
  let whenQuiet = Promise.withResolvers<void>();
  whenQuiet.resolve();
  let problem: string | undefined;
  let retryAt = -Infinity;
  let backfill: Promise<void> | undefined;
  let idleMs: number | undefined;
  let lastRequestAt = clock.monotonic();
  let isTimerRunning = false;

  const memoryOf = (agent: AgentId): AgentMemory => {
    const memory = agents.get(agent) ?? createAgentMemory({ storage: storageOf(agent), hash });
    agents.set(agent, memory);
    return memory;
  };
  const queryEmbedder = embedder === undefined ? undefined : withTimeout(embedder, clock, QUERY_TIMEOUT_MS);
  const isUsable = (): boolean => clock.monotonic() >= retryAt;
  /** Suspends the embedder if it caused the error. Returns whether it did. */
  const suspend = (error: unknown): boolean => {
    if (!isHearthError(error, "memory.no-embedder")) return false;
    problem = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    retryAt = clock.monotonic() + RETRY_MS;
    return true;
  };

  const catchUp = async (activeEmbedder: Embedder): Promise<void> => {
    const vectorBackfill = createVectorBackfill({ embedder: activeEmbedder, whenQuiet: () => whenQuiet.promise });
    for (let hasWork = true; hasWork && !controller.signal.aborted;) {
      hasWork = false;
      for (const memory of agents.values()) {
        await clock.turn();
        await whenQuiet.promise;
        if (controller.signal.aborted) return;
        const index = memory.vectorIndex();
        if (index === undefined || !(await vectorBackfill.step(index, controller.signal))) continue;
        hasWork = true;
        problem = undefined;
      }
    }
  };
  const startBackfill = (): void => {
    const available = isUsable() ? embedder : undefined;
    if (available === undefined || backfill !== undefined || controller.signal.aborted) return;
    backfill = catchUp(available)
      .catch((error: unknown) => {
        // The next request finds damage or a full disk again, and reports it.
        if (!suspend(error) && !isHearthError(error)) whenIdle.reject(error);
      })
      .finally(() => {
        backfill = undefined;
        resolveWhenIdle();
      });
  };

  const resolveWhenIdle = (): void => {
    if (idleMs === undefined || isTimerRunning || backfill !== undefined || activeRequests > 0) return;
    const remainingMs = lastRequestAt + idleMs - clock.monotonic();
    if (remainingMs <= 0) return whenIdle.resolve();
    isTimerRunning = true;
    const check = (): void => {
      isTimerRunning = false;
      if (!controller.signal.aborted) resolveWhenIdle();
    };
    clock.sleep(remainingMs, controller.signal).then(check, check);
  };

  const recall = async (command: Extract<MemoryCommand, { readonly type: "recall" }>, signal: AbortSignal) => {
    const memory = memoryOf(command.agent);
    const recallByWords = async () => {
      const answer = await memory.recall(command, undefined, signal);
      return problem === undefined || !memory.usesVectors() ? answer : { ...answer, problem };
    };
    if (!isUsable()) return recallByWords();
    try {
      const answer = await memory.recall(command, queryEmbedder, signal);
      if (memory.usesVectors()) problem = undefined;
      return answer;
    } catch (error) {
      if (!suspend(error)) throw error;
      return recallByWords();
    }
  };
  const answerCommand = async (
    command: MemoryCommand,
    signal: AbortSignal,
  ): Promise<MemoryAnswers[MemoryCommand["type"]]> => {
    if (command.type !== "idle" && command.retrieval !== undefined)
      memoryOf(command.agent).setRetrieval(command.retrieval);
    switch (command.type) {
      case "open":
        return memoryOf(command.agent).open(command);
      case "put":
        return memoryOf(command.agent).put(command);
      case "remove":
        return memoryOf(command.agent).remove(command);
      case "recall":
        return recall(command, signal);
      case "search":
        return memoryOf(command.agent).search(command);
      case "status": {
        const memory = memoryOf(command.agent);
        const status = memory.status();
        const availableEmbedder = memory.usesVectors() ? embedder : undefined;
        return {
          ...status,
          catchingUp: availableEmbedder !== undefined && status.catchingUp,
          ...(availableEmbedder === undefined ? {} : { embedder: availableEmbedder.name }),
          ...(availableEmbedder === undefined || problem === undefined ? {} : { problem }),
        };
      }
      case "reindex":
        return memoryOf(command.agent).reindex();
      case "idle":
        idleMs = command.afterMs;
        return {};
    }
  };

  return {
    whenIdle: whenIdle.promise,
    async answer(command, signal) {
      if (controller.signal.aborted) throw new HearthError("memory.lost", "The memory process is ending.");
      if (activeRequests === 0) whenQuiet = Promise.withResolvers();
      activeRequests += 1;
      try {
        return (await answerCommand(command, signal)) as MemoryAnswers[typeof command.type];
      } finally {
        activeRequests -= 1;
        lastRequestAt = clock.monotonic();
        if (activeRequests === 0) whenQuiet.resolve();
        startBackfill();
        resolveWhenIdle();
      }
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
      whenQuiet.resolve();
      await backfill;
      for (const memory of agents.values()) memory[Symbol.dispose]();
      await embedder?.[Symbol.asyncDispose]();
    },
  };
};
