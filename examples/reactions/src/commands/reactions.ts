import { command, type Db } from 'galley/plugin'
import { listOf, table } from 'galley/toolkit'
import { listNewest } from '../repository.ts'

export const reactionCommands = (db: Db) => ({
  list: command({
    describe: 'Show the newest reactions',
    returns: 'list of Reaction',
    args: { limit: { type: 'integer', describe: 'How many', default: 20, minimum: 1, maximum: 100 } },
    run: async ({ args }) => listOf(await listNewest(db, args.limit)),
    text: ({ items }, terminal) =>
      table(
        ['AT', 'POST', 'KIND', 'STATUS', 'NOTE'],
        items.map(item => [item.created_at, item.post_id, item.kind, item.status, item.note]),
        terminal
      )
  })
})
