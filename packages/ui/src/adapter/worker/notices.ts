/** Shows notifications of the push service and of open pages, opens their rooms, and renews the subscription. */
import { pageOf, readNotice } from "./notice.ts";
import { renew } from "./renewal.ts";

/** `icon`: a file of the build. */
export const watchNotices = (worker: ServiceWorkerGlobalScope, icon: string | undefined): void => {
  worker.addEventListener("push", (event) => {
    event.waitUntil(showNotice(worker, event.data?.text() ?? "", icon));
  });
  // From a page in the background. The browser delivers messages of this origin only.
  worker.addEventListener("message", (event) => {
    const data: unknown = event.data;
    if (typeof data === "string") event.waitUntil(showNotice(worker, data, icon));
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
    event.waitUntil(openPage(worker, (event.notification.data as { readonly path?: unknown } | null)?.path));
  });
};

const findTabs = (worker: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> =>
  worker.clients.matchAll({ type: "window", includeUncontrolled: true });

const showNotice = async (worker: ServiceWorkerGlobalScope, text: string, icon: string | undefined): Promise<void> => {
  const { title, body, path, tag, pending } = readNotice(text);
  if (pending !== undefined && "setAppBadge" in worker.navigator)
    await worker.navigator.setAppBadge(pending).catch(() => {});
  const url = pageOf(path, worker.location.origin);
  // The person is looking at this room.
  if ((await findTabs(worker)).some((tab) => tab.focused && isShowing(tab, url))) return;
  await worker.registration.showNotification(title, {
    body,
    tag,
    data: { path },
    ...(icon === undefined ? {} : { icon: new URL(icon, worker.registration.scope).href }),
    silent: true,
  });
};

const openPage = async (worker: ServiceWorkerGlobalScope, path: unknown): Promise<void> => {
  const url = pageOf(path, worker.location.origin);
  const tabs = await findTabs(worker);
  const matchingTab = tabs.find((tab) => isShowing(tab, url));
  if (matchingTab !== undefined) return focus(matchingTab);
  const [firstTab] = tabs;
  // The browser refuses to navigate a page that another worker controls.
  const navigatedTab = await firstTab?.navigate(url).catch(() => null);
  if (navigatedTab === undefined || navigatedTab === null) return void (await worker.clients.openWindow(url));
  await focus(navigatedTab);
};

/** Focuses a tab. If the browser refuses, the tab stays behind other windows. */
const focus = async (tab: WindowClient): Promise<void> => {
  await tab.focus().catch(() => {});
};

const isShowing = ({ url }: WindowClient, page: string): boolean => new URL(url).pathname === new URL(page).pathname;
