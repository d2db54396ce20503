/** German texts of this folder. */

// passkeys.ts
export const passkeyExists = "Auf diesem Gerät gibt es schon einen Passkey von dir für dieses Haus.";
export const passkeyExistsHint = "Verwende ihn, oder entferne ihn zuerst.";
export const noPasskey = "Der Browser hat keinen Passkey geliefert.";
export const noPasskeyHint =
  "Versuche es erneut, und bestätige mit dem Fingerabdruck, dem Gesicht oder der PIN des Geräts.";
