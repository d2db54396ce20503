/** Refuses all network access, in a house without egress. */
import { HearthError, noUsage } from "@hearth/protocol";
import type { Egress } from "./egress.ts";

export const noEgress: Egress = {
  offer: async () => undefined,
  revoke: () => {},
  readUsage: async () => noUsage,
  fetch: () => Promise.reject(new HearthError("egress.refused", "This house has no network access.")),
  serve: async (stream) => stream.reset(),
};
