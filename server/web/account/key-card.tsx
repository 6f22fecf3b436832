import { CopyButton } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Card } from '../components/parts.js';

/** The API key, hidden until the user opens it. */
export function KeyCard({ apiKey }: { readonly apiKey: string }) {
  return (
    <Card title="API key" hint="Anyone who has it can do everything you can.">
      <details class="more">
        <summary>Show key</summary>
        <p class="actions">
          <code class="secret">{apiKey}</code>
          <CopyButton text={apiKey}>Copy</CopyButton>
        </p>
      </details>
      <Ask
        action="/web/settings/security/key"
        value="replace"
        icon="refresh"
        label="Replace key"
        lost="The current key stops working immediately and for good. Tools that use it stop working until you give them the new one."
        sure="Yes, replace the key"
      />
    </Card>
  );
}
