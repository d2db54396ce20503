/** Tests keyboard operation and accessible names on every page. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser } from "./browser.ts";
import { furnish, open } from "./tab-house.ts";

setDefaultTimeout(170_000);

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
  ...[
    "/new-agent",
    "/members",
    "/rooms",
    "/rooms/cellar",
    "/new-room",
    "/models",
    "/new-channel",
    "/sandboxes",
    "/system",
  ].map((path) => `/ui/settings${path}`),
] as const;

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
    const hasRing = around.some((element) => element !== null && getComputedStyle(element).outlineStyle !== "none");
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

const readTree = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes;
};

type Node = Awaited<ReturnType<typeof readTree>>[number];

/** Finds elements without an accessible name. */
const findNameless = (nodes: readonly Node[]): readonly string[] =>
  nodes
    .filter(({ ignored, role, name }) => !ignored && OPERATED.has(role?.value) && (name?.value ?? "").trim() === "")
    .map(({ role, backendDOMNodeId }) => `${role?.value} ${backendDOMNodeId}`);

/**
 * Finds controls that share role, name and description with another one in the same list item or
 * article. Radio buttons are named by their group, and links may share a name if they lead to the
 * same page.
 */
const findTwins = (nodes: readonly Node[]): readonly string[] => {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const entryOf = ({ parentId }: Node): string => {
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
    .filter((key) => keys.some((other) => other.key === key.key && other.url !== key.url))
    .map(({ key }) => key);
};

inBrowser("every page without a mouse", ({ visit }) => {
  test("Tab reaches every operable element once, visibly focused and with a unique name", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await furnish(daemon);
    await using visited = await visit(daemon, { reducedMotion: "reduce" });
    const { page } = visited;
    const titles: string[] = [];
    for (const path of PAGES) {
      await open(page, daemon.url + path);
      const all = await number(page);
      const stops = await walk(page);
      const nodes = await readTree(page);
      if (path.startsWith("/ui/settings")) titles.push(await page.title());
      const at = stops.flatMap((stop) => stop.at ?? []);
      expect({
        path,
        missed: all.filter((_, index) => !at.includes(`${index}`)),
        twice: at.filter((place, index) => at.indexOf(place) !== index),
        unseen: stops.filter(({ isSeen }) => !isSeen).map(({ html }) => html),
        withoutRing: stops.filter(({ hasRing }) => !hasRing).map(({ html }) => html),
        nameless: findNameless(nodes),
        twins: findTwins(nodes),
      }).toEqual({ path, missed: [], twice: [], unseen: [], withoutRing: [], nameless: [], twins: [] });
    }
    // Each page of the settings has its own title.
    expect(titles).toEqual([...new Set(titles)]);
    expect(visited.complaints).toEqual([]);
  });
});
