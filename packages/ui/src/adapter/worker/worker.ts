/**
 * The service worker of the UI: keeps the built files for offline use. It answers only requests for
 * the UI's own files, so it sees no request of a page to the API. It shows notifications.
 */
import { answerOf, type BuiltUi, SHELL } from "./answers.ts";
import { watchNotices } from "./notices.ts";

/** Written by the build. */
declare const BUILT_UI: BuiltUi;
declare const self: ServiceWorkerGlobalScope;

/** Other programs at this origin may have caches too. */
const CACHE_PREFIX = "hearth-ui-";
const CACHE_NAME = `${CACHE_PREFIX}${BUILT_UI.version}`;

/** A house that does not answer for this long counts as unreachable. */
const ANSWER_TIMEOUT_MS = 4000;

self.addEventListener("install", (event) => {
  event.waitUntil(cacheBuild());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(activateBuild());
});

watchNotices(
  self,
  BUILT_UI.files.find((file) => file.startsWith("app-icon-180")),
);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  switch (answerOf(BUILT_UI, self.registration.scope, request)) {
    case "shell":
      event.respondWith(loadDocument(request));
      return;
    case "kept":
      event.respondWith(loadFile(request));
      return;
    case "network":
      return;
  }
});

/** Fetches all files of this build. If a file is missing, the browser keeps the previous worker. */
const cacheBuild = async (): Promise<void> => {
  const cache = await caches.open(CACHE_NAME);
  // The document has its name here, because the house chooses the language of `/ui/` by a cookie.
  const address = SHELL + BUILT_UI.document;
  const shell = await fetch(address, { cache: "no-cache", credentials: "omit" });
  if (!isFile(shell)) throw new TypeError(`${address} was answered with ${shell.status}`);
  await cache.put(SHELL, shell);
  // Names contain the hash of the content: unchanged files come from the browser's own cache.
  await cache.addAll(BUILT_UI.files.map((file) => new Request(SHELL + file, { credentials: "omit" })));
  // Activates this worker at once. The document always comes from the network, so an open page
  // never mixes two versions.
  await self.skipWaiting();
};

const activateBuild = async (): Promise<void> => {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
};

/**
 * Returns the house's document. If the house does not answer, returns the stored one, whose files
 * are all stored.
 */
const loadDocument = async (request: Request): Promise<Response> => {
  const answer = fetch(request);
  const timeout = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ANSWER_TIMEOUT_MS));
  const firstAnswer = await Promise.race([answer, timeout]).catch(() => undefined);
  if (firstAnswer !== undefined) return firstAnswer;
  return (await findStoredDocument()) ?? answer;
};

const findStoredDocument = async (): Promise<Response | undefined> => (await caches.open(CACHE_NAME)).match(SHELL);

const loadFile = async (request: Request): Promise<Response> =>
  (await (await caches.open(CACHE_NAME)).match(request, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request);

/** Whether the response is a file of the UI. A redirect leads to another page. */
const isFile = ({ ok, redirected }: Response): boolean => ok && !redirected;
