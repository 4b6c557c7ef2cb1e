import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { placeholderConfig } from '../../cli/database/closed.ts'
import { lockHome } from '../../cli/database/home-lock.ts'
import { createLog } from '../../cli/log/json-log.ts'
import { openLocked } from '../../cli/open-kernel.ts'

test('a database that cannot be closed lets go of the home all the same', async t => {
  const home = mkdtempSync(path.join(tmpdir(), 'galley-locked-'))
  t.after(() => rmSync(home, { recursive: true }))
  // A server is connected to on first use: none is needed here.
  const config = { ...placeholderConfig(''), home, databaseUrl: 'postgres://127.0.0.1:1/none' }
  const { value: db, close } = await openLocked(config, createLog('silent'), lockHome(home))
  t.mock.method(db, 'close', () => Promise.reject(new Error('the disk is gone')), { times: 1 })
  await assert.rejects(close(), /the disk is gone/)
  lockHome(home).release()
  await db.close()
})
