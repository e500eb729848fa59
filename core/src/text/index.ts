export { type RecalledText, renderRecalled } from './recalled.ts';
export {
  escapeUnseen,
  firstUnseen,
  hasUnseen,
  replaceUnseen,
  type Stretch,
  splitUnseen,
  withoutUnseen,
} from './unseen.ts';
export { makeVisible, SPEAKER_MARK } from './visible.ts';
