/** The entry of the area `policy`: everything that other areas use of it and that a start loads. */
export { DECISION_REPLIES } from "./approvals/approval-notices.ts";
export type { Approvals } from "./approvals/approvals.ts";
export { tokensAtMost } from "./budgets/budget-estimate.ts";
export { isUnpaid } from "./budgets/call-cost.ts";
export type { Budgets } from "./budgets/house-budgets.ts";
export type { AdmitHome, AdmitHomeCost, OpenHomeGate } from "./budgets/home-spending.ts";
export type { UsageSums } from "./budgets/usage-sums.ts";
export type { Pay } from "./budgets/paid-provider.ts";
export type { EffectChange, ChokePoint, Stage, StageName, CallReservation, Verdict } from "./effect.ts";
export type { Holds } from "./holds.ts";
export { type Policy, type Stages, openPolicy } from "./open.ts";
export { createAddressSet, isLoopbackAddress, isPublicAddress, parseAddress } from "./network/address.ts";
export {
  DEFAULT_PORTS,
  type Origin,
  type RequestTarget,
  grantsFor,
  isPublicWeb,
  reachesHost,
  refusalOf,
} from "./network/grants.ts";
export { bareHost, parseAuthority } from "./network/host.ts";
export { type RequestPath, parsePath } from "./network/path.ts";
export { openVault } from "./secrets/house-vault.ts";
export { type SecretParts, type Secrets, createSecrets } from "./secrets/open.ts";
export type { Redaction } from "./secrets/redaction.ts";
export { isOwnName } from "./secrets/secret-rules.ts";
export type { Vault } from "./secrets/vault.ts";
export { EVERYTHING, type FileLabels, type LabelledFiles, isWithin } from "./taint/file-labels.ts";
export { type LabelledValue, NO_TAINT, type OpenTurnTaint, type TurnTaint } from "./taint/turn-taint.ts";
export type { TurnTaints } from "./taint/turn-taints.ts";
export { cleanName } from "./text/hygiene.ts";
export type { LeakScan } from "./text/leak-scan.ts";
export { type OutgoingStream, createOutgoingStream, toOutgoing, withSources } from "./text/outgoing.ts";
