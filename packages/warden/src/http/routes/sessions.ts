/** Login sessions: listing, and ending one or all. Their open connections end with them. */
import type { PermittedSession, SessionRecord, Principal, ServedPeople } from "../../people/index.ts";
import { requireVisible, requireUnlimited } from "../../people/lazy.ts";
import {
  type ConfirmSession,
  HearthError,
  type SecondStep,
  type Session,
  type SessionId,
  type SessionsEnded,
} from "@hearth/protocol";
import { sessionOperations } from "@hearth/protocol/operations";
import { answer } from "../answer.ts";
import type { Caller } from "../http.ts";
import { endedCookieHeader } from "../session-cookie.ts";
import { UI_PATH } from "../ui-files.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

/** The code is behind `#`, which browsers send to no server. */
const PAIR_PATH = `${UI_PATH}pair#`;
/** Lifetime of a pairing code, long enough to take out a phone. */
const PAIRING_MS = 5 * 60_000;

export const sessionRoutes = (app: App, options: RouteOptions): void => {
  const { people, daemon } = options.areas;
  const { logins } = people;
  const proveIdentity = createIdentityProof(people);

  /** Returns the answer with the number of ended sessions. Deletes the cookie if the caller's own ended. */
  const endedAnswer = (count: number, { origin }: Caller, isThis: boolean): Response =>
    answer({ ended: count } satisfies SessionsEnded, 200, isThis ? endedCookieHeader(origin) : {});

  bind(app, options, sessionOperations, {
    list: async ({ principal }) => {
      requireUnlimited(principal);
      return (await logins.list(principal.agent)).map((session) => toSession(session, principal));
    },

    endAll: async ({ principal, caller, query }) => {
      requireUnlimited(principal);
      const keptSession = query.others === "true" ? principal.session : undefined;
      const count = await logins.endAll(principal.agent, keptSession === undefined ? {} : { keep: keptSession });
      return endedAnswer(count, caller, keptSession === undefined && principal.session !== undefined);
    },

    edit: async ({ principal, params, body }) => {
      requireUnlimited(principal);
      if (body.name !== "") requireVisible("request.invalid", "The name of a browser", body.name);
      const session = await logins.rename(principal.agent, params.id, body.name);
      if (session !== undefined) return toSession(session, principal);
      throw sessionNotFoundError(params.id);
    },

    pair: async ({ principal }) => {
      const { code, expiresAt } = logins.offer(principal.agent, { method: "device", lifeMs: PAIRING_MS });
      return { ...daemon.linkTo(`${PAIR_PATH}${code}`), expiresAt };
    },

    confirm: async ({ principal, caller, body }) => {
      const { agent, session } = principal;
      if (session === undefined)
        throw new HearthError("auth.denied", "Only a browser's session can be confirmed.", {
          hint: "Log in with a browser. The run token of the machine needs no confirmation.",
        });
      const proof = await proveIdentity(caller, body);
      if ("ticket" in proof) return proof;
      const freshUntil =
        proof.agent === agent && proof.proves ? await logins.confirm(agent, session, proof) : undefined;
      if (freshUntil !== undefined) return { freshUntil };
      people.attempts.recordInvalidCredential(caller.peer);
      throw new HearthError("auth.password", "This is not a credential of the person of this session.", {
        hint: "Use your own password, passkey or login link.",
      });
    },

    end: async ({ principal, caller, params }) => {
      requireUnlimited(principal);
      const { id } = params;
      if (await logins.end(principal.agent, id)) return endedAnswer(1, caller, id === principal.session);
      throw sessionNotFoundError(id);
    },
  });
};

/** Checks what the person of a session sends to confirm it. */
const createIdentityProof =
  ({ logins, passwords, passkeys, secondFactors, attempts }: ServedPeople) =>
  async ({ principal, origin, peer }: Caller, body: ConfirmSession): Promise<SecondStep | PermittedSession> => {
    if ("passkey" in body) return passkeys.answer(body, { origin, peer });
    if ("ticket" in body) return secondFactors.answer(body, peer);
    if ("link" in body) {
      const redeemedLink = logins.redeem(body.link);
      if (redeemedLink === undefined) {
        attempts.recordInvalidCredential(peer);
        throw new HearthError("auth.link", "This login link was already used or has expired.", {
          hint: "Run `hearth login` for a new link.",
        });
      }
      const { agent, method, proves } = redeemedLink;
      if (method === "link") return secondFactors.next({ agent, by: "link", proves, sameCommit: {} });
      return { agent, method, proves, sameCommit: {} };
    }
    const checkedPassword = await passwords.check({ person: principal.agent, password: body.password, peer });
    if (checkedPassword === undefined)
      throw new HearthError("auth.password", "The password is wrong.", {
        hint: "If you do not know it, use a login link: `hearth login` prints one.",
      });
    const { agent, guards } = checkedPassword;
    return secondFactors.next({ agent, by: "password", proves: true, sameCommit: { guards } });
  };

const sessionNotFoundError = (id: SessionId): HearthError =>
  new HearthError("record.not-found", `You have no session ${id}.`, { hint: "List them: hearth session list" });

const toSession = (session: SessionRecord, { session: ownSession }: Principal): Session => ({
  ...session,
  isThis: session.id === ownSession,
});
