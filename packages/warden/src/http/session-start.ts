/**
 * Continues after the first step of a login: with a session, or with the step that asks for a code.
 */
import type { PermittedSession, Device, FirstStep, NewSession, People } from "../people/index.ts";
import { HearthError, type SecondStep, type World } from "@hearth/protocol";
import { pageAnswer } from "./answer.ts";
import { escapeHtml, renderNotice } from "./docs/layout.ts";

export interface SessionStart {
  begin(permittedSession: PermittedSession, device: Device): Promise<NewSession>;
  /** Begins the session, or asks for a code if the person has a second factor. */
  continueLogin(step: FirstStep, device: Device): Promise<NewSession | SecondStep>;
}

export const createSessionStart = ({
  logins,
  secondFactors,
}: {
  readonly logins: Pick<People["logins"], "begin">;
  readonly secondFactors: Pick<People["secondFactors"], "next">;
}): SessionStart => {
  const begin: SessionStart["begin"] = async ({ agent, ...beginning }, device) => {
    // The guards refuse the session if its credentials were changed or used meanwhile.
    const session = await logins.begin(agent, device, beginning);
    if (session !== undefined) return session;
    throw new HearthError("auth.invalid", "The login was refused, because your credentials have just changed.", {
      hint: "Log in again.",
    });
  };
  return {
    begin,
    async continueLogin(step, device) {
      const nextStep = await secondFactors.next(step);
      return "ticket" in nextStep ? nextStep : begin(nextStep, device);
    },
  };
};

/** Renders the form of the second step, for a browser that shows no page of the UI. */
export const codePage = (hash: World["hash"], ticket: string): Response =>
  pageAnswer(renderNotice(hash, "Enter your code", renderSecondForm(ticket)));

const renderSecondForm = (ticket: string): string =>
  `<form method="post" action="/login"><input type="hidden" name="ticket" value="${escapeHtml(ticket)}">` +
  `<label>Code<input name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="40" required autofocus></label><button>Log in</button></form>` +
  `<p class="dim">Enter the code of your authenticator app, or a recovery code.</p>`;
