/** Errors of the browser, in the order of the files of this folder. */

// passkeys.ts
export const passkeyExists = "This device already has a passkey of yours for this house.";
export const passkeyExistsHint = "Use that one, or remove it first.";
export const noPasskey = "The browser returned no passkey.";
export const noPasskeyHint = "Try again, and confirm with the fingerprint, the face or the PIN of the device.";
