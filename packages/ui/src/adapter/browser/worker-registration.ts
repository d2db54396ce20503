/** Registers the service worker of the UI. */

const SCRIPT = "/ui/worker.js";
const SCOPE = "/ui/";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(url: string): string };
}

export interface WorkerWindow {
  readonly navigator: Navigator;
  /** Not in all browsers. */
  readonly trustedTypes?: TrustedTypes;
}

export const registerWorker = ({ navigator, trustedTypes }: WorkerWindow): Promise<ServiceWorkerRegistration> =>
  // `none`: the browser asks the house for the worker at each visit, whatever its caches hold.
  navigator.serviceWorker.register(nameScript(trustedTypes), { scope: SCOPE, updateViaCache: "none" });

/** The page's policy accepts script addresses of this rule alone, which knows one. */
const nameScript = (types: TrustedTypes | undefined): string =>
  types === undefined
    ? SCRIPT
    : types.createPolicy("hearth-worker", { createScriptURL: () => SCRIPT }).createScriptURL(SCRIPT);
