/** An OpenID Connect provider whose false answers a test chooses. */

/** Claims of the next ID token that replace honest claims. `undefined` removes a claim. */
export type FalseClaims = Readonly<Record<string, unknown>>;

export interface Forger extends AsyncDisposable {
  readonly issuer: string;
  /** Paths that were requested, in order. */
  readonly requests: readonly string[];
  /** The callback that an honest provider would send the browser to after this start. */
  callbackOf(start: string): string;
  /** Changes claims of later ID tokens. */
  claim(lie: FalseClaims): void;
  /** How later ID tokens are signed. */
  sign(how: "honest" | "other-key" | "none" | "client-secret"): void;
  /** Changes fields of the discovery. */
  describe(change: FalseClaims): void;
  /** Answers requests for tokens with this. */
  answerTokens(answer: () => Response): void;
}

const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const LIFE_SECONDS = 300;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const startForger = async (clientId: string, clientSecret: string): Promise<Forger> => {
  const [own, other] = await Promise.all([0, 1].map(() => crypto.subtle.generateKey(RSA, true, ["sign", "verify"])));
  if (own === undefined || other === undefined) throw new Error("no keys");
  const requests: string[] = [];
  let how: Parameters<Forger["sign"]>[0] = "honest";
  let lie: FalseClaims = {};
  let described: FalseClaims = {};
  let nonce: string | null = null;
  let answered: (() => Response) | undefined;

  const signatureOf = async (text: string): Promise<string> => {
    const bytes = new TextEncoder().encode(text);
    if (how === "none") return "";
    if (how === "client-secret") return new Bun.CryptoHasher("sha256", clientSecret).update(bytes).digest("base64url");
    const { privateKey } = how === "honest" ? own : other;
    return Buffer.from(await crypto.subtle.sign(RSA.name, privateKey, bytes)).toString("base64url");
  };

  const toToken = async (): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const alg = how === "none" ? "none" : how === "client-secret" ? "HS256" : "RS256";
    const honest = { iss: issuer, sub: "ada", aud: clientId, iat: now, exp: now + LIFE_SECONDS, nonce, name: "Ada" };
    const text = `${encode({ alg, kid: "own" })}.${encode({ ...honest, ...lie })}`;
    return `${text}.${await signatureOf(text)}`;
  };

  let issuer = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      switch (pathname) {
        case "/.well-known/openid-configuration":
          return Response.json({
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            response_types_supported: ["code"],
            id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
            authorization_response_iss_parameter_supported: true,
            ...described,
          });
        case "/jwks":
          return Response.json({
            keys: [{ ...(await crypto.subtle.exportKey("jwk", own.publicKey)), kid: "own", alg: "RS256", use: "sig" }],
          });
        case "/token":
          return (
            answered?.() ??
            Response.json({ access_token: "a", token_type: "bearer", expires_in: 60, id_token: await toToken() })
          );
        default:
          return new Response("not found", { status: 404 });
      }
    },
  });
  issuer = server.url.origin;

  return {
    issuer,
    requests,
    callbackOf(start) {
      const { searchParams } = new URL(start);
      nonce = searchParams.get("nonce");
      const query = new URLSearchParams({ code: "c", state: searchParams.get("state") ?? "", iss: issuer });
      return `${searchParams.get("redirect_uri")}?${query.toString()}`;
    },
    claim: (next) => void (lie = next),
    sign: (next) => void (how = next),
    describe: (change) => void (described = change),
    answerTokens: (answer) => void (answered = answer),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
};
