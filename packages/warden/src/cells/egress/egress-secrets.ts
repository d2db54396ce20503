/**
 * Adapts the vault for egress: which secrets are put into a request, and which must not appear in
 * its response.
 */
import type { Redaction, Vault } from "../../policy/index.ts";
import type { EgressSecrets } from "./secrets.ts";

export const createEgressSecrets = (
  vault: Pick<Vault, "injectionsFor" | "hasGrants">,
  redaction: Pick<Redaction, "stream">,
): EgressSecrets => ({
  injectionsFor: vault.injectionsFor,
  // A secret that was sent for one agent may appear in a response to another agent.
  redactorFor: async () => ((await vault.hasGrants()) ? redaction.stream : undefined),
});
