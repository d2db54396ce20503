/**
 * Proxy tokens: each identifies the activation to which a cell's connection belongs. The warden
 * issues one token per activation and revokes it when the activation ends.
 */
import type { ActivationId, AgentId, World } from "@hearth/protocol";

/** The activation that makes a network request. */
export interface EgressCaller {
  readonly activation: ActivationId;
  readonly agent: AgentId;
  /** Aborts when the activation may make no further requests. Its running requests then end. */
  readonly signal: AbortSignal;
}

export interface EgressTokens {
  /**
   * Issues a token, which is valid until `revoke`. Tokens are only in memory, so a restarted
   * daemon issues new ones.
   */
  issue(activation: ActivationId, agent: AgentId): string;
  revoke(activation: ActivationId): void;
  find(token: string): EgressCaller | undefined;
}

const TOKEN_BYTES = 24;

export const createEgressTokens = (world: Pick<World, "random" | "hash">): EgressTokens => {
  /**
   * The callers by their token's hash, so that the lookup takes the same time for every wrong
   * token.
   */
  const callers = new Map<string, EgressCaller>();
  const issuedTokens = new Map<ActivationId, { readonly token: string; readonly stopper: AbortController }>();

  return {
    issue(activation, agent) {
      const issuedToken = issuedTokens.get(activation);
      if (issuedToken !== undefined) return issuedToken.token;
      const token = world.random(TOKEN_BYTES).toHex();
      const stopper = new AbortController();
      issuedTokens.set(activation, { token, stopper });
      callers.set(world.hash(token), { activation, agent, signal: stopper.signal });
      return token;
    },
    revoke(activation) {
      const issuedToken = issuedTokens.get(activation);
      if (issuedToken === undefined) return;
      issuedTokens.delete(activation);
      callers.delete(world.hash(issuedToken.token));
      issuedToken.stopper.abort();
    },
    find: (token) => callers.get(world.hash(token)),
  };
};
