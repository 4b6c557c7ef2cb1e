import { fieldLines } from '#cli'
import { command } from '#core'
import type { SearchParts } from '../parts.ts'

/** How the search index is, and how it is brought up to date. */
export const indexCommands = ({ status, updateIndex, rebuild, verify }: SearchParts) => ({
  status: command({
    describe: 'How it stands with the search index',
    returns: '{posts, waiting, segments, bytes, languages, rebuilding, damaged}',
    args: {},
    run: status,
    text: (found, terminal) => fieldLines({ ...found }, terminal)
  }),
  update: command({
    describe: 'Index posts that wait for it now; the worker does it within a minute',
    returns: '{posts, waiting, segments, bytes, languages, rebuilding, damaged}',
    args: {},
    async run({ terminal }) {
      await updateIndex(terminal.signal)
      return status()
    },
    text: (found, terminal) => fieldLines({ ...found }, terminal)
  }),
  rebuild: command({
    describe: 'Make the search index anew from all posts, while searches go on',
    returns: '{posts, waiting, segments, bytes, languages, rebuilding, damaged}',
    args: {},
    async run({ terminal }) {
      await rebuild(terminal.signal)
      return status()
    },
    text: (found, terminal) => fieldLines({ ...found }, terminal)
  }),
  verify: command({
    describe: 'Read the whole search index and compare it with the posts. Exits with 1 when something is wrong',
    returns: '{segments, postings, damaged, differing, lost, isRepaired}',
    args: {
      fix: { type: 'boolean', describe: 'Index again what is damaged or lost' }
    },
    async run({ args, terminal }) {
      const progress = terminal.progress('postings read')
      try {
        const isFixing = args.fix === true
        const found = await verify({ isFixing, signal: terminal.signal, onProgress: n => progress.update(n) })
        if (found.isRepaired) await updateIndex(terminal.signal)
        return found
      } finally {
        progress.end()
      }
    },
    text: (found, terminal) => fieldLines({ ...found }, terminal),
    exit: ({ damaged, differing, lost }) => (damaged + differing + lost > 0 ? 1 : 0)
  })
})
