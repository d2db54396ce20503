/** German texts of this folder. */

// login-page.tsx
export const logInToHearth = "Bei Hearth anmelden";
export const sessionEnded =
  "Deine Sitzung ist abgelaufen. Melde dich erneut an, um fortzufahren. Deine Entwürfe bleiben erhalten.";
export const loginLink = "Anmeldelink";
export const loginLinkDetail =
  "Hearth gibt beim Start auf dem Server einen Anmeldelink aus. Öffne ihn in diesem Browser, oder füge ihn hier ein.";
export const pastedLink = "Eingefügter Link";
export const logInWithLink = "Mit Link anmelden";
export const noLoginLink = "Kein Anmeldelink?";
export const newLink =
  "Öffne in einem Browser, in dem du angemeldet bist, unter Einstellungen die Seite Konto und füge dieses Gerät hinzu. Sonst bitte die Person, die das Haus betreibt, um einen neuen Link.";

// code-form.tsx
export const enterCode = "Code eingeben";
export const code = "Code";
export const codeHint = "Der Code aus deiner Authenticator-App oder ein Wiederherstellungscode.";
export const startAgain = "Neu beginnen";

// password-form.tsx
export const name = "Name";
export const nameHint = "Der Name, der nach dem @ steht, wenn andere dich erwähnen.";
export const password = "Passwort";
export const logIn = "Anmelden";

// passkey-button.tsx
export const logInWithPasskey = "Mit Passkey anmelden";

// provider-buttons.tsx
export const logInWith = (provider: string): string => `Mit ${provider} anmelden`;

// confirm-login.tsx
export const confirmLogin = "Bestätige, dass du es bist";
export const confirmLoginDetail =
  "Diese Änderung braucht eine Anmeldung in den letzten 15 Minuten. Nach der Bestätigung führt Hearth die Änderung aus.";
export const confirmLinkDetail = "Du kannst stattdessen auf dem Server einen Anmeldelink erstellen und hier einfügen.";
export const confirmOnlyLinkDetail =
  "Du hast kein Passwort, keinen Passkey und kein verknüpftes Konto. Erstelle auf dem Server einen Anmeldelink, und füge ihn hier ein.";
export const confirmProviderDetail = "Melde dich in einem neuen Tab noch einmal an, und fahre dann hier fort.";
export const resumeAfterLogin = "Nach der Anmeldung fortfahren";
export const otherPerson = "Du hast dich als andere Person angemeldet. Melde dich als die Person dieser Seite an.";
export const confirm = "Bestätigen";
export const confirmWithPasskey = "Mit Passkey bestätigen";
export const confirmWithLink = "Mit Link bestätigen";

// invite-page.tsx
export const invitation = "Einladung";
export const linkDoesNotWork = "Dieser Link funktioniert nicht";
export const joinHouse = (house: string): string => `${house} beitreten`;
export const invitedToHouse = (by: string, role: string): string => `${by} lädt dich als ${role} in das Haus ein.`;
export const invitedToRooms = (by: string, role: string, rooms: string): string =>
  `${by} lädt dich als ${role} ein: ${rooms}.`;
export const roleNames = { r: "Betrachter", w: "Mitglied", x: "Admin" } as const;
export const invitedWhileLoggedIn =
  "Ein Einladungslink legt eine neue Person an. Öffne ihn in einem Browser, in dem du nicht angemeldet bist.";

// join-form.tsx
export const yourName = "Dein Name";
export const yourNameHint = "Andere im Haus sehen ihn. Du meldest dich damit an.";
export const enterYourName = "Gib deinen Namen ein.";
export const newPassword = "Passwort";
export const passwordHint = (length: number): string => `Mindestens ${length} Zeichen.`;
export const passwordTooShort = (length: number): string =>
  `Verwende mindestens ${length} Zeichen, zum Beispiel ein paar Wörter.`;
export const join = "Beitreten";

// pair-page.tsx
export const logInOnThisDevice = "Auf diesem Gerät anmelden";
export const logInOnThisDeviceDetail =
  "Ein angemeldetes Gerät hat diesen Link erstellt. Er funktioniert einmal, innerhalb von 5 Minuten. Verwende ihn nur, wenn das Gerät dir gehört.";
export const alreadyLoggedIn = (name: string): string => `Du bist als ${name} angemeldet`;
export const alreadyLoggedInDetail = "Melde dich zuerst ab, um dich als eine andere Person anzumelden.";
export const openHearth = "Hearth öffnen";
export const loading = "Wird geladen";

// login-alert.tsx
export const newLogins = "Neue Anmeldungen";
export const newLogin = (device: string): string => `Neue Anmeldung: ${device}`;
export const fromAddress = (address: string): string => `Von ${address} · `;
export const notYouDetail = " · Wenn du das nicht warst, melde das Gerät ab und ändere dein Passwort.";
export const logOut = "Abmelden";
export const logOutDevice = (device: string): string => `${device} abmelden`;
export const dismiss = "Ausblenden";
export const devices = "Geräte anzeigen";
