/** Keys and tokens that a person types. */
import { z } from "zod";

export const KeyText = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, "is not one word of printable ASCII");
