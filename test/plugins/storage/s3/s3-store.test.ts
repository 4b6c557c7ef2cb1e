import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before } from 'node:test'
import S3rver from 's3rver'
import { createS3Driver } from '../../../../plugins/storage/s3/s3-driver.ts'
import { testStore } from '../conformance.ts'
import { storeSettings } from './settings.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'galley-s3rver-'))
let server: S3rver
let endpoint: string
before(async () => {
  server = new S3rver({ port: 0, silent: true, directory, configureBuckets: [{ name: 'site', configs: [] }] })
  const { port } = await server.run()
  endpoint = `http://localhost:${port}`
})
after(async () => {
  await server.close()
  rmSync(directory, { recursive: true })
})

testStore('s3: at s3rver', async () => {
  const access = { storage_access_key: 'S3RVER', storage_secret_key: 'S3RVER' }
  const driver = createS3Driver(storeSettings({ storage_endpoint: endpoint, ...access }))
  const address = `s3://site/${randomUUID()}/files`
  assert.equal(driver.faultOf(address), null)
  return driver.open(address, { setting: 'files_at' })
})
