/**
 * Parts of every request to the API: the limit of its body, its cookie, and the answer to a failed
 * one.
 */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";

/** Maximum size of a request body, in bytes. */
export const MAX_BODY_SIZE = 1024 * 1024;

/** The cookie with the language that a person chose for the UI in this browser, for example `de`. */
export const LANGUAGE_COOKIE = "hearth_language";

export const ErrorAnswer = z.object({ error: ErrorBody });
