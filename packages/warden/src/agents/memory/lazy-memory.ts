/** Loads memory on the first query, so that a start does not wait for it. */
import type { ConfigSource } from "../../kernel/index.ts";
import { type AgentRecord, lazy } from "@hearth/protocol";
import type { EmbeddingRequestsOptions } from "./embedding-requests.ts";
import type { Forget, ForgetOptions } from "./forgetting.ts";
import type { HouseMemoryOptions, Memory } from "./house-memory.ts";

export interface LazyMemoryOptions
  extends
    Omit<HouseMemoryOptions, "world" | "parts" | "today" | "records" | "streams" | "way">,
    Omit<ForgetOptions, "memory" | "records" | "streams">,
    Omit<EmbeddingRequestsOptions, "configured"> {
  readonly records: HouseMemoryOptions["records"] & ForgetOptions["records"];
  readonly streams: HouseMemoryOptions["streams"] & ForgetOptions["streams"];
  readonly config: Pick<ConfigSource, "current">;
  /** Absent: nothing is recalled. */
  readonly parts: HouseMemoryOptions["parts"] | undefined;
  /** "2026-11-22": the day of an instant in a zone. */
  readonly dayIn: (at: number, zone: string) => string;
}

export interface LazyMemory {
  readonly memories: Memory;
  readonly forget: Forget;
  /** The day of an instant in the zone of the agent's house. */
  readonly dayOf: (agent: AgentRecord, at: number) => Promise<string>;
}

export const createLazyMemory = (options: LazyMemoryOptions): LazyMemory => {
  const { world, records, dayIn } = options;
  let isLoaded = false;
  const dayOf: LazyMemory["dayOf"] = async ({ house }, at) =>
    dayIn(at, (await records.get("house", house)).content.timezone);
  const load = lazy(async () => {
    const [{ createMemory }, { createForget }, { noMemory }, { createEmbeddingRequests }] = await Promise.all([
      import("./house-memory.ts"),
      import("./forgetting.ts"),
      import("./no-memory.ts"),
      import("./embedding-requests.ts"),
    ]);
    const way = createEmbeddingRequests({ ...options, configured: () => options.config.current().memory });
    const today = (agent: AgentRecord) => dayOf(agent, world.clock.now());
    const memory = createMemory({ ...options, parts: options.parts ?? noMemory, way, today });
    isLoaded = true;
    return { memory, forget: createForget({ ...options, memory }) };
  });
  return {
    dayOf,
    forget: async (what) => (await load()).forget(what),
    memories: {
      recall: async (question) => (await load()).memory.recall(question),
      status: async (agent) => (await load()).memory.status(agent),
      reindex: async (agent) => (await load()).memory.reindex(agent),
      purge: async (agent) => (await load()).memory.purge(agent),
      async [Symbol.asyncDispose]() {
        if (isLoaded) await (await load()).memory[Symbol.asyncDispose]();
      },
    },
  };
};
