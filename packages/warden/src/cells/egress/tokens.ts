/**
 * Proxy tokens: each identifies the activation that a cell's connection belongs to. The warden
 * issues one per activation and revokes it at its end.
 */
import type { ActivationId, AgentId, World } from "@hearth/protocol";

/** The activation that makes a network request. */
export interface EgressCaller {
  readonly activation: ActivationId;
  readonly agent: AgentId;
  /** Aborted when the activation may make no further requests; running ones end. */
  readonly signal: AbortSignal;
}

export interface EgressTokens {
  /** Valid until `revoke`. Kept in memory only, so a restart issues another one. */
  issue(activation: ActivationId, agent: AgentId): string;
  revoke(activation: ActivationId): void;
  find(token: string): EgressCaller | undefined;
}

const TOKEN_SIZE = 24;

export const createEgressTokens = (world: Pick<World, "random" | "hash">): EgressTokens => {
  /** Keyed by the token's hash, so that a lookup takes the same time for every wrong token. */
  const callers = new Map<string, EgressCaller>();
  const issued = new Map<ActivationId, { readonly token: string; readonly stopper: AbortController }>();

  return {
    issue(activation, agent) {
      const known = issued.get(activation);
      if (known !== undefined) return known.token;
      const token = Array.from(world.random(TOKEN_SIZE), (byte) => byte.toString(16).padStart(2, "0")).join("");
      const stopper = new AbortController();
      issued.set(activation, { token, stopper });
      callers.set(world.hash(token), { activation, agent, signal: stopper.signal });
      return token;
    },
    revoke(activation) {
      const known = issued.get(activation);
      if (known === undefined) return;
      issued.delete(activation);
      callers.delete(world.hash(known.token));
      known.stopper.abort();
    },
    find: (token) => callers.get(world.hash(token)),
  };
};
