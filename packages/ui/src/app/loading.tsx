/** A loading state, shown only after a delay. */
import { Spinner } from "../design/spinner.tsx";
import { useHasLasted } from "../house/lasting.ts";
import { MessagePage } from "./message-page.tsx";
import * as texts from "./text.ts";

const DELAY_MS = 300;

export const Loading = () => (
  <MessagePage>{useHasLasted(true, DELAY_MS) ? <Spinner label={texts.loading} /> : undefined}</MessagePage>
);
