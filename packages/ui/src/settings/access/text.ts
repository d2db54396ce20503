/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// give-level.tsx
export const personOrAgent = "Person or agent";
export const chooseAMember = "Choose a member";
export const role = "Role";
export const grantAccess = "Grant access";

// levels-of.ts
export const memberOfAnotherHouse = "Member of another house";

// members-page.tsx
export const addPersonOrAgent = "Add person or agent";
export const yourRole = (name: string): string => `Your role in ${name}`;
export const noRole = "You have no role in this house. You have access to single rooms only.";
export const roleHint = "An admin of this house can change your role.";
export const adminOf = "You are an admin of";

// place-levels.tsx
export const agent = "Agent";
export const saved = "Saved.";
export const person = "Person";
export const youSuffix = " (you)";
export const tryAgain = "Try again";
export const access = "Access";
export const openRoomAccess = "House roles apply here too. You can grant a higher role for this room only.";
export const closedRoomAccess =
  "Members of this room can write here. Other members of the house have no access, except admins.";
export const giveUpRoleTitle = "Give up your admin role?";
export const giveUpRoleEffect =
  "You will no longer be able to change anything here. Only another admin can restore your role.";
export const giveUpRole = "Give up role";
export const roleOf = (name: string): string => `Role of ${name}`;
export const rightsOf = (name: string): string => `${name} also manages`;
export const yourRights = (rights: string): string => `You also manage: ${rights}.`;
export const removeAccess = "Remove access";
export const inheritedRole = (kind: string): string => `${kind} · inherited from the house`;
export const roomMemberRole = (kind: string): string => `${kind} · member of this room`;
export const roomRole = (kind: string): string => `${kind} · set for this room`;
export const roomAndHouseRole = (kind: string, houseRole: string): string =>
  `${kind} · set for this room; house role: ${houseRole}`;
