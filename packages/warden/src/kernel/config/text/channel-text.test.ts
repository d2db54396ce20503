import { describe, expect, test } from "bun:test";
import { type HearthError, isHearthError } from "@hearth/protocol";
import { parseConfig } from "../read.ts";

const inFile = (...lines: string[]) => ["version = 1", "[channels.tele]", ...lines].join("\n");
const parse = (text: string) => parseConfig(text, "hearth.toml");
const refusal = (text: string): HearthError => {
  try {
    parse(text);
  } catch (error) {
    if (isHearthError(error, "config.invalid")) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

test("a channel needs its kind and its token, and is polled for the agent main by default", () => {
  const { config } = parse(inFile('kind = "telegram"', 'token = "env:BOT_TOKEN"'));
  expect(config.channels).toEqual(
    new Map([["tele", { kind: "telegram", token: { kind: "env", name: "BOT_TOKEN" }, mode: "poll", agent: "main" }]]),
  );
});

test("a channel can have every setting", () => {
  const { config, warnings } = parse(
    inFile(
      'kind = "telegram"',
      'token = "file:bot.key"',
      'mode = "webhook"',
      'agent = "küche"',
      'base_url = "http://127.0.0.1:8081"',
      'webhook_url = "https://house.example/hooks/tele"',
      'webhook_secret = "env:HOOK"',
    ),
  );
  expect(warnings).toEqual([]);
  expect(config.channels.get("tele")).toEqual({
    kind: "telegram",
    token: { kind: "file", path: "bot.key" },
    mode: "webhook",
    agent: "küche",
    baseUrl: "http://127.0.0.1:8081",
    webhookUrl: "https://house.example/hooks/tele",
    webhookSecret: { kind: "env", name: "HOOK" },
  });
});

test("admission settings are converted", () => {
  const admission = [
    "[channels.tele.admission]",
    'mode = "allow"',
    'allow = ["1"]',
    'block = ["2"]',
    "direct_only = true",
    "mention_required = false",
    'wake = ["1"]',
  ];
  const { config } = parse(inFile('kind = "telegram"', 'token = "env:BOT_TOKEN"', ...admission));
  expect(config.channels.get("tele")?.admission).toEqual({
    ...{ mode: "allow", allow: ["1"], block: ["2"], directOnly: true, mentionRequired: false, wake: ["1"] },
  });
});

test("a mistyped admission key refuses the start", () => {
  const { message, hint } = refusal(
    inFile('kind = "telegram"', 'token = "env:BOT_TOKEN"', "[channels.tele.admission]", 'modes = "allow"'),
  );
  expect(message).toContain("channels.tele.admission.modes is an unknown key; hearth.toml line 6");
  expect(hint).toContain('Did you mean "mode"?');
});

describe("a mistake is refused with its line and a hint:", () => {
  const sound = ['kind = "telegram"', 'token = "env:BOT_TOKEN"'];
  test.each([
    ['token = "12345:secret"', "channels.tele.token must be a reference", 4, 'write "env:NAME"'],
    ['mode = "push"', 'channels.tele.mode must be "poll" or "webhook"', 5, "Correct hearth.toml"],
    ['agent = "The Bot"', "channels.tele.agent is not a valid agent handle", 5, 'Write agent = "the-bot".'],
    ['agent = "!"', "channels.tele.agent is not a valid agent handle", 5, "Use letters and digits."],
    ['base_url = "ftp://x"', "channels.tele.base_url must be a URL that begins with http", 5, "Correct hearth.toml"],
    [
      'mode = "webhook"',
      "channels.tele.webhook_url is missing: it must be the URL where the platform reaches",
      2,
      "/hooks/NAME",
    ],
    [
      'webhook_url = "https://x.example"',
      'channels.tele.webhook_url is only valid with mode = "webhook"',
      5,
      "Change the mode",
    ],
    [
      'webhook_secret = "env:X"',
      'channels.tele.webhook_secret is only valid with mode = "webhook"',
      5,
      "Change the mode",
    ],
    ['webhok_secret = "env:X"', "channels.tele.webhok_secret is an unknown key", 5, 'Did you mean "webhook_secret"?'],
  ])("%p", (line, message, number, hint) => {
    const lines = line.startsWith("token") ? [sound[0] ?? "", line] : [...sound, line];
    const error = refusal(inFile(...lines));
    expect(error.message).toStartWith(message);
    expect(error.message).toEndWith(`hearth.toml line ${number}`);
    expect(error.hint).toContain(hint);
    expect(error.message + error.hint).not.toContain("12345");
  });

  test("a URL without TLS", () => {
    const error = refusal(inFile(...sound, 'mode = "webhook"', 'webhook_url = "http://x.example"'));
    expect(error.message).toBe("channels.tele.webhook_url must be a URL that begins with https://; hearth.toml line 6");
  });

  test("a name that is not valid in a path", () => {
    const error = refusal('version = 1\n[channels."My Bot"]\nkind = "telegram"\ntoken = "env:X"');
    expect(error.message).toContain("is not a valid channel name");
    expect(error.message).toEndWith("hearth.toml line 2");
  });
});
