/**
 * Checks a request's source and credential before any other part of it is read. The peer's address
 * grants nothing, and credentials in URLs are ignored.
 */
import type { Keys, Logins, Peer, Principal, LoginAttempts } from "../people/index.ts";
import { type Clock, HearthError, type KeyId, type World } from "@hearth/protocol";
import { type Arrival, type Connection, createArrivals } from "./arrival.ts";
import type { Caller, DaemonView } from "./http.ts";
import { readCookies, sessionCookieName } from "./session-cookie.ts";

/**
 * Path of the calls of chat platforms. They use the host name that they know and authenticate to
 * their channel. No web page may call it.
 */
export const HOOKS_PATH = "/hooks/";

export interface Guard {
  /**
   * Throws unless the request names this house and no other site's page sent it. Links to our pages
   * are allowed.
   */
  checkSource(request: Request, connection: Connection): Arrival;
  /**
   * Throws unless the request has a valid credential. An invalid one counts against the peer; valid
   * ones are not limited.
   */
  identify(request: Request, arrival: Arrival): Promise<Caller>;
}

export interface GuardOptions {
  readonly kernel: { readonly world: Pick<World, "clock"> };
  readonly daemon: Pick<DaemonView, "reach" | "runToken">;
  readonly people: {
    readonly keys: Pick<Keys, "authenticate">;
    readonly logins: Pick<Logins, "authenticate">;
    readonly attempts: Pick<LoginAttempts, "recordInvalidCredential">;
  };
}

/** Maximum length of a credential that is checked. */
const MAX_CREDENTIAL_LENGTH = 512;

type Credential = { readonly kind: "bearer" | "cookie"; readonly secrets: readonly string[] };

export const createGuard = ({ kernel, daemon, people }: GuardOptions): Guard => {
  const { reach, runToken } = daemon;
  const { keys, logins, attempts } = people;
  const arrivals = createArrivals({ reach });
  const countRequest = createKeyLimits(kernel.world.clock);

  const authenticate = async (
    { kind, secrets }: Credential,
    peer: Peer,
    isUse: boolean,
  ): Promise<Principal | undefined> => {
    for (const secret of secrets) {
      const principal =
        kind === "cookie"
          ? await logins.authenticate(secret, peer, { isUse })
          : ((await runToken(secret)) ?? (await keys.authenticate(secret)));
      if (principal !== undefined) return principal;
    }
    return undefined;
  };

  return {
    checkSource(request, connection) {
      const { headers } = request;
      const arrival = arrivals.resolve(request, connection);
      if (isHook(request)) {
        if (headers.has("origin") || headers.has("sec-fetch-site")) throw otherSiteError();
        return arrival;
      }
      arrivals.checkOrigin(arrival);
      const origin = headers.get("origin");
      if (
        (origin !== null && origin !== arrival.origin) ||
        (headers.get("sec-fetch-site") === "cross-site" && !isFollowedLink(request))
      ) {
        throw otherSiteError();
      }
      return arrival;
    },

    async identify(request, { peer, origin }) {
      const credential = readCredential(request.headers, origin);
      const principal = await authenticate(credential, peer, true);
      if (principal === undefined) {
        attempts.recordInvalidCredential(peer);
        throw new HearthError("auth.invalid", "This key or login is invalid or has expired.", {
          hint: LOGIN_HINT,
        });
      }
      if (principal.scope?.only === "metrics" && !isMetrics(request)) {
        throw new HearthError("auth.denied", "This key may only read /metrics.", {
          hint: "Use another key: hearth key create --name NAME",
        });
      }
      if (credential.kind === "cookie" && changesSomething(request) && !isFromOwnPage(request.headers)) {
        throw new HearthError("auth.origin", "A browser request must come from a page of this house.", {
          hint: "Programs use a key: Authorization: Bearer KEY",
        });
      }
      countRequest(principal);
      const isStillValid = async (isUse: boolean): Promise<boolean> => {
        try {
          return (await authenticate(credential, peer, isUse))?.agent === principal.agent;
        } catch {
          return false;
        }
      };
      return {
        principal,
        peer,
        origin,
        isStillValid: () => isStillValid(false),
        mayRequest() {
          countRequest(principal);
          return isStillValid(true);
        },
      };
    },
  };
};

const MINUTE_MS = 60_000;

/**
 * Counts the requests of keys with a limit. A key may use up the requests of a minute at once, and
 * regains them evenly. Counts are in memory, so a restart forgets them.
 */
const createKeyLimits = (clock: Pick<Clock, "monotonic">): ((principal: Principal) => void) => {
  const usedRequests = new Map<KeyId, { readonly count: number; readonly at: number }>();
  return ({ key, scope }) => {
    const perMinute = scope?.perMinute;
    if (key === undefined || perMinute === undefined) return;
    const at = clock.monotonic();
    const lastEntry = usedRequests.get(key);
    const usedCount =
      lastEntry === undefined ? 0 : Math.max(0, lastEntry.count - ((at - lastEntry.at) * perMinute) / MINUTE_MS);
    if (usedCount + 1 > perMinute) {
      const retryAfterMs = Math.ceil(((usedCount + 1 - perMinute) * MINUTE_MS) / perMinute);
      throw new HearthError("key.limit", `This key has sent its limit of ${perMinute} requests per minute.`, {
        hint: `Try again in ${Math.ceil(retryAfterMs / 1000)} s, or use a key with a higher limit.`,
        retryAfterMs,
      });
    }
    usedRequests.set(key, { count: usedCount + 1, at });
  };
};

const otherSiteError = (): HearthError =>
  new HearthError("auth.origin", "Pages of other sites may not call this house.");

const isHook = ({ method, url }: Request): boolean =>
  method === "POST" && (URL.parse(url)?.pathname ?? "").startsWith(HOOKS_PATH);

const isMetrics = ({ method, url }: Request): boolean => method === "GET" && URL.parse(url)?.pathname === "/metrics";

/**
 * Pages that other sites may link to. They change nothing and reveal nothing, except that a provider
 * sends a browser back here to finish the login that it began.
 */
const LINKABLE = /^\/(login|ui(\/.*)?|api\/login\/oidc\/[^/]+\/callback)?$/;

/** Whether a person followed a link to one of our pages, in a top-level window. */
const isFollowedLink = ({ method, url, headers }: Request): boolean =>
  method === "GET" &&
  headers.get("sec-fetch-mode") === "navigate" &&
  headers.get("sec-fetch-dest") === "document" &&
  LINKABLE.test(URL.parse(url)?.pathname ?? "");

const LOGIN_HINT = "Send `Authorization: Bearer KEY`, or open a login link: `hearth login` prints one.";

const readCredential = (headers: Headers, origin: string): Credential => {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (secret === undefined || secret.length > MAX_CREDENTIAL_LENGTH) {
      throw new HearthError("auth.invalid", "The Authorization header is not `Bearer KEY`.", { hint: LOGIN_HINT });
    }
    return { kind: "bearer", secrets: [secret] };
  }
  const secrets = readCookies(headers, sessionCookieName(origin));
  if (secrets.length === 0)
    throw new HearthError("auth.missing", "The request has no credential.", { hint: LOGIN_HINT });
  return { kind: "cookie", secrets };
};

/** Whether the request can change something. An upgrade can, although its method is GET. */
const changesSomething = ({ method, headers }: Request): boolean =>
  (method !== "GET" && method !== "HEAD") || headers.has("upgrade");

/** Whether a page of this house sent the request. A present Origin header was already checked. */
const isFromOwnPage = (headers: Headers): boolean =>
  headers.has("origin") || headers.get("sec-fetch-site") === "same-origin";
