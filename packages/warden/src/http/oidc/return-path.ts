/** Determines the page of the UI to which a login leads. */
import { UI_PATH } from "../ui-files.ts";

/**
 * Returns a path of the UI. Any other text becomes the first page, so that a login leads to no
 * other site.
 */
export const toReturnPath = (to: string | undefined, origin: string): string => {
  if (to === undefined || !to.startsWith(UI_PATH)) return UI_PATH;
  const url = URL.parse(to, origin);
  if (url === null || url.origin !== origin || !url.pathname.startsWith(UI_PATH)) return UI_PATH;
  return `${url.pathname}${url.search}${url.hash}`;
};
