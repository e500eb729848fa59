import { describe, expect, it } from 'vitest';
import { readTimeExpression } from './time-expression.ts';

/** A Tuesday. */
const now = new Date('2026-03-10T12:00:00Z');

describe('readTimeExpression', () => {
  it.each([
    ['What happened on 2025-11-03?', '2025-11-03', '2025-11-04'],
    ['on 8 May', '2025-05-08', '2025-05-09'],
    ['on the 8th of May, 2023', '2023-05-08', '2023-05-09'],
    ['on March 3rd', '2026-03-03', '2026-03-04'],
    ['May 2023', '2023-05-01', '2023-06-01'],
    ['in May', '2025-05-01', '2025-06-01'],
    ['in January', '2026-01-01', '2026-02-01'],
    ['during 2024', '2024-01-01', '2025-01-01'],
    ['today', '2026-03-10', '2026-03-11'],
    ['what did I say yesterday', '2026-03-09', '2026-03-10'],
    ['the day before yesterday', '2026-03-08', '2026-03-09'],
    ['last week', '2026-03-02', '2026-03-09'],
    ['this week', '2026-03-09', '2026-03-16'],
    ['next week', '2026-03-16', '2026-03-23'],
    ['last weekend', '2026-03-07', '2026-03-09'],
    ['last month', '2026-02-01', '2026-03-01'],
    ['last year', '2025-01-01', '2026-01-01'],
    ['last Friday', '2026-03-06', '2026-03-07'],
    ['in the last 3 days', '2026-03-07', '2026-03-11'],
    ['two weeks ago', '2026-02-20', '2026-02-28'],
  ])('reads "%s" as %s up to %s', (text, from, to) => {
    expect(readTimeExpression(text, now).period).toEqual({ from: new Date(from), to: new Date(to) });
  });

  it.each([
    'You may march on',
    'May I ask?',
    '31 February',
    'version 2023',
    'a second opinion',
    'many moons ago',
    '',
  ])('finds no time in "%s"', (text) => {
    expect(readTimeExpression(text, now)).toEqual({ newest: false });
  });

  it.each(['the latest decision', 'What is she currently reading?', 'most recent deploy'])(
    'hears that "%s" asks for the newest',
    (text) => {
      expect(readTimeExpression(text, now).newest).toBe(true);
    },
  );

  it('reads a hostile megabyte in no time', () => {
    const started = performance.now();
    for (const text of ['may '.repeat(250_000), ' '.repeat(1_000_000), '1'.repeat(1_000_000)]) {
      readTimeExpression(text, now);
    }
    expect(performance.now() - started).toBeLessThan(500);
  });
});
