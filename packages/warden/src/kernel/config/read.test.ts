import { describe, expect, test } from "bun:test";
import { DEFAULT_CELL_LIMITS, type HearthError, isHearthError } from "@hearth/protocol";
import fc from "fast-check";
import { parseConfig } from "./read.ts";

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

describe("a config", () => {
  test("with only a version has every default", () => {
    expect(parse("version = 1")).toMatchObject({
      config: {
        server: { port: 18_789, host: "127.0.0.1", loopbackWebhooks: false },
        egress: { loopback: false },
        providers: new Map(),
        agents: new Map(),
        cells: { idleSeconds: 300, backend: "auto" },
        retention: { deliveryDays: 90, jobDays: 365, usageDays: 400 },
        log: { to: ["file"], level: "info" },
      },
      warnings: [],
    });
  });

  test("can make the house back itself up", () => {
    expect(parse('version = 1\n[backup]\nto = "/mnt/disk"').config.backup).toEqual({
      folder: { to: "/mnt/disk", everyMs: 24 * 60 * 60_000, keep: 7, recipients: [] },
      targets: new Map(),
    });
    const { backup } = parse(
      `version = 1
[backup]
to = "/mnt/disk"
every = "12h"
keep = 2
recipients = ["age1x"]
[backup.targets.offsite]
to = "s3://house/backups?region=eu-central-1"
[backup.targets.nas]
to = "sftp://house@nas/srv/hearth"
every = "1h"
keep = 3
recipients = []`,
    ).config;
    const hourMs = 60 * 60_000;
    expect(backup).toEqual({
      folder: { to: "/mnt/disk", everyMs: 12 * hourMs, keep: 2, recipients: ["age1x"] },
      targets: new Map([
        [
          "offsite",
          { to: "s3://house/backups?region=eu-central-1", everyMs: 12 * hourMs, keep: 2, recipients: ["age1x"] },
        ],
        ["nas", { to: "sftp://house@nas/srv/hearth", everyMs: hourMs, keep: 3, recipients: [] }],
      ]),
    });
    expect(parse("version = 1").config.backup).toBeUndefined();
  });

  test.each([
    ['to = "disk"', "hearth.toml line 3"],
    ['to = "/mnt/disk"\nevery = "5m"', "hearth.toml line 4"],
    ['to = "/mnt/disk"\nevery = "often"', "hearth.toml line 4"],
    ['to = "/mnt/disk"\nkeep = 0', "hearth.toml line 4"],
    ['to = "/mnt/disk"\nkep = 3', "hearth.toml line 4"],
    ['[backup.targets.one]\nto = "ftp://host/folder"', "hearth.toml line 4"],
    ['[backup.targets.one]\nto = "s3://bucket/house?secret_access_key=hunter2"', "never the key itself"],
  ])("refuses a wrong value of [backup] with its line: %s", (text, line) => {
    expect(refusal(`version = 1\n[backup]\n${text}`).message).toContain(line);
  });

  test("can set everything", () => {
    const { config, warnings, lineOf } = parse(`version = 1
server = { port = 0, host = "::1", loopback_webhooks = true }
[egress]
loopback = true
[providers.anthropic]
kind = "anthropic"
api_key = "env:ANTHROPIC_API_KEY"
[providers.home-server]
kind = "openai"
base_url = "http://127.0.0.1:8080/v1"
api_key = "file:keys/home"
[agents."küche"]
model = "home-server/org/model:7b"
description = "Cooks."
prompt = "Short."
tools = []
cell = "process"
timezone = "Europe/Berlin"
[store]
durability = "process"
[turns]
max_tool_calls = 3
max_chain = 0
max_replies = 0
log_days = 7
[retention]
delivery_days = 14
job_days = 30
usage_days = 60
[cells]
idle_seconds = 1.5
backend = "inline"
[cells.limits]
processes = 64
[attachments]
file_mib = 5
unnamed_hours = 2
[approvals]
expire_hours = 48
[budget]
turn = 0.5
day = 10
day_tokens = 2_000_000
month = 0.1
at_limit = "home/llama3.2"
unknown_price = { input = 1, output = 2.5 }
[prices."openrouter/"]
input = 3
output = 15
cache_read = 0.3
[memory]
backend = "markdown"
embedder = "none"
idle_seconds = 30
[search]
kind = "brave"
api_key = "env:BRAVE"
[compaction]
reserve = 20_000
model = "home/llama3.2"
[compaction.limits]
"home/" = 16_384
[models."home/llava"]
context = 8192
sees = true
[log]
to = ["stderr", "file"]
level = "warn"
`);
    expect(config).toEqual({
      server: { port: 0, host: "::1", loopbackWebhooks: true, trustedProxies: [] },
      egress: { loopback: true },
      store: { durability: "process" },
      providers: new Map([
        ["anthropic", { kind: "anthropic", apiKey: { kind: "env", name: "ANTHROPIC_API_KEY" } }],
        [
          "home-server",
          { kind: "openai", baseUrl: "http://127.0.0.1:8080/v1", apiKey: { kind: "file", path: "keys/home" } },
        ],
      ]),
      agents: new Map([
        [
          "küche",
          {
            model: "home-server/org/model:7b",
            description: "Cooks.",
            prompt: "Short.",
            tools: [],
            cell: "process",
            timezone: "Europe/Berlin",
          },
        ],
      ]),
      defaults: {},
      channels: new Map(),
      turns: { maxToolCalls: 3, maxChain: 0, maxReplies: 0, logDays: 7 },
      cells: {
        ...{ idleSeconds: 1.5, backend: "inline", maxOpen: 32, silenceSeconds: 120 },
        limits: { ...DEFAULT_CELL_LIMITS, processes: 64 },
      },
      retention: { deliveryDays: 14, jobDays: 30, usageDays: 60 },
      attachments: {
        fileBytes: 5 * 1024 * 1024,
        personBytes: 10_240 * 1024 * 1024,
        houseBytes: 51_200 * 1024 * 1024,
        keepMetadata: false,
        unnamedMs: 2 * 60 * 60 * 1000,
      },
      approvals: { expireHours: 48 },
      budget: {
        limits: {
          turn: { money: 500_000 },
          day: { money: 10_000_000, tokens: 2_000_000 },
          month: { money: 100_000 },
          atLimit: { cheaper: "home/llama3.2" },
        },
        prices: new Map([["openrouter/", { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3 }]]),
        unknownPrice: { input: 1, output: 2.5, cacheRead: 1, cacheWrite: 1 },
      },
      models: new Map([["home/llava", { context: 8192, sees: true }]]),
      compaction: { reserve: 20_000, model: "home/llama3.2", limits: new Map([["home/", 16_384]]) },
      memory: { backend: "markdown", embedder: "none", idleSeconds: 30, topK: 5, tuning: {} },
      search: { kind: "brave", apiKey: { kind: "env", name: "BRAVE" } },
      log: { to: ["stderr", "file"], level: "warn" },
      observers: { to: [], otlp: { endpoint: "http://127.0.0.1:4318", headers: {} } },
      login: { sessionMs: 30 * 24 * 60 * 60_000, oidc: new Map() },
      audit: { targets: new Map() },
    });
    expect(warnings).toEqual([]);
    expect(lineOf(["agents", "küche", "model"])).toBe(13);
  });
});

describe("a syntax error", () => {
  test("is refused with file, line, column and the line itself", () => {
    const error = refusal("version = 1\n[server]\nport = eighty # here\n");
    expect(error.message).toBe("hearth.toml:3:8: invalid value\n  port = eighty # here\n         ^");
    expect(error.hint).toContain("line 3 of hearth.toml");
  });

  test("on a line with a key never shows the key", () => {
    for (const line of ["api_key = sk-short", "x = { apiKey = sk-short", "sk-0123456789abcdefghijklmnop"]) {
      const { message, hint } = refusal(`version = 1\n${line}\n`);
      expect(message).toStartWith("hearth.toml:2:");
      expect(message + hint).not.toContain("sk-");
    }
  });

  test("includes keys that would reach JavaScript prototypes", () => {
    expect(refusal("version = 1\n[__proto__]\nx = 1").message).toContain("hearth.toml:2:");
  });
});

describe("a wrong value", () => {
  const inFile = (lines: string): string => `version = 1\n${lines}`;
  test.each([
    ["[server]\nport = 70000", "server.port must be a whole number from 0 to 65535; hearth.toml line 3"],
    ["[server]\nport = 1.5", "server.port must be a whole number from 0 to 65535; hearth.toml line 3"],
    ['[server]\nport = "80"', "server.port must be a whole number from 0 to 65535; hearth.toml line 3"],
    [
      "[retention]\njob_days = 0",
      "retention.job_days must be a whole number of days from 1 to 36500; hearth.toml line 3",
    ],
    ["server = 5", "server must be a table; hearth.toml line 2"],
    ["[budget]\nday = -1", "budget.day must be a number of dollars from 0 to 1000000; hearth.toml line 3"],
    ["[budget]\nday_tokens = 0.5", "budget.day_tokens must be a whole number of tokens; hearth.toml line 3"],
    [
      '[budget]\nat_limit = "pause"',
      'budget.at_limit must be "stop", "ask", or a cheaper model: "provider/model"; hearth.toml line 3',
    ],
    [
      '[prices."x"]\ninput = 1\noutput = 1',
      "prices.x is neither provider/model nor a prefix of such names; hearth.toml line 2",
    ],
    ["[server]\nhost = 5", "server.host must be a string in quotes; hearth.toml line 3"],
    ["[providers.x]\n# no kind\n", "providers.x.kind is missing: it must be a string in quotes; hearth.toml line 2"],
    [
      '[providers.x]\nkind = "k"\nbase_url = "ftp://x"',
      "providers.x.base_url must be a URL that begins with http:// or https://; hearth.toml line 4",
    ],
    [
      '[providers."My One"]\nkind = "k"',
      'providers."My One" is not a valid provider name: use lower-case letters, digits and hyphens, beginning with a letter; hearth.toml line 2',
    ],
    ['[agents.main]\nmodel = "claude"', "agents.main.model is not provider/model; hearth.toml line 3"],
    [
      '[agents.main]\ncell = "vm"',
      'agents.main.cell must be "auto" or "strongest" or "inline" or "process" or "landlock" or "bubblewrap" or "qemu"; hearth.toml line 3',
    ],
    [
      `[agents.main]\ntimezone = "${"x".repeat(65)}"`,
      "agents.main.timezone is not a known time zone; hearth.toml line 3",
    ],
    [
      `[agents.main]\ntools = [${'"x",'.repeat(101)}]`,
      "agents.main.tools must have at most 100 entries; hearth.toml line 3",
    ],
    ['[agents.main]\ntools = "read"', "agents.main.tools must be a list in brackets; hearth.toml line 3"],
    ['[agents.main]\ntools = [\n"read",\n5]', "agents.main.tools.1 must be a string in quotes; hearth.toml line 5"],
    ["[cells]\nidle_seconds = 0", "cells.idle_seconds must be a number of seconds from 1 to 86400; hearth.toml line 3"],
    [
      "[cells]\nidle_seconds = 1e9",
      "cells.idle_seconds must be a number of seconds from 1 to 86400; hearth.toml line 3",
    ],
  ])("%p is refused with path and line", (lines, message) => {
    const error = refusal(inFile(lines));
    expect(error.message).toBe(message);
    expect(error.hint).toBeTruthy();
  });

  test("is reported together with all others", () => {
    expect(refusal(inFile("[server]\nport = -1\nhost = 1\n[cells]\nbackend = 1")).message.split("\n")).toHaveLength(3);
  });

  test("of a handle suggests the valid handle", () => {
    const error = refusal(inFile('[agents."Archive Bot"]\nmodel = "a/b"'));
    expect(error.message).toBe('agents."Archive Bot" is not a valid agent handle; hearth.toml line 2');
    expect(error.hint).toBe("Write [agents.archive-bot].");
    expect(refusal(inFile('[agents."Küche!"]')).hint).toBe('Write [agents."küche"].');
    expect(refusal(inFile('[agents."!"]')).hint).toBe("Use letters and digits.");
  });
});

describe("a host", () => {
  test.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])("%s is accepted as this machine", (host) => {
    expect(parse(`version = 1\nserver.host = "${host}"`).config.server.host).toBe(host);
  });

  test.each(["hearth.example", "127.0.0.1.example", "localhost.example", ""])("%p is not an address", (host) => {
    const error = refusal(`version = 1\nserver.host = "${host}"`);
    expect(error.message).toBe("server.host must be an address of this machine; hearth.toml line 2");
    expect(error.hint).toContain('"127.0.0.1"');
  });
});

describe("a key of a provider", () => {
  test.each([
    ["sk-ant-secret", "never the key itself"],
    ["secret:no name", "must name a secret"],
    ["env:", "environment variable"],
    ["env:MY KEY", "environment variable"],
    ["file:", "name a file"],
    ["", "never the key itself"],
  ])("%p is refused without being repeated", (key, why) => {
    const error = refusal(`version = 1\n[providers.x]\nkind = "k"\napi_key = "${key}"`);
    expect(error.message).toStartWith("providers.x.api_key ");
    expect(error.message).toContain(why);
    expect(error.message).toEndWith("hearth.toml line 4");
    expect(error.hint).toMatch(/"(env|file|secret):/);
    if (key.includes("sk-")) expect(`${error.message}${error.hint}${JSON.stringify(error.cause)}`).not.toContain("sk-");
  });
});

describe("the durability of an accepted message", () => {
  test("is a power cut, unless the file says otherwise", () => {
    expect(parse("version = 1").config.store.durability).toBe("power");
  });

  test.each(["powr", "none", "Process", ""])(
    "is never %p: the start is refused with the line and both values",
    (word) => {
      expect(refusal(`version = 1\n[store]\ndurability = "${word}"`).message).toBe(
        'store.durability must be "power" or "process"; hearth.toml line 3',
      );
    },
  );
});

describe("an unknown key", () => {
  test("is a warning with the nearest known key, and the rest applies", () => {
    const { config, warnings } = parse('version = 1\n[providers.x]\nkind = "k"\napikey = "env:X"\n');
    expect(config.providers.get("x")).toEqual({ kind: "k" });
    expect(warnings).toEqual([
      'providers.x.apikey is an unknown key, so it is ignored; hearth.toml line 4. Did you mean "api_key"?',
    ]);
  });

  test("without a similar one is a warning that lists the known keys", () => {
    expect(parse("version = 1\n[cells]\nzzz = 1\n[weather.today]\nx = 1").warnings).toEqual([
      "cells.zzz is an unknown key, so it is ignored; hearth.toml line 3. Known here: idle_seconds, backend, max_open, silence_seconds, limits.",
      "weather is an unknown key, so it is ignored; hearth.toml line 4. Known here: version, server, egress, store, providers, agents, defaults, channels, turns, cells, retention, attachments, approvals, budget, prices, models, compaction, memory, search, voice, pictures, descriptions, backup, tunnel, log, observers, login, audit.",
    ]);
  });

  test("does not hide a wrong value beside it", () => {
    expect(refusal("version = 1\nfoo = 1\n[cells]\nidle_seconds = 0").message).toBe(
      "cells.idle_seconds must be a number of seconds from 1 to 86400; hearth.toml line 4",
    );
  });

  test("under server refuses the start", () => {
    const error = refusal("version = 1\n[server]\nzzz = 1\n");
    expect(error.message).toBe("server.zzz is an unknown key; hearth.toml line 3");
    expect(error.hint).toBe(
      "Known here: port, host, public_url, trusted_proxies, tls_cert, tls_key, loopback_webhooks.",
    );
  });

  test.each([
    ["[agents.main]\ntoosl = []", 'Did you mean "tools"?'],
    ["[agents.main]\nCell = 'process'", 'Did you mean "cell"?'],
    ["[cells]\nbakend = 'process'", 'Did you mean "backend"?'],
    ["[agent.main]\ntools = []", 'Did you mean "agents"?'],
    ["[serve]\nport = 1", 'Did you mean "server"?'],
  ])("%p, similar to a key that limits access, refuses the start", (lines, hint) => {
    expect(refusal(`version = 1\n${lines}`).hint).toBe(hint);
  });

  test.each([
    ["[store]\ndurabilty = 'process'", 'Did you mean "durability"?'],
    ["[store]\nsync = false", "Known here: durability."],
    ["[retention]\ndelivery_day = 900", 'Did you mean "delivery_days"?'],
    ["[stores]\ndurability = 'power'", 'Did you mean "store"?'],
  ])("%p, similar to a key of durability, refuses the start", (lines, hint) => {
    expect(refusal(`version = 1\n${lines}`).hint).toBe(hint);
  });

  test("of an agent that restricts nothing is a warning", () => {
    expect(parse('version = 1\n[agents.main]\nmodle = "a/b"').warnings).toHaveLength(1);
  });
});

describe("a version", () => {
  test("newer than this Hearth is refused, whatever else the file has", () => {
    const error = refusal("# new\nversion = 2\n[server]\nfuture = true");
    expect(error.message).toBe("the file has version 2, which a newer Hearth wrote; hearth.toml line 2");
  });

  test.each(["version = 0", 'version = "1"', "version = 1.5", "version = -1", ""])("%p is refused here", (text) => {
    expect(refusal(text).message).toContain("version ");
  });
});

test("any text is a config or a refusal with a message", () => {
  const piece = fc.constantFrom(
    "version = 1\n",
    "[server]\n",
    "port = ",
    "host",
    "[providers.x]\n",
    "kind = ",
    '"k"',
    "{",
    "}",
    "[",
    "]",
    '"""',
    "'",
    "=",
    "#",
    "\n",
    "\r\n",
    ".",
    "0",
    "-1",
    "[[agents]]\n",
    "agents.main.tools",
    "api_key",
    "constructor",
    "__proto__",
    "\\u0000",
    "é",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      try {
        expect(parse(text).config.server.port).toBeNumber();
      } catch (error) {
        if (!isHearthError(error, "config.invalid")) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});

test("an unknown tool is refused with its line and the nearest one", () => {
  const text = 'version = 1\n\n[agents.main]\ntools = ["read", "reed"]\n';
  expect(() => parseConfig(text, "hearth.toml")).toThrow(/agents\.main\.tools.*hearth\.toml line 4/s);
  expect(refusalOf(text)).toMatchObject({ code: "config.invalid", hint: 'Did you mean "read"?' });
  const changed = 'version = 1\n[agents.main]\ntools = ["default", "http_fetch", "-read"]\n';
  expect(refusalOf(changed)).toBeUndefined();
});

test("an unknown time zone is refused with its line", () => {
  const text = 'version = 1\n[agents.main]\ntimezone = "Mars/City"\n';
  expect(refusalOf(text)).toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("hearth.toml line 3"),
  });
});

const refusalOf = (text: string): unknown => {
  try {
    parseConfig(text, "hearth.toml");
    return undefined;
  } catch (error) {
    return error;
  }
};
