/** Model servers on this machine: asked, all at once, whether they are there and what they have. Whoever is not there is no failure. */
import type { FoundServer, World } from "@hearth/protocol";
import { createDeadline } from "../resilience/deadline.ts";
import type { LocalServer } from "./known.ts";
import { namesIn, readAnswer, toModelNames } from "./model-list.ts";

const LIMIT_MS = 800;
const MAX_MODELS = 200;

export interface Search {
  readonly world: Pick<World, "clock" | "fetch">;
  readonly servers: readonly LocalServer[];
  /** What is set up already: its base URLs are not asked, its names are not given again. */
  readonly present: readonly { readonly name: string; readonly baseUrl?: string }[];
  readonly signal: AbortSignal;
}

export const findServers = async (search: Search): Promise<readonly FoundServer[]> => {
  const asked = new Set(search.present.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : placeOf(baseUrl))));
  const taken = new Set(search.present.map(({ name }) => name));
  const servers = search.servers.filter(({ baseUrl }) => !asked.has(placeOf(baseUrl)));
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

/** Nothing when nobody is there, or somebody else. */
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
    // Not there, too slow, or no such server: in each case it cannot be offered.
    return undefined;
  }
};

/** The same server has several addresses. */
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
