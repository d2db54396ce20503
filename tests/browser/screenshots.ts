/**
 * Takes the pictures of the README and of docs/pictures.md, in docs/images: `bun tests/browser/screenshots.ts`. Uses a
 * real daemon with its own home, a scripted model, and Chromium with the font Inter (apt-get install fonts-inter).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
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
    text: "Sort the photos of the garden by month, please.",
    rounds: [
      [{ tool: "shell", input: { command: "sh sort-photos.sh photos/garden --by month" } }],
      ["They are in `photos/garden`, one folder per month."],
    ],
  },
  {
    text: "Thanks. Where do you keep the costs?",
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

const JOBS: readonly Json[] = [
  { name: "bins", prompt: "Remind us which bins to put out.", when: "every tuesday at 19:00", room: "kitchen" },
  { name: "plants", prompt: "Ask who waters the plants.", when: "every thursday at 8:30", room: "garden" },
  { name: "bills", prompt: "List the bills that are due this week.", when: "every monday at 9", room: "paperwork" },
];

const furnish = async (daemon: Daemon): Promise<void> => {
  const { agent: me, house } = await ask(daemon, "GET", "/api/me");
  await ask(daemon, "PATCH", `/api/houses/${house.id}`, { content: { name: "Linden Street", welcomedAt: 1 } });
  await ask(daemon, "PATCH", `/api/agents/${me.id}`, { content: { name: "Ana Costa" } });
  const tools = ["read", "write", "edit", "list", "shell", "remember", "recall", "web_search", "http_fetch"];
  const iris = await ask(daemon, "PATCH", "/api/agents/main", {
    content: { name: "Iris", model: "local/qwen3-32b", tools },
  });
  await ask(daemon, "POST", "/api/agents", { content: { name: "Otto", kind: "bot", model: "local/qwen3-32b" } });
  await ask(daemon, "POST", "/api/agents", { level: "w", content: { name: "Ben Okafor", kind: "human" } });
  for (const name of ["Garden", "Kitchen", "Paperwork"]) {
    await ask(daemon, "POST", "/api/rooms", { content: { name, members: [me.id, iris.id] } });
  }
  for (const job of JOBS) await ask(daemon, "POST", `/api/agents/${iris.handle}/jobs`, job);
  for (const text of ["The boiler is from 2019, and Vidal services it.", "Ana is allergic to walnuts."])
    await ask(daemon, "POST", `/api/agents/${iris.handle}/memory/remember`, { text });
  const [first, second, third, last] = turns;
  await ask(daemon, "POST", "/api/rooms/paperwork/messages", { text: `@${iris.handle} ${first?.text}` });
  await until(async () => (await ask(daemon, "GET", "/api/rooms/paperwork/activations"))[0]?.state === "replied");
  for (const turn of [second, last])
    await ask(daemon, "POST", "/api/chat", { agentName: iris.handle, message: turn?.text });
  await ask(daemon, "PATCH", `/api/agents/${iris.handle}`, { content: { mode: "ask" } });
  await ask(daemon, "POST", "/api/rooms/garden/messages", { text: `@${iris.handle} ${third?.text}` });
  await until(async () => (await ask(daemon, "GET", "/api/approvals?state=pending")).length === 1);
};

/** A page that is logged in, at the start page. */
const open = async (browser: Browser, daemon: Daemon, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  });
  await page.goto((await ask(daemon, "POST", "/api/login-links", {})).url);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  return page;
};

/** Waits until the page is still, and sets the font, because the default depends on the machine. */
const settle = async (page: Page): Promise<void> => {
  await page.evaluate(() => document.documentElement.style.setProperty("--font", "Inter"));
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.mouse.move(0, 0);
  await page.waitForTimeout(800);
};

/** Writes a picture as WebP, which takes a fifth of a PNG. */
const shoot = async (page: Page, name: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  writeFileSync(join(IMAGES, `${name}.webp`), Buffer.from(data, "base64"));
  await session.detach();
};

/** The chat with what the tools of the second reply did. */
const photographChat = async (browser: Browser, daemon: Daemon, colorScheme: "light" | "dark"): Promise<void> => {
  const page = await open(browser, daemon, { colorScheme });
  await page.goto(`${daemon.url}/ui/rooms/iris`);
  await page.getByRole("button", { name: "Used 2 tools" }).click();
  await page.getByRole("button", { name: /Changed/ }).waitFor();
  await page.getByRole("log").evaluate((log) => {
    log.scrollTop = log.scrollHeight;
  });
  await settle(page);
  await page.screenshot({ path: join(IMAGES, `chat-${colorScheme}.png`) });
  await page.close();
};

/** Each picture: its name, the path of its page, and what to do before it is taken. */
const PICTURES: readonly (readonly [string, string, ((page: Page) => Promise<void>)?])[] = [
  ["approval", "/rooms/garden", (page) => page.getByRole("button", { name: "Allow once" }).first().waitFor()],
  [
    "run",
    "/rooms/iris",
    async (page) => {
      await page.getByRole("button", { name: "Used 2 tools" }).click();
      await page.getByRole("link", { name: "Show run" }).first().click();
      await page.getByRole("heading", { level: 1, name: /Run/ }).waitFor();
    },
  ],
  ["tools", "/settings/agents/iris/tools"],
  ["memory", "/brain/iris/files?file=MEMORY.md"],
  [
    "history",
    "/brain/iris/history",
    async (page) => {
      await page.getByText("Copied from the workspace: workspace/house.md", { exact: true }).click();
      await page.getByText("2026: 142 €, Vidal").first().waitFor();
    },
  ],
  ["automations", "/automations/iris"],
  [
    "search",
    "/rooms/iris",
    async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Search" }).getByRole("searchbox").fill("boiler");
      await page.getByRole("dialog", { name: "Search" }).getByRole("link").nth(2).waitFor();
    },
  ],
  ["models", "/settings/models"],
  ["new-channel", "/settings/new-channel"],
  ["welcome", "/welcome"],
  ["sandboxes", "/settings/sandboxes"],
];

const photographPages = async (browser: Browser, daemon: Daemon): Promise<void> => {
  const page = await open(browser, daemon);
  for (const [name, path, prepare] of PICTURES) {
    await page.goto(`${daemon.url}/ui${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await prepare?.(page);
    await settle(page);
    await shoot(page, name);
  }
  await page.close();
};

const photographPhone = async (browser: Browser, daemon: Daemon): Promise<void> => {
  const page = await open(browser, daemon, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await page.goto(`${daemon.url}/ui/rooms/iris`);
  await page.getByRole("textbox", { name: /^Message/ }).waitFor();
  await settle(page);
  await shoot(page, "phone");
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
const executablePath = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
  .map((name) => Bun.which(name))
  .find(Boolean);
await using browser = await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
for (const colorScheme of ["light", "dark"] as const) await photographChat(browser, daemon, colorScheme);
await photographPages(browser, daemon);
await photographPhone(browser, daemon);
