/** Egress that is read when an agent first asks for something of the network: a start does without. */
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
    // What was never offered needs no taking back.
    revoke: (activation) => loaded?.revoke(activation),
    took: (activation) => loaded?.took(activation) ?? options.ledger.took(activation),
    fetch: async (request, caller) => (await load()).fetch(request, caller),
    serve: async (stream, from) => (await load()).serve(stream, from),
  };
};
