/**
 * Searches for model servers on this machine: requests the model list of all known addresses at once.
 * A server that does not answer is not an error.
 */
import type { FoundServer, World } from "@hearth/protocol";
import { createDeadline } from "../resilience/deadline.ts";
import type { LocalServer } from "./known.ts";
import { modelNamesIn, readModelList, toModelNames } from "./model-list.ts";

const TIMEOUT_MS = 800;
const MAX_MODELS = 200;

export interface ServerSearch {
  readonly world: Pick<World, "clock" | "fetch">;
  readonly servers: readonly LocalServer[];
  /**
   * The configured providers. Their base URLs are not searched, and their names are not used for
   * found servers.
   */
  readonly configured: readonly { readonly name: string; readonly baseUrl?: string }[];
  readonly signal: AbortSignal;
}

export const findServers = async (search: ServerSearch): Promise<readonly FoundServer[]> => {
  const configuredUrls = new Set(
    search.configured.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : normalizeUrl(baseUrl))),
  );
  const usedNames = new Set(search.configured.map(({ name }) => name));
  const servers = search.servers.filter(({ baseUrl }) => !configuredUrls.has(normalizeUrl(baseUrl)));
  const foundServers = await Promise.all(
    servers.map(async ({ name, kind, baseUrl }): Promise<readonly FoundServer[]> => {
      const models = await requestModels(search, baseUrl);
      if (models === undefined) return [];
      const serverName = findUnusedName(name, usedNames);
      return [{ name: serverName, kind, baseUrl, models: [...toModelNames(serverName, models, MAX_MODELS)] }];
    }),
  );
  return foundServers.flat();
};

/** Returns the server, or undefined if no server of this kind answers. */
const requestModels = async (
  { world, signal }: ServerSearch,
  baseUrl: string,
): Promise<readonly string[] | undefined> => {
  using deadline = createDeadline({ clock: world.clock, ms: TIMEOUT_MS, signal });
  try {
    const response = await world.fetch(`${baseUrl}/models`, {
      headers: { accept: "application/json" },
      redirect: "manual",
      signal: deadline.signal,
    });
    return response.ok ? modelNamesIn(await readModelList(response)) : undefined;
  } catch {
    // The server is missing, too slow or of another kind, so it is not offered.
    return undefined;
  }
};

/** Returns one form for the several addresses of one server. */
const normalizeUrl = (baseUrl: string): string => {
  const url = URL.parse(baseUrl);
  if (url === null) return baseUrl;
  const host = ["localhost", "[::1]"].includes(url.hostname) ? "127.0.0.1" : url.hostname;
  return `${url.protocol}//${host}:${url.port}${url.pathname.replace(/\/+$/, "")}`;
};

const findUnusedName = (name: string, usedNames: ReadonlySet<string>): string => {
  let candidate = name;
  for (let count = 2; usedNames.has(candidate); count += 1) candidate = `${name}-${count}`;
  return candidate;
};
