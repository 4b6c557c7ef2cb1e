import { pageTable } from '#cli'
import { command, type Db } from '#core'
import { formatInstant } from '#time'
import type { Deliveries } from '../deliveries.ts'
import type { Notice } from '../index.ts'
import { countMessages, listMessages } from '../repository/lists.ts'
import { sendTest } from '../test-message.ts'

interface NotifyCommandDeps {
  db: Db
  deliveries: Deliveries
  testNotice(): Notice
}

const columns = [
  { heading: 'AT', dropOrder: 2 },
  { heading: 'CHANNEL', dropOrder: 1 },
  { heading: 'STATE' },
  { heading: 'MESSAGE', isText: true }
]

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
    describe: 'Messages to the operator, newest first, with what became of each',
    returns: 'list of Message',
    args: {
      limit: { type: 'integer', describe: 'Messages to show, at most 100', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Messages to skip', default: 0, minimum: 0, maximum: 1_000_000_000 }
    },
    async run({ args: { limit, offset } }) {
      const [items, total] = await Promise.all([listMessages(db, { limit, offset }), countMessages(db)])
      return { items, total, limit, offset }
    },
    text: ({ items, total, offset }, terminal) => {
      const rows = items.map(({ created_at, channel, state, title, error }) => [
        formatInstant(created_at, terminal.timeZone),
        channel,
        state,
        error === null ? title : `${title} (${error})`
      ])
      return pageTable(
        columns,
        rows,
        { total, offset, empty: 'Nothing was sent yet: "notify test" sends a message.' },
        terminal
      )
    }
  })
})
