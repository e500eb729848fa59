import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/source-serif-4/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './design/global.css';
import './design/contrast.css';
import './design/print.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/client.ts';
import { MOST_SHOWN } from './api/notify.tsx';
import { App } from './app/app.tsx';
import { usePrinting } from './design/printing.ts';
import { colors, theme } from './design/theme.ts';

// Styles added by scripts carry the nonce of this response. The Content-Security-Policy refuses all others.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

/** Shows the dashboard, in the language that is loaded. */
export function start(root: HTMLElement): void {
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <Design>
        <QueryClientProvider client={createQueryClient()}>
          <Notifications position="bottom-right" limit={MOST_SHOWN} />
          <App />
        </QueryClientProvider>
      </Design>
    </I18nProvider>,
  );
}

/** Gives all pages their design. Paper is white, so that the colours for the dark could not be read on it. */
function Design({ children }: { children: ReactNode }) {
  const isPrinting = usePrinting();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={colors}
      defaultColorScheme="auto"
      {...(isPrinting && { forceColorScheme: 'light' })}
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}
