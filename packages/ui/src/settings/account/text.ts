/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// name-browser.ts
export const browserOn = (browser: string, system: string): string => `${browser} on ${system}`;
export const unknownBrowser = "Unknown browser";

// password-section.tsx
export const saved = "Saved.";
export const passwordTitle = "Password";
export const you = "You";
export const passwordIntroduction = (name: string, handle: string): string =>
  `${name} can log in with the name ${handle} and this password from any browser that can reach this house.`;
export const passwordTooShort = (minPasswordLength: number): string =>
  `Use at least ${minPasswordLength} characters, for example a few words.`;
export const passwordIsSet = "A password is set.";
export const noPasswordIsSet = "No password is set.";
export const currentPassword = "Current password";
export const newPassword = "New password";
export const newPasswordHint = (minPasswordLength: number): string => `At least ${minPasswordLength} characters.`;
export const changePassword = "Change password";
export const setPassword = "Set password";
export const savedState = "Saved";
export const passwordSaved = (loggedOut: number, isOwn: boolean): string =>
  `Saved. Logged out ${loggedOut} ${isOwn ? "other " : ""}${loggedOut === 1 ? "browser" : "browsers"}.`;

// identities-section.tsx
export const linkedAccounts = "Linked accounts";
export const linkedAccountsDetail = "Accounts at other services that you use to log in.";
export const linkedAccountsOf = (name: string): string => `Accounts at other services that ${name} uses to log in.`;
export const noLinkedAccounts = "No linked accounts";
export const linked = "Linked ";
export const lastLogin = "Last login ";
export const unlink = "Unlink";
export const unlinkAccount = (account: string): string => `Unlink ${account}`;
export const unlinkEffect = "You can no longer log in with this account. Devices that are logged in stay logged in.";
export const unlinkEffectOther =
  "The person can no longer log in with this account. Devices that are logged in stay logged in.";
export const accountUnlinked = (account: string): string => `Unlinked ${account}.`;
export const linkAccountAt = (provider: string): string => `Link account at ${provider}`;
export const linkEffect = (provider: string): string =>
  `${provider} opens in this window. Log in there with the account that you want to use for Hearth.`;
export const link = "Continue";

// sessions-section.tsx
export const devices = "Devices";
export const devicesDetail = "Browsers in which you are logged in.";
export const device = "Device";
export const noDevices = "No devices";
export const thisDevice = "This device";
export const lastUse = "Last use";
export const loggedIn = "Logged in";
export const address = "Address";
export const logOutCount = (count: number): string => (count === 1 ? "Log out 1 device" : `Log out ${count} devices`);
export const loggedOutCount = (count: number): string =>
  count === 1 ? "1 device logged out." : `${count} devices logged out.`;
export const logOut = "Log out";
export const rename = "Rename";
export const renameBrowser = (browser: string): string => `Rename ${browser}`;
export const deviceName = "Device name";
export const deviceNameHint = "Leave it empty to show the browser.";
export const save = "Save";
export const cancel = "Cancel";
export const noOtherSessions = "No other devices";
export const allOtherSessionsEnded = "All other devices logged out.";
export const logOutAllOthers = "Log out all others";

// add-device.tsx
export const addDevice = "Add device";
export const scanCode = "Scan this code with the camera of the new device, and press “Log in” there.";
export const scanCodeDetail = "The link works once, within 5 minutes. Do not share it.";
export const qrOfDeviceLink = "QR code of the login link";
export const deviceLoggedIn = (device: string): string => `${device} is logged in.`;
export const waitingForDevice = "Waiting for the device";

// passkeys-section.tsx
export const passkeys = "Passkeys";
export const passkeysDetail =
  "A passkey logs you in with your fingerprint, your face or the PIN of a device, without a password or a code.";
export const passkeysOf = (name: string): string => `If ${name} lost a device, remove its passkey here.`;
export const noPasskeys = "No passkeys";
export const name = "Name";
export const worksAt = "Works at";
export const added = "Added";
export const neverUsed = "Never used";
export const remove = "Remove";
export const renamePasskey = (name: string): string => `Rename passkey ${name}`;
export const removePasskeyCount = (count: number): string =>
  count === 1 ? "Remove 1 passkey" : `Remove ${count} passkeys`;
export const removePasskeys = (count: number): string =>
  count === 1 ? "Remove 1 passkey?" : `Remove ${count} passkeys?`;
export const removePasskeyEffect =
  "Logins with a removed passkey fail. Devices that are logged in stay logged in. You can log them out under Devices.";
export const passkeysRemoved = (count: number): string =>
  count === 1 ? "1 passkey removed." : `${count} passkeys removed.`;

// passkey-name.tsx
export const passkeyName = "Passkey name";
export const passkeyNameHint = "For example the name of the device.";

// add-passkey.tsx
export const addPasskey = "Add passkey";
export const passkeyAdded = (name: string): string => `Passkey ${name} added.`;

// second-factor-section.tsx
export const copy = "Copy";
export const secondFactor = "Second factor";
export const secondFactorDetail =
  "With a second factor, a login also needs a code from an app on your phone, so a stolen password is not enough.";
export const secondFactorOf = (name: string): string =>
  `If ${name} lost their phone and their recovery codes, turn it off here. They can set it up again.`;
export const secondFactorIsOff = "The second factor is off.";
export const secondFactorIsOn = "On since ";
export const recoveryCodesLeft = (count: number): string =>
  ` · ${count} recovery ${count === 1 ? "code" : "codes"} left`;
export const recoveryCodesShown =
  "Recovery codes. Each works once, in place of a code of the app. They are shown only once: keep them in a safe place.";
export const turnOffSecondFactor = "Turn off second factor";
export const turnOff = "Turn off";
export const turnOffEffect = "Logins then need no code. Your recovery codes stop working.";
export const turnOffEffectOf = (name: string): string =>
  `Logins of ${name} then need no code. Their recovery codes stop working.`;

// code-field.tsx
export const code = "Code";

// renew-codes.tsx
export const newRecoveryCodes = "Create recovery codes";
export const newRecoveryCodesEffect = "The old recovery codes stop working.";
export const codeHint = "The code that your authenticator app shows, or a recovery code.";

// set-up-second-factor.tsx
export const setUpSecondFactor = "Set up second factor";
export const scanWithApp = "1. Scan this code with an authenticator app.";
export const qrOfApp = "QR code for an authenticator app";
export const enterKeyInApp = "If you cannot scan it, enter this key in the app:";
export const firstCodeHint = "2. The code that the app now shows.";
export const turnOnSecondFactor = "Turn on second factor";
