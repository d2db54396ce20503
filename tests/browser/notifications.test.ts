import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Worker } from "playwright-core";
import { servePush } from "../pushed.ts";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit, PHONE } from "./phone.ts";
import { controlled } from "./worker.ts";

const ALLOWED = { serviceWorkers: "allow" } as const;
const CONFIG = "version = 1\n[server]\nloopback_webhooks = true\n";

/** Returns what gives the worker a push message, as the browser does when its push service sends one. */
const openPush = async (page: Page): Promise<(data: string) => Promise<void>> => {
  const devtools = await page.context().newCDPSession(page);
  const found = Promise.withResolvers<string>();
  devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [registration] }) => {
    if (registration !== undefined) found.resolve(registration.registrationId);
  });
  await devtools.send("ServiceWorker.enable");
  const registrationId = await found.promise;
  const { origin } = new URL(page.url());
  return async (data) =>
    void (await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data }));
};

interface Shown {
  readonly title: string;
  readonly options: NotificationOptions;
}

interface Kept {
  shown: Shown[];
  badge?: number;
}

/**
 * Chromium without a screen shows no notifications and no badges, whatever is permitted. Keeps what the worker
 * shows in its scope; all else is the browser's own.
 */
const keepShown = async (page: Page): Promise<Worker> => {
  const [worker] = page.context().serviceWorkers();
  if (worker === undefined) throw new Error("the page has no worker");
  await worker.evaluate(() => {
    const scope = globalThis as unknown as Kept & { readonly registration: ServiceWorkerRegistration };
    scope.shown = [];
    Object.assign(navigator, { setAppBadge: async (count: number) => void (scope.badge = count) });
    scope.registration.showNotification = async (title, options = {}) => void scope.shown.push({ title, options });
  });
  return worker;
};

const shown = (worker: Worker): Promise<readonly Shown[]> =>
  worker.evaluate(() => (globalThis as unknown as { readonly shown: readonly Shown[] }).shown);

/** Clicks the newest notification. */
const click = (worker: Worker): Promise<void> =>
  worker.evaluate(async () => {
    const scope = globalThis as unknown as { readonly shown: Shown[]; dispatchEvent(event: Event): void };
    const { data } = scope.shown.at(-1)?.options ?? {};
    const work: unknown[] = [];
    const click = Object.assign(new Event("notificationclick"), {
      notification: { data, close: () => scope.shown.pop() },
      waitUntil: (promise: unknown) => work.push(promise),
    });
    scope.dispatchEvent(click);
    await Promise.all(work);
  });

/** Chromium without a screen has no push service and permits no notifications, so the test does both. */
const subscribeAt = async (page: Page, device: unknown): Promise<void> => {
  await page.addInitScript((made) => {
    let permission = "default";
    Object.defineProperty(Notification, "permission", { get: () => permission });
    Notification.requestPermission = async () => (permission = "granted") as NotificationPermission;
    let current: unknown = null;
    const subscription = { toJSON: () => made, unsubscribe: async () => ((current = null), true) };
    PushManager.prototype.subscribe = async () => (current = subscription) as unknown as PushSubscription;
    PushManager.prototype.getSubscription = async () => current as PushSubscription | null;
  }, device);
};

inBrowser("notifications", ({ visit }) => {
  test("a push shows a silent notification without sound, and a click opens its room in the open tab", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Cellar" } });
    await using visited = await visit(daemon, { path: "/ui/settings", ...ALLOWED });
    const { page } = visited;
    await controlled(page);
    const deliver = await openPush(page);
    const worker = await keepShown(page);
    const sent = { title: "Main", body: "Asks for approval", path: "/rooms/cellar", tag: "t", pending: 2 };
    await deliver(JSON.stringify(sent));
    await until(async () => (await shown(worker)).length === 1);
    const [first] = await shown(worker);
    expect(first).toMatchObject({
      title: "Main",
      options: { body: "Asks for approval", tag: "t", silent: true, data: { path: "/rooms/cellar" } },
    });
    expect((await page.request.get(first?.options.icon ?? "")).status()).toBe(200);
    expect(await worker.evaluate(() => (globalThis as unknown as Kept).badge)).toBe(2);
    await click(worker);
    await page.waitForURL(/\/ui\/rooms\/cellar$/);
    await page.getByRole("heading", { level: 1, name: "Cellar" }).waitFor();
    expect(await shown(worker)).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });

  test("a person turns them on, tests them, sets rules and quiet hours, and turns them off", async () => {
    using home = createHome();
    await using push = servePush();
    await writeFile(join(home.folder, "hearth.toml"), CONFIG);
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", ...PHONE, ...ALLOWED });
    const { page } = visited;
    await subscribeAt(page, push.subscribe("phone"));
    await page.goto(`${daemon.url}/ui/settings/notifications`);
    await controlled(page);
    await page.getByText("Notifications are off.").waitFor();
    await expectFit(page);
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    await page.getByText("Notifications are on.").waitFor();
    await page.getByRole("button", { name: "Send test notification" }).click();
    await page.getByText("Sent to 1 device.").first().waitFor();
    expect(push.parcels.map(({ payload }) => payload.title)).toEqual(["Hearth"]);

    // The second change is made while the first one is being saved.
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/notifications$/, async (route) => {
      if (route.request().method() !== "GET") await held.promise;
      await route.continue();
    });
    await page.getByRole("radio", { name: /^All messages/ }).check();
    await page.getByRole("checkbox", { name: /^Show the beginning/ }).check();
    held.resolve();
    await until(async () => {
      const { choices } = (await daemon.ask("GET", "/api/notifications")).json;
      return choices.rule === "all" && choices.showsText === true;
    });
    await page.getByRole("checkbox", { name: "Use quiet hours" }).check();
    await page.getByLabel("From").fill("23:00");
    await page.getByRole("checkbox", { name: "Sunday" }).uncheck();
    await page.getByRole("button", { name: "Save quiet hours" }).click();
    await page.getByText("Quiet hours saved.").first().waitFor();
    await expectFit(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectFit(page);
    const { choices } = (await daemon.ask("GET", "/api/notifications")).json;
    expect(choices).toMatchObject({ rule: "all", showsText: true });
    expect(choices.quiet).toMatchObject({ from: "23:00", to: "07:00", days: [1, 2, 3, 4, 5, 6] });

    await page.getByRole("button", { name: "Turn off notifications" }).click();
    await page.getByText("Notifications are off.").waitFor();
    await page.getByText("No devices").waitFor();
    expect((await daemon.ask("GET", "/api/notifications")).json.devices).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });

  test("the menu of a room sets its rule, and the settings show it", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", ...ALLOWED });
    const { page } = visited;
    await page.getByRole("main").getByRole("button", { name: "Options of Main" }).click();
    await page.getByRole("menuitem", { name: "Notifications" }).click();
    const dialog = page.getByRole("dialog", { name: "Notifications of Main" });
    await dialog.getByRole("radio", { name: /^Nothing/ }).check();
    await until(
      async () => Object.values((await daemon.ask("GET", "/api/notifications")).json.choices.rooms).length === 1,
    );
    await dialog.getByRole("link", { name: "Notification settings" }).click();
    await page.getByRole("combobox", { name: "Main" }).selectOption({ label: "Same as other rooms" });
    await until(
      async () => Object.values((await daemon.ask("GET", "/api/notifications")).json.choices.rooms).length === 0,
    );
    expect(visited.complaints).toEqual([]);
  });

  test("a page in the background notifies without a push service once its button was pressed", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/settings", ...PHONE, ...ALLOWED });
    const { page } = visited;
    await page.addInitScript(() => {
      let permission = "default";
      Object.defineProperty(Notification, "permission", { get: () => permission });
      Notification.requestPermission = async () => (permission = "granted") as NotificationPermission;
    });
    await page.goto(`${daemon.url}/ui/settings/notifications`);
    await controlled(page);
    const worker = await keepShown(page);
    await page.getByText("Open pages do not notify you.").waitFor();
    expect(await page.evaluate(() => Notification.permission)).toBe("default");
    await page.getByRole("button", { name: "Turn on for open pages" }).click();
    await page.getByText("Open pages notify you.", { exact: true }).waitFor();
    await expectFit(page);
    // Chromium without a screen counts each page as focused.
    await page.evaluate(() => (document.hasFocus = () => false));
    await daemon.ask("POST", "/api/rooms/main/messages", { text: "hello" });
    await until(async () => (await shown(worker)).length > 0);
    const [first] = await shown(worker);
    expect(first).toMatchObject({
      title: "Main",
      options: { body: "Main", silent: true, data: { path: "/rooms/main" } },
    });
    await page.evaluate(() => (document.hasFocus = () => true));
    await click(worker);
    await page.waitForURL(/\/ui\/rooms\/main$/);
    expect(visited.complaints).toEqual([]);
  });

  test("a subscription that the browser changed replaces the one before", async () => {
    using home = createHome();
    await using push = servePush();
    await writeFile(join(home.folder, "hearth.toml"), CONFIG);
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/main", ...ALLOWED });
    const { page } = visited;
    await subscribeAt(page, push.subscribe("before"));
    await page.goto(`${daemon.url}/ui/settings/notifications`);
    await controlled(page);
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    await page.getByText("Notifications are on.").waitFor();
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(async (made) => {
      const work: unknown[] = [];
      const change = Object.assign(new Event("pushsubscriptionchange"), {
        newSubscription: { toJSON: () => made },
        waitUntil: (promise: unknown) => work.push(promise),
      });
      (globalThis as unknown as EventTarget).dispatchEvent(change);
      await Promise.all(work);
    }, push.subscribe("after"));
    await page.getByRole("button", { name: "Send test notification" }).click();
    await page.getByText("Sent to 1 device.").first().waitFor();
    expect(push.parcels.map(({ device }) => device)).toEqual(["after"]);
    expect(visited.complaints).toEqual([]);
  });
});
