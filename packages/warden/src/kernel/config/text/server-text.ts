/** The table `[server]`: the port, and how other machines reach it. */
import { z } from "zod";
import { createIssue, WebUrl } from "../values.ts";

export const DEFAULT_PORT = 18_789;
const DEFAULT_HOST = "127.0.0.1";

export interface ServerConfig {
  /** The port. 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** Whether webhooks of subscriptions may call this machine. */
  readonly loopbackWebhooks: boolean;
  /** The origin that browsers on other machines use, such as `https://house.example`. */
  readonly publicUrl?: string;
  /** Addresses and networks of the proxies whose forwarded headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** PEM files. Relative paths start at the home folder. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/;
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
/** Whether the host means all addresses of the machine. */
export const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::";

const PORT_ERROR = "must be a whole number from 0 to 65535";

const Host = z.string().check(({ value, issues }) => {
  if (isLoopback(value) || isAddress(value)) return;
  issues.push(
    createIssue(value, "must be an address of this machine", 'Write "127.0.0.1", or "0.0.0.0" for all addresses.'),
  );
});

const PublicUrl = WebUrl.check(({ value, issues }) => {
  const url = URL.parse(value);
  if (url === null || `${url.origin}/` === url.href) return;
  issues.push(
    createIssue(
      value,
      "must be an address without a path, a query or a password",
      `Write "${url.origin}": the house needs its own host name.`,
    ),
  );
}).transform((value) => new URL(value).origin);

const Address = z.union([z.ipv4(), z.ipv6()]);
const isAddress = (text: string): boolean => Address.safeParse(text).success;
const Network = z.union([Address, z.cidrv4(), z.cidrv6()]);

const Proxy = z.string().check(({ value, issues }) => {
  if (!Network.safeParse(value).success) {
    issues.push(
      createIssue(
        value,
        "must be an address or a network",
        'Write the address of the proxy, such as "127.0.0.1" or "10.0.0.0/24".',
      ),
    );
  } else if (value.endsWith("/0")) {
    issues.push(
      createIssue(value, "would let every client invent its address", "Write the address of the proxy only."),
    );
  }
});

const Fields = z.strictObject({
  port: z.int(PORT_ERROR).min(0).max(65_535).default(DEFAULT_PORT),
  host: Host.default(DEFAULT_HOST),
  public_url: PublicUrl.optional(),
  trusted_proxies: z.array(Proxy).max(100).default([]),
  tls_cert: z.string().min(1).optional(),
  tls_key: z.string().min(1).optional(),
  loopback_webhooks: z.boolean().default(false),
});

export const ServerText = Fields.check(({ value, issues }) => {
  const { tls_cert, tls_key } = value;
  if ((tls_cert === undefined) !== (tls_key === undefined)) {
    const [presentKey, missingKey] =
      tls_cert === undefined ? (["tls_key", "tls_cert"] as const) : (["tls_cert", "tls_key"] as const);
    issues.push(
      createIssue(value, `needs ${missingKey}`, `Write ${missingKey} = "PATH" below [server].`, [presentKey]),
    );
    return;
  }
  const problem = findServerProblem(toServer(value));
  if (problem !== undefined) issues.push(createIssue(value, problem.what, problem.hint, [problem.key]));
});

/** A combination of settings that leaves the port without protection, or without an address. */
export interface ServerProblem {
  readonly key: "host" | "public_url";
  readonly what: string;
  readonly hint: string;
}

export const findServerProblem = ({
  host,
  tls,
  trustedProxies,
  publicUrl,
}: ServerConfig): ServerProblem | undefined => {
  const isOutside = !isLoopback(host);
  const isProtected = tls !== undefined || trustedProxies.length > 0;
  if (isOutside && !isProtected) {
    return {
      key: "host",
      what: `cannot be ${host} without TLS, because anyone on the network could read your keys`,
      hint: `Write below [server] either tls_cert = "/PATH/fullchain.pem" and tls_key = "/PATH/privkey.pem", or trusted_proxies = ["ADDRESS"] with the address of a proxy that terminates TLS. For this machine only, write host = "127.0.0.1".`,
    };
  }
  if (isOutside && publicUrl === undefined && (tls === undefined || isWildcard(host))) {
    return {
      key: "host",
      what: `is ${host}, and public_url is missing: the house would refuse every browser on another machine`,
      hint: 'Write public_url = "https://NAME" below [server], with the address that browsers use.',
    };
  }
  if (publicUrl?.startsWith("https:") === true && !isProtected) {
    return {
      key: "public_url",
      what: "begins with https://, but nothing terminates TLS",
      hint: 'Write below [server] trusted_proxies = ["127.0.0.1"] for a proxy on this machine, or tls_cert and tls_key.',
    };
  }
  if (publicUrl?.startsWith("http:") === true && tls !== undefined) {
    return {
      key: "public_url",
      what: "must begin with https://, because tls_cert is set",
      hint: `Write public_url = "${publicUrl.replace("http:", "https:")}".`,
    };
  }
  return undefined;
};

export const toServer = (text: z.infer<typeof Fields>): ServerConfig => ({
  port: text.port,
  host: text.host,
  loopbackWebhooks: text.loopback_webhooks,
  trustedProxies: text.trusted_proxies,
  ...(text.public_url === undefined ? {} : { publicUrl: text.public_url }),
  ...(text.tls_cert === undefined || text.tls_key === undefined
    ? {}
    : { tls: { certificate: text.tls_cert, key: text.tls_key } }),
});
