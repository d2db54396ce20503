/** Entry point of the UI: connects it to the browser and renders it. */
import "../../design/base.css";
import {
  createClient,
  createFileShelf,
  createHouseReader,
  createOutbox,
  createRoomReader,
  createSocket,
  type FileStore,
} from "@hearth/client";
import { lazy } from "@hearth/protocol";
import { createRoot } from "react-dom/client";
import { App } from "../../app/app.tsx";
import { createLanguageSetting } from "../../house/language-setting.ts";
import { createLoginConfirmation } from "../../house/login-confirmation.ts";
import { createTheme } from "../../house/theme-setting.ts";
import type { Recordings } from "../../house/recordings.ts";
import type { Ui } from "../../house/ui.tsx";
import { createBrowserClock } from "./clock.ts";
import { createCopyText } from "./copy.ts";
import { createBrowserFileStore } from "./file-store.ts";
import { createBrowserPage, createLanguageCookie, createThemeOnPage } from "./page.ts";
import { createBrowserStorage } from "./storage.ts";
import { connectWire } from "./wire.ts";
import { registerWorker } from "./worker-registration.ts";

/** Returns undefined on a page without TLS, where browsers do not offer `crypto.subtle`. */
const createSha256 = () => {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  return async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
    new Uint8Array(await subtle.digest("SHA-256", bytes));
};

/** Returns undefined in old browsers, and on a page without TLS, where browsers do not offer the microphone. */
const createLazyRecordings = (store: FileStore): Recordings | undefined => {
  if (!window.isSecureContext || !("MediaRecorder" in window)) return undefined;
  const load = lazy(async () => (await import("./devices/recorder.ts")).createRecordings(store));
  return {
    start: async (key) => (await load()).start(key),
    recover: async (key) => (await load()).recover(key),
    forget: (key) => store.remove(key),
  };
};

const KEY_SIZE = 16;

const createUi = (): Ui => {
  const { origin } = window.location;
  const clock = createBrowserClock();
  const storage = createBrowserStorage({
    open: () => window.localStorage,
    onChangeInOtherTab(listener) {
      const controller = new AbortController();
      window.addEventListener("storage", ({ key }) => listener(key), { signal: controller.signal });
      return () => controller.abort();
    },
  });
  const loginConfirmation = createLoginConfirmation();
  const client = createClient({
    baseUrl: origin,
    confirmLogin: loginConfirmation.ask,
    fetch: (input, init) => window.fetch(input, { ...init, credentials: "same-origin" }),
    sleep: clock.sleep,
    sha256: createSha256(),
  });
  const socket = createSocket({
    connect: connectWire(`${origin.replace(/^http/, "ws")}/ws`),
    clock,
    random: () => Math.random(),
  });
  // `randomUUID` requires TLS.
  const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(KEY_SIZE)), toHex).join("");
  const fileStore = createBrowserFileStore(() => window.indexedDB);
  const files = createFileShelf({
    files: fileStore,
    storage,
    uploads: client.uploads,
    newKey,
  });
  const outbox = createOutbox({
    storage,
    post: (room, message) => client.rooms.post(room, message),
    files,
    clock,
    newKey,
  });
  const house = createHouseReader({ client, socket, storage, clock });
  const reconnect = (): void => {
    socket.reconnectNow();
    outbox.retryNow();
  };
  const page = createBrowserPage(window);
  // When the device goes offline, `reconnect` detects the dead connection. When it is online again,
  // `reconnect` connects.
  page.onNetwork(reconnect);
  window.document.addEventListener("visibilitychange", () => {
    if (window.document.hidden) return;
    reconnect();
    // A login in another tab, such as the tab of a login link, also applies to this tab.
    if (house.snapshot().state.kind === "logged-out") house.refresh();
  });
  return {
    client,
    house,
    outbox,
    files,
    openRoom(room) {
      const { me } = house.snapshot();
      if (me === undefined) throw new TypeError("a room was opened before the user was known");
      return createRoomReader({ client, socket, outbox, room, me: me.agent.id, clock });
    },
    storage,
    theme: createTheme(storage, createThemeOnPage(window.document)),
    language: createLanguageSetting({
      storage,
      send: createLanguageCookie(window.document),
      reload: page.reload,
    }),
    page,
    clock,
    recordings: createLazyRecordings(fileStore),
    confirmation: loginConfirmation,
    copyText: createCopyText(window.document, window.navigator.clipboard),
    reconnect,
  };
};

const toHex = (byte: number): string => byte.toString(16).padStart(2, "0");

const root = window.document.querySelector("#root");
if (root === null) throw new TypeError("the page has no root element");
createRoot(root).render(<App ui={createUi()} />);

// Browsers offer workers only to pages with TLS. The page registers the worker last, because it does not need it.
if (window.isSecureContext && "serviceWorker" in window.navigator) {
  // If the registration fails, the page works without the worker, and the next visit tries again.
  window.addEventListener(
    "load",
    () => {
      registerWorker(window).catch(() => {});
    },
    { once: true },
  );
}
