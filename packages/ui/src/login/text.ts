/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// login-page.tsx
export const logInToHearth = "Log in to Hearth";
export const sessionEnded = "Your session ended. Log in again to continue. Your drafts are kept.";
export const loginLink = "Login link";
export const loginLinkDetail =
  "Hearth prints a login link on the server when it starts. Open it in this browser, or paste it here.";
export const pastedLink = "Pasted link";
export const logInWithLink = "Log in with link";
export const details = "Details";
export const newLinkCommand = "To print a new login link, run this command on the server:";

// password-form.tsx
export const name = "Name";
export const nameHint = "The name that follows @ when others mention you.";
export const password = "Password";
export const logIn = "Log in";
