/** Tests keyboard operation and accessible names on every page. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";

setDefaultTimeout(170_000);

/** Creates content for each page. */
const furnish = async (daemon: Daemon): Promise<void> => {
  await welcome(daemon);
  const { json: main } = await daemon.ask("GET", "/api/agents/main");
  await daemon.ask("POST", "/api/agents", { content: { name: "Bob", kind: "human" } });
  await daemon.ask("POST", "/api/agents", { content: { name: "Kettle", kind: "bot" } });
  await daemon.ask("POST", "/api/keys", { name: "lamp", agent: main.id, scope: { level: "r" } });
  await daemon.ask("POST", "/api/rooms", { content: { name: "Cellar", members: [main.id] } });
  for (const name of ["news", "build"])
    await daemon.ask("POST", "/api/agents/main/jobs", { name, prompt: "What is new?", every: "1d" });
  await daemon.ask("POST", "/api/chat", { agentName: "main", message: "remember that the cat is called Felix" });
};

const PAGES = [
  "/ui/rooms/main",
  "/ui/inbox",
  "/ui/automations",
  "/ui/automations/main",
  "/ui/automations/main/heartbeat",
  "/ui/brain/main",
  "/ui/brain/main/files?file=USER.md",
  "/ui/brain/main/memory",
  "/ui/brain/main/history",
  "/ui/brain/main/proposals",
  "/ui/brain/main/prompt",
  ...["", "/account", "/agents", "/agents/main", "/agents/main/activity", "/agents/main/inside", "/agents/bob"].map(
    (path) => `/ui/settings${path}`,
  ),
  ...["/new-agent", "/members", "/rooms", "/rooms/cellar", "/new-room", "/models", "/system"].map(
    (path) => `/ui/settings${path}`,
  ),
] as const;

const open = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await until(async () => (await page.getByRole("img", { name: "Loading" }).count()) === 0);
};

/** Numbers the operable elements. Tab reaches one radio button of each group. */
const number = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const groups = new Set<string>();
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(":disabled, [tabindex='-1']"))
        continue;
      if (element instanceof HTMLInputElement && element.type === "radio") {
        if (groups.has(element.name)) continue;
        groups.add(element.name);
        document
          .querySelector<HTMLElement>(`input[name="${element.name}"]:checked`)
          ?.setAttribute("data-at", `${found.length}`);
      } else element.setAttribute("data-at", `${found.length}`);
      found.push(`${element.localName} ${element.getAttribute("aria-label") ?? element.textContent}`);
    }
    return found;
  });

interface Stop {
  readonly at: string | undefined;
  readonly isSeen: boolean;
  readonly hasRing: boolean;
  readonly html: string;
}

/**
 * The focused element and whether its focus is visible. Undefined after the focus left the page.
 */
const look = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return undefined;
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    const isSeen = width > 1 && height > 1 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    // Elements without an outline show the focus on a box around them.
    const around = [element, element.closest("label"), element.parentElement];
    const hasRing = around.some((one) => one !== null && getComputedStyle(one).outlineStyle !== "none");
    return { at: element.dataset["at"], isSeen, hasRing, html: element.outerHTML.slice(0, 120) };
  });

/** Walks from the first link until the focus leaves the page or starts over. */
const walk = async (page: Page): Promise<readonly Stop[]> => {
  const press = async (): Promise<Stop | undefined> => {
    await page.keyboard.press("Tab");
    return look(page);
  };
  await until(async () => (await press())?.at === "0");
  const stops: Stop[] = [];
  for (
    let stop = await look(page);
    stop !== undefined && (stop.at !== "0" || stops.length === 0);
    stop = await press()
  ) {
    // A time field has several tab stops.
    if (stop.at === undefined || stop.at !== stops.at(-1)?.at) stops.push(stop);
    if (stops.length > 200) throw new Error(`Tab does not leave the page; it was last at ${stop.html}`);
  }
  return stops;
};

const OPERATED = new Set(
  "button link textbox searchbox checkbox radio combobox listbox spinbutton DisclosureTriangle switch".split(" "),
);

/** Finds elements without an accessible name. */
const findNameless = async (page: Page): Promise<readonly string[]> => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter(({ ignored, role, name }) => !ignored && OPERATED.has(role?.value) && (name?.value ?? "").trim() === "")
    .map(({ role, backendDOMNodeId }) => `${role?.value} ${backendDOMNodeId}`);
};

/**
 * Finds controls that share role, name and description with another one in the same list item or
 * article. Radio buttons are named by their group, and links may share a name if they lead to the
 * same page.
 */
const findTwins = async (page: Page): Promise<readonly string[]> => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const entryOf = ({ parentId }: (typeof nodes)[number]): string => {
    const parent = parentId === undefined ? undefined : byId.get(parentId);
    if (parent === undefined) return "page";
    return ["listitem", "article"].includes(parent.role?.value) ? parent.nodeId : entryOf(parent);
  };
  const keys = nodes
    .filter(({ ignored, role }) => !ignored && OPERATED.has(role?.value) && role?.value !== "radio")
    .map((node) => {
      const { role, name, description, properties = [] } = node;
      const url = properties.find((property) => property.name === "url")?.value.value ?? "";
      if (role?.value === "link") return { key: `link ${name?.value}`, url };
      return { key: [role?.value, name?.value, description?.value, entryOf(node)].join(" "), url: node.nodeId };
    });
  return keys
    .filter((one) => keys.some((other) => other.key === one.key && other.url !== one.url))
    .map(({ key }) => key);
};

inBrowser("every page without a mouse", ({ visit }) => {
  test("Tab reaches every operable element once, visibly focused and with a unique name", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon, { reducedMotion: "reduce" });
    const { page } = visited;
    for (const path of PAGES) {
      await open(page, daemon.url + path);
      const all = await number(page);
      const stops = await walk(page);
      const at = stops.flatMap((stop) => stop.at ?? []);
      expect({
        path,
        missed: all.filter((_, index) => !at.includes(`${index}`)),
        twice: at.filter((one, index) => at.indexOf(one) !== index),
        unseen: stops.filter(({ isSeen }) => !isSeen).map(({ html }) => html),
        withoutRing: stops.filter(({ hasRing }) => !hasRing).map(({ html }) => html),
        nameless: await findNameless(page),
        twins: await findTwins(page),
      }).toEqual({ path, missed: [], twice: [], unseen: [], withoutRing: [], nameless: [], twins: [] });
    }
    expect(visited.complaints).toEqual([]);
  });

  test("a dialog opens with Enter, closes with Escape, and restores the focus", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon);
    const { page } = visited;
    for (const [path, name] of [
      ["/ui/automations/main", "New job for Main"],
      ["/ui/brain/main/files?file=USER.md", "Remove file"],
      ["/ui/settings/agents/bob", "Remove Bob"],
      ["/ui/settings/rooms/cellar", "Remove Cellar"],
      ["/ui/rooms/main", "Stop all agents"],
    ] as const) {
      await open(page, daemon.url + path);
      const button = page.getByRole("button", { name, exact: true });
      await button.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      expect([name, await page.evaluate(() => document.activeElement?.closest("dialog") !== null)]).toEqual([
        name,
        true,
      ]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect([name, await button.evaluate((element) => element === document.activeElement)]).toEqual([name, true]);
    }
    expect(visited.complaints).toEqual([]);
  });
});
