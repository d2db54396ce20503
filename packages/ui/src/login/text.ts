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
export const noLoginLink = "No login link?";
export const newLink =
  "In a browser where you are logged in, open Settings, Account, and add this device. Otherwise, ask the person who runs the house for a new link.";

// code-form.tsx
export const enterCode = "Enter your code";
export const code = "Code";
export const codeHint = "The code that your authenticator app shows, or a recovery code.";
export const startAgain = "Start again";

// password-form.tsx
export const name = "Name";
export const nameHint = "The name that follows @ when others mention you.";
export const password = "Password";
export const logIn = "Log in";

// passkey-button.tsx
export const logInWithPasskey = "Log in with a passkey";

// provider-buttons.tsx
export const logInWith = (provider: string): string => `Log in with ${provider}`;

// confirm-login.tsx
export const confirmLogin = "Confirm that it is you";
export const confirmLoginDetail =
  "This change needs a login in the last 15 minutes. After you confirm, Hearth makes the change that you asked for.";
export const confirmLinkDetail = "Instead, you can create a login link on the server and paste it here.";
export const confirmOnlyLinkDetail =
  "You have no password, passkey or linked account. Create a login link on the server, and paste it here.";
export const confirmProviderDetail = "Log in again in a new tab, then continue here.";
export const resumeAfterLogin = "Continue after login";
export const otherPerson = "You logged in as another person. Log in as the person of this page.";
export const confirm = "Confirm";
export const confirmWithPasskey = "Confirm with a passkey";
export const confirmWithLink = "Confirm with link";

// invite-page.tsx
export const invitation = "Invitation";
export const linkDoesNotWork = "This link does not work";
export const joinHouse = (house: string): string => `Join ${house}`;
export const invitedToHouse = (by: string, role: string): string => `${by} invites you as ${role} of the house.`;
export const invitedToRooms = (by: string, role: string, rooms: string): string =>
  `${by} invites you as ${role} in ${rooms}.`;
export const roleNames = { r: "a viewer", w: "a member", x: "an admin" } as const;
export const invitedWhileLoggedIn =
  "An invite link creates a new person. To use it, open it in a browser in which you are not logged in.";

// join-form.tsx
export const yourName = "Your name";
export const yourNameHint = "Others in the house see it. You log in with it.";
export const enterYourName = "Enter your name.";
export const newPassword = "Password";
export const passwordHint = (length: number): string => `At least ${length} characters.`;
export const passwordTooShort = (length: number): string =>
  `Use at least ${length} characters, for example a few words.`;
export const join = "Join";

// pair-page.tsx
export const logInOnThisDevice = "Log in on this device";
export const logInOnThisDeviceDetail =
  "A device that is logged in created this link. It works once, within 5 minutes. Use it only if the device is yours.";
export const alreadyLoggedIn = (name: string): string => `You are logged in as ${name}`;
export const alreadyLoggedInDetail = "To log in as another person, log out first.";
export const openHearth = "Open Hearth";
export const loading = "Loading";

// login-alert.tsx
export const newLogins = "New logins";
export const newLogin = (device: string): string => `New login: ${device}`;
export const fromAddress = (address: string): string => `From ${address} · `;
export const notYouDetail = " · If this was not you, log the device out and change your password.";
export const logOut = "Log out";
export const logOutDevice = (device: string): string => `Log out ${device}`;
export const dismiss = "Dismiss";
export const devices = "View devices";
