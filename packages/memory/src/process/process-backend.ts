/**
 * Memory in a separate process. Sends each new process the list of files, and forwards requests.
 */
import { type AgentId, isHearthError, type MemoryBackend, type MemorySource } from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";
import { createMemoryClient, type MemoryProcess } from "./memory-client.ts";

export interface ProcessBackendOptions {
  readonly start: () => MemoryProcess;
  readonly source: MemorySource;
  readonly idleMs: number;
  /** Called by the process for an embedder that needs network access. */
  readonly embedder?: Embedder;
}

/** The synchronization of one agent's brain with a process. */
interface Sync {
  /** Number of the process. It is undefined until the process knows the list of files. */
  generation: number | undefined;
  /** Resolves once the process knows the list of files. */
  readonly opened: Promise<void>;
  /** Resolves once the process has all files. */
  readonly settled: Promise<void>;
}

export const createProcessBackend = ({ source, ...options }: ProcessBackendOptions): MemoryBackend => {
  const client = createMemoryClient(options);
  const syncs = new Map<AgentId, Sync>();

  /** The fields of every request: the agent and its current retrieval mode. */
  const agentFields = async (agent: AgentId) => ({ agent, retrieval: await source.retrieval(agent) });
  const open = async (agent: AgentId): Promise<readonly string[]> => {
    const files = Object.fromEntries(await source.list(agent));
    return (await client.ask({ type: "open", ...(await agentFields(agent)), files })).wanted;
  };
  const sendFiles = async (agent: AgentId, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const file = await source.read(agent, path);
      const fields = await agentFields(agent);
      await client.ask(
        file === undefined ? { type: "remove", ...fields, paths: [path] } : { type: "put", ...fields, file },
      );
    }
  };
  const synchronize = (agent: AgentId): Sync => {
    const existing = syncs.get(agent);
    if (
      existing !== undefined &&
      (existing.generation === undefined || existing.generation === client.runningGeneration())
    )
      return existing;
    const wantedPaths = open(agent);
    const sync: Sync = {
      generation: undefined,
      opened: wantedPaths.then(() => {
        sync.generation = client.runningGeneration();
      }),
      settled: wantedPaths.then((paths) => sendFiles(agent, paths)),
    };
    syncs.set(agent, sync);
    // Callers that wait get the error. The next request starts again.
    Promise.all([sync.opened, sync.settled]).catch(() => {
      if (syncs.get(agent) === sync) syncs.delete(agent);
    });
    return sync;
  };
  /** Retries a request once, with a new process or index, if it was lost with the old one. */
  const withRetry = async <Result>(agent: AgentId, ask: () => Promise<Result>): Promise<Result> => {
    try {
      await synchronize(agent).opened;
      return await ask();
    } catch (error) {
      if (!isHearthError(error, "memory.lost") && !isHearthError(error, "memory.damaged")) throw error;
      syncs.delete(agent);
      await synchronize(agent).opened;
      return ask();
    }
  };

  return {
    async put(agent, file) {
      const command = { type: "put", ...(await agentFields(agent)), file } as const;
      await withRetry(agent, () => client.ask(command));
    },
    async remove(agent, paths) {
      await withRetry(agent, () => client.ask({ type: "remove", agent, paths: [...paths] }));
    },
    async recall({ agent, query, limit, visible, today, tuning, signal }) {
      const command = { type: "recall", ...(await agentFields(agent)), query, limit, visible } as const;
      const optionalFields = { ...(today === undefined ? {} : { today }), ...(tuning === undefined ? {} : { tuning }) };
      return withRetry(agent, () => client.ask({ ...command, ...optionalFields }, signal));
    },
    async status(agent) {
      const command = { type: "status", ...(await agentFields(agent)) } as const;
      return withRetry(agent, () => client.ask(command));
    },
    async reindex(agent) {
      syncs.delete(agent);
      await client.ask({ type: "reindex", agent });
      await withRetry(agent, () => Promise.resolve());
    },
    whenIndexed: (agent) => withRetry(agent, () => synchronize(agent).settled),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
    },
  };
};
