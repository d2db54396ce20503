/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// invites-section.tsx
export const inviteLinks = "Invite links";
export const inviteLinksDetail =
  "A person without an account opens the link, chooses a name and a password, and becomes a member. Each link works once.";
export const noInviteLinks = "No invite links";
export const untitled = "Invite link";
export const forWholeHouse = "the whole house";
export const removedRoom = "a removed room";
export const offer = (role: string, places: string): string => `${role} in ${places}`;
export const expires = (date: string): string => `Expires ${date}`;
export const usedBy = (name: string): string => `By ${name}`;
export const formerMember = "a former member";
export const revoked = "Revoked";
export const expired = "Expired";
export const revoke = "Revoke";
export const open = "Open";
export const used = "Used";
export const state = "Status";
export const allStates = "All statuses";
export const revokeCount = (count: number): string => (count === 1 ? "Revoke 1 link" : `Revoke ${count} links`);
export const revokeLinks = (count: number): string => (count === 1 ? "Revoke 1 link?" : `Revoke ${count} links?`);
export const revocationEffect = "People who open a revoked link cannot join the house.";
export const revokedCount = (count: number): string => (count === 1 ? "1 link revoked." : `${count} links revoked.`);

// make-invite.tsx
export const newRole = "Role of the new member";
export const access = "Access";
export const wholeHouse = "The whole house";
export const wholeHouseDetail = "All rooms that are open to members.";
export const selectedRooms = "Selected rooms";
export const selectedRoomsDetail = "Nothing else of the house.";
export const rights = "The person also manages";
export const rooms = "Rooms";
export const selectARoom = "Select a room.";
export const expiration = "Expiration";
export const oneDay = "1 day";
export const oneWeek = "1 week";
export const thirtyDays = "30 days";
export const note = "Note";
export const noteHint = "For example whom the link is for. Only admins see it.";
export const createInviteLink = "Create invite link";

// new-invite.tsx
export const newLink = "Invite link. It is shown only once.";
export const qrOfLink = "QR code of the invite link";
export const copy = "Copy link";

// local-address-hint.tsx
export const onlyThisMachine = "This house has no public address, so the link works only in browsers on the server.";
export const needsPublicAddress = "Give the house a public address, then create a new link.";
export const setUpRemoteAccess = "Set up remote access";
export const askForPublicAddress = "Ask the person who runs this house to give it a public address.";
