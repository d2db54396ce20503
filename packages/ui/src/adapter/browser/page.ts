/** The browser's document and window, as the UI uses them. */
import { lazy } from "@hearth/protocol";
import { LANGUAGE_COOKIE } from "@hearth/protocol/api";
import type { Page } from "../../house/page.ts";
import { createPasskeyDevice } from "./passkeys.ts";
import type { Theme } from "../../house/theme-setting.ts";

export const createBrowserPage = (window: Window & typeof globalThis): Page => ({
  isOnline: () => window.navigator.onLine,
  onNetwork(listener) {
    const controller = new AbortController();
    for (const name of ["online", "offline"]) window.addEventListener(name, listener, { signal: controller.signal });
    return () => controller.abort();
  },
  onAttention(listener) {
    const controller = new AbortController();
    const options = { signal: controller.signal };
    for (const name of ["focus", "online"]) window.addEventListener(name, listener, options);
    const onVisibility = (): void => {
      if (window.document.visibilityState === "visible") listener();
    };
    window.document.addEventListener("visibilitychange", onVisibility, options);
    return () => controller.abort();
  },
  async isOutdated() {
    const entryScript = window.document.querySelector<HTMLScriptElement>('script[type="module"]');
    if (entryScript === null) throw new TypeError("the page has no script");
    const response = await window.fetch(new URL(".", entryScript.src), { cache: "no-cache" });
    if (!response.ok) throw new TypeError(`the page is answered with status ${response.status}`);
    // The document contains the script's name with the hash of its content.
    return !(await response.text()).includes(`"${new URL(entryScript.src).pathname}"`);
  },
  fragment: () => window.location.hash.slice(1),
  setTitle(title) {
    window.document.title = title;
  },
  hasCommandKey: () => /Mac|iPhone|iPad/.test(window.navigator.userAgent),
  setBadge(count) {
    const { navigator } = window;
    // Some browsers have no badges, and others refuse them to pages that are not installed.
    if ("setAppBadge" in navigator) navigator.setAppBadge(count).catch(() => {});
  },
  onFailure(listener) {
    const controller = new AbortController();
    const report = (error: unknown): void => {
      // Browsers report some warnings without an error object. Requests are aborted when the user leaves the page.
      if (error instanceof Error && error.name !== "AbortError") listener(error);
    };
    window.addEventListener("error", ({ error }) => report(error), { signal: controller.signal });
    window.addEventListener("unhandledrejection", ({ reason }) => report(reason), { signal: controller.signal });
    return () => controller.abort();
  },
  reload: () => window.location.reload(),
  loadStyles: lazy(() => loadStyles(window.document)),
  currentPath: () => `${window.location.pathname}${window.location.search}${window.location.hash}`,
  open: (url) => window.location.assign(url),
  passkeys: createPasskeyDevice(window),
  push: async () => (await import("./devices/push.ts")).createPushBrowser(window),
});

/** Adds the stylesheet that the build names in the document, if there is one. */
const loadStyles = async (document: Document): Promise<void> => {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="styles"]');
  if (meta === null) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = meta.content;
  const loadEvent = new Promise<void>((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new TypeError(`${link.href} was not loaded`));
  });
  document.head.append(link);
  await loadEvent.catch((error: unknown) => {
    link.remove();
    throw error;
  });
};

/** Creates a function that applies a theme to the page and to the browser's bars. */
export const createThemeOnPage = (page: Document): ((theme: Theme) => void) => {
  const colourTags = [...page.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map((meta) => ({
    meta,
    scheme: meta.media.includes("dark") ? "dark" : "light",
    colour: meta.content,
  }));
  return (theme) => {
    if (theme === "system") delete page.documentElement.dataset["theme"];
    else page.documentElement.dataset["theme"] = theme;
    for (const { meta, scheme } of colourTags) {
      const shownScheme = theme === "system" ? scheme : theme;
      meta.content = colourTags.find((tag) => tag.scheme === shownScheme)?.colour ?? meta.content;
    }
  };
};

/** Maximum age of the cookie. Each visit renews it. */
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Sends the chosen language with requests for the UI. The cookie is `Lax`, so a link on a page of
 * another site also opens the UI in this language.
 */
export const createLanguageCookie =
  (page: Pick<Document, "cookie">) =>
  (language: string | undefined): void => {
    const age = language === undefined ? 0 : YEAR_SECONDS;
    page.cookie = `${LANGUAGE_COOKIE}=${language ?? ""}; Path=/ui/; Max-Age=${age}; SameSite=Lax`;
  };
