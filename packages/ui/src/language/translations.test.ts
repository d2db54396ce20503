/** Compares the translations with the English texts. Their types are compared by the compiler. */
import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const SOURCE = join(import.meta.dir, "..");

/**
 * Names, terms and field names that are the same in German, the commands of the offline helper, and words that
 * complete errors of the house, which are English.
 */
const SAME_IN_GERMAN: ReadonlySet<string> = new Set([
  ".claude",
  ".hermes",
  ".openclaw",
  "Admin",
  "Agent",
  "Bucket",
  "Budget",
  "CPU",
  "Caches",
  "Chats",
  "Claude Code",
  "Code",
  "Code, 7",
  "Cron",
  "Deepgram",
  "Design",
  "Details",
  "Deutsch",
  "English",
  "Google Gemini",
  "HTTP 7",
  "Header",
  "Heartbeat",
  "Heartbeats",
  "Hearth",
  "Hermes Agent",
  "Host",
  "In",
  "In 7",
  "Index",
  "Isolation: 7",
  "Job",
  "Jobs",
  "Limit",
  "Limits",
  "Logs",
  "Name",
  "OpenClaw",
  "OpenTelemetry",
  "Passkeys",
  "Person",
  "Person · @7",
  "Prometheus",
  "Prompt",
  "Region",
  "Sandbox",
  "Sandboxes",
  "Server",
  "Skills",
  "System",
  "Tunnel",
  "Webhook",
  "Webhooks",
  "bucket",
  "endpoint",
  "folder",
  "help",
  "host",
  "http://127.0.0.1:8080/v1",
  "identityFile",
  "list files",
  "ngrok",
  "region",
  "remember that ",
  "this machine",
  "what do you remember?",
]);

const modules = (await readdir(SOURCE, { recursive: true })).filter((path) => /(^|\/)text\.ts$/.test(path)).sort();

/** Returns all texts of a value by name. A function is called with its parameters' positions as text. */
const textsOf = (name: string, value: unknown): readonly (readonly [string, string])[] => {
  if (typeof value === "string") return [[name, value]];
  if (typeof value === "function") return textsOf(name, call(value as (...values: unknown[]) => unknown));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(`${name}.${key}`, inner));
};

/** Calls a text with samples. Each parameter is a text or a number, and some are lists or records. */
const call = (text: (...values: unknown[]) => unknown): unknown => {
  for (const sample of ["7", 7, ["seven"], {}]) {
    try {
      return text(...Array.from({ length: text.length }, () => sample));
    } catch {
      // The parameter has another type.
    }
  }
  return undefined;
};

const readTexts = async (path: string): Promise<ReadonlyMap<string, string>> => {
  const exported = (await import(join(SOURCE, path))) as Readonly<Record<string, unknown>>;
  return new Map(Object.entries(exported).flatMap(([name, value]) => textsOf(name, value)));
};

test("every module of texts has a German translation that the compiler compares with it", async () => {
  expect(modules.length).toBeGreaterThan(30);
  for (const path of modules) {
    const german = await readFile(join(SOURCE, path.replace(/\.ts$/, ".de.ts")), "utf8");
    expect([path, german.trimEnd().split("\n").at(-1)]).toEqual([
      path,
      'export type Checked = Complete<Untranslated<typeof import("./text.ts"), typeof import("./text.de.ts")>>;',
    ]);
  }
});

test("no German text is the same as in English, except names and terms", async () => {
  const same = new Set<string>();
  for (const path of modules) {
    const [english, german] = await Promise.all([readTexts(path), readTexts(path.replace(/\.ts$/, ".de.ts"))]);
    for (const [name, text] of english) if (german.get(name) === text && /\p{L}{2}/u.test(text)) same.add(text);
  }
  expect([...same].toSorted()).toEqual([...SAME_IN_GERMAN].toSorted());
});

test("German texts contain the same values as the English ones", async () => {
  for (const path of modules) {
    const [english, german] = await Promise.all([readTexts(path), readTexts(path.replace(/\.ts$/, ".de.ts"))]);
    const without = [...english].filter(
      ([name, text]) => text.includes("7") && german.get(name)?.includes("7") === false,
    );
    expect([path, without]).toEqual([path, []]);
  }
});

test("the documents of both languages differ only in their texts", async () => {
  const [english, german] = await Promise.all(
    ["index.html", "index.de.html"].map((name) => readFile(join(SOURCE, name), "utf8")),
  );
  const bare = (document = ""): string =>
    document
      .replace(/lang="\w+"/, "")
      .replace(/app(\.\w+)?\.webmanifest/, "")
      .replace(/<noscript[^]*<\/noscript/, "");
  expect(bare(german)).toBe(bare(english));
  expect(german).toContain('<html lang="de">');
});
