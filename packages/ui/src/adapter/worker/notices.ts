/** Shows notifications that the house sent through a push service, and opens their rooms. */
import { pageOf, readNotice } from "./notice.ts";

export const watchNotices = (worker: ServiceWorkerGlobalScope): void => {
  worker.addEventListener("push", (event) => {
    event.waitUntil(show(worker, event.data?.text() ?? ""));
  });
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(worker, (event.notification.data as { readonly path?: unknown } | null)?.path));
  });
};

const tabsOf = (worker: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> =>
  worker.clients.matchAll({ type: "window", includeUncontrolled: true });

const show = async (worker: ServiceWorkerGlobalScope, text: string): Promise<void> => {
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
    icon: new URL("app-icon-180.png", worker.registration.scope).href,
    silent: true,
  });
};

const open = async (worker: ServiceWorkerGlobalScope, path: unknown): Promise<void> => {
  const url = pageOf(path, worker.location.origin);
  const tabs = await tabsOf(worker);
  const here = tabs.find((tab) => isAt(tab, url));
  if (here !== undefined) return void (await here.focus());
  const [other] = tabs;
  // A page of another worker cannot be led elsewhere.
  const led = await other?.navigate(url).catch(() => null);
  if (led === undefined || led === null) return void (await worker.clients.openWindow(url));
  await led.focus();
};

const isAt = ({ url }: WindowClient, page: string): boolean => new URL(url).pathname === new URL(page).pathname;
