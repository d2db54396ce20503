/** German texts of this folder. */

// observers-section.tsx
export const measurements = "Messwerte";
export const measurementsIntroduction =
  "Wie lange Läufe, Modelle und Werkzeuge brauchen und wie viele Token sie verwenden. Messwerte enthalten keine Nachrichten und keine Namen von Personen, Agenten oder Chats. Melde dich zuerst mit einem Anmeldelink oder einem Passkey an, um zu ändern, wohin sie gehen. Du kannst es dann 15 Minuten lang ändern.";
export const log = "Log des Hauses";
export const logDetail = "Eine Zeile pro Lauf";
export const prometheus = "Prometheus";
export const prometheusDetail =
  "Prometheus liest /metrics mit einem API-Schlüssel, der nur das Lesen von Messwerten erlaubt";
export const otlp = "OpenTelemetry";
export const otlpDetail = "Traces und Metriken gehen über HTTP an einen Collector";
export const collector = "Adresse des Collectors";
export const saveMeasurements = "Messwerte speichern";
export const saved = "Messwerte gespeichert.";
