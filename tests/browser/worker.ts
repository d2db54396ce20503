/** Examines the service worker of a page. */
import type { Page } from "playwright-core";

/** Resolves when the worker is active and answers the page's requests. */
export const controlled = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
};

/** The paths in all caches of the origin, with queries and fragments. */
export const keptPaths = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(url.slice(location.origin.length));
    return paths;
  });
