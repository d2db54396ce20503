/** A push service for tests: it checks the signature of the house and decrypts as the browser does. */
import { createECDH, randomBytes } from "node:crypto";
import type { AddPushDevice, Fetch, PushPayload } from "@hearth/protocol";
import { decrypt } from "http_ece";

export interface PushedParcel {
  readonly device: string;
  readonly payload: PushPayload;
  readonly topic: string | null;
  readonly ttl: string | null;
  /** The claims of the house. */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
  /** The public key that signed them. */
  readonly key: string;
}

export interface FakePushService {
  readonly fetch: Fetch;
  readonly parcels: readonly PushedParcel[];
  /** Requests, including the ones that were refused. */
  readonly requests: readonly string[];
  /** Subscribes a browser with new keys. */
  subscribe(device: string, host?: string): AddPushDevice;
  /** The statuses of the next answers. An Error: no answer. */
  answer(...next: readonly (number | Error)[]): void;
}

const AUTH_SIZE = 16;

export const createFakePushService = (): FakePushService => {
  const browsers = new Map<string, { readonly ecdh: ReturnType<typeof createECDH>; readonly auth: string }>();
  const parcels: PushedParcel[] = [];
  const requests: string[] = [];
  const answers: (number | Error)[] = [];

  const take = async (device: string, request: Request): Promise<PushedParcel> => {
    const browser = browsers.get(device);
    if (browser === undefined) throw new TypeError(`no browser subscribed ${device}`);
    const [, token = "", key = ""] = /^vapid t=([^,]+), ?k=(.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    const claims = await verify(token, key);
    const body = Buffer.from(await request.arrayBuffer());
    const text = decrypt(body, { version: "aes128gcm", privateKey: browser.ecdh, authSecret: browser.auth }).toString();
    const { headers } = request;
    return { device, payload: JSON.parse(text), topic: headers.get("topic"), ttl: headers.get("ttl"), claims, key };
  };

  return {
    parcels,
    requests,
    async fetch(input, init) {
      const request = new Request(input, init);
      requests.push(request.url);
      const next = answers.shift() ?? 201;
      if (next instanceof Error) throw next;
      if (next === 201) parcels.push(await take(new URL(request.url).pathname.slice(1), request));
      return new Response(null, { status: next });
    },
    subscribe(device, host = "push.test") {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(AUTH_SIZE).toString("base64url");
      browsers.set(device, { ecdh, auth });
      const keys = { p256dh: ecdh.getPublicKey("base64url"), auth };
      return { name: device, endpoint: `https://${host}/${device}`, keys };
    },
    answer: (...next) => void answers.push(...next),
  };
};

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Throws unless the key signed the token. */
const verify = async (token: string, key: string): Promise<PushedParcel["claims"]> => {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const own = await crypto.subtle.importKey("raw", Buffer.from(key, "base64url"), ALGORITHM, false, ["verify"]);
  const signed = new TextEncoder().encode(`${head}.${claims}`);
  if (!(await crypto.subtle.verify(ALGORITHM, own, Buffer.from(signature, "base64url"), signed)))
    throw new TypeError("the signature of the house is wrong");
  return JSON.parse(Buffer.from(claims, "base64url").toString());
};
