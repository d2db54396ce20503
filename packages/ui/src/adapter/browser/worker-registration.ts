/** Registers the service worker of the UI. */
import { language } from "../../language/text.ts";

/** Each language has its own worker, which keeps the files of that language. */
const SCRIPT = language === "en" ? "/ui/worker.js" : `/ui/worker.${language}.js`;
const SCOPE = "/ui/";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(url: string): string };
}

export interface WorkerWindow {
  readonly navigator: Navigator;
  /** Undefined in browsers without the Trusted Types API. */
  readonly trustedTypes?: TrustedTypes;
}

export const registerWorker = ({ navigator, trustedTypes }: WorkerWindow): Promise<ServiceWorkerRegistration> =>
  // `none`: the browser fetches the worker from the house at each visit, even if its caches contain the worker.
  navigator.serviceWorker.register(createScriptUrl(trustedTypes), { scope: SCOPE, updateViaCache: "none" });

/**
 * Returns the address of the worker. The page's policy accepts only addresses made by this Trusted
 * Types policy.
 */
const createScriptUrl = (types: TrustedTypes | undefined): string =>
  types === undefined
    ? SCRIPT
    : types.createPolicy("hearth-worker", { createScriptURL: () => SCRIPT }).createScriptURL(SCRIPT);
