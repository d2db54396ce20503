/** German texts of this folder. */

// agent-step.tsx
export const yourAgent = "Dein Agent";
export const yourAgentDetail =
  "Der Agent beantwortet deine Nachrichten, merkt sich Dinge für dich und arbeitet mit Dateien in seinem Arbeitsbereich.";
export const agentName = "Name des Agenten";
export const enterAgentName = "Gib einen Namen ein, oder überspringe diesen Schritt.";
export const style = "Stil (optional)";
export const styleHint = "Wird an die Anweisungen des Agenten angehängt. Eine Zeile reicht.";
export const styleExample = "Kurze Antworten, trockener Humor, Englisch, wenn ich Englisch schreibe.";

// model-step.tsx
export const model = "Modell";
export const modelOf = (agent: string): string =>
  `Das Sprachmodell von ${agent}. Der Anbieter berechnet dir vielleicht etwas, Hearth nicht.`;
export const yourAgentInText = "deinem Agenten";
export const finishAnyway = "Trotzdem abschließen";
export const modelSource = "Modellquelle";

// step-frame.tsx
export const progress = (step: number, count: number): string => `${step} von ${count}`;
export const finish = "Abschließen";
export const nextStep = "Weiter";
export const skip = "Überspringen";
export const back = "Zurück";

// welcome-page.tsx
export const loading = "Wird geladen";
export const hearth = "Hearth";
export const skipAll = "Alles überspringen";
export const tryAgain = "Erneut versuchen";
export const setupNotCompleted = "Die Einrichtung konnte nicht abgeschlossen werden.";
export const setupNotCompletedDetail =
  "Deine Einstellungen sind gespeichert. Diese Seite erscheint beim nächsten Mal wieder.";

// you-step.tsx
export const enterYourName = "Gib deinen Namen ein, oder überspringe diesen Schritt.";
export const yourProfile = "Dein Profil";
export const yourProfileDetail =
  "Dein Agent verwendet deinen Namen. Du kannst alles später in den Einstellungen ändern.";
export const yourName = "Dein Name";
export const yourTimeZone = "Deine Zeitzone";
export const timeZoneHint = "Für Zeitangaben wie „heute“ und „um neun“.";
