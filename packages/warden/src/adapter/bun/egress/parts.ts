/** The parts of egress on this machine. They are loaded when an agent first uses the network. */
import { lazy } from "@hearth/protocol";
import type { EgressParts } from "../../../warden-options.ts";

/** `folder` stores the house's certificate authority. */
export const createBunEgress = (options: { readonly folder: string; readonly now: () => number }): EgressParts => {
  const loadNetwork = lazy(async () => {
    const [{ createBunNetwork }, { createBunResolver }] = await Promise.all([
      import("./network.ts"),
      import("./resolver.ts"),
    ]);
    return { network: createBunNetwork(), resolver: createBunResolver() };
  });
  const loadTls = lazy(async () => {
    const [{ createTls }, { createAuthority }] = await Promise.all([import("./tls.ts"), import("./authority.ts")]);
    return createTls(createAuthority(options));
  });
  return {
    network: { dial: async (request, signal) => (await loadNetwork()).network.dial(request, signal) },
    resolver: { resolve: async (name) => (await loadNetwork()).resolver.resolve(name) },
    tls: {
      terminate: async (connection, host) => (await loadTls()).terminate(connection, host),
      certificate: async () => (await loadTls()).certificate(),
    },
  };
};
