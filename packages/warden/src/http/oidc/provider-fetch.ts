/**
 * Restricts the network of a provider: only its hosts, by https (or http on this machine), at
 * public addresses unless the config allows others, without redirects, with limits on time and
 * size.
 */
import { resolveDialable } from "../../cells/lazy.ts";
import type { Resolver } from "../../cells/index.ts";
import { isPublicAddress } from "../../policy/index.ts";
import { type Clock, type Fetch, HearthError, isHearthError, readBoundedText } from "@hearth/protocol";
import { isLoopback, type OidcConfig } from "../../kernel/index.ts";

/** A request of the library. */
export interface ProviderRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  /** The library sends forms. */
  readonly body?: unknown;
}

export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

export interface ProviderFetchOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly fetch: Fetch;
  /** Absent: names are not resolved, so only providers on this machine or in a private network work. */
  readonly resolver: Resolver | undefined;
  readonly provider: Pick<OidcConfig, "issuer" | "hosts" | "privateNetwork">;
}

export const PROVIDER_TIMEOUT_MS = 10_000;
export const MAX_ANSWER_SIZE = 1024 * 1024;

/** Creates the fetch, which throws `auth.sso`. */
export const createProviderFetch =
  ({ clock, fetch, resolver, provider }: ProviderFetchOptions): ProviderFetch =>
  async (url, { method, headers, body }) => {
    const target = new URL(url);
    requireAllowed(target, provider);
    const timerAbort = new AbortController();
    const requestAbort = new AbortController();
    const timer = clock.sleep(PROVIDER_TIMEOUT_MS, timerAbort.signal).then(() => requestAbort.abort());
    try {
      await requirePublic(target, provider, resolver);
      const response = await fetch(target, {
        method,
        headers,
        redirect: "manual",
        signal: requestAbort.signal,
        ...(typeof body === "string" || body instanceof URLSearchParams ? { body } : {}),
      });
      if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
        await response.body?.cancel();
        throw providerError(
          `${target.host} redirected a request of the login.`,
          "Write the final address as the issuer.",
        );
      }
      const text = await readBoundedText(response.body, MAX_ANSWER_SIZE);
      if (text === undefined)
        throw providerError(`${target.host} answered with more than ${MAX_ANSWER_SIZE} bytes.`, "Check the issuer.");
      return new Response(text, { status: response.status, headers: response.headers });
    } catch (error) {
      if (isHearthError(error)) throw error;
      const why = requestAbort.signal.aborted
        ? `did not answer in ${PROVIDER_TIMEOUT_MS / 1000} s`
        : "could not be reached";
      throw providerError(
        `${target.host} ${why}.`,
        "Check the issuer in the config file and the network of the house.",
        error,
      );
    } finally {
      timerAbort.abort();
      await timer;
    }
  };

/**
 * Throws `auth.sso` for a host that is neither the issuer's nor listed, and for http except on this
 * machine. Browsers are sent only to such addresses too.
 */
export const requireAllowed = (target: URL, { issuer, hosts }: Pick<OidcConfig, "issuer" | "hosts">): void => {
  const issuerUrl = new URL(issuer);
  if (target.host !== issuerUrl.host && !hosts.includes(target.host))
    throw providerError(
      `The provider uses the host ${target.host}, which is not allowed.`,
      `If it belongs to the provider, write hosts = ["${target.host}"] below its table in the config file.`,
    );
  if (target.protocol !== "https:" && !(target.protocol === "http:" && isLoopback(target.hostname)))
    throw providerError(`The provider uses ${target.origin}, which is not https.`, "Use a provider with https.");
};

/**
 * Throws `auth.sso` for a name that leads out of the public network. The name is resolved again when
 * it is dialled; an answer from elsewhere then fails the check of the certificate. The config file
 * names this machine itself, so that needs no further permission.
 */
const requirePublic = async (
  { hostname, host }: URL,
  { privateNetwork }: Pick<OidcConfig, "privateNetwork">,
  resolver: Resolver | undefined,
): Promise<void> => {
  if (privateNetwork || isLoopback(hostname)) return;
  const hint = "If the provider is in your own network, write private_network = true below its table.";
  if (resolver === undefined) throw providerError(`The house cannot look up the address of ${host}.`, hint);
  try {
    await resolveDialable(hostname, { resolver, mayDial: isPublicAddress });
  } catch (error) {
    if (isHearthError(error, "egress.refused"))
      throw providerError(`${host} has an address outside the public network.`, hint, error);
    if (isHearthError(error, "egress.failed"))
      throw providerError(
        `${host} was not found.`,
        "Check the issuer in the config file and the network of the house.",
        error,
      );
    throw error;
  }
};

const providerError = (message: string, hint: string, cause?: unknown): HearthError =>
  new HearthError("auth.sso", message, { hint, cause });
