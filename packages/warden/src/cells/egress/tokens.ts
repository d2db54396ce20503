/** Which activation a connection of a cell speaks for: a word that the warden gives out with each, and takes back at its end. */
import type { ActivationId, AgentId, World } from "@hearth/protocol";

/** Who asks for something of the network. */
export interface EgressCaller {
  readonly activation: ActivationId;
  readonly agent: AgentId;
  /** Aborted when it may ask no more: what is under way ends. */
  readonly signal: AbortSignal;
}

export interface EgressTokens {
  /** Until `revoke`. In memory only: after a restart there is another one. */
  issue(activation: ActivationId, agent: AgentId): string;
  revoke(activation: ActivationId): void;
  find(token: string): EgressCaller | undefined;
}

const TOKEN_SIZE = 24;

export const createEgressTokens = (world: Pick<World, "random" | "hash">): EgressTokens => {
  /** By the token's hash, so that finding one takes as long for a near miss as for any other. */
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
