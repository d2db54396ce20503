/** Creates and reads passkeys through the browser's WebAuthn API. */
import { HearthError } from "@hearth/protocol";
import type { PasskeyDevice } from "../../house/page.ts";
import * as texts from "./text.ts";

export const createPasskeyDevice = (window: Window & typeof globalThis): PasskeyDevice => ({
  problem() {
    const { hostname } = window.location;
    if (/^[\d.]+$|:/.test(hostname)) return "ip-address";
    if (!window.isSecureContext) return "insecure";
    const isSupported = "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in window.PublicKeyCredential;
    return isSupported ? undefined : "unsupported";
  },

  create: (options) =>
    requestCredential(() => {
      const publicKey = window.PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
      return window.navigator.credentials.create({ publicKey });
    }),

  get: (options) =>
    requestCredential(() => {
      const publicKey = window.PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
      return window.navigator.credentials.get({ publicKey });
    }),
});

const requestCredential = async (request: () => Promise<Credential | null>): Promise<never> => {
  let credential: Credential | null;
  try {
    credential = await request();
  } catch (cause) {
    throw (cause as Error).name === "InvalidStateError" ? alreadyExistsError(cause) : notCreatedError(cause);
  }
  if (credential === null) throw notCreatedError(undefined);
  return (credential as PublicKeyCredential).toJSON() as never;
};

const alreadyExistsError = (cause: unknown): HearthError =>
  new HearthError("auth.passkey", texts.passkeyExists, {
    hint: texts.passkeyExistsHint,
    cause,
  });

const notCreatedError = (cause: unknown): HearthError =>
  new HearthError("auth.passkey", texts.noPasskey, {
    hint: texts.noPasskeyHint,
    cause,
  });
