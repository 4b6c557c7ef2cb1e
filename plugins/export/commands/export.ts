import { command } from '#core'
import { pluralized } from '#text/plural'
import type { Exports } from '../exports.ts'

export const exportCommands = (exports: Exports) => ({
  rebuild: command({
    describe: 'Write all files of the static export again',
    returns: '{posts, files, removed, bytes, duration_ms}',
    args: {},
    async run({ terminal }) {
      const progress = terminal.progress('posts written')
      try {
        return await exports.rebuild({ onProgress: progress.update, signal: terminal.signal })
      } finally {
        progress.end()
      }
    },
    text: ({ posts, files, removed, bytes, duration_ms }) =>
      `${pluralized(posts, 'post')} in ${pluralized(files, 'file')}, ${bytes} bytes, in ${duration_ms} ms; ${pluralized(removed, 'stale file')} removed.`
  })
})
