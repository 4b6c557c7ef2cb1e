import { type Check, type Db, degraded, ok, skipped } from '#core'
import type { Channels } from './messages.ts'
import { countTroubled } from './repository.ts'

/** What `galley doctor` asks of the messages to the operator. It sends none. */
export const notifyChecks = (db: Db, channels: Channels): Check[] => [
  {
    name: 'operator chat',
    async run() {
      const names = channels.inUse().map(({ name }) => name)
      if (names.length === 0) return skipped('no chat is set up: the operator is told nothing')
      const troubled = await countTroubled(db)
      if (troubled.length === 0) return ok(`${names.join(', ')}: every message of the last day was taken`)
      const counts = troubled.map(
        ({ state, count, error }) => `${count} ${state}${error === null ? '' : ` (${error})`}`
      )
      return degraded(
        `Messages to the operator of the last day: ${counts.join('; ')}.`,
        'See galley notify list, correct the chat settings, and try galley notify test.'
      )
    }
  }
]
