export { type ConnectOptions, connect } from './connect.ts';
