/**
 * Searches for model servers on this machine: asks all known addresses at once for their models. A
 * server that does not answer is not an error.
 */
import type { FoundServer, World } from "@hearth/protocol";
import { createDeadline } from "../resilience/deadline.ts";
import type { LocalServer } from "./known.ts";
import { namesIn, readAnswer, toModelNames } from "./model-list.ts";

const LIMIT_MS = 800;
const MAX_MODELS = 200;

export interface Search {
  readonly world: Pick<World, "clock" | "fetch">;
  readonly servers: readonly LocalServer[];
  /**
   * The configured providers. Their base URLs are not searched, and their names are not used for
   * found servers.
   */
  readonly present: readonly { readonly name: string; readonly baseUrl?: string }[];
  readonly signal: AbortSignal;
}

export const findServers = async (search: Search): Promise<readonly FoundServer[]> => {
  const configured = new Set(search.present.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : placeOf(baseUrl))));
  const taken = new Set(search.present.map(({ name }) => name));
  const servers = search.servers.filter(({ baseUrl }) => !configured.has(placeOf(baseUrl)));
  const found = await Promise.all(
    servers.map(async ({ name, kind, baseUrl }): Promise<readonly FoundServer[]> => {
      const models = await askForModels(search, baseUrl);
      if (models === undefined) return [];
      const free = freeName(name, taken);
      return [{ name: free, kind, baseUrl, models: [...toModelNames(free, models, MAX_MODELS)] }];
    }),
  );
  return found.flat();
};

/** Returns the server, or undefined if no server of this kind answers. */
const askForModels = async ({ world, signal }: Search, baseUrl: string): Promise<readonly string[] | undefined> => {
  using deadline = createDeadline({ clock: world.clock, ms: LIMIT_MS, signal });
  try {
    const response = await world.fetch(`${baseUrl}/models`, {
      headers: { accept: "application/json" },
      redirect: "manual",
      signal: deadline.signal,
    });
    return response.ok ? namesIn(await readAnswer(response)) : undefined;
  } catch {
    // The server is missing, too slow or of another kind, so it is not offered.
    return undefined;
  }
};

/** Returns one form for the several addresses of one server. */
const placeOf = (baseUrl: string): string => {
  const url = URL.parse(baseUrl);
  if (url === null) return baseUrl;
  const host = ["localhost", "[::1]"].includes(url.hostname) ? "127.0.0.1" : url.hostname;
  return `${url.protocol}//${host}:${url.port}${url.pathname.replace(/\/+$/, "")}`;
};

const freeName = (name: string, taken: ReadonlySet<string>): string => {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`;
  return free;
};
