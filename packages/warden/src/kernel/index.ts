/** The entry of the area `kernel`: everything that other areas use of it and that a start loads. */
export { type Audit, type AuditLog, type AuditParts, openAudit } from "./audit/audit.ts";
export { createDaemonAudit } from "./audit/daemon-audit.ts";
export { createAuditForwarding } from "./audit/forward/forwarding.ts";
export { type RestoredHome, type RestoreFindings, openRestoreFindings } from "./audit/restore-findings.ts";
export type { AuditSource } from "./audit/source.ts";
export type { ActingScope } from "./audit/audit-rows.ts";
export type { KeyFiles } from "./config/key-files.ts";
export type { Path } from "./config/lines.ts";
export { type ReferenceSources, readReference } from "./config/read-reference.ts";
export type { ParsedConfig } from "./config/read.ts";
export { parseReference, type SecretReference } from "./config/reference.ts";
export { isBackupAddress, parseBackupAddress } from "./config/backup-address.ts";
export type { BackupPlace, Config } from "./config/schema.ts";
export { isLoopback } from "./config/text/server-text.ts";
export { type Actor, type ConfigEdit, type ConfigSource, pinsToApply } from "./config/source.ts";
export type { BudgetConfig, Price } from "./config/text/budget-text.ts";
export type { ChannelConfig } from "./config/text/channel-text.ts";
export type { OwnModelInfo } from "./config/text/provider-text.ts";
export type { CompactionConfig } from "./config/text/compaction-text.ts";
export type { LoginConfig, OidcConfig } from "./config/text/login-text.ts";
export type { MemoryConfig } from "./config/text/memory-text.ts";
export type { CompositeKind, ProviderConfig } from "./config/text/provider-text.ts";
export type { SearchConfig, SearchKind } from "./config/text/search-text.ts";
export type {
  PictureKind,
  PicturesConfig,
  DescribeKind,
  DescriptionsConfig,
  SpeakConfig,
  SpeakKind,
  TranscribeConfig,
  TranscribeKind,
  VoiceConfig,
} from "./config/text/media-text.ts";
export type { TunnelConfig } from "./config/text/tunnel-text.ts";
export { createVersionOf } from "./config/version.ts";
export {
  PartialReply,
  activationId,
  childActivation,
  hasEnded,
  isWaitingForQuiet,
  queueKeyOf,
  unjournaledUsage,
  newActivation,
  retryActivation,
  toActivation,
} from "./journal/activation.ts";
export {
  type Journal,
  type JournaledStep,
  type StepKind,
  createJournal,
  leaseLostError,
  usageOf,
} from "./journal/journal.ts";
export { type Lease, type Leases, type LeasesOptions, createLeases } from "./journal/leases.ts";
export { createRetention } from "./journal/retention.ts";
export type { Log } from "./log/log.ts";
export { type Notices, createNotices } from "./outbox/notices.ts";
export type { Choice, Notice, Outbox, Reply } from "./outbox/outbox.ts";
export { ReplyRoute, type WhyRouteClosed, readReplyRoute, writeReplyRoute } from "./outbox/reply-route.ts";
export {
  type OutboxRow,
  toErasedColumns,
  newRow,
  replyIdOf,
  toDelivery,
  toInsert,
  withoutExisting,
} from "./outbox/rows.ts";
export { type Blobs, type TextBlobCache, MAX_INLINE_SIZE, createTextBlobCache } from "./store/blobs.ts";
export { packBody, unpackBody } from "./store/bodies.ts";
export { type DeferringStore, createDeferringStore } from "./store/deferred-writes.ts";
export { type Json, readJson, writeJson } from "./store/json.ts";
export { readLabel, writeLabel } from "./store/labels.ts";
export type { Change, CommitResult, Guard, Store, Write } from "./store/store.ts";
export type { Row } from "./store/tables/tables.ts";
export { createVersions } from "./store/versions.ts";
export type { Address, ByteStreamInfo, ByteStreams, Chunk, Producer } from "./streams/bytes/byte-streams.ts";
export { createDurableStreams } from "./streams/durable.ts";
export { type LazyOwnStreams, createLazyOwnStreams } from "./streams/lazy-own-streams.ts";
export { createMemoryStreams } from "./streams/memory.ts";
export { type Kernel, type KernelOptions, openKernel } from "./open.ts";
export type { DurableStreams, MemoryStreams, NewEvent, Streams } from "./streams/streams.ts";
export type { Ed25519, Signing } from "./streams/subscriptions/signing.ts";
export type {
  ReportResult,
  Subscription,
  SubscriptionConfig,
  Subscriptions,
} from "./streams/subscriptions/subscriptions.ts";
export { type Listeners, createListeners } from "./listeners.ts";
export { type ReaderState, type Supervisor, createSupervisor, observe } from "./supervisor.ts";
export type { Observer, Span, SpanFacts } from "./telemetry/observer.ts";
export type { OpenSpan, Telemetry } from "./telemetry/telemetry.ts";
export { type Worker, createWorkers } from "./workers.ts";
