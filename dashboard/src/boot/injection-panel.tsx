import { t } from '@lingui/core/macro';
import type { AnswerOf } from '../api/call.ts';
import { Copy } from '../design/copy.tsx';
import { Stretches } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import classes from './boot.module.css';

type Preview = AnswerOf<'GET /boot-config/preview'>;

/** Shows the boot text exactly as the agent gets it, without the session key. */
export function InjectionPanel({ preview: { injection } }: { preview: Preview }) {
  return (
    <Panel
      title={t`What it reads`}
      hint={t`Word for word. The session key is left out here: it tells your agent from you.`}
      action={<Copy text={injection} label={t`Copy the text`} />}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label={t`Boot injection`}>
        <div lang="en">
          {linesOf(injection).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text do not change places
            <span key={index} className={classes.line} data-kind={kindOf(line)}>
              <Stretches text={line} />
              {'\n'}
            </span>
          ))}
        </div>
      </section>
    </Panel>
  );
}

function linesOf(text: string): string[] {
  return text.split('\n');
}

/** Only the service's own headings begin with `#`: lines of memories are indented. */
function kindOf(line: string): string {
  if (line.startsWith('# ')) return 'header';
  if (line.startsWith('## ')) return 'heading';
  return 'text';
}
