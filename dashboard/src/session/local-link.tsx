import { Alert, Code, Text } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';

/** How the owner of a service on their own machine gets in. */
export function LocalLink() {
  return (
    <Alert icon={<IconTerminal2 size={18} />} title="This service runs on this machine" variant="light">
      <Text size="sm">
        Open the sign-in link that its start printed in the terminal. It works once, for 15 minutes; for a new
        one stop the service and run <Code>npm start</Code> again.
      </Text>
    </Alert>
  );
}
