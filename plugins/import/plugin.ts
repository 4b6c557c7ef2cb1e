import path from 'node:path'
import { CONTRACT, definePlugin, FormerAddressesService, optional } from '#core'
import { ImagesService } from '#plugins/media'
import { PostsService } from '#plugins/posts'
import { announceImportedJob } from './announcement.ts'
import { createFormerAddresses } from './former-addresses.ts'

export default definePlugin({
  name: 'import',
  contract: CONTRACT,
  describe: 'Posts of other systems: Ghost, WordPress, folders of markdown',
  needs: { posts: PostsService, uploads: optional(ImagesService) },
  provides: { formerAddresses: FormerAddressesService },
  setup({ needs: { posts, uploads }, db, enqueue, installation, now }) {
    const workFolder = path.join(installation.home, 'work', 'import')
    const deps = { db, enqueue, posts, uploads, installation, workFolder, now }
    return {
      services: { formerAddresses: createFormerAddresses({ db, publicUrl: posts.publicUrl }) },
      jobs: [announceImportedJob(db, posts.imports)],
      commands: {
        import: {
          describe: 'Take over the posts of another system',
          load: async () => (await import('./commands/import.ts')).importCommands(deps)
        }
      }
    }
  }
})
