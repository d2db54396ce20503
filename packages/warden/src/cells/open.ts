/** Opens the cells of a home: their pool, and the network access of their programs. */
import { type Kernel, observe } from "../kernel/index.ts";
import type { Models } from "../models/index.ts";
import type { People } from "../people/index.ts";
import type { Policy, Secrets } from "../policy/index.ts";
import { type AgentRecord, type Audience, lazy, lazyMethods } from "@hearth/protocol";
import type { CellSpec } from "./backend.ts";
import type { Backends } from "./backends.ts";
import type { Documents } from "./documents.ts";
import type { Egress } from "./egress/egress.ts";
import { createLedger, type Ledger } from "./egress/ledger.ts";
import type { Network, Tls } from "./egress/network/network.ts";
import type { Resolver } from "./egress/network/resolver.ts";
import { noEgress } from "./egress/no-egress.ts";
import type { CellSettings } from "./open-cell.ts";
import type { Pictures } from "./pictures.ts";
import { createPool, type Pool } from "./pool.ts";
import type { Scratch } from "./document-cell.ts";

/** The network parts of an agent's requests. */
export interface EgressParts {
  readonly network: Network;
  readonly resolver: Resolver;
  readonly tls: Tls;
}

export interface CellsOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly models: Models;
  readonly secrets: Secrets;
  readonly policy: Policy;
  readonly backends: Backends;
  readonly brains: { open(agent: AgentRecord): Promise<VisibleFiles> };
  /** The network. It is absent if cells have no network. */
  readonly egress?: EgressParts | undefined;
  /** Creates the folders of conversions. It is absent if documents are not converted. */
  readonly scratch?: (() => Promise<Scratch>) | undefined;
  readonly hasOcr?: (() => boolean) | undefined;
}

/** The part of a brain that a cell sees. */
interface VisibleFiles {
  viewFor(audience: Audience): Promise<Pick<CellSpec, "brain" | "hidden" | "workspace">>;
}

export interface Cells {
  readonly backends: Backends;
  readonly pool: Pool;
  readonly egress: Egress;
  /** Resolves host names. It is absent if the house has no network parts. */
  readonly resolver: Resolver | undefined;
  /** Records activations' network requests. */
  readonly ledger: Ledger;
  /** Converts documents. */
  readonly documents: Documents;
  /** Scales pictures down. */
  readonly pictures: Pictures;
}

export const openCells = (options: CellsOptions): Cells => {
  const { kernel, backends, brains } = options;
  const { world, log, config, store } = kernel;
  const settings = (): CellSettings => {
    const { backend: kind, idleSeconds, maxOpen, limits } = config.current().cells;
    return { kind, limits, idleMs: idleSeconds * 1000, maxOpen };
  };
  const ledger = createLedger({ store });
  const egress = options.egress === undefined ? noEgress : createLazyEgress(options, ledger, options.egress);
  const pool = createPool({
    clock: world.clock,
    log,
    backends,
    settings,
    viewFor: async (agent, audience) => (await brains.open(agent)).viewFor(audience),
    streams: (stream, from) =>
      observe(egress.serve(stream, from), log, "a connection from a cell could not be served", { agent: from.agent }),
  });
  config.onChange(pool.applySettings);
  const resolver = options.egress?.resolver;
  return {
    backends,
    pool,
    egress,
    resolver,
    ledger,
    documents: createLazyDocuments(options),
    pictures: createLazyPictures(options),
  };
};

const createLazyDocuments = ({ kernel, backends, scratch, hasOcr }: CellsOptions): Documents => {
  const { clock } = kernel.world;
  const load = lazy(async () => (await import("./documents.ts")).createDocuments({ backends, clock, scratch, hasOcr }));
  return lazyMethods(load, ["convert", "hasOcr", "draw"]);
};

const createLazyPictures = ({ kernel, backends, scratch }: CellsOptions): Pictures => {
  const { clock } = kernel.world;
  const load = lazy(async () => (await import("./pictures.ts")).createPictures({ backends, clock, scratch }));
  return lazyMethods(load, ["scale"]);
};

/**
 * Loads egress when an agent first uses the network, and the model door when a program makes its
 * first request.
 */
const createLazyEgress = (options: CellsOptions, ledger: Ledger, parts: EgressParts): Egress => {
  const { kernel, people, secrets, policy } = options;
  const { chokePoint, taints, pay } = policy;
  const { providers } = options.models;
  const { leakScan } = chokePoint;
  const door = lazy(async () =>
    (await import("./model-door/model-door.ts")).createModelDoor({
      world: kernel.world,
      log: kernel.log,
      telemetry: kernel.telemetry,
      providers,
      pay,
      leakScan,
    }),
  );
  let loaded: Egress | undefined;
  const load = lazy(async () => {
    const [{ createEgress }, { createEgressSecrets }, { createPassEgress }] = await Promise.all([
      import("./egress/egress.ts"),
      import("./egress/egress-secrets.ts"),
      import("./egress/pass-egress.ts"),
    ]);
    loaded = createEgress({
      ...parts,
      world: kernel.world,
      ledger,
      secrets: createEgressSecrets(secrets.vault, secrets.redaction),
      agentOf: (id) => people.records.get("agent", id),
      pass: createPassEgress(chokePoint, taints),
      model: async (request) => (await door())(request),
      allowsLoopback: () => kernel.config.current().egress.loopback,
    });
    return loaded;
  });
  return {
    ...lazyMethods(load, ["offer", "fetch", "serve"]),
    // Without an offer there is no token to revoke.
    revoke: (activation) => loaded?.revoke(activation),
    readUsage: (activation) => loaded?.readUsage(activation) ?? ledger.readUsage(activation),
  };
};
