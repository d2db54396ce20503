/** German texts of this folder. */

// push.ts
export const noWorker = "Der Browser hat den Service Worker der App nicht installiert.";
export const noWorkerHint = "Lade diese Seite neu, und schalte die Benachrichtigungen noch einmal ein.";
export const notificationsDenied = "Der Browser erlaubt dieser Seite keine Benachrichtigungen.";
export const notificationsDeniedHint =
  "Erlaube sie in den Einstellungen des Browsers für diese Seite, und schalte die Benachrichtigungen dann noch einmal ein.";
export const noSubscription = "Der Push-Dienst des Browsers hat die Anmeldung nicht angenommen.";
export const noSubscriptionHint =
  "Prüfe, ob dieses Gerät online ist und der Browser Push-Nachrichten erlaubt, und versuche es dann erneut.";

// recorder.ts
export const microphoneDenied = "Der Browser erlaubt dieser Seite nicht, das Mikrofon zu verwenden.";
export const microphoneDeniedHint =
  "Erlaube es in den Einstellungen des Browsers für diese Seite, und versuche es erneut.";
export const noMicrophone = "Der Browser hat kein Mikrofon gefunden.";
export const noMicrophoneHint = "Schließe eines an, und versuche es erneut.";
export const recordingDamaged = "Die Aufnahme ist zu kurz oder beschädigt.";
export const recordingDamagedHint = "Nimm noch einmal auf.";
