/**
 * The second entry of the area `kernel`: parts that are loaded on demand, so that a start does not
 * wait for them.
 */
export { appendTable, removeTable, setValue, type TomlValues } from "./config/edit.ts";
export { keyPath } from "./config/key-files.ts";
export { createKeyedTables } from "./config/keyed-tables.ts";
export {
  createMediaTables,
  type MediaTable,
  type MediaTables,
  toDraftConfig,
  DRAFT_KEY_PATH,
} from "./config/media-tables.ts";
export { createSettings } from "./config/settings.ts";
export { referencesIn } from "./config/references.ts";
export { hmacSha256, timingSafeEqual } from "./hmac.ts";
export { exposeGauge } from "./telemetry/prometheus.ts";
export { findReferencedBodies, findHashesInInputs, readFrozenText, hashesIn } from "./store/blob-names.ts";
export { pagesBy } from "./store/pages.ts";
export type { Passage, PendingFile } from "./store/passages.ts";
export { readSearchTerms } from "./store/search-terms.ts";
export { type IndexedText, EXCERPT_MARKS, type PendingText } from "./store/texts.ts";
export { MAX_BYTE_STREAMS, MAX_FORK_DEPTH, MAX_PRODUCERS, essenceOf, isJson } from "./streams/bytes/byte-streams.ts";
export { formatOffset, parseOffset } from "./streams/bytes/offset.ts";
export { createOwnStreams } from "./streams/own-streams.ts";
export { showLinks } from "./streams/subscriptions/delivery.ts";
export { matchesPattern } from "./streams/subscriptions/pattern.ts";
export { DEFAULT_LEASE_MS, MAX_EXPLICIT_LINKS, MAX_SUBSCRIPTIONS } from "./streams/subscriptions/subscriptions.ts";
export { findWebhookUrlProblem } from "./streams/subscriptions/webhook-url.ts";
