/** German texts of this folder, in the order of text.ts. */

// usage-section.tsx
export const usage = "Nutzung";
export const usageIntroduction =
  "Berechnete Anfragen an Modelle pro Tag. Ein Tag beginnt um Mitternacht in der Zeitzone des Hauses.";
export const usageOf = (total: string, tokens: string, calls: string): string => `${total} · ${tokens} · ${calls}`;
export const callCount = (count: number, shown: string): string => (count === 1 ? "1 Anfrage" : `${shown} Anfragen`);
export const tokenCount = (count: number, shown: string): string => (count === 1 ? "1 Token" : `${shown} Tokens`);
export const estimatedPart = (amount: string): string =>
  `${amount} davon sind geschätzt, weil der Anbieter nicht gemeldet hat, was er verbraucht hat.`;
export const noUsage = "Keine berechneten Anfragen in diesen Tagen.";
export const noUsageDetail = "Anfragen erscheinen hier, sobald ein Agent mit einem Modell antwortet.";
export const notListed = (count: number): string =>
  count === 1 ? "1 weitere zählt nur in der Summe." : `${count} weitere zählen nur in der Summe.`;
export const loadingChart = "Diagramm wird geladen";

// usage-filters.tsx
export const filters = "Filter der Nutzung";
export const period = "Zeitraum";
export const days30 = "30 Tage";
export const today = "Heute";
export const days7 = "7 Tage";
export const days90 = "90 Tage";
export const groupBy = "Gruppieren nach";
export const agent = "Agent";
export const model = "Modell";
export const room = "Raum";
export const kind = "Art";
export const all = "Alle";
export const measure = "Messwert";
export const measures = { cost: "Kosten", tokens: "Tokens" } as const;

// usage-chart.tsx
export const chart = (measure: string, dimension: string): string =>
  `${measure} pro Tag nach ${dimension}. Die Tabelle darunter hat dieselben Zahlen.`;

// usage-table.tsx
export const tableLabel = (dimension: string): string => `Nutzung nach ${dimension}`;
export const calls = "Anfragen";
export const tokensIn = "Eingabe";
export const fromCache = "Aus dem Cache";
export const tokensOut = "Ausgabe";
export const daysOf = (name: string): string => `Tage von ${name}`;
export const day = "Tag";

// usage-words.ts
export const kinds = {
  turn: "Läufe",
  heartbeat: "Heartbeats",
  program: "Programme in Sandboxen",
  picture: "Bilder",
  voice: "Sprache",
  memory: "Gedächtnissuche",
} as const;
export const others = "Andere";
export const noAgent = "Kein Agent";
export const removedAgent = "Entfernter Agent";
export const noRoom = "Kein Raum, oder ein Raum, den du nicht öffnen kannst";
export const removedRoom = "Entfernter Raum";
