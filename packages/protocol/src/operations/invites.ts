/** Operations on invite links: managing them, and accepting one without an account. */
import {
  AcceptedInvite,
  AcceptInvite,
  CreatedInvite,
  CreateInvite,
  Invite,
  InviteList,
  InvitePreview,
  InviteToken,
} from "../people/credential.ts";
import { InviteId } from "../base/ids.ts";
import { declareOperations } from "./operation.ts";
import { IdOrHandle } from "./parameters.ts";

export const inviteOperations = declareOperations("Invites", {
  list: {
    id: "listInvites",
    method: "GET",
    path: "/api/houses/{house}/invites",
    needs: "x on house {house}",
    summary: "Lists the invite links of a house, newest first, including used and revoked ones",
    params: { house: IdOrHandle },
    answers: { status: 200, schema: InviteList },
    errors: ["record.not-found"],
  },
  create: {
    id: "createInvite",
    method: "POST",
    path: "/api/houses/{house}/invites",
    needs: "x on house {house}",
    requiresKey: "whole",
    freshLogin: true,
    summary: "Creates an invite link, which works once, and shows it once",
    description:
      "A new person gets `level` on the `rooms`, or on the whole house if no rooms are named. There the person also gets the `rights`. The link is valid for 7 days by default and for 90 at most. It stops working when its creator loses `x` on the house. Only people can create invites.",
    params: { house: IdOrHandle },
    body: CreateInvite,
    answers: { status: 201, schema: CreatedInvite },
    errors: ["record.not-found", "grant.exceeds"],
  },
  revoke: {
    id: "revokeInvite",
    method: "DELETE",
    path: "/api/houses/{house}/invites/{id}",
    needs: "x on house {house}",
    summary: "Revokes an invite link that has not been used",
    params: { house: IdOrHandle, id: InviteId },
    answers: { status: 200, schema: Invite },
    errors: ["record.not-found"],
  },
});

/** For guests: the token in the body is the credential. */
export const invitedOperations = declareOperations("Invites", {
  preview: {
    id: "previewInvite",
    method: "POST",
    path: "/invite/preview",
    needs: "nothing",
    summary: "Shows what an invite link offers, and does not use it up",
    body: InviteToken,
    answers: { status: 200, schema: InvitePreview },
    errors: ["auth.link", "auth.limited"],
  },
  accept: {
    id: "acceptInvite",
    method: "POST",
    path: "/invite",
    needs: "nothing",
    summary: "Uses an invite link: creates a person with a password and begins their session",
    description: "The person, the rights, the password and the session are created together, or not at all.",
    body: AcceptInvite,
    answers: { status: 201, schema: AcceptedInvite },
    errors: ["auth.link", "auth.limited", "record.handle-taken", "record.invalid"],
  },
});
