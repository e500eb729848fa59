import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Stretches } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import classes from './boot.module.css';
import type { Preview } from './trial.tsx';

/** The text itself, exactly as the agent gets it, but for the session key. */
export function Injection({ preview: { injection } }: { preview: Preview }) {
  return (
    <Panel
      title="What it reads"
      hint="Word for word. The session key is left out here: it tells your agent from you."
      action={
        <CopyButton value={injection}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon variant="subtle" onClick={copy} aria-label="Copy the text">
                {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label="Boot injection">
        {linesOf(injection).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text do not change places
          <span key={index} className={classes.line} data-kind={kindOf(line)}>
            <Stretches text={line} />
            {'\n'}
          </span>
        ))}
      </section>
    </Panel>
  );
}

function linesOf(text: string): string[] {
  return text.split('\n');
}

/** Lines at the margin are the service's own; what memories say never begins there. */
function kindOf(line: string): string {
  if (line.startsWith('# ')) return 'header';
  if (line.startsWith('## ')) return 'heading';
  return 'text';
}
