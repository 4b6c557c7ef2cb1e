import { CONTRACT, definePlugin, optional, SettingsStoreService } from '#core'
import { fileDriver } from './file/file-driver.ts'
import { StorageService } from './index.ts'
import { createStorage } from './registry.ts'
import { checkAccess } from './s3/access-checks.ts'
import { createS3Driver } from './s3/s3-driver.ts'
import { storageSettings } from './settings.ts'

export default definePlugin({
  name: 'storage',
  contract: CONTRACT,
  describe: 'Where files lie: folders, and buckets of an object storage',
  needs: { store: optional(SettingsStoreService) },
  provides: { storage: StorageService },
  settings: storageSettings,
  setup({ needs: { store }, settings }) {
    const storage = createStorage()
    storage.addDriver('file', fileDriver)
    const s3 = createS3Driver(settings)
    storage.addDriver('s3', s3)
    if (store !== undefined) checkAccess(store, s3)
    return { services: { storage } }
  }
})
