/** The table `[tunnel]`: the program that carries requests from a public address to this house. */
import { type TunnelKind, tunnelKinds } from "@hearth/protocol";
import { z } from "zod";
import { createIssue, WebUrl } from "../values.ts";
import { isLoopback, type ServerConfig } from "./server-text.ts";

export interface TunnelConfig {
  readonly kind: TunnelKind;
  /** The public address. Absent if the program announces it. */
  readonly url?: string;
  /** The SSH server, as USER@HOST. */
  readonly to?: string;
  /** The port that the SSH server opens. */
  readonly remotePort: number;
  /** A program with its arguments. `{port}` stands for the local port. */
  readonly command: readonly string[];
  /** Whether each request names its client in `X-Forwarded-For`. */
  readonly isForwarded: boolean;
}

const HTTP_PORT = 80;
/** A name of a server, with or without a user. It cannot begin with a dash, as an option does. */
const SshServer = /^[A-Za-z0-9_][\w.+-]*(@[A-Za-z0-9_[][\w.:[\]-]*)?$/;
const PORT_ERROR = "must be a whole number from 1 to 65535";

const PublicUrl = WebUrl.check(({ value, issues }) => {
  const url = URL.parse(value);
  if (url === null) return;
  if (`${url.origin}/` !== url.href)
    issues.push(
      createIssue(value, "must be an address without a path, a query or a password", `Write "${url.origin}".`),
    );
  else if (url.protocol === "http:" && !isLoopback(url.hostname))
    issues.push(
      createIssue(
        value,
        "must begin with https://, because anyone on the network could read your keys",
        `Write "${url.origin.replace("http:", "https:")}", and let the server at that address terminate TLS.`,
      ),
    );
}).transform((value) => new URL(value).origin);

const Fields = z.strictObject({
  kind: z.enum(tunnelKinds),
  url: PublicUrl.optional(),
  to: z.string().regex(SshServer, "must be the name of an SSH server, such as me@host.example").optional(),
  remote_port: z.int(PORT_ERROR).min(1, PORT_ERROR).max(65_535, PORT_ERROR).optional(),
  command: z.array(z.string().min(1)).min(1).max(100).optional(),
  forwarded: z.boolean().optional(),
});
type Field = Exclude<keyof typeof Fields.shape, "kind">;

/** The fields that a tunnel of each kind may have. */
const ALLOWED_FIELDS: Readonly<Record<TunnelKind, readonly Field[]>> = {
  cloudflared: [],
  tailscale: [],
  "tailscale-funnel": [],
  ngrok: ["url"],
  ssh: ["url", "to", "remote_port", "forwarded"],
  command: ["url", "command", "forwarded"],
};

/** The fields that a tunnel of each kind must have, with an example. */
const REQUIRED_FIELDS: Partial<Record<TunnelKind, readonly [Field, string]>> = {
  ssh: ["to", 'to = "me@host.example"'],
  command: ["command", 'command = ["my-tunnel", "--port", "{port}"]'],
};

export const TunnelText = Fields.check(({ value, issues }) => {
  const { kind } = value;
  for (const field of Object.keys(value) as (keyof typeof value)[]) {
    if (field === "kind" || ALLOWED_FIELDS[kind].includes(field)) continue;
    issues.push(createIssue(value, `does not apply to a tunnel of kind "${kind}"`, `Remove ${field}.`, [field]));
  }
  const [requiredField, example] = REQUIRED_FIELDS[kind] ?? [];
  if (requiredField !== undefined && value[requiredField] === undefined)
    issues.push(createIssue(value, `needs ${requiredField}`, `Write ${example} below [tunnel].`, ["kind"]));
});

/** Programs that report the client of each request, because they are HTTP proxies themselves. */
const KINDS_THAT_NAME_CLIENTS: ReadonlySet<TunnelKind> = new Set([
  "cloudflared",
  "tailscale",
  "tailscale-funnel",
  "ngrok",
]);

export const toTunnel = ({ kind, url, to, remote_port, command, forwarded }: z.infer<typeof Fields>): TunnelConfig => ({
  kind,
  ...(url === undefined ? {} : { url }),
  ...(to === undefined ? {} : { to }),
  remotePort: remote_port ?? HTTP_PORT,
  command: command ?? [],
  isForwarded: forwarded ?? KINDS_THAT_NAME_CLIENTS.has(kind),
});

/**
 * Returns the conflict between a tunnel and the settings of the port, as a key of `[server]` and a
 * phrase.
 */
export const findTunnelConflict = ({ host, tls, publicUrl }: ServerConfig): string | undefined => {
  if (publicUrl !== undefined) return "public_url";
  if (tls !== undefined) return "tls_cert";
  return isLoopback(host) ? undefined : "host";
};
