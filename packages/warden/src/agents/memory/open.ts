/** Opens memory. The first query loads it, so that a start does not wait for it. */
import type { Kernel } from "../../kernel/index.ts";
import type { People } from "../../people/index.ts";
import type { Policy, Secrets } from "../../policy/index.ts";
import { type AgentRecord, lazy, lazyMethods, wallDay } from "@hearth/protocol";
import type { Brains } from "../brains/brains.ts";
import type { MemoryParts } from "./backend.ts";
import type { Forget } from "./forgetting.ts";
import type { Memory } from "./house-memory.ts";
import type { Traces } from "./forget-target.ts";

export interface OpenMemoryOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly secrets: Secrets;
  readonly policy: Policy;
  readonly brains: Brains;
  readonly traces: Traces;
  /** The memory's adapter. It is undefined if agents recall nothing. */
  readonly parts: MemoryParts | undefined;
}

export interface OpenMemory {
  readonly memories: Memory;
  readonly forget: Forget;
  /** Returns the day of an instant in the zone of the agent's house, as "2026-11-22". */
  readonly dayOf: (agent: AgentRecord, at: number) => Promise<string>;
}

export const openMemory = (options: OpenMemoryOptions): OpenMemory => {
  const { kernel, people, secrets, policy, brains, traces, parts } = options;
  const { records } = people;
  const { clock } = kernel.world;
  let isLoaded = false;
  const dayOf: OpenMemory["dayOf"] = async ({ house }, at) =>
    wallDay(at, (await records.get("house", house)).content.timezone);
  const load = lazy(async () => {
    const [{ createMemory }, { createForget }, { noMemory }, { createEmbeddingRequests }] = await Promise.all([
      import("./house-memory.ts"),
      import("./forgetting.ts"),
      import("./no-memory.ts"),
      import("./embedding-requests.ts"),
    ]);
    const embeddingRequests = createEmbeddingRequests({
      world: kernel.world,
      memoryConfig: () => kernel.config.current().memory,
      references: secrets.references,
      redact: policy.chokePoint.leakScan.redactOutgoing,
      admitHome: policy.admitHome,
      isHeld: policy.holds.isHouseHeld,
    });
    const today = (agent: AgentRecord) => dayOf(agent, clock.now());
    const memory = createMemory({
      world: kernel.world,
      log: kernel.log,
      streams: kernel.streams,
      records,
      brains,
      parts: parts ?? noMemory,
      embeddingRequests,
      today,
    });
    isLoaded = true;
    return { memory, forget: createForget({ store: kernel.store, streams: kernel.streams, records, memory, traces }) };
  });
  return {
    dayOf,
    forget: async (request) => (await load()).forget(request),
    memories: {
      ...lazyMethods(async () => (await load()).memory, ["recall", "status", "reindex", "purge"]),
      async [Symbol.asyncDispose]() {
        if (isLoaded) await (await load()).memory[Symbol.asyncDispose]();
      },
    },
  };
};
