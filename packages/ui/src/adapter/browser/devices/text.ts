/** User-facing texts of this folder, in the order of its files. */

// push.ts
export const noWorker = "The browser did not install the app's service worker.";
export const noWorkerHint = "Reload this page and turn notifications on again.";
export const notificationsDenied = "The browser does not allow notifications from this page.";
export const notificationsDeniedHint =
  "Allow them in the browser's settings for this page, then turn notifications on again.";
export const noSubscription = "The browser's push service accepted no subscription.";
export const noSubscriptionHint =
  "Check that this device is online and that the browser allows push messages, then try again.";

// recorder.ts
export const microphoneDenied = "The browser does not allow this page to use the microphone.";
export const microphoneDeniedHint = "Allow it in the browser's settings for this page, and try again.";
export const noMicrophone = "The browser found no microphone.";
export const noMicrophoneHint = "Connect one, and try again.";
export const recordingDamaged = "The recording is too short or damaged.";
export const recordingDamagedHint = "Record again.";
