import { command, type Db, listOf, showTime, table } from '#core'
import type { Deliveries } from '../delivery.ts'
import type { Notice } from '../index.ts'
import { listMessages } from '../repository.ts'
import { sendTest } from '../routes.ts'

interface NotifyCommandDeps {
  db: Db
  deliveries: Deliveries
  testNotice(): Notice
}

export const notifyCommands = ({ db, deliveries, testNotice }: NotifyCommandDeps) => ({
  test: command({
    describe: "Send a test message to the operator's chat",
    returns: '{sent, messages: [{id, channel, state, message_id, error}]}',
    args: {},
    run: () => sendTest(deliveries, testNotice()),
    text: ({ messages }) =>
      messages
        .map(({ channel, state, error }) => `${channel}: ${state}${error === null ? '' : ` (${error})`}`)
        .join('\n')
  }),
  list: command({
    describe: 'The latest messages to the operator, newest first, with what became of each',
    returns: 'list of Message',
    args: {
      limit: { type: 'integer', describe: 'Messages to show, at most 100', default: 20, minimum: 1, maximum: 100 }
    },
    run: async ({ args }) => listOf(await listMessages(db, args.limit)),
    text: (page, terminal) =>
      table(
        ['AT', 'CHANNEL', 'STATE', 'MESSAGE'],
        page.items.map(({ created_at, channel, state, title, error }) => [
          showTime(created_at, terminal.timeZone),
          channel,
          state,
          error === null ? title : `${title} (${error})`
        ]),
        terminal
      )
  })
})
