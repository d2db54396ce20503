/** The vault as egress sees it: what goes into a request, and what must not come back. */
import type { Redaction, Vault } from "../../policy/index.ts";
import type { EgressSecrets } from "./secrets.ts";

export const createEgressSecrets = (
  vault: Pick<Vault, "injectionsFor" | "hasGrants">,
  redaction: Pick<Redaction, "stream">,
): EgressSecrets => ({
  injectionsFor: vault.injectionsFor,
  // What was put on the wire for one agent may come back to another.
  redactorFor: async () => ((await vault.hasGrants()) ? redaction.stream : undefined),
});
