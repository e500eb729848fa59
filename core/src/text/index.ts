export { type RecalledText, type RenderedRecall, renderRecalled, standsIn, stretchOf } from './recalled.ts';
export { asLabel, firstCharacters } from './truncate.ts';
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
