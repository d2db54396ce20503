/** Simulates an update of the house while its page is open. */
import type { Page } from "playwright-core";

/** Console messages of Chromium about missing files. */
export const MISSED = /ERR_|Failed to load resource|WebSocket connection to/;

/** From here on the document names another script, as after an update. */
export const update = async (page: Page): Promise<void> => {
  await page.route(/\/ui\/$/, async (route) => {
    if (route.request().isNavigationRequest()) return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, body: (await response.text()).replace(/index-\w+\.js/, "index-00000000.js") });
  });
};
