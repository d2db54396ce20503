import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { parseConfig } from "../read.ts";

const read = (text: string) => parseConfig(`version = 1\n${text}`, "hearth.toml").config.audit.targets;
const to = (address: string, more = ""): string => `[audit.targets.x]\nto = "${address}"\n${more}`;
const refusalOf = (text: string): string => {
  try {
    return JSON.stringify([...read(text)]);
  } catch (error) {
    if (!isHearthError(error, "config.invalid")) throw error;
    return `${error.message} ${error.hint}`;
  }
};

test("an address names a file, a web server or a syslog server", () => {
  expect([...read("")]).toEqual([]);
  for (const [text, target] of [
    [to("file:///var/log/my%20audit.jsonl"), { kind: "file", path: "/var/log/my audit.jsonl" }],
    [to("https://c.example/x?y=1"), { kind: "http", url: "https://c.example/x?y=1", headers: {} }],
    [
      to("http://127.0.0.1:8080/", 'headers = { authorization = "env:KEY" }'),
      { kind: "http", url: "http://127.0.0.1:8080/", headers: { authorization: { kind: "env", name: "KEY" } } },
    ],
    [to("syslog+tcp://10.0.0.5:514"), { kind: "syslog", host: "10.0.0.5", port: 514, isEncrypted: false }],
    [to("syslog+tls://[fd00::1]:6514"), { kind: "syslog", host: "fd00::1", port: 6514, isEncrypted: true }],
    [
      to("syslog+tls://logs.example:6514?ca=/etc/ca.pem"),
      { kind: "syslog", host: "logs.example", port: 6514, isEncrypted: true, authority: "/etc/ca.pem" },
    ],
  ] as const)
    expect(read(text).get("x")).toEqual(target);
});

test("a wrong target is refused with its line and what to write, and without a password in it", () => {
  for (const address of [
    "audit.jsonl",
    "file:///var/log/",
    "file://server/share",
    "http://collector.example/",
    "https://me:hunter2@collector.example/",
    "https://collector.example/#x",
    "syslog+tls://logs.example",
    "syslog+tls://logs.example:6514/path",
    "syslog+tls://logs.example:6514?cert=/x",
    "syslog+tls://logs.example:6514?ca=ca.pem",
    "syslog+tcp://logs.example:514?ca=/etc/ca.pem",
    "syslog+udp://logs.example:514",
    "ftp://x.example/",
  ]) {
    const refusal = refusalOf(to(address));
    for (const part of ["line 3", "audit.targets.x.to", "is not a place for audit rows", "syslog+tls://HOST:6514"])
      expect([address, refusal]).toEqual([address, expect.stringContaining(part)]);
    expect(refusal).not.toContain("hunter2");
  }
  for (const [text, ...parts] of [
    [to("file:///x", 'headers = { a = "env:KEY" }'), "line 4", "sent over HTTP only"],
    [to("https://x.example", 'headers = { "a b" = "env:KEY" }'), "is not the name of an HTTP header"],
    [to("https://x.example", 'headers = { authorization = "Bearer x" }'), "line 4"],
    ['[audit.targets.X]\nto = "file:///x"', "must be a name of small letters"],
    ['[audit.target.x]\nto = "file:///x"', "line 2", "targets"],
    ['[audit.targets.x]\nurl = "file:///x"', "line 2"],
  ] as const)
    for (const part of parts) expect(refusalOf(text)).toContain(part);
});
