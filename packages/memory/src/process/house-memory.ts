/** The memory of a house: every agent's, questions before everything else, and vectors in the time between. */
import {
  type AgentId,
  type Clock,
  HearthError,
  isHearthError,
  type MemoryAnswers,
  type MemoryAsk,
  type World,
} from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";
import { type AgentMemory, createAgentMemory, type IndexPlace } from "./agent-memory.ts";
import { createCatchingUp } from "./catching-up.ts";
import { createPatient } from "./patient.ts";

export interface HouseMemory extends AsyncDisposable {
  answer<Type extends MemoryAsk["type"]>(
    ask: Extract<MemoryAsk, { readonly type: Type }>,
    signal: AbortSignal,
  ): Promise<MemoryAnswers[Type]>;
  /** Resolves once nobody has asked for as long as `idle` says. */
  readonly left: Promise<void>;
}

export interface HouseMemoryOptions {
  readonly placeOf: (agent: AgentId) => IndexPlace;
  readonly embedder?: Embedder;
  readonly hash: World["hash"];
  readonly clock: Clock;
}

/** An embedder that failed is left alone for so long; words are enough meanwhile. */
const RETRY_MS = 60_000;
/** Whoever asks does not wait for a vector of the question any longer: an answer by words is one. */
const PATIENCE_MS = 8000;

export const createHouseMemory = ({ placeOf, embedder, hash, clock }: HouseMemoryOptions): HouseMemory => {
  const agents = new Map<AgentId, AgentMemory>();
  const closing = new AbortController();
  const left = Promise.withResolvers<void>();
  let asking = 0;
  let quiet = Promise.withResolvers<void>();
  quiet.resolve();
  let problem: string | undefined;
  let retryAt = -Infinity;
  let working: Promise<void> | undefined;
  let idleMs: number | undefined;
  let askedAt = clock.monotonic();
  let waitingToLeave = false;

  const memoryOf = (agent: AgentId): AgentMemory => {
    const memory = agents.get(agent) ?? createAgentMemory({ place: placeOf(agent), hash });
    agents.set(agent, memory);
    return memory;
  };
  const patient = embedder === undefined ? undefined : createPatient(embedder, clock, PATIENCE_MS);
  const isUsable = (): boolean => clock.monotonic() >= retryAt;
  /** Gives whether that was what it was. */
  const suspend = (error: unknown): boolean => {
    if (!isHearthError(error, "memory.no-embedder")) return false;
    problem = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    retryAt = clock.monotonic() + RETRY_MS;
    return true;
  };

  const catchUp = async (using: Embedder): Promise<void> => {
    const catching = createCatchingUp({ embedder: using, quiet: () => quiet.promise });
    for (let found = true; found && !closing.signal.aborted;) {
      found = false;
      for (const memory of agents.values()) {
        await clock.turn();
        await quiet.promise;
        if (closing.signal.aborted) return;
        const index = memory.opened();
        if (index === undefined || !(await catching.step(index, closing.signal))) continue;
        found = true;
        problem = undefined;
      }
    }
  };
  const work = (): void => {
    const using = isUsable() ? embedder : undefined;
    if (using === undefined || working !== undefined || closing.signal.aborted) return;
    working = catchUp(using)
      .catch((error: unknown) => {
        // Damage is found again, and told, by whoever asks next; so is a disk that is full.
        if (!suspend(error) && !isHearthError(error)) left.reject(error);
      })
      .finally(() => {
        working = undefined;
        leaveWhenIdle();
      });
  };

  const leaveWhenIdle = (): void => {
    if (idleMs === undefined || waitingToLeave || working !== undefined || asking > 0) return;
    const rest = askedAt + idleMs - clock.monotonic();
    if (rest <= 0) return left.resolve();
    waitingToLeave = true;
    const leave = (): void => {
      waitingToLeave = false;
      if (!closing.signal.aborted) leaveWhenIdle();
    };
    clock.sleep(rest, closing.signal).then(leave, leave);
  };

  const recall = async (ask: Extract<MemoryAsk, { readonly type: "recall" }>, signal: AbortSignal) => {
    const memory = memoryOf(ask.agent);
    const byWords = async () => {
      const answer = await memory.recall(ask, undefined, signal);
      return problem === undefined || !memory.isByMeaning() ? answer : { ...answer, problem };
    };
    if (!isUsable()) return byWords();
    try {
      const answer = await memory.recall(ask, patient, signal);
      if (memory.isByMeaning()) problem = undefined;
      return answer;
    } catch (error) {
      if (!suspend(error)) throw error;
      return byWords();
    }
  };
  const reply = async (ask: MemoryAsk, signal: AbortSignal): Promise<MemoryAnswers[MemoryAsk["type"]]> => {
    if (ask.type !== "idle" && ask.retrieval !== undefined) memoryOf(ask.agent).find(ask.retrieval);
    switch (ask.type) {
      case "open":
        return memoryOf(ask.agent).open(ask);
      case "put":
        return memoryOf(ask.agent).put(ask);
      case "remove":
        return memoryOf(ask.agent).remove(ask);
      case "recall":
        return recall(ask, signal);
      case "search":
        return memoryOf(ask.agent).search(ask);
      case "status": {
        const memory = memoryOf(ask.agent);
        const status = memory.status();
        const using = memory.isByMeaning() ? embedder : undefined;
        return {
          ...status,
          catchingUp: using !== undefined && status.catchingUp,
          ...(using === undefined ? {} : { embedder: using.name }),
          ...(using === undefined || problem === undefined ? {} : { problem }),
        };
      }
      case "reindex":
        return memoryOf(ask.agent).reindex();
      case "forget":
        return memoryOf(ask.agent).forget();
      case "idle":
        idleMs = ask.afterMs;
        return {};
    }
  };

  return {
    left: left.promise,
    async answer(ask, signal) {
      if (closing.signal.aborted) throw new HearthError("memory.lost", "The memory process is ending.");
      if (asking === 0) quiet = Promise.withResolvers();
      asking += 1;
      try {
        return (await reply(ask, signal)) as MemoryAnswers[typeof ask.type];
      } finally {
        asking -= 1;
        askedAt = clock.monotonic();
        if (asking === 0) quiet.resolve();
        work();
        leaveWhenIdle();
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      quiet.resolve();
      await working;
      for (const memory of agents.values()) memory[Symbol.dispose]();
      await embedder?.[Symbol.asyncDispose]();
    },
  };
};
