/** Operations that begin and end the session of a browser. */
import { z } from "zod";
import { LogInAnswer } from "../people/credential.ts";
import { declareOperations } from "./operation.ts";

export const loginOperations = declareOperations("Login", {
  show: {
    id: "showLogin",
    method: "GET",
    path: "/login",
    needs: "nothing",
    summary: "Shows a form that logs in",
    query: z.object({ code: z.string().max(200).optional() }),
    answers: { status: 200, schema: z.string(), type: "text/html" },
  },
  /** Takes a form or JSON, so no schema of its body is declared. */
  logIn: {
    id: "logIn",
    method: "POST",
    path: "/login",
    needs: "nothing",
    summary: "Turns the code of a login link, or a password, into a session cookie",
    description:
      "Takes `code`, or `person` and `password`, or `ticket` and `passkey`, as application/x-www-form-urlencoded or as application/json. A form is redirected to the UI; JSON gets the session. A person with a second factor gets a `ticket` instead, or a form that contains it, and the session for `ticket` and `code`.",
    answers: { status: 303, text: "Logged in; the cookie is set." },
    otherwise: {
      status: 200,
      schema: LogInAnswer,
      text: "For JSON: the session, or the ticket of the second step. For a form: the form of the second step.",
    },
    errors: [
      "auth.invalid",
      "auth.code",
      "auth.limited",
      "secret.locked",
      "request.unsupported",
      "request.too-large",
      "request.timeout",
    ],
  },
});

export const logoutOperations = declareOperations("Login", {
  logOut: {
    id: "logOut",
    method: "POST",
    path: "/logout",
    needs: "credential",
    summary: "Ends the session of this cookie",
    answers: { status: 303, text: "Logged out; the cookie is gone." },
  },
});
