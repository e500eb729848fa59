import { t } from '@lingui/core/macro';
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const iris: MantineColorsTuple = [
  '#f1effd',
  '#dfdbf8',
  '#bdb5ef',
  '#9a8de6',
  '#7c6bdf',
  '#6957da',
  '#5a46cf',
  '#4b3bb6',
  '#41339f',
  '#352a83',
];

/** Greys as warm as the ground they lie on. */
const gray: MantineColorsTuple = [
  '#faf8f5',
  '#f4f2ee',
  '#ebe8e2',
  '#e1ddd6',
  '#cfcac2',
  '#aea9a1',
  '#86817a',
  '#55514e',
  '#3b3836',
  '#262423',
];

/** Greys with a trace of violet. */
const dark: MantineColorsTuple = [
  '#e9e8ee',
  '#c6c5d0',
  '#a9a8b6',
  '#8b8a99',
  '#53525f',
  '#3b3a45',
  '#2a2932',
  '#1d1c23',
  '#16151b',
  '#100f14',
];

/** A red on which white text is readable. */
const red: MantineColorsTuple = [
  '#fff1ef',
  '#fbdcd8',
  '#f3b5ae',
  '#ea8b81',
  '#e1675b',
  '#cf4338',
  '#bf2f25',
  '#a5251c',
  '#8f1f17',
  '#781911',
];

/** A yellow whose darkest shade is readable on its lightest. */
const yellow: MantineColorsTuple = [
  '#fff6e3',
  '#fbe9c3',
  '#f4d592',
  '#eebf5f',
  '#e6ac38',
  '#d4951d',
  '#b87c10',
  '#986307',
  '#7f5103',
  '#664000',
];

/** Sizes, colours and fonts of all pages. */
export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 5 },
  colors: { iris, gray, dark, red, yellow },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.2' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  components: {
    Tooltip: {
      defaultProps: {
        openDelay: 250,
        multiline: true,
        maw: 320,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': t`Close` } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4, blur: 2 },
        closeButtonProps: { 'aria-label': t`Close` },
      },
    },
  },
});

/** Colours with a meaning. Each has a contrast of at least 4.5 on its background, the edge of a control one of 3. */
export const colors: CSSVariablesResolver = () => ({
  variables: { '--serif': "'Source Serif 4 Variable', Georgia, serif" },
  light: {
    '--mantine-color-body': '#faf9f7',
    '--mantine-color-text': '#1f1d26',
    '--mantine-color-dimmed': '#65626e',
    '--mantine-color-placeholder': '#6f6c78',
    '--mantine-color-default-border': '#dcd9d3',
    '--mantine-color-error': '#b3261e',
    '--surface': '#ffffff',
    '--surface-quiet': '#f4f2ee',
    '--line': '#e7e4de',
    '--edge': '#86817a',
    '--shadow': '0 1px 2px rgb(40 30 60 / 4%), 0 4px 16px rgb(40 30 60 / 4%)',
    '--alarm': '#b3261e',
    '--alarm-ground': '#fff1ee',
    '--alarm-line': '#f2c1bb',
    '--gone': '#8f2a1f',
    '--gone-ground': '#fdeceb',
    '--come': '#12563a',
    '--come-ground': '#dff3e8',
    '--type-core': '#5a46cf',
    '--type-working': '#9a5a00',
    '--type-episodic': '#0b6aa6',
    '--type-semantic': '#19754d',
  },
  dark: {
    '--mantine-color-body': '#121116',
    '--mantine-color-text': '#e9e8ee',
    '--mantine-color-dimmed': '#a3a1b0',
    '--mantine-color-placeholder': '#96949f',
    '--mantine-color-default-border': '#3b3a45',
    '--mantine-color-anchor': '#b3a8f5',
    '--mantine-color-error': '#ff8f87',
    '--surface': '#1a1920',
    '--surface-quiet': '#201f27',
    '--line': '#2b2a33',
    '--edge': '#7f7d8c',
    '--shadow': 'none',
    '--alarm': '#ff9a92',
    '--alarm-ground': '#2b1a1b',
    '--alarm-line': '#5c2f2e',
    '--gone': '#f3a59c',
    '--gone-ground': '#38201f',
    '--come': '#8fdcb4',
    '--come-ground': '#17322a',
    '--type-core': '#a99cf3',
    '--type-working': '#e9ad55',
    '--type-episodic': '#66b5ee',
    '--type-semantic': '#5cc795',
  },
});
