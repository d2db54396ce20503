/** German texts of this folder. */

// answer-view.tsx
export const tryAgain = "Erneut versuchen";
export const loading = "Wird geladen";

// command.tsx
export const copied = "Kopiert.";
export const copyingNotAvailable = "In diesem Browser ist Kopieren nicht verfügbar. Markiere den Text und kopiere ihn.";
export const copiedState = "Kopiert";
export const copyText = (text: string): string => `${text} kopieren`;

// copy-button.tsx
export const copyingNotAvailableState = "Kopieren nicht verfügbar";

// lazy-part.tsx
export const pageIsOutdated = "Diese Seite stammt von einer älteren Version von Hearth.";
export const reload = "Neu laden";
export const pageIsOutdatedDetail =
  "Lade die Seite neu, um fortzufahren. Deine Entwürfe bleiben in diesem Browser erhalten.";
export const pageCouldNotBeLoaded = "Diese Seite konnte nicht geladen werden.";
export const retriesWhenConnected = "Hearth versucht es erneut, sobald die Verbindung wieder da ist.";

// room-title.ts
export const newChat = "Neuer Chat";

// time.tsx
/** Less than a minute ago. */
export const now = "jetzt";
