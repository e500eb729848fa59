import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { since, timestamp, until } from './fields.ts';

const read = (schema: typeof timestamp, value: string) => schema.safeParse(value).data?.toISOString();

describe('a moment', () => {
  it.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    [' 2026-05-01 ', '2026-05-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-05-01T10:00', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:00', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01 10:00:00', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:00.5', '2026-05-01T10:00:00.500Z'],
    ['2026-05-01T10:00:00,123456789', '2026-05-01T10:00:00.123Z'],
    ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01t10:00:00z', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:00+02', '2026-05-01T08:00:00.000Z'],
    ['2026-05-01T10:00:00-0930', '2026-05-01T19:30:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59', '9999-12-31T23:59:59.000Z'],
  ])('%s is %s', (value, moment) => {
    expect(read(timestamp, value)).toBe(moment);
    expect(read(since, value)).toBe(moment);
  });

  it.each([
    '',
    'yesterday',
    'now',
    '1714557600',
    '2026',
    '2026-05',
    '2026-5-1',
    '26-05-01',
    '05/01/2026',
    '1 May 2026',
    '2026-02-29',
    '2026-02-30T10:00:00',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-05-01T',
    '2026-05-01Z',
    '2026-05-01+02:00',
    '2026-05-01T10',
    '2026-05-01T24:00:00',
    '2026-05-01T10:60',
    '2026-05-01T10:00:60',
    '2026-05-01T10:00:00.',
    '2026-05-01T10:00:00+25:00',
    '2026-05-01T10:00:00 Europe/Berlin',
    '2026-05-01T10:00:00Z2026-05-01',
    '2026-05-01\n2026-05-02',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+012026-05-01',
    '２０２６-05-01',
  ])('is not %j', (value) => {
    for (const schema of [timestamp, since, until]) {
      expect(schema.safeParse(value).error?.issues).toMatchObject([
        { message: expect.stringContaining('2026-02-01') },
      ]);
    }
  });

  it('is the same with a Z and without, and in a local time zone', () => {
    const date = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (moment) => {
        const iso = moment.toISOString();
        expect(read(timestamp, iso)).toBe(iso);
        expect(read(timestamp, iso.slice(0, -1))).toBe(iso);
        expect(read(until, iso.slice(0, -1))).toBe(iso);
        expect(read(timestamp, iso.slice(0, 10))).toBe(`${iso.slice(0, 10)}T00:00:00.000Z`);
        expect(read(until, iso.slice(0, 10))).toBe(`${iso.slice(0, 10)}T23:59:59.999Z`);
      }),
    );
  });
});
