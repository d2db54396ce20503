/** The known tunnels as data: how each program is started, and how it announces the public address. */
import type { TunnelKind } from "@hearth/protocol";
import type { TunnelConfig } from "../../kernel/index.ts";

export interface TunnelProgram {
  /** Returns the program and its arguments. */
  command(tunnel: TunnelConfig, port: number): readonly string[];
  /** Returns the public address if this line of the output announces that it is open. */
  readUrl(line: string, tunnel: TunnelConfig): string | undefined;
  /** What to do if the program fails. */
  readonly hint: string;
}

const LOCAL = "127.0.0.1";
const SSH_ALIVE = ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"];

/** Returns the origin of the first address of this form in a line. */
const findUrl = (line: string, form: RegExp): string | undefined => {
  const url = URL.parse(form.exec(line)?.[1] ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.origin : undefined;
};

const tailscale = (mode: "serve" | "funnel"): TunnelProgram => ({
  command: (_tunnel, port) => ["tailscale", mode, String(port)],
  readUrl: (line) => findUrl(line, /^\s*(https:\/\/[a-z0-9.-]+\.ts\.net(?::\d+)?)\/?\s*$/i),
  hint: `Connect this machine first: tailscale up. Then allow it: tailscale ${mode} --help`,
});

export const tunnelPrograms: Readonly<Record<TunnelKind, TunnelProgram>> = {
  cloudflared: {
    command: (_tunnel, port) => ["cloudflared", "tunnel", "--no-autoupdate", "--url", `http://${LOCAL}:${port}`],
    // Errors name api.trycloudflare.com.
    readUrl: (line) => findUrl(line, /(https:\/\/(?!api\.)[a-z0-9-]+\.trycloudflare\.com)/i),
    hint: "Look at its message. A tunnel with your own domain is a tunnel of kind command.",
  },
  tailscale: tailscale("serve"),
  "tailscale-funnel": tailscale("funnel"),
  ngrok: {
    command: ({ url }, port) => [
      ...["ngrok", "http", `${LOCAL}:${port}`, "--log", "stdout", "--log-format", "json"],
      ...(url === undefined ? [] : ["--url", url]),
    ],
    readUrl: (line) => (line.includes('"started tunnel"') ? findUrl(line, /"url":"(https:\/\/[^"]+)"/) : undefined),
    hint: "Store your token first: ngrok config add-authtoken TOKEN",
  },
  ssh: {
    command: ({ to = "", remotePort, url }, port) => [
      ...["ssh", "-T", "-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes", ...SSH_ALIVE],
      // With a known address no session is needed, and the log says when the server listens.
      ...(url === undefined ? [] : ["-N", "-v"]),
      ...["-R", `${remotePort}:${LOCAL}:${port}`, "--", to],
    ],
    readUrl: (line, { url }) =>
      url === undefined
        ? findUrl(line, /(?:tunneled|forwarding)\b.*?(https:\/\/[^\s/]+)/i)
        : line.includes("remote forward success")
          ? url
          : undefined,
    hint: "Sign in once by hand, so that the key of the server is known and yours needs no passphrase: ssh USER@HOST",
  },
  command: {
    command: ({ command }, port) => command.map((word) => word.replaceAll("{port}", String(port))),
    // A program with a known address need not print anything that we understand.
    readUrl: (line, { url }) => url ?? findUrl(line, /(https:\/\/[^\s"'<>]+)/),
    hint: "Run the command by hand to see why.",
  },
};
