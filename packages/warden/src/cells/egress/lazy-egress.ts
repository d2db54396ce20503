/** Loads egress when an agent first uses the network. A start does not need it. */
import { lazy } from "@hearth/protocol";
import type { Egress, EgressOptions } from "./egress.ts";

export const createLazyEgress = (options: EgressOptions): Egress => {
  let loaded: Egress | undefined;
  const load = lazy(async () => {
    const { createEgress } = await import("./egress.ts");
    loaded = createEgress(options);
    return loaded;
  });
  return {
    offer: async (activation, agent) => (await load()).offer(activation, agent),
    // Without an offer there is nothing to revoke.
    revoke: (activation) => loaded?.revoke(activation),
    took: (activation) => loaded?.took(activation) ?? options.ledger.took(activation),
    fetch: async (request, caller) => (await load()).fetch(request, caller),
    serve: async (stream, from) => (await load()).serve(stream, from),
  };
};
