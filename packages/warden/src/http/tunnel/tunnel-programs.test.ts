/** What each program prints, by its documentation, and the address that the house reads from it. */
import { expect, test } from "bun:test";
import type { TunnelKind } from "@hearth/protocol";
import type { TunnelConfig } from "../../kernel/index.ts";
import { tunnelPrograms } from "./tunnel-programs.ts";

const tunnel = (kind: TunnelKind, more: Partial<TunnelConfig> = {}): TunnelConfig => ({
  kind,
  remotePort: 80,
  command: [],
  isForwarded: false,
  ...more,
});

const printed: readonly (readonly [TunnelConfig, string, string | undefined])[] = [
  [
    tunnel("cloudflared"),
    "2026-02-03T10:11:12Z INF Requesting new quick Tunnel on trycloudflare.com...\n2026-02-03T10:11:13Z INF |  https://some-plain-words-here.trycloudflare.com                |",
    "https://some-plain-words-here.trycloudflare.com",
  ],
  [
    tunnel("cloudflared"),
    'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: i/o timeout',
    undefined,
  ],
  [
    tunnel("tailscale"),
    "Available within your tailnet:\n\nhttps://den.tail1234.ts.net/\n|-- proxy http://127.0.0.1:4000\n\nPress Ctrl+C to exit.",
    "https://den.tail1234.ts.net",
  ],
  [
    tunnel("tailscale-funnel"),
    "Funnel is not enabled on your tailnet.\nTo enable, visit:\n\n\thttps://login.tailscale.com/f/funnel",
    undefined,
  ],
  [
    tunnel("tailscale-funnel"),
    "Available on the internet:\n\nhttps://den.tail1234.ts.net:8443/",
    "https://den.tail1234.ts.net:8443",
  ],
  [
    tunnel("ngrok"),
    '{"lvl":"info","msg":"open config file","path":"https://x"}\n{"addr":"http://127.0.0.1:4000","lvl":"info","msg":"started tunnel","name":"command_line","obj":"tunnels","url":"https://ab-12.ngrok-free.app"}',
    "https://ab-12.ngrok-free.app",
  ],
  [
    tunnel("ssh"),
    "Welcome to localhost.run!\nSee https://localhost.run/docs/\nab12.lhr.life tunneled with tls termination, https://ab12.lhr.life",
    "https://ab12.lhr.life",
  ],
  [tunnel("ssh"), "Forwarding HTTP traffic from https://ab12.serveo.net", "https://ab12.serveo.net"],
  [tunnel("ssh", { url: "https://house.example" }), "debug1: Authentication succeeded (publickey).", undefined],
  [
    tunnel("ssh", { url: "https://house.example" }),
    "debug1: remote forward success for: listen 8080, connect 127.0.0.1:4000",
    "https://house.example",
  ],
  [tunnel("command"), "listening at https://my.example/path", "https://my.example"],
  [tunnel("command", { url: "https://my.example" }), "", "https://my.example"],
];

test("the address is read from the lines that announce it, and from no others", () => {
  for (const [setting, text, url] of printed) {
    const { readUrl } = tunnelPrograms[setting.kind];
    const found = text.split("\n").flatMap((line) => readUrl(line, setting) ?? []);
    expect([text, found[0]]).toEqual([text, url]);
  }
});

test("each program is told the local port, and options cannot be injected", () => {
  for (const [kind, { command }] of Object.entries(tunnelPrograms)) {
    const words = command(tunnel(kind as TunnelKind, { to: "me@host", command: ["x", "--port={port}"] }), 4123);
    expect([kind, words.join(" ").includes("4123")]).toEqual([kind, true]);
  }
  expect(tunnelPrograms.ssh.command(tunnel("ssh", { to: "me@host", remotePort: 9000 }), 4123).slice(-4)).toEqual([
    ...["-R", "9000:127.0.0.1:4123", "--", "me@host"],
  ]);
});
