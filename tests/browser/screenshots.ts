/**
 * Takes the screenshots in the README, docs/images/chat-{light,dark}.png: `bun
 * tests/browser/screenshots.ts`. Uses a real daemon with its own home, a scripted model, and
 * Chromium with the font Inter (apt-get install fonts-inter).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { createHome, type Daemon, type Json, startDaemon, until } from "../journeys/daemon.ts";
import { createModel, type Piece } from "../journeys/model.ts";

const IMAGES = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const PATH = "house.md";
const NOTES = "# Boiler\n\n2024: 124 €, Moreau\n2025: 131 €, Vidal\n";

/** The conversation: each message, and the model's output per round. */
const turns: readonly { readonly text: string; readonly rounds: readonly (readonly Piece[])[] }[] = [
  {
    text: "keep what the boiler's services cost, please.",
    rounds: [[{ tool: "write", input: { path: PATH, content: NOTES } }], [`They are in \`${PATH}\`.`]],
  },
  {
    text: "Vidal came for the boiler today: 142 €. Was it always that much?",
    rounds: [
      [{ tool: "read", input: { path: PATH } }],
      [{ tool: "edit", input: { path: PATH, old: "131 €, Vidal", new: "131 €, Vidal\n2026: 142 €, Vidal" } }],
      [
        "Noted. It was less before, and rises a little **faster** each year:\n\n",
        "| Year | By | Cost | Change |\n|---|---|---:|---:|\n| 2024 | Moreau | 124 € | |\n",
        "| 2025 | Vidal | 131 € | +6 % |\n| 2026 | Vidal | 142 € | +8 % |\n",
      ],
    ],
  },
  {
    text: "Thanks. Where do you keep that?",
    rounds: [
      [
        `In \`${PATH}\`, a plain file in my folder. You can open and change it with any editor, and I read it again when you ask about the house.`,
      ],
    ],
  },
];

const answer = ({ messages }: Json): readonly Piece[] => {
  const asked = messages.findLastIndex(({ role }: Json) => role === "user");
  const text = JSON.stringify(messages[asked].content);
  const turn = turns.find((candidate) => text.includes(candidate.text));
  return turn?.rounds[messages.slice(asked).filter(({ role }: Json) => role === "assistant").length] ?? [];
};

/** Sends a request that must succeed. */
const ask = async (daemon: Daemon, method: string, path: string, body?: unknown): Promise<Json> => {
  const { status, json } = await daemon.ask(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
  return json;
};

const furnish = async (daemon: Daemon): Promise<void> => {
  const { agent: me, house } = await ask(daemon, "GET", "/api/me");
  await ask(daemon, "PATCH", `/api/houses/${house.id}`, { content: { name: "Linden Street", welcomedAt: 1 } });
  await ask(daemon, "PATCH", `/api/agents/${me.id}`, { content: { name: "Ana Costa" } });
  const content = { name: "Iris", model: "local/qwen3-32b", tools: ["read", "write", "edit", "list"] };
  const iris = await ask(daemon, "PATCH", "/api/agents/main", { content });
  for (const name of ["Garden", "Kitchen", "Paperwork"]) {
    await ask(daemon, "POST", "/api/rooms", { content: { name, members: [me.id, iris.id] } });
  }
  const [first, ...others] = turns;
  await ask(daemon, "POST", "/api/rooms/paperwork/messages", { text: `@${iris.handle} ${first?.text}` });
  await until(async () => (await ask(daemon, "GET", "/api/rooms/paperwork/activations"))[0]?.state === "replied");
  for (const { text } of others) await ask(daemon, "POST", "/api/chat", { agentName: iris.handle, message: text });
};

const photograph = async (browser: Browser, daemon: Daemon, colorScheme: "light" | "dark"): Promise<void> => {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
    locale: "en-GB",
    reducedMotion: "reduce",
    colorScheme,
  });
  await page.goto((await ask(daemon, "POST", "/api/login-links", {})).url);
  await page.getByRole("button", { name: "Log in" }).click();
  // Set the font, because the default depends on the machine.
  await page.evaluate(() => document.documentElement.style.setProperty("--font", "Inter"));
  await page.getByRole("button", { name: "Used 2 tools" }).click();
  await page.getByRole("button", { name: /Changed/ }).waitFor();
  await page.getByRole("log").evaluate((log) => {
    log.scrollTop = log.scrollHeight;
  });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(IMAGES, `chat-${colorScheme}.png`) });
  await page.close();
};

mkdirSync(IMAGES, { recursive: true });
await using model = createModel();
using home = createHome();
model.answer = answer;
writeFileSync(
  join(home.folder, "hearth.toml"),
  `version = 1\n[providers.local]\nkind = "openai"\nbase_url = "${model.baseUrl}"\n`,
);
await using daemon = await startDaemon(home.folder);
await furnish(daemon);
const executablePath = ["chromium", "chromium-browser", "google-chrome"].map((name) => Bun.which(name)).find(Boolean);
await using browser = await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
for (const colorScheme of ["light", "dark"] as const) await photograph(browser, daemon, colorScheme);
