/** Runs a real OpenID Connect provider in a separate process, and a browser without a screen for it. */
import { fileURLToPath } from "node:url";

/** An account. Its login name is its subject; every password is right. */
export interface Person {
  readonly name?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

export type ProviderMessage = { readonly kind: "ready"; readonly issuer: string } | { readonly kind: "rotated" };

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Replaces the keys that sign, and forgets all logins. */
  rotateKeys(): Promise<void>;
}

/** The client that every provider of `startProvider` knows. */
export const CLIENT = { id: "hearth", secret: "the secret of a test" } as const;

const PROGRAM = fileURLToPath(new URL("program.ts", import.meta.url));
const SCOPES = ["openid", "profile", "email"];

export const startProvider = async (people: Readonly<Record<string, Person>>): Promise<TestProvider> => {
  let heard = Promise.withResolvers<ProviderMessage>();
  const child = Bun.spawn([process.execPath, "--no-install", PROGRAM, JSON.stringify({ people, scopes: SCOPES })], {
    stdin: "ignore",
    // Ignores the provider's advice about production.
    stdout: "ignore",
    stderr: "ignore",
    ipc: (message: ProviderMessage) => heard.resolve(message),
    onExit: (_child, code) => heard.reject(new Error(`the provider ended with ${code}`)),
  });
  // An end that no test waits for is not an error.
  const hear = (): Promise<ProviderMessage> => {
    heard.promise.catch(() => {});
    return heard.promise;
  };
  const ready = await hear();
  if (ready.kind !== "ready") throw new Error("the provider did not start");
  return {
    issuer: ready.issuer,
    async rotateKeys() {
      heard = Promise.withResolvers();
      const rotated = hear();
      child.send({ kind: "rotate" });
      await rotated;
    },
    async [Symbol.asyncDispose]() {
      heard = Promise.withResolvers();
      void hear();
      child.kill();
      await child.exited;
    },
  };
};

/** A browser's cookies, by origin. */
export type CookieJar = Map<string, Map<string, string>>;

const MAX_STEPS = 15;

/**
 * Logs in as `login` at the provider that `url` belongs to, consents, and returns the address that
 * the provider sends the browser back to, without opening it.
 */
export const logInAt = async (url: string, login: string, jar: CookieJar = new Map()): Promise<string> => {
  const { origin } = new URL(url);
  const visit = async (target: string, form?: URLSearchParams): Promise<Response> => {
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    const response = await fetch(target, {
      method: form === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  let response = await visit(url);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const location = response.headers.get("location");
    if (location !== null) {
      const next = new URL(location, origin);
      if (next.origin !== origin) return next.href;
      response = await visit(next.href);
      continue;
    }
    const page = await response.text();
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ""] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
    if (action === undefined) throw new Error(`the provider shows no form: ${response.status} ${page.slice(0, 500)}`);
    response = await visit(new URL(action, origin).href, new URLSearchParams({ prompt, login, password: "x" }));
  }
  throw new Error("the provider did not send the browser back");
};
