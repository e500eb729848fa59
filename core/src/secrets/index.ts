export { redactText } from './redact.ts';
