/** User-facing texts of this folder, in the order of its files. */

// usage-section.tsx
export const usage = "Usage";
export const usageIntroduction =
  "Calls of models that were charged, per day. A day begins at midnight in the house's time zone.";
export const usageOf = (total: string, tokens: string, calls: string): string => `${total} · ${tokens} · ${calls}`;
export const callCount = (count: number, shown: string): string => (count === 1 ? "1 call" : `${shown} calls`);
export const tokenCount = (count: number, shown: string): string => (count === 1 ? "1 token" : `${shown} tokens`);
export const estimatedPart = (amount: string): string =>
  `${amount} of this is estimated, because the provider did not report what it used.`;
export const noUsage = "No charged calls in these days.";
export const noUsageDetail = "Calls appear here as soon as an agent answers with a model.";
export const notListed = (count: number): string =>
  count === 1 ? "1 more is counted in the total only." : `${count} more are counted in the total only.`;
export const loadingChart = "Loading chart";

// usage-filters.tsx
export const filters = "Filters of usage";
export const period = "Period";
export const days30 = "30 days";
export const today = "Today";
export const days7 = "7 days";
export const days90 = "90 days";
export const groupBy = "Group by";
export const agent = "Agent";
export const model = "Model";
export const room = "Room";
export const kind = "Kind";
export const all = "All";
export const measure = "Measure";
export const measures = { cost: "Cost", tokens: "Tokens" } as const;

// usage-chart.tsx
export const chart = (measure: string, dimension: string): string =>
  `${measure} per day by ${dimension.toLowerCase()}. The table below has the same numbers.`;

// usage-table.tsx
export const tableLabel = (dimension: string): string => `Usage by ${dimension.toLowerCase()}`;
export const calls = "Calls";
export const tokensIn = "In";
export const fromCache = "From cache";
export const tokensOut = "Out";
export const daysOf = (name: string): string => `Days of ${name}`;
export const day = "Day";

// usage-words.ts
export const kinds = {
  turn: "Runs",
  heartbeat: "Heartbeats",
  program: "Programs in sandboxes",
  picture: "Pictures",
  voice: "Speech",
  memory: "Memory search",
} as const;
export const others = "Others";
export const noAgent = "No agent";
export const removedAgent = "Removed agent";
export const noRoom = "No room, or a room that you cannot open";
export const removedRoom = "Removed room";
