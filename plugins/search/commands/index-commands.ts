import { fieldLines } from '#cli'
import { command } from '#core'
import type { SearchComponents } from '../components.ts'

const statusFields =
  '{driver, posts, waiting, languages, rebuilding}, and segments, bytes, damaged and lost of the index in the database, or engine, index, documents, bytes, refused, reasons and fault of a search engine'

/** How the search index is, and how it is brought up to date. */
export const indexCommands = ({ status, updateIndex, rebuild, verify }: SearchComponents) => ({
  status: command({
    describe: 'How it stands with the search index',
    returns: statusFields,
    args: {},
    run: status,
    text: (found, terminal) => fieldLines({ ...found }, terminal)
  }),
  update: command({
    describe: 'Index posts that wait for it now; the worker does it within a minute',
    returns: statusFields,
    args: {},
    async run({ terminal }) {
      await updateIndex(terminal.signal)
      return status()
    },
    text: (found, terminal) => fieldLines({ ...found }, terminal)
  }),
  rebuild: command({
    describe: 'Make the search index anew from all posts, while searches go on',
    returns: statusFields,
    args: {},
    async run({ terminal }) {
      await rebuild(terminal.signal)
      return status()
    },
    text: (found, terminal) => fieldLines({ ...found }, terminal)
  }),
  verify: command({
    describe: 'Read the whole search index and compare it with the posts. Exits with 1 when something is wrong',
    returns:
      '{segments, postings, damaged, differing, lost, words, vectors, isRepaired}; of a search engine {documents, missing, differing, extra, posts, isRepaired}',
    args: {
      fix: {
        type: 'boolean',
        describe: 'Index again what is damaged or lost, and store lost words; send again what a search engine has wrong'
      }
    },
    async run({ args, terminal }) {
      const progress = terminal.progress('compared')
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
    exitStatus: found => (faultsIn(found) > 0 ? 1 : 0)
  })
})

type Verified = Awaited<ReturnType<SearchComponents['verify']>>

const faultsIn = (found: Verified): number =>
  'missing' in found
    ? found.missing + found.differing + found.extra
    : found.damaged + found.differing + found.lost + found.words + found.vectors
