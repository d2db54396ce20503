/** The only way to the network for whatever an agent runs: the proxy that its cells speak to, and the requests of the host's own tools. */
import { isLoopbackAddress, isPublicAddress, DEFAULT_PORTS, reachesHost } from "../../policy/index.ts";
import {
  type ActivationId,
  type AgentId,
  type AgentRecord,
  type ByteStream,
  MODEL_HOST,
  type StepEgress,
  type Usage,
  type World,
} from "@hearth/protocol";
import { createExchange, type PassEgress } from "./exchange.ts";
import { createEgressFetch, type EgressFetch } from "./fetch.ts";
import type { Ledger } from "./ledger.ts";
import { createUpstreamConnection } from "./upstream-connection.ts";
import type { Network, Tls } from "./network/network.ts";
import { serveProxy } from "./proxy.ts";
import type { Resolver } from "./network/resolver.ts";
import type { OwnHost } from "./own-host.ts";
import type { EgressSecrets } from "./secrets.ts";
import { createSpending } from "./spending.ts";
import { createEgressTokens } from "./tokens.ts";
import { createInFlight } from "./in-flight.ts";

export interface Egress {
  /** What a step of the activation needs to go this way. Good until it is revoked. Undefined: there is no way. */
  offer(activation: ActivationId, agent: AgentId): Promise<StepEgress | undefined>;
  /**
   * One connection of a cell that takes this for a proxy. What its tokens do not belong to the cell's own agent is refused. Resolves
   * when it is over; never rejects.
   */
  serve(stream: ByteStream, from: { readonly agent: AgentId }): Promise<void>;
  readonly fetch: EgressFetch;
  /** Takes back what was offered to the activation, and ends what is under way. */
  revoke(activation: ActivationId): void;
  /** What models took for its programs, once none of those is under way any more. Nobody is waited for longer than a moment. */
  took(activation: ActivationId): Promise<Usage>;
}

export interface EgressOptions {
  readonly world: Pick<World, "clock" | "ids" | "random" | "hash">;
  readonly ledger: Ledger;
  readonly network: Network;
  readonly resolver: Resolver;
  readonly tls: Tls;
  readonly secrets: EgressSecrets;
  readonly agentOf: (id: AgentId) => Promise<AgentRecord>;
  readonly pass: PassEgress;
  /** What answers at `MODEL_HOST`. */
  readonly model: OwnHost;
  /** Whether a grant may lead to this machine itself. */
  readonly allowsLoopback: boolean;
}

/** Between a cell and its house there is nobody who could listen: programs need trust no certificate for it. */
const MODEL_PLACE = { host: MODEL_HOST, port: DEFAULT_PORTS.http } as const;

/** Longer takes only what nobody reads any more. */
const MOMENT_MS = 2_000;

export const createEgress = (options: EgressOptions): Egress => {
  const { world, ledger, network, resolver, tls } = options;
  const tokens = createEgressTokens(world);
  const spending = createSpending(ledger);
  const mayDial = (address: string): boolean =>
    isPublicAddress(address) || (options.allowsLoopback && isLoopbackAddress(address));
  const openLine = () => createUpstreamConnection({ clock: world.clock, network, resolver, mayDial });
  const inFlight = createInFlight();
  const exchange = createExchange({
    inFlight,
    ...{ world, ledger, spending, secrets: options.secrets, pass: options.pass },
    ownHosts: new Map([[MODEL_HOST, options.model]]),
    agentOf: (caller) => options.agentOf(caller.agent),
  });

  return {
    async offer(activation, agent) {
      const [certificate, { content }] = await Promise.all([tls.certificate(), options.agentOf(agent)]);
      const model = reachesHost(content.egress ?? [], MODEL_PLACE) ? { model: `http://${MODEL_PLACE.host}` } : {};
      return { certificate, token: tokens.issue(activation, agent), ...model };
    },
    revoke(activation) {
      tokens.revoke(activation);
      spending.forget(activation);
    },
    async took(activation) {
      const over = new AbortController();
      await Promise.race([inFlight.untilOver(activation), world.clock.sleep(MOMENT_MS, over.signal)]);
      over.abort();
      return ledger.took(activation);
    },
    fetch: createEgressFetch({ exchange, openLine }),
    serve: (stream, from) =>
      serveProxy(stream, {
        ...{ clock: world.clock, tls, exchange, openLine },
        callerOf(token) {
          const caller = tokens.find(token);
          return caller?.agent === from.agent ? caller : undefined;
        },
      }),
  };
};
