/** The process of `startProvider`: a real OpenID Connect provider with its development login page. */
import { createServer } from "node:http";
import { type JWKS, Provider } from "oidc-provider";
import type { Person, ProviderMessage } from "./provider.ts";

const { people, scopes } = JSON.parse(process.argv[2] ?? "") as {
  readonly people: Readonly<Record<string, Person>>;
  readonly scopes: readonly string[];
};
const CALLBACK = /^http:\/\/(127\.0\.0\.1|localhost):\d+\/api\/login\/oidc\/[a-z]+\/callback$/;
const HOUR = 3600;

const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
if (address === null || typeof address === "string") throw new Error("the provider has no port");
const issuer = `http://127.0.0.1:${address.port}`;

const newKeys = async (): Promise<JWKS> => {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  // Leaves out the operations, which the provider would publish for the public key too.
  const { key_ops: _, ...key } = await crypto.subtle.exportKey("jwk", privateKey);
  return { keys: [{ ...key, kid: crypto.randomUUID(), use: "sig", alg: "RS256" }] } as unknown as JWKS;
};

const installProvider = async (): Promise<void> => {
  const provider = new Provider(issuer, {
    jwks: await newKeys(),
    cookies: { keys: ["a key of a test"] },
    clients: [
      {
        client_id: "hearth",
        client_secret: "the secret of a test",
        // `redirectUriAllowed` below decides, because the port of the house is not known yet.
        redirect_uris: ["http://127.0.0.1:1/api/login/oidc/acme/callback"],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    scopes: [...scopes],
    claims: { openid: ["sub", "groups"], profile: ["name"], email: ["email"] },
    // Puts the claims into the ID token, as most providers do.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: { AccessToken: HOUR, AuthorizationCode: 60, Grant: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR },
    findAccount: (_context, id) => {
      const person = people[id];
      return person === undefined ? undefined : { accountId: id, claims: async () => ({ sub: id, ...person }) };
    },
  });
  provider.Client.prototype.redirectUriAllowed = (uri: string) => CALLBACK.test(uri);
  server.removeAllListeners("request");
  const answer = provider.callback();
  server.on("request", (request, response) => void answer(request, response));
};

const say = (message: ProviderMessage): void => void process.send?.(message);

process.on("message", () => {
  void installProvider().then(() => say({ kind: "rotated" }));
});
process.on("disconnect", () => process.exit());
await installProvider();
say({ kind: "ready", issuer });
