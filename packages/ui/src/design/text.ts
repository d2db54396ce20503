/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */
import type { ErrorCode, RemedyCode } from "@hearth/protocol";

// announcer.tsx
export const announcements = "Announcements";
export const dismiss = "Dismiss";

// button.tsx
export const loading = "Loading";

// dialog.tsx
export const close = "Close";
export const cancel = "Cancel";

// error-words.ts
interface OwnError {
  readonly title: (name: string) => string;
  readonly text?: string;
}

export const theModelProvider = "The model provider";
export const theModel = "The model";
export const requestFailed = "The action failed.";
/** Replaces local addresses in errors. */
export const thisMachine = "this machine";
export const quoted = (text: string): string => `“${text}”`;
export const cannotBeReached = (name: string): string => `${name} cannot be reached.`;
export const didNotAnswerInTime = (name: string): string => `${name} did not answer in time.`;
export const isBusy = (name: string): string => `${name} is busy.`;
export const reportedAnError = (name: string): string => `${name} reported an error.`;
const otherModel = "Try again in a moment, or choose another model.";
/** Errors whose message is replaced. `name`: the provider. */
export const ownErrors: Partial<Record<ErrorCode, OwnError>> = {
  "provider.unknown": {
    title: () => "This model is not available.",
    text: "Choose a model of a provider that is set up.",
  },
  "provider.auth": { title: (name) => `${name} does not accept the key.`, text: "Check the key, or enter a new one." },
  "provider.rate-limited": { title: (name) => `${name} limits requests.`, text: otherModel },
  "provider.overloaded": { title: isBusy, text: otherModel },
  "provider.unreachable": {
    title: cannotBeReached,
    text: "Check that it runs, and the address in its settings.",
  },
  "provider.timeout": { title: didNotAnswerInTime, text: otherModel },
  "provider.refused": { title: (name) => `${name} refused the request.` },
  "provider.context-overflow": { title: () => "This conversation is too long for the model." },
  "provider.malformed": { title: (name) => `${name} sent an answer that cannot be read.`, text: "Check its address." },
  "provider.truncated": { title: (name) => `The answer of ${name} broke off.`, text: "Try again." },
  "provider.failed": { title: reportedAnError, text: "Try again in a moment." },
  "provider.aborted": { title: () => "The request was stopped." },
};
export const remedies: Partial<Record<RemedyCode, string>> = {
  "change-budget": "An admin can change the budget.",
  "log-in": "Log in again.",
  "see-system": "The system page shows what is wrong.",
};
export const checkProvider = "Check provider";
export const chooseModel = "Choose a model";
export const changeBudget = "Change budget";
export const openSystemPage = "Open system page";

// filter-bar.tsx
export const clearFilters = "Clear filters";

// notice.tsx
export const details = "Details";
export const pageFailed = "Something went wrong on this page.";
export const pageFailedDetail = "Try again. If the error returns, reload the page.";

// table.tsx
export const selectAll = "Select all";
export const select = (name: string): string => `Select ${name}`;
