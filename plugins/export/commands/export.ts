import { command } from '#core'
import type { Exports } from '../exports.ts'

export const exportCommands = (exports: Exports) => ({
  rebuild: command({
    describe: 'Write the static export anew',
    args: {},
    run: () => exports.rebuild(),
    text: ({ posts, files, removed, bytes, duration_ms }) =>
      `${posts} posts in ${files} files, ${bytes} bytes, in ${duration_ms} ms; ${removed} stale files removed.`
  })
})
