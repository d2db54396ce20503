/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// answer-view.tsx
export const tryAgain = "Try again";
export const loading = "Loading";

// command.tsx
export const copied = "Copied.";
export const copyingNotAvailable = "Copying is not available in this browser. Select the text and copy it.";
export const copiedState = "Copied";
export const copyText = (text: string): string => `Copy ${text}`;

// copy-button.tsx
export const copyingNotAvailableState = "Copying not available";

// lazy-part.tsx
export const pageIsOutdated = "This page is from an older version of Hearth.";
export const reload = "Reload";
export const pageIsOutdatedDetail = "Reload the page to continue. Your drafts are kept in this browser.";
export const pageCouldNotBeLoaded = "This page could not be loaded.";
export const retriesWhenConnected = "Hearth retries when the connection is back.";

// room-title.ts
export const newChat = "New chat";

// time.tsx
/** Less than a minute ago. */
export const now = "now";
