/** Schemas of parameters that several operations share. */
import { z } from "zod";

/** An id or a handle in a path. */
export const IdOrHandle = z.string().min(1).max(200).describe("id or handle");
