/** Memory in a process of its own: told what the brains hold whenever one starts, and asked. */
import { type AgentId, isHearthError } from "@hearth/protocol";
import type { Embedder } from "../embedders/embedder.ts";
import type { MemoryBackend, MemorySource } from "./memory-backend.ts";
import { createMemoryClient, type MemoryProcess } from "./memory-client.ts";

export interface ProcessBackendOptions {
  readonly start: () => MemoryProcess;
  readonly source: MemorySource;
  readonly idleMs: number;
  /** What the process calls when it was started for an embedder that only its starter reaches. */
  readonly embedder?: Embedder;
}

/** An agent whose brain a process of that generation was told. */
interface Told {
  /** Nothing as long as it is being told. */
  generation: number | undefined;
  /** Resolves once it knows which files there are. */
  readonly opened: Promise<void>;
  /** Resolves once it has them. */
  readonly settled: Promise<void>;
}

export const createProcessBackend = ({ source, ...options }: ProcessBackendOptions): MemoryBackend => {
  const client = createMemoryClient(options);
  const told = new Map<AgentId, Told>();

  /** With what its record says at that moment. */
  const of = async (agent: AgentId) => ({ agent, retrieval: await source.retrieval(agent) });
  const open = async (agent: AgentId): Promise<readonly string[]> => {
    const files = Object.fromEntries(await source.list(agent));
    return (await client.ask({ type: "open", ...(await of(agent)), files })).wanted;
  };
  const bring = async (agent: AgentId, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const file = await source.read(agent, path);
      const ask = await of(agent);
      await client.ask(file === undefined ? { type: "remove", ...ask, paths: [path] } : { type: "put", ...ask, file });
    }
  };
  const tell = (agent: AgentId): Told => {
    const known = told.get(agent);
    if (known !== undefined && (known.generation === undefined || known.generation === client.running())) return known;
    const wanted = open(agent);
    const telling: Told = {
      generation: undefined,
      opened: wanted.then(() => {
        telling.generation = client.running();
      }),
      settled: wanted.then((paths) => bring(agent, paths)),
    };
    told.set(agent, telling);
    // Whoever waits for it hears of it; whoever asks next begins again.
    Promise.all([telling.opened, telling.settled]).catch(() => {
      if (told.get(agent) === telling) told.delete(agent);
    });
    return telling;
  };
  /** Once more, of a new process or a new index, when what was asked got lost with the old one. */
  const attempt = async <Result>(agent: AgentId, ask: () => Promise<Result>): Promise<Result> => {
    try {
      await tell(agent).opened;
      return await ask();
    } catch (error) {
      if (!isHearthError(error, "memory.lost") && !isHearthError(error, "memory.damaged")) throw error;
      told.delete(agent);
      await tell(agent).opened;
      return ask();
    }
  };

  return {
    async put(agent, file) {
      const ask = { type: "put", ...(await of(agent)), file } as const;
      await attempt(agent, () => client.ask(ask));
    },
    async remove(agent, paths) {
      await attempt(agent, () => client.ask({ type: "remove", agent, paths: [...paths] }));
    },
    async recall({ agent, query, limit, visible, today, tuning, signal }) {
      const ask = { type: "recall", ...(await of(agent)), query, limit, visible } as const;
      const more = { ...(today === undefined ? {} : { today }), ...(tuning === undefined ? {} : { tuning }) };
      return attempt(agent, () => client.ask({ ...ask, ...more }, signal));
    },
    async status(agent) {
      const ask = { type: "status", ...(await of(agent)) } as const;
      return attempt(agent, () => client.ask(ask));
    },
    async forget(agent) {
      told.delete(agent);
      await client.ask({ type: "forget", agent });
    },
    async reindex(agent) {
      told.delete(agent);
      await client.ask({ type: "reindex", agent });
      await attempt(agent, () => Promise.resolve());
    },
    settled: (agent) => attempt(agent, () => tell(agent).settled),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
    },
  };
};
