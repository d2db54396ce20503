/** Subscribes to notifications through the browser's Push API. The UI loads this module on first use. */
import { HearthError } from "@hearth/protocol";
import type { PushBrowser, PushProblem } from "../../../house/push-browser.ts";
import { nameBrowser } from "../../../settings/account/name-browser.ts";
import * as texts from "./text.ts";

/** Maximum length of a device name. */
const MAX_NAME_LENGTH = 100;

export const createPushBrowser = (window: Window & typeof globalThis): PushBrowser => {
  const { navigator } = window;

  /** Returns the registration of the UI's worker. Throws if the browser did not accept the worker. */
  const getRegistration = async (): Promise<ServiceWorkerRegistration> => {
    const existing = await navigator.serviceWorker.getRegistration("/ui/");
    if (existing === undefined)
      throw new HearthError("request.invalid", texts.noWorker, {
        hint: texts.noWorkerHint,
      });
    return navigator.serviceWorker.ready;
  };

  const problemOf = (isPush: boolean): PushProblem | undefined => {
    if (!window.isSecureContext) return "insecure";
    const isSupported =
      "serviceWorker" in navigator && "Notification" in window && (!isPush || "PushManager" in window);
    if (isSupported) return window.Notification.permission === "denied" ? "denied" : undefined;
    // Safari on phones offers notifications to installed apps only.
    return /iPhone|iPad/.test(navigator.userAgent) ? "install-first" : "unsupported";
  };

  const requestPermission = async (): Promise<void> => {
    if ((await window.Notification.requestPermission()) === "granted") return;
    throw new HearthError("request.invalid", texts.notificationsDenied, {
      hint: texts.notificationsDeniedHint,
    });
  };

  return {
    requestPermission: requestPermission,
    problem: () => problemOf(true),
    pageProblem: () => problemOf(false),
    isPermitted: () => problemOf(false) === undefined && window.Notification.permission === "granted",
    isInFront: () => !window.document.hidden && window.document.hasFocus(),

    async notify(notice) {
      (await getRegistration()).active?.postMessage(JSON.stringify(notice));
    },

    async isSubscribed() {
      const existing = await navigator.serviceWorker.getRegistration("/ui/");
      // Browsers without a push service have workers without this part.
      return ((await existing?.pushManager?.getSubscription()) ?? undefined) !== undefined;
    },

    async subscribe(publicKey) {
      await requestPermission();
      const { pushManager } = await getRegistration();
      // Removes a subscription that was made for an earlier key of the house, because it blocks a new one.
      await (await pushManager.getSubscription())?.unsubscribe();
      try {
        const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
        const { endpoint = "", keys = {} } = subscription.toJSON();
        const { p256dh = "", auth = "" } = keys;
        return { name: nameBrowser(navigator.userAgent).slice(0, MAX_NAME_LENGTH), endpoint, keys: { p256dh, auth } };
      } catch (cause) {
        throw new HearthError("request.invalid", texts.noSubscription, {
          hint: texts.noSubscriptionHint,
          cause,
        });
      }
    },

    async unsubscribe() {
      const existing = await navigator.serviceWorker.getRegistration("/ui/");
      await (await existing?.pushManager.getSubscription())?.unsubscribe();
    },
  };
};
