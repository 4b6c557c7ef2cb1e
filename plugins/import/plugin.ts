import path from 'node:path'
import { CONTRACT, definePlugin, FormerAddressesService, optional, SettingsStoreService } from '#core'
import { ImagesService } from '#plugins/media'
import { PostsService } from '#plugins/posts'
import { createFormerAddresses } from './former-addresses.ts'

export default definePlugin({
  name: 'import',
  contract: CONTRACT,
  describe: 'Posts of other systems: Ghost, WordPress, folders of markdown',
  needs: { posts: PostsService, uploads: optional(ImagesService), store: SettingsStoreService },
  provides: { formerAddresses: FormerAddressesService },
  setup({ needs: { posts, uploads, store }, db, installation, now }) {
    const workFolder = path.join(installation.home, 'work', 'import')
    const deps = { db, posts, uploads, store, workFolder, now }
    return {
      services: { formerAddresses: createFormerAddresses({ db, installation, publicUrl: posts.publicUrl }) },
      commands: {
        import: {
          describe: 'Take over the posts of another system',
          load: async () => (await import('./commands/import.ts')).importCommands(deps)
        }
      }
    }
  }
})
