/**
 * The network of a provider: only its hosts, by https (http on this machine), without redirects,
 * with limits of time and size.
 */
import { type Clock, type Fetch, HearthError, readBoundedText } from "@hearth/protocol";
import { isLoopback, type OidcConfig } from "../../kernel/index.ts";

/** A request of the library. */
export interface ProviderRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

export interface ProviderFetchOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly fetch: Fetch;
  readonly provider: Pick<OidcConfig, "issuer" | "hosts">;
}

export const TIMEOUT_MS = 10_000;
export const MAX_ANSWER_SIZE = 1024 * 1024;

/** Throws `auth.sso`. */
export const createProviderFetch =
  ({ clock, fetch, provider }: ProviderFetchOptions): ProviderFetch =>
  async (url, { method, headers, body }) => {
    const target = new URL(url);
    requireAllowed(target, provider);
    const ended = new AbortController();
    const controller = new AbortController();
    const late = clock.sleep(TIMEOUT_MS, ended.signal).then(() => controller.abort());
    try {
      const response = await fetch(target, {
        method,
        headers,
        redirect: "manual",
        signal: controller.signal,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
      });
      if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
        await response.body?.cancel();
        throw failed(`${target.host} redirected a request of the login.`, "Write the final address as the issuer.");
      }
      const text = await readBoundedText(response.body, MAX_ANSWER_SIZE);
      if (text === undefined)
        throw failed(`${target.host} answered with more than ${MAX_ANSWER_SIZE} bytes.`, "Check the issuer.");
      return new Response(text, { status: response.status, headers: response.headers });
    } catch (error) {
      if (error instanceof HearthError) throw error;
      const why = controller.signal.aborted ? `did not answer in ${TIMEOUT_MS / 1000} s` : "could not be reached";
      throw failed(
        `${target.host} ${why}.`,
        "Check the issuer in the config file and the network of the house.",
        error,
      );
    } finally {
      ended.abort();
      await late;
    }
  };

/** Throws `auth.sso` for another host, and for http except on this machine. */
const requireAllowed = (target: URL, { issuer, hosts }: ProviderFetchOptions["provider"]): void => {
  const own = new URL(issuer);
  if (target.host !== own.host && !hosts.includes(target.host))
    throw failed(
      `The provider uses the host ${target.host}, which is not allowed.`,
      `If it belongs to the provider, write hosts = ["${target.host}"] below its table in the config file.`,
    );
  if (target.protocol !== "https:" && !(target.protocol === "http:" && isLoopback(target.hostname)))
    throw failed(`The provider uses ${target.origin}, which is not https.`, "Use a provider with https.");
};

const failed = (message: string, hint: string, cause?: unknown): HearthError =>
  new HearthError("auth.sso", message, { hint, cause });
