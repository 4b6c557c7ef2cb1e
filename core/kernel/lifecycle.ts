import { checkSchema } from '../db/migrations/schema.ts'
import { createHttpApp, type WiredPlugins } from './http-app.ts'
import type { Kernel } from './kernel.ts'

/** The exit itself, with handing back and closing the database, comes within 10 s. */
const drainSeconds = 8

/** What touches the database or the network, in the order in which a process calls it. */
export function createLifecycle(
  wired: WiredPlugins & Pick<Kernel, 'migrations'>
): Pick<Kernel, 'open' | 'start' | 'createApp' | 'stop'> {
  const { core, guard, migrations, db } = wired
  const { changes, jobs, settings } = core
  let isDraining = false
  return {
    async open({ willStart = false } = {}) {
      await checkSchema(db, migrations)
      await settings.load()
      if (!willStart) guard.allowUse()
    },
    async start({ worker }) {
      guard.allowUse()
      await changes.start()
      // Read again: a change between `open` and the first notification would go unseen.
      await settings.load()
      if (worker) await jobs.start()
    },
    createApp: ({ onRoute } = {}) => createHttpApp(wired, { isDraining: () => isDraining, onRoute }),
    async stop() {
      isDraining = true
      try {
        await jobs.stop(drainSeconds)
      } finally {
        await changes.stop()
      }
    }
  }
}
