/** German texts of this folder. */

// name-browser.ts
export const browserOn = (browser: string, system: string): string => `${browser} unter ${system}`;
export const unknownBrowser = "Unbekannter Browser";

// password-section.tsx
export const saved = "Gespeichert.";
export const passwordTitle = "Passwort";
export const you = "Du";
export const passwordIntroduction = (name: string, handle: string): string =>
  `${name} ${name === you ? "kannst dich" : "kann sich"} mit dem Namen ${handle} und diesem Passwort in jedem Browser anmelden, der dieses Haus erreicht.`;
export const passwordTooShort = (minPasswordLength: number): string =>
  `Verwende mindestens ${minPasswordLength} Zeichen, zum Beispiel ein paar Wörter.`;
export const passwordIsSet = "Ein Passwort ist festgelegt.";
export const noPasswordIsSet = "Es ist kein Passwort festgelegt.";
export const currentPassword = "Aktuelles Passwort";
export const newPassword = "Neues Passwort";
export const newPasswordHint = (minPasswordLength: number): string => `Mindestens ${minPasswordLength} Zeichen.`;
export const changePassword = "Passwort ändern";
export const setPassword = "Passwort festlegen";
export const savedState = "Gespeichert";
export const passwordSaved = (loggedOut: number, isOwn: boolean): string =>
  `Gespeichert. ${loggedOut} ${isOwn ? (loggedOut === 1 ? "anderer " : "andere ") : ""}Browser abgemeldet.`;

// identities-section.tsx
export const linkedAccounts = "Verknüpfte Konten";
export const linkedAccountsDetail = "Konten bei anderen Diensten, mit denen du dich anmeldest.";
export const linkedAccountsOf = (name: string): string =>
  `Konten bei anderen Diensten, mit denen ${name} sich anmeldet.`;
export const noLinkedAccounts = "Keine verknüpften Konten";
export const linked = "Verknüpft: ";
export const lastLogin = "Letzte Anmeldung: ";
export const unlink = "Trennen";
export const unlinkAccount = (account: string): string => `${account} trennen`;
export const unlinkEffect =
  "Du kannst dich mit diesem Konto nicht mehr anmelden. Angemeldete Geräte bleiben angemeldet.";
export const unlinkEffectOther =
  "Die Person kann sich mit diesem Konto nicht mehr anmelden. Angemeldete Geräte bleiben angemeldet.";
export const accountUnlinked = (account: string): string => `${account} getrennt.`;
export const linkAccountAt = (provider: string): string => `Konto bei ${provider} verknüpfen`;
export const linkEffect = (provider: string): string =>
  `${provider} öffnet sich in diesem Fenster. Melde dich dort mit dem Konto an, das du für Hearth verwenden möchtest.`;
export const link = "Weiter";

// sessions-section.tsx
export const devices = "Geräte";
export const devicesDetail = "Browser, in denen du angemeldet bist.";
export const device = "Gerät";
export const noDevices = "Keine Geräte";
export const thisDevice = "Dieses Gerät";
export const lastUse = "Zuletzt genutzt";
export const loggedIn = "Angemeldet";
export const address = "Adresse";
export const logOutCount = (count: number): string => (count === 1 ? "1 Gerät abmelden" : `${count} Geräte abmelden`);
export const loggedOutCount = (count: number): string =>
  count === 1 ? "1 Gerät abgemeldet." : `${count} Geräte abgemeldet.`;
export const logOut = "Abmelden";
export const rename = "Umbenennen";
export const renameBrowser = (browser: string): string => `${browser} umbenennen`;
export const deviceName = "Gerätename";
export const deviceNameHint = "Lass das Feld leer, um den Browser anzuzeigen.";
export const save = "Speichern";
export const cancel = "Abbrechen";
export const noOtherSessions = "Keine anderen Geräte";
export const allOtherSessionsEnded = "Alle anderen Geräte abgemeldet.";
export const logOutAllOthers = "Alle anderen abmelden";

// add-device.tsx
export const addDevice = "Gerät hinzufügen";
export const scanCode = "Scanne diesen Code mit der Kamera des neuen Geräts, und drücke dort „Anmelden“.";
export const scanCodeDetail = "Der Link funktioniert einmal, innerhalb von 5 Minuten. Gib ihn nicht weiter.";
export const qrOfDeviceLink = "QR-Code des Anmeldelinks";
export const deviceLoggedIn = (device: string): string => `${device} ist angemeldet.`;
export const waitingForDevice = "Warten auf das Gerät";

// passkeys-section.tsx
export const passkeys = "Passkeys";
export const passkeysDetail =
  "Mit einem Passkey meldest du dich mit deinem Fingerabdruck, deinem Gesicht oder der PIN eines Geräts an, ohne Passwort und ohne Code.";
export const passkeysOf = (name: string): string =>
  `Wenn ${name} ein Gerät verloren hat, entferne hier den zugehörigen Passkey.`;
export const noPasskeys = "Keine Passkeys";
export const name = "Name";
export const worksAt = "Gilt für";
export const added = "Hinzugefügt";
export const neverUsed = "Nie genutzt";
export const remove = "Entfernen";
export const renamePasskey = (name: string): string => `Passkey ${name} umbenennen`;
export const removePasskeyCount = (count: number): string =>
  count === 1 ? "1 Passkey entfernen" : `${count} Passkeys entfernen`;
export const removePasskeys = (count: number): string =>
  count === 1 ? "1 Passkey entfernen?" : `${count} Passkeys entfernen?`;
export const removePasskeyEffect =
  "Mit einem entfernten Passkey ist keine Anmeldung mehr möglich. Angemeldete Geräte bleiben angemeldet. Du kannst sie unter „Geräte“ abmelden.";
export const passkeysRemoved = (count: number): string =>
  count === 1 ? "1 Passkey entfernt." : `${count} Passkeys entfernt.`;

// passkey-name.tsx
export const passkeyName = "Name des Passkeys";
export const passkeyNameHint = "Zum Beispiel der Name des Geräts.";

// add-passkey.tsx
export const addPasskey = "Passkey hinzufügen";
export const passkeyAdded = (name: string): string => `Passkey ${name} hinzugefügt.`;

// second-factor-section.tsx
export const copy = "Kopieren";
export const secondFactor = "Zweiter Faktor";
export const secondFactorDetail =
  "Mit einem zweiten Faktor braucht eine Anmeldung auch einen Code aus einer App auf deinem Smartphone. Ein gestohlenes Passwort reicht dann nicht.";
export const secondFactorOf = (name: string): string =>
  `Wenn ${name} das Smartphone und die Wiederherstellungscodes verloren hat, schalte den zweiten Faktor hier aus. ${name} kann ihn danach wieder einrichten.`;
export const secondFactorIsOff = "Der zweite Faktor ist ausgeschaltet.";
export const secondFactorIsOn = "Eingeschaltet: ";
export const recoveryCodesLeft = (count: number): string =>
  ` · noch ${count} ${count === 1 ? "Wiederherstellungscode" : "Wiederherstellungscodes"}`;
export const recoveryCodesShown =
  "Wiederherstellungscodes. Jeder funktioniert einmal, anstelle eines Codes der App. Sie werden nur einmal angezeigt: Bewahre sie an einem sicheren Ort auf.";
export const turnOffSecondFactor = "Zweiten Faktor ausschalten";
export const turnOff = "Ausschalten";
export const turnOffEffect = "Anmeldungen brauchen dann keinen Code. Deine Wiederherstellungscodes gelten nicht mehr.";
export const turnOffEffectOf = (name: string): string =>
  `Anmeldungen von ${name} brauchen dann keinen Code. Die Wiederherstellungscodes gelten nicht mehr.`;

// code-field.tsx
export const code = "Code";

// renew-codes.tsx
export const newRecoveryCodes = "Wiederherstellungscodes erstellen";
export const newRecoveryCodesEffect = "Die alten Wiederherstellungscodes gelten dann nicht mehr.";
export const codeHint = "Der Code aus deiner Authenticator-App oder ein Wiederherstellungscode.";

// set-up-second-factor.tsx
export const setUpSecondFactor = "Zweiten Faktor einrichten";
export const scanWithApp = "1. Scanne diesen Code mit einer Authenticator-App.";
export const qrOfApp = "QR-Code für eine Authenticator-App";
export const enterKeyInApp = "Wenn du ihn nicht scannen kannst, gib diesen Schlüssel in der App ein:";
export const firstCodeHint = "2. Der Code, den die App jetzt anzeigt.";
export const turnOnSecondFactor = "Zweiten Faktor einschalten";
