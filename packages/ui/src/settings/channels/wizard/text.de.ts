/** German texts of this folder. */

// new-channel-page.tsx
export const channels = "Kanäle";
export const addChannel = "Kanal hinzufügen";
export const stepTitles = {
  platform: "Plattform",
  token: "Konto",
  access: "Zugriff",
  pairing: "Kopplung",
  test: "Probe",
} as const;
export const stepDone = "(fertig)";

// platform-step.tsx
export const platform = "Chat-Plattform";
export const next = "Weiter";

// platforms.ts
export const telegramDetail = "Ein Bot in Telegram, für Direktchats und Gruppen.";
export const botToken = "Bot-Token";
export const telegramSteps = [
  "Öffne Telegram und schreibe /newbot an @BotFather.",
  "Wähle einen Namen für den Bot und einen Benutzernamen, der auf „bot“ endet.",
  "Kopiere das Token, das @BotFather sendet, und füge es hier ein.",
] as const;
export const wrongTelegramToken =
  "Ein Bot-Token besteht aus einer Zahl, einem Doppelpunkt und Buchstaben. Kopiere es vollständig.";
export const writeToTelegram = (account: string): string =>
  account === ""
    ? "Öffne deinen Bot in Telegram und schreibe ihm eine beliebige Nachricht."
    : `Öffne ${account} in Telegram und schreibe eine beliebige Nachricht.`;

// token-step.tsx
export const tokenHint = "Hearth speichert das Token in einer eigenen Datei und zeigt es nie an.";
export const tokenRefused = (name: string): string => `${name} nimmt dieses Token nicht an`;
export const checkToken = "Token prüfen";
export const back = "Zurück";

// access-step.tsx
export const tokenAccepted = (account: string): string => `Verbunden mit ${account}`;
export const answeringAgent = "Agent, der antwortet";
export const senders = "Absender";
export const modes = {
  pairing: {
    title: "Personen mit einem Code",
    detail: "Ein neuer Absender erhält einen Code, und du lässt ihn damit zu.",
  },
  allow: { title: "Nur diese Konten", detail: "Nachrichten anderer Absender werden ignoriert." },
  open: {
    title: "Alle",
    detail:
      "Alle auf der Plattform können dem Agenten schreiben und Kosten verursachen. Erfordert eine frische Anmeldung.",
  },
} as const;
export const allowedSenders = "Zugelassene Konten";
export const allowedSendersHint = "Die IDs der Konten, durch Kommas getrennt.";
export const directOnly = "Gruppen ignorieren";
export const mentionRequired = "Nur Nachrichten, die den Agenten erwähnen, auch in Direktchats";
export const connect = "Verbinden";
export const channelAdded = (name: string): string => `${name} hinzugefügt.`;

// pairing-step.tsx
export const noSuchChannel = (name: string): string => `Es gibt keinen Kanal „${name}“.`;
export const waitingForMessage = "Warten auf eine Nachricht";
export const codeSentTo = (names: string): string => `Code gesendet an ${names}.`;
export const code = "Zugangscode";
export const codeHint = "Die Antwort auf deine Nachricht enthält ihn.";
export const person = "Person in diesem Haus";
export const personHint = "Der Absender erhält den Zugriff dieser Person.";
export const you = (name: string): string => `${name} (du)`;
export const newPerson = "Eine neue Person";
export const noCodeNeeded = "Es ist kein Code nötig. Der Agent antwortet dort.";
export const approve = "Zulassen";
export const senderApproved = (name: string): string => `${name} zugelassen.`;
export const later = "Später koppeln";
export const done = "Fertig";

// test-step.tsx
export const testIntroduction =
  "Der Absender ist zugelassen. Sende eine Testnachricht, um zu sehen, dass das Haus dort schreiben kann.";
export const sendTestMessage = "Testnachricht senden";
export const testArrived = "Die Testnachricht wurde zugestellt";
export const testArrivedDetail = "Suche sie auf der Plattform, und schreibe dem Agenten dann dort.";
export const testFailed = "Die Testnachricht wurde nicht zugestellt";
export const sendingTest = "Wird gesendet";
export const codeExample = "7K3M-Q9TX";
