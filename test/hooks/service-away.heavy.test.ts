import { describeAway, useAwayService } from './service-away.fixture.ts';

const away = useAwayService();
const { service, serve } = away;

describeAway(away, [
  [
    'hanging in the middle of its answer',
    () => serve((_, response) => response.write('{"success": true, "inj')),
  ],
  ['answering 500', () => serve((_, response) => response.writeHead(500).end('{"success":false}'))],
  ['cutting the connection', () => serve((request) => request.socket.destroy())],
  ['somebody else', () => serve((_, response) => response.end('<html>Hello</html>'))],
  [
    'sending elsewhere',
    () => serve((_, response) => response.writeHead(302, { Location: service.url }).end()),
  ],
]);
