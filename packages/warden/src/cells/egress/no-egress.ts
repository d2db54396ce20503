/** No way to the network, for a house that was handed none. */
import { HearthError, noUsage } from "@hearth/protocol";
import type { Egress } from "./egress.ts";

export const noEgress: Egress = {
  offer: async () => undefined,
  revoke: () => {},
  took: async () => noUsage,
  fetch: () => Promise.reject(new HearthError("egress.refused", "This house has no way to the network.")),
  serve: async (stream) => stream.reset(),
};
