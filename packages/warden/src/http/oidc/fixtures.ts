/** A house with OpenID Connect providers in its config, and browsers without a screen. For tests. */
import type { AgentId, HearthError, Level } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { CLIENT, logInAt } from "@hearth/testing/oidc";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createMemoryConfigFile } from "../../kernel/config/file.ts";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigSource } from "../../kernel/config/source.ts";
import { createFakeHouse, HOST } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
export const ORIGIN = `http://${HOST}`;
/** What a browser says when another site's page sends it here in a window. */
export const FROM_ELSEWHERE = {
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
} as const;

/** The table of a provider in the config file. */
export const table = (name: string, issuer: string, more = ""): string =>
  `[login.oidc.${name}]\nissuer = "${issuer}"\nclient_id = "${CLIENT.id}"\nclient_secret = "env:OIDC"\n${more}\n`;

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
  readonly error: Pick<HearthError, "code" | "message" | "hint"> | undefined;
}

export const setUp = async (tables: string, now = Date.now()) => {
  const world = createFakeWorld({ hash, fetch, now });
  const text = `version = 1\n${tables}`;
  const config = createConfigSource(createMemoryConfigFile(text), parseConfig(text, "hearth.toml"));
  const references = {
    environment: (name: string) => (name === "OIDC" ? CLIENT.secret : undefined),
    readFile: async () => undefined,
  };
  const house = await createFakeHouse(world, { kernel: { config }, oidc: { references } });
  const { people } = house.options;

  const addPerson = (name: string, level: Level | "none" = "w") =>
    people.records.mutate(
      { kind: "create", type: "agent", house: house.house, level, content: { name, kind: "human" } },
      house.owner.id,
    );
  const levelOf = (agent: string) => people.permissions.levelOf({ agent: agent as AgentId }, house.house);
  const eventsOf = async (agent: string): Promise<readonly string[]> =>
    (await house.store.select({ table: "events", where: { stream: `agent:${agent}` } })).map(({ body }) =>
      JSON.stringify(body),
    );

  /** A browser with its own cookies. */
  const browse = (address = "127.0.0.1") => {
    const cookies = new Map<string, string>();
    const send = async (
      method: string,
      path: string,
      { body, ...headers }: Readonly<Record<string, unknown>> & { readonly body?: unknown } = {},
    ): Promise<Answer> => {
      const init = {
        method,
        headers: {
          host: HOST,
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
          ...(method === "GET" ? {} : { origin: ORIGIN, "content-type": "application/json" }),
          ...(headers as Record<string, string>),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const response = await house.http.handle(new Request(`${ORIGIN}${path}`, init), { address });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (/max-age=0/i.test(cookie)) cookies.delete(name);
        else cookies.set(name, value);
      }
      const answered = await response.text();
      const json = response.headers.get("content-type")?.startsWith("application/json") === true;
      return {
        status: response.status,
        location: response.headers.get("location") ?? undefined,
        text: answered,
        error: json ? JSON.parse(answered).error : undefined,
      };
    };
    const open = (path: string, headers: Readonly<Record<string, string>> = {}) => send("GET", path, headers);
    /** Opens an address of the house that the provider sent the browser to. */
    const comeBack = (callback: string) => open(callback.slice(ORIGIN.length), FROM_ELSEWHERE);
    /** The provider's login page. */
    const begin = async (provider = "work", to = ""): Promise<string> => {
      const { location = "", text: answered } = await open(`/api/login/oidc/${provider}${to}`);
      if (location === "") throw new Error(`the login did not start: ${answered}`);
      return location;
    };
    return {
      cookies,
      send,
      open,
      comeBack,
      begin,
      isIn: () => cookies.has("hearth_session"),
      async me(): Promise<string | undefined> {
        const answer = await open("/api/me");
        return answer.status === 200 ? JSON.parse(answer.text).agent.handle : undefined;
      },
      /** Logs in at the provider, and comes back. */
      logIn: async (login: string, provider = "work", to = ""): Promise<Answer> =>
        comeBack(await logInAt(await begin(provider, to), login)),
      /** Begins a session as this person. `proves`: by a fresh login. */
      async beAs(agent: string, proves: boolean): Promise<void> {
        const session = await people.logins.begin(agent as AgentId, { about: "" }, { proves });
        cookies.set("hearth_session", session?.cookie ?? "");
      },
    };
  };

  /** Links an account of the provider to a person. */
  const link = async (agent: string, login: string, provider = "work"): Promise<Answer> => {
    const browser = browse();
    await browser.beAs(agent, true);
    const { text: started } = await browser.send("POST", `/api/identities/${provider}/link`, { body: {} });
    return browser.comeBack(await logInAt(JSON.parse(started).url, login));
  };

  return { world, house, people, config, addPerson, levelOf, eventsOf, browse, link };
};
