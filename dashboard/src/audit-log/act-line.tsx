import { Trans } from '@lingui/react/macro';
import { PlainText } from '../design/memory-text.tsx';
import { When } from '../design/when.tsx';
import { type AuditLogEntry, authorOf, detailsOf, wordsOf } from './act-words.ts';
import classes from './audit-log.module.css';

interface Props {
  readonly entry: AuditLogEntry;
  /** The name of the API key that did it. */
  readonly keyName: string | undefined;
}

/** Shows one act: what, who, when, and the ids that it touched. */
export function ActLine({ entry, keyName }: Props) {
  return (
    <li className={classes.line} data-alarm={entry.act === 'sign_in.failed'}>
      <span className={classes.number}>{entry.sequence}</span>
      <div className={classes.words}>
        <span className={classes.act}>
          <PlainText text={wordsOf(entry)} />
        </span>
        <span className={classes.facts}>
          <span>
            <Trans>
              by <PlainText text={authorOf(entry)} />
            </Trans>
            {keyName !== undefined && (
              <Trans>
                {' '}
                with <PlainText text={keyName} />
              </Trans>
            )}
          </span>
          <When at={entry.at} />
          {detailsOf(entry).map(([name, value]) => (
            <span key={name}>
              <code className={classes.id}>
                <PlainText text={`${name}: ${value}`} />
              </code>
            </span>
          ))}
        </span>
      </div>
    </li>
  );
}
