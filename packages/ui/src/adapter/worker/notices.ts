/** Shows notifications of the push service and of open pages, opens their rooms, and renews the subscription. */
import { pageOf, readNotice } from "./notice.ts";
import { renew } from "./renewal.ts";

/** `icon`: a file of the build. */
export const watchNotices = (worker: ServiceWorkerGlobalScope, icon: string | undefined): void => {
  worker.addEventListener("push", (event) => {
    event.waitUntil(show(worker, event.data?.text() ?? "", icon));
  });
  // From a page in the background. The browser delivers messages of this origin only.
  worker.addEventListener("message", (event) => {
    const data: unknown = event.data;
    if (typeof data === "string") event.waitUntil(show(worker, data, icon));
  });
  // Some browsers replace a subscription.
  worker.addEventListener("pushsubscriptionchange", (event) => {
    const change = event as ExtendableEvent & { readonly newSubscription?: PushSubscription | null };
    const subscribe = async (applicationServerKey: string): Promise<PushSubscription> =>
      change.newSubscription ??
      worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    change.waitUntil(renew((path, init) => worker.fetch(path, init), subscribe));
  });
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(worker, (event.notification.data as { readonly path?: unknown } | null)?.path));
  });
};

const tabsOf = (worker: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> =>
  worker.clients.matchAll({ type: "window", includeUncontrolled: true });

const show = async (worker: ServiceWorkerGlobalScope, text: string, icon: string | undefined): Promise<void> => {
  const { title, body, path, tag, pending } = readNotice(text);
  if (pending !== undefined && "setAppBadge" in worker.navigator)
    await worker.navigator.setAppBadge(pending).catch(() => {});
  const url = pageOf(path, worker.location.origin);
  // The person is looking at this room.
  if ((await tabsOf(worker)).some((tab) => tab.focused && isAt(tab, url))) return;
  await worker.registration.showNotification(title, {
    body,
    tag,
    data: { path },
    ...(icon === undefined ? {} : { icon: new URL(icon, worker.registration.scope).href }),
    silent: true,
  });
};

const open = async (worker: ServiceWorkerGlobalScope, path: unknown): Promise<void> => {
  const url = pageOf(path, worker.location.origin);
  const tabs = await tabsOf(worker);
  const here = tabs.find((tab) => isAt(tab, url));
  if (here !== undefined) return focus(here);
  const [other] = tabs;
  // The browser refuses to navigate a page that another worker controls.
  const led = await other?.navigate(url).catch(() => null);
  if (led === undefined || led === null) return void (await worker.clients.openWindow(url));
  await focus(led);
};

/** Focuses a tab. If the browser refuses, the tab stays behind other windows. */
const focus = async (tab: WindowClient): Promise<void> => {
  await tab.focus().catch(() => {});
};

const isAt = ({ url }: WindowClient, page: string): boolean => new URL(url).pathname === new URL(page).pathname;
