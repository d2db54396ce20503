/**
 * Checks the address of a push service. A browser names it, so it is untrusted: only https and only
 * public addresses are allowed, and this machine only if the config file allows it.
 */
import { resolveDialable } from "../../cells/lazy.ts";
import type { Resolver } from "../../cells/index.ts";
import { isLoopback } from "../../kernel/index.ts";
import { isPublicAddress } from "../../policy/index.ts";
import { HearthError, isHearthError } from "@hearth/protocol";

export interface EndpointRules {
  /** Resolves host names. It is undefined if names are not resolved, and then no push service can be reached. */
  readonly resolver: Resolver | undefined;
  /** `[server] loopback_webhooks` of the config file. */
  readonly allowsLoopback: () => boolean;
}

const HINT = "Turn notifications off and on again in this browser.";

/**
 * Checks the address. Throws `request.invalid`. The caller checks before each request, because the
 * address of a name may change.
 */
export const requirePushEndpoint = async (endpoint: string, rules: EndpointRules): Promise<void> => {
  const { protocol, hostname, host, username, password } = new URL(endpoint);
  if (isLoopback(hostname)) {
    if (rules.allowsLoopback()) return;
    throw refusedError(`The push service ${host} was refused: it is on the machine of the house.`);
  }
  if (protocol !== "https:" || username !== "" || password !== "")
    throw refusedError(`The push service ${host} was refused: its address is not plain https.`);
  if (rules.resolver === undefined)
    throw refusedError(`The push service ${host} was refused: this house resolves no names.`);
  try {
    await resolveDialable(hostname, { resolver: rules.resolver, mayDial: isPublicAddress });
  } catch (error) {
    if (isHearthError(error, "egress.refused"))
      throw refusedError(`The push service ${host} was refused: its address is not public.`, error);
    throw error;
  }
};

const refusedError = (message: string, cause?: unknown): HearthError =>
  new HearthError("request.invalid", message, { hint: HINT, cause });
