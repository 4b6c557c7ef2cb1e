import { CONTRACT, definePlugin } from '#core'
import { fileDriver } from './file/file-driver.ts'
import { StorageService } from './index.ts'
import { createStorage } from './registry.ts'
import { createS3Driver } from './s3/s3-driver.ts'
import { storageSettings } from './settings.ts'

export default definePlugin({
  name: 'storage',
  contract: CONTRACT,
  describe: 'Where files lie: folders, and buckets of an object storage',
  provides: { storage: StorageService },
  settings: storageSettings,
  setup({ settings }) {
    const storage = createStorage()
    storage.addDriver('file', fileDriver)
    storage.addDriver('s3', createS3Driver(settings))
    return { services: { storage } }
  }
})
