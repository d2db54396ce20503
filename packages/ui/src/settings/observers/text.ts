/** User-facing texts of this folder, in the order of its files. */

// observers-section.tsx
export const measurements = "Measurements";
export const measurementsIntroduction =
  "How long runs, models and tools take, and how many tokens they use. Measurements contain no messages and no names of people, agents or chats. To change where they go, first log in with a login link or a passkey. You can then change it for 15 minutes.";
export const log = "House log";
export const logDetail = "One line for each run";
export const prometheus = "Prometheus";
export const prometheusDetail = "Prometheus reads /metrics with an API key that allows reading measurements only";
export const otlp = "OpenTelemetry";
export const otlpDetail = "Traces and metrics go to a collector over HTTP";
export const collector = "Address of the collector";
export const saveMeasurements = "Save measurements";
export const saved = "Measurements saved.";
