/**
 * The only access of an agent to the network: the proxy to which its cells connect, and the
 * requests of host tools.
 */
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
import { createGrantUsage } from "./grant-usage.ts";
import { createEgressTokens } from "./tokens.ts";
import { createInFlightCalls } from "./in-flight.ts";

export interface Egress {
  /**
   * Returns the data with which a step of the activation uses the proxy, valid until `revoke`.
   * Returns undefined if the activation has no network access.
   */
  offer(activation: ActivationId, agent: AgentId): Promise<StepEgress | undefined>;
  /**
   * Serves one proxy connection of a cell. Refuses tokens of other agents. Resolves when the
   * connection has ended. Never rejects.
   */
  serve(stream: ByteStream, from: { readonly agent: AgentId }): Promise<void>;
  readonly fetch: EgressFetch;
  /** Revokes the activation's token and aborts its running requests. */
  revoke(activation: ActivationId): void;
  /**
   * Returns the model usage of the activation's programs after their calls have ended. Waits only
   * briefly for running calls.
   */
  readUsage(activation: ActivationId): Promise<Usage>;
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
  /** Answers requests to `MODEL_HOST`. */
  readonly model: OwnHost;
  /** Whether a grant may allow the loopback addresses of this machine. */
  readonly allowsLoopback: () => boolean;
}

/**
 * The scheme is HTTP: the connection between cell and house is private, so programs need no TLS to
 * reach the model.
 */
const MODEL_ORIGIN = { host: MODEL_HOST, port: DEFAULT_PORTS.http } as const;

/** Maximum time that `readUsage` waits for running calls. */
const USAGE_WAIT_MS = 2_000;

export const createEgress = (options: EgressOptions): Egress => {
  const { world, ledger, network, resolver, tls } = options;
  const tokens = createEgressTokens(world);
  const grantUsage = createGrantUsage(ledger);
  const mayDial = (address: string, isPublic: boolean): boolean =>
    isPublicAddress(address) || (!isPublic && options.allowsLoopback() && isLoopbackAddress(address));
  const openUpstream = () => createUpstreamConnection({ clock: world.clock, network, resolver, mayDial });
  const inFlight = createInFlightCalls();
  const exchange = createExchange({
    inFlight,
    world,
    ledger,
    grantUsage,
    secrets: options.secrets,
    pass: options.pass,
    ownHosts: new Map([[MODEL_HOST, options.model]]),
    agentOf: (caller) => options.agentOf(caller.agent),
  });

  return {
    async offer(activation, agent) {
      const [certificate, { content }] = await Promise.all([tls.certificate(), options.agentOf(agent)]);
      const model = reachesHost(content.egress ?? [], MODEL_ORIGIN) ? { model: `http://${MODEL_ORIGIN.host}` } : {};
      return { certificate, token: tokens.issue(activation, agent), ...model };
    },
    revoke(activation) {
      tokens.revoke(activation);
      grantUsage.forget(activation);
    },
    async readUsage(activation) {
      const controller = new AbortController();
      await Promise.race([inFlight.waitForCalls(activation), world.clock.sleep(USAGE_WAIT_MS, controller.signal)]);
      controller.abort();
      return ledger.readUsage(activation);
    },
    fetch: createEgressFetch({ exchange, openUpstream }),
    serve: (stream, from) =>
      serveProxy(stream, {
        clock: world.clock,
        tls,
        exchange,
        openUpstream,
        callerOf(token) {
          const caller = tokens.find(token);
          return caller?.agent === from.agent ? caller : undefined;
        },
      }),
  };
};
