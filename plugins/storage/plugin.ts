import { CONTRACT, definePlugin } from '#core'
import { fileDriver } from './file/file-driver.ts'
import { StorageService } from './index.ts'
import { createStorage } from './registry.ts'

export default definePlugin({
  name: 'storage',
  contract: CONTRACT,
  describe: 'Where files lie: folders',
  provides: { storage: StorageService },
  setup() {
    const storage = createStorage()
    storage.addDriver('file', fileDriver)
    return { services: { storage } }
  }
})
