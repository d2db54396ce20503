/** The entry of the area `people`: everything that other areas use of it and that a start loads. */
export type { KeyRecord, Keys } from "./credentials/house-keys.ts";
export type { LoginAttempts, Peer } from "./credentials/login-attempts.ts";
export type { Device, Logins, CodeOffer, NewSession, SessionRecord } from "./credentials/house-logins.ts";
export type { Account, Identities } from "./credentials/house-identities.ts";
export type { PermittedSession, FirstStep, SecondFactors } from "./credentials/house-second-factors.ts";
export type { PasswordHash } from "./credentials/password-hash.ts";
export type { Passkeys } from "./credentials/house-passkeys.ts";
export type { Passwords } from "./credentials/house-passwords.ts";
export type { Invites } from "./invites/house-invites.ts";
export { createSemaphore } from "./credentials/semaphore.ts";
export { type MayReach, type People, type ServedPeople, openPeople } from "./open.ts";
export { hashCode, newCode, readCode, showCode } from "./pairings/pairing-code.ts";
export { type Pairings, createPairings } from "./pairings/house-pairings.ts";
export type { Permissions } from "./permissions/house-permissions.ts";
export type { Principal } from "./permissions/principal.ts";
export {
  type AudienceOf,
  type MayCarry,
  createAudiences,
  createMayCarry,
  findRoomByName,
} from "./records/audiences.ts";
export { type RoomName, createRoomName, plainName, withoutHidden } from "./records/plain-name.ts";
export { toRecord } from "./records/record-rows.ts";
export type { Records } from "./records/records.ts";
export { type StandingOf, createStandings } from "./records/standings.ts";
export { type Approach, type Refusal, refusalOf, wakesAlways } from "./rooms/admission.ts";
export type { OpenAttachment, Uploads } from "./uploads/uploads.ts";
export type { VoiceChoiceBook } from "./voice-choices.ts";
export type { FoundInRooms, MessageQuery, MessageSearch } from "./rooms/message-search.ts";
export type { Chats } from "./rooms/chats.ts";
export type { NewMessage, Rooms } from "./rooms/house-rooms.ts";
