/** Says why this browser cannot use passkeys at this address. */
import type { PasskeyProblem } from "../page.ts";
import * as texts from "./text.ts";

export const PasskeyProblemText = ({ problem }: { readonly problem: PasskeyProblem }) => (
  <p>{texts.passkeyProblems[problem]}</p>
);
