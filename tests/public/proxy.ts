/**
 * Runs a real proxy with the sample of docs/operations.md in front of a house. Addresses, ports and
 * paths are replaced; a sample without one of them fails the test.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestCertificates, type TestCertificates } from "@hearth/warden/certificates";
import { until } from "../journeys/daemon.ts";

export const proxyKinds = ["nginx", "Caddy", "HAProxy"] as const;
export type ProxyKind = (typeof proxyKinds)[number];

export const NAME = "house.example";
/** Above the privileged ports, and below those that systems give to clients. */
const PUBLIC_PORT = 20_443;
const PLAIN_PORT = 20_080;
export const HOUSE_PORT = 20_789;
export const PUBLIC_URL = `https://${NAME}:${PUBLIC_PORT}`;

const COMMANDS: Readonly<Record<ProxyKind, string>> = { nginx: "nginx", Caddy: "caddy", HAProxy: "haproxy" };

/** The path of the program, or undefined if it is not installed. `/usr/sbin` is not in every PATH. */
const commandOf = (kind: ProxyKind): string | undefined =>
  Bun.which(COMMANDS[kind], { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` }) ?? undefined;

/** Why the proxy cannot run here, as the end of a test's title; empty if it can. */
export const missing = (kind: ProxyKind): string =>
  process.platform !== "linux"
    ? " (needs Linux: other systems have one loopback address)"
    : commandOf(kind) === undefined
      ? ` (needs ${kind}, which is not installed: apt-get install ${kind === "nginx" ? "nginx-light" : COMMANDS[kind]})`
      : "";

/** A loopback address that no other test process uses, so that fixed ports are free there. */
export const ownAddress = (number: number): string => {
  const bits = (process.pid << 2) | number;
  return `127.${(bits >> 16) & 255}.${(bits >> 8) & 255}.${bits & 255}`;
};

export const addressOf = (kind: ProxyKind): string => ownAddress(1 + proxyKinds.indexOf(kind));

/** The sample below the heading of the proxy. */
const readSample = (kind: ProxyKind): string => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/operations.md", import.meta.url)), "utf8");
  const [, section = ""] = page.split(`\n## ${kind}\n`);
  const sample = /```\w+\n([\s\S]*?)```/.exec(section.split("\n## ")[0] ?? "")?.[1];
  if (sample === undefined) throw new Error(`docs/operations.md has no sample for ${kind}`);
  return sample;
};

const replaceAll = (text: string, changes: readonly (readonly [from: string, to: string])[]): string =>
  changes.reduce((present, [from, to]) => {
    if (!present.includes(from)) throw new Error(`the sample does not contain "${from}"`);
    return present.replaceAll(from, to);
  }, text);

interface Place {
  /** The address of the proxy. */
  readonly address: string;
  /** The address of the house. */
  readonly house: string;
  readonly folder: string;
  readonly files: TestCertificates;
}

const TLS = `/etc/letsencrypt/live/${NAME}`;

/** Writes the config and returns the command. */
const writeConfig: Readonly<Record<ProxyKind, (place: Place) => readonly string[]>> = {
  nginx({ address, house, folder, files }) {
    const site = replaceAll(readSample("nginx"), [
      [`https://${NAME}`, PUBLIC_URL],
      ["listen 80;", `listen ${address}:${PLAIN_PORT};`],
      ["listen 443 ssl;", `listen ${address}:${PUBLIC_PORT} ssl;`],
      [`${TLS}/fullchain.pem`, files.certificate],
      [`${TLS}/privkey.pem`, files.key],
      ["http://127.0.0.1:18789", `http://${house}:${HOUSE_PORT}`],
    ]);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const config = join(folder, "nginx.conf");
    writeFileSync(
      config,
      `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr error;\nevents {}\nhttp { access_log off; ${paths.join(" ")}\n${site}}\n`,
    );
    return ["-e", "stderr", "-p", folder, "-c", config];
  },

  Caddy({ address, house, folder, files }) {
    const site = replaceAll(readSample("Caddy"), [
      ["# tls ", "tls "],
      [`${TLS}/fullchain.pem`, files.certificate],
      [`${TLS}/privkey.pem`, files.key],
      ["127.0.0.1:18789", `${house}:${HOUSE_PORT}`],
    ]);
    const config = join(folder, "Caddyfile");
    writeFileSync(
      config,
      `{\n  admin off\n  default_bind ${address}\n  http_port ${PLAIN_PORT}\n  https_port ${PUBLIC_PORT}\n  storage file_system ${folder}/caddy\n}\n${site}`,
    );
    return ["run", "--adapter", "caddyfile", "--config", config];
  },

  HAProxy({ address, house, folder, files }) {
    const pem = join(folder, "haproxy.pem");
    writeFileSync(pem, readFileSync(files.certificate, "utf8") + readFileSync(files.key, "utf8"));
    const config = join(folder, "haproxy.cfg");
    const text = replaceAll(readSample("HAProxy"), [
      [`https://${NAME}`, PUBLIC_URL],
      ["bind :80\n", `bind ${address}:${PLAIN_PORT}\n`],
      ["bind :443 ssl", `bind ${address}:${PUBLIC_PORT} ssl`],
      [`/etc/haproxy/${NAME}.pem`, pem],
      ["127.0.0.1:18789", `${house}:${HOUSE_PORT}`],
    ]);
    writeFileSync(config, text);
    return ["-db", "-f", config];
  },
};

export interface RunningProxy extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly plainPort: number;
  /** PEM of the authority of its certificate. */
  readonly ca: string;
}

export interface ProxyOptions {
  readonly kind: ProxyKind;
  /** A folder for its files. */
  readonly folder: string;
  /** The address of the house. */
  readonly house: string;
  /** The folder of its certificate's authority. Default: a new authority. */
  readonly authority?: string;
}

/** Resolves when the proxy accepts connections. Throws with its output if it ends before. */
export const startProxy = async ({ kind, house, authority, ...options }: ProxyOptions): Promise<RunningProxy> => {
  const folder = join(options.folder, `proxy-${kind}`);
  mkdirSync(folder);
  const files = createTestCertificates(folder, authority);
  await files.renew(NAME);
  const address = addressOf(kind);
  const words = writeConfig[kind]({ address, house, folder, files });
  const child = Bun.spawn([commandOf(kind) ?? kind, ...words], {
    env: { HOME: folder, PATH: process.env["PATH"] ?? "" },
    ...({ stdin: "ignore", stdout: "ignore", stderr: "pipe" } as const),
  });
  const output = new Response(child.stderr).text();
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${kind} ended with ${child.exitCode}: ${await output}`);
    return accepts(address, PUBLIC_PORT);
  });
  return {
    ...{ address, port: PUBLIC_PORT, plainPort: PLAIN_PORT, ca: await files.authority() },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
};

export const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

/** The settings of a house behind these proxies, which all run on this machine. */
export const serverTable = (address: string): string =>
  `[server]\nhost = "${address}"\nport = ${HOUSE_PORT}\npublic_url = "${PUBLIC_URL}"\ntrusted_proxies = ["127.0.0.1"]\n`;
