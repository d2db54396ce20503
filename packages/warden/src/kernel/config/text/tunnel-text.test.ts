import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { parseConfig } from "../read.ts";

const read = (text: string) => parseConfig(`version = 1\n${text}`, "hearth.toml").config.tunnel;
const refusalOf = (text: string): string => {
  try {
    return JSON.stringify(read(text));
  } catch (error) {
    if (!isHearthError(error, "config.invalid")) throw error;
    return `${error.message} ${error.hint}`;
  }
};

test("each kind has its fields", () => {
  expect(read("")).toBeUndefined();
  expect(read('[tunnel]\nkind = "tailscale-funnel"')).toEqual({
    kind: "tailscale-funnel",
    remotePort: 80,
    command: [],
    isForwarded: true,
  });
  expect(
    read(
      '[tunnel]\nkind = "ssh"\nto = "me@[::1]"\nremote_port = 8080\nurl = "https://house.example/"\nforwarded = true',
    ),
  ).toEqual({
    ...{ kind: "ssh", to: "me@[::1]", remotePort: 8080, url: "https://house.example" },
    ...{ command: [], isForwarded: true },
  });
  expect(read('[tunnel]\nkind = "command"\ncommand = ["x", "{port}"]')?.isForwarded).toBe(false);
});

test("a wrong tunnel is refused with its line and what to write", () => {
  for (const [text, ...parts] of [
    ['[tunnel]\nkind = "tor"', "line 3", '"cloudflared"'],
    ['[tunnel]\nkind = "ssh"', "needs to", 'to = "me@host.example"'],
    ['[tunnel]\nkind = "command"', "needs command"],
    ['[tunnel]\nkind = "ngrok"\nto = "me@host"', "line 4", 'does not apply to a tunnel of kind "ngrok"', "Remove to."],
    ['[tunnel]\nkind = "ssh"\nto = "-oProxyCommand=x"', "must be the name of an SSH server"],
    ['[tunnel]\nkind = "ssh"\nto = "me@h"\nurl = "http://house.example"', "must begin with https://"],
    ['[tunnel]\nkind = "ssh"\nto = "me@h"\nurl = "https://house.example/x"', 'Write "https://house.example".'],
    ['[tunnel]\nkind = "ngrok"\nulr = "https://x.example"', "line 4", "url"],
    [
      '[server]\npublic_url = "https://house.example"\ntrusted_proxies = ["127.0.0.1"]\n[tunnel]\nkind = "ngrok"',
      "tunnel cannot be used with server.public_url",
      "Remove [tunnel], or remove public_url",
    ],
    [
      '[server]\nhost = "0.0.0.0"\ntls_cert = "a"\ntls_key = "b"\npublic_url = "https://x.example"\n[tunnel]\nkind = "ngrok"',
      "tunnel cannot",
    ],
  ] as const)
    for (const part of parts) expect(refusalOf(text)).toContain(part);
});
