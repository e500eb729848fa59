export { answerHttp, type HttpMessage } from './answer-http.ts';
export type { ClientState } from './client-state.ts';
export { readMessage } from './message.ts';
export type { ToolSelection } from './tool-selection.ts';
