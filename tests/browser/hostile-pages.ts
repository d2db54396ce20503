/** Shows hostile texts on every page, and searches the page for what a text must not create. */
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import blns from "../fixtures/blns.json";
import xss from "../fixtures/xss.json";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { inRoom, type Visitors, welcome } from "./browser.ts";

const isShown = (text: string): boolean => text.trim() !== "" && text.isWellFormed();

export const TEXTS: readonly string[] = [...xss.items, ...blns.items].filter(isShown);

/** Runs in the page, and records the marks that an attack would leave. */
export const watch = (): void => {
  Object.assign(globalThis, {
    alert: () => document.documentElement.setAttribute("data-attacked", "alert"),
    prompt: () => document.documentElement.setAttribute("data-attacked", "prompt"),
    confirm: () => document.documentElement.setAttribute("data-attacked", "confirm"),
  });
  document.addEventListener("securitypolicyviolation", (event) =>
    document.documentElement.setAttribute("data-violation", `${event.violatedDirective} ${event.blockedURI}`),
  );
};

/** Finds elements and attributes that no text may create. */
export const findForeign = (): readonly string[] => {
  const found: string[] = [];
  for (const element of document.querySelectorAll("#root *")) {
    const name = element.localName;
    if (name === "form" && element.closest("article") !== null) found.push(name);
    // Formulas have MathML for screen readers. Only their library makes elements with this class.
    if (name === "math" && element.closest(".katex-mathml") !== null) continue;
    if (
      /^(script|iframe|object|embed|base|link|meta|style|img|image|video|audio|source|marquee|math|template|x)$/.test(
        name,
      )
    )
      found.push(name);
    for (const { name: attribute, value } of element.attributes) {
      if (/^on|^(src|srcset|srcdoc|formaction|ping|xlink:href)$/.test(attribute)) found.push(`${name}[${attribute}]`);
      if (attribute === "href" && !/^(https?:|mailto:|\/|#|ui\/)/.test(value)) found.push(`${name}[href=${value}]`);
    }
  }
  return found;
};

/** Finds invisible characters in text and labels of the page, which could disguise a name. */
const findHidden = (): readonly string[] => {
  const hidden =
    /[\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2064}\u{2066}-\u{2069}\u{FEFF}\u{E0000}-\u{E007F}]/u;
  const read = [document.title, document.body.textContent];
  for (const element of document.querySelectorAll("[aria-label], [title]"))
    read.push(element.getAttribute("aria-label") ?? "", element.getAttribute("title") ?? "");
  return read
    .filter((text) => hidden.test(text))
    .map((text) => text.slice(Math.max(0, text.search(hidden) - 60)).slice(0, 120));
};

/** Sets a name with invisible characters, which the API rejects but old databases may contain. */
const nameAsBefore = (home: string, name: string, ids: readonly string[]): void => {
  using database = new Database(join(home, "hearth.db"));
  for (const id of ids)
    database.query("update records set content = json_set(content, '$.name', ?) where id = ?").run(name, id);
};

export const attacksOn = async (page: Page): Promise<unknown> =>
  page.evaluate(() => ({
    attacked: document.documentElement.getAttribute("data-attacked"),
    violation: document.documentElement.getAttribute("data-violation"),
  }));

export const NONE = { attacked: null, violation: null };

export const post = async (daemon: Daemon, room: string, texts: readonly string[]): Promise<void> => {
  for (const text of texts) {
    const { status } = await daemon.ask("POST", `/api/rooms/${room}/messages`, { text });
    if (status >= 300) throw new Error(`${status} for ${JSON.stringify(text)}`);
  }
};

/** Fails if one of the texts is more than text in a message. */
export const readMessages = async (visit: Visitors["visit"], texts: readonly string[]): Promise<void> => {
  using home = createHome();
  await using daemon = await startDaemon(home.folder);
  await welcome(daemon);
  // A group room where no agent responds.
  const room = (await daemon.ask("POST", "/api/rooms", { content: { name: "Den" } })).json;
  const SIZE = 40;
  const bundles: string[] = [];
  for (let at = 0; at < texts.length; at += SIZE) {
    bundles.push(
      texts
        .slice(at, at + SIZE)
        .map((text, index) => `mark-${at + index}\n\n${text}`)
        .join("\n\n"),
    );
  }
  await using visited = await visit(daemon, { path: `/ui/rooms/${room.handle}` });
  const { page } = visited;
  await page.evaluate(watch);
  await page.getByRole("heading", { level: 1, name: "Den" }).waitFor();
  for (const [index, bundle] of bundles.entries()) {
    await post(daemon, room.id, [bundle]);
    await inRoom(page, `mark-${index * SIZE}`).waitFor();
    expect(await page.evaluate(findForeign)).toEqual([]);
  }
  // Posts the texts one by one too, because Markdown parses the start of a message differently.
  await post(daemon, room.id, texts.slice(0, 120));
  await post(daemon, room.id, ["the end of it"]);
  await inRoom(page, "the end of it").waitFor();
  expect(await page.evaluate(findForeign)).toEqual([]);
  expect(await attacksOn(page)).toEqual(NONE);
  expect(visited.complaints).toEqual([]);
};

/** Fails if one of the texts is more than text as a name, or hides characters. */
export const readNames = async (visit: Visitors["visit"], texts: readonly string[]): Promise<void> => {
  using home = createHome();
  await using daemon = await startDaemon(home.folder);
  await welcome(daemon);
  const [house] = (await daemon.ask("GET", "/api/houses")).json;
  const { agent: owner } = (await daemon.ask("GET", "/api/me")).json;
  const names = [...new Set(texts.map((text) => text.slice(0, 190)))].filter((text) => text.isWellFormed());
  /** The API rejects names without visible characters, and names whose handle is taken. */
  const create = async (path: string, contentOf: (name: string) => unknown, of: readonly string[]): Promise<number> => {
    let made = 0;
    for (const name of of) {
      const { status } = await daemon.ask("POST", path, contentOf(name));
      expect([201, 400, 409]).toContain(status);
      if (status === 201) made += 1;
    }
    return made;
  };
  const people = await create(
    "/api/agents",
    (name) => ({ content: { name, kind: "human", description: name } }),
    names,
  );
  expect(people).toBeGreaterThan(names.length * 0.7);
  const some = names.filter((_, index) => index % 8 === 0);
  expect(await create("/api/rooms", (name) => ({ content: { name, description: name } }), some)).toBeGreaterThan(
    some.length / 4,
  );
  await create("/api/keys", (name) => ({ name: name.slice(0, 100), agent: owner.id }), some);
  const worst = `"><img src=x onerror=alert(1)>\u202Egnp\u200B.exe`;
  const { id: main } = (await daemon.ask("GET", "/api/agents/main")).json;
  const { id } = (await daemon.ask("POST", "/api/agents/main/room", {})).json;
  nameAsBefore(home.folder, worst, [main, house.id, owner.id, id]);
  await daemon.ask("PATCH", "/api/agents/main", { content: { description: worst, model: `x/${worst}` } });
  const { json: room } = await daemon.ask("PATCH", `/api/rooms/${id}`, { content: { description: worst } });
  expect(room.content.name).toBe(worst);
  await daemon.ask("POST", "/api/agents/main/cells", { room: room.id });
  for (let at = 0; at < texts.length; at += 100)
    await daemon.ask("POST", "/api/chat", { agentName: "main", message: texts.slice(at, at + 100).join("\n") });

  await using visited = await visit(daemon, { path: "/ui/settings", expected: /404/ });
  const { page } = visited;
  for (const path of [
    `/ui/rooms/${room.handle}`,
    "/ui/settings",
    "/ui/settings/account",
    "/ui/settings/agents",
    "/ui/settings/agents/main",
    "/ui/settings/agents/main/activity",
    "/ui/settings/agents/main/inside",
    "/ui/settings/new-agent",
    "/ui/settings/members",
    "/ui/settings/rooms",
    `/ui/settings/rooms/${room.handle}`,
    `/ui/settings/rooms/${room.handle}/activity`,
    "/ui/settings/new-room",
    "/ui/settings/models",
    "/ui/settings/system",
  ]) {
    await page.goto(daemon.url + path);
    await page.evaluate(watch);
    const title = path === "/ui/settings/agents" ? "Agents" : path.startsWith("/ui/settings") ? "Settings" : "onerror";
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await until(async () => (await page.getByRole("img", { name: "Loading" }).count()) === 0);
    const folded = page.locator("main section li > button[aria-expanded=false]");
    while ((await folded.count()) > 0) await folded.first().click();
    await until(async () => (await page.getByRole("img", { name: "Loading" }).count()) === 0);
    expect({ path, foreign: await page.evaluate(findForeign), hidden: await page.evaluate(findHidden) }).toEqual({
      path,
      foreign: [],
      hidden: [],
    });
    expect(await attacksOn(page)).toEqual(NONE);
  }
  await page.getByRole("button", { name: "New room" }).click();
  await page.getByRole("dialog", { name: "New room" }).getByRole("checkbox").first().waitFor();
  expect([await page.evaluate(findForeign), await page.evaluate(findHidden)]).toEqual([[], []]);
  await page.keyboard.press("Escape");
  // Mention suggestions appear in group rooms.
  const { json: den } = await daemon.ask("POST", "/api/rooms", { content: { name: "Den" } });
  await page.goto(`${daemon.url}/ui/rooms/${den.handle}`);
  await page.evaluate(watch);
  await page.getByRole("textbox", { name: "Message Den" }).pressSequentially("@");
  await page.getByRole("listbox", { name: "Mention suggestions" }).waitFor();
  expect([await page.evaluate(findForeign), await page.evaluate(findHidden)]).toEqual([[], []]);
  expect(await attacksOn(page)).toEqual(NONE);
  expect(visited.complaints).toEqual([]);
};
