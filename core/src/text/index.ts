export { asLabel } from './as-label.ts';
export { firstCharacters } from './first-characters.ts';
export { type RecalledText, renderRecalled, standsIn, stretchOf } from './recalled.ts';
export {
  escapeUnseen,
  firstUnseen,
  hasUnseen,
  replaceUnseen,
  type Stretch,
  splitUnseen,
  withoutUnseen,
} from './unseen.ts';
export { makeVisible } from './visible.ts';
