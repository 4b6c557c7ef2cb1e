import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startObjectStorage } from '../../../helpers/object-storage.ts'
import { makePublicPost } from '../../../helpers/public-post.ts'
import { startService, type TestService } from '../../../helpers/service.ts'
import { until } from '../../../helpers/until.ts'
import { createSpeakingPlugin } from './speaking-plugin.ts'

let service: TestService
before(async () => {
  service = await startService({ plugins: [createSpeakingPlugin().plugin], settings: { speech_driver: 'test' } })
})
after(() => service.close())

test('audio is gone with its post where the store keeps the cover', async t => {
  const { post_id } = await makePublicPost(service, { title: 'Tides' })
  const { job_id } = (await service.bearer('POST', `/generate/${post_id}`, { media: ['image', 'podcast'] })).body
  const isIn = async (state: string) =>
    (await service.db.query('select from media_jobs where job_id = $1 and state = $2', [job_id, state])).length === 1
  await until(() => isIn('done'))
  const bucket = await startObjectStorage()
  t.after(() => bucket.close())
  const settings = { storage_endpoint: bucket.url, storage_access_key: 'AKIA', storage_secret_key: 'secret' }
  for (const [key, value] of Object.entries({ ...settings, media_store: 's3://site/media' }))
    await service.kernel.settings.set(key, value)
  bucket.misbehaveWith(({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : null))
  await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  await until(() => isIn('withdrawn'))
  assert.deepEqual(await service.db.query('select from media_files where post_id = $1', [post_id]), [])
})
